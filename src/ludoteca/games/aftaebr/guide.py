"""What helps a search in AFTAEBR: what a position is worth, which moves to look at first, which are the same.

The rules do not care for the colours of pieces, so of every number only one colour is looked at.
"""

import numpy as np

from ludoteca.core.compiler import compiled, inlined
from ludoteca.core.kernel import OVER
from ludoteca.core.levels import Lookahead
from ludoteca.core.random import marked
from ludoteca.games.aftaebr.rules import CHOOSING, COLOURS, NOTHING, NUMBERS, PIECES, after, move_at
from ludoteca.games.aftaebr.squares import BIT, BOARD, SQUARES, STRIDE, lowest, n_squares, square_of

__all__ = ["key", "rank", "value"]

WIN = 100.0  # a win is worth more than any lead in pieces
U = np.uint64

FIRST, MORE = 3.0, 2.0  # pieces that the first sequence on offer is worth, and each further one
THREAT, MORE_THREATS = 1.0, 2.5  # the same for those who wait, where the one to move can only spoil one of them
VARIETY = 0.1  # small, so that it decides between moves that are equal otherwise, and a careless eye overlooks it
TAKING = 50.0  # a move that takes is looked at before any that does not
PLENTY = 0.05  # a number of which there are many is put before a scarce one


@compiled
def value(state, seat):
    """The lead in pieces over the strongest other player, with what can be taken at once and soon."""
    best_other, strongest = -1, 0
    for other in range(state.players):
        if other != seat and state.pieces[other] > best_other:
            best_other, strongest = state.pieces[other], other
    lead = float(state.pieces[seat] - best_other)
    if state.actor == OVER:
        return lead + (WIN if lead > 0 else -WIN if lead < 0 else 0.0)
    if state.pieces[seat] == 0:
        return lead - WIN
    promise = worth(on_offer(state.tops, state.held, state.seat, -1))
    waiting = strongest if state.seat == seat else seat
    threats = on_offer(state.tops, state.held, waiting, state.seat)
    if threats > 0:
        promise -= THREAT + MORE_THREATS * (threats - 1)
    lead += variety(state, seat) - variety(state, strongest)
    return lead + (promise if state.seat == seat else -promise)


@inlined
def variety(state, seat):
    """Whoever runs out of a number cannot take what lacks it."""
    total = 0.0
    for number in range(NUMBERS):
        of_number = 0
        for colour in range(COLOURS):
            of_number += int(state.stock[seat * PIECES + colour * NUMBERS + number])
        total += VARIETY * (1.0 - 1.0 / (1.0 + of_number))
    return total


@inlined
def worth(offers):
    return FIRST + MORE * (min(offers, 3) - 1) if offers > 0 else 0.0


@inlined
def on_offer(tops, held, seat, but_for):
    """The squares on which the seat, but not the one to except if there is any, can complete a sequence."""
    offers = 0
    squares = completing(tops)
    for number in range(1, NUMBERS + 1):
        if held[seat * (NUMBERS + 1) + number] and (but_for < 0 or not held[but_for * (NUMBERS + 1) + number]):
            offers += n_squares(squares[number - 1])
    return offers


@inlined
def completing(tops):
    """By number: the squares on which a piece of that number completes a sequence."""
    a, b, c, d = missing(tops[1], tops[2], tops[3], tops[4], 1)
    e, f, g, h = missing(tops[1], tops[2], tops[3], tops[4], STRIDE)
    i, j, k, m = missing(tops[4], tops[3], tops[2], tops[1], 1)
    n, o, p, q = missing(tops[4], tops[3], tops[2], tops[1], STRIDE)
    return (a | e | m | q) & BOARD, (b | f | k | p) & BOARD, (c | g | j | o) & BOARD, (d | h | i | n) & BOARD


@inlined
def missing(first, second, third, fourth, step):
    """The squares that lack only the first, second, third or fourth piece of a sequence with this step."""
    return (
        second >> step & third >> 2 * step & fourth >> 3 * step,
        first << step & third >> step & fourth >> 2 * step,
        first << 2 * step & second << step & fourth >> step,
        first << 3 * step & second << 2 * step & third << step,
    )


@compiled
def rank(state, moves, ranks):
    """Pieces that take first; then those that leave the next player the least, plenty before scarce."""
    if state.phase == CHOOSING or state.puts == 0:
        moves[0] = move_at(state, 0)
        ranks[0] = 0.0
        return 1
    follower = after(state, state.seat)
    while state.pieces[follower] == 0:
        follower = after(state, follower)
    taking = completing(state.tops)
    tops = state.tops.copy()
    n = 0
    for number in range(1, NUMBERS + 1):
        colours = int(state.held[state.seat * (NUMBERS + 1) + number])
        if colours == 0:
            continue
        piece, plenty = piece_of(state, number, colours)
        squares = state.fits[number]
        while squares:
            bit = lowest(squares)
            squares &= squares - 1
            moves[n] = piece * SQUARES + square_of(bit)
            if taking[number - 1] >> bit & 1:
                ranks[n] = TAKING + PLENTY * plenty
            else:
                for other in range(1, NUMBERS + 1):
                    tops[other] = state.tops[other] & ~(1 << bit)
                tops[number] |= 1 << bit
                ranks[n] = PLENTY * plenty - worth(on_offer(tops, state.held, follower, -1))
            n += 1
    return n


@inlined
def piece_of(state, number, colours):
    """A piece of this number, of the first colour in stock, and how many of the number there are."""
    chosen, plenty = -1, 0
    for colour in range(COLOURS):
        piece = colour * NUMBERS + number - 1
        plenty += int(state.stock[state.seat * PIECES + piece])
        if chosen < 0 and colours >> colour & 1:
            chosen = piece
    return chosen, plenty


@compiled
def key(state):
    """Equal for positions that are the same but for the colours of pieces."""
    mark = marked(U(88172645463325252), U(state.closing * 1024 + state.seat * 64 + state.phase * 16 + state.passes))
    for square in range(SQUARES):
        stack = U(1)
        place = int(state.top[BIT[square]])
        while place != NOTHING:
            stack = stack << U(2) ^ stack >> U(60) ^ U(int(state.piece[place]) & 3)
            place = int(state.under[place])
        mark = marked(mark, stack)
    for seat in range(state.players):
        counts = 0
        for number in range(NUMBERS):
            of_number = 0
            for colour in range(COLOURS):
                of_number += int(state.stock[seat * PIECES + colour * NUMBERS + number])
            counts = counts * 64 + of_number
        mark = marked(mark, U(counts))
    return mark


LEVELS = {
    "novice": Lookahead(turns=1, widths=(144,), noise=100.0),
    "casual": Lookahead(turns=1, widths=(144,), noise=8.0),
    "club": Lookahead(turns=1, widths=(144,), noise=2.0),
    "expert": Lookahead(turns=4, widths=(30, 24, 20, 14, 10, 8, 8, 6)),
}
