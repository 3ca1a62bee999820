"""Tic-tac-toe on two nine-bit boards: a kernel to compare with other engines."""

import numpy as np

from ludoteca.core.compiler import compiled
from ludoteca.core.kernel import OVER

SEATS = 2
MAX_MOVES = MAX_COUNT = 9
HIDDEN = False
Options = np.dtype([("players", np.int32)], align=True)
State = np.dtype([("stones", np.int32, 2), ("turn", np.int32), ("winner", np.int32)], align=True)
LINES = (0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124)


@compiled
def start(state, options):
    state.stones[:] = 0
    state.turn = 0
    state.winner = -1


@compiled
def actor(state):
    return OVER if state.winner >= 0 or state.turn == 9 else state.turn & 1


@compiled
def count(state):
    return 9 - state.turn


@compiled
def move_at(state, k):
    taken = state.stones[0] | state.stones[1]
    for cell in range(9):
        if not taken >> cell & 1:
            if k == 0:
                return cell
            k -= 1
    return -1


@compiled
def play(state, cell):
    mover = state.turn & 1
    state.stones[mover] |= 1 << cell
    state.turn += 1
    for line in LINES:
        if state.stones[mover] & line == line:
            state.winner = mover


@compiled
def payoff(state, out):
    for seat in range(2):
        out[seat] = 0.0 if state.winner < 0 else 1.0 if seat == state.winner else -1.0
