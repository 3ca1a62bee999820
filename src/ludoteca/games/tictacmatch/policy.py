"""How a good player chooses: the odds of every move, and what the plays of a seat tell about its hand.

A player judges a move by the threats that it leaves. A threat is a card that would make a line of three.
"""

import numpy as np

from ludoteca.core.compiler import compiled, inlined, quotient
from ludoteca.core.random import below
from ludoteca.games.tictacmatch.cards import (
    COLOURS,
    DOUBLE,
    FITS,
    FLIP,
    LINES,
    SPACES,
    SYMBOL_KINDS,
    WIPE_OUT,
    makes_line,
)
from ludoteca.games.tictacmatch.plays import FIRST, MAX_COUNT, PLAY, PLAYS, TARGET, TARGETS, list_plays
from ludoteca.games.tictacmatch.rules import PAST, after, identity, side

TOPS = SYMBOL_KINDS + 1
ONE_SYMBOL = (1 << COLOURS) - 1


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


_TRIPLES = [(a, b, c) for a in range(TOPS) for b in range(TOPS) for c in range(TOPS)]
ONE_CARD = np.array([_missing_card(triple) for triple in _TRIPLES], np.uint8)
TWO_CARDS = np.array([_two_missing(triple) for triple in _TRIPLES], np.uint8)
LINE_SPACES = np.array(LINES, np.int64)
BITS = np.array([sum(number >> bit & 1 for bit in range(COLOURS)) for number in range(1 << COLOURS)], np.int64)


@inlined
def threats(state):
    """Return the kinds that complete a line with one card, as bits."""
    found = 0
    for i in range(8):
        a, b, c = LINE_SPACES[i, 0], LINE_SPACES[i, 1], LINE_SPACES[i, 2]
        found |= ONE_CARD[(int(state.top[a]) * TOPS + int(state.top[b])) * TOPS + int(state.top[c])]
    return found


# What a player looks at in a move. Each is an index in WEIGHTS, the logarithms of the odds.
OPPONENT_NEXT, ALLY_NEXT, SECOND_NEXT = range(3)  # who plays after the move: a seat, or the same one in a Double Play
MINE = 4  # threats of this side: none, one, more, one with its card in hand
THEIRS = 3  # threats of the others: none, one, more
LEFT = 0  # + (who is next * THEIRS + theirs) * MINE + mine: the threats that the move leaves
CARD = LEFT + 3 * THEIRS * MINE  # + 3 * (the card has the others' symbol) + what it covers: nothing, own symbol, theirs
PLACE = CARD + 6  # + centre, edge, corner
SPARE = PLACE + 3  # the hand has another card of this kind
WINS, LOSES = SPARE + 1, SPARE + 2
FLIPS = SPARE + 3  # + 1 inside a Double Play
WIPES = FLIPS + 2  # + threats of the others
DOUBLES = WIPES + THEIRS  # + threats of the others
WINS_TWICE = DOUBLES + THEIRS  # a Double Play that can make a line
TRAITS = WINS_TWICE + 1
MOST_TRAITS = 4  # of one move
PLACES = np.array([2, 1, 2, 1, 0, 1, 2, 1, 2], np.int64)


@inlined
def leaves(state, hand, own, following):
    """Return the index of the threats on the board."""
    found = threats(state)
    mine, theirs = (found >> (COLOURS * own)) & ONE_SYMBOL, (found >> (COLOURS * (1 - own))) & ONE_SYMBOL
    kinds = BITS[mine]
    level = 2 if kinds > 1 else kinds
    for colour in range(COLOURS):
        if mine >> colour & 1 and hand[COLOURS * own + colour] > 0:
            level = 3
    kinds = BITS[theirs]
    return LEFT + (following * THEIRS + (2 if kinds > 1 else kinds)) * MINE + level


@compiled
def can_win_twice(state, hand, own):
    """Return whether a Double Play makes a line: of two equal cards, or of the others' symbol after a Flip."""
    if hand[FLIP] > 0:
        found = threats(state)
        for colour in range(COLOURS):
            kind = COLOURS * (1 - own) + colour
            if found >> kind & 1 and hand[kind] > 0:
                return True
    pairs = 0
    for colour in range(COLOURS):
        if hand[COLOURS * own + colour] > 1:
            pairs |= 1 << (COLOURS * own + colour)
    if pairs:
        for i in range(8):
            a, b, c = LINE_SPACES[i, 0], LINE_SPACES[i, 1], LINE_SPACES[i, 2]
            if TWO_CARDS[(int(state.top[a]) * TOPS + int(state.top[b])) * TOPS + int(state.top[c])] & pairs:
                return True
    return False


@compiled
def look(state, hand, own, following, move, traits):
    """Write what a player looks at in a move that is no target. Return the number of traits."""
    if move >= PLAYS + FLIP:
        kind = move - PLAYS
        if kind == FLIP:
            traits[0] = leaves(state, hand, 1 - own, following)
            traits[1] = FLIPS + (0 if state.phase == PLAY else 1)
            return 2
        found = threats(state)
        kinds = min(2, BITS[(found >> (COLOURS * (1 - own))) & ONE_SYMBOL])
        traits[0] = (WIPES if kind == WIPE_OUT else DOUBLES) + kinds
        if kind == DOUBLE and can_win_twice(state, hand, own):
            traits[1] = WINS_TWICE
            return 2
        return 1
    kind = quotient(move, SPACES)
    space = move - kind * SPACES
    is_theirs = quotient(kind, COLOURS) != own
    if makes_line(state, kind, space):
        traits[0] = LOSES if is_theirs else WINS
        return 1
    covered = state.top[space]
    hand[kind] -= 1
    state.top[space] = kind + 1
    traits[0] = leaves(state, hand, own, following)
    state.top[space] = covered
    hand[kind] += 1
    under = 0 if covered == 0 else 1 if quotient(covered - 1, COLOURS) == own else 2
    traits[1] = CARD + 3 * int(is_theirs) + under
    traits[2] = PLACE + PLACES[space]
    if hand[kind] > 1:
        traits[3] = SPARE
        return 4
    return 3


# Fitted to 3448 decisions by `bench/tictacmatch_policy.py --tables two --matches 70 --simulations 2000`: two minutes.
# Two players have no allies: the weights before an ally's turn are those before an opponent's.
# fmt: off
WEIGHTS = np.array(
    [
        # LEFT, an opponent plays next: a row for each THEIRS, a column for each MINE
        0.69, 0.81, 0.7, 2.85,
        -1.77, -1.09, -0.69, 0.42,
        -2.58, -0.96, 0.0, -0.16,
        # LEFT, an ally plays next: a row for each THEIRS, a column for each MINE
        0.69, 0.81, 0.7, 2.85,
        -1.77, -1.09, -0.69, 0.42,
        -2.58, -0.96, 0.0, -0.16,
        # LEFT, the second card of the Double Play is next: a row for each THEIRS, a column for each MINE
        -1.44, -0.63, 0.39, 2.76,
        -1.76, -0.81, -0.02, 2.9,
        -1.46, -0.11, 0.0, 0.4,
        # CARD: of this side's symbol, of the others'
        -0.43, -1.04, 1.28,
        -0.91, -1.22, 0.35,
        # PLACE, SPARE, WINS, LOSES
        -0.28, -0.96, -0.74, -0.19, 6.16, -3.82,
        # FLIPS, WIPES, DOUBLES, WINS_TWICE
        0.68, -0.26,
        1.66, -0.69, -1.35,
        0.84, -0.41, -0.84,
        4.66,
    ]
)
# fmt: on
ODDS = np.exp(WEIGHTS).astype(np.float32)
ALLY_TARGET = np.float32(0.05)  # the odds of a Wipe-Out for a partner


@compiled
def odds(state, out):
    """Write for every listed move the odds that a good player chooses it. Return their sum."""
    seat = state.seat
    total = np.float32(0)
    if state.phase == TARGET:
        for k in range(state.n_listed):
            is_ally = side(state, int(state.listed[k]) - TARGETS) == side(state, seat)
            out[k] = ALLY_TARGET if is_ally else np.float32(1)
            total += out[k]
        return total
    traits = np.empty(MOST_TRAITS, np.int64)
    own, hand = identity(state, seat), state.hand[seat]
    following = follows(state, seat)
    for k in range(state.n_listed):
        chance = np.float32(1)
        for i in range(look(state, hand, own, following, int(state.listed[k]), traits)):
            chance *= ODDS[traits[i]]
        out[k] = chance
        total += chance
    return total


@inlined
def follows(state, seat):
    if state.phase == FIRST:
        return SECOND_NEXT
    return ALLY_NEXT if side(state, after(state, seat)) == side(state, seat) else OPPONENT_NEXT


MISTAKES = 0.1  # how often a play follows no odds
TRUST = 0.7  # the plays of a seat tell less than if each were independent of the others


@compiled
def likelihood(state, seat, rng):
    """Return how likely the others were to make the plays that everybody saw, if their hands are those of the state.

    It goes back play by play. Which cards of a hand were drawn after a play nobody knows: it assumes any. It changes
    the state.
    """
    out = np.empty(MAX_COUNT, np.float32)
    likely = 1.0
    for other in range(state.players):
        if other != seat:
            likely *= of_past(state, other, out, rng)
    return likely**TRUST


@compiled
def of_past(state, seat, out, rng):
    hand = state.hand[seat]
    held = int(state.held[seat])
    likely = 1.0
    state.seat = seat
    for back in range(min(int(state.n_past[seat]), PAST)):
        place = (int(state.n_past[seat]) - 1 - back) % PAST
        move = int(state.past_move[seat, place])
        kept = int(state.past_held[seat, place]) - 1
        while held > kept:
            ticket, kind = below(rng, held), 0
            while ticket >= hand[kind]:
                ticket -= hand[kind]
                kind += 1
            hand[kind] -= 1
            held -= 1
        hand[quotient(move, SPACES) if move < PLAYS + FLIP else move - PLAYS] += 1
        held += 1
        state.symbol = state.past_symbol[seat, place]
        state.phase = state.past_phase[seat, place]
        state.top[:] = state.past_top[seat, place]
        state.n_listed = list_plays(state)
        total = odds(state, out)
        chosen = np.float32(0)
        for k in range(state.n_listed):
            if state.listed[k] == move:
                chosen = out[k]
        likely *= (1 - MISTAKES) * chosen / total + MISTAKES / state.n_listed
    return likely
