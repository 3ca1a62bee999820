"""A position of Tic-Tac Match as a seat sees it, as numbers (core/tensors.py)."""

from itertools import permutations

import numpy as np

from ludoteca.core.compiler import compiled
from ludoteca.core.tensors import Symmetry, fill, gathered, square_images
from ludoteca.games.tictacmatch.cards import COLOURS, DECK, KINDS, SPACES, SYMBOL_KINDS
from ludoteca.games.tictacmatch.plays import (
    CARDS,
    DEALERS,
    FIRST,
    HAND,
    MAX_MOVES,
    PLAY,
    REDEALS,
    REVEAL,
    SEATS,
    SECOND,
    SHUFFLE,
    TARGET,
    TARGETS,
)
from ludoteca.games.tictacmatch.rules import LIMIT, NOBODY, actor, identity, sees

VERSION = 0
SIZE = 3
NAMES = (
    *(f"{symbol} {colour}" for symbol in "XO" for colour in ("red", "blue", "yellow", "green")),
    "Flip",
    "Wipe-Out",
    "Double Play",
)
PHASES = (PLAY, FIRST, SECOND, TARGET)
PLANES = (
    *(f"{name} on top" for name in NAMES[:SYMBOL_KINDS]),
    *(f"{name} covered, by 6" for name in NAMES[:SYMBOL_KINDS]),
    *(f"{name} in the hand of seat +{k}, by 4, where it is seen" for k in range(SEATS) for name in NAMES),
    *(f"cards of seat +{k}, by 4" for k in range(SEATS)),
    *(f"identity of seat +{k} is {symbol}" for k in range(SEATS) for symbol in "XO"),
    *(f"turn of seat +{k}" for k in range(SEATS)),
    *(f"dealer is seat +{k}" for k in range(SEATS)),
    *(f"{name} discarded, by 6" for name in NAMES),
    *(f"phase: {name}" for name in ("play", "first of a Double Play", "second", "name a target")),
    f"cards in the pile, by {DECK}",
    f"turns played, by {LIMIT}",
    "board",
)
SHAPE = (len(PLANES), SIZE, SIZE)
HIGHEST = 1.0
OUTCOMES = REDEALS + SEATS - MAX_MOVES
LONGEST = 3 * LIMIT  # a Double Play is three decisions
COVERED = SYMBOL_KINDS
HANDS = COVERED + SYMBOL_KINDS
SIZES = HANDS + SEATS * KINDS
IDENTITIES = SIZES + SEATS
TURNS = IDENTITIES + 2 * SEATS
DEALER = TURNS + SEATS
DISCARDS = DEALER + SEATS
PHASE = DISCARDS + KINDS
REST = PHASE + len(PHASES)


@compiled
def encode(state, seat, out):
    """Of the others' hands it reads what `sees` allows, and of the draw pile the number of its cards."""
    flat = out.reshape(-1)
    for i in range(len(flat)):
        flat[i] = np.float32(0)
    for space in range(SPACES):
        if state.top[space] > 0:
            flat[(int(state.top[space]) - 1) * SPACES + space] = np.float32(1)
        for i in range(state.n_under[space]):
            flat[(COVERED + int(state.under[space, i]) - 1) * SPACES + space] += np.float32(1 / 6)
    acts = actor(state)
    for k in range(state.players):
        other = seat + k if seat + k < state.players else seat + k - state.players
        if sees(state, seat, other):
            for kind in range(KINDS):
                fill(flat, HANDS + k * KINDS + kind, SPACES, state.hand[other, kind] / HAND)
        fill(flat, SIZES + k, SPACES, state.held[other] / HAND)
        if state.symbol != NOBODY:
            fill(flat, IDENTITIES + 2 * k + identity(state, other), SPACES, 1.0)
        fill(flat, TURNS + k, SPACES, acts == other)
        fill(flat, DEALER + k, SPACES, state.dealer == other)
    for kind in range(KINDS):
        fill(flat, DISCARDS + kind, SPACES, state.discards[kind] / 6)
    for i, phase in enumerate(PHASES):
        fill(flat, PHASE + i, SPACES, state.phase == phase)
    fill(flat, REST, SPACES, state.left / DECK)
    fill(flat, REST + 1, SPACES, state.turn / LIMIT)
    fill(flat, REST + 2, SPACES, 1.0)


def outcome(number):
    if number < CARDS:
        return f"dealer is seat {number - DEALERS}"
    if number < SHUFFLE:
        return NAMES[number - CARDS]
    return "shuffle" if number == SHUFFLE else f"redeal of seat {number - REDEALS}"


def told(state, seat, number):
    """A move, or an outcome of chance, as a seat is told of it, where that is not its name alone."""
    if CARDS <= number < SHUFFLE and state.phase != REVEAL:
        return f"seat {state.drawer} draws {NAMES[number - CARDS] if seat == state.drawer else 'a card'}"
    laid_down = number - REDEALS if number >= REDEALS else number - TARGETS if TARGETS <= number < MAX_MOVES else None
    if laid_down is None:
        return None
    hand = [name for kind, name in enumerate(NAMES) for _ in range(state.hand[laid_down, kind])]
    return f"seat {laid_down} lays down {', '.join(hand)}"


def symmetries(players):
    """The board turned and mirrored, with the colours in any order, and X and O exchanged."""
    for laid, spaces in square_images(SIZE):
        for colours in permutations(range(COLOURS)):
            for symbols in ((0, 1), (1, 0)):
                kinds = np.arange(KINDS)
                kinds[:SYMBOL_KINDS] = [symbols[k // COLOURS] * COLOURS + colours[k % COLOURS] for k in range(8)]
                moves = _moves(spaces, kinds)
                if (moves != np.arange(len(moves))).any():
                    order = "".join("RBYG"[colour] for colour in colours)
                    name = f"{laid}, colours {order}{', X and O exchanged' if symbols[0] else ''}"
                    yield Symmetry(name, gathered(_planes(kinds, symbols), spaces), moves)


def _moves(spaces, kinds):
    moves = np.arange(MAX_MOVES + OUTCOMES)
    for kind in range(SYMBOL_KINDS):
        moves[kind * SPACES : (kind + 1) * SPACES] = kinds[kind] * SPACES + spaces
    moves[CARDS : CARDS + KINDS] = CARDS + kinds
    return moves


def _planes(kinds, symbols):
    planes = np.arange(len(PLANES))
    for first in (0, COVERED):
        planes[first : first + SYMBOL_KINDS] = first + kinds[:SYMBOL_KINDS]
    for first in (*(HANDS + k * KINDS for k in range(SEATS)), DISCARDS):
        planes[first : first + KINDS] = first + kinds
    for k in range(SEATS):
        planes[IDENTITIES + 2 * k : IDENTITIES + 2 * k + 2] = IDENTITIES + 2 * k + np.array(symbols)
    return planes
