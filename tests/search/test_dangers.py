"""What is wrong with a move where hands are hidden: an answer that many hands have and that wins at once."""

import pytest
from tictacmatch_board import GAME, position

from ludoteca.core.words import say
from ludoteca.search.dangers import danger_after

# Seat 1 is X. A blue X in the centre lets a blue O follow there, between two others.
DIAGONAL = "OB OY ..  .. XG XY  XB XY OB"


@pytest.fixture
def harmless():
    """A match in which the next player has no answer that wins."""
    return position(DIAGONAL, "XB XR OY D", "XY XG OG XR", symbol="O")


def test_an_answer_that_wins_in_many_hands_is_a_danger_although_the_player_does_not_hold_it(harmless):
    found = danger_after(GAME, harmless, 1, "XB b2")
    assert found is not None
    assert (found.seat, say(found.message)) == (2, "blue O on b2: three in a row, O wins")
    assert 0.1 < found.share < 0.6


def test_it_does_not_depend_on_what_the_others_hold(harmless):
    other = position(DIAGONAL, "XB XR OY D", "OB OB XG F", symbol="O")
    assert danger_after(GAME, other, 1, "XB b2") == danger_after(GAME, harmless, 1, "XB b2")


def test_a_move_without_such_an_answer_is_no_danger(harmless):
    assert danger_after(GAME, harmless, 1, "XR b2") is None
