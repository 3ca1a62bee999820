# mypy: ignore-errors
# ruff: noqa: F821
"""Tree search (UCT) for every kernel: several seats, chance, hidden information.

Every seat maximises its own payoff. Chance is sampled by its weights. Before each simulation `conceal` deals anew what
the searching seat cannot see. The children of a node are then the moves that were legal in some deal, and the search
judges each by how often it was available. Draws of chance, which that seat may not see, do not branch.
"""

import math

import numpy as np

from ludoteca.core.kernel import CHANCE, OVER, Rules
from ludoteca.core.random import below
from ludoteca.search import playouts

LONGEST_PATH = 4096
BEST_PAYOFF = 1.0

FIELDS = [
    ("first", np.int32),  # the first child
    ("kids", np.int32),
    ("move", np.int32),
    ("mover", np.int32),  # the seat whose move leads here
    ("visits", np.int32),
    ("value", np.float32),  # the sum of the mover's payoffs
]
OpenNode = np.dtype(FIELDS, align=True)  # its children are neighbours in the array
HiddenNode = np.dtype([*FIELDS, ("next", np.int32), ("available", np.int32)], align=True)  # they are a linked list


def new_tree(rules: Rules, room: int) -> np.ndarray:
    return np.zeros(room, HiddenNode if rules.HIDDEN else OpenNode).view(np.recarray)


def new_node(tree, place, move, mover):
    node = tree[place]
    node.first = 0
    node.kids = 0
    node.move = move
    node.mover = mover
    node.visits = 0
    node.value = 0.0


def expand(tree, node, used, state, who):
    """Add all children of a node at once. Return the number of nodes in use."""
    kids = count(state)
    tree[node].first = used
    tree[node].kids = kids
    for k in range(kids):
        new_node(tree, used + k, move_at(state, k), who)
    return used + kids


def select(tree, node, exploration):
    """Return the child with the highest upper confidence bound."""
    parent = tree[node]
    log_visits = math.log(np.float32(parent.visits))
    best, best_bound = parent.first, np.float32(-math.inf)
    for i in range(parent.first, parent.first + parent.kids):
        child = tree[i]
        if child.visits == 0:
            return i
        visits = np.float32(child.visits)
        bound = child.value / visits + exploration * math.sqrt(log_visits / visits)
        if bound > best_bound:
            best, best_bound = i, bound
    return best


def drawn_child(tree, node, state, rng):
    """Return the child of a chance node that a random draw leads to."""
    move = random_outcome(state, rng)
    child = tree[node].first
    while tree[child].move != move:
        child += 1
    return child


def child_by_move(tree, node, move):
    child = tree[node].first
    while child != 0 and tree[child].move != move:
        child = tree[child].next
    return child


def select_available(tree, node, used, state, who, exploration, rng):
    """Return a child whose move this deal allows, and the number of nodes in use.

    A move that was never tried gets a new child.
    """
    best, best_bound, untried, new_move = 0, np.float32(-math.inf), 0, 0
    for k in range(count(state)):
        move = move_at(state, k)
        child = child_by_move(tree, node, move)
        if child == 0:
            untried += 1
            if below(rng, untried) == 0:
                new_move = move
        else:
            kid = tree[child]
            kid.available += 1
            bound = kid.value / kid.visits + exploration * math.sqrt(math.log(kid.available) / kid.visits)
            if bound > best_bound:
                best, best_bound = child, bound
    if untried == 0 or used == len(tree) or best_bound >= BEST_PAYOFF:
        return best, used  # an untried move promises no more
    if tree[node].first == 0:
        new_move = playout_move(state, rng)  # try first what a playout would play
    new_node(tree, used, new_move, who)
    tree[used].available = 1
    tree[used].next = tree[node].first
    tree[node].first = used
    tree[node].kids += 1
    return used, used + 1


def descend_open(tree, used, state, path, exploration, rng):
    """Walk down to a leaf and add its children. Return the path's length and the number of nodes in use."""
    node, depth = 0, 1
    who = actor(state)
    while who != OVER and depth < LONGEST_PATH:
        new = tree[node].kids == 0
        if new:
            if (tree[node].visits == 0 and node > 0) or used + count(state) > len(tree):
                break
            used = expand(tree, node, used, state, who)
        if who == CHANCE:
            node = drawn_child(tree, node, state, rng)
        elif new:
            node = tree[node].first + below(rng, tree[node].kids)
        else:
            node = select(tree, node, exploration)
        play(state, tree[node].move)
        path[depth] = node
        depth += 1
        if new and who != CHANCE:
            break
        who = actor(state)
    return depth, used


def descend_hidden(tree, used, state, path, exploration, rng):
    node, depth = 0, 1
    who = actor(state)
    while who != OVER and depth < LONGEST_PATH:
        if who == CHANCE:
            play(state, random_outcome(state, rng))
        else:
            node, used = select_available(tree, node, used, state, who, exploration, rng)
            if node == 0:
                break
            play(state, tree[node].move)
            path[depth] = node
            depth += 1
            if tree[node].visits == 0:
                break
        who = actor(state)
    return depth, used


def search(root, pool, tree, simulations, exploration, seat, rng):
    """Grow the tree from a position where the seat acts. Return the number of nodes in use. tree[0] is the root."""
    return search_adding(root, pool, tree, simulations, exploration, seat, np.zeros(SEATS), rng)


def search_adding(root, pool, tree, simulations, exploration, seat, totals, rng):
    """Grow the tree from any position, as the seat knows it, and add every seat's payoffs to the totals."""
    path = np.zeros(LONGEST_PATH, np.int32)
    payoffs = np.zeros(SEATS, np.float32)
    new_node(tree, 0, -1, CHANCE)
    used = 1
    for _ in range(simulations):
        pool[0] = root
        state = pool[0]
        if HIDDEN:
            conceal(state, seat, rng)
            depth, used = descend_hidden(tree, used, state, path, exploration, rng)
        else:
            depth, used = descend_open(tree, used, state, path, exploration, rng)
        playout(state, rng)
        payoff(state, payoffs)
        for place in range(SEATS):
            totals[place] += payoffs[place]
        for i in range(depth):
            visited = tree[path[i]]
            visited.visits += 1
            if visited.mover >= 0:
                visited.value += payoffs[visited.mover]
    return used


def most_visited(tree):
    """Return the root's move that was tried most often."""
    child, best = tree[0].first, 0
    move = -1
    for _ in range(tree[0].kids):
        if tree[child].visits > best:
            best = tree[child].visits
            move = tree[child].move
        child = tree[child].next if HIDDEN else child + 1
    return move


def root_visits(tree, moves, visits):
    """Write the root's moves, and how often each was tried. Return how many there are."""
    child = tree[0].first
    for i in range(tree[0].kids):
        moves[i], visits[i] = tree[child].move, tree[child].visits
        child = tree[child].next if HIDDEN else child + 1
    return tree[0].kids


FUNCTIONS = (
    *playouts.FUNCTIONS,
    new_node,
    expand,
    select,
    drawn_child,
    child_by_move,
    select_available,
    descend_open,
    descend_hidden,
    search_adding,
    search,
    most_visited,
    root_visits,
)
