"""The rules of Tic-Tac Match, docs/rules/tictacmatch.md. cards.py has the cards, plays.py the possible moves.

Hands and piles are counts of cards by kind: nobody knows the order of the draw pile (TT-21), and a hand has none.
"""

import numpy as np

from ludoteca.core.compiler import compiled, inlined, quotient
from ludoteca.core.kernel import BY_LOT, CHANCE, OVER
from ludoteca.games.tictacmatch.cards import (
    CENTRE,
    COLOURS,
    COPIES,
    DECK,
    FLIP,
    KINDS,
    SPACES,
    SYMBOL_KINDS,
    WIPE_OUT,
    discard_hand,
    makes_line,
    random_card,
)
from ludoteca.games.tictacmatch.plays import (
    CARDS,
    CHOOSE_DEALER,
    DEAL,
    DEALERS,
    DRAW,
    ENDED,
    FIRST,
    HAND,
    MAX_COUNT,
    MAX_MOVES,
    PLAY,
    PLAYS,
    REDEAL,
    RESHUFFLE,
    REVEAL,
    SEATS,
    SECOND,
    SHUFFLE,
    TARGET,
    TARGETS,
    list_all,
)

LIMIT = 500  # TT-20
PAST = 4  # plays that are remembered for each seat
HIDDEN = True

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
        ("listed", np.uint8, MAX_COUNT),  # the moves or outcomes that are possible now
        ("n_listed", np.int32),
        ("held", np.int32, SEATS),  # number of cards in each hand
        ("left", np.int32),  # cards in the draw pile
        ("phase", np.int32),
        ("seat", np.int32),  # whose turn it is
        ("drawer", np.int32),  # the seat that draws
        ("upcoming", np.int32),  # the seat to move after the draw; NOBODY: the same seat names a target
        ("dealer", np.int32),
        ("symbol", np.int32),  # the dealer's identity: 0 is X, 1 is O; NOBODY until it is revealed
        ("won", np.int32),  # the symbol that won, or NOBODY
        ("turn", np.int32),
        ("players", np.int32),
        ("teams", np.int32),
        # What everybody saw: the last plays of each seat since its hand was dealt, play n in place n % PAST.
        ("n_past", np.int32, SEATS),
        ("past_move", np.uint8, (SEATS, PAST)),
        ("past_held", np.uint8, (SEATS, PAST)),  # cards in the hand before the play
        ("past_phase", np.uint8, (SEATS, PAST)),
        ("past_symbol", np.uint8, (SEATS, PAST)),  # the dealer's identity then
        ("past_top", np.uint8, (SEATS, PAST, SPACES)),  # the grid before the play
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
    state.n_past[:] = 0
    state.past_move[:] = 0
    state.past_held[:] = 0
    state.past_phase[:] = 0
    state.past_symbol[:] = 0
    state.past_top[:] = 0
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
    """Return how many cards of a kind there are: the kind is drawn with that weight."""
    card = int(state.listed[k]) - CARDS
    return int(state.pile[card]) if 0 <= card < KINDS else 1


@compiled
def is_legal(state, move):
    """Return whether this move of a player is listed."""
    if state.phase < PLAY:
        return False
    for k in range(state.n_listed):  # noqa: SIM110
        if state.listed[k] == move:
            return True
    return False


@compiled
def chance_run(state):
    """Return the number of outcomes in the table's next entry: the cards that a seat draws up to a shuffle."""
    if state.phase != DEAL and state.phase != DRAW:
        return 1
    return min(HAND - state.held[state.drawer], state.left)


@compiled
def play(state, move):
    if move < TARGETS:
        remember(state, move)
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
        state.n_past[state.seat] = 0
        begin_draw(state, state.seat, state.seat)
    list_all(state)


@compiled
def remember(state, move):
    """Write down a play with what everybody sees before it."""
    seat = state.seat
    place = state.n_past[seat] % PAST
    state.past_move[seat, place] = move
    state.past_held[seat, place] = state.held[seat]
    state.past_phase[seat, place] = state.phase
    state.past_symbol[seat, place] = state.symbol
    state.past_top[seat, place] = state.top
    state.n_past[seat] += 1


# A turn


@compiled
def put_card(state, kind, space):
    """TT-10, TT-11: put a symbol card on a space. Three in a row end the match at once (TT-18, TT-19)."""
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
        state.symbol = 1 - state.symbol  # TT-12: everybody's identity changes
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
    """TT-6: return the next seat, clockwise."""
    return seat + 1 if seat + 1 < state.players else 0


@compiled
def wipe_out(state, target):
    """TT-13: the target loses its hand and has the next turn."""
    discard_hand(state, target)
    state.n_past[target] = 0
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
    """Take one card from the draw pile: dealt, revealed or drawn."""
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
    """TT-4, TT-5, TT-6: reveal a card.

    Its symbol is the dealer's identity; after a special card the next one is revealed.
    """
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
    """TT-17: shuffle the discards and all covered cards into a new draw pile. The top cards stay."""
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


# Winners and visibility


@compiled
def side(state, seat):
    """TT-5, TT-8: return 0 with the dealer, 1 against. Identities change all at once, so the side never changes."""
    return (seat - state.dealer) % 2 if state.teams else 0 if seat == state.dealer else 1


@compiled
def identity(state, seat):
    return state.symbol ^ side(state, seat)


@compiled
def winners(state, out):
    """TT-18: return the seats with the winning identity, as bits. At the limit nobody wins."""
    won = 0
    for seat in range(state.players):
        if state.won != NOBODY and identity(state, seat) == state.won and not out >> seat & 1:
            won |= 1 << seat
    return won


@compiled
def sees(state, seat, other):
    """TT-21: return whether a seat sees a hand: its own, one that is laid down, and after the end all hands."""
    return seat == other or state.phase == ENDED or (state.phase == REDEAL and other == state.seat)


@compiled
def conceal(state, seat, rng):
    """Deal the cards that the seat cannot see anew: from the draw pile and the other hands together.

    The seat to move has a legal play, so deals in which it has none are impossible.
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
