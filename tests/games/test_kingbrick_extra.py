"""The rules of KingBrick's extra bricks: Blink, Knight, Ghost, Medic."""

import pytest
from kingbrick_board import asked, flick, flicked, offered_places, placed, play, position, rested, where

from ludoteca.core.errors import IllegalMove
from ludoteca.games.kingbrick.game import GAME

rule = pytest.mark.rule


def with_extra(*lines, **turn):
    return position(*lines, extra=True, **turn)


@rule("KB-45", "KB-12")
def test_a_blink_is_placed_anywhere_at_home_instead_of_a_flick():
    state = with_extra("r2 B 100 150", "r3 G 0 -100", "b2 F 100 150 z=24")
    assert ("r2", "blink", "own") in offered_places(state, 1)
    for spot in ("x=0 y=8", "x=-192 y=-292", "x=16.1 y=-100"):
        blinked = rested(play(state, f"place r2 {spot} yaw=0 up=6"), b2="100 150")
        assert where(blinked, "r2", "b2") == ["board", "out"], "the Freeze that lay on it is left with nothing"
        assert asked(rested(blinked)) == (2, "turn")


@rule("KB-45")
@pytest.mark.parametrize(
    ("spot", "words"),
    [
        ("x=0 y=8.1", "Blink r2 blinks to a spot in its own territory"),
        ("x=201 y=-100", "its own territory"),
        ("x=0 y=-301", "its own territory"),
        ("x=16 y=-100", "Blink r2 must touch no brick and would touch Guardian r3"),
    ],
)
def test_a_blink_elsewhere_is_refused(spot, words):
    with pytest.raises(IllegalMove, match=words):
        play(with_extra("r2 B 100 150", "r3 G 0 -100"), f"place r2 {spot} yaw=0 up=1")


@rule("KB-45")
def test_a_blink_may_be_set_down_where_it_lay_itself():
    state = with_extra("r2 B 100 -150", "r3 G 0 -100")
    assert asked(placed(state, "r2", 104, -150)) == (2, "turn")


@rule("KB-45", "KB-51")
def test_a_blink_may_be_taken_from_under_something():
    state = play(with_extra("r2 B 100 150", "r3 G 100 150 z=24 up=6"), "place r2 x=0 y=-100 yaw=0 up=1")
    state = rested(state, r3="100 150 up=6")
    assert where(state, "r2", "r3") == ["board", "rolling"]


@rule("KB-46")
def test_a_knight_that_rests_at_home_may_be_flicked_once_more():
    state = flicked(with_extra("r2 H 0 -100", "r3 G 60 -100"), "r2", r2="0 -60")
    assert asked(state) == (1, "finish")
    assert GAME.legal(state, 1)["flick"]["bricks"] == ["r2"]
    assert GAME.legal(state, 1)["end"] is True
    with pytest.raises(IllegalMove, match="the action of this turn is done; what may still act: Knight r2"):
        play(state, flick("r3"))
    with pytest.raises(IllegalMove, match="the action of this turn is done"):
        play(state, "place r1 x=0 y=-190 yaw=0 up=1")
    assert asked(play(state, "end")) == (2, "turn")
    again = flicked(state, "r2", r2="0 -20")
    assert asked(again) == (2, "turn"), "once"


@rule("KB-46")
def test_no_second_flick_after_an_infraction_or_away_or_off_the_board_or_frozen():
    state = with_extra("r2 H 0 -100", "b2 G 60 100")
    assert asked(flicked(state, "r2", r2="0 -60", push=30)) == (2, "turn")
    assert asked(flicked(state, "r2", r2="0 60")) == (2, "turn")
    assert asked(flicked(state, "r2", fell="r2")) == (2, "turn")
    assert asked(flicked(state, "r2", r2="0 8")) == (1, "finish"), "on the line is at home"
    lies_below = flicked(
        with_extra("r2 H 0 -100", "r3 G 50 -100", "b2 F 50 -100 z=24"), "r2", b2="0 -60 z=24", r2="0 -60"
    )
    assert asked(lies_below) == (2, "turn")


@rule("KB-46", "KB-27")
def test_the_second_flick_of_a_knight_costs_no_additional_one():
    state = flicked(with_extra("r2 H 0 -100", flicks=2), "r2", r2="0 -60")
    state = flicked(state, "r2", r2="0 -20")
    assert GAME.view(state, 1)["flicks"] == 1
    assert asked(state) == (1, "turn")
    other_first = flicked(flicked(with_extra("r2 H 0 -100", flicks=2), "r2", r2="0 -60"), "r1")
    assert asked(other_first) == (2, "turn"), "it comes at once or not at all"


@rule("KB-46", "KB-27")
def test_whatever_else_is_done_first_the_second_flick_of_a_knight_lapses():
    lines = ("r2 H 0 -100", "r3 D 60 -100", "r4 G out", "r5 N 100 100", "r6 A 40 190", "b2 G 0 100")
    state = flicked(with_extra(*lines, flicks=2), "r2", r2="0 -60")
    done = (
        placed(state, "r1", 20, -190),
        play(rested(play(state, "heal r3 r4")), "roll r4 6"),
        rested(play(state, "hide r5")),
        placed(rested(play(state, "strike r6 b2")), "r6", 30, -190),
    )
    for after in done:
        assert asked(after) in ((1, "finish"), (2, "turn"))
        assert "flick" not in GAME.legal(after, 1)
        if asked(after) == (1, "finish"):
            with pytest.raises(IllegalMove, match="the action of this turn is done"):
                play(after, flick("r2"))


@rule("KB-46")
def test_a_turn_with_a_knight_ends_by_itself_after_a_king_move():
    state = flicked(with_extra("r2 H 0 -100", flicks=2), "r2", r2="0 -60")
    assert asked(placed(state, "r1", 20, -190)) == (2, "turn")


@rule("KB-47")
def test_a_ghost_that_leaves_the_board_or_is_struck_makes_one_release_roll():
    fell = flicked(with_extra("r2 O 0 -100", "r3 G 0 -60"), "r2", fell="r2 r3")
    assert where(fell, "r2", "r3") == ["rolling", "out"]
    back = play(fell, "roll r2 5")
    assert asked(back) == (1, "place", "r2")
    assert GAME.legal(back, 1)["place"][0]["why"] == "returned"
    assert asked(placed(back, "r2", 0, -150)) == (2, "turn")
    assert where(play(fell, "roll r2 6"), "r2") == ["out"]
    struck = rested(play(flicked(with_extra("r2 A 40 190", "b2 O 0 100"), "r1"), "strike r2 b2"))
    struck = placed(struck, "r2", 0, -150)
    assert GAME.chance(struck, lambda weights: 0) == "roll b2 1"


@rule("KB-47")
def test_a_failed_release_roll_is_final():
    state = rested(flicked(with_extra("r2 O 0 -100"), "r2", r2="0 100 up=6"))
    state = play(state, "roll r2 6")
    assert where(state, "r2") == ["out"]
    assert asked(state) == (2, "turn")


@rule("KB-47", "KB-26")
def test_a_ghost_that_an_infraction_gives_back_does_not_roll():
    state = flicked(with_extra("r2 G 0 -100", "b2 O 0 100"), "r2", fell="b2", push=30)
    assert asked(state) == (2, "place", "b2")
    assert not state.rolls


HURT = ("r2 D 0 -100", "r3 C out", "r4 G out", "r5 G out", "r6 M out", "r7 F out", "r8 D out", "b2 G out")


@rule("KB-48", "KB-12")
def test_a_medic_leaves_for_good_and_defeated_bricks_roll():
    state = with_extra(*HURT)
    assert GAME.legal(state, 1)["heal"] == [
        {
            "medic": "r2",
            "points": 6,
            "bricks": [
                {"name": "r3", "cost": 5},
                {"name": "r4", "cost": 2},
                {"name": "r5", "cost": 2},
                {"name": "r6", "cost": 3},
                {"name": "r8", "cost": 2},
            ],
        }
    ]
    state = play(state, "heal r2 r8 r4 r5")
    assert where(state, "r2", "r4", "r5", "r8") == ["out", "rolling", "rolling", "rolling"]
    state = play(rested(state), "roll r4 1")
    assert asked(state) == (1, "place", "r4")
    state = play(placed(state, "r4", 30, -190), "roll r5 3", "roll r8 6")
    assert where(state, "r4", "r5", "r8") == ["board", "out", "out"]
    assert asked(state) == (2, "turn")


@rule("KB-27", "KB-33", "KB-45", "KB-48")
def test_a_reveal_a_blink_and_a_healing_end_the_turn_and_unused_flicks_lapse():
    state = with_extra("r2 D 0 -100", "r3 G out", "r4 B 60 -100", "r5 N hidden", flicks=3)
    healed = play(rested(play(state, "heal r2 r3")), "roll r3 6")
    for after in (placed(state, "r5", 100, 100), placed(state, "r4", -60, -100), healed):
        assert asked(after) == (2, "turn")
        assert GAME.view(after, None)["flicks"] == 1


@rule("KB-48")
def test_grey_counts_as_sad_in_a_healing():
    state = rested(play(with_extra(*HURT), "heal r2 r6"))
    assert where(play(state, "roll r6 5"), "r6") == ["out"]
    assert asked(play(state, "roll r6 4")) == (1, "place", "r6")


@rule("KB-48")
@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("heal r2 r3 r4", "these are worth 7 points; a Medic heals up to 6"),
        ("heal r2 r4 r4", "r4 cannot be healed; these can, each once: Champion r3"),
        ("heal r2 r7", "r7 cannot be healed"),
        ("heal r2 b2", "b2 cannot be healed"),
        ("heal r2 r1", "r1 cannot be healed"),
        ("heal r8 r3", "r8 is not a Medic of yours on the board; these are: Medic r2"),
        ("heal r1 r3", "r1 is not a Medic"),
    ],
)
def test_what_a_medic_cannot_do_is_refused(move, words):
    with pytest.raises(IllegalMove, match=words):
        play(with_extra(*HURT), move)


@rule("KB-48")
def test_a_hidden_ninja_is_not_defeated_and_not_healed():
    state = with_extra("r2 D 0 -100", "r3 G out", "r4 N hidden")
    assert [brick["name"] for brick in GAME.legal(state, 1)["heal"][0]["bricks"]] == ["r3"]
    with pytest.raises(IllegalMove, match="r4 cannot be healed"):
        play(state, "heal r2 r4")


@rule("KB-48", "KB-44")
def test_a_frozen_medic_heals():
    state = with_extra("r2 D 0 -100", "r3 G out", "b2 F 0 -100 z=24")
    assert "r2" not in GAME.legal(state, 1)["flick"]["bricks"]
    assert where(play(state, "heal r2 r3"), "r2", "r3") == ["out", "rolling"]


@rule("KB-48", "KB-12")
def test_a_medic_heals_instead_of_a_flick_and_not_after_it():
    state = flicked(with_extra("r2 D 0 -100", "r3 G out", "r4 N 100 100"), "r1")
    assert asked(state) == (1, "finish")
    assert "heal" not in GAME.legal(state, 1)
    with pytest.raises(IllegalMove, match="the action of this turn is done"):
        play(state, "heal r2 r3")


@rule("KB-48")
def test_a_medic_that_has_healed_is_not_healed():
    state = rested(play(with_extra("r2 D 0 -100", "r3 D 50 -100", "r4 G out"), "heal r2 r4"))
    state = placed(play(state, "roll r4 6"), "b1", 0, 190)
    assert [brick["name"] for brick in GAME.legal(state, 1)["heal"][0]["bricks"]] == ["r4"]
    with pytest.raises(IllegalMove, match="r2 cannot be healed"):
        play(state, "heal r3 r2")
