"""What bricks do: they settle, are flicked and are set down. The engine is loaded on first use."""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from ludoteca.games.kingbrick.geometry import APPROACH, FINGER, Pose, Spot, extent, has_stayed

Poses = Mapping[str, Pose]  # by a brick's name: r1, b12


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

    poses: dict[str, Pose]  # of what is still on the board
    fell: tuple[tuple[str, ...], ...] = ()  # in the order in which they left, those of one step together (KB-17)
    touched: tuple[str, ...] = ()  # by the finger, in order (KB-23)
    push: float = 0.0  # mm that the finger travelled while it pushed (KB-24)
    motion: bytes = b""


class FingerBlocked(Exception):
    """The finger would start inside bricks (KB-14)."""

    def __init__(self, bricks: Iterable[str]) -> None:
        self.bricks = tuple(bricks)
        super().__init__(f"the finger would start inside {', '.join(self.bricks)}")


def settled(poses: Poses) -> Rest:
    """The bricks left to themselves."""
    from ludoteca.games.kingbrick.world import settled_world

    world = settled_world(poses)
    return Rest(poses=dict(world.poses), fell=world.fell)


def flicked(poses: Poses, flick: Flick, is_filmed: bool = True) -> Rest:
    """After a flick (KB-14 to KB-16); FingerBlocked if it cannot be made. Without a film it is cheaper."""
    from ludoteca.games.kingbrick.flicking import run_flick

    return run_flick(poses, flick, is_filmed)


def set_down(poses: Poses, brick: str, x: float, y: float, yaw: float, up: int) -> Pose:
    """Where a brick is when it is set down on what is there (KB-22); whether it stays, settling tells."""
    from ludoteca.games.kingbrick.world import dropped

    return dropped({name: at for name, at in poses.items() if name != brick}, x, y, yaw, up)


def starting_point(at: Pose, flick: Flick) -> tuple[Spot, Spot]:
    """Where the finger's centre starts, and its direction."""
    dx, dy = math.cos(math.radians(flick.direction)), math.sin(math.radians(flick.direction))
    behind = extent(at, (dx, dy, 0.0)) + APPROACH + FINGER
    x = at.x - dx * behind - dy * flick.side
    y = at.y - dy * behind + dx * flick.side
    return (x, y, at.z + flick.height), (dx, dy, 0.0)


def fallen(before: Poses, after: Poses) -> list[str]:
    """The bricks that did not stay (KB-9)."""
    return [name for name, at in before.items() if name not in after or not has_stayed(at, after[name])]
