"""The guide of AFTAEBR: the value of a position, the ranking of moves, and which positions are equal.

The rules ignore the colours of pieces, so the search looks at one colour of every number.
"""

import numpy as np

from ludoteca.core.compiler import compiled, inlined
from ludoteca.core.kernel import OVER
from ludoteca.core.levels import Lookahead
from ludoteca.core.random import marked
from ludoteca.games.aftaebr.features import MOST_FEATURES, SCALE, SELF_PLAY, WEIGHTS, features, final
from ludoteca.games.aftaebr.rules import CHOOSING, COLOURS, NOTHING, NUMBERS, PIECES, after, move_at
from ludoteca.games.aftaebr.squares import BIT, SQUARES, completing, lowest, n_squares, square_of

__all__ = ["MOST_FEATURES", "SCALE", "SELF_PLAY", "WEIGHTS", "features", "final", "key", "rank", "value"]

WIN = 100.0  # more than any lead in pieces
U = np.uint64

FIRST, MORE = 3.0, 2.0  # value, in pieces, of the first sequence that a seat can complete, and of each further one
THREAT, MORE_THREATS = 1.0, 2.5  # the same for seats that wait: the seat to move can spoil only one sequence
VARIETY = 0.1  # small: it decides between equal moves, and the noise of weak levels hides it
TAKING = 50.0  # moves that take pieces come before all others
PLENTY = 0.05  # a plentiful number comes before a scarce one


@compiled
def value(state, seat):
    """Return the lead in pieces over the strongest other player, with the sequences that can be completed soon."""
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
    """Return a small bonus for each number in stock: a seat without a number cannot complete what lacks it."""
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
    """Return on how many squares the seat, but not the seat `but_for`, can complete a sequence."""
    offers = 0
    squares = completing(tops)
    for number in range(1, NUMBERS + 1):
        if held[seat * (NUMBERS + 1) + number] and (but_for < 0 or not held[but_for * (NUMBERS + 1) + number]):
            offers += n_squares(squares[number - 1])
    return offers


@compiled
def rank(state, moves, ranks):
    """Rank first the moves that take pieces.

    Then rank the moves that leave least to the next player, plentiful numbers before scarce ones.
    """
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
    """Return a piece of this number, in the first colour in stock, and how many of the number there are."""
    chosen, plenty = -1, 0
    for colour in range(COLOURS):
        piece = colour * NUMBERS + number - 1
        plenty += int(state.stock[state.seat * PIECES + piece])
        if chosen < 0 and colours >> colour & 1:
            chosen = piece
    return chosen, plenty


@compiled
def key(state):
    """Return a number that is equal for positions that differ only in the colours of pieces."""
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
    "master": Lookahead(turns=2, widths=(144, 24, 20, 14), learned=True, proves=3_000),
}
