# mypy: ignore-errors
# ruff: noqa: F821
"""Learning from self-play in compiled code: TD(lambda) with temporal coherence, for every game with features.

The lookahead plays both sides with the values that are being learned. Every turn's first position is remembered,
because that is where a search stops to ask for a value. After the match each of them is moved towards what followed:
the values of the later positions, and the result (the lambda-return). Every weight has a rate of its own: as long as
its errors have one sign it moves fast, when they cancel out it hardly moves (temporal coherence). A turn that was made
at random, to see something new, teaches nothing about the positions before it.

Against a rival, another lookahead with the guide's own value plays all seats but the learner's. The values then tell
what beats this rival, also where perfect play would make all moves equal. The learner begins every match, or takes
every seat in turn. Then a match teaches from the learner's point of view alone.

Otherwise, where there are two sides, positions are learned from one side's point of view, because features of the other
side are mostly the same with the sign changed; where there are more, from every side's. Several threads may learn from
their matches at the same time with the same weights, without locks; the result then depends on their timing. One thread
always gives the same weights.
"""

import math
from typing import NamedTuple

import numpy as np

from ludoteca.core.kernel import CHANCE, OVER, Rules
from ludoteca.core.random import below, ticket_at

MOST_TURNS = 2048  # turns of a match that are remembered
OUT_OF = 1 << 20


class Lessons(NamedTuple):
    """What learning changes: the weights, and for each the sum of its errors and of their sizes."""

    weights: np.ndarray
    errors: np.ndarray
    sizes: np.ndarray


class Course(NamedTuple):
    """How matches are played and how fast they teach."""

    turns: int  # depth of the search that plays
    noise: float
    surprises: float  # share of turns that begin with a random move
    surprised: int  # number of the best moves from which a random one is drawn
    rate: float
    fade: float  # lambda: how much the later positions and the result count, compared with the next position
    scale: float
    rival_turns: int  # depth of the rival's search; 0: the learner plays all seats
    rival_noise: float
    every_seat: bool  # against a rival, the learner takes every seat in turn; otherwise it begins


class Memory(NamedTuple):
    """Room for one match: its positions at the beginning of turns, and which turns began with a random move."""

    states: np.ndarray
    is_surprise: np.ndarray
    pool: np.ndarray
    rng: np.ndarray


def new_memory(rules: Rules) -> Memory:
    return Memory(
        np.zeros(MOST_TURNS, rules.State).view(np.recarray),
        np.zeros(MOST_TURNS, np.bool_),
        np.zeros(1, rules.State).view(np.recarray),
        np.ones(1, np.uint64),
    )


def surprise(desk, state, most, rng):
    """Return one of the best moves of the guide's ranking, drawn at random."""
    desk.pool[0] = state
    return int(desk.short_moves[0, below(rng, min(most, shortlist(desk, 0)))])


def play_match(options, key, place, desk, rival, course, memory):
    """Play a match and remember its turns. Return how many, and the learner's seat; the last state is memory.pool[0].

    Against a rival, the learner sits this many places after the seat that acts first.
    """
    state = memory.pool[0]
    start(state, options)
    draws, turns, last, learner = 0, 0, -1, -1
    who = actor(state)
    while who != OVER:
        if who == CHANCE:
            draws += 1
            move = outcome_on(state, ticket_at(key, draws, total_weight(state)))
        else:
            is_new, drawn = who != last, False
            last = who
            if learner < 0:
                learner = (who + place) % state.players
            is_rival = course.rival_turns > 0 and who != learner
            if is_new:
                drawn = not is_rival and below(memory.rng, OUT_OF) < course.surprises * OUT_OF
                if turns < MOST_TURNS:
                    memory.states[turns] = state
                    memory.is_surprise[turns] = drawn
                    turns += 1
            if drawn:
                move = surprise(desk, state, course.surprised, memory.rng)
            elif is_rival:
                move = best_move(rival, state, course.rival_turns, course.rival_noise, memory.rng)
            else:
                move = best_move(desk, state, course.turns, course.noise, memory.rng)
        play(state, move)
        who = actor(state)
    return turns, learner


def learn_for(seat, turns, desk, course, memory, lessons):
    """Move the values of a match's positions for one seat's side towards what followed. Return the sum of errors."""
    places, amounts = desk.places, desk.amounts
    goal = math.tanh(final(memory.pool[0], seat) / course.scale)
    wrong = 0.0
    for turn in range(turns - 1, -1, -1):
        state = memory.states[turn]
        lead = np.float64(base(state, seat))
        n, norm = features(state, seat, places, amounts), 0.0
        for i in range(n):
            lead += lessons.weights[places[i]] * amounts[i]
            norm += amounts[i] * amounts[i]
        expected = math.tanh(lead / course.scale)
        if memory.is_surprise[turn]:
            goal = expected
            continue
        error = goal - expected
        wrong += abs(error)
        step = course.rate * course.scale * error / max(norm, 1.0)
        for i in range(n):
            place, by = places[i], error * amounts[i]
            lessons.errors[place] += by
            lessons.sizes[place] += abs(by)
            if lessons.sizes[place] > 0.0:
                coherence = abs(lessons.errors[place]) / lessons.sizes[place]
                lessons.weights[place] += coherence * step * amounts[i]
        goal = (1.0 - course.fade) * expected + course.fade * goal
    return wrong


def speaks_for_side(state, seat):
    """Return whether a seat's point of view is learned: that of the first of its side, and of two sides of one."""
    sides = 0
    for other in range(state.players):
        is_first = True
        for before in range(other):
            if side(state, before) == side(state, other):
                is_first = False
        sides += is_first
        if other == seat and not is_first:
            return False
    return sides > 2 or seat == 0


def train_matches(options, keys, desk, rival, course, memory, lessons):
    """Play matches and learn from each. Return the number of positions, and the sum of their errors."""
    positions, wrong = 0, 0.0
    for number in range(len(keys)):
        key, place = keys[number], number if course.every_seat else 0
        memory.rng[0] = key | np.uint64(1)
        turns, learner = play_match(options, key, place, desk, rival, course, memory)
        state = memory.pool[0]
        for seat in range(state.players):
            if seat == learner if course.every_seat else speaks_for_side(state, seat):
                wrong += learn_for(seat, turns, desk, course, memory, lessons)
                positions += turns
    return positions, wrong


FUNCTIONS = (surprise, play_match, learn_for, speaks_for_side, train_matches)
