"""The board of Match'n Lock!: the wedges of its tokens, the circles between them, and the locks that close them.

Colours are 0 to 3: blue, green, yellow, red. A wedge is the set of colours that it can stand for, in four bits; a wild
wedge has all four. A token is its wedges NE, SE, SW, NW, four bits each from the lowest: a quarter turn clockwise
shifts each of them by four bits. Thus the wedges that face a point have one colour in common, or all four if all are
wild, or none.
"""

import numpy as np

from ludoteca.core.compiler import compiled, inlined

SIZE = 8
HOLES = SIZE * SIZE
WIDTH = SIZE + 2  # with a border one hole wide
COLOURS = 4

WILD = (1 << COLOURS) - 1
NE, SE, SW, NW = 0, 4, 8, 12  # the lowest bit of each wedge of a token
TURN_BITS, TOKEN_BITS = 4, 16

CELL = np.array([(hole // SIZE + 1) * WIDTH + hole % SIZE + 1 for hole in range(HOLES)], np.uint8)
HOLE_AT = np.zeros(WIDTH * WIDTH, np.uint8)
HOLE_AT[CELL] = np.arange(HOLES)
COLOUR_OF = np.array([max(wedge.bit_length() - 1, 0) for wedge in range(WILD + 1)], np.uint8)
CIRCLES_ROUND = (-WIDTH - 1, -WIDTH, -1, 0)  # from a token's cell, in the order of ML-22
TOKENS_ROUND = (0, 1, WIDTH, WIDTH + 1)  # from a circle's cell


@inlined
def turned(token, times):
    """Return the token after this many quarter turns clockwise."""
    bits = TURN_BITS * times
    return (token << bits | token >> TOKEN_BITS - bits) & (1 << TOKEN_BITS) - 1


@inlined
def facing(board, circle):
    """Return the colours that the four wedges around a circle's centre have in common."""
    return (
        int(board[circle]) >> NE
        & int(board[circle + 1]) >> NW
        & int(board[circle + WIDTH]) >> SE
        & int(board[circle + WIDTH + 1]) >> SW
        & WILD
    )


@inlined
def is_locked(state, hole):
    return int(state.where[hole]) >= state.n_empty + state.n_loose


@inlined
def move_hole(state, hole, place):
    """Swap a hole in the list of holes with the hole at this place."""
    other, own = state.holes[place], state.where[hole]
    state.holes[own], state.where[other] = other, own
    state.holes[place], state.where[hole] = hole, place


@inlined
def lock_circles(state, hole):
    """ML-16, ML-20: lock and score the circles that a token closes which was just laid or turned. Return their number.

    The token was loose, so none of the circles around it was closed before.
    """
    cell = int(CELL[hole])
    closed = lock_if_closed(state, cell - WIDTH - 1)  # in the order of ML-22
    closed += lock_if_closed(state, cell - WIDTH)
    closed += lock_if_closed(state, cell - 1)
    return closed + lock_if_closed(state, cell)


@inlined
def lock_if_closed(state, circle):
    common = facing(state.board, circle)
    if common == 0 or common == WILD:  # ML-17, ML-18
        return 0
    return lock(state, circle, int(COLOUR_OF[common]))


@compiled
def lock(state, circle, colour):
    if state.locks[colour] == 0:  # ML-22
        return 0
    state.locks[colour] -= 1
    state.lock[circle] = colour + 1
    state.points[colour] += circle_points(state, circle)
    for offset in TOKENS_ROUND:
        hole = int(HOLE_AT[circle + offset])
        if not is_locked(state, hole):  # ML-15
            state.n_loose -= 1
            move_hole(state, hole, state.n_empty + state.n_loose)
    return 1


@compiled
def circle_points(state, circle):
    """ML-19: return the points of a circle."""
    points = 0
    for offset in TOKENS_ROUND:
        points += int(state.value[state.token[HOLE_AT[circle + offset]]])
    return points
