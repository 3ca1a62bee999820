"""A position of Match'n Lock! as numbers (core/tensors.py).

Colours come in the order of the seats that play them, the seat that looks first; those that nobody plays come last.
"""

import numpy as np

from ludoteca.core.compiler import compiled
from ludoteca.core.tensors import Symmetry, fill, gathered
from ludoteca.games.matchnlock.circles import CELL, COLOURS, HOLES, SIZE, TURN_BITS, WILD, is_locked, turned
from ludoteca.games.matchnlock.rules import (
    CLOCKWISE,
    DRAW,
    IDLE_ROUNDS,
    LOCKS,
    MAX_MOVES,
    MOST_TOKENS,
    NOTHING,
    PLACING,
    SEATS,
    TURN,
    must_draw,
    quarters,
    stalemate_hole,
)

VERSION = 0
WEDGES = ("NE", "SE", "SW", "NW")
SIDES = ("south", "west", "north", "east")
PLANES = (
    *(f"wedge {wedge} can be colour +{k}" for wedge in WEDGES for k in range(COLOURS)),
    "value of the token, by 20",
    "token is locked",
    *(f"circle of colour +{k} closed, at its lower left token" for k in range(COLOURS)),
    "stalemate",
    *(f"token in hand: wedge {wedge} can be colour +{k}" for wedge in WEDGES for k in range(COLOURS)),
    "value of the token in hand, by 20",
    *(f"points of colour +{k}, by 1000" for k in range(COLOURS)),
    *(f"locks left of colour +{k}, by {LOCKS}" for k in range(COLOURS)),
    *(f"wedges in the bag that can be colour +{k}, by 256" for k in range(COLOURS)),
    *(f"turn of seat +{k}" for k in range(SEATS)),
    *(f"seat +{k} plays" for k in range(SEATS)),
    *(f"I sit in the {side}" for side in SIDES),
    "a token must be placed",
    "a token must be drawn",
    "idle turns, by the most there can be",
    f"tokens in the bag, by {MOST_TOKENS}",
)
SHAPE = (len(PLANES), SIZE, SIZE)
HIGHEST = 8.0
OUTCOMES = MOST_TOKENS
N_CIRCLES = (SIZE - 1) ** 2
LONGEST = HOLES + (HOLES + N_CIRCLES) * (IDLE_ROUNDS * SEATS + 1)  # idle turns between those that are not
N_WEDGES = len(WEDGES)
VALUE = N_WEDGES * COLOURS
LOCKED = VALUE + 1
CLOSED = LOCKED + 1
STALEMATE = CLOSED + COLOURS
IN_HAND = STALEMATE + 1
VALUE_IN_HAND = IN_HAND + N_WEDGES * COLOURS
POINTS = VALUE_IN_HAND + 1
LOCKS_LEFT = POINTS + COLOURS
IN_BAG = LOCKS_LEFT + COLOURS
TURNS = IN_BAG + COLOURS
PLAYS = TURNS + SEATS
SIDE = PLAYS + SEATS
REST = SIDE + len(SIDES)


@compiled
def encode(state, seat, out):
    flat = out.reshape(-1)
    for i in range(IN_HAND * HOLES):
        flat[i] = np.float32(0)
    colours = np.zeros(COLOURS, np.int64)
    for k in range(SEATS):
        other = (seat + k) % state.players if k < state.players else k
        colours[k] = state.colour[other]
        fill(flat, TURNS + k, HOLES, k < state.players and state.actor == other)
        fill(flat, PLAYS + k, HOLES, k < state.players)
    for hole in range(HOLES):
        cell = int(CELL[hole])
        token = int(state.board[cell])
        if token != 0:
            for wedge in range(N_WEDGES):
                for k in range(COLOURS):
                    bit = token >> TURN_BITS * wedge + colours[k] & 1
                    flat[(wedge * COLOURS + k) * HOLES + hole] = np.float32(bit)
            flat[VALUE * HOLES + hole] = np.float32(int(state.value[state.token[hole]]) / 20)
            flat[LOCKED * HOLES + hole] = np.float32(is_locked(state, hole))
        if state.lock[cell] > 0:
            for k in range(COLOURS):
                flat[(CLOSED + k) * HOLES + hole] = np.float32(state.lock[cell] == colours[k] + 1)
    encode_rest(state, seat, colours, flat)


@compiled
def encode_rest(state, seat, colours, flat):
    """What fills a plane, and the stalemate."""
    is_turn = state.actor >= 0 and state.phase == TURN
    if is_turn and not must_draw(state):
        hole = stalemate_hole(state)
        if hole != NOTHING:
            flat[STALEMATE * HOLES + hole] = np.float32(1)
    token, value = 0, 0
    if state.in_hand != NOTHING:
        token = turned(int(state.printed[state.in_hand]), quarters(state, state.seat))
        value = int(state.value[state.in_hand])
    fill(flat, VALUE_IN_HAND, HOLES, value / 20)
    wedges = np.zeros(COLOURS, np.int64)
    for place in range(state.n_bag):
        printed = int(state.printed[state.bag[place]])
        for wedge in range(N_WEDGES):
            bits = printed >> TURN_BITS * wedge & WILD
            for k in range(COLOURS):
                wedges[k] += bits >> colours[k] & 1
    for k in range(COLOURS):
        for wedge in range(N_WEDGES):
            fill(flat, IN_HAND + wedge * COLOURS + k, HOLES, token >> TURN_BITS * wedge + colours[k] & 1)
        fill(flat, POINTS + k, HOLES, state.points[colours[k]] / 1000)
        fill(flat, LOCKS_LEFT + k, HOLES, state.locks[colours[k]] / LOCKS)
        fill(flat, IN_BAG + k, HOLES, wedges[k] / 256)
    for side in range(N_WEDGES):
        fill(flat, SIDE + side, HOLES, quarters(state, seat) == side)
    fill(flat, REST, HOLES, state.actor >= 0 and state.phase == PLACING)
    fill(flat, REST + 1, HOLES, is_turn and must_draw(state))
    most = IDLE_ROUNDS * state.players
    fill(flat, REST + 2, HOLES, min(state.idle, most) / most if state.players > 1 else 0.0)
    fill(flat, REST + 3, HOLES, state.n_bag / MOST_TOKENS)


def outcome(number):
    return f"token {number - MAX_MOVES + 1}"


def symmetries(players):
    """The board turned, if somebody sits on every side that it is turned to: all seats move on as well."""
    for times in {2: (2,), 4: (1, 2, 3)}.get(players, ()):
        places = np.arange(SIZE * SIZE)
        holes = _turned(SIZE, times)
        moves = np.arange(MAX_MOVES + OUTCOMES)
        for first in range(0, DRAW, CLOCKWISE):
            moves[first : first + HOLES] = first + holes
        planes = np.arange(len(PLANES))
        for first in (0, IN_HAND):
            for wedge in range(N_WEDGES):
                image = first + (wedge + times) % N_WEDGES * COLOURS
                planes[first + wedge * COLOURS : first + (wedge + 1) * COLOURS] = image + np.arange(COLOURS)
        planes[SIDE : SIDE + len(SIDES)] = SIDE + (np.arange(len(SIDES)) + times) % len(SIDES)
        observation = gathered(planes, holes)
        circles = np.zeros(SIZE * SIZE, np.int64)  # by the lower left token: the last row and column have none
        inner = places.reshape(SIZE, SIZE)[:-1, :-1].ravel()
        circles[inner[_turned(SIZE - 1, times)]] = inner
        circles[np.setdiff1d(places, inner)] = np.setdiff1d(places, inner)
        for k in range(COLOURS):
            first = (CLOSED + k) * HOLES
            observation[first : first + HOLES] = first + circles
        yield Symmetry(f"turned by {90 * times}", observation, moves, seats=1 if players == 2 else times)


def _turned(size, times):
    """The image of every cell of a square after so many quarter turns clockwise."""
    cells = np.arange(size * size)
    for _ in range(times):
        cells = (size - 1 - cells % size) * size + cells // size
    return cells
