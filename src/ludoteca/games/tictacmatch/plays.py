"""The phases of Tic-Tac Match, the numbers of its moves and outcomes, and which of them are possible."""

from ludoteca.core.compiler import compiled, inlined
from ludoteca.games.tictacmatch.cards import (
    DOUBLE,
    FITS,
    FLIP,
    KINDS,
    SPACES,
    SYMBOL_KINDS,
    WIPE_OUT,
    can_double,
    leaves_second,
    may_come_first,
)

SEATS = 4
HAND = 4  # TT-9

# A move is a symbol card on a space (kind * SPACES + space), a special card, or the target of a Wipe-Out.
PLAYS = SYMBOL_KINDS * SPACES - SYMBOL_KINDS  # + kind, from FLIP on
TARGETS = PLAYS + KINDS  # + seat
MAX_MOVES = TARGETS + SEATS
DEALERS = MAX_MOVES  # + seat
CARDS = DEALERS + SEATS  # + kind: chance draws this card
SHUFFLE = CARDS + KINDS
REDEALS = SHUFFLE + 1  # + seat: it has no legal play and is dealt a new hand (TT-16)
MAX_COUNT = HAND * SPACES

# Phases: in the first ones the table acts, in the others the seat to move.
CHOOSE_DEALER, DEAL, REVEAL, DRAW, RESHUFFLE, REDEAL, PLAY, FIRST, SECOND, TARGET, ENDED = range(11)


@compiled
def list_all(state):
    """List the moves or outcomes that are possible now.

    A seat without a legal play at the start of its turn is dealt a new hand (TT-16).
    """
    n = 0
    if state.phase in (PLAY, FIRST, SECOND):
        n = list_plays(state)
        if n == 0 and state.phase == PLAY:
            state.phase = REDEAL
    if state.phase in (DEAL, REVEAL, DRAW):
        for kind in range(KINDS):
            if state.pile[kind] > 0:
                n = listing(state, n, CARDS + kind)
    elif state.phase == TARGET:
        for seat in range(state.players):
            if seat != state.seat:
                n = listing(state, n, TARGETS + seat)
    elif state.phase == CHOOSE_DEALER:
        for seat in range(state.players):
            n = listing(state, n, DEALERS + seat)
    elif state.phase == RESHUFFLE:
        n = listing(state, n, SHUFFLE)
    elif state.phase == REDEAL:
        n = listing(state, n, REDEALS + state.seat)
    state.n_listed = n


@inlined
def listing(state, n, move):
    state.listed[n] = move
    return n + 1


@compiled
def list_plays(state):
    """List the cards in hand that may be played.

    The first card of a Double Play must leave a second one, or end the match (TT-15).
    """
    n = 0
    hand = state.hand[state.seat]
    first = state.phase == FIRST
    for kind in range(SYMBOL_KINDS):
        if hand[kind] > 0:
            for space in range(SPACES):
                if FITS[kind, state.top[space]] and (not first or may_come_first(state, hand, kind, space)):
                    n = listing(state, n, kind * SPACES + space)
    if hand[FLIP] > 0 and (not first or leaves_second(state, hand, FLIP)):
        n = listing(state, n, PLAYS + FLIP)
    if state.phase == PLAY:
        if hand[WIPE_OUT] > 0:
            n = listing(state, n, PLAYS + WIPE_OUT)
        if hand[DOUBLE] > 0 and can_double(state, hand):
            n = listing(state, n, PLAYS + DOUBLE)
    return n
