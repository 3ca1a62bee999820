"""How far an open circle of Match'n Lock! is from closing in each colour."""

import numpy as np

from ludoteca.core.compiler import inlined
from ludoteca.games.matchnlock.circles import (
    CELL,
    COLOURS,
    HOLE_AT,
    HOLES,
    NE,
    NW,
    SE,
    SIZE,
    SW,
    TOKEN_BITS,
    TOKENS_ROUND,
    WIDTH,
    WILD,
    is_locked,
)

A_TURN = 0.45  # the share of a circle's points that is left for every missing quarter turn ...
A_TOKEN = 0.35  # ... and for every missing token
TEMPO = 0.4  # share of the best circle that the next player can close
AN_EMPTY_HOLE = 10.0  # value of a token that comes later, in points

# What a circle still needs for each colour: quarter turns, 16 for an empty hole, 256 if it is impossible. These are
# four numbers of 16 bits in one.
FIELD = 16
EMPTY_HOLE, NEVER = 16, 256
SPREAD = np.array(
    [sum(1 << FIELD * c for c in range(COLOURS) if wedge >> c & 1) for wedge in range(WILD + 1)], np.int64
)
PROMISE = np.zeros(5 * EMPTY_HOLE, np.float64)
for _wants in range(1, len(PROMISE)):
    PROMISE[_wants] = A_TURN ** (_wants % EMPTY_HOLE) * A_TOKEN ** (_wants // EMPTY_HOLE)

IS_CIRCLE = np.zeros(WIDTH * WIDTH, np.bool_)
for _hole in range(HOLES):
    IS_CIRCLE[CELL[_hole]] = _hole % SIZE < SIZE - 1 and _hole // SIZE < SIZE - 1
CIRCLES = np.flatnonzero(IS_CIRCLE)
WEDGES_ROUND = (NE, NW, SE, SW)  # the wedges of the tokens round a circle that face it


@inlined
def wants(state, cell, wedge):
    """Return what the token in a cell needs until this wedge has each colour."""
    lies = int(state.board[cell])
    if lies == 0:
        return EMPTY_HOLE * SPREAD[WILD]
    lies |= lies << TOKEN_BITS
    here = lies >> wedge & WILD
    if is_locked(state, HOLE_AT[cell]):
        return NEVER * SPREAD[WILD ^ here]
    near = (lies >> wedge + 4 | lies >> wedge + 12) & WILD & ~here
    far = lies >> wedge + 8 & WILD & ~(here | near)
    return SPREAD[near] + 2 * SPREAD[far] + NEVER * SPREAD[WILD & ~(here | near | far)]


@inlined
def circle_wants(state, circle):
    total = 0
    for i in range(4):
        total += wants(state, circle + TOKENS_ROUND[i], WEDGES_ROUND[i])
    return total


@inlined
def points_round(state, circle):
    """Return the points of a circle, with an estimate for its empty holes."""
    points = 0.0
    for offset in TOKENS_ROUND:
        if state.board[circle + offset]:
            points += int(state.value[state.token[HOLE_AT[circle + offset]]])
        else:
            points += AN_EMPTY_HOLE
    return points
