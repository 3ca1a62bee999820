"""What the lab counts in a match of Pin Point, in compiled code."""

from ludoteca.core.compiler import compiled, quotient
from ludoteca.core.tallies import Board, layout
from ludoteca.games.pinpoint.rules import (
    CELL,
    CROSS,
    HOLES,
    LINE,
    MANNERS,
    MAX_MOVES,
    SEATS,
    SINGLE,
    SIZE,
    SQUARE,
    TURN,
    best_figure,
    total,
    winners,
)

REASONS = ("complete",)
BOARD = Board(SIZE, SIZE, is_round=True, lines=(0, 3, 6, 9))
SOURCES = (
    "single pins",
    "lines of 2",
    "lines of 3",
    "lines of 4",
    "lines of 5",
    "lines of 6 or more",
    "squares",
    "squares inside",
    "crosses",
    "crosses on a crossing",
)
RULES = {
    "PP-9": "a pin scores as a single",
    "PP-10": "a pin scores as a line of 2 to 5",
    "PP-11": "a line of 6 or more is turned over",
    "PP-12": "a pin scores as a square",
    "PP-13": "a pin scores as a cross",
    "PP-15": "a line is turned over though another figure scores",
    "PP-17": "a joker is played",
}
N_SOURCES = len(SOURCES)
HEAT, POINTS, TIMES, FIRED, WIDTH = layout(SEATS, HOLES, N_SOURCES, len(RULES))
# The index of each of the RULES in a row.
SINGLES, LINES, LONG_LINES, SQUARES, CROSSES, LONG_LINES_BESIDE, JOKERS = range(FIRED, WIDTH)
FIRST_SQUARE, FIRST_CROSS = 6, 8  # indices in the sources


@compiled
def observe(before, move, after, who, row):
    """Add a move, or an outcome of chance, to the match's row. It may change the state before the move."""
    if move >= MAX_MOVES or before.phase != TURN:
        return
    what = quotient(move, HOLES)
    pin, manner = what // MANNERS, what % MANNERS
    hole = move - what * HOLES
    cell, colour = int(CELL[hole]), pin if manner == 0 else manner - 1
    before.board[cell] = colour + 1
    figure, turned = best_figure(before.board, cell, colour + 1)
    points, kind = figure & 15, figure >> 4 & 3
    row[HEAT + who * HOLES + hole] += 1
    source = 0
    if kind == LINE:
        source = min(points, 6) - 1
    elif kind == SQUARE:
        source = FIRST_SQUARE + (points == 8)
    elif kind == CROSS:
        source = FIRST_CROSS + (points == 10)
    row[POINTS + who * N_SOURCES + source] += points
    row[TIMES + who * N_SOURCES + source] += 1
    row[SINGLES] += kind == SINGLE
    row[LINES] += kind == LINE and points < 10
    row[LONG_LINES] += turned != 0
    row[SQUARES] += kind == SQUARE
    row[CROSSES] += kind == CROSS
    row[LONG_LINES_BESIDE] += turned != 0 and kind != LINE
    row[JOKERS] += manner > 0


@compiled
def result(state, scores):
    """Write every seat's score. Return the winners, as bits by seat, and the ending, as an index in REASONS."""
    for seat in range(state.players):
        scores[seat] = total(state, seat)
    return winners(state, 0), 0
