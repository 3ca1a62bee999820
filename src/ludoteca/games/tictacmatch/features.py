"""What the value of a position of Tic-Tac Match is made of. The contract is in search/learned.py.

The seat to move counts first, then the seats after it. All hands are open: a search that knows only its own hand asks
for the value of a deal. Each of the three tables (two players, teams, everybody alone) has weights of its own.
"""

from ludoteca.core.compiler import compiled, inlined
from ludoteca.games.tictacmatch.cards import COLOURS, DOUBLE, FLIP, SYMBOL_KINDS, WIPE_OUT
from ludoteca.games.tictacmatch.plays import FIRST, HAND, PLAY, SEATS, TARGET
from ludoteca.games.tictacmatch.policy import can_win_twice
from ludoteca.games.tictacmatch.rules import after, identity, side
from ludoteca.games.tictacmatch.threats import (
    ONE_CARD,
    TWO_CARDS,
    completing,
    count_answers,
    held_kinds,
    in_any,
    of_symbol,
    with_any,
)

# Weights of the board, and of what the seat to move can do about the next one.
WINS = 0  # it can make a line in this turn: nothing else counts
PHASE = 1  # + a card, the first or the second of a Double Play, or a target is due
ANSWERS = 4  # none, one, two, more
THREATENED = PHASE + 4  # + ((answers * 2 + can Flip to safety) * 2 + Wipe-Out) * 2 + next has a winning Double Play
CALM = THREATENED + 8 * ANSWERS  # + (next has a winning Double Play * 2 + Wipe-Out) * 2 + Flip
MOST_LINES = 3  # more count as three
MINE, THEIRS = CALM + 8, CALM + 12  # + lines that a card of this side's symbol, or of the others', completes
DRAWS_MINE, DRAWS_THEIRS = CALM + 16, CALM + 17  # times the share of such cards in the draw pile
HANDS = CALM + 18

# Weights of a hand, after HANDS + its distance from the seat to move * HAND_WEIGHTS.
COMPLETES, AFTER_FLIP = 0, 4  # + lines that its cards complete: now, after a Flip
PAIRS, SINGLES, PAIRS_AFTER_FLIP = 8, 12, 16  # + lines that two equal cards complete: it has both, one; after a Flip
CARDS = 20  # + cards with its symbol
FLIPS, WIPES, DOUBLES = CARDS + HAND + 1, CARDS + HAND + 3, CARDS + HAND + 5  # one, more
WINS_AFTER_FLIP = CARDS + HAND + 7  # it has the Flip too
WINS_TWICE = WINS_AFTER_FLIP + 1
HAND_WEIGHTS = WINS_TWICE + 1

TABLE = HANDS + SEATS * HAND_WEIGHTS
WEIGHTS = 3 * TABLE
MOST_FEATURES = 6 + SEATS * 11


@inlined
def add(places, amounts, n, place, amount):
    places[n] = place
    amounts[n] = amount
    return n + 1


@compiled
def can_win_now(state, hand, own, lines, pair_lines):
    """Return whether the seat to move can make a line of its own in this turn."""
    if state.phase == TARGET:
        return False
    if in_any(lines) & held_kinds(hand, 1) & of_symbol(own):
        return True
    if state.phase == FIRST or (state.phase == PLAY and hand[DOUBLE] > 0):
        return can_win_twice(lines, pair_lines, hand, own)
    return False


@compiled
def add_hand(hand, symbol, lines, pair_lines, first, sign, places, amounts, n):
    """Add the features of a hand whose weights begin at `first`. Return the number of features."""
    held, pairs, own, others = held_kinds(hand, 1), held_kinds(hand, 2), of_symbol(symbol), of_symbol(1 - symbol)
    flipped = with_any(lines, held & others)
    n = add(places, amounts, n, first + COMPLETES + min(with_any(lines, held & own), MOST_LINES), sign)
    n = add(places, amounts, n, first + AFTER_FLIP + min(flipped, MOST_LINES), sign)
    n = add(places, amounts, n, first + PAIRS + min(with_any(pair_lines, pairs & own), MOST_LINES), sign)
    n = add(places, amounts, n, first + SINGLES + min(with_any(pair_lines, held & ~pairs & own), MOST_LINES), sign)
    n = add(places, amounts, n, first + PAIRS_AFTER_FLIP + min(with_any(pair_lines, pairs & others), MOST_LINES), sign)
    cards = 0
    for colour in range(COLOURS):
        cards += int(hand[COLOURS * symbol + colour])
    n = add(places, amounts, n, first + CARDS + cards, sign)
    if hand[FLIP] > 0:
        n = add(places, amounts, n, first + FLIPS + int(hand[FLIP] > 1), sign)
        if flipped > 0:
            n = add(places, amounts, n, first + WINS_AFTER_FLIP, sign)
    if hand[WIPE_OUT] > 0:
        n = add(places, amounts, n, first + WIPES + int(hand[WIPE_OUT] > 1), sign)
    if hand[DOUBLE] > 0:
        n = add(places, amounts, n, first + DOUBLES + int(hand[DOUBLE] > 1), sign)
        if can_win_twice(lines, pair_lines, hand, symbol):
            n = add(places, amounts, n, first + WINS_TWICE, sign)
    return n


@compiled
def place_of_danger(state, hand, lines, pair_lines):
    """Return the weight for what the next seat, an opponent, threatens, and what the seat to move has against it."""
    rival = after(state, state.seat)
    symbol, held = identity(state, rival), held_kinds(state.hand[rival], 1)
    every = in_any(lines)
    has_double = state.hand[rival, DOUBLE] > 0
    wins_twice = int(has_double and can_win_twice(lines, pair_lines, state.hand[rival], symbol))
    wipes = int(state.phase == PLAY and hand[WIPE_OUT] > 0)
    feared = held & of_symbol(symbol)
    if not every & feared:
        return CALM + (wins_twice * 2 + wipes) * 2 + int(hand[FLIP] > 0)
    answers = count_answers(state, hand, lines, feared, ANSWERS - 1)
    is_safe = int(hand[FLIP] > 0 and not every & held & of_symbol(1 - symbol))
    return THREATENED + ((answers * 2 + is_safe) * 2 + wipes) * 2 + wins_twice


@compiled
def features(state, seat, places, amounts):
    """Write the features of a position where a seat is to move."""
    mover = state.seat
    sign = 1.0 if side(state, seat) == side(state, mover) else -1.0
    table = 0 if state.players == 2 else TABLE if state.teams else 2 * TABLE
    own, hand = identity(state, mover), state.hand[mover]
    lines, pair_lines = completing(state, ONE_CARD), completing(state, TWO_CARDS)
    if can_win_now(state, hand, own, lines, pair_lines):
        return add(places, amounts, 0, table + WINS, sign)
    n = add(places, amounts, 0, table + PHASE + state.phase - PLAY, sign)
    if state.phase != TARGET and side(state, after(state, mover)) != side(state, mover):
        n = add(places, amounts, n, table + place_of_danger(state, hand, lines, pair_lines), sign)
    mine, theirs = of_symbol(own), of_symbol(1 - own)
    n = add(places, amounts, n, table + MINE + min(with_any(lines, mine), MOST_LINES), sign)
    n = add(places, amounts, n, table + THEIRS + min(with_any(lines, theirs), MOST_LINES), sign)
    every, good, bad = in_any(lines), 0, 0
    for kind in range(SYMBOL_KINDS):
        if every >> kind & 1:
            if mine >> kind & 1:
                good += int(state.pile[kind])
            else:
                bad += int(state.pile[kind])
    n = add(places, amounts, n, table + DRAWS_MINE, sign * good / max(1, state.left))
    n = add(places, amounts, n, table + DRAWS_THEIRS, sign * bad / max(1, state.left))
    other = mover
    for distance in range(state.players):
        toward = sign if side(state, other) == side(state, mover) else -sign
        first = table + HANDS + distance * HAND_WEIGHTS
        symbol = identity(state, other)
        n = add_hand(state.hand[other], symbol, lines, pair_lines, first, toward, places, amounts, n)
        other = after(state, other)
    return n
