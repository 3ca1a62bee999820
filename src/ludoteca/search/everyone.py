# mypy: ignore-errors
# ruff: noqa: F821
"""Exact payoffs where more than two sides play: every seat plays for its own payoff (max^n).

Moves that are equally good for a seat leave the payoffs of the others open. So a seat breaks ties: first it chooses
what is worst for the seat that asks, then what is worst for seat 0, seat 1 and so on. Thus the payoffs depend on
nothing but the position and the seat that asks. A seat that wins alone leaves nothing open: then no other move is
looked at.
"""

import numpy as np

from ludoteca.core.kernel import CHANCE, OVER

BEST_PAYOFF = 1.0
NO_MOVE = -1
PLIES = 64  # the longest path: whatever goes on longer is not proved
ROUNDING = 1e-9  # payoffs that differ by less are equal: sums of odds are rounded
U = np.uint64


def is_better(worth, best, who, me, players):
    """Return whether the seat `who` prefers these payoffs, when the seat `me` asks."""
    for k in range(-2, players):
        seat = who if k == -2 else me if k == -1 else k
        ahead = worth[seat] - best[seat]
        if ahead > ROUNDING or ahead < -ROUNDING:
            return ahead > 0 if k == -2 else ahead < 0
    return False


def arrive_among(desk, ply, me):
    """Look at the position at this ply. Return whether its payoffs are known at once, in desk.worth."""
    state, worth = desk.pool[ply], desk.worth
    desk.looked[0] += 1
    who = actor(state)
    if who == OVER:
        payoff(state, desk.payoffs)
        for seat in range(state.players):
            worth[seat] = desk.payoffs[seat]
        return True
    for seat in range(state.players):
        if bounds(state, seat)[0] == BEST_PAYOFF:
            for other in range(state.players):
                worth[other] = BEST_PAYOFF if side(state, other) == side(state, seat) else -1.0
            return True
    mark = mark_of(desk, ply)
    seen = desk.seen[int(mark & U(len(desk.seen) - 1))]
    if seen.search == desk.search[0] and seen.key == mark:
        for seat in range(state.players):
            worth[seat] = seen.values[seat]
        return True
    frame = desk.frames[ply]
    frame.who = who
    frame.tried = 0
    frame.move = NO_MOVE
    frame.mark = mark
    desk.best[ply, :] = 0.0
    if who == CHANCE:
        frame.count = count(state)
        frame.weight = total_weight(state)
    else:
        frame.count = list_moves(desk, ply)
    return False


def hand_up_among(desk, ply, me):
    """Take the payoffs of the tried move into the frame. Return whether it is settled: then they are in desk.worth."""
    state, frame, worth, best = desk.pool[ply], desk.frames[ply], desk.worth, desk.best[ply]
    done = False
    if frame.who == CHANCE:
        for seat in range(state.players):
            best[seat] += worth[seat] * weight_at(state, frame.tried) / frame.weight
    elif frame.tried == 0 or is_better(worth, best, frame.who, me, state.players):
        frame.move = desk.moves[ply, frame.tried]
        for seat in range(state.players):
            best[seat] = worth[seat]
        done = best[frame.who] == BEST_PAYOFF
    frame.tried += 1
    if frame.tried < frame.count and not done:
        return False
    seen = desk.seen[int(frame.mark & U(len(desk.seen) - 1))]
    seen.search = desk.search[0]
    seen.key = frame.mark
    for seat in range(state.players):
        worth[seat] = seen.values[seat] = best[seat]
    return True


def search_everyone(desk, root, me, limit):
    """Return whether the search came to its end within the limit, and the best move. The payoffs are in desk.worth."""
    desk.search[0] += 1
    desk.pool[0] = root
    ply = 0
    settled = arrive_among(desk, ply, me)
    desk.frames[0].move = NO_MOVE if settled else desk.frames[0].move
    while not settled or ply > 0:
        if settled:
            ply -= 1
            settled = hand_up_among(desk, ply, me)
        else:
            if desk.looked[0] >= limit or ply == PLIES:
                return False, NO_MOVE
            step_down(desk, ply)
            ply += 1
            settled = arrive_among(desk, ply, me)
    return True, desk.frames[0].move


FUNCTIONS = (is_better, arrive_among, hand_up_among, search_everyone)
