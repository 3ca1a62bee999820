"""The guide of Match'n Lock!: the value of a position, the ranking of moves, and which positions are equal."""

import numpy as np

from ludoteca.core.compiler import compiled, inlined
from ludoteca.core.kernel import OVER
from ludoteca.core.levels import Lookahead
from ludoteca.core.random import marked
from ludoteca.games.matchnlock.circles import (
    CELL,
    CIRCLES_ROUND,
    COLOUR_OF,
    COLOURS,
    HOLES,
    WILD,
    facing,
    turned,
)
from ludoteca.games.matchnlock.features import (
    MOST_FEATURES,
    SCALE,
    SELF_PLAY,
    WEIGHTS,
    features,
    final,
    first_weights,
)
from ludoteca.games.matchnlock.promises import CIRCLES, FIELD, IS_CIRCLE, PROMISE, TEMPO, circle_wants, points_round
from ludoteca.games.matchnlock.rules import (
    ANTICLOCKWISE,
    CLOCKWISE,
    DECLARES,
    DRAW,
    NOTHING,
    PLACES,
    PLACING,
    SEATS,
    TURN,
    must_draw,
    quarters,
    stalemate_hole,
)

__all__ = [
    "MOST_FEATURES",
    "SCALE",
    "SELF_PLAY",
    "WEIGHTS",
    "base",
    "features",
    "final",
    "first_weights",
    "key",
    "rank",
    "value",
]

WIN = 200.0  # more than any margin
U = np.uint64

A_DRAW = 8.0  # value of a draw beside rotations, in points
A_STALEMATE = 2.0


@compiled
def value(state, seat):
    """Return the seat's lead over the others, with what the open circles promise to each colour."""
    worth = np.zeros(COLOURS, np.float64)
    soon = np.zeros(COLOURS, np.float64)
    for colour in range(COLOURS):
        worth[colour] = state.points[colour]
    if state.actor != OVER:
        for circle in CIRCLES:
            if state.lock[circle] == 0:
                promise_of(state, circle, worth, soon)
        if state.phase == TURN and not must_draw(state):
            worth[state.colour[state.seat]] += TEMPO * soon[state.colour[state.seat]]
    lead = lead_of(state, worth, seat)
    if state.actor == OVER:
        lead += WIN if lead > 0 else -WIN if lead < 0 else 0.0
    return lead


@compiled
def base(state, seat):
    """Return the lead in points alone: what the board promises is learned."""
    return lead_of(state, state.points, seat)


@inlined
def promise_of(state, circle, worth, soon):
    total = circle_wants(state, circle)
    points = points_round(state, circle)
    for colour in range(COLOURS):
        wanted = total >> FIELD * colour & (1 << FIELD) - 1
        if wanted < len(PROMISE) and state.locks[colour] > 0:
            worth[colour] += PROMISE[wanted] * points
            if wanted == 1:
                soon[colour] = max(soon[colour], points)


@inlined
def lead_of(state, worth, seat):
    mine = worth[state.colour[seat]]
    if state.players == 1:
        return 2 * mine - worth.sum()
    best, total = -np.inf, 0.0
    for other in range(state.players):
        if other != seat:
            best = max(best, worth[state.colour[other]])
            total += worth[state.colour[other]]
    return mine - (best + total / (state.players - 1)) / 2


@compiled
def shares(state, out):
    """Write the value of a point of each colour to the seat to move."""
    out[:] = -1.0 if state.players == 1 else 0.0
    for seat in range(state.players):
        out[state.colour[seat]] = 1.0 if seat == state.seat else -1.0


@compiled
def round_about(state, cell, share):
    """Return the value of the circles round a loose token: points if they are closed, otherwise what they promise."""
    merit = 0.0
    for offset in CIRCLES_ROUND:
        circle = cell + offset
        if not IS_CIRCLE[circle]:
            continue
        points = points_round(state, circle)
        common = facing(state.board, circle)
        if common != 0 and common != WILD and state.locks[COLOUR_OF[common]] > 0:
            merit += share[COLOUR_OF[common]] * points
            continue
        total = circle_wants(state, circle)
        for colour in range(COLOURS):
            wanted = total >> FIELD * colour & (1 << FIELD) - 1
            if wanted < len(PROMISE) and state.locks[colour] > 0:
                merit += share[colour] * PROMISE[wanted] * points
    return merit


@compiled
def rank(state, moves, ranks):
    """Rank placements and rotations by what they change round the token.

    Rank a draw and a stalemate by what they may bring.
    """
    share = np.zeros(COLOURS, np.float64)
    shares(state, share)
    if state.phase == PLACING:
        return rank_placements(state, share, moves, ranks)
    moves[0] = DRAW
    ranks[0] = A_DRAW
    if must_draw(state):
        return 1
    n = 1
    for k in range(state.n_empty, state.n_empty + state.n_loose):
        hole = int(state.holes[k])
        cell = int(CELL[hole])
        lies = int(state.board[cell])
        before = round_about(state, cell, share)
        state.board[cell] = turned(lies, 1)
        moves[n] = CLOCKWISE + hole
        ranks[n] = round_about(state, cell, share) - before
        state.board[cell] = turned(lies, 3)
        moves[n + 1] = ANTICLOCKWISE + hole
        ranks[n + 1] = round_about(state, cell, share) - before
        state.board[cell] = lies
        n += 2
    hole = stalemate_hole(state)
    if hole != NOTHING:
        moves[n] = DECLARES + hole
        ranks[n] = A_STALEMATE
        n += 1
    return n


@compiled
def rank_placements(state, share, moves, ranks):
    lies = turned(int(state.printed[state.in_hand]), quarters(state, state.seat))
    for k in range(state.n_empty):
        hole = int(state.holes[k])
        cell, other = int(CELL[hole]), state.token[hole]
        before = round_about(state, cell, share)
        state.board[cell], state.token[hole] = lies, state.in_hand
        moves[k] = PLACES + hole
        # the hole still counts as empty, but a token in it is loose
        ranks[k] = round_about(state, cell, share) - before
        state.board[cell], state.token[hole] = 0, other
    return state.n_empty


@compiled
def key(state):
    """Return a number that is equal for equal positions: the order of the holes and of the bag does not matter."""
    mark = U(88172645463325252)
    for hole in range(HOLES):
        lies = int(state.board[CELL[hole]])
        mark = marked(mark, U(lies << 8 | int(state.token[hole])) if lies else U(0))
    for seat in range(SEATS):
        mark = marked(mark, U(state.points[seat] * 512 + state.last_turn[seat] + 1))
        mark = marked(mark, U(state.turn_before[seat] + 1))
    mark = marked(mark, U((state.in_hand + 1) * 128 + state.target + 1))
    return marked(mark, U((state.idle * 8 + state.seat) * 8 + state.phase))


LEVELS = {
    "novice": Lookahead(turns=1, widths=(24, 1, 4), noise=30.0, samples=4),
    "casual": Lookahead(turns=1, widths=(12, 1, 4), noise=22.0, samples=6),
    "club": Lookahead(turns=2, widths=(8, 4, 4, 4), noise=3.0, samples=6),
    "expert": Lookahead(
        turns=2,
        widths=(24, 12, 10, 12),
        samples=24,
        among_many=Lookahead(turns=1, widths=(32, 1, 16), samples=48, noise=1.0),
    ),
    "master": Lookahead(turns=2, widths=(24, 8, 8, 8), samples=24, learned=True, proves=50_000),
}
