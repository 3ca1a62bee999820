"""KingBrick through its physics: what is refused because it does not stand, and whole turns from flick to rest."""

import pickle
import subprocess
import sys
from random import Random

import pytest
from kingbrick_board import asked, begun, formation, play, pose, position, where
from kingbrick_board import flick as flick_of

from ludoteca.core.chance import Seal
from ludoteca.core.errors import IllegalMove
from ludoteca.core.match import Match
from ludoteca.core.record import from_json, to_json
from ludoteca.games.kingbrick import measuring
from ludoteca.games.kingbrick.game import GAME
from ludoteca.games.kingbrick.geometry import in_castle, standing
from ludoteca.games.kingbrick.motion import decode
from ludoteca.games.kingbrick.notation import read, written
from ludoteca.games.kingbrick.physics import Flick, Rest, fallen, flicked, settled
from ludoteca.games.kingbrick.state import Placement
from ludoteca.games.kingbrick.touching import rests_on
from ludoteca.games.kingbrick.world import Run, settled_world

rule = pytest.mark.rule


def at_table(state, seed="seed"):
    """A sealed match that goes on from a position."""
    match = Match(GAME, {"start": 1, "extra": state.extra, "hand": state.hand}, None, Seal.derived("m", 2, seed))
    match.position = match.position._replace(state=state)
    return match


def unready():
    match = Match(GAME, {"start": 1}, None, Seal.derived("m", 2, "s"))
    match.begin()
    return match


@rule("KB-9")
def test_a_formation_that_falls_is_refused_with_the_fallen_named():
    match = unready()
    king = "stand r1 x=0 y=-190 yaw=0 up=1"
    overhanging = "stand r2 x=100 y=-100 yaw=0 up=1\nstand r3 x=110 y=-100 yaw=0 up=1"
    with pytest.raises(IllegalMove, match="the formation does not stand; these fall: Guardian r3"):
        match.play(f"army K 2G\n{king}\n{overhanging}\nready", 1)
    assert (match.log, match.to_move) == ([], (1, 2)), "all of it or nothing"
    match.play(f"army K 2G\n{king}\n{overhanging.replace('110', '106')}\nready", 1)
    assert match.to_move == (2,)


@rule("KB-9", "KB-7")
def test_a_king_may_stand_on_bricks_above_its_castle_and_the_owner_chooses_the_faces():
    match = unready()
    tower = "stand r2 x=20 y=-150 yaw=0 up=6\nstand r3 x=20 y=-150 yaw=30 up=3\nstand r1 x=20 y=-150 yaw=0 up=1"
    match.play(f"army K 2G\n{tower}\nready", 1)
    own = {brick["name"]: brick for brick in GAME.view(match.state, 1)["bricks"]}
    assert [own[name]["up"] for name in ("r1", "r2", "r3")] == [1, 6, 3]
    match.play(formation(2, "K"), 2)
    poses = match.state.poses
    assert poses["r1"].z == pytest.approx(40, abs=0.5)
    assert rests_on(poses, "r1") == {"r3"}
    assert [brick["up"] for brick in GAME.view(match.state, None)["bricks"][:3]] == [1, 6, 3]


@rule("KB-14")
def test_a_finger_that_would_start_inside_a_brick_is_refused():
    match = at_table(position("r2 G 0 -100", "r3 G 0 -134"))
    with pytest.raises(IllegalMove, match="the finger would start inside Guardian r3; choose another direction"):
        match.play(flick_of("r2", 90), 1)
    match.play(flick_of("r2", 0), 1)
    assert match.to_move == (2,)


@rule("KB-14", "KB-15", "KB-16")
def test_a_flick_runs_until_everything_is_at_rest():
    match = at_table(position("r2 C 0 -100", "b2 G 0 60", "b3 G 60 100"))
    flicked, rest = match.play(flick_of("r2", 90, 2), 1)
    assert rest.by == 0
    told = GAME.describe(position("r2 C 0 -100", "b2 G 0 60", "b3 G 60 100"), flicked)
    assert told.marks == {"brick": "r2", "dir": 90.0, "speed": 2.0, "unmoved": True}
    assert match.state.poses["b2"] != pose("0 60"), "it was hit"
    assert not fallen(match.state.poses, settled(match.state.poses).poses)


@rule("KB-16", "KB-17")
def test_a_king_flicked_off_the_board_loses():
    match = at_table(position("r2 C 0 -100", "b1 K 0 280"))
    match.play(flick_of("r1", 270, 2.5), 1)
    assert match.result.winners == (2,)
    assert where(match.state, "r1") == ["out"]


@rule("KB-24", "KB-25")
def test_a_long_follow_through_is_found_to_be_a_push():
    match = at_table(position("r2 C 0 -100"))
    match.play("flick r2 dir=90 speed=0.3 height=0 side=0 follow=40", 1)
    assert asked(match.state) == (2, "turn")
    assert GAME.view(match.state, None)["flicks"] == 2


@rule("KB-23", "KB-25")
def test_a_finger_that_brushes_a_neighbour_is_found_to_be_a_misflick():
    match = at_table(position("r2 C 0 -100", "r3 G 13 -116"))
    match.play("flick r2 dir=90 speed=1 height=0 side=0 follow=8", 1)
    assert GAME.view(match.state, None)["flicks"] == 2


@rule("KB-22")
def test_a_brick_is_set_down_on_what_is_there_and_must_stay():
    match = at_table(position("r1 K 100 -100", "r2 G 20 -200"))
    with pytest.raises(IllegalMove, match=r"King r1 cannot be set down there; these would not stay: King r1. It would"):
        match.play("place r1 x=31 y=-200 yaw=0 up=1", 1)
    match.play("place r1 x=22 y=-200 yaw=0 up=1", 1)
    assert match.state.poses["r1"].z == pytest.approx(24, abs=0.3)
    assert asked(match.state) == (2, "turn")


@rule("KB-22")
def test_a_brick_that_would_topple_others_is_refused_with_all_that_would_fall():
    """r3 hangs over the edge of r2 and stays, until the King stands on its free end."""
    match = at_table(position("r1 K 100 -100", "r2 G 0 -190", "r3 G 6 -190 z=24"))
    with pytest.raises(IllegalMove, match="these would not stay: Guardian r3, King r1"):
        match.play("place r1 x=12 y=-190 yaw=0 up=1", 1)


@rule("KB-22")
def test_the_spot_that_a_refusal_names_is_good():
    match = at_table(position("r1 K 100 -100", "r2 G 20 -200"))
    with pytest.raises(IllegalMove) as refused:
        match.play("place r1 x=31 y=-200 yaw=0 up=1", 1)
    x, y = refused.value.reason.params["x"], refused.value.reason.params["y"]
    match.play(f"place r1 x={x} y={y} yaw=0 up=1", 1)
    assert in_castle(match.state.poses["r1"], 1)


@rule("KB-22")
def test_beside_the_castle_is_refused_while_a_spot_of_it_stands():
    match = at_table(position("r1 K 100 -100"))
    with pytest.raises(IllegalMove, match="King r1 must be in its castle"):
        match.play("place r1 x=70 y=-190 yaw=0 up=1", 1)


@rule("KB-22")
def test_if_no_spot_of_the_castle_stands_the_nearest_one_at_home_does(monkeypatch):
    """No 41 bricks can fill a castle so, hence a measurement that says that they did."""
    real = measuring.disturbed

    def full(there, place):
        spot = standing(place.x, place.y, place.yaw, place.up)
        return [place.brick] if in_castle(spot, 1) else real(there, place)

    monkeypatch.setattr(measuring, "disturbed", full)
    state = position("r1 K 100 -100", *(f"r{2 + n} G {-51 + 17 * n} -190" for n in range(7)))
    for spot in ("x=70 y=-190", "x=58 y=-190"):
        with pytest.raises(IllegalMove):
            GAME.admit(state, 1, f"place r1 {spot} yaw=0 up=1")
    x, y = measuring.nearest_spot({name: at for name, at in state.poses.items() if name != "r1"}, "r1", 1)
    assert not in_castle(standing(x, y, 0, 1), 1)
    assert max(abs(x) - 50, abs(y + 190) - 50) <= 8 + measuring.GRID
    move = f"place r1 x={x:g} y={y:g} yaw=0 up=1"
    GAME.admit(state, 1, move)
    after = play(state, move, written(Rest({**state.poses, "r1": standing(x, y, 0, 1)})))
    assert asked(after) == (2, "turn"), "and a replay, which measures nothing, takes it"
    escaped = position("r1 K 100 -100", *(f"r{2 + n} G {-51 + 17 * n} -190" for n in range(7)), "r9 G hand")
    escaped = escaped.but(placements=(Placement("r9", 1, "escaped"),))
    with pytest.raises(IllegalMove, match="Guardian r9 must be in its castle"):
        GAME.admit(escaped, 1, "place r9 x=70 y=-190 yaw=0 up=1")
    GAME.admit(escaped, 1, move.replace("r1", "r9"))


@rule("KB-22", "KB-51")
def test_what_comes_down_because_the_king_was_lifted_does_not_forbid_the_king_move():
    match = at_table(position("r1 K 0 -190", "r2 G 8 -190 z=24", "r3 G 100 -100"))
    match.play("place r1 x=-40 y=-190 yaw=0 up=1", 1)
    assert match.state.poses["r2"].z == pytest.approx(8, abs=0.5)
    assert asked(match.state) == (2, "turn")


@rule("KB-43", "KB-41")
@pytest.mark.parametrize(
    ("spot", "words"),
    [
        ("x=0 y=190", "Freeze r2 would rest on King b1; it may rest on Mercenary r5, Guardian b2, Champion b3"),
        ("x=60 y=-100", "would rest on Guardian r3"),
        ("x=8 y=100", "would rest on Guardian r4"),
        ("x=120 y=120", "would rest on Freeze b4"),
        ("x=150 y=50", "Freeze r2 would rest on no brick; it may rest on Mercenary r5"),
        ("x=11 y=150", "these would not stay: Freeze r2"),
    ],
)
def test_a_freeze_that_would_rest_on_other_bricks_is_refused(spot, words):
    lines = ("r2 F hand", "r3 G 60 -100", "r4 G 16 100", "r5 M 120 120 up=6")
    blue = ("b2 G 0 100", "b3 C 0 150", "b4 F 120 120 z=24")
    match = at_table(position(*lines, *blue))
    with pytest.raises(IllegalMove, match=words):
        match.play(f"freeze r2 {spot} yaw=0", 1)


@rule("KB-43", "KB-42")
def test_a_freeze_may_rest_on_several_bricks_of_the_opponent_and_on_a_deserter():
    match = at_table(position("r2 F hand", "r3 M 16 100 up=6", "b2 G 0 100", "b3 G 60 100"))
    match.play("freeze r2 x=8 y=100 yaw=0", 1)
    assert asked(match.state) == (1, "turn")
    match.play("place r1 x=0 y=-190 yaw=0 up=1", 1)
    assert GAME.legal(match.state, 2)["flick"]["bricks"] == ["b1", "b3"]


def held_up_by(world, name, slack):
    """What the engine has in contact with a brick from below; its normals look from the first to the second."""
    run = world.restored()
    names = {body.colliders[0]: name for name, body in run.bodies.items()}
    mine, below = run.bodies[name].colliders[0], set()
    for pair in run.world.narrow_phase.contact_pairs_with(mine):
        is_first = pair.collider1 == mine
        for contact in pair.manifolds:
            upwards = -contact.data.normal.z if is_first else contact.data.normal.z
            if upwards >= 0.5 and any(point.dist * 16 <= slack for point in contact.points):
                below.add(names.get(pair.collider2 if is_first else pair.collider1))
    return below - {None}


@rule("KB-42")
def test_resting_on_is_read_from_poses_as_the_engine_has_it():
    rng, seen = Random("heaps"), 0
    floor = {f"r{n}": standing(17 * (n % 3 - 1), 17 * (n // 3 - 1), 0, 1) for n in range(9)}
    for _ in range(15):
        falling = {
            f"b{n}": standing(rng.uniform(-20, 20), rng.uniform(-20, 20), rng.uniform(0, 90), 1, 26 + 17 * n)
            for n in range(8)
        }
        world = settled_world({**floor, **falling})
        for name in world.poses:
            below = rests_on(world.poses, name)
            assert held_up_by(world, name, 0.05) <= below <= held_up_by(world, name, 0.15), (name, world.poses)
            seen += len(below)
    assert seen > 50


@rule("KB-33", "KB-45")
def test_a_revealed_ninja_and_a_blink_stand_where_they_are_placed():
    match = at_table(position("r2 N hidden", "r3 B 30 -100", extra=True))
    match.play("place r2 x=150 y=100 yaw=30 up=2", 1)
    assert match.state.poses["r2"][:2] == pytest.approx((150, 100), abs=0.1)
    match = at_table(position("r3 B 30 -100", extra=True))
    match.play("place r3 x=-150 y=-20 yaw=45 up=2", 1)
    assert match.state.poses["r3"][:2] == pytest.approx((-150, -20), abs=0.1)


@rule("KB-20", "KB-21", "KB-51")
def test_a_capture_is_rolled_and_what_stood_on_it_has_come_down():
    """r2, sad under b2 in blue's territory: the flick of r1 changes nothing there, but finds it so."""
    state = position("r2 G 100 100 up=6", "b2 G 100 100 z=24")
    match = at_table(state)
    match.play("place r1 x=20 y=-190 yaw=0 up=1", 1)
    moves = [entry.move.split()[0] for entry in match.log]
    assert moves[:4] == ["place", "rest", "rest", "roll"]
    assert match.state.poses["b2"].z == pytest.approx(8, abs=0.5)


@rule("KB-15", "KB-51")
def test_a_turn_goes_on_when_bricks_do_not_come_to_rest(monkeypatch):
    """r2 is captured from under b2, and the time allowed is over before b2 has come down."""
    monkeypatch.setattr("ludoteca.games.kingbrick.world.MOST_STEPS", 60)
    match = at_table(position("r2 G 103 107 up=6", "b2 G 103 107 z=24"))
    match.play("place r1 x=20 y=-190 yaw=0 up=1", 1)
    assert [entry.move.split()[0] for entry in match.log][:4] == ["place", "rest", "rest", "roll"]
    assert set(match.state.poses) == {"r1", "b1", "b2"}
    assert match.to_move


@rule("KB-15")
def test_what_the_record_cannot_hold_in_balance_falls_at_once_and_is_shown(monkeypatch):
    """A flick leaves r2 as if it hung in the air, and r3 as if beyond the board's edge: both fall late, on the film."""
    poses = {"r1": standing(0, -190, 0, 1), "r2": pose("50 -100"), "r3": standing(150, -100, 0, 1)}
    settled_world(poses)
    wobbly = {"r2": pose("50 -100 z=12"), "r3": standing(201, -100, 0, 1)}
    real, asked_before = Run.poses, []

    def once(run):
        asked_before.append(run)
        return real(run) | wobbly if len(asked_before) == 1 else real(run)

    monkeypatch.setattr(Run, "poses", once)
    rest = flicked(poses, Flick("r1", 90, 0.2, 0, 0, 8))
    assert rest.poses["r2"].z == pytest.approx(8, abs=0.05)
    assert (rest.fell, rest.touched) == ((("r3",),), ("r1",))
    _, tracks = decode(rest.motion)
    assert {"r2", "r3"} <= set(tracks)


@rule("KB-15", "KB-51")
def test_what_comes_down_after_a_lifting_is_on_film():
    match = at_table(position("r2 G 100 100 up=6", "b2 G 100 100 z=24"))
    match.play("place r1 x=20 y=-190 yaw=0 up=1", 1)
    stays, falls = [read(entry.move) for entry in match.log[1:3]]
    assert stays.motion == b""
    assert set(decode(falls.motion)[1]) == {"b2"}


def test_a_replay_loads_no_engine():
    match = begun("K 2G", "K 2G")
    match.play(flick_of("r2"), 1)
    program = (
        "import sys; from ludoteca.core.match import Match; from ludoteca.core.record import from_json\n"
        "match = Match.load(from_json(sys.stdin.read()))\n"
        "match.game.view(match.state, 1), match.game.legal(match.state, 2)\n"
        "print(len(match.log), 'rapier3d' in sys.modules)"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], input=to_json(match.record), capture_output=True, check=True
    ).stdout
    assert told.decode().split() == [str(len(match.log)), "False"]


def test_a_position_travels_between_processes():
    match = begun("K 2G F", "K N", seed="travels")
    match.play(flick_of("r2"), 1)
    assert pickle.loads(pickle.dumps(match.state)) == match.state


def test_a_match_of_30_turns_replays_and_measures_nothing(monkeypatch):
    match, rng = begun(key="fortress", seed="long"), Random("long")
    while match.result is None and match.state.turn.number <= 30:
        seat = match.to_move[0]
        if match.state.placements:
            brick = match.state.placements[0].brick
            x, y = measuring.nearest_spot(match.state.poses, brick, seat)
            match.play(f"place {brick} x={x:g} y={y:g} yaw=0 up=1", seat)
            continue
        try:
            name = rng.choice(GAME.legal(match.state, seat)["flick"]["bricks"])
            match.play(flick_of(name, rng.randrange(360), 0.5), seat)
        except IllegalMove:
            continue  # the finger had no room
    record = from_json(to_json(match.record))

    def measures(*arguments):
        raise AssertionError("a replay measures nothing")

    for name in ("settled", "settled_on_film", "flicked", "set_down"):
        monkeypatch.setattr(measuring, name, measures)
    again = Match.load(record, match.seal)
    assert match.state.turn.number > 20
    assert GAME.view(again.state, None) == GAME.view(match.state, None)
