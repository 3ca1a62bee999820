"""The chance to win of a position at rest: a logistic curve of a few features, fitted to finished matches.

The numbers are in `prospects.json`; `python bench/kingbrick_prospects.py` writes them.
"""

import math
from typing import NamedTuple

from ludoteca.games.kingbrick.fitted import fitted, from_logit, weighted
from ludoteca.games.kingbrick.hits import best_shot
from ludoteca.games.kingbrick.judging import escape, value
from ludoteca.games.kingbrick.state import BOARD, OUT, ROLLING, State, army, army_of, is_away, other

SURE = 0.98  # the largest chance that a position which goes on has
FEWEST = 6.0  # points that are added to both armies before they are compared: the last bricks are not worth all


class Features(NamedTuple):
    """What decides a match, as the seat that is next sees it."""

    tempo: float  # always 1: the advantage of being next
    army: float  # the logarithm of the own army's value by the other one's
    shot: float  # the root of how likely the best flick brings the other King down: also a small chance is a threat
    danger: float  # the same of the other seat's best flick at the own King
    forward: float  # bricks in the other's territory, less those of the other in the own one
    flicks: float  # additional ones (KB-27)


def next_up(state: State) -> tuple[int, int]:
    """Return the seat that flicks next, and how many flicks it has then."""
    turn = state.now
    if turn.flicks or not turn.acted:
        return turn.mover, turn.flicks
    return other(turn.mover), 1 + turn.fouls


def features(state: State) -> Features:
    """Return the features of a position for the seat that is next."""
    seat, flicks = next_up(state)
    shot, danger = (math.sqrt(best_shot(state, one)) for one in (seat, other(seat)))
    armies = [FEWEST + army_value(state, one) for one in (seat, other(seat))]
    forward = float(_forward(state, seat) - _forward(state, other(seat)))
    return Features(1.0, math.log(armies[0] / armies[1]), shot, danger, forward, float(flicks - 1))


def army_value(state: State, seat: int) -> float:
    """Return the value of the bricks that fight for a seat. One that has to make its release roll counts in part."""
    total = 0.0
    for brick in state.bricks.values():
        if brick.where != OUT and (army_of(brick) if brick.where == BOARD else brick.side) == seat:
            total += escape(brick.kind) if brick.where == ROLLING else value(brick.kind)
    return total


def chance(state: State, seat: int, surprise: float = 0.0) -> float:
    """Return the chance of a seat to win, as reviews see it.

    `surprise` is how much likelier the next shot fells a King than guessed.
    """
    if state.loser:
        return float(state.loser != seat)
    found = _held(weighted((*features(state), surprise), fitted().review))
    return found if next_up(state)[0] == seat else 1 - found


def chance_of(known: Features) -> float:
    """Return the chance of the seat that is next, as bots see it."""
    return _held(weighted(known, fitted().position))


def _held(logit: float) -> float:
    return min(SURE, max(1 - SURE, from_logit(logit)))


def _forward(state: State, seat: int) -> int:
    return sum(is_away(state.bricks[name]) for name in army(state, seat))
