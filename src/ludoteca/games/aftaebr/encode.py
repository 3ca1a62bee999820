"""A position of AFTAEBR as numbers (core/tensors.py). Colours are green, light blue, fuchsia, orange."""

from itertools import permutations

import numpy as np

from ludoteca.core.compiler import compiled
from ludoteca.core.tensors import Symmetry, fill, gathered, square_images
from ludoteca.games.aftaebr.rules import (
    BLACK,
    CHOOSES,
    CHOOSING,
    COLOURS,
    EACH,
    MAX_MOVES,
    NOTHING,
    NUMBERS,
    PASS,
    PIECES,
    SEATS,
)
from ludoteca.games.aftaebr.rules import LONGEST as LONGEST_MATCH
from ludoteca.games.aftaebr.squares import BIT, SIZE, SQUARES

VERSION = 0
NAMES = ("green", "light blue", "fuchsia", "orange")
LAYERS = 3  # of a stack, from the top, that are shown piece by piece
PLANES = (
    *(f"number {n}, layer {k}" for k in range(LAYERS) for n in range(1, NUMBERS + 1)),
    *(f"{name}, layer {k}" for k in range(LAYERS) for name in NAMES),
    "pieces in the stack, by 8",
    *(f"{name} {n} of seat +{k}, by 8" for k in range(SEATS) for name in NAMES for n in range(1, NUMBERS + 1)),
    *(f"pieces of seat +{k}, by 32" for k in range(SEATS)),
    *(f"turn of seat +{k}" for k in range(SEATS)),
    "colours are being chosen",
    "another turn for a sequence",
    "the last round",
    "passes in a row, by 4",
    f"turns played, by {LONGEST_MATCH}",
    "board",
)
SHAPE = (len(PLANES), SIZE, SIZE)
HIGHEST = 16.0  # all pieces in one stack
OUTCOMES = BLACK
LONGEST = LONGEST_MATCH + SEATS
COLOUR_PLANES = LAYERS * NUMBERS
HEIGHTS = COLOUR_PLANES + LAYERS * COLOURS
STOCKS = HEIGHTS + 1
IN_STOCK = STOCKS + SEATS * PIECES
TURNS = IN_STOCK + SEATS
REST = TURNS + SEATS


@compiled
def encode(state, seat, out):
    flat = out.reshape(-1)
    for i in range(STOCKS * SQUARES):
        flat[i] = np.float32(0)
    for square in range(SQUARES):
        place, height = int(state.top[BIT[square]]), 0
        while place != NOTHING:
            if height < LAYERS:
                piece = int(state.piece[place])
                flat[(height * NUMBERS + (piece & 3)) * SQUARES + square] = np.float32(1)
                flat[(COLOUR_PLANES + height * COLOURS + (piece >> 2)) * SQUARES + square] = np.float32(1)
            height += 1
            place = int(state.under[place])
        flat[HEIGHTS * SQUARES + square] = np.float32(height / 8)
    for k in range(SEATS):
        other = seat + k if seat + k < state.players else seat + k - state.players
        is_there = k < state.players
        for piece in range(PIECES):
            held = int(state.stock[other * PIECES + piece]) if is_there else 0
            fill(flat, STOCKS + k * PIECES + piece, SQUARES, held / EACH)
        fill(flat, IN_STOCK + k, SQUARES, state.pieces[other] / 32 if is_there else 0.0)
        fill(flat, TURNS + k, SQUARES, is_there and state.actor == other)
    fill(flat, REST, SQUARES, state.phase == CHOOSING)
    fill(flat, REST + 1, SQUARES, state.extra)
    fill(flat, REST + 2, SQUARES, state.closing)
    fill(flat, REST + 3, SQUARES, state.passes / 4)
    fill(flat, REST + 4, SQUARES, state.turn / LONGEST_MATCH)
    fill(flat, REST + 5, SQUARES, 1.0)


def outcome(number):
    return f"lot {number - MAX_MOVES + 1}"


def symmetries(players):
    """The board turned and mirrored, with the colours in any order, and the numbers from 4 to 1."""
    for laid, squares in square_images(SIZE):
        for colours in permutations(range(COLOURS)):
            for numbers in ((0, 1, 2, 3), (3, 2, 1, 0)):
                moves, planes = _moves(squares, colours, numbers), _planes(colours, numbers)
                if (moves != np.arange(len(moves))).any():
                    order = "".join("GLFO"[colour] for colour in colours)
                    name = f"{laid}, colours {order}{', numbers reversed' if numbers[0] else ''}"
                    yield Symmetry(name, gathered(planes, squares), moves)


def _moves(squares, colours, numbers):
    moves = np.arange(MAX_MOVES + OUTCOMES)
    for piece in range(PIECES):
        image = colours[piece >> 2] * NUMBERS + numbers[piece & 3]
        moves[piece * SQUARES : (piece + 1) * SQUARES] = image * SQUARES + squares
    assert PASS == PIECES * SQUARES
    moves[CHOOSES : CHOOSES + COLOURS] = CHOOSES + np.array(colours)
    return moves


def _planes(colours, numbers):
    planes = np.arange(len(PLANES))
    for layer in range(LAYERS):
        planes[layer * NUMBERS : (layer + 1) * NUMBERS] = layer * NUMBERS + np.array(numbers)
        first = COLOUR_PLANES + layer * COLOURS
        planes[first : first + COLOURS] = first + np.array(colours)
    for k in range(SEATS):
        for piece in range(PIECES):
            image = colours[piece >> 2] * NUMBERS + numbers[piece & 3]
            planes[STOCKS + k * PIECES + piece] = STOCKS + k * PIECES + image
    return planes
