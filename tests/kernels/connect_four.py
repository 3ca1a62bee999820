"""Connect four on two bitboards, seven columns of six cells and a guard cell each: to compare with other engines."""

import numpy as np

from ludoteca.core.compiler import compiled
from ludoteca.core.kernel import OVER

SEATS = 2
MAX_MOVES = MAX_COUNT = 7
HIDDEN = False
Options = np.dtype([("players", np.int32)], align=True)
State = np.dtype(
    [("stones", np.uint64, 2), ("height", np.int8, 8), ("turn", np.int32), ("winner", np.int32)], align=True
)
ONE = np.uint64(1)
STEPS = (np.uint64(1), np.uint64(6), np.uint64(7), np.uint64(8))  # up, the two diagonals, across


@compiled
def start(state, options):
    state.stones[:] = 0
    state.height[:] = 0
    state.turn = 0
    state.winner = -1


@compiled
def has_four(stones):
    for step in STEPS:
        pairs = stones & (stones >> step)
        if pairs & (pairs >> (step + step)):
            return True
    return False


@compiled
def actor(state):
    return OVER if state.winner >= 0 or state.turn == 42 else state.turn & 1


@compiled
def count(state):
    open_columns = 0
    for column in range(7):
        open_columns += state.height[column] < 6
    return open_columns


@compiled
def move_at(state, k):
    for column in range(7):
        if state.height[column] < 6:
            if k == 0:
                return column
            k -= 1
    return -1


@compiled
def moves(state, out):
    n = count(state)
    for k in range(n):
        out[k] = move_at(state, k)
    return n


@compiled
def weight_at(state, k):
    return 1


@compiled
def play(state, column):
    mover = state.turn & 1
    state.stones[mover] |= ONE << np.uint64(7 * column + state.height[column])
    state.height[column] += 1
    state.turn += 1
    if has_four(state.stones[mover]):
        state.winner = mover


@compiled
def payoff(state, out):
    for seat in range(2):
        out[seat] = 0.0 if state.winner < 0 else 1.0 if seat == state.winner else -1.0


@compiled
def conceal(state, seat, rng):
    """Nothing is hidden."""
