"""How positions of KingBrick are judged in a review, and what makes a puzzle of one."""

from random import Random

from ludoteca.core.levels import Weighed
from ludoteca.games.kingbrick.notation import read, written
from ludoteca.games.kingbrick.shots import (
    PUZZLE_LEVEL,
    PUZZLE_OPTIONS,
    ideas,
    is_near_idea,
    is_same_idea,
    made_by_hand,
    puzzle_kind,
    shortened,
)
from ludoteca.games.kingbrick.state import BOARD, State
from ludoteca.games.kingbrick.weighing import Weighing

__all__ = [
    "FITTED_TO",
    "PUZZLE_LEVEL",
    "PUZZLE_OPTIONS",
    "ideas",
    "is_near_idea",
    "is_same_idea",
    "made_by_hand",
    "progress",
    "puzzle_kind",
    "shortened",
    "weigh",
]

FITTED_TO = (
    "casual",
    "club",
)  # the bots whose matches tell chances: a novice cannot use a threat, and strong ones are slow
ARMY = 16  # bricks that a match begins with, about


def progress(state: State) -> float:
    """Return how much of the match is over, 0 to 1: how many bricks of the smaller army have left the board."""
    standing = [0, 0]
    for brick in state.bricks.values():
        standing[brick.side - 1] += brick.where == BOARD
    return min(1.0, max(0.0, 1 - min(standing) / ARMY))


def weigh(state: State, seat: int, also: list[str], effort: int, rng: Random) -> list[Weighed]:
    """Return the best moves that were found, and those of `also`, best first. A lead is the logit of a chance."""
    given = {written(read(move)): move for move in also}  # `dir=90.0` is asked about, and `dir=90` is weighed
    weighed = Weighing(state, seat, effort, rng).moves([read(move) for move in also])
    return [one._replace(move=given.get(one.move, one.move)) for one in weighed]
