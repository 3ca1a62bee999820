"""A tiny game with chance and hidden hands, to test the search under hidden information.

Each seat is dealt one of five cards. Seat 0 says whose card is higher. Seat 1 hears it and says so too. A seat that is
right wins.
"""

import numpy as np

from ludoteca.core.compiler import compiled
from ludoteca.core.kernel import CHANCE, OVER
from ludoteca.core.random import below

SEATS = 2
CARDS = 5
MAX_MOVES = 2  # 0: mine is higher, 1: yours is higher
MAX_COUNT = CARDS
HIDDEN = True
Options = np.dtype([("players", np.int32)], align=True)
State = np.dtype([("hand", np.int32, 2), ("said", np.int32, 2), ("turn", np.int32)], align=True)


@compiled
def start(state, options):
    state.hand[:] = -1
    state.said[:] = -1
    state.turn = 0


@compiled
def actor(state):
    return CHANCE if state.turn < 2 else OVER if state.turn == 4 else state.turn - 2


@compiled
def count(state):
    return CARDS - state.turn if state.turn < 2 else 2


@compiled
def move_at(state, k):
    if state.turn >= 2:
        return k
    card = k + 1 if state.turn == 1 and k >= state.hand[0] else k
    return MAX_MOVES + card


@compiled
def play(state, move):
    if state.turn < 2:
        state.hand[state.turn] = move - MAX_MOVES
    else:
        state.said[state.turn - 2] = move
    state.turn += 1


@compiled
def payoff(state, out):
    for seat in range(2):
        higher = state.hand[seat] > state.hand[1 - seat]
        out[seat] = 1.0 if (state.said[seat] == 0) == higher else -1.0


@compiled
def conceal(state, seat, rng):
    """Deal the other seat any card that is not the seat's own."""
    if state.turn >= 1 and seat == 1 and state.turn < 2:
        state.hand[0] = below(rng, CARDS)
    elif state.turn >= 2:
        card = below(rng, CARDS - 1)
        if card >= state.hand[seat]:
            card += 1
        state.hand[1 - seat] = card
