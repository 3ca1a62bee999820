# mypy: ignore-errors
# ruff: noqa: F821
"""Tree search for games with secrets that knows how good players choose. A game's guide.py has two functions for it:

- `odds(state, out)` writes for every legal move, in the order of `move_at`, the odds that a good player chooses it, and
  returns their sum. It reads only what the seat to move may know.
- `likelihood(state, seat, rng)` returns how likely the others were to play what everybody saw, if they hold what they
  hold in this state. It may change the state: the search passes a copy.

The search deals some hands like tree.py, weighs each deal by its likelihood, and starts every simulation from one of
them. In the tree it tries first what the odds favour (PUCT). Playouts are those of tree.py.

With weights there are no playouts: the value of the position that a simulation reaches is learned. For that a guide.py
has `features`, `WEIGHTS` and `MOST_FEATURES` as in learned.py. They describe a deal, in which a seat is to move and all
is open; the value is the logarithm of the odds that the seat's side wins. This is for matches of two sides.
"""

import math
from typing import NamedTuple

import numpy as np

from ludoteca.core.kernel import CHANCE, OVER
from ludoteca.core.random import below
from ludoteca.search import playouts
from ludoteca.search.tree import LONGEST_PATH, most_visited, new_node

TICKETS = 1 << 30
LEARNS, MOST_FEATURES = False, 1  # without features in the guide


class Desk(NamedTuple):
    """Room to choose among the moves of a position, and to value it."""

    odds: np.ndarray  # in the order of `move_at`
    children: np.ndarray  # by move: its child in the tree; 0: none
    places: np.ndarray  # of the weights that count
    amounts: np.ndarray


def weigh_deals(root, pool, deals, sums, seat, rng):
    """Deal hidden things anew, as often as there is room, and write the sums of the likelihoods so far."""
    total = 0.0
    for i in range(len(deals)):
        deals[i] = root
        conceal(deals[i], seat, rng)
        pool[0] = deals[i]
        total += likelihood(pool[0], seat, rng)
        sums[i] = total


def drawn_deal(sums, rng):
    """Return the place of a deal, drawn by the likelihoods."""
    low, high = 0, len(sums) - 1
    ticket = below(rng, TICKETS) * (sums[high] / TICKETS)
    while low < high:
        middle = (low + high) >> 1
        if sums[middle] > ticket:
            high = middle
        else:
            low = middle + 1
    return low


def select_by_odds(tree, node, used, state, who, exploration, desk):
    """Return the most promising child whose move this deal allows, and the number of nodes in use.

    A move that was never tried counts as much as the mean of those that were. If it promises most, it gets a new child.
    """
    total, n = odds(state, desk.odds), count(state)
    child = tree[node].first
    while child != 0:
        desk.children[tree[child].move] = child
        child = tree[child].next
    value, visits = np.float32(0), 0
    for k in range(n):
        child = desk.children[move_at(state, k)]
        if child != 0:
            tree[child].available += 1
            value += tree[child].value
            visits += tree[child].visits
    mean = value / visits if visits > 0 else np.float32(0)
    best, best_move, best_bound = 0, 0, np.float32(-math.inf)
    for k in range(n):
        move = move_at(state, k)
        child = desk.children[move]
        urge = exploration * desk.odds[k] / total
        if child == 0:
            bound = mean + urge * math.sqrt(np.float32(tree[node].visits + 1))
        else:
            kid = tree[child]
            bound = kid.value / kid.visits + urge * math.sqrt(np.float32(kid.available)) / np.float32(kid.visits + 1)
        if bound > best_bound:
            best, best_move, best_bound = child, move, bound
    child = tree[node].first
    while child != 0:
        desk.children[tree[child].move] = 0
        child = tree[child].next
    if best != 0 or used == len(tree):
        return best, used
    new_node(tree, used, best_move, who)
    tree[used].available = 1
    tree[used].next = tree[node].first
    tree[node].first = used
    tree[node].kids += 1
    return used, used + 1


def descend_by_odds(tree, used, state, path, exploration, desk, rng):
    """Walk down to a new leaf where a seat had a choice. Return the path's length and the number of nodes in use."""
    node, depth = 0, 1
    who = actor(state)
    while who != OVER and depth < LONGEST_PATH:
        if who == CHANCE:
            play(state, random_outcome(state, rng))
        else:
            is_forced = count(state) == 1
            node, used = select_by_odds(tree, node, used, state, who, exploration, desk)
            if node == 0:
                break
            play(state, tree[node].move)
            path[depth] = node
            depth += 1
            if tree[node].visits == 0 and not is_forced:
                break
        who = actor(state)
    return depth, used


def next_choice(state, rng):
    """Play the draws of chance and the moves that are forced. Return the seat that has a choice, or OVER."""
    who = actor(state)
    while who == CHANCE or (who != OVER and count(state) == 1):
        play(state, random_outcome(state, rng) if who == CHANCE else move_at(state, 0))
        who = actor(state)
    return who


def expect(state, who, desk, weights, payoffs):
    """Write what every seat may expect, by the learned value of a position where this seat is to move."""
    total = np.float32(0)
    for i in range(features(state, who, desk.places, desk.amounts)):
        total += weights[desk.places[i]] * desk.amounts[i]
    worth = np.float32(math.tanh(0.5 * total))
    for seat in range(SEATS):
        payoffs[seat] = worth if side(state, seat) == side(state, who) else -worth


def conclude(state, desk, weights, payoffs, rng):
    """Write what every seat gets from here: as the weights say, or without any, in a playout."""
    if LEARNS:  # noqa: SIM102 - the compiler drops a branch only if a constant alone decides it
        if len(weights) > 0:
            who = next_choice(state, rng)
            if who != OVER:
                expect(state, who, desk, weights, payoffs)
                return
    playout(state, rng)
    payoff(state, payoffs)


def search_informed(root, pool, deals, tree, simulations, exploration, weights, seat, rng):
    """Grow the tree from a position where the seat acts. Return the number of nodes in use.

    `deals` is room for the deals. tree[0] is the root.
    """
    path = np.zeros(LONGEST_PATH, np.int32)
    payoffs = np.zeros(SEATS, np.float32)
    places, amounts = np.zeros(MOST_FEATURES, np.int32), np.zeros(MOST_FEATURES, np.float32)
    desk = Desk(np.zeros(MAX_COUNT, np.float32), np.zeros(MAX_MOVES, np.int32), places, amounts)
    sums = np.zeros(len(deals))
    weigh_deals(root, pool, deals, sums, seat, rng)
    new_node(tree, 0, -1, CHANCE)
    used = 1
    for _ in range(simulations):
        pool[0] = deals[drawn_deal(sums, rng)]
        state = pool[0]
        depth, used = descend_by_odds(tree, used, state, path, exploration, desk, rng)
        conclude(state, desk, weights, payoffs, rng)
        for i in range(depth):
            visited = tree[path[i]]
            visited.visits += 1
            if visited.mover >= 0:
                visited.value += payoffs[visited.mover]
    return used


FUNCTIONS = (
    *playouts.FUNCTIONS,
    new_node,
    weigh_deals,
    drawn_deal,
    select_by_odds,
    descend_by_odds,
    next_choice,
    expect,
    conclude,
    search_informed,
    most_visited,
)
