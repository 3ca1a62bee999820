"""Threats in Tic-Tac Match: the cards that would make a line of three, for every line of the grid.

A set of symbol cards is a number with a bit for each kind. The sets of all eight lines are the eight bytes of a word.
"""

import numpy as np

from ludoteca.core.compiler import compiled, inlined
from ludoteca.games.tictacmatch.cards import COLOURS, FITS, LINES, OTHERS, SPACES, SYMBOL_KINDS, makes_line

U = np.uint64
TOPS = SYMBOL_KINDS + 1
ONE_SYMBOL = (1 << COLOURS) - 1
BYTE, EVERY_BYTE = U(0xFF), U(0x0101010101010101)
LOW_BITS, HIGH_BITS = U(0x7F7F7F7F7F7F7F7F), U(0x8080808080808080)


def _missing_card(line):
    """Return the kind that completes these three tops with one card, as a bit; 0 if there is none."""
    for place in range(3):
        one, other = (line[i] for i in range(3) if i != place)
        if one == other and one > 0 and line[place] != one and FITS[one - 1, line[place]]:
            return 1 << (one - 1)
    return 0


def _two_missing(line):
    """Return the kinds that complete these three tops with two cards, as bits."""
    found = 0
    for place in range(3):
        kind = line[place] - 1
        others = [line[i] for i in range(3) if i != place]
        if kind >= 0 and all(top != kind + 1 and FITS[kind, top] for top in others):
            found |= 1 << kind
    return found


# By three tops, in any order: the kinds that complete the line.
_TRIPLES = [(a, b, c) for a in range(TOPS) for b in range(TOPS) for c in range(TOPS)]
ONE_CARD = np.array([_missing_card(triple) for triple in _TRIPLES], U)
TWO_CARDS = np.array([_two_missing(triple) for triple in _TRIPLES], U)
LINE_SPACES = np.array(LINES, np.int64)
ELSEWHERE = np.array(  # by space: the bytes of the lines that are not through it
    [sum(0xFF << 8 * i for i, line in enumerate(LINES) if space not in line) for space in range(SPACES)], U
)
BITS = np.array([number.bit_count() for number in range(1 << COLOURS)], np.int64)


@inlined
def completing(state, table):
    """Return the kinds that complete each line, by one card or by two: as the table says."""
    found = U(0)
    for i in range(8):
        a, b, c = LINE_SPACES[i, 0], LINE_SPACES[i, 1], LINE_SPACES[i, 2]
        found |= table[(int(state.top[a]) * TOPS + int(state.top[b])) * TOPS + int(state.top[c])] << U(8 * i)
    return found


@inlined
def in_any(lines):
    """Return the kinds that are in the set of some line."""
    lines |= lines >> U(32)
    lines |= lines >> U(16)
    return np.int64((lines | lines >> U(8)) & BYTE)


@inlined
def with_any(lines, kinds):
    """Return the number of lines whose set has one of these kinds."""
    common = lines & (U(kinds) * EVERY_BYTE)
    marks = (((common & LOW_BITS) + LOW_BITS) | common) & HIGH_BITS  # the high bit of every byte that is not 0
    return np.int64(((marks >> U(7)) * EVERY_BYTE) >> U(56))


@inlined
def in_any_after(state, lines, kind, space):
    """Return the kinds that complete some line with one card when this card lies on this space."""
    found = lines & ELSEWHERE[space]
    for i in range(4):
        one, other = int(state.top[OTHERS[space, i, 0]]), int(state.top[OTHERS[space, i, 1]])
        found |= ONE_CARD[((kind + 1) * TOPS + one) * TOPS + other]
    return in_any(found)


@inlined
def held_kinds(hand, copies):
    """Return the symbol cards of which a hand has at least so many copies."""
    held = 0
    for kind in range(SYMBOL_KINDS):
        if hand[kind] >= copies:
            held |= 1 << kind
    return held


@inlined
def of_symbol(symbol):
    """Return all cards with this symbol."""
    return ONE_SYMBOL << (COLOURS * symbol)


@compiled
def count_answers(state, hand, lines, feared, enough):
    """Return in how many ways a card of this hand leaves no line that one of the feared kinds completes.

    A line for the others is no answer. It stops at `enough`.
    """
    found = 0
    for space in range(SPACES):
        if lines & ELSEWHERE[space] & (U(feared) * EVERY_BYTE):
            continue
        for kind in range(SYMBOL_KINDS):
            if hand[kind] > 0 and FITS[kind, state.top[space]] and not makes_line(state, kind, space):
                found += not in_any_after(state, lines, kind, space) & feared
                if found == enough:
                    return found
    return found
