"""The guide of Pin Point: the value of a position, the ranking of moves, and which positions are equal."""

import numpy as np

from ludoteca.core.compiler import compiled
from ludoteca.core.kernel import OVER
from ludoteca.core.levels import Lookahead
from ludoteca.core.random import marked
from ludoteca.games.pinpoint.features import (
    MOST_FEATURES,
    SCALE,
    SELF_PLAY,
    WEIGHTS,
    base,
    features,
    final,
    first_weights,
    lead,
)
from ludoteca.games.pinpoint.offers import colours_near, points_at, promised
from ludoteca.games.pinpoint.rules import CELL, COLOURS, HOLES, MANNERS, WIDTH, side

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

WIN = 50.0  # more than any margin
U = np.uint64

POTENTIAL = 0.8  # share of the points that the next player can make
JOKER = 5.0  # value of a joker while there are turns left to use it, in points
BLOCK = 0.5  # share of the points that the hole would give to another colour
JOKER_POINTS = 3  # a joker that scores less is not tried
JOKER_RESERVE = 1.0  # a joker must score this much more to be tried before a plain pin


@compiled
def value(state, seat):
    """Return the lead of the seat's side over the best other side, with what the board and the jokers promise."""
    ahead = lead(state, seat)
    if state.actor == OVER:
        return ahead + (WIN if ahead > 0 else -WIN if ahead < 0 else 0.0)
    my_jokers, other_jokers = 0, 0
    for other in range(state.players):
        if side(state, other) == side(state, seat):
            my_jokers += state.jokers[other]
        else:
            other_jokers = max(other_jokers, state.jokers[other])
    promise = POTENTIAL * promised(state)
    worth = JOKER * min(1.0, state.n_empty / (12.0 * state.players))
    ahead += worth * (my_jokers - other_jokers)
    return ahead + (promise if side(state, state.seat) == side(state, seat) else -promise)


@compiled
def rank(state, moves, ranks):
    """Rank plain pins by their points and what they spoil, and jokers that score, made of the least useful pin."""
    points = np.empty((COLOURS, HOLES), np.int64)
    best = np.zeros(COLOURS, np.int64)
    for i in range(state.n_empty):
        cell = CELL[state.empties[i]]
        near = colours_near(state.board, cell)
        for colour in range(COLOURS):
            points[colour, i] = points_at(state.board, cell, colour, near)
            best[colour] = max(best[colour], points[colour, i])
    spare, spare_points = -1, 100
    for pin in range(COLOURS):
        if state.hand >> pin & 1 and best[pin] < spare_points:
            spare, spare_points = pin, best[pin]
    with_joker = state.jokers[state.seat] > 0
    n = 0
    for i in range(state.n_empty):
        hole = int(state.empties[i])
        for colour in range(COLOURS):
            spoiled = 1
            for other in range(COLOURS):
                if other != colour:
                    spoiled = max(spoiled, points[other, i])
            merit = points[colour, i] + BLOCK * (spoiled - 1)
            if state.hand >> colour & 1:
                moves[n] = colour * MANNERS * HOLES + hole
                ranks[n] = merit - BLOCK * best[colour]
                n += 1
            if with_joker and points[colour, i] >= JOKER_POINTS:
                moves[n] = (spare * MANNERS + 1 + colour) * HOLES + hole
                ranks[n] = merit - spare_points - JOKER_RESERVE
                n += 1
    return n


@compiled
def key(state):
    """Return a number that is equal for equal positions: the order of the empty holes does not matter."""
    mark = U(88172645463325252)
    for cell in range(WIDTH, WIDTH * (WIDTH - 1)):
        mark = marked(mark, U(state.board[cell]))
    for seat in range(state.players):
        mark = marked(mark, U(state.score[seat] * 8 + state.jokers[seat]))
    return marked(mark, U(state.seat * 16 + state.hand))


LEVELS = {
    "novice": Lookahead(turns=1, widths=(100,), noise=20.0),
    "casual": Lookahead(turns=1, widths=(24,), noise=8.0),
    "club": Lookahead(turns=2, widths=(4, 3, 2, 2, 2, 1, 1, 1), noise=1.0),
    "expert": Lookahead(turns=2, widths=(12, 8, 6, 5, 6, 3, 2, 2)),
    "master": Lookahead(turns=2, widths=(12, 8, 6, 5, 6, 3, 2, 2), learned=True),
}
