"""What the empty holes of Pin Point offer: the points that a pin of each colour would score there."""

import numpy as np

from ludoteca.core.compiler import compiled, inlined
from ludoteca.games.pinpoint.rules import CELL, COLOURS, DIRECTIONS, best_figure


@inlined
def colours_near(board, cell):
    """Return what the holes around a cell have, as bits."""
    near = 0
    for step in DIRECTIONS:
        near |= 1 << board[cell + step] | 1 << board[cell - step]
    return near


@inlined
def points_at(board, cell, colour, near):
    """Return what a pin would score in an empty cell. A figure of several pins has one of them beside the cell."""
    if not near >> colour + 1 & 1:
        return 1
    board[cell] = colour + 1
    figure, _ = best_figure(board, int(cell), colour + 1)
    board[cell] = 0
    return figure & 15


@compiled
def promised(state):
    """Return the points of the best pins of all colours in hand."""
    best = np.zeros(COLOURS, np.int64)
    for i in range(state.n_empty):
        cell = CELL[state.empties[i]]
        near = colours_near(state.board, cell)
        for colour in range(COLOURS):
            if state.hand >> colour & 1:
                best[colour] = max(best[colour], points_at(state.board, cell, colour, near))
    return best.sum()
