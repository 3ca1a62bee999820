"""Which bricks a brick rests on, read from poses alone: a replay must know it without an engine (KB-42, KB-44)."""

import math
from collections.abc import Mapping

from ludoteca.games.kingbrick.geometry import HALF, ROUNDING, Pose, Spot, axes

CORE = HALF - ROUNDING  # a brick is this cube, made rounder by ROUNDING
REACH = 2 * math.sqrt(3) * HALF  # centres further apart than this cannot touch
SLACK = 0.1  # mm between bricks that touch: poses are rounded, and contacts give a little
UPWARDS = 0.5  # how steep a contact must be to be one from above
ROUNDS, NEAR = 100, 1e-4  # the search for the nearest points ends after this many rounds, or when they hardly move


def rests_on(poses: Mapping[str, Pose], brick: str) -> frozenset[str]:
    """The bricks that it touches from above."""
    here = poses[brick]
    return frozenset(name for name, there in poses.items() if name != brick and _lies_on(here, there))


def _lies_on(upper: Pose, lower: Pose) -> bool:
    if upper.z <= lower.z or math.dist(upper[:3], lower[:3]) > REACH + SLACK:
        return False
    above, below = _nearest(upper, lower)
    gap = math.dist(above, below)
    return gap <= 2 * ROUNDING + SLACK and above[2] - below[2] >= UPWARDS * gap


def _nearest(upper: Pose, lower: Pose) -> tuple[Spot, Spot]:
    """The points of the two cores that are nearest to each other: each is sought from the other in turn."""
    turned = axes(upper), axes(lower)
    above: Spot = upper[:3]
    below = _into(above, lower, turned[1])
    for _ in range(ROUNDS):
        before, above = above, _into(below, upper, turned[0])
        below = _into(above, lower, turned[1])
        if math.dist(before, above) < NEAR:
            break
    return above, below


def _into(spot: Spot, at: Pose, turned: tuple[Spot, Spot, Spot]) -> Spot:
    """The point of a core that is nearest to a spot."""
    x, y, z = at[:3]
    away = (spot[0] - x, spot[1] - y, spot[2] - z)
    for axis in turned:
        along = axis[0] * away[0] + axis[1] * away[1] + axis[2] * away[2]
        reach = max(-CORE, min(CORE, along))
        x, y, z = x + reach * axis[0], y + reach * axis[1], z + reach * axis[2]
    return (x, y, z)
