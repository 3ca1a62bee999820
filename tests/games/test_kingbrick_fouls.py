"""The rules of KingBrick's infractions: mis-flick and push-shot, what comes back and what the opponent gains."""

import pytest
from kingbrick_board import asked, flicked, placed, play, position, rested, where

from ludoteca.core.errors import IllegalMove, UnknownMove
from ludoteca.games.kingbrick.game import GAME

rule = pytest.mark.rule


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
