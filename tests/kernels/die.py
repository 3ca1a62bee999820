"""A game of chance for one: take 2 points for sure, or roll a die of 0 to 3 points whose highest face is heavy."""

import numpy as np

from ludoteca.core.compiler import compiled
from ludoteca.core.kernel import CHANCE, OVER

SEATS = 1
MAX_MOVES = 2
MAX_COUNT = 4
HIDDEN = False
State = np.dtype([("stage", np.int32), ("points", np.int32)], align=True)
Options = np.dtype([("players", np.int32)], align=True)
HEAVY = 5


@compiled
def start(state, options):
    state.stage = 0
    state.points = 0


@compiled
def actor(state):
    return 0 if state.stage == 0 else CHANCE if state.stage == 1 else OVER


@compiled
def count(state):
    return 2 if state.stage == 0 else 4


@compiled
def move_at(state, k):
    return k if state.stage == 0 else MAX_MOVES + k


@compiled
def weight_at(state, k):
    return HEAVY if k == 3 else 1


@compiled
def play(state, move):
    if move == 0:
        state.points = 2
        state.stage = 2
    elif move == 1:
        state.stage = 1
    else:
        state.points = move - MAX_MOVES
        state.stage = 2


@compiled
def payoff(state, out):
    out[0] = state.points
