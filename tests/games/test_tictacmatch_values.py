"""What a position of Tic-Tac Match is worth: threats are those of the rules, and a win in hand is all that counts."""

import numpy as np
import pytest
from tictacmatch_board import PLAIN, play, position

from ludoteca.core.kernel import new_record
from ludoteca.games.tictacmatch import features as value
from ludoteca.games.tictacmatch.cards import FITS, SPACES, SYMBOL_KINDS, makes_line
from ludoteca.games.tictacmatch.rules import State
from ludoteca.games.tictacmatch.threats import ONE_CARD, completing, count_answers, in_any, in_any_after, with_any

TWO_RED_X = "XR XR ..  .. .. ..  .. .. .."
RED_X = 1  # the set of this kind


def lines(state):
    return np.uint64(completing(state, ONE_CARD))


def by_the_rules(state):
    """Return the set of the kinds that make a line somewhere."""
    return sum(
        1 << kind
        for kind in range(SYMBOL_KINDS)
        if any(FITS[kind, state.top[space]] and makes_line(state, kind, space) for space in range(SPACES))
    )


def test_threats_are_the_cards_that_make_a_line():
    numbers, found = np.random.default_rng(1), set()
    for _ in range(300):
        state = new_record(State)
        state.top[:] = numbers.integers(0, 4, SPACES)
        assert in_any(lines(state)) == by_the_rules(state)
        found.add(by_the_rules(state))
        kind, space = int(numbers.integers(SYMBOL_KINDS)), int(numbers.integers(SPACES))
        after = in_any_after(state, lines(state), kind, space)
        state.top[space] = kind + 1
        assert after == by_the_rules(state)
    assert len(found) > 4


def test_lines_are_counted_by_the_cards_that_complete_them():
    state = position("XR XR ..  .. .. ..  OB .. OB", PLAIN, PLAIN)
    assert with_any(lines(state), RED_X) == 1
    assert with_any(lines(state), 0xFF) == 2
    assert with_any(lines(state), 0xFF & ~RED_X) == 1


def test_answers_are_the_cards_after_which_the_threat_is_gone():
    """Red X fits neither on O in another colour nor on itself."""
    state = position(TWO_RED_X, "OB OB W W", "XR OY OG OG")
    assert count_answers(state, state.hand[0], lines(state), RED_X, 9) == 1  # blue O in the third space
    covering = position(TWO_RED_X, "XB XB W W", "XR OY OG OG")
    assert count_answers(covering, covering.hand[0], lines(covering), RED_X, 9) == 2  # blue X on either red one


def described(state, seat=0):
    places, amounts = np.zeros(value.MOST_FEATURES, np.int32), np.zeros(value.MOST_FEATURES, np.float32)
    n = value.features(state, seat, places, amounts)
    return dict(zip(places[:n].tolist(), amounts[:n].tolist(), strict=True))


@pytest.mark.parametrize("hand", ["XR XB OY OG", "XB XB D OG"], ids=["a card", "a Double Play"])
def test_a_win_in_hand_is_all_that_counts(hand):
    state = position("XR XR ..  XB .. ..  .. .. ..", hand, PLAIN, dealer=1, symbol="X")
    assert described(state) == {value.WINS: 1.0}
    assert described(state, seat=1) == {value.WINS: -1.0}


def test_a_card_that_makes_a_line_for_the_others_is_no_win():
    state = position(TWO_RED_X, "XR XB OY OG", PLAIN, dealer=2, symbol="X")
    assert value.WINS not in described(state)
    with_double = position(TWO_RED_X, "XR F D OG", PLAIN, dealer=2, symbol="X")
    assert described(with_double) == {value.WINS: 1.0}
    assert described(play(with_double, "D")) == {value.WINS: 1.0}


def test_every_table_has_weights_of_its_own():
    for teams, table in ((True, 1), (False, 2)):
        state = position(TWO_RED_X, PLAIN, PLAIN, PLAIN, PLAIN, teams=teams)
        assert {place // value.TABLE for place in described(state)} == {table}
