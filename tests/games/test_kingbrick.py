"""The rules of KingBrick, one after the other: material, set-up, turns, what follows, infractions, King, end."""

from collections import Counter
from math import cos, radians, sin

import msgspec
import pytest
from kingbrick_board import asked, begun, flick, flicked, formation, placed, play, position, rest, rested, where

from ludoteca.core.chance import Seal
from ludoteca.core.errors import BadOption, IllegalMove, UnknownMove
from ludoteca.core.match import Match
from ludoteca.games.kingbrick.bricks import ALL_KINDS
from ludoteca.games.kingbrick.game import GAME
from ludoteca.games.kingbrick.state import TURNS, SetUp

rule = pytest.mark.rule
STANDARD = "army K 4C 12G"


def set_up(*moves, seat=1, extra=False):
    state = GAME.start(GAME.agree({"start": 1, "extra": extra}))
    for move in moves:
        state = GAME.play(state, seat, move).state
    return state


# Material and armies


@rule("KB-1")
def test_two_players_red_and_blue():
    for players in (1, 3, 4, "2", None):
        with pytest.raises(BadOption, match="players"):
            GAME.agree({"players": players})
    view = GAME.view(begun("K G", "K 2G").state, 1)
    assert [(brick["name"], brick["side"]) for brick in view["bricks"]] == [
        ("r1", 1),
        ("r2", 1),
        ("b1", 2),
        ("b2", 2),
        ("b3", 2),
    ]


@rule("KB-2")
def test_the_board_and_its_castles():
    board = GAME.view(position(), None)["board"]
    assert (board["width"], board["length"], board["brick"]) == (400, 600, 16)
    assert board["castles"] == [[-50, -240, 100, 100], [-50, 140, 100, 100]]


@rule("KB-3", "KB-4")
def test_bricks_cost_and_show_what_the_table_says():
    faces = {
        "K": (0, 0, 0),
        "G": (2, 2, 4),
        "C": (5, 5, 1),
        "N": (4, 3, 3),
        "A": (4, 3, 3),
        "M": (3, 4, 0),
        "F": (2, 0, 0),
        "B": (1, 1, 5),
        "H": (3, 3, 3),
        "O": (5, 5, 1),
        "D": (2, 2, 4),
    }
    kinds = GAME.view(position(extra=True), None)["kinds"]
    assert {
        k: (kind["cost"], kind["faces"].count("happy"), kind["faces"].count("sad")) for k, kind in kinds.items()
    } == faces
    assert kinds["M"]["faces"] == ["happy"] * 4 + ["grey"] * 2
    for kind in ALL_KINDS.values():
        happy = kind.faces.count("happy")
        assert all(mood == "happy" for mood in kind.faces[:happy])


@rule("KB-4")
def test_extra_bricks_are_an_option():
    assert "B" not in GAME.view(position(), None)["kinds"]
    with pytest.raises(IllegalMove, match="Knight is an extra brick, and this table plays without them"):
        set_up("army K H")
    assert set_up("army K B H O D", extra=True).set_ups[0].army == "KBHOD"


@rule("KB-5")
def test_the_standard_army():
    state = set_up(STANDARD)
    assert GAME.view(state, 1)["sides"][0] == {"ready": False, "points": 44, "bricks": 16}
    assert GAME.legal(state, 1)["setup"]["standard"] == "K 4C 12G"


@rule("KB-6")
@pytest.mark.parametrize(
    ("army", "words"),
    [
        ("K 5C 10G", "costs 45 points; at most 44"),
        ("K 21B", "has 21 bricks besides the King; at most 20"),
        ("K 18B 3F", "has 21 bricks"),
        ("K 22F G", "costs 46 points"),
        ("2K 3G", "exactly one King and this one has 2"),
        ("4C 12G", "exactly one King and this one has 0"),
    ],
)
def test_armies_beyond_the_limits_are_refused(army, words):
    with pytest.raises(IllegalMove, match=words):
        set_up(f"army {army}", extra=True)


@rule("KB-6")
def test_any_number_of_each_kind_within_the_limits():
    for army in ("K", "K 20F", "K 11N", "K 8C 2F", "12G K 4C", "K 20G"):
        assert set_up(f"army {army}").set_ups[0].army.count("K") == 1


# Set-up


@rule("KB-7")
@pytest.mark.parametrize("spot", ["x=0 y=-190", "x=50 y=-140", "x=58 y=-190", "x=-58 y=-248", "x=0 y=-132"])
def test_the_king_starts_in_its_castle_or_touches_its_edge(spot):
    state = set_up(STANDARD, f"stand r1 {spot} yaw=0 up=1")
    assert state.set_ups[0].stands[0].brick == "r1"


@rule("KB-7")
@pytest.mark.parametrize("spot", ["x=58.1 y=-190", "x=0 y=-131.9", "x=0 y=-248.1", "x=0 y=190"])
def test_a_king_outside_its_castle_is_refused(spot):
    with pytest.raises(IllegalMove, match=r"King r1 must be in its castle.*x from -50 to 50, y from -240 to -140"):
        set_up(STANDARD, f"stand r1 {spot} yaw=0 up=1")


@rule("KB-7")
def test_a_turned_brick_reaches_further():
    """Its outline counts: the corner of a brick on its edge is 11.3 mm from its centre."""
    set_up(STANDARD, "stand r1 x=61.3 y=-190 yaw=45 up=1")
    with pytest.raises(IllegalMove, match="castle"):
        set_up(STANDARD, "stand r1 x=61.4 y=-190 yaw=45 up=1")


@rule("KB-8")
@pytest.mark.parametrize("spot", ["x=0 y=-8", "x=0 y=0", "x=0 y=100", "x=195 y=-100", "x=0 y=-293"])
def test_other_bricks_stand_wholly_at_home_and_off_the_line(spot):
    with pytest.raises(IllegalMove, match="Champion r2 must stand wholly in its own territory"):
        set_up(STANDARD, f"stand r2 {spot} yaw=0 up=1")
    set_up(STANDARD, "stand r2 x=192 y=-8.1 yaw=0 up=1")
    state = set_up(STANDARD, "stand b2 x=0 y=8.1 yaw=0 up=1", seat=2)
    assert state.set_ups[1].stands


@rule("KB-8")
def test_freezes_stay_off_the_board():
    with pytest.raises(IllegalMove, match="Freeze r2 stays off the board"):
        set_up("army K 2F", "stand r2 x=0 y=-100 yaw=0 up=1")
    match = begun("K G 2F", "K")
    assert where(match.state, "r2", "r3", "r4") == ["board", "hand", "hand"]


@rule("KB-8")
@pytest.mark.parametrize(
    ("moves", "words"),
    [
        (["stand r1 x=0 y=-190 yaw=0 up=1"], "an army comes first, as in 'army K 4C 12G'"),
        (["army K G", "stand r3 x=0 y=-90 yaw=0 up=1"], "r3 is not in this army; still to be placed: King r1, Gua"),
        (["army K G", "stand b2 x=0 y=-90 yaw=0 up=1"], "b2 is not in this army"),
        (["army K G", *["stand r2 x=0 y=-90 yaw=0 up=1"] * 2], "Guardian r2 has its place already"),
        (["army K G", "stand r1 x=0 y=-190 yaw=0 up=1", "ready"], "still to be placed: Guardian r2"),
        (["army K", "flick r1 dir=0 speed=1 height=0 side=0 follow=8"], "the two armies are not set up yet"),
    ],
)
def test_a_set_up_that_is_not_whole_is_refused(moves, words):
    with pytest.raises(IllegalMove, match=words):
        set_up(*moves)


@rule("KB-8")
def test_an_army_named_again_starts_the_set_up_anew():
    state = set_up("army K G", "stand r2 x=0 y=-90 yaw=0 up=1", "army K C")
    assert state.set_ups[0] == SetUp(army="KC", entries=3)


@rule("KB-10")
def test_nobody_sees_the_others_set_up_before_both_are_ready():
    views, logs = [], []
    for army, key in (("K 4C 12G", "line"), ("K 2N F", "towers")):
        match = Match(GAME, {"start": 1}, None, Seal.derived("m", 2, "s"))
        match.begin()
        match.play(formation(1, army, key), 1)
        assert GAME.has_secrets(match.state)
        told = len(match.log) - GAME.untold(match.state, 2)
        logs.append([entry.move for entry in match.log[:told]])
        assert GAME.untold(match.state, 1) == 0
        assert GAME.untold(match.state, None) == GAME.untold(match.state, 2)
        known = GAME.concealed(match.state, 2, None)
        views.append([(GAME.view(s, eye), GAME.legal(s, 2)) for s in (match.state, known) for eye in (None, 2)])
        views[-1].append(known)
    assert msgspec.json.encode(views[0]) == msgspec.json.encode(views[1])
    assert logs == [[], []]


@rule("KB-10")
def test_set_ups_are_shown_when_both_are_ready_in_either_order():
    matches = []
    for order in ((1, 2), (2, 1)):
        match = Match(GAME, {"start": 1}, None, Seal.derived("m", 2, "s"))
        match.begin()
        for seat in order:
            assert match.to_move == tuple(s for s in (1, 2) if not match.state.set_ups[s - 1].ready)
            assert GAME.is_simultaneous(match.state)
            match.play(formation(seat), seat, after=0)  # what the other did meanwhile makes nobody late
        assert not GAME.has_secrets(match.state)
        assert not GAME.is_simultaneous(match.state)
        assert [GAME.untold(match.state, eye) for eye in (None, 1, 2)] == [0, 0, 0]
        matches.append(GAME.view(match.state, None))
    assert matches[0] == matches[1]
    assert len(matches[0]["bricks"]) == 34


@rule("KB-10")
def test_a_set_up_in_pieces_is_not_mixed_with_the_others():
    state = set_up("army K", seat=2)
    assert GAME.to_move(state) == (2,)
    state = GAME.play(state, 2, "stand b1 x=0 y=190 yaw=0 up=1").state
    assert [GAME.untold(state, eye) for eye in (None, 1, 2)] == [2, 2, 0]
    state = GAME.play(state, 2, "ready").state
    with pytest.raises(IllegalMove, match="it is seat 1's turn"):
        GAME.play(state, 2, "army K G")
    state = GAME.play(state, 1, "army K G").state
    assert [GAME.untold(state, eye) for eye in (None, 1, 2)] == [4, 4, 1]


@rule("KB-11")
def test_lots_decide_who_starts_a_first_match():
    starts = Counter()
    for n in range(200):
        match = Match(GAME, {}, None, Seal.derived(f"m{n}", 2, n))
        match.begin()
        starts[match.log[0].move] += 1
    assert set(starts) == {"start 1", "start 2"}
    assert min(starts.values()) > 60
    assert begun("K", "K", start=2).to_move == (2,)


@rule("KB-11")
def test_the_loser_starts_a_rematch():
    """For which the two change places: who sat in seat 2 and lost is in seat 1 now, and begins."""
    agreed = GAME.agree({"start": 1})
    for loser in (1, 2):
        state = flicked(position(mover=1), "r1", fell="r1" if loser == 1 else "b1")
        assert state.loser == loser
        assert GAME.agreed_again(agreed, state, GAME.outcome(state, frozenset()))["start"] == 3 - loser
        match = begun("K", "K")
        match.play("resign", loser)
        assert GAME.agreed_again(agreed, match.state, match.result)["start"] == 3 - loser
    level = position().in_turn(number=TURNS + 1)
    assert GAME.agreed_again(agreed, level, GAME.outcome(level, frozenset()))["start"] == "lot"


# A turn


@rule("KB-12")
def test_a_turn_is_one_action():
    state = position("r2 G 0 -100", "b2 G 0 100")
    assert asked(state) == (1, "turn")
    state = flicked(state, "r2", r2="20 -100")
    assert asked(state) == (2, "turn")
    state = placed(state, "b1", 10, 190)
    assert asked(state) == (1, "turn")
    assert GAME.view(state, None)["turn"] == 3


@rule("KB-12")
def test_only_the_seat_on_the_move_acts_and_only_when_nothing_is_measured():
    state = position("r2 G 0 -100")
    with pytest.raises(IllegalMove, match="it is seat 1's turn"):
        GAME.play(state, 2, flick("b1"))
    moving = play(state, flick("r2"))
    for seat in (1, 2):
        with pytest.raises(IllegalMove, match="nobody's turn"):
            GAME.play(moving, seat, flick("r1"))
    with pytest.raises(IllegalMove, match="the set-up is over"):
        GAME.play(state, 1, "ready")


@rule("KB-13")
def test_any_brick_of_the_own_army_is_flicked_wherever_it_lies():
    state = position("r2 G 0 -100", "r3 C 60 120", "r4 F hand", "r5 G out", "r6 N hidden", "b2 G 0 100")
    assert GAME.legal(state, 1)["flick"]["bricks"] == ["r1", "r2", "r3"]
    for name in ("r1", "r2", "r3"):
        assert play(state, flick(name)).moving.brick == name


@rule("KB-13")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("b2", "Guardian b2 is of the other army; flick one of King r1, Guardian r2"),
        ("r4", "Freeze r4 is not on the board"),
        ("r5", "Guardian r5 is not on the board"),
        ("r7", "Freeze r7 is never flicked"),
        ("r3", "Champion r3 is frozen; flick one of King r1, Guardian r2"),
        ("r9", "there is no brick r9; flick one of King r1, Guardian r2"),
    ],
)
def test_what_cannot_be_flicked_is_refused_with_what_can(name, words):
    lines = ("r2 G 0 -100", "r3 C 60 -60", "r4 F hand", "r5 G out", "b2 G 0 100")
    freezes = ("b3 F 60 -60 z=24", "r7 F 0 100 z=24")
    with pytest.raises(IllegalMove, match=words):
        play(position(*lines, *freezes), flick(name))


@rule("KB-13", "KB-30")
def test_there_is_no_passing_for_the_king_can_always_move():
    state = position("b2 F 0 -190 z=24")
    with pytest.raises(IllegalMove, match="there is no passing"):
        play(state, "end")
    assert GAME.legal(state, 1)["flick"]["bricks"] == ["r1"]
    assert GAME.legal(state, 1)["place"] == [{"brick": "r1", "why": "king", "where": "castle"}]


@rule("KB-14")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("speed=2", "speed=4.01"), "a speed of 4.01 m/s is not possible; it is from 0.05 to 4"),
        (("speed=2", "speed=0.04"), "a speed of 0.04 m/s"),
        (("height=0", "height=6.1"), "6.1 mm above the centre is not possible; the height is from -6 to 6"),
        (("side=0", "side=-7.1"), "-7.1 mm beside the centre is not possible; the side is from -7 to 7"),
        (("follow=8", "follow=5.9"), "a follow-through of 5.9 mm is not possible; it is from 6 to 40"),
    ],
)
def test_a_flick_has_limits(change, words):
    with pytest.raises(IllegalMove, match=words):
        play(position(), flick("r1").replace(*change))


@rule("KB-14")
def test_a_flick_is_read_to_a_tenth():
    for bad in ("dir=90.05", "speed=2.123", "height=x", "side=", "follow=1e1"):
        name = bad.split("=")[0]
        words = [word for word in flick("r1").split() if not word.startswith(name)]
        with pytest.raises(UnknownMove, match="it names a brick and how it is flicked"):
            play(position(), " ".join([*words, bad]))


@rule("KB-15")
def test_the_table_tells_of_every_brick_once():
    state = play(position("r2 G 0 -100", "b2 G 0 100"), flick("r2"))
    whole = msgspec.json.decode(rest(state).removeprefix("rest "))
    without, strange = dict(whole["poses"]), dict(whole["poses"])
    del without["b2"]
    strange["b7"] = strange["b2"]
    for poses, fell, touched in (
        (without, [], []),
        (strange, [], []),
        (whole["poses"], [["b2"]], []),
        (without, [["b2"], ["b2"]], []),
        (whole["poses"], [], ["b7"]),
    ):
        told = msgspec.json.encode({"poses": poses, "fell": fell, "touched": touched}).decode()
        with pytest.raises(IllegalMove, match=r"every brick that is measured must be told of once.*b[27]"):
            play(state, f"rest {told}")
    with pytest.raises(IllegalMove, match="nothing of that kind"):
        play(state, "roll r2 1")


# After a flick


@rule("KB-16")
def test_a_brick_that_leaves_the_board_is_out():
    state = flicked(position("r2 C 0 -100", "r3 G 60 -100", "b2 G 0 100", "b3 G 90 100"), "r2", fell="b2, r2")
    assert where(state, "r2", "r3", "b2", "b3") == ["out", "board", "out", "board"]
    assert GAME.legal(state, 2)["flick"]["bricks"] == ["b1", "b3"]


@rule("KB-16")
def test_an_overhanging_brick_is_still_on():
    state = flicked(position("r2 C 0 -100"), "r2", r2="204 -100")
    assert where(state, "r2") == ["board"]
    assert "r2" in GAME.legal(placed(state, "b1", 0, 190), 1)["flick"]["bricks"]


@rule("KB-17", "KB-49")
@pytest.mark.parametrize(("fell", "loser"), [("b1", 2), ("r1", 1), ("b1, r1", 2), ("r1, b1", 1), ("r2, r1 b1", 1)])
def test_whose_king_leaves_first_loses_and_the_flicker_if_both_do_at_once(fell, loser):
    state = flicked(position("r2 C 0 -100"), "r2", fell=fell)
    winner = 3 - loser
    result = GAME.outcome(state, frozenset())
    assert (result.winners, result.scores, result.reason) == (
        (winner,),
        (int(winner == 1), int(winner == 2)),
        "complete",
    )
    assert GAME.to_move(state) == ()
    assert GAME.chance(state, lambda weights: 0) is None


@rule("KB-17", "KB-28")
@pytest.mark.parametrize("fell", ["b1", "b1, r1", "r1, b1", "r1"])
def test_with_an_infraction_the_flicker_loses_whichever_king_leaves(fell):
    for mover, names in ((1, {}), (2, {"r": "b", "b": "r"})):
        swapped = "".join(names.get(letter, letter) for letter in fell)
        name = "r2" if mover == 1 else "b2"
        state = position("r2 C 0 -100", "b2 C 0 100", mover=mover)
        assert flicked(state, name, fell=swapped, push=20.1).loser == mover


@rule("KB-18")
def test_a_brick_on_the_line_is_at_home():
    """A Guardian with a sad face up, just touching the line, is not captured; a tenth of a millimetre on it is."""
    for y, taken in (("8", False), ("0", False), ("8.1", True)):
        state = flicked(position("r2 G 0 -100"), "r2", r2=f"0 {y} up=6")
        assert where(state, "r2") == ["rolling" if taken else "board"]
    for y, taken in (("-8", False), ("-8.1", True)):
        state = flicked(position("r2 G 90 -100", "b2 G 0 100"), "r2", b2=f"0 {y} up=6")
        assert where(state, "b2") == ["rolling" if taken else "board"]


@rule("KB-19")
def test_the_face_that_points_up_most_counts():
    state = play(position("r2 G 0 -100"), flick("r2"))
    for tilt, mood in ((40, "happy"), (50, "sad")):  # from face 1 up towards face 5 up, about the y axis
        turn = [0.0, sin(radians(tilt) / 2), 0.0, cos(radians(tilt) / 2)]
        told = msgspec.json.decode(rest(state).removeprefix("rest "))
        told["poses"]["r2"] = [0.0, 100.0, 11.0, *turn]
        after = play(state, f"rest {msgspec.json.encode(told).decode()}")
        assert where(after, "r2") == ["board" if mood == "happy" else "rolling"]


@rule("KB-19")
def test_at_home_the_face_does_not_matter():
    state = flicked(position("r2 G 0 -100"), "r2", r2="50 -100 up=6")
    assert where(state, "r2") == ["board"]


@rule("KB-20")
def test_sad_bricks_of_either_army_are_captured_in_the_others_territory():
    state = position("r2 G 0 -100", "r3 C 30 50 up=2", "b2 G 60 -50 up=1", "b3 G 80 -60 up=2")
    state = flicked(state, "r2", r2="0 100 up=3", r3="30 60 up=5", b2="60 -50 up=3")
    assert where(state, "r2", "r3", "b2", "b3") == ["rolling", "board", "rolling", "board"]
    assert state.moving is not None, "what is left settles"


@rule("KB-21")
def test_every_face_of_a_release_roll_is_equally_likely():
    state = rested(flicked(position("r2 G 0 -100"), "r2", r2="0 100 up=3"))
    asked_for = []
    move = GAME.chance(state, lambda weights: asked_for.append(tuple(weights)) or 3)
    assert move == "roll r2 4"
    assert asked_for == [(1,) * 6]


@rule("KB-21")
def test_happy_it_escapes_to_its_castle_sad_it_is_defeated():
    state = rested(flicked(position("r2 G 0 -100", "b2 G 0 120"), "r2", r2="0 100 up=3"))
    assert GAME.to_move(state) == ()
    for face in (1, 2):
        escaped = play(state, f"roll r2 {face}")
        assert asked(escaped) == (1, "place", "r2")
        assert GAME.legal(escaped, 1) == {"place": [{"brick": "r2", "why": "escaped", "where": "castle"}]}
        escaped = placed(escaped, "r2", 30, -200)
        assert where(escaped, "r2") == ["board"]
        assert asked(escaped) == (2, "turn")
    for face in (3, 4, 5, 6):
        defeated = play(state, f"roll r2 {face}")
        assert where(defeated, "r2") == ["out"]
        assert asked(defeated) == (2, "turn")


@rule("KB-21")
def test_a_brick_that_escaped_must_be_placed_first():
    state = play(rested(flicked(position("r2 G 0 -100"), "r2", r2="0 100 up=3")), "roll r2 1")
    with pytest.raises(IllegalMove, match=r"Guardian r2 must be placed first.*x from -50 to 50, y from -240 to -140"):
        play(state, "place r1 x=0 y=-200 yaw=0 up=1")
    with pytest.raises(IllegalMove, match="Guardian r2 must be in its castle"):
        play(state, "place r2 x=0 y=100 yaw=0 up=1")


@rule("KB-51")
def test_a_tower_over_a_captured_brick_comes_down_before_anything_is_rolled():
    """b2 stands on r2, which is captured: b2 falls to the board; r3 that stood on b2 falls beyond the line, sad."""
    state = position("r2 G 0 -100", "b2 G 0 20 z=24", "r3 G 0 4 z=40 up=6")
    state = flicked(state, "r2", r2="0 20 up=6")
    assert where(state, "r2", "b2", "r3") == ["rolling", "board", "board"]
    assert [roll.brick for roll in state.rolls] == ["r2"]
    state = rested(state, b2="0 20", r3="0 40 up=6")
    assert where(state, "r3") == ["rolling"]
    assert GAME.chance(state, lambda weights: 0).startswith("rest "), "once more, for r3 was lifted"
    state = rested(state, b2="0 20")
    assert [roll.brick for roll in state.rolls] == ["r2", "r3"]
    state = play(state, "roll r2 6", "roll r3 6")
    assert asked(state) == (2, "turn")


@rule("KB-51")
def test_what_falls_while_the_rest_settles_is_defeated_and_a_king_loses():
    state = flicked(position("r2 G 0 -100", "b2 G 190 40 z=24"), "r2", r2="190 40 up=6")
    assert where(rested(state, fell="b2"), "b2") == ["out"]
    assert rested(state, fell="b1").loser == 2
    assert rested(state, fell="r1 b1").loser == 1, "in the same step the mover loses"


@rule("KB-51")
def test_rolls_go_by_mover_and_number_and_every_escaped_brick_is_placed_before_the_next():
    lines = ("r2 G 0 -100", "r10 G 40 50 up=1", "b2 G 60 -50 up=1", "b3 G 90 -50 up=1")
    state = position(*lines, mover=2)
    state = rested(flicked(state, "b2", r2="0 50 up=3", r10="40 50 up=3", b2="60 -50 up=3", b3="90 -50 up=3"))
    assert [roll.brick for roll in state.rolls] == ["b2", "b3", "r2", "r10"]
    with pytest.raises(IllegalMove, match="the release roll of Guardian b2 is due"):
        play(state, "roll b3 1")
    state = play(state, "roll b2 1")
    assert asked(state) == (2, "place", "b2")
    assert GAME.chance(state, lambda weights: 0) is None
    state = play(placed(state, "b2", 0, 150), "roll b3 4", "roll r2 2")
    assert asked(state) == (1, "place", "r2")
    state = play(placed(state, "r2", 30, -150), "roll r10 6")
    assert asked(state) == (1, "turn")


@rule("KB-51")
def test_restored_bricks_are_placed_before_release_rolls():
    state = position("r2 G 0 -100", "r3 G 40 50", "b2 G 0 100", "b3 G 90 100")
    state = flicked(state, "r2", fell="b3, b2", push=30, r3="40 60 up=6")
    state = rested(state)
    assert [owed.brick for owed in state.placements] == ["b2", "b3"]
    assert asked(state) == (2, "place", "b2")
    state = placed(placed(state, "b2", 30, 200), "b3", -30, 200)
    assert GAME.chance(state, lambda weights: 0) == "roll r3 1"


# Infractions


@rule("KB-23", "KB-25")
def test_a_finger_that_touches_more_than_its_brick_is_an_infraction():
    state = position("r2 G 0 -100", "r3 G 16 -100", "b2 G 0 100")
    for touched in ("r2 r3", "r2 b2", "r3"):
        after = flicked(state, "r2", touched=touched)
        assert GAME.view(after, None)["flicks"] == 2, touched
    for touched in ("r2", ""):
        assert GAME.view(flicked(state, "r2", touched=touched), None)["flicks"] == 1
    with pytest.raises(UnknownMove):
        play(state, "misflick")


@rule("KB-24", "KB-25")
def test_a_push_of_more_than_20_mm_is_an_infraction():
    state = position("r2 G 0 -100")
    assert GAME.view(flicked(state, "r2", push=20.0), None)["flicks"] == 1
    assert GAME.view(flicked(state, "r2", push=20.01), None)["flicks"] == 2


@rule("KB-26")
def test_an_infraction_gives_the_opponents_bricks_back_and_no_others():
    """b2 fell, b3 is captured: both come back without a roll. b4, a Freeze, does not; nor does the offender's r3."""
    lines = ("r2 G 0 -100", "r3 G 100 100", "b2 G 0 100", "b3 G 60 -50", "b4 F 0 -84 z=24", "r4 G 0 -84")
    state = flicked(position(*lines), "r2", fell="b2, r3, b4", touched="r2 r4", b3="60 -60 up=6")
    state = rested(state)
    assert where(state, "b2", "b3", "b4", "r3") == ["hand", "hand", "out", "out"]
    assert asked(state) == (2, "place", "b2")
    assert GAME.legal(state, 2)["place"][0]["why"] == "restored"
    with pytest.raises(IllegalMove, match="y from 140 to 240"):
        play(state, "place b2 x=0 y=-190 yaw=0 up=1")
    state = placed(placed(state, "b2", 30, 200), "b3", -30, 200)
    assert where(state, "b2", "b3") == ["board", "board"]
    assert asked(state) == (2, "turn")


@rule("KB-26")
def test_what_falls_later_by_the_same_infraction_comes_back_too():
    state = flicked(position("r2 G 0 -100", "b2 G 60 -50", "b3 G 60 -50 z=24"), "r2", push=30, b2="60 -50 up=6")
    state = rested(state, fell="b3")
    assert [owed.brick for owed in state.placements] == ["b2", "b3"]
    assert not state.rolls


@rule("KB-26")
def test_the_army_as_it_stood_before_the_flick_decides_what_comes_back():
    """A red Mercenary that had deserted to blue comes back to blue's castle; blue's, deserted to red, does not."""
    lines = ("r2 G 0 -100", "r3 M 0 100 up=6", "b2 M 0 -60 up=6")
    state = flicked(position(*lines), "r2", fell="r3, b2", push=30)
    assert where(state, "r3", "b2") == ["hand", "out"]
    assert asked(state) == (2, "place", "r3")
    state = placed(state, "r3", 30, 200, up=6)
    assert "r3" in GAME.legal(state, 2)["flick"]["bricks"]


@rule("KB-27")
def test_the_opponent_has_one_more_flick_in_the_next_turn_with_any_brick():
    state = flicked(position("r2 G 0 -100", "b2 G 0 100"), "r2", push=30, touched="r2 b2")
    assert GAME.view(state, None)["flicks"] == 2, "however many infractions were in it"
    state = flicked(state, "b2", b2="0 90")
    assert asked(state) == (2, "turn")
    assert GAME.view(state, None)["flicks"] == 1
    state = flicked(state, "b2", b2="0 80")
    assert asked(state) == (1, "turn")
    assert GAME.view(state, None)["flicks"] == 1


@rule("KB-27")
def test_every_flick_with_an_infraction_gives_one():
    state = flicked(position("r2 G 0 -100", "b2 G 0 100"), "r2", push=30)
    state = flicked(flicked(state, "b2", push=30), "b2", push=30)
    assert asked(state) == (1, "turn")
    assert GAME.view(state, None)["flicks"] == 3


@rule("KB-27")
def test_a_king_move_ends_the_turn_and_unused_flicks_lapse():
    state = flicked(position("r2 G 0 -100", "b2 G 0 100"), "r2", push=30)
    assert asked(placed(state, "b1", 10, 190)) == (1, "turn")
    after_one = flicked(state, "b2", b2="0 90")
    assert GAME.legal(after_one, 2)["end"] is True
    for last in (lambda s: play(s, "end"), lambda s: placed(s, "b1", 10, 190)):
        after = last(after_one)
        assert asked(after) == (1, "turn")
        assert GAME.view(after, None)["flicks"] == 1


@rule("KB-27")
def test_each_flick_is_resolved_whole_before_the_next():
    state = flicked(position("r2 G 0 -100", "b2 G 0 100", "b3 G 50 100"), "r2", push=30)
    state = flicked(state, "b2", b2="0 -50 up=6")
    assert GAME.to_move(state) == ()
    state = play(rested(state), "roll b2 1")
    assert asked(state) == (2, "place", "b2")
    state = placed(state, "b2", 30, 200)
    assert asked(state) == (2, "turn")
    assert GAME.view(state, None)["flicks"] == 1


# King and end


@rule("KB-29")
def test_a_king_is_never_captured():
    for up in range(1, 7):
        state = flicked(position(), "r1", r1=f"0 100 up={up}", b1=f"0 -100 up={up}")
        assert where(state, "r1", "b1") == ["board", "board"]
        assert asked(state) == (2, "turn")


@rule("KB-30")
def test_the_king_move_brings_the_king_home_from_anywhere():
    state = position("r1 K 150 250", "r2 G 0 -100")
    state = placed(state, "r1", -20, -160)
    assert state.poses["r1"][:2] == (-20.0, -160.0)
    assert asked(state) == (2, "turn")
    with pytest.raises(IllegalMove, match=r"King b1 must be in its castle.*y from 140 to 240"):
        play(state, "place b1 x=0 y=-190 yaw=0 up=1")
    with pytest.raises(IllegalMove, match="r2 cannot be placed now; these can: King b1"):
        play(state, "place r2 x=0 y=190 yaw=0 up=1")


@rule("KB-30", "KB-51")
def test_what_stood_on_the_king_comes_down():
    state = play(position("r1 K 180 -190", "b2 G 180 -190 z=24 up=6"), "place r1 x=0 y=-190 yaw=0 up=1")
    state = rested(state, b2="180 -190 up=6")  # where it lies sad in red's territory
    assert where(state, "b2") == ["rolling"]
    assert GAME.chance(rested(state), lambda weights: 0) == "roll b2 1"


@rule("KB-49")
def test_a_player_may_resign():
    match = begun("K", "K")
    match.play("resign", 2)
    assert (match.result.winners, match.result.scores, match.result.reason) == ((1,), (1, 0), "resigned")


@rule("KB-50")
def test_after_200_turns_the_match_is_a_draw():
    state = position(mover=2)
    state = state.in_turn(number=TURNS)
    assert GAME.outcome(state, frozenset()) is None
    state = placed(state, "b1", 10, 190)
    result = GAME.outcome(state, frozenset())
    assert (result.winners, result.scores, result.reason) == ((), (0, 0), "limit")
    assert GAME.to_move(state) == ()
    assert GAME.view(state, None)["turn"] == TURNS
