"""How a good player chooses: the odds of every move, and what the plays of a seat tell about its hand.

A player judges a move by the threats that it leaves. A threat is a card that would make a line of three.
"""

import numpy as np

from ludoteca.core.compiler import compiled, inlined, quotient
from ludoteca.core.random import below
from ludoteca.games.tictacmatch.cards import COLOURS, DOUBLE, FLIP, SPACES, WIPE_OUT, makes_line
from ludoteca.games.tictacmatch.plays import FIRST, MAX_COUNT, PLAY, PLAYS, TARGET, TARGETS, list_plays
from ludoteca.games.tictacmatch.rules import PAST, after, identity, side
from ludoteca.games.tictacmatch.threats import (
    BITS,
    ONE_CARD,
    ONE_SYMBOL,
    TWO_CARDS,
    completing,
    held_kinds,
    in_any,
    in_any_after,
    of_symbol,
    with_any,
)

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
def leaves(found, held, own, following):
    """Return the index of threats: the kinds that complete a line, for a side that holds these kinds."""
    mine, theirs = (found >> (COLOURS * own)) & ONE_SYMBOL, (found >> (COLOURS * (1 - own))) & ONE_SYMBOL
    level = 3 if found & held & of_symbol(own) else min(2, BITS[mine])
    return LEFT + (following * THEIRS + min(2, BITS[theirs])) * MINE + level


@inlined
def can_win_twice(lines, pair_lines, hand, own):
    """Return whether a Double Play makes a line: of two equal cards, or of the others' symbol after a Flip."""
    if hand[FLIP] > 0 and in_any(lines) & held_kinds(hand, 1) & of_symbol(1 - own):
        return True
    return with_any(pair_lines, held_kinds(hand, 2) & of_symbol(own)) > 0


@compiled
def look(state, hand, own, following, lines, move, traits):
    """Write what a player looks at in a move that is no target. Return the number of traits.

    `lines` are the kinds that complete each line with one card.
    """
    if move >= PLAYS + FLIP:
        kind = move - PLAYS
        found = in_any(lines)
        if kind == FLIP:
            traits[0] = leaves(found, held_kinds(hand, 1), 1 - own, following)
            traits[1] = FLIPS + (0 if state.phase == PLAY else 1)
            return 2
        kinds = min(2, BITS[(found >> (COLOURS * (1 - own))) & ONE_SYMBOL])
        traits[0] = (WIPES if kind == WIPE_OUT else DOUBLES) + kinds
        if kind == DOUBLE and can_win_twice(lines, completing(state, TWO_CARDS), hand, own):
            traits[1] = WINS_TWICE
            return 2
        return 1
    kind = quotient(move, SPACES)
    space = move - kind * SPACES
    is_theirs = quotient(kind, COLOURS) != own
    if makes_line(state, kind, space):
        traits[0] = LOSES if is_theirs else WINS
        return 1
    held = held_kinds(hand, 1) if hand[kind] > 1 else held_kinds(hand, 1) & ~(1 << kind)
    traits[0] = leaves(in_any_after(state, lines, kind, space), held, own, following)
    covered = int(state.top[space])
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
    following, lines = follows(state, seat), completing(state, ONE_CARD)
    for k in range(state.n_listed):
        chance = np.float32(1)
        for i in range(look(state, hand, own, following, lines, int(state.listed[k]), traits)):
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
