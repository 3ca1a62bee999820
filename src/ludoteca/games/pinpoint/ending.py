"""Help to prove endings of Pin Point: which ones are short, what points are left, which positions are the same."""

import numpy as np

from ludoteca.core.compiler import compiled, inlined
from ludoteca.core.random import mixed
from ludoteca.games.pinpoint.rules import (
    CELL,
    COLOURS,
    CROSS_CENTRES,
    CROSS_POINTS,
    DIRECTIONS,
    EMPTY,
    HOLES,
    PINS_IN,
    SEATS,
    SIZE,
    SQUARE_CORNERS,
    SQUARE_POINTS,
    TURN,
    WIDTH,
    side,
    total,
)

__all__ = ["bounds", "exact_key", "is_ending"]

U = np.uint64
LAST_HOLES = 12  # for two sides: the last three turns
LAST_TURN = COLOURS
FEWEST, MOST = 1, 10  # points of a pin
LONG_LINE = 6  # PP-11: it counts as much as the best figure
COLOUR_BITS, CELL_BITS = 3, 8
ON_BOARD = np.zeros(WIDTH * WIDTH, np.bool_)
ON_BOARD[CELL] = True


@compiled
def is_ending(state):
    """Return whether the last turns have begun: three for two sides, one for more."""
    return state.phase == TURN and state.n_empty <= (LAST_HOLES if has_two_sides(state) else LAST_TURN)


@inlined
def has_two_sides(state):
    return state.players == 2 or state.teams


@compiled
def pins_left(state, seat):
    """Return how many pins a seat will still put."""
    in_hand = PINS_IN[state.hand]
    turns = (state.n_empty - in_hand) // COLOURS
    waits = seat - state.seat
    if waits < 0:
        waits += state.players
    pins = in_hand if waits == 0 else 0
    whole = turns // state.players + (0 < waits <= turns % state.players)
    return pins + COLOURS * whole


@inlined
def can_be(board, cell, colour):
    """Return whether this cell has the colour, or may get it."""
    return board[cell] == colour or (board[cell] == EMPTY and ON_BOARD[cell])


@compiled
def most_points(board, cell, colour):
    """Return the most points that a pin of this colour can ever make in an empty cell."""
    points = 1
    for step in DIRECTIONS:
        length = 1
        for way in (-step, step):
            q = cell + way
            while length < LONG_LINE and can_be(board, q, colour):
                length += 1
                q += way
        if length == LONG_LINE:
            return MOST
        points = max(points, length)
    for offset in SQUARE_CORNERS:
        q = cell + offset
        if (
            SQUARE_POINTS[q] > points
            and can_be(board, q, colour)
            and can_be(board, q + 1, colour)
            and can_be(board, q + WIDTH, colour)
            and can_be(board, q + WIDTH + 1, colour)
        ):
            points = int(SQUARE_POINTS[q])
    for offset in CROSS_CENTRES:
        q = cell + offset
        if (
            CROSS_POINTS[q] > points
            and can_be(board, q, colour)
            and can_be(board, q - 1, colour)
            and can_be(board, q + 1, colour)
            and can_be(board, q - WIDTH, colour)
            and can_be(board, q + WIDTH, colour)
        ):
            points = int(CROSS_POINTS[q])
    return points


@compiled
def best_holes(state, out):
    """Write to out[n] the most points that n pins can make together, in the n best holes."""
    n = state.n_empty
    for i in range(n):
        cell = int(CELL[state.empties[i]])
        points = 1
        for colour in range(1, COLOURS + 1):
            points = max(points, most_points(state.board, cell, colour))
        place = i + 1
        while place > 1 and out[place - 1] < points:
            out[place] = out[place - 1]
            place -= 1
        out[place] = points
    out[0] = 0
    for i in range(1, n + 1):
        out[i] += out[i - 1]


@compiled
def side_pins(state, seat):
    """Return how many pins the side of a seat will still put."""
    pins = 0
    for other in range(state.players):
        if side(state, other) == side(state, seat):
            pins += pins_left(state, other)
    return pins


@compiled
def bounds(state, seat):
    """Return (1, 1) or (-1, -1) if the points that are left cannot change who wins; two sides may also be sure to tie.

    A pin makes at least one point. It makes at most what its hole allows if all empty holes get the best colour.
    """
    if state.phase != TURN:
        return -1.0, 1.0
    low, high = bounded(state, seat, best_if_free(state.n_empty))
    if low == high:
        return low, high
    best = np.empty(HOLES + 1, np.int64)
    best_holes(state, best)
    return bounded(state, seat, best)


@compiled
def best_if_free(n):
    best = np.empty(HOLES + 1, np.int64)
    for i in range(n + 1):
        best[i] = MOST * i
    return best


@compiled
def bounded(state, seat, best):
    """Return bounds of the payoff, when n pins make best[n] points at most."""
    pins = side_pins(state, seat)
    least, most = total(state, seat) + FEWEST * pins, total(state, seat) + best[pins]
    low, high = 1.0, 1.0
    for other in range(state.players):
        if side(state, other) != side(state, seat):
            theirs = side_pins(state, other)
            ahead = least - total(state, other) - best[theirs]
            if ahead <= 0:
                low = min(low, 0.0 if ahead == 0 and has_two_sides(state) else -1.0)
            behind = total(state, other) + FEWEST * theirs - most
            if behind >= 0:
                high = min(high, 0.0 if behind == 0 and has_two_sides(state) else 1.0 if behind == 0 else -1.0)
    return low, high


@compiled
def exact_key(state):
    """Return a number that is equal for positions with the same future.

    Only the lead of two sides counts, and only jokers that somebody can still use. A joker of this turn shows its
    colour and turns black at the end of the turn: so it differs from a plain pin, unless this turn is the last one.
    """
    mark = U(0x9E3779B97F4A7C15)
    for row in range(1, SIZE + 1):
        cells = U(0)
        for cell in range(row * WIDTH + 1, row * WIDTH + 1 + SIZE):
            cells = cells << U(COLOUR_BITS) | U(state.board[cell])
        mark = mixed(mark ^ cells)
    if state.n_empty > PINS_IN[state.hand]:
        shown = U(0)
        for i in range(state.n_shown):
            shown += mixed(U(state.jokers_shown[i] + 1))
        mark = mixed(mark ^ shown)
    if has_two_sides(state):
        mark = mixed(mark ^ U(total(state, 0) - total(state, 1) + (1 << 16)))
    else:
        for seat in range(state.players):
            mark = mixed(mark ^ U(state.score[seat]))
    useful = state.phase
    for seat in range(SEATS):
        useful = useful << CELL_BITS
        if seat < state.players:
            useful |= min(state.jokers[seat], pins_left(state, seat))
    return mixed(mark ^ U(useful) << U(CELL_BITS) ^ U(state.seat * 16 + state.hand))
