"""What the lab counts in a match of Match'n Lock!, in compiled code."""

from ludoteca.core.compiler import compiled
from ludoteca.core.tallies import Board, layout
from ludoteca.games.matchnlock.circles import COLOURS, HOLES, SIZE
from ludoteca.games.matchnlock.rules import (
    CLOCKWISE,
    DECLARES,
    DRAW,
    DRAW_LOTS,
    PLACES,
    REPLACING,
    SEATS,
    must_draw,
    winners,
)

REASONS = ("complete",)
BOARD = Board(
    SIZE,
    SIZE,
    is_round=True,
    ground=("#456a5f", "#2d473f"),
    cell=("#2f4d44", "#1b2e29"),
    heat=("#ffd34d", "#ffd34d"),
)
SOURCES = ("own placements", "own rotations", "own declared stalemates", "moves of others")
RULES = {
    "ML-12": "a token is placed",
    "ML-14": "a token is rotated",
    "ML-16": "a circle is locked",
    "ML-19": "a circle scores for somebody who is not to move",
    "ML-20": "one move closes several circles",
    "ML-21": "a circle of a colour that nobody owns is locked",
    "ML-22": "a colour has used up its locks",
    "ML-24": "a stalemate is declared",
    "ML-26": "a player must draw after rounds without progress",
}
N_SOURCES = len(SOURCES)
HEAT, POINTS, TIMES, FIRED, WIDTH = layout(SEATS, HOLES, N_SOURCES, len(RULES))
# The index of each of the RULES in a row.
PLACED, ROTATED, LOCKED, FOR_OTHERS, SEVERAL, UNOWNED, LOCKS_USED_UP, DECLARED, FORCED_DRAW = range(FIRED, WIDTH)


@compiled
def observe(before, move, after, who, row):
    """Add a move, or an outcome of chance, to the match's row. It may change the state before the move."""
    if before.phase == DRAW_LOTS:
        return
    mover = before.seat
    if who >= 0:
        row[PLACED] += move < CLOCKWISE
        row[ROTATED] += CLOCKWISE <= move < DECLARES
        row[DECLARED] += DECLARES <= move < DRAW
        row[FORCED_DRAW] += move == DRAW and before.players > 1 and must_draw(before)
        if move < CLOCKWISE:
            row[HEAT + who * HOLES + move - PLACES] += 1
    own = 2 if before.phase == REPLACING else 1 if move >= CLOCKWISE else 0
    closed = 0
    for colour in range(COLOURS):
        circles = before.locks[colour] - after.locks[colour]
        if circles == 0:
            continue
        closed += circles
        owner = -1
        for seat in range(before.players):
            if before.colour[seat] == colour:
                owner = seat
        row[LOCKS_USED_UP] += after.locks[colour] == 0
        if owner < 0:
            row[UNOWNED] += circles
            continue
        row[FOR_OTHERS] += circles if owner != mover else 0
        source = own if owner == mover else 3
        row[POINTS + owner * N_SOURCES + source] += after.points[colour] - before.points[colour]
        row[TIMES + owner * N_SOURCES + source] += circles
    row[LOCKED] += closed
    row[SEVERAL] += closed > 1


@compiled
def result(state, scores):
    """Write every seat's score. Return the winners, as bits by seat, and the ending, as an index in REASONS."""
    for seat in range(state.players):
        scores[seat] = state.points[state.colour[seat]]
    return winners(state, 0), 0
