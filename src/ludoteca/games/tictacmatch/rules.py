"""The rules of Tic-Tac Match, docs/rules/tictacmatch.md. Which cards fit where is in cards.py.

Hands and piles are numbers of cards by kind: nobody knows the order of the draw pile (TT-21), and a hand has none.
"""

import numpy as np

from ludoteca.core.compiler import compiled, inlined, quotient
from ludoteca.core.kernel import BY_LOT, CHANCE, OVER
from ludoteca.games.tictacmatch.cards import (
    CENTRE,
    COLOURS,
    COPIES,
    DECK,
    DOUBLE,
    FITS,
    FLIP,
    KINDS,
    SPACES,
    SYMBOL_KINDS,
    WIPE_OUT,
    can_double,
    discard_hand,
    leaves_second,
    makes_line,
    may_come_first,
    random_card,
)

SEATS = 4
HAND = 4  # TT-9
LIMIT = 500  # TT-20
HIDDEN = True

# A move is a symbol card on a space (kind * SPACES + space), another card, or the target of a Wipe-Out.
PLAYS = SYMBOL_KINDS * SPACES - SYMBOL_KINDS  # + kind, from FLIP on
TARGETS = PLAYS + KINDS  # + seat
MAX_MOVES = TARGETS + SEATS
DEALERS = MAX_MOVES  # + seat
CARDS = DEALERS + SEATS  # + kind: the card that is drawn
SHUFFLE = CARDS + KINDS
REDEALS = SHUFFLE + 1  # + seat: it has no legal play (TT-16)
MAX_COUNT = HAND * SPACES

# Phases: in the first ones the table acts, then the seat whose turn it is.
CHOOSE_DEALER, DEAL, REVEAL, DRAW, RESHUFFLE, REDEAL, PLAY, FIRST, SECOND, TARGET, ENDED = range(11)
NOBODY = -1

Options = np.dtype([("players", np.int32), ("teams", np.int32), ("dealer", np.int32)], align=True)

State = np.dtype(
    [
        ("hand", np.uint8, (SEATS, KINDS)),
        ("pile", np.uint8, KINDS),
        ("discards", np.uint8, KINDS),
        ("top", np.uint8, SPACES),  # kind + 1, or 0 on an empty space
        ("under", np.uint8, (SPACES, 6 * SYMBOL_KINDS)),  # the covered cards of a space from the lowest on, kind + 1
        ("n_under", np.uint8, SPACES),
        ("listed", np.uint8, MAX_COUNT),  # what may happen now
        ("n_listed", np.int32),
        ("held", np.int32, SEATS),  # how many cards
        ("left", np.int32),  # cards in the draw pile
        ("phase", np.int32),
        ("seat", np.int32),  # whose turn it is
        ("drawer", np.int32),  # who draws
        ("upcoming", np.int32),  # who has the turn after that; NOBODY: the same seat goes on to name a target
        ("dealer", np.int32),
        ("symbol", np.int32),  # the dealer's identity: 0 for X, 1 for O; NOBODY until it is revealed
        ("won", np.int32),  # the symbol that won, or NOBODY
        ("turn", np.int32),
        ("players", np.int32),
        ("teams", np.int32),
    ],
    align=True,
)


@compiled
def start(state, options):
    state.hand[:] = 0
    state.pile[:] = COPIES
    state.discards[:] = 0
    state.top[:] = 0
    state.under[:] = 0
    state.n_under[:] = 0
    state.listed[:] = 0
    state.held[:] = 0
    state.left = DECK
    state.seat = 0
    state.drawer = 0
    state.upcoming = NOBODY
    state.dealer = options.dealer
    state.symbol = NOBODY
    state.won = NOBODY
    state.turn = 0
    state.players = options.players
    state.teams = options.teams
    state.phase = CHOOSE_DEALER if options.dealer == BY_LOT else DEAL
    list_all(state)


@compiled
def actor(state):
    if state.phase < PLAY:
        return CHANCE
    return state.seat if state.phase < ENDED else OVER


@compiled
def count(state):
    return state.n_listed


@compiled
def move_at(state, k):
    return int(state.listed[k])


@compiled
def moves(state, out):
    for k in range(state.n_listed):
        out[k] = state.listed[k]
    return state.n_listed


@compiled
def weight_at(state, k):
    """A kind of card is as likely as there are cards of it."""
    card = int(state.listed[k]) - CARDS
    return int(state.pile[card]) if 0 <= card < KINDS else 1


@compiled
def is_legal(state, move):
    """Whether a player's move is one of those that are listed."""
    if state.phase < PLAY:
        return False
    for k in range(state.n_listed):  # noqa: SIM110
        if state.listed[k] == move:
            return True
    return False


@compiled
def chance_run(state):
    """The cards that a seat is dealt or draws are one entry of the record, split at a shuffle."""
    if state.phase != DEAL and state.phase != DRAW:
        return 1
    return min(HAND - state.held[state.drawer], state.left)


@compiled
def play(state, move):
    if move < PLAYS + FLIP:
        kind = quotient(move, SPACES)
        put_card(state, kind, move - kind * SPACES)
    elif move < TARGETS:
        play_special(state, move - PLAYS)
    elif move < MAX_MOVES:
        wipe_out(state, move - TARGETS)
    elif move < CARDS:
        state.dealer = move - DEALERS
        state.phase = DEAL
    elif move < SHUFFLE:
        take_card(state, move - CARDS)
    elif move == SHUFFLE:
        reshuffle(state)
    else:
        discard_hand(state, state.seat)  # TT-16
        begin_draw(state, state.seat, state.seat)
    list_all(state)


# A turn


@compiled
def put_card(state, kind, space):
    """TT-10, TT-11: a symbol card on a space; three in a row end the match at once (TT-18, TT-19)."""
    state.hand[state.seat, kind] -= 1
    state.held[state.seat] -= 1
    if state.top[space] > 0:
        state.under[space, state.n_under[space]] = state.top[space]
        state.n_under[space] += 1
    state.top[space] = kind + 1
    if makes_line(state, kind, space):
        state.won = quotient(kind, COLOURS)
        state.phase = ENDED
    else:
        end_play(state)


@compiled
def play_special(state, kind):
    state.hand[state.seat, kind] -= 1
    state.held[state.seat] -= 1
    state.discards[kind] += 1
    if kind == FLIP:
        state.symbol = 1 - state.symbol  # TT-12: and so does everybody's
        end_play(state)
    elif kind == WIPE_OUT:
        begin_draw(state, state.seat, NOBODY)  # TT-13: the replacement comes first
    else:
        state.phase = FIRST  # TT-14


@compiled
def end_play(state):
    if state.phase == FIRST:
        state.phase = SECOND
    else:
        end_turn(state, state.seat, after(state, state.seat))


@inlined
def after(state, seat):
    """TT-6: clockwise."""
    return seat + 1 if seat + 1 < state.players else 0


@compiled
def wipe_out(state, target):
    """TT-13: the target loses the hand and has the next turn."""
    discard_hand(state, target)
    end_turn(state, target, target)


@compiled
def end_turn(state, drawer, upcoming):
    state.turn += 1
    if state.turn == LIMIT:
        state.phase = ENDED  # TT-20
    else:
        begin_draw(state, drawer, upcoming)


# The draw pile


@compiled
def begin_draw(state, drawer, upcoming):
    state.drawer = drawer
    state.upcoming = upcoming
    state.phase = DRAW if state.left > 0 else RESHUFFLE


@compiled
def take_card(state, kind):
    """One card from the draw pile: dealt, revealed or drawn."""
    state.pile[kind] -= 1
    state.left -= 1
    if state.phase == REVEAL:
        reveal(state, kind)
        return
    seat = state.drawer
    state.hand[seat, kind] += 1
    state.held[seat] += 1
    if state.held[seat] < HAND:
        if state.left == 0:
            state.phase = RESHUFFLE
    elif state.phase == DEAL:
        state.drawer = after(state, seat)
        if state.drawer == 0:
            state.phase = REVEAL
    elif state.upcoming == NOBODY:
        state.phase = TARGET
    else:
        begin_turn(state, state.upcoming)


@compiled
def reveal(state, kind):
    """TT-4, TT-5, TT-6."""
    if kind >= SYMBOL_KINDS:
        state.discards[kind] += 1
    else:
        state.top[CENTRE] = kind + 1
        state.symbol = quotient(kind, COLOURS)
        begin_turn(state, after(state, state.dealer))


@compiled
def begin_turn(state, seat):
    state.seat = seat
    state.drawer = seat
    state.upcoming = NOBODY
    state.phase = PLAY


@compiled
def reshuffle(state):
    """TT-17: the discards and all covered cards; the top ones stay."""
    for kind in range(KINDS):
        state.pile[kind] += state.discards[kind]
        state.left += state.discards[kind]
        state.discards[kind] = 0
    for space in range(SPACES):
        for i in range(state.n_under[space]):
            state.pile[state.under[space, i] - 1] += 1
            state.under[space, i] = 0
        state.left += state.n_under[space]
        state.n_under[space] = 0
    state.phase = DRAW


# What may happen


@compiled
def list_all(state):
    """Writes down what may happen now. A seat that has no legal play at the start of its turn is dealt anew (TT-16)."""
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
    """The cards in hand that may be played; the first of a Double Play must leave a second or end the match (TT-15)."""
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


# Who wins, and who sees what


@compiled
def side(state, seat):
    """TT-5, TT-8: 0 with the dealer, 1 against. Identities change all at once, so this never does."""
    return (seat - state.dealer) % 2 if state.teams else 0 if seat == state.dealer else 1


@compiled
def identity(state, seat):
    return state.symbol ^ side(state, seat)


@compiled
def winners(state, out):
    """TT-18: all whose identity it is win together, as bits. Nobody does at the limit."""
    won = 0
    for seat in range(state.players):
        if state.won != NOBODY and identity(state, seat) == state.won and not out >> seat & 1:
            won |= 1 << seat
    return won


@compiled
def sees(state, seat, other):
    """TT-21: one's own hand; one without a legal play, which is laid down; all of them after the end."""
    return seat == other or state.phase == ENDED or (state.phase == REDEAL and other == state.seat)


@compiled
def conceal(state, seat, rng):
    """Deals the cards that the seat cannot see anew: from the draw pile and the other hands together.

    Whoever is about to play can play: deals in which that could not be so are not possible ones.
    """
    sizes = np.zeros(SEATS, np.int64)
    for other in range(state.players):
        if not sees(state, seat, other):
            sizes[other] = state.held[other]
    phase = state.phase
    while True:
        for other in range(state.players):
            if sizes[other] > 0:
                for kind in range(KINDS):
                    state.pile[kind] += state.hand[other, kind]
                    state.hand[other, kind] = 0
                state.left += sizes[other]
        for other in range(state.players):
            for _ in range(sizes[other]):
                kind = random_card(state, rng)
                state.pile[kind] -= 1
                state.left -= 1
                state.hand[other, kind] += 1
        list_all(state)
        if state.phase == phase and (state.n_listed > 0 or phase == ENDED):
            break
        state.phase = phase
    state.listed[state.n_listed :] = 0
