"""What the learned value of Pin Point looks at: the jokers that are left, and whose turn it is.

What a joker is worth differs by how many turns its owner still has, and by how many more jokers the owner has. Partners
count alike, each with the own turns and jokers, so two teams need no weights beside those of two players. Between two
sides everything is seen by the side to move, and the other one's value is the opposite.
"""

import numpy as np

from ludoteca.core.compiler import compiled, inlined
from ludoteca.core.levels import Lookahead
from ludoteca.games.pinpoint.offers import promised
from ludoteca.games.pinpoint.rules import COLOURS, HOLES, JOKERS, SEATS, side, total

TURNS = HOLES // COLOURS
OWN_TURNS = (TURNS + 1) // 2  # of a player, the most

OF_TURN = 0
OF_JOKERS = OF_TURN + TURNS + 1
ONE_VIEW = OF_JOKERS + (OWN_TURNS + 1) * JOKERS
VIEWS = 1 + 3 + 4  # of two sides the one to move; of three or four players each of them
WEIGHTS = VIEWS * ONE_VIEW
MOST_FEATURES = 1 + SEATS * JOKERS
SCALE = 30.0
A_WIN = 8.0  # points that a win is worth beside its margin
SELF_PLAY = Lookahead(turns=2, widths=(12, 8, 6, 5, 6, 3, 2, 2), noise=0.5)

POTENTIAL = 0.7  # share of the points that the next player can make; beside these jokers less than in guide.py
JOKER = 7.0  # what training begins with: the value of a joker, in points, while its owner has many turns left
MANY_TURNS = 6


@inlined
def view_of(state, seat):
    """Return where the weights of a seat's point of view begin, whose point of view it is, and its sign."""
    if state.players == 2 or state.teams:
        return 0, state.seat, 1.0 if side(state, seat) == side(state, state.seat) else -1.0
    away = (seat - state.seat + state.players) % state.players
    return (1 + away if state.players == 3 else 4 + away) * ONE_VIEW, seat, 1.0


@inlined
def add_jokers(state, jokers, away, view, amount, places, amounts, n):
    """Add jokers of a player whose turn comes after `away` others. Return the number of features."""
    turns = (state.n_empty + COLOURS - 1) // COLOURS
    first = view + OF_JOKERS + (turns + state.players - 1 - away) // state.players * JOKERS
    for joker in range(jokers):
        places[n], amounts[n] = first + joker, amount
        n += 1
    return n


@compiled
def features(state, seat, places, amounts):
    view, eye, sign = view_of(state, seat)
    places[0], amounts[0] = view + OF_TURN + (state.n_empty + COLOURS - 1) // COLOURS, sign
    sides = 2 if state.teams else state.players
    n, own = 1, side(state, eye)
    for owner in range(own, state.players, sides):
        away = (owner - state.seat + state.players) % state.players
        n = add_jokers(state, state.jokers[owner], away, view, sign, places, amounts, n)
    if sides == 2:
        for owner in range(1 - own, state.players, sides):
            away = (owner - state.seat + state.players) % state.players
            n = add_jokers(state, state.jokers[owner], away, view, -sign, places, amounts, n)
        return n
    most = 0
    for other in range(state.players):
        if other != eye:
            most = max(most, state.jokers[other])
    # Several others may have the most jokers. One turn counts for all of them: late if the eye's comes soon.
    opposite = (state.seat - eye - 1 + state.players) % state.players
    return add_jokers(state, most, opposite, view, -sign, places, amounts, n)


@compiled
def lead(state, seat):
    """Return the lead in points of the seat's side over the best other side."""
    mine, best_other = 0, -1000
    for other in range(state.players):
        if side(state, other) == side(state, seat):
            mine = total(state, other)
        else:
            best_other = max(best_other, total(state, other))
    return float(mine - best_other)


@compiled
def base(state, seat):
    """Return the lead with a share of the points on offer, which is not learned."""
    promise = POTENTIAL * promised(state)
    return lead(state, seat) + (promise if side(state, state.seat) == side(state, seat) else -promise)


@compiled
def final(state, seat):
    """Return the margin of points, and some more for a win."""
    margin = lead(state, seat)
    return margin + A_WIN * np.sign(margin)


def first_weights():
    """Return a guess by hand that already plays better than the guide's own value, which thinks less of jokers."""
    weights = np.zeros((VIEWS, ONE_VIEW), np.float32)
    for turns in range(OWN_TURNS + 1):
        first = OF_JOKERS + turns * JOKERS
        weights[:, first : first + JOKERS] = JOKER * min(1.0, turns / MANY_TURNS)
    return weights.ravel()
