"""Which bricks a brick rests on, read from poses alone: a replay must know it without an engine (KB-42, KB-44)."""

from collections.abc import Iterator, Mapping

from ludoteca.games.kingbrick.geometry import HALF, ROUNDING, Pose, Spot, axes

CORE = HALF - ROUNDING  # a brick is this cube, made rounder by ROUNDING
REACH = 2 * 3**0.5 * HALF  # centres further apart than this cannot touch
SLACK = 0.3  # mm between bricks that touch: poses are rounded, and contacts give a little
UPWARDS = 0.5  # how steep a contact must be to be one from above


def rests_on(poses: Mapping[str, Pose], brick: str) -> frozenset[str]:
    """The bricks that it touches from above."""
    here = poses[brick]
    return frozenset(name for name, there in poses.items() if name != brick and _lies_on(here, there))


def _lies_on(upper: Pose, lower: Pose) -> bool:
    away = (upper.x - lower.x, upper.y - lower.y, upper.z - lower.z)
    if away[2] <= 0 or _dot(away, away) > (REACH + SLACK) ** 2:
        return False
    gap, steepness = max(_gaps(axes(upper), axes(lower), away))
    return gap <= 2 * ROUNDING + SLACK and steepness >= UPWARDS


def _gaps(one: tuple[Spot, ...], other: tuple[Spot, ...], away: Spot) -> Iterator[tuple[float, float]]:
    """The gap between the two cores along every axis that could part them, and how steep that axis is."""
    crossed = (_cross(a, b) for a in one for b in other)
    for axis in (*one, *other, *crossed):
        length = _dot(axis, axis) ** 0.5
        if length > 1e-3:
            reach = CORE * sum(abs(_dot(axis, side)) for side in (*one, *other))
            yield (abs(_dot(axis, away)) - reach) / length, abs(axis[2]) / length


def _dot(a: Spot, b: Spot) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Spot, b: Spot) -> Spot:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
