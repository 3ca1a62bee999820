# mypy: ignore-errors
# ruff: noqa: F821
"""Random play, for every kernel. These functions are bound to a game's rules by core/binding.py."""

import numpy as np

from ludoteca.core.kernel import CHANCE, OVER
from ludoteca.core.random import below


def total_weight(state):
    total = 0
    for k in range(count(state)):
        total += weight_at(state, k)
    return total


def outcome_on(state, ticket):
    """The outcome of chance that a ticket falls on when each has as many as its weight."""
    k = 0
    while ticket >= weight_at(state, k):
        ticket -= weight_at(state, k)
        k += 1
    return move_at(state, k)


def random_outcome(state, rng):
    """An outcome of chance, as likely as its weight."""
    return outcome_on(state, below(rng, total_weight(state)))


def random_move(state, rng):
    return move_at(state, below(rng, count(state)))


def playout_move(state, rng):
    """What is played in a playout: anything, unless a game's guide.py knows better."""
    return move_at(state, below(rng, count(state)))  # not random_move: one call more costs a fifth of the speed


def playout(state, rng):
    """Plays to the end."""
    who = actor(state)
    while who != OVER:
        if who == CHANCE:
            play(state, random_outcome(state, rng))
        else:
            play(state, playout_move(state, rng))
        who = actor(state)


def playouts(root, pool, n, rng, totals):
    """Adds up the payoffs of n random matches from a position; pool is room for one state."""
    payoffs = np.zeros(SEATS, np.float32)
    for _ in range(n):
        pool[0] = root
        playout(pool[0], rng)
        payoff(pool[0], payoffs)
        for seat in range(SEATS):
            totals[seat] += payoffs[seat]


CHANCE_FUNCTIONS = (total_weight, outcome_on)
FUNCTIONS = (*CHANCE_FUNCTIONS, random_outcome, random_move, playout_move, playout, playouts)
