# mypy: ignore-errors
# ruff: noqa: F821
"""Learning for tree searches, in compiled code: the positions of whole matches, and who won them.

The search of informed.py plays all seats with the values so far; now and then a move is drawn at random, to see
something new. Every position where a seat has a choice is remembered, with all cards open, because there a search asks
for a value. The weights are fitted to what followed (a logistic regression): first to the results, then to the values
of the later positions too (the lambda-return), because results are mostly luck. A move that was drawn at random teaches
nothing about the positions before it.
"""

import math
from typing import NamedTuple

import numpy as np

from ludoteca.core.kernel import OVER
from ludoteca.core.random import below
from ludoteca.search import informed

OUT_OF = 1 << 20


class Course(NamedTuple):
    """How matches are played."""

    simulations: int
    exploration: np.float32
    surprises: float  # share of the moves that are drawn at random


class Rows(NamedTuple):
    """Positions, a row for each, in the order of play."""

    places: np.ndarray  # of the features of the seat to move
    amounts: np.ndarray
    lengths: np.ndarray  # number of features
    sides: np.ndarray  # the side of the seat to move
    is_surprise: np.ndarray  # its move is drawn at random
    is_last: np.ndarray  # the match ends before the next row
    results: np.ndarray  # what the side gains in the end: 1 for a win, 0 for a defeat
    goals: np.ndarray  # what its chance should be; UNKNOWN: nothing is known


UNKNOWN = -1.0


def play_and_remember(options, keys, course, weights, pool, deals, tree, rows, n):
    """Play a match for every key, and remember its positions from row n on. Return the next row.

    A match that begins when the rows are full is not played.
    """
    rng, payoffs = np.ones(1, np.uint64), np.zeros(SEATS, np.float32)
    state = pool[0]
    for key in keys:
        rng[0] = key | np.uint64(1)
        first = n
        start(state, options)
        who = next_choice(state, rng)
        while who != OVER and first < len(rows.lengths):
            is_surprise = below(rng, OUT_OF) < course.surprises * OUT_OF
            if n < len(rows.lengths):
                rows.lengths[n] = features(state, who, rows.places[n], rows.amounts[n])
                rows.sides[n] = side(state, who)
                rows.is_surprise[n] = is_surprise
                rows.results[n] = who
                n += 1
            if is_surprise:
                move = move_at(state, below(rng, count(state)))
            else:
                pool[1] = state
                conceal(pool[1], who, rng)
                search_informed(
                    pool[1], pool[2:3], deals, tree, course.simulations, course.exploration, weights, who, rng
                )
                move = most_visited(tree)
            play(state, move)
            who = next_choice(state, rng)
        payoff(state, payoffs)
        for i in range(first, n):
            rows.results[i] = 0.5 + 0.5 * payoffs[np.int64(rows.results[i])]
        if n > first:
            rows.is_last[n - 1] = True
    return n


def chance_of(rows, row, weights):
    """Return the chance that the weights give the seat to move."""
    lead = 0.0
    for i in range(rows.lengths[row]):
        lead += weights[rows.places[row, i]] * rows.amounts[row, i]
    return 1.0 / (1.0 + math.exp(-lead))


def set_goals(rows, weights, fade):
    """Write the goals: what followed, as the weights value it.

    Each later position counts `fade` times as much as the one before it.
    """
    goal = 0.0  # of side 0
    for row in range(len(rows.lengths) - 1, -1, -1):
        is_other = rows.sides[row] != 0
        if rows.is_last[row]:
            goal = 1.0 - rows.results[row] if is_other else rows.results[row]
        expected = chance_of(rows, row, weights)
        if is_other:
            expected = 1.0 - expected
        if rows.is_surprise[row]:
            rows.goals[row] = UNKNOWN
            goal = expected
        else:
            rows.goals[row] = 1.0 - goal if is_other else goal
            goal = (1.0 - fade) * expected + fade * goal


def slope(rows, weights, out):
    """Write how the mean logarithm of the chances of the goals changes with the weights. Return that mean."""
    out[:] = 0.0
    total, n = 0.0, len(rows.lengths)
    for row in range(n):
        goal = rows.goals[row]
        if goal == UNKNOWN:
            continue
        chance = chance_of(rows, row, weights)
        total += goal * math.log(chance + 1e-9) + (1.0 - goal) * math.log(1.0 - chance + 1e-9)
        for i in range(rows.lengths[row]):
            out[rows.places[row, i]] += (goal - chance) * rows.amounts[row, i] / n
    return total / n


FUNCTIONS = (*informed.FUNCTIONS, play_and_remember, chance_of, set_goals, slope)
