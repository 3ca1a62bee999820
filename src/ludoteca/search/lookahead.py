# mypy: ignore-errors
# ruff: noqa: F821
"""Depth-first lookahead (alpha-beta) for every game whose guide.py has `value`, `rank` and `key`.

The searching side maximises its own value and treats every other side as an opponent. Depth counts turns: a turn ends
when another seat acts, no matter how many moves it has. At each move the search tries only the best few moves of the
guide's ranking, and it looks only once at positions that the guide calls equal. Where chance has many outcomes, it
looks at a sample of them, evenly spread over the odds: the value of the draw is then an estimate.

The functions in a guide.py for it, all compiled, with seats that count from 0:

- `value(state, seat)` returns how good the position is for that seat's side, in a unit that the game chooses (points,
  pieces). Higher is better, level is 0. The search also asks when the match is over: there a win must be worth more
  than any lead before the end. A level's `noise` is in the same unit.
- `rank(state, moves, ranks)` writes the legal moves that are worth a look into `moves` (int32) and how promising each
  one is into `ranks` (float32, in any unit: only the order counts), and returns their number. Of several moves with the
  same effect it may write one. It writes at least one, unless the match is over or chance acts.
- `key(state)` returns a uint64, equal for equal positions only (core/random.py has `mixed`).

All three may change the state they are given, but must restore it: it belongs to the search. A guide that learns has
more functions (search/learned.py); at a desk with weights the learned value replaces `value` until the match is over.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ludoteca.core.kernel import CHANCE, OVER, Rules
from ludoteca.core.random import below
from ludoteca.search.learned import NO_WEIGHTS
from ludoteca.search.playouts import CHANCE_FUNCTIONS

EXACT, AT_LEAST, AT_MOST = 0, 1, 2
TABLE_BITS = 16
NOT_SAMPLED = -1
LEARNS = False  # True where the guide has `features`
PLY_SHIFT = 56  # the ply is part of a position's key, because widths differ by ply

Seen = np.dtype([("key", np.uint64), ("value", np.float32), ("bound", np.int32), ("search", np.int64)], align=True)


# One ply of the path. Numba cannot cache a function that calls itself, so the search keeps its own stack.
Frame = np.dtype(
    [
        ("who", np.int32),  # the seat that acts here
        ("last", np.int32),  # the seat that acted before
        ("turns", np.int32),  # turns left
        ("count", np.int32),  # number of moves to try, or of outcomes
        ("tried", np.int32),
        ("maximises", np.int32),
        ("alpha", np.float64),  # the window at the beginning ...
        ("beta", np.float64),
        ("low", np.float64),  # ... and now
        ("high", np.float64),
        ("best", np.float64),  # at chance: the sum of values times weights
        ("weight", np.float64),
        ("first", np.int64),  # at chance: the ticket of the first sample, or NOT_SAMPLED
        ("mark", np.uint64),
    ],
    align=True,
)


class Desk(NamedTuple):
    """The working memory of a search: how many moves to try at each ply, the path, and buffers."""

    widths: np.ndarray
    samples: int  # outcomes of chance to look at; 0: all
    pool: np.ndarray  # states by ply
    frames: np.ndarray  # by ply
    moves: np.ndarray
    ranks: np.ndarray
    short_moves: np.ndarray  # by ply: the best moves
    short_ranks: np.ndarray
    seen: np.ndarray  # the positions that this search has looked at
    search: np.ndarray  # one element: the number of this search, so that `seen` need not be cleared
    looked: np.ndarray  # one element: positions looked at, in all searches
    weights: np.ndarray  # what was learned; none: the guide's own value counts
    places: np.ndarray  # the features of a position: which weights ...
    amounts: np.ndarray  # ... and how much of each


def new_desk(
    rules: Rules, widths: Sequence[int], samples: int = 0, weights: np.ndarray = NO_WEIGHTS, features: int = 0
) -> Desk:
    """Return working memory. With weights, `features` is the most that one position has."""
    plies = len(widths)
    return Desk(
        np.array(widths, np.int32),
        samples,
        np.zeros(plies + 1, rules.State).view(np.recarray),
        np.zeros(plies + 1, Frame).view(np.recarray),
        np.zeros(rules.MAX_COUNT, np.int32),
        np.zeros(rules.MAX_COUNT, np.float32),
        np.zeros((plies, max(widths)), np.int32),
        np.zeros((plies, max(widths)), np.float32),
        np.zeros(1 << TABLE_BITS, Seen).view(np.recarray),
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
        weights,
        np.zeros(features, np.int32),
        np.zeros(features, np.float32),
    )


def shortlist(desk, ply):
    """Write the best moves of the guide's ranking, best first. Return their number."""
    best_moves, best_ranks = desk.short_moves[ply], desk.short_ranks[ply]
    n = rank(desk.pool[ply], desk.moves, desk.ranks)
    kept, width = 0, desk.widths[ply]
    for i in range(n):
        r = desk.ranks[i]
        if kept < width:
            place = kept
            kept += 1
        elif r > best_ranks[kept - 1]:
            place = kept - 1
        else:
            continue
        while place > 0 and best_ranks[place - 1] < r:
            best_ranks[place] = best_ranks[place - 1]
            best_moves[place] = best_moves[place - 1]
            place -= 1
        best_ranks[place] = r
        best_moves[place] = desk.moves[i]
    return kept


def leaf(desk, state, who, me):
    """Return the value of a position from which the search looks no further."""
    if LEARNS:  # noqa: SIM102 - the compiler drops a branch only if a constant alone decides it
        if len(desk.weights) > 0 and who != OVER:
            return learned(state, me, desk.weights, desk.places, desk.amounts)
    return np.float64(value(state, me))


def arrive(desk, ply, turns, last, alpha, beta, me, rng):
    """Look at the position at this ply. Return (True, its value) if it is known at once; otherwise set up its frame."""
    state = desk.pool[ply]
    desk.looked[0] += 1
    who = actor(state)
    if who >= 0 and who != last:
        turns -= 1
    if who == OVER or turns < 0 or ply == len(desk.widths):
        return True, leaf(desk, state, who, me)
    mark = key(state) ^ np.uint64(ply) << np.uint64(PLY_SHIFT)
    seen = desk.seen[int(mark & np.uint64((1 << TABLE_BITS) - 1))]
    if (
        seen.search == desk.search[0]
        and seen.key == mark
        and (
            seen.bound == EXACT
            or (seen.bound == AT_LEAST and seen.value >= beta)
            or (seen.bound == AT_MOST and seen.value <= alpha)
        )
    ):
        return True, np.float64(seen.value)
    frame = desk.frames[ply]
    frame.who = who
    frame.last = who if who >= 0 else last
    frame.turns = turns
    frame.tried = 0
    frame.weight = 0.0
    frame.alpha = alpha
    frame.beta = beta
    frame.mark = mark
    if who == CHANCE:
        frame.count = count(state)
        frame.first = NOT_SAMPLED
        if 0 < desk.samples < frame.count:
            frame.count = desk.samples
            frame.first = below(rng, total_weight(state))
        frame.low, frame.high, frame.best = -np.inf, np.inf, 0.0
    else:
        frame.count = shortlist(desk, ply)
        frame.maximises = side(state, who) == side(state, me)
        frame.low, frame.high, frame.best = alpha, beta, -np.inf if frame.maximises else np.inf
    return False, 0.0


def step_down(desk, ply):
    """Play the frame's next move or outcome on the state of the next ply."""
    state, frame = desk.pool[ply], desk.frames[ply]
    if frame.who != CHANCE:
        move = int(desk.short_moves[ply, frame.tried])
    elif frame.first == NOT_SAMPLED:
        move = move_at(state, frame.tried)
    else:
        move = outcome_on(state, (frame.first + frame.tried * total_weight(state)) // frame.count)
    desk.pool[ply + 1] = state
    play(desk.pool[ply + 1], move)


def hand_up(desk, ply, v):
    """Take the value of the tried move into the frame. Return (True, the frame's value) when that is settled."""
    state, frame = desk.pool[ply], desk.frames[ply]
    if frame.who == CHANCE:
        weight = weight_at(state, frame.tried) if frame.first == NOT_SAMPLED else 1
        frame.weight += weight
        frame.best += weight * v
    elif frame.maximises:
        frame.best = max(frame.best, v)
        frame.low = max(frame.low, v)
    else:
        frame.best = min(frame.best, v)
        frame.high = min(frame.high, v)
    frame.tried += 1
    if frame.tried < frame.count and frame.low < frame.high:
        return False, 0.0
    best = frame.best / frame.weight if frame.who == CHANCE else frame.best
    seen = desk.seen[int(frame.mark & np.uint64((1 << TABLE_BITS) - 1))]
    seen.search = desk.search[0]
    seen.key = frame.mark
    seen.value = best
    exact = frame.who == CHANCE or frame.alpha < best < frame.beta
    seen.bound = EXACT if exact else AT_MOST if best <= frame.alpha else AT_LEAST
    return True, best


def looked_at(desk, turns, last, alpha, me, rng):
    """Return the value of the position at ply 1 for the seat `me`. It is exact if it is above alpha."""
    ply = 1
    settled, v = arrive(desk, ply, turns, last, alpha, np.inf, me, rng)
    while not settled or ply > 1:
        if settled:
            ply -= 1
            settled, v = hand_up(desk, ply, v)
        else:
            step_down(desk, ply)
            frame = desk.frames[ply]
            ply += 1
            settled, v = arrive(desk, ply, frame.turns, frame.last, frame.low, frame.high, me, rng)
    return v


def best_move(desk, root, turns, noise, rng):
    """Return the best move of the seat that acts. Each value gets noise up to `noise`: equal moves take turns."""
    me = actor(root)
    desk.search[0] += 1
    desk.pool[0] = root
    best, chosen = -np.inf, -1
    for i in range(shortlist(desk, 0)):
        move = int(desk.short_moves[0, i])
        desk.pool[1] = root
        play(desk.pool[1], move)
        luck = noise * below(rng, 1 << 20) / (1 << 20)
        v = luck + looked_at(desk, turns - 1, me, best - luck, me, rng)
        if v > best:
            best, chosen = v, move
    return chosen


def weigh_moves(desk, root, turns, moves, values, rng):
    """Write what each of these moves is worth to the seat that acts. All of them meet the same draws of chance."""
    me = actor(root)
    first = rng[0]
    for i in range(len(moves)):
        rng[0] = first
        desk.search[0] += 1
        desk.pool[1] = root
        play(desk.pool[1], moves[i])
        values[i] = looked_at(desk, turns - 1, me, -np.inf, me, rng)


def shortlisted(desk, root, moves):
    """Write the best moves of the guide's ranking, best first. Return how many there are."""
    desk.pool[0] = root
    n = shortlist(desk, 0)
    for i in range(n):
        moves[i] = desk.short_moves[0, i]
    return n


FUNCTIONS = (
    *CHANCE_FUNCTIONS,
    shortlist,
    leaf,
    arrive,
    step_down,
    hand_up,
    looked_at,
    best_move,
    weigh_moves,
    shortlisted,
)
