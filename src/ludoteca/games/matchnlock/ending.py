"""Help to prove endings of Match'n Lock!: which are short enough, and which positions are the same."""

import numpy as np

from ludoteca.core.compiler import compiled
from ludoteca.core.random import mixed
from ludoteca.games.matchnlock.circles import CELL, COLOURS, HOLES
from ludoteca.games.matchnlock.rules import DRAW_LOTS, NOTHING, SEATS

__all__ = ["exact_key", "is_ending"]

U = np.uint64
LAST_HOLES = 1


@compiled
def is_ending(state):
    """Return whether the next token is the last one."""
    return state.n_empty <= LAST_HOLES and state.phase != DRAW_LOTS


@compiled
def kind_of(state, token):
    """Return what is printed on a token, and its value: tokens of one kind are the same."""
    return U(int(state.printed[token]) << 8 | int(state.value[token]))


@compiled
def exact_key(state):
    """Return a number that is equal for positions with the same future.

    The order of the holes and of the bag does not matter, nor which of two equal tokens lies where. The bag has what is
    neither on the board nor in hand. A hole's lock is that of the circle to whose lower left it lies.
    """
    mark = U(0x9E3779B97F4A7C15)
    for hole in range(HOLES):
        cell = CELL[hole]
        lies = U(state.board[cell])
        if lies:
            mark = mixed(mark ^ (kind_of(state, state.token[hole]) << U(24) | lies << U(8) | U(state.lock[cell])))
        else:
            mark = mixed(mark)
    for colour in range(COLOURS):
        mark = mixed(mark ^ U(state.points[colour] * 256 + state.locks[colour]))
    for seat in range(SEATS):
        mark = mixed(mark ^ U((state.last_turn[seat] + 1) * 1024 + state.turn_before[seat] + 1))
    if state.in_hand != NOTHING:
        mark = mixed(mark ^ kind_of(state, state.in_hand))
    return mixed(mark ^ U(((state.target + 1) * 256 + state.idle) * 64 + state.seat * 8 + state.phase))
