"""What the learned value of Match'n Lock! looks at: how far every open circle is from closing in each colour.

A circle needs, for a colour, some tokens turned once, some turned twice, and some holes filled. How many of each is
the pattern; its weight counts as often as the circle has points. The weights differ by whose colour it is and by how
full the board is. With two players everything is seen by the player to move, and the other one's value is the opposite.
"""

import numpy as np

from ludoteca.core.compiler import compiled, inlined
from ludoteca.core.levels import Lookahead
from ludoteca.games.matchnlock.circles import COLOURS, HOLES, TOKENS_ROUND
from ludoteca.games.matchnlock.promises import (
    CIRCLES,
    EMPTY_HOLE,
    FIELD,
    PROMISE,
    TEMPO,
    WEDGES_ROUND,
    points_round,
    wants,
)
from ludoteca.games.matchnlock.rules import must_draw

ROUND = 4  # tokens round a circle
CLASSES = (ROUND + 1) ** 3  # tokens to turn once, to turn twice, holes to fill
ONCE, TWICE, FILL = 1, ROUND + 1, (ROUND + 1) ** 2  # what each of them adds to the number of the class
MINE, THEIRS, NOBODYS = range(3)
ROLES = 3
STAGES = 4
BEST = 3  # the best circles that can be closed at once, of the mover and of the others
MOOD = 12  # turns without a placement or a circle

OF_CIRCLES, OF_BEST, OF_MOOD = 0, STAGES * ROLES * CLASSES, STAGES * ROLES * CLASSES + STAGES * 2 * BEST
ONE_VIEW = OF_MOOD + STAGES * (MOOD + 1)
VIEWS = 1 + 3 + 4 + 1  # of two players the one to move; of three or four each of them; a player alone
WEIGHTS = VIEWS * ONE_VIEW
MOST_FEATURES = len(CIRCLES) * COLOURS + 2 * BEST + 1
A_POINT = 0.1  # points count in tens
SCALE = 40.0
A_WIN = 10.0  # points that a win is worth beside its margin
SELF_PLAY = Lookahead(turns=1, widths=(8, 1, 4), noise=1.0, samples=4)

# What one token needs (promises.py has the numbers): nothing, a turn, two turns, or to be placed at all.
CLASS_OF = np.full(EMPTY_HOLE + 1, 0, np.int64)
CLASS_OF[1], CLASS_OF[2], CLASS_OF[EMPTY_HOLE] = ONCE, TWICE, FILL
NEED_BITS = (1 << FIELD) - 1


@inlined
def view_of(state, seat):
    """Return where the weights of a seat's point of view begin, whose point of view it is, and its sign."""
    if state.players == 2:
        return 0, state.seat, 1.0 if seat == state.seat else -1.0
    if state.players == 1:
        return 8 * ONE_VIEW, seat, 1.0
    away = (seat - state.seat + state.players) % state.players
    return (1 + away if state.players == 3 else 4 + away) * ONE_VIEW, seat, 1.0


@inlined
def insert(best, points):
    """Keep the largest numbers, in order."""
    for i in range(BEST):
        if points > best[i]:
            best[i], points = points, best[i]


@compiled
def features(state, seat, places, amounts):
    view, eye, sign = view_of(state, seat)
    stage = min(STAGES - 1, state.n_empty * STAGES // HOLES)
    role = np.full(COLOURS, NOBODYS, np.int64)
    for other in range(state.players):
        role[state.colour[other]] = MINE if other == eye else THEIRS
    best = np.zeros((2, BEST), np.float64)
    is_free = not must_draw(state)
    n = 0
    for circle in CIRCLES:
        if state.lock[circle]:
            continue
        first = wants(state, circle + TOKENS_ROUND[0], WEDGES_ROUND[0])
        second = wants(state, circle + TOKENS_ROUND[1], WEDGES_ROUND[1])
        third = wants(state, circle + TOKENS_ROUND[2], WEDGES_ROUND[2])
        fourth = wants(state, circle + TOKENS_ROUND[3], WEDGES_ROUND[3])
        total = first + second + third + fourth
        points = points_round(state, circle)
        for colour in range(COLOURS):
            shift = FIELD * colour
            wanted = total >> shift & NEED_BITS
            if wanted >= len(PROMISE) or state.locks[colour] == 0:
                continue
            kind = (
                CLASS_OF[first >> shift & NEED_BITS]
                + CLASS_OF[second >> shift & NEED_BITS]
                + CLASS_OF[third >> shift & NEED_BITS]
                + CLASS_OF[fourth >> shift & NEED_BITS]
            )
            places[n] = view + OF_CIRCLES + (stage * ROLES + role[colour]) * CLASSES + kind
            amounts[n] = sign * A_POINT * points
            n += 1
            if wanted == 1 and role[colour] != NOBODYS and is_free:
                insert(best[role[colour]], points)
    for whose in range(2):
        for i in range(BEST):
            if best[whose, i] > 0.0:
                places[n] = view + OF_BEST + (stage * 2 + whose) * BEST + i
                amounts[n] = sign * A_POINT * best[whose, i]
                n += 1
    places[n] = view + OF_MOOD + stage * (MOOD + 1) + min(MOOD, state.idle)
    amounts[n] = sign
    return n + 1


@compiled
def final(state, seat):
    """Return the margin of points, and some more for a win."""
    best = 0
    if state.players == 1:
        for colour in range(COLOURS):
            if colour != state.colour[seat]:
                best += state.points[colour]
    for other in range(state.players):
        if other != seat:
            best = max(best, state.points[state.colour[other]])
    lead = state.points[state.colour[seat]] - best
    return lead + A_WIN * np.sign(lead)


def first_weights():
    """Return the weights with which the learned value is the guide's own, where two or more play."""
    weights = np.zeros((VIEWS, ONE_VIEW), np.float32)
    for view in range(VIEWS - 1):
        is_mover = view in (0, 1, 4)
        for stage in range(STAGES):
            for once in range(ROUND + 1):
                for twice in range(ROUND + 1 - once):
                    for fill in range(ROUND + 1 - once - twice):
                        share = PROMISE[once + 2 * twice + EMPTY_HOLE * fill] / A_POINT
                        kind = once * ONCE + twice * TWICE + fill * FILL
                        others = max(1, 1 if view < 1 else 2 if view < 4 else 3)
                        weights[view, (stage * ROLES + MINE) * CLASSES + kind] = share
                        weights[view, (stage * ROLES + THEIRS) * CLASSES + kind] = -share / others
            if is_mover:
                weights[view, OF_BEST + stage * 2 * BEST] = TEMPO / A_POINT
    return weights.ravel()
