"""Bricks settle, are flicked and are set down. The engine is loaded on first use."""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from ludoteca.games.kingbrick.geometry import APPROACH, BRICK, FINGER, Pose, Spot, distance, extent, has_stayed

Poses = Mapping[str, Pose]  # by a brick's name: r1, b12
TOUCH = 0.005  # mm between a finger and a brick that touch
NEAR = 2 * BRICK  # mm between centres: a finger further away touches no brick


class Flick(NamedTuple):
    """A push by a finger (KB-14): degrees anticlockwise from +x, m/s, and mm from the centre of the face."""

    brick: str
    direction: float
    speed: float
    height: float
    side: float
    follow: float


class Rest(msgspec.Struct, frozen=True, omit_defaults=True):
    """How everything came to rest, and what happened on the way."""

    poses: dict[str, Pose]  # of all bricks that are still on the board
    fell: tuple[tuple[str, ...], ...] = ()  # in the order in which bricks left; the bricks of one step together (KB-17)
    touched: tuple[str, ...] = ()  # by the finger, in order (KB-23)
    push: float = 0.0  # mm that the finger travelled while it pushed (KB-24)
    motion: bytes = b""


class FingerBlocked(Exception):
    """The finger would start inside bricks (KB-14)."""

    def __init__(self, bricks: Iterable[str]) -> None:
        self.bricks = tuple(bricks)
        super().__init__(f"the finger would start inside {', '.join(self.bricks)}")


def settled(poses: Poses) -> Rest:
    """Return how the bricks come to rest by themselves."""
    from ludoteca.games.kingbrick.world import settled_world

    world = settled_world(poses)
    return Rest(poses=dict(world.poses), fell=world.fell)


def settled_on_film(poses: Poses) -> Rest:
    """Return how the bricks come to rest by themselves, with a film if one of them falls."""
    from ludoteca.games.kingbrick.world import on_film

    rest = settled(poses)
    stays = not fallen(poses, rest.poses) and not fallen(rest.poses, settled(rest.poses).poses)
    return rest if stays else on_film(poses)


def flicked(poses: Poses, flick: Flick, is_filmed: bool = True, aimed: Flick | None = None) -> Rest:
    """Return how all comes to rest after a flick (KB-14 to KB-16); FingerBlocked if it cannot be made.

    Without a film it is cheaper.
    """
    from ludoteca.games.kingbrick.flicking import run_flick

    return run_flick(poses, flick, is_filmed, aimed)


def set_down(poses: Poses, brick: str, x: float, y: float, yaw: float, up: int) -> Pose:
    """Return the pose of a brick that is set down on the bricks there (KB-22). Settling shows whether it stays."""
    from ludoteca.games.kingbrick.world import dropped

    return dropped({name: at for name, at in poses.items() if name != brick}, x, y, yaw, up)


def starting_point(at: Pose, flick: Flick) -> tuple[Spot, Spot]:
    """Return where the finger's centre starts, and its direction."""
    dx, dy = math.cos(math.radians(flick.direction)), math.sin(math.radians(flick.direction))
    behind = extent(at, (dx, dy, 0.0)) + APPROACH + FINGER
    x = at.x - dx * behind - dy * flick.side
    y = at.y - dy * behind + dx * flick.side
    return (x, y, at.z + flick.height), (dx, dy, 0.0)


def in_fingers_way(poses: Poses, flick: Flick) -> list[str]:
    """Return the bricks that the finger would start inside of (KB-14)."""
    (x, y, z), _ = starting_point(poses[flick.brick], flick)
    near = ((name, at) for name, at in poses.items() if abs(at.x - x) < NEAR and abs(at.y - y) < NEAR)
    return [name for name, at in near if distance(at, (x, y, z)) < FINGER]


def free_way(poses: Poses, start: Spot, direction: Spot, reach: float) -> float | None:
    """Return how far the finger goes before it touches a brick; None if it touches none within its reach."""
    ways = (_way_to(at, start, direction, reach) for at in poses.values())
    return min((way for way in ways if way is not None), default=None)


def _way_to(at: Pose, start: Spot, direction: Spot, reach: float) -> float | None:
    """Return how far the finger goes before it touches this brick, or None.

    The finger can safely go as far as its distance from the brick: repeat that until it touches, or has passed.
    """
    dx, dy = at.x - start[0], at.y - start[1]
    ahead, aside = dx * direction[0] + dy * direction[1], dy * direction[0] - dx * direction[1]
    if not -BRICK < ahead < reach + 2 * BRICK or abs(aside) > NEAR:
        return None
    way = 0.0
    while way < reach:
        x, y, z = (here + way * along for here, along in zip(start, direction, strict=True))
        gap = distance(at, (x, y, z)) - FINGER
        if gap < TOUCH:
            return way
        way += gap
    return None


def fallen(before: Poses, after: Poses) -> list[str]:
    """Return the bricks that did not stay (KB-9)."""
    return [name for name, at in before.items() if name not in after or not has_stayed(at, after[name])]
