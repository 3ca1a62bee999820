# mypy: ignore-errors
# ruff: noqa: F821
"""Random play for every kernel. core/binding.py binds these functions to a game's rules."""

import numpy as np

from ludoteca.core.kernel import CHANCE, OVER
from ludoteca.core.random import below


def total_weight(state):
    total = 0
    for k in range(count(state)):
        total += weight_at(state, k)
    return total


def outcome_on(state, ticket):
    """Return the outcome of chance that a ticket falls on. Each outcome has as many tickets as its weight."""
    k = 0
    while ticket >= weight_at(state, k):
        ticket -= weight_at(state, k)
        k += 1
    return move_at(state, k)


def random_outcome(state, rng):
    """Return a random outcome of chance, by the weights."""
    return outcome_on(state, below(rng, total_weight(state)))


def random_move(state, rng):
    return move_at(state, below(rng, count(state)))


def playout_move(state, rng):
    """Return the move of a playout: any legal move, unless a game's guide.py has a better choice."""
    return move_at(state, below(rng, count(state)))  # inline: a call of random_move would cost a fifth of the speed


def playout(state, rng):
    """Play to the end."""
    who = actor(state)
    while who != OVER:
        if who == CHANCE:
            play(state, random_outcome(state, rng))
        else:
            play(state, playout_move(state, rng))
        who = actor(state)


def playouts(root, pool, n, rng, totals):
    """Add up the payoffs of n random matches from a position. `pool` is room for one state."""
    payoffs = np.zeros(SEATS, np.float32)
    for _ in range(n):
        pool[0] = root
        playout(pool[0], rng)
        payoff(pool[0], payoffs)
        for seat in range(SEATS):
            totals[seat] += payoffs[seat]


CHANCE_FUNCTIONS = (total_weight, outcome_on)
FUNCTIONS = (*CHANCE_FUNCTIONS, random_outcome, random_move, playout_move, playout, playouts)
