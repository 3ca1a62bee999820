"""KingBrick positions to flick in, and flicks to make there."""

import math
import random

from ludoteca.games.kingbrick import geometry, physics
from ludoteca.games.kingbrick.geometry import standing
from ludoteca.games.kingbrick.physics import FingerBlocked, Flick


def tower(name, x, y, height, first=1):
    """Bricks on one another, from the ground up."""
    return {f"{name}{first + k}": standing(x, y, 0, 1, 8 + 16 * k) for k in range(height)}


def battle():
    """Forty-two bricks: walls, towers and loose ones on both sides."""
    poses = {}
    for side, turn in (("r", -1), ("b", 1)):
        for k in range(3):
            for column in (-1, 0, 1):
                poses[f"{side}{2 + 3 * k + column}"] = standing(16.4 * column, 120 * turn, 0.5 * column, 1, 8 + 16 * k)
        poses |= tower(side, -50 * turn, 170 * turn, 5, first=10)
        for k in range(7):
            poses[f"{side}{15 + k}"] = standing(-150 + 50 * k, turn * (40 + 10 * (k % 3)), 13 * k, 1 + k % 6)
    return physics.settled(poses).poses


def towards(poses, brick, target, speed, **contact):
    """A flick of a brick at another one."""
    here, there = poses[brick], poses[target]
    direction = math.degrees(math.atan2(there.y - here.y, there.x - here.x))
    return Flick(brick, direction, speed, contact.get("height", 0), contact.get("side", 0), contact.get("follow", 8))


def random_flicks(poses, count, seed, is_filmed=True):
    """Flicks of all kinds, each from where the one before it left the bricks; those that are blocked are left out."""
    rng = random.Random(seed)
    while count:
        brick, target = rng.sample(sorted(poses), 2)
        flick = towards(
            poses,
            brick,
            target,
            rng.uniform(0.3, geometry.SPEED[1]),
            height=rng.uniform(*geometry.HEIGHT),
            side=rng.uniform(*geometry.SIDE),
        )
        try:
            rest = physics.flicked(poses, flick, is_filmed)
        except FingerBlocked:
            continue
        yield poses, flick, rest
        count -= 1
        poses = rest.poses if len(rest.poses) > 12 else battle()


def keep_awake(bodies):
    """Bodies that never fall asleep."""
    for body in bodies:
        rest = body.activation
        rest.linear_threshold = rest.angular_threshold = -1.0
        body.activation = rest
        body.wake_up(True)
