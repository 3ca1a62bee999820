"""A win within one's own turn is certain, with what one can know; nothing else is."""

import pytest
from tictacmatch_board import GAME, PLAIN, position

from ludoteca.search.judge import judge
from ludoteca.search.own_turn import wins_alone

LIMIT = 2000
GRID = "OR .. ..  .. .. ..  .. .. .."  # the dealer, seat 2, has X


def test_a_double_play_that_completes_a_line_is_a_certain_win():
    state = position(GRID, "D OR OR XB", PLAIN)
    judged = judge(GAME, state, 1)
    assert (judged.best.move, judged.best.chance, judged.best.error) == ("D", 1.0, 0.0)
    assert judged.chances == (1.0, 0.0)
    half = judge(GAME, GAME.play(state, 1, "D").state, 1)
    assert half.best.chance == 1.0


@pytest.mark.parametrize("hand", ["D OR XB XB", "D XR XR XB"], ids=["one card too few", "the other's line"])
def test_a_double_play_that_completes_none_is_not(hand):
    state = position(GRID, hand, PLAIN)
    assert not wins_alone(GAME, [state], 1, GAME.parse(state, "D"), LIMIT)
    assert judge(GAME, state, 1, ["D"]).of("D").chance < 1


def test_a_win_counts_only_if_every_deal_allows_it():
    state, other = position(GRID, "D OR OR XB", PLAIN), position(".. .. ..  .. .. ..  .. .. ..", "D OR OR XB", PLAIN)
    move = GAME.parse(state, "D")
    assert wins_alone(GAME, [state, state], 1, move, LIMIT)
    assert not wins_alone(GAME, [state], 1, move, 2)
    assert not wins_alone(GAME, [state, other], 1, move, LIMIT)
