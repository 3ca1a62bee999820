"""The cards of Tic-Tac Match: their numbers, which card fits where, lines, and Double Plays.

The kinds of cards are 0 to 10: X in red, blue, yellow, green, O in the same, then Flip, Wipe-Out, Double Play.
"""

import numpy as np

from ludoteca.core.compiler import compiled, inlined
from ludoteca.core.random import below

SPACES, CENTRE = 9, 4  # a1, b1, c1, a2 ...
COLOURS = 4
SYMBOL_KINDS, KINDS = 2 * COLOURS, 2 * COLOURS + 3
FLIP, WIPE_OUT, DOUBLE = range(SYMBOL_KINDS, KINDS)
COPIES = np.array([6] * SYMBOL_KINDS + [4] * 3, np.uint8)  # TT-2
DECK = 60

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
# By space: the other two spaces of every line through it. A space with fewer lines repeats one.
OTHERS = np.array(
    [
        ([[other for other in line if other != space] for line in LINES if space in line] * 2)[:4]
        for space in range(SPACES)
    ],
    np.int64,
)


def _fits(kind, top):
    """TT-10: return whether a card fits: on an empty space, or on the same colour or the same symbol but not both."""
    if top == 0:
        return True
    same_symbol, same_colour = kind // COLOURS == (top - 1) // COLOURS, kind % COLOURS == (top - 1) % COLOURS
    return same_symbol != same_colour


FITS = np.array([[_fits(kind, top) for top in range(SYMBOL_KINDS + 1)] for kind in range(SYMBOL_KINDS)])


@inlined
def makes_line(state, kind, space):
    """Return whether this card would make a line of three equal cards in this space."""
    card = kind + 1
    for i in range(4):  # noqa: SIM110
        if state.top[OTHERS[space, i, 0]] == card and state.top[OTHERS[space, i, 1]] == card:
            return True
    return False


@compiled
def can_double(state, hand):
    """TT-15: return whether a Double Play is possible: some play can come first."""
    if hand[FLIP] > 0 and leaves_second(state, hand, FLIP):
        return True
    for kind in range(SYMBOL_KINDS):
        if hand[kind] > 0:
            for space in range(SPACES):
                if FITS[kind, state.top[space]] and may_come_first(state, hand, kind, space):
                    return True
    return False


@compiled
def may_come_first(state, hand, kind, space):
    if makes_line(state, kind, space):
        return True
    covered = state.top[space]
    state.top[space] = kind + 1
    possible = leaves_second(state, hand, kind)
    state.top[space] = covered
    return possible


@compiled
def leaves_second(state, hand, played):
    """Return whether a hand still has a play when this card is gone from it."""
    hand[played] -= 1
    possible = hand[FLIP] > 0
    for kind in range(SYMBOL_KINDS):
        if hand[kind] > 0 and not possible:
            possible = fits_somewhere(state, kind)
    hand[played] += 1
    return possible


@inlined
def fits_somewhere(state, kind):
    for space in range(SPACES):  # noqa: SIM110
        if FITS[kind, state.top[space]]:
            return True
    return False


@compiled
def discard_hand(state, seat):
    for kind in range(KINDS):
        state.discards[kind] += state.hand[seat, kind]
        state.hand[seat, kind] = 0
    state.held[seat] = 0


@inlined
def random_card(state, rng):
    ticket = below(rng, state.left)
    kind = 0
    while ticket >= state.pile[kind]:
        ticket -= state.pile[kind]
        kind += 1
    return kind
