"""A position of Connect Four as numbers: a plane for the discs of each player, the one who looks first."""

import numpy as np

from ludoteca.core.compiler import compiled
from ludoteca.core.tensors import Symmetry, gathered
from ludoteca.games.connectfour.rules import COLUMNS, MAX_MOVES, ONE, ROWS, SEATS

VERSION = 0
PLANES = ("my discs", "the other's discs", "my turn", "board")
SHAPE = (len(PLANES), ROWS, COLUMNS)
HIGHEST = 1.0
OUTCOMES = 0
LONGEST = ROWS * COLUMNS


@compiled
def encode(state, seat, out):
    for k in range(SEATS):
        stones = state.stones[seat ^ k]
        for column in range(COLUMNS):
            for row in range(ROWS):
                out[k, row, column] = stones >> np.uint64((ROWS + 1) * column + row) & ONE
    out[SEATS] = state.winner < 0 and state.turn < COLUMNS * ROWS and state.turn & 1 == seat
    out[SEATS + 1] = 1.0


@compiled
def mask(state, out):
    for column in range(COLUMNS):
        out[column] = state.height[column] < ROWS


def symmetries(players):
    """Left and right may be exchanged."""
    columns = np.arange(COLUMNS)[::-1]
    cells = np.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS)[:, ::-1].ravel()
    assert len(columns) == MAX_MOVES
    yield Symmetry("left and right", gathered(range(len(PLANES)), cells), columns.copy())
