"""What the lab counts in a match of Tic-Tac Match, in compiled code."""

from ludoteca.core.compiler import compiled, quotient
from ludoteca.core.tallies import Board, layout
from ludoteca.games.tictacmatch.cards import DOUBLE, FLIP, SPACES, WIPE_OUT
from ludoteca.games.tictacmatch.plays import ENDED, FIRST, PLAYS, REDEALS, SEATS, SHUFFLE, TARGETS
from ludoteca.games.tictacmatch.rules import NOBODY, identity, winners

REASONS = ("complete", "limit")
BOARD = Board(
    3,
    3,
    tall=1.4,
    gap=4.0,
    ground=("#5d4596", "#3a305c"),
    cell=("#4b3780", "#2a2244"),
    heat=("#ffe08a", "#ffe08a"),
)
SOURCES = ("own cards", "a partner's card", "an opponent's card")
RULES = {
    "TT-10": "a symbol card is played",
    "TT-11": "a card is covered",
    "TT-12": "a Flip changes all identities",
    "TT-13": "a Wipe-Out is played",
    "TT-14": "a Double Play is played",
    "TT-16": "a hand without a legal play is dealt anew",
    "TT-17": "the discards are shuffled into a new draw pile",
    "TT-18": "three in a row end the match",
    "TT-19": "the first card of a Double Play ends the match",
    "TT-20": "the match reaches its longest",
}
N_SOURCES = len(SOURCES)
HEAT, POINTS, TIMES, FIRED, WIDTH = layout(SEATS, SPACES, N_SOURCES, len(RULES))
# The index of each of the RULES in a row.
SYMBOL, COVERED, FLIPPED, WIPED_OUT, DOUBLED, REDEALT, SHUFFLED, IN_A_ROW, FIRST_WINS, LONGEST = range(FIRED, WIDTH)


@compiled
def observe(before, move, after, who, row):
    """Add a move, or an outcome of chance, to the match's row. It may change the state before the move."""
    row[REDEALT] += move >= REDEALS
    row[SHUFFLED] += move == SHUFFLE
    if who < 0:
        return
    if move < PLAYS + FLIP:
        kind = quotient(move, SPACES)
        space = move - kind * SPACES
        row[HEAT + who * SPACES + space] += 1
        row[SYMBOL] += 1
        row[COVERED] += before.top[space] > 0
    elif move < TARGETS:
        row[FLIPPED] += move == PLAYS + FLIP
        row[WIPED_OUT] += move == PLAYS + WIPE_OUT
        row[DOUBLED] += move == PLAYS + DOUBLE
    if after.phase != ENDED:
        return
    row[IN_A_ROW] += after.won != NOBODY
    row[FIRST_WINS] += after.won != NOBODY and before.phase == FIRST
    row[LONGEST] += after.won == NOBODY
    for seat in range(after.players):
        if after.won != NOBODY and identity(after, seat) == after.won:
            source = 0 if seat == who else 1 if identity(after, who) == after.won else 2
            row[POINTS + seat * N_SOURCES + source] += 1
            row[TIMES + seat * N_SOURCES + source] += 1


@compiled
def result(state, scores):
    """Write every seat's score. Return the winners, as bits by seat, and the ending, as an index in REASONS."""
    won = winners(state, 0)
    for seat in range(state.players):
        scores[seat] = won >> seat & 1
    return won, 1 if state.won == NOBODY else 0
