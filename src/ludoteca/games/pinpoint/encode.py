"""A position of Pin Point as numbers (core/tensors.py). Colours are red, yellow, green, blue."""

from itertools import permutations

import numpy as np

from ludoteca.core.compiler import compiled
from ludoteca.core.tensors import Symmetry, fill, gathered, square_images
from ludoteca.games.pinpoint.rules import (
    BLACK,
    COLOURS,
    EMPTY,
    HOLES,
    JOKERS,
    MANNERS,
    MAX_MOVES,
    SEATS,
    SETS_UP,
    SIZE,
    STARTS,
    WIDTH,
)

VERSION = 0
NAMES = ("red", "yellow", "green", "blue")
PLANES = (
    "empty holes",
    *(f"{name} pins" for name in NAMES),
    "black ends",
    "jokers of this turn",
    *(f"{name} pin still to be put" for name in NAMES),
    *(f"jokers of seat +{k}, by {JOKERS}" for k in range(SEATS)),
    *(f"points of seat +{k}, by 100" for k in range(SEATS)),
    *(f"turn of seat +{k}" for k in range(SEATS)),
    "partners",
)
SHAPE = (len(PLANES), SIZE, SIZE)
HIGHEST = 5.0
OUTCOMES = SEATS + COLOURS
LONGEST = HOLES
SHOWN = COLOURS + 2
HAND = SHOWN + 1
JOKERS_LEFT = HAND + COLOURS
POINTS = JOKERS_LEFT + SEATS
TURNS = POINTS + SEATS
PARTNERS = TURNS + SEATS
U = np.uint64  # an index that cannot be negative: the compiler asks no questions


@compiled
def encode(state, seat, out):
    flat = out.reshape(-1)
    for i in range(HAND * HOLES):
        flat[i] = np.float32(0)
    for row in range(SIZE):
        first, hole = U((row + 1) * WIDTH + 1), U(row * SIZE)
        for column in range(SIZE):
            pin = U(state.board[first + U(column)])  # 0 where it is empty, COLOURS + 1 where it is black
            flat[pin * U(HOLES) + hole + U(column)] = np.float32(1)
    for i in range(state.n_shown):
        cell = int(state.jokers_shown[i])
        if state.board[cell] != BLACK:
            out[SHOWN, cell // WIDTH - 1, cell % WIDTH - 1] = 1.0
    for colour in range(COLOURS):
        fill(flat, HAND + colour, HOLES, state.hand >> colour & 1)
    for k in range(SEATS):
        other = seat + k if seat + k < state.players else seat + k - state.players
        is_there = k < state.players
        fill(flat, JOKERS_LEFT + k, HOLES, state.jokers[other] / JOKERS if is_there else 0.0)
        fill(flat, POINTS + k, HOLES, state.score[other] / 100 if is_there else 0.0)
        fill(flat, TURNS + k, HOLES, is_there and state.actor == other)
    fill(flat, PARTNERS, HOLES, state.teams)


@compiled
def mask(state, out):
    """Every pin in hand may go into every empty hole, with a joker left also as any colour."""
    manners = MANNERS if state.jokers[state.seat] > 0 else 1
    for row in range(SIZE):
        first, hole = U((row + 1) * WIDTH + 1), U(row * SIZE)
        for column in range(SIZE):
            out[hole + U(column)] = state.board[first + U(column)] == EMPTY
    for kind in range(COLOURS * MANNERS - 1, -1, -1):  # the first one, which the others are copies of, comes last
        start = U(kind * HOLES)
        is_possible = state.hand >> kind // MANNERS & 1 and kind % MANNERS < manners
        for hole in range(HOLES):
            out[start + U(hole)] = out[U(hole)] if is_possible else 0


def outcome(number):
    return f"seat {number - STARTS} begins" if number < SETS_UP else f"{NAMES[number - SETS_UP]} pin set up"


def symmetries(players):
    """The board turned and mirrored, with the colours in any order."""
    for laid, holes in square_images(SIZE):
        for colours in permutations(range(COLOURS)):
            planes = np.arange(len(PLANES))
            planes[1 : 1 + COLOURS] = 1 + np.array(colours)
            planes[HAND : HAND + COLOURS] = HAND + np.array(colours)
            manners = (0, *(1 + colour for colour in colours))
            moves = np.arange(MAX_MOVES + OUTCOMES)
            for pin in range(COLOURS):
                for manner in range(MANNERS):
                    first = (pin * MANNERS + manner) * HOLES
                    moves[first : first + HOLES] = (colours[pin] * MANNERS + manners[manner]) * HOLES + holes
                moves[SETS_UP + pin] = SETS_UP + colours[pin]
            if (moves[:STARTS] != np.arange(STARTS)).any():
                name = f"{laid}, colours {''.join('RYGB'[colour] for colour in colours)}"
                yield Symmetry(name, gathered(planes, holes), moves)
