"""The informed search draws likely deals, tries likely moves first, and uses only what the seat may know."""

from types import SimpleNamespace

import numpy as np
import pytest
from kernels import connect_four, high_card

from ludoteca.core.binding import bind
from ludoteca.core.compiler import compiled
from ludoteca.core.errors import UnfinishedGame
from ludoteca.core.kernel import new_record
from ludoteca.core.random import generator
from ludoteca.search import bots, informed, tree
from ludoteca.search.learned import NO_WEIGHTS

pytestmark = pytest.mark.kernels
SIMULATIONS = 2000
MIDDLE = 2  # with this card, without more knowledge, nobody can say whose card is higher


@compiled
def equal_odds(state, out):
    out[:2] = 1.0
    return np.float32(2.0)


@compiled
def honest(state, seat, rng):
    """Return how likely the other seat was to say what it said, if with a high card it nearly always says so."""
    other = 1 - seat
    if state.said[other] < 0:
        return 1.0
    return 0.95 if (state.said[other] == 0) == (state.hand[other] > MIDDLE) else 0.05


@compiled
def deaf(state, seat, rng):
    """Return the same likelihood for all deals."""
    return 1.0


def position(*moves):
    state = new_record(high_card.State)
    high_card.start(state, new_record(high_card.Options))
    for move in moves:
        high_card.play(state, move)
    return state


def searched(state, likelihood, odds=equal_odds, exploration=1.0, weights=None, simulations=SIMULATIONS):
    also = {"odds": odds, "likelihood": likelihood, "MAX_MOVES": high_card.MAX_MOVES}
    if weights is not None:
        also |= {"LEARNS": True, "features": said_first, "MOST_FEATURES": 1}
    bound = bind(informed.FUNCTIONS, high_card, also)
    pool, nodes = np.zeros(201, high_card.State).view(np.recarray), tree.new_tree(high_card, SIMULATIONS + 1)
    seat, rng = high_card.actor(state), generator("informed")
    work = (simulations, np.float32(exploration), NO_WEIGHTS if weights is None else weights)
    used = bound.search_informed(state, pool[:1], pool[1:], nodes, *work, seat, rng)
    return bound.most_visited(nodes), nodes[:used].tobytes()


@pytest.mark.parametrize("said", [0, 1])
def test_it_believes_what_a_play_tells(said):
    """Seat 1 holds the middle card. If seat 0 said "mine is higher", then "yours is higher" is right for seat 1."""
    first = 4 if said == 0 else 0
    state = position(high_card.MAX_MOVES + first, high_card.MAX_MOVES + MIDDLE, said)
    assert searched(state, honest)[0] == 1 - said


def test_the_same_for_the_seat_gives_the_same_tree():
    """The hidden card does not matter, whatever it is."""
    worlds = [position(high_card.MAX_MOVES + card, high_card.MAX_MOVES + MIDDLE, 0) for card in (0, 1, 3, 4)]
    assert len({searched(world, honest) for world in worlds}) == 1


def test_deals_are_drawn_by_their_likelihood():
    also = {"odds": equal_odds, "likelihood": honest, "MAX_MOVES": high_card.MAX_MOVES}
    bound = bind(informed.FUNCTIONS, high_card, also)
    state = position(high_card.MAX_MOVES, high_card.MAX_MOVES + MIDDLE, 0)
    pool, sums, rng = np.zeros(401, high_card.State).view(np.recarray), np.zeros(400), generator("deals")
    bound.weigh_deals(state, pool[:1], pool[1:], sums, 1, rng)
    drawn = [int(pool[1 + bound.drawn_deal(sums, rng)].hand[0]) for _ in range(2000)]
    high = sum(card > MIDDLE for card in drawn) / len(drawn)
    assert 0.9 < high < 0.99
    assert set(drawn) == {0, 1, 3, 4}


@compiled
def lopsided_odds(state, out):
    out[0], out[1] = 1.0, 9.0
    return np.float32(10.0)


def test_likely_moves_are_tried_more_often():
    """Both moves are worth the same, and the search explores much: the visits follow the odds."""
    state = position(high_card.MAX_MOVES + MIDDLE, high_card.MAX_MOVES)
    assert searched(state, deaf, lopsided_odds, exploration=50.0)[0] == 1


@compiled
def said_first(state, seat, places, amounts):
    """Write one feature: whether seat 0 said that its card is higher, with a sign for the side."""
    places[0] = 0
    amounts[0] = (1.0 if state.said[0] == 0 else -1.0) * (1.0 if seat == 0 else -1.0)
    return 1


@pytest.mark.parametrize(("weight", "best"), [(2.0, 0), (-2.0, 1)])
def test_with_weights_it_believes_the_learned_value(weight, best):
    """Seat 0 holds the lowest card, and in a playout loses whenever it says that its card is higher.

    Three simulations look at both moves and no further; more would reach the end of the match.
    """
    state = position(high_card.MAX_MOVES, high_card.MAX_MOVES + MIDDLE)
    assert searched(state, deaf, simulations=3)[0] == 1
    assert searched(state, deaf, weights=np.array([weight], np.float32), simulations=3)[0] == best


def test_without_weights_it_plays_on_also_where_values_could_be_learned():
    state = position(high_card.MAX_MOVES, high_card.MAX_MOVES + MIDDLE)
    assert searched(state, deaf, weights=NO_WEIGHTS) == searched(state, deaf)


def test_what_is_missing_is_named():
    with pytest.raises(UnfinishedGame, match="no secrets"):
        bots.bound_informed(connect_four, SimpleNamespace(__file__="guide.py"))
    with pytest.raises(UnfinishedGame, match="no `odds`"):
        bots.bound_informed(high_card, SimpleNamespace(__file__="guide.py"))
