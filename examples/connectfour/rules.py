"""The rules of Connect Four, rules.md: the smallest complete game, to be copied.

A player's discs are the bits of one number: seven columns of six cells, each column with a guard cell on top, so that
a line never runs from one column into the next.
"""

import numpy as np

from ludoteca.core.compiler import compiled
from ludoteca.core.kernel import OVER

SEATS = 2
COLUMNS, ROWS = 7, 6
MAX_MOVES = MAX_COUNT = COLUMNS  # a move is a column
HIDDEN = False
NOBODY = -1

Options = np.dtype([("players", np.int32)], align=True)
State = np.dtype(
    [
        ("stones", np.uint64, SEATS),  # the discs of each player, as bits
        ("height", np.int8, COLUMNS + 1),  # discs in each column; one more, so that the size is even
        ("turn", np.int32),  # number of discs on the board
        ("winner", np.int32),  # a seat, or NOBODY
        ("players", np.int32),
    ],
    align=True,
)
ONE = np.uint64(1)
STEPS = (np.uint64(1), np.uint64(6), np.uint64(7), np.uint64(8))  # up, the two diagonals, across


@compiled
def start(state, options):
    state.stones[:] = 0
    state.height[:] = 0
    state.turn = 0
    state.winner = NOBODY
    state.players = SEATS


@compiled
def actor(state):
    """CF-2: return the seat to move: in turn, from the first player on."""
    return OVER if state.winner >= 0 or state.turn == COLUMNS * ROWS else state.turn & 1


@compiled
def count(state):
    """CF-3: return the number of columns that are not full."""
    open_columns = 0
    if state.winner < 0:
        for column in range(COLUMNS):
            open_columns += state.height[column] < ROWS
    return open_columns


@compiled
def move_at(state, k):
    for column in range(COLUMNS):
        if state.height[column] < ROWS:
            if k == 0:
                return column
            k -= 1
    return -1


@compiled
def play(state, column):
    mover = state.turn & 1
    state.stones[mover] |= ONE << np.uint64((ROWS + 1) * column + state.height[column])
    state.height[column] += 1
    state.turn += 1
    if has_four(state.stones[mover]):
        state.winner = mover


@compiled
def has_four(stones):
    """CF-4: return whether four discs stand in a line."""
    for step in STEPS:
        pairs = stones & (stones >> step)
        if pairs & (pairs >> (step + step)):
            return True
    return False


@compiled
def winners(state, out):
    """CF-4, CF-5: return the winner as a bit; 0 where the board is full."""
    return 0 if state.winner < 0 or out >> state.winner & 1 else 1 << state.winner
