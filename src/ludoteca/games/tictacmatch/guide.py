"""The guide of Tic-Tac Match: playouts in which no seat overlooks a line.

policy.py knows how good players choose, features.py what the value of a position is learned from.
"""

from ludoteca.core.compiler import compiled, quotient
from ludoteca.core.levels import TreeSearch
from ludoteca.core.random import below
from ludoteca.games.tictacmatch.cards import COLOURS, DOUBLE, FLIP, SPACES, makes_line
from ludoteca.games.tictacmatch.features import MOST_FEATURES, WEIGHTS, features
from ludoteca.games.tictacmatch.plays import FIRST, PLAY, PLAYS, TARGET
from ludoteca.games.tictacmatch.policy import likelihood, odds
from ludoteca.games.tictacmatch.rules import identity

__all__ = (
    "LEVELS",
    "MOST_FEATURES",
    "SELF_PLAY",
    "SELF_PLAY_TABLES",
    "WEIGHTS",
    "features",
    "likelihood",
    "odds",
    "playout_move",
)

SELF_PLAY = TreeSearch(simulations=250, exploration=1.5, deals=100, learned=True)
SELF_PLAY_TABLES: tuple[dict[str, object], ...] = (
    {"players": 2},
    {"players": 4, "teams": True},
    {"players": 4, "teams": False},
)


@compiled
def playout_move(state, rng):
    """Return a move that makes a line for this side, also by a Flip inside a Double Play.

    Without one, return a move that makes no line for the others.
    """
    n = state.n_listed
    if state.phase == TARGET:
        return int(state.listed[below(rng, n)])
    own = identity(state, state.seat)
    hand = state.hand[state.seat]
    harmless, choice, harmful = 0, -1, False
    for k in range(n):
        move = int(state.listed[k])
        if move < PLAYS + FLIP:
            kind = quotient(move, SPACES)
            if makes_line(state, kind, move - kind * SPACES):
                if quotient(kind, COLOURS) == own:
                    return move
                harmful = True
                continue
        harmless += 1
        if below(rng, harmless) == 0:
            choice = move
    if harmful and hand[FLIP] > 0:
        if state.phase == FIRST:
            return PLAYS + FLIP
        if state.phase == PLAY and hand[DOUBLE] > 0:
            return PLAYS + DOUBLE
    return choice if harmless > 0 else int(state.listed[0])


LEVELS = {
    "novice": TreeSearch(simulations=2),
    "casual": TreeSearch(simulations=60),
    "club": TreeSearch(simulations=500),
    "expert": TreeSearch(simulations=6000),
    "master": TreeSearch(simulations=60000, exploration=0.8, deals=1000, learned=True),
}
