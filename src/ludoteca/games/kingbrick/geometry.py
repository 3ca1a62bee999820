"""Sizes and places: mm, the origin at the board's centre, x along the dividing line, y towards blue's end, z up."""

import math
from collections.abc import Iterable
from typing import NamedTuple

WIDTH, LENGTH = 400.0, 600.0  # KB-2
BRICK = 16.0
HALF = BRICK / 2
ROUNDING = 1.0  # of a brick's edges and corners
CASTLE = 100.0
CASTLE_GAP = 60.0  # between a castle and its player's end
FINGER = 6.0  # KB-14: the radius of the ball
APPROACH = 20.0  # KB-14: how far behind the brick it starts

# The limits of a flick (KB-14): least and most, and the usual follow-through.
SPEED = (0.05, 2.5)
HEIGHT = (-6.0, 6.0)
SIDE = (-7.0, 7.0)
FOLLOW = (6.0, 40.0, 8.0)  # with less than 6 mm some bricks leave before they have the finger's speed

SLOWS = 6.4  # m/s^2 by which the mat slows a brick that slides

MOVED, TURNED = 2.0, 5.0  # KB-9: mm and degrees within which a brick has stayed

Point = tuple[float, float]
Spot = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]  # x, y, z, w


class Pose(NamedTuple):
    """Where a brick's centre is and how it is turned, rounded so that a record gives the same bits again."""

    x: float
    y: float
    z: float
    qx: float
    qy: float
    qz: float
    qw: float


def pose(x: float, y: float, z: float, qx: float, qy: float, qz: float, qw: float) -> Pose:
    """Return a pose rounded to 0.01 mm and six decimals, never minus zero."""
    return Pose(
        round(x, 2) + 0.0,
        round(y, 2) + 0.0,
        round(z, 2) + 0.0,
        round(qx, 6) + 0.0,
        round(qy, 6) + 0.0,
        round(qz, 6) + 0.0,
        round(qw, 6) + 0.0,
    )


_R = math.sqrt(0.5)
# The turns that bring each face up. Unturned, face 1 looks up, 2 towards +x and 3 towards +y.
_FACE_UP: dict[int, Quaternion] = {
    1: (0.0, 0.0, 0.0, 1.0),
    2: (0.0, -_R, 0.0, _R),
    3: (_R, 0.0, 0.0, _R),
    4: (-_R, 0.0, 0.0, _R),
    5: (0.0, _R, 0.0, _R),
    6: (1.0, 0.0, 0.0, 0.0),
}


def standing(x: float, y: float, yaw: float, up: int, z: float = HALF) -> Pose:
    """Return the pose of a brick that lies flat, with face `up` on top, turned anticlockwise by `yaw` degrees."""
    s, c = math.sin(math.radians(yaw) / 2), math.cos(math.radians(yaw) / 2)
    qx, qy, qz, qw = _FACE_UP[up]
    return pose(x, y, z, c * qx - s * qy, c * qy + s * qx, c * qz + s * qw, c * qw - s * qz)


def axes(at: Pose) -> tuple[Spot, Spot, Spot]:
    """Return the directions in which faces 2, 3 and 1 look."""
    _, _, _, x, y, z, w = at
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
        (2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
        (2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)),
    )


def top_face(at: Pose) -> int:
    """Return the face that points up most (KB-19)."""
    heights = [axis[2] for axis in axes(at)]
    highest = max(range(3), key=lambda axis: abs(heights[axis]))
    face = (2, 3, 1)[highest]
    return face if heights[highest] > 0 else 7 - face


def outline(at: Pose) -> list[Point]:
    """Return the brick's outline seen from above (KB-7): the corners of a convex polygon, anticlockwise."""
    (ax, ay, _), (bx, by, _), (cx, cy, _) = axes(at)
    signs = (-HALF, HALF)
    corners = sorted(
        (at.x + a * ax + b * bx + c * cx, at.y + a * ay + b * by + c * cy) for a in signs for b in signs for c in signs
    )
    return [*_half_hull(corners)[:-1], *_half_hull(corners[::-1])[:-1]]


def _half_hull(corners: list[Point]) -> list[Point]:
    """One side of the convex hull of sorted corners."""
    hull: list[Point] = []
    for corner in corners:
        while len(hull) >= 2 and _turn(hull[-2], hull[-1], corner) <= 0:
            hull.pop()
        hull.append(corner)
    return hull


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def castle(seat: int) -> tuple[float, float, float, float]:
    """Return the castle's least x and y, its width and its length."""
    near = CASTLE_GAP - LENGTH / 2
    return (-CASTLE / 2, near if seat == 1 else -near - CASTLE, CASTLE, CASTLE)


def in_castle(at: Pose, seat: int) -> bool:
    """Inside it, partly inside, touching its edge or above it (KB-7)."""
    x, y, width, length = castle(seat)
    square = [(x, y), (x + width, y), (x + width, y + length), (x, y + length)]
    return do_touch(outline(at), square)


def do_touch(one: list[Point], other: list[Point]) -> bool:
    """Return whether two convex polygons, both anticlockwise, overlap or touch: no side of either separates them."""
    return not any(
        all(_turn(a, b, corner) < 0 for corner in there)
        for here, there in ((one, other), (other, one))
        for a, b in zip(here, [*here[1:], here[0]], strict=True)
    )


def is_beyond_line(at: Pose, seat: int) -> bool:
    """Return whether a brick is wholly in the territory of that seat's opponent (KB-18)."""
    return all(y > 0 if seat == 1 else y < 0 for _, y in outline(at))


def is_home(at: Pose, seat: int) -> bool:
    """Return whether a brick is wholly in that seat's territory and does not touch the line (KB-8)."""
    corners = outline(at)
    on_board = all(abs(x) <= WIDTH / 2 and abs(y) <= LENGTH / 2 for x, y in corners)
    return on_board and all(y < 0 if seat == 1 else y > 0 for _, y in corners)


def extent(at: Pose, direction: Spot) -> float:
    """Return how far the brick reaches from its centre in a direction, as if its edges were sharp."""
    return HALF * sum(abs(_dot(axis, direction)) for axis in axes(at))


def distance(at: Pose, spot: Spot) -> float:
    """Return the distance from a point to the rounded brick; zero or less inside it."""
    away = tuple(there - here for there, here in zip(spot, at[:3], strict=True))
    beyond = (max(abs(_dot(axis, away)) - (HALF - ROUNDING), 0.0) for axis in axes(at))
    return math.hypot(*beyond) - ROUNDING


def angle(one: Pose, other: Pose) -> float:
    """Return the degrees between the rotations of two poses."""
    cosine = abs(_dot(one[3:], other[3:])) / math.hypot(*one[3:]) / math.hypot(*other[3:])
    return math.degrees(2 * math.acos(min(1.0, cosine)))


def _dot(one: Iterable[float], other: Iterable[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def has_stayed(before: Pose, after: Pose) -> bool:
    """Return whether a brick has stayed, as formations and placed bricks must (KB-9, KB-22)."""
    return math.dist(before[:3], after[:3]) <= MOVED and angle(before, after) <= TURNED
