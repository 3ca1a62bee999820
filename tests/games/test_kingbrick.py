"""The rules of KingBrick, one after the other: turns, what follows from a flick, the King, the end."""

from math import cos, radians, sin

import msgspec
import pytest
from kingbrick_board import asked, begun, flick, flicked, offered_places, placed, play, position, rest, rested, where

from ludoteca.core.errors import IllegalMove, UnknownMove
from ludoteca.games.kingbrick.game import GAME
from ludoteca.games.kingbrick.state import TURNS

rule = pytest.mark.rule

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
        with pytest.raises(IllegalMove, match="nobody can move now"):
            GAME.play(moving, seat, flick("r1"))
    with pytest.raises(IllegalMove, match="the set-up is over"):
        GAME.play(state, 1, "ready")


@rule("KB-13")
def test_any_brick_of_the_own_army_is_flicked_wherever_it_lies():
    state = position("r2 G 0 -100", "r3 C 60 120", "r4 F hand", "r5 G out", "r6 N hidden", "b2 G 0 100")
    assert GAME.legal(state, 1)["flick"]["bricks"] == ["r1", "r2", "r3"]
    for name in ("r1", "r2", "r3"):
        assert play(state, flick(name)).moving.aimed.brick == name


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
    assert offered_places(state, 1) == [("r1", "king", "castle")]
    later = placed(state, "r1", 10, -190)
    assert "end" not in GAME.legal(later, 2)
    with pytest.raises(IllegalMove, match="there is no passing"):
        play(later, "end")


@rule("KB-14")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("speed=2", "speed=2.51"), "a speed of 2.51 m/s is not possible; it is from 0.05 to 2.5"),
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


@rule("KB-17")
@pytest.mark.parametrize("fell", ["r1 b1", "b1 r1"])
@pytest.mark.parametrize("mover", [1, 2])
def test_if_both_kings_leave_in_one_step_the_flicker_loses_whichever_is_listed_first(fell, mover):
    state = position("r2 C 0 -100", "b2 C 0 100", mover=mover)
    assert flicked(state, "rb"[mover - 1] + "2", fell=fell).loser == mover


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
        assert list(GAME.legal(escaped, 1)) == ["place"]
        assert offered_places(escaped, 1) == [("r2", "escaped", "castle")]
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
def test_nothing_is_rolled_before_all_has_settled_and_every_escaped_brick_is_placed():
    state = flicked(position("r2 G 0 -100", "r3 G 40 50"), "r2", r2="0 50 up=3", r3="40 50 up=3")
    with pytest.raises(IllegalMove, match="nothing of that kind"):
        GAME.play(state, 0, "roll r2 1")
    state = play(rested(state), "roll r2 1")
    assert asked(state) == (1, "place", "r2")
    with pytest.raises(IllegalMove, match="nothing of that kind"):
        GAME.play(state, 0, "roll r3 1")
    state = play(state, "place r2 x=30 y=-190 yaw=0 up=1")
    with pytest.raises(IllegalMove, match="nothing of that kind"):
        GAME.play(state, 0, "roll r3 1")
    assert asked(play(rested(state), "roll r3 6")) == (2, "turn")


@rule("KB-51")
def test_restored_bricks_are_placed_before_release_rolls():
    state = position("r2 G 0 -100", "r3 G 40 50", "b2 G 0 100", "b3 G 90 100")
    state = flicked(state, "r2", fell="b3, b2", push=30, r3="40 60 up=6")
    state = rested(state)
    assert [owed.brick for owed in state.placements] == ["b2", "b3"]
    assert asked(state) == (2, "place", "b2")
    state = placed(placed(state, "b2", 30, 200), "b3", -30, 200)
    assert GAME.chance(state, lambda weights: 0) == "roll r3 1"


@rule("KB-51", "KB-26")
def test_restored_bricks_are_placed_by_their_numbers():
    state = position("r2 G 0 -100", "b2 G 0 100", "b9 G 90 100", "b10 G 120 100")
    state = flicked(state, "r2", fell="b10, b2 b9", push=30)
    assert [owed.brick for owed in state.placements] == ["b2", "b9", "b10"]


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
    assert TURNS == 200
    state = position(mover=2)
    state = state.in_turn(number=TURNS)
    assert GAME.outcome(state, frozenset()) is None
    state = placed(state, "b1", 10, 190)
    result = GAME.outcome(state, frozenset())
    assert (result.winners, result.scores, result.reason) == ((), (0, 0), "limit")
    assert GAME.to_move(state) == ()
    assert GAME.view(state, None)["turn"] == TURNS
