"""What helps a search in Match'n Lock!: what a position is worth, which moves to look at first, which are the same."""

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
    HOLE_AT,
    HOLES,
    NE,
    NW,
    SE,
    SIZE,
    SW,
    TOKEN_BITS,
    TOKENS_ROUND,
    WIDTH,
    WILD,
    facing,
    is_locked,
    turned,
)
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

WIN = 200.0  # a win is worth more than any margin
U = np.uint64

A_TURN = 0.45  # what is left of a circle's points for every quarter turn that it still wants ...
A_TOKEN = 0.35  # ... and for every token
TEMPO = 0.4  # of the best circle that the next player can close
AN_EMPTY_HOLE = 10.0  # points that a token to come is worth
A_DRAW = 8.0  # points that a draw is worth when it is compared with rotations
A_STALEMATE = 2.0

# What a circle wants, for each colour: quarter turns, 16 for an empty hole, 256 if it cannot be any more; as four
# numbers of 16 bits in one.
FIELD = 16
EMPTY_HOLE, NEVER = 16, 256
SPREAD = np.array(
    [sum(1 << FIELD * c for c in range(COLOURS) if wedge >> c & 1) for wedge in range(WILD + 1)], np.int64
)
PROMISE = np.zeros(5 * EMPTY_HOLE, np.float64)
for _wants in range(1, len(PROMISE)):
    PROMISE[_wants] = A_TURN ** (_wants % EMPTY_HOLE) * A_TOKEN ** (_wants // EMPTY_HOLE)

IS_CIRCLE = np.zeros(WIDTH * WIDTH, np.bool_)
for _hole in range(HOLES):
    IS_CIRCLE[CELL[_hole]] = _hole % SIZE < SIZE - 1 and _hole // SIZE < SIZE - 1
CIRCLES = np.flatnonzero(IS_CIRCLE)
WEDGES_ROUND = (NE, NW, SE, SW)  # of the tokens round a circle, towards it


@inlined
def wants(state, cell, wedge):
    """What the token in a cell wants until this wedge of it has each colour."""
    lies = int(state.board[cell])
    if lies == 0:
        return EMPTY_HOLE * SPREAD[WILD]
    lies |= lies << TOKEN_BITS
    here = lies >> wedge & WILD
    if is_locked(state, HOLE_AT[cell]):
        return NEVER * SPREAD[WILD ^ here]
    near = (lies >> wedge + 4 | lies >> wedge + 12) & WILD & ~here
    far = lies >> wedge + 8 & WILD & ~(here | near)
    return SPREAD[near] + 2 * SPREAD[far] + NEVER * SPREAD[WILD & ~(here | near | far)]


@inlined
def circle_wants(state, circle):
    total = 0
    for i in range(4):
        total += wants(state, circle + TOKENS_ROUND[i], WEDGES_ROUND[i])
    return total


@inlined
def points_round(state, circle):
    """The points of a circle, counting what its empty holes may hold."""
    points = 0.0
    for offset in TOKENS_ROUND:
        if state.board[circle + offset]:
            points += int(state.value[state.token[HOLE_AT[circle + offset]]])
        else:
            points += AN_EMPTY_HOLE
    return points


@compiled
def value(state, seat):
    """The lead of the seat over the others, with what the board still promises to each colour."""
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
    """How much a point of each colour is worth to the seat whose turn it is."""
    out[:] = -1.0 if state.players == 1 else 0.0
    for seat in range(state.players):
        out[state.colour[seat]] = 1.0 if seat == state.seat else -1.0


@compiled
def round_about(state, cell, share):
    """What the circles round a loose token are worth: closed ones their points, the others what they promise."""
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
    """Placements and rotations by what they change round the token; a draw and a stalemate by what they may bring."""
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
        # the hole counts as an empty one still, but a token in it is loose for all that
        ranks[k] = round_about(state, cell, share) - before
        state.board[cell], state.token[hole] = 0, other
    return state.n_empty


@compiled
def key(state):
    """Equal for positions that are the same: the order of the holes and of the bag does not matter."""
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
    "casual": Lookahead(turns=1, widths=(12, 1, 4), noise=10.0, samples=6),
    "club": Lookahead(turns=2, widths=(8, 4, 4, 4), noise=3.0, samples=6),
    "expert": Lookahead(turns=2, widths=(24, 12, 10, 12), samples=24),
}
