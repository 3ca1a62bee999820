"""How likely a brick with a free way brings a King down: a logistic curve, fitted to flicks that the physics made.

A guess from the board's geometry alone is much too high: kings that bricks stand behind stay, and far shots miss.
The numbers are in `prospects.json`; `python bench/kingbrick_prospects.py` writes them.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from ludoteca.games.kingbrick import geometry
from ludoteca.games.kingbrick.aiming import CORRIDOR, FULL, LOW, is_clean, speed_to_fell, to_edge, way
from ludoteca.games.kingbrick.fitted import fitted, from_logit, weighted
from ludoteca.games.kingbrick.geometry import Pose
from ludoteca.games.kingbrick.hand import error
from ludoteca.games.kingbrick.physics import Flick, Poses
from ludoteca.games.kingbrick.state import State, flickable, king_of, other

BESIDE = 24.0  # mm beside a brick's way within which a hand that trembles may hit another one
HOPELESS = 1.08  # times the fastest flick: a shot that needs more is not looked at
FASTER = 1.25  # than needed: the softer one of the two shots that are compared
MOST_BEHIND = 3  # bricks behind a King that count


class Try(NamedTuple):
    """A straight shot at a King, and what decides whether the King falls."""

    flick: Flick
    known: "HitFeatures"


class HitFeatures(NamedTuple):
    certain: float  # always 1
    wide: float  # the logarithm of the hand's error at the King, in half bricks
    power: float  # the logarithm of the speed by the speed that is needed
    behind: float  # bricks between the King and the edge
    fall: float  # the way of the King to the edge, in 100 mm
    beside: float  # 1 if a brick stands close to the way


def best_shot(state: State, seat: int) -> float:
    """Return how likely the best flick of a seat brings the other King down."""
    king = king_of(other(seat), state)
    return max((shot(state.poses, name, king) for name in flickable(state, seat)), default=0.0)


def shot(poses: Poses, name: str, king: str) -> float:
    """Return how likely a flick of this brick brings a King down; 0 without a free way."""
    best = best_try(poses, name, king)
    return best[0] if best else 0.0


def best_try(poses: Poses, name: str, king: str) -> tuple[float, Flick] | None:
    """Return the best straight shot of a brick at a King, after how likely it brings the King down."""
    weights = fitted().hit
    return max(
        ((from_logit(weighted(one.known, weights)), one.flick) for one in tries(poses, name, king)), default=None
    )


def tries(poses: Poses, name: str, king: str) -> Iterator[Try]:
    """Yield straight shots of a brick at a King, a softer one and one with full power, if the way is free."""
    here, there = poses[name], poses[king]
    if name == king:
        return
    length, direction = way(here, there)
    dx, dy = math.cos(math.radians(direction)), math.sin(math.radians(direction))
    fall = to_edge(there, dx, dy)
    needed = speed_to_fell(length, fall)
    if needed > HOPELESS * FULL:
        return
    on_way, beside = _along(poses, here, (dx, dy), length, (name, king))
    hardest = Flick(name, round(direction, 1) % 360, FULL, 0.0, 0.0, geometry.FOLLOW[2])
    if on_way or not is_clean(poses, hardest):
        return
    behind, _ = _along(poses, there, (dx, dy), fall, (name, king))
    for speed in {min(FULL, round(FASTER * needed, 2)), FULL}:
        by = error(speed)
        wide = (math.radians(by.direction) * length + by.side) / geometry.HALF
        known = HitFeatures(
            1.0, math.log(wide), math.log(speed / needed), min(behind, MOST_BEHIND), fall / 100, float(beside > 0)
        )
        yield Try(hardest._replace(speed=speed), known)


def _along(
    poses: Poses, here: Pose, direction: tuple[float, float], length: float, but: tuple[str, str]
) -> tuple[int, int]:
    """Return how many bricks on the ground stand on a way, and how many close beside it."""
    dx, dy = direction
    on_way = beside = 0
    for name, at in poses.items():
        if name in but or at.z > LOW:
            continue
        x, y = at.x - here.x, at.y - here.y
        if 0 < x * dx + y * dy < length:
            aside = abs(y * dx - x * dy)
            on_way += aside < CORRIDOR
            beside += CORRIDOR <= aside < BESIDE
    return on_way, beside
