"""A bot's view of the board from above: free ways between bricks, and flicks that are worth trying."""

import math
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from ludoteca.games.kingbrick import geometry
from ludoteca.games.kingbrick.geometry import APPROACH, BRICK, FINGER, LENGTH, WIDTH, Pose, distance
from ludoteca.games.kingbrick.hand import error
from ludoteca.games.kingbrick.physics import Flick, Poses, starting_point
from ludoteca.games.kingbrick.state import State, king_of, other

CORRIDOR = 14.0  # mm beside a brick's way within which another one stops it
LOW = 1.5 * BRICK  # higher bricks are no obstacle on the ground
CLEARANCE = 1.5  # mm that a careful finger keeps from other bricks
FRICTION = geometry.SLOWS
PASSED_ON = 0.72  # of its speed that a brick passes on to the one it hits
TRIES = 20  # for each flick that is wanted, until one is clean
FULL = geometry.SPEED[1]
SLOWEST = 0.25  # of the fastest flick, that is worth a try
SURE = 1.15  # of the speed that just fells a King


class Way(NamedTuple):
    """From one brick to another."""

    length: float
    direction: float


def way(here: Pose, there: Pose) -> Way:
    dx, dy = there.x - here.x, there.y - here.y
    return Way(math.hypot(dx, dy), math.degrees(math.atan2(dy, dx)) % 360)


def in_the_way(poses: Poses, one: str, other_one: str) -> int:
    """Return how many bricks on the ground stand between two bricks."""
    here, there = poses[one], poses[other_one]
    return sum(1 for _ in between(poses, here, there, {one, other_one}))


def between(poses: Poses, here: Pose, there: Pose, but: set[str]) -> Iterator[str]:
    """Yield the bricks on the ground that stand on a way, without some."""
    dx, dy = there.x - here.x, there.y - here.y
    length = math.hypot(dx, dy)
    if length < 1:
        return
    dx, dy = dx / length, dy / length
    for name, at in poses.items():
        if name in but or at.z > LOW:
            continue
        x, y = at.x - here.x, at.y - here.y
        if 0 < x * dx + y * dy < length and abs(y * dx - x * dy) < CORRIDOR:
            yield name


def first_hit(poses: Poses, flick: Flick) -> str | None:
    """Return the first brick on the ground that a flicked brick meets, if it comes that far."""
    here = poses[flick.brick]
    met = between(poses, here, _slid(here, flick, BRICK), {flick.brick})
    return min(met, key=lambda name: way(here, poses[name]).length, default=None)


def free_end(poses: Poses, flick: Flick) -> Pose | None:
    """Return about where a flicked brick comes to rest that meets no other; None if it leaves the board."""
    end = _slid(poses[flick.brick], flick)
    return end if abs(end.x) < WIDTH / 2 and abs(end.y) < LENGTH / 2 else None


def _slid(here: Pose, flick: Flick, more: float = 0.0) -> Pose:
    """Return where a brick is that nothing but the mat has stopped, or so many mm further."""
    reach, turn = more + 1000 * flick.speed**2 / (2 * FRICTION), math.radians(flick.direction)
    return pose_at(here, reach * math.cos(turn), reach * math.sin(turn))


def danger(poses: Poses, king: str, attackers: list[str]) -> float:
    """Return how likely the best of these attackers brings a King down, flicked by a natural hand."""
    found = (_hit(poses, name, king) for name in attackers if name != king and not in_the_way(poses, name, king))
    return max(found, default=0.0)


def _hit(poses: Poses, name: str, king: str) -> float:
    at = poses[king]
    length, direction = way(poses[name], at)
    dx, dy = math.cos(math.radians(direction)), math.sin(math.radians(direction))
    fall = to_edge(at, dx, dy)
    speed = speed_to_fell(length, fall)
    if speed > FULL:
        return 0.0
    edge = pose_at(at, dx * fall, dy * fall)
    backing = sum(1 for _ in between(poses, at, edge, {name, king}))
    wide = math.radians(error(speed).direction) * length + error(speed).side
    return math.erf(0.7 * BRICK / wide / math.sqrt(2)) * 0.5**backing


def speed_to_fell(length: float, fall: float) -> float:
    """Return how fast a brick must be flicked to push another one over the edge.

    `length` is the way to the other brick, and `fall` the way from there to the edge, both in mm.
    """
    hits = math.sqrt(2 * FRICTION * fall / 1000) / PASSED_ON
    return math.sqrt(hits**2 + 2 * FRICTION * length / 1000)


def pose_at(at: Pose, dx: float, dy: float) -> Pose:
    return at._replace(x=at.x + dx, y=at.y + dy)


def to_edge(at: Pose, dx: float, dy: float) -> float:
    """Return how far it is from a brick to the board's edge in a direction."""
    across = (WIDTH / 2 - at.x * math.copysign(1, dx)) / abs(dx) if abs(dx) > 1e-6 else math.inf
    along = (LENGTH / 2 - at.y * math.copysign(1, dy)) / abs(dy) if abs(dy) > 1e-6 else math.inf
    return max(min(across, along), 0.0)


def is_clean(poses: Poses, flick: Flick) -> bool:
    """Return whether the finger can start and will probably touch only its brick."""
    start, (dx, dy, _) = starting_point(poses[flick.brick], flick)
    for name, at in poses.items():
        if name == flick.brick or math.dist(at[:2], start[:2]) > 2 * (APPROACH + FINGER):
            continue
        for done in (0.0, APPROACH / 2, APPROACH, APPROACH + flick.follow):
            if distance(at, (start[0] + dx * done, start[1] + dy * done, start[2])) < FINGER + CLEARANCE:
                return False
    return True


def flicks(state: State, seat: int, mine: list[str], count: int, rng: Random, at_king: float = 0.5) -> list[Flick]:
    """Return `count` flicks to try: first with a free way to the King, then others at the King and at other bricks."""
    poses = state.poses
    king = king_of(other(seat), state)
    found = [flick for flick in _straight(poses, mine, king) if is_clean(poses, flick)][: count // 2]
    targets = [name for name, brick in state.bricks.items() if brick.side != seat and brick.pose]
    return _filled(found, poses, mine, king, targets, count, rng, at_king)


def flicks_at(state: State, mine: list[str], targets: list[str], count: int, rng: Random) -> list[Flick]:
    """Return `count` flicks at these bricks."""
    return _filled([], state.poses, mine, targets[0], targets, count, rng, at_king=0.0)


def _filled(
    found: list[Flick],
    poses: Poses,
    mine: list[str],
    king: str,
    targets: list[str],
    count: int,
    rng: Random,
    at_king: float,
) -> list[Flick]:
    for _ in range(TRIES * count if mine else 0):
        if len(found) >= count:
            break
        flick = _at(poses, _one(mine, rng), king if rng.random() < at_king else _one(targets, rng), rng)
        if is_clean(poses, flick):
            found.append(flick)
    return found


def _straight(poses: Poses, mine: list[str], king: str) -> Iterator[Flick]:
    """Yield flicks straight at the King, the freest and nearest bricks first, a little faster than needed."""
    ways = [(in_the_way(poses, name, king), way(poses[name], poses[king]), name) for name in mine]
    for blocked, (length, direction), name in sorted(ways):
        if blocked < 2:
            fall = to_edge(poses[king], math.cos(math.radians(direction)), math.sin(math.radians(direction)))
            speed = min(FULL, SURE * speed_to_fell(length, fall)) if not blocked else FULL
            yield Flick(name, round(direction, 1), round(speed, 2), 0.0, 0.0, geometry.FOLLOW[2])


def _at(poses: Poses, brick: str, target: str, rng: Random) -> Flick:
    direction = way(poses[brick], poses[target]).direction if brick != target else 360 * rng.random()
    return Flick(
        brick,
        round(direction + rng.gauss(0, 2), 1) % 360,
        round(FULL * (SLOWEST + (1 - SLOWEST) * rng.random()), 2),
        round(-2 + 6 * rng.random(), 1),
        round(rng.gauss(0, 1), 1),
        geometry.FOLLOW[2],
    )


def varied(flick: Flick, rng: Random) -> Flick:
    """Return a flick that differs a little."""
    return flick._replace(
        direction=round(flick.direction + rng.gauss(0, 1), 1) % 360,
        speed=_within(geometry.SPEED, flick.speed + rng.gauss(0, 0.3), 2),
        height=_within(geometry.HEIGHT, flick.height + rng.gauss(0, 1), 1),
        side=_within(geometry.SIDE, flick.side + rng.gauss(0, 1), 1),
    )


def _within(limits: tuple[float, float], value: float, decimals: int) -> float:
    least, most = limits
    return round(min(max(value, least), most), decimals)


def _one(names: list[str], rng: Random) -> str:
    return names[int(len(names) * rng.random())]
