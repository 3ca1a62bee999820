"""What the lab counts in a match of AFTAEBR, in compiled code."""

from ludoteca.core.compiler import compiled, quotient
from ludoteca.core.kernel import OVER
from ludoteca.core.tallies import Board, layout
from ludoteca.games.aftaebr.rules import (
    COMPLETE,
    LIMIT,
    NOTHING,
    PASS,
    SEATS,
    around,
    lay,
    leave_stock,
    sequences,
    take,
    winners,
)
from ludoteca.games.aftaebr.squares import BIT, SIZE, SQUARES, lowest, n_squares

REASONS = ("complete", "limit", "time")  # in the order of the endings in rules.py
BOARD = Board(SIZE, SIZE)
SOURCES = ("one sequence", "several sequences at once", "sequences that were uncovered")
RULES = {
    "AF-6": "a player must pass",
    "AF-9": "a piece goes on a square without neighbours",
    "AF-11": "a piece is stacked",
    "AF-14": "a sequence is taken, with another turn",
    "AF-15": "a piece that lay under a taken one comes back",
    "AF-16": "a piece completes several sequences at once",
    "AF-17": "uncovered pieces complete another sequence",
    "AF-19": "a player runs out of pieces",
    "AF-21": "the match ends because all passed",
    "AF-22": "the match reaches its longest",
}
N_SOURCES = len(SOURCES)
HEAT, POINTS, TIMES, FIRED, WIDTH = layout(SEATS, SQUARES, N_SOURCES, len(RULES))
# The index of each of the RULES in a row.
MUST_PASS, ALONE, STACKED, SEQUENCE, FROM_UNDER, SEVERAL, UNCOVERED, RAN_OUT, ALL_PASSED, LONGEST = range(FIRED, WIDTH)
A_SEQUENCE = 4  # pieces


@compiled
def observe(before, move, after, who, row):
    """Add a move, or an outcome of chance, to the match's row. It may change the state before the move."""
    if move > PASS:
        return
    if after.actor == OVER:
        row[ALL_PASSED] += after.ending == COMPLETE and after.left > 1
        row[LONGEST] += after.ending == LIMIT
    if move == PASS:
        row[MUST_PASS] += 1
        return
    piece = quotient(move, SQUARES)
    square = move - piece * SQUARES
    bit = int(BIT[square])
    row[HEAT + who * SQUARES + square] += 1
    occupied = before.tops[1] | before.tops[2] | before.tops[3] | before.tops[4]
    row[ALONE] += (1 << bit | around(1 << bit)) & occupied == 0
    row[STACKED] += occupied >> bit & 1
    row[RAN_OUT] += after.pieces[who] == 0
    leave_stock(before, piece)
    lay(before, piece, bit)
    wave, taken = 0, sequences(before.tops)
    while taken:
        squares = taken
        while squares:
            place = int(before.top[lowest(squares)])
            row[FROM_UNDER] += before.under[place] != NOTHING
            squares &= squares - 1
        n = n_squares(taken)
        source = 2 if wave > 0 else 1 if n > A_SEQUENCE else 0
        row[POINTS + who * N_SOURCES + source] += n
        row[TIMES + who * N_SOURCES + source] += 1
        row[SEQUENCE] += wave == 0
        row[SEVERAL] += wave == 0 and n > A_SEQUENCE
        row[UNCOVERED] += wave > 0
        take(before, taken)
        wave += 1
        taken = sequences(before.tops)


@compiled
def result(state, scores):
    """Write every seat's score. Return the winners, as bits by seat, and the ending, as an index in REASONS."""
    for seat in range(state.players):
        scores[seat] = state.pieces[seat]
    return winners(state, 0), 0 if state.ending == COMPLETE else 1 if state.ending == LIMIT else 2
