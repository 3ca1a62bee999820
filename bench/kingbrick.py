"""KingBrick: flicks to rest a second beside the bare engine in the same run, and the bytes of a flick's film."""

import math
import random
import time
from collections.abc import Callable

import numpy as np
import rapier3d as rp

from ludoteca.games.kingbrick import flicking, physics, world
from ludoteca.games.kingbrick.geometry import APPROACH, BRICK, FINGER, HALF, Pose, Spot, standing
from ludoteca.games.kingbrick.physics import Flick

ROUNDS, FLICKS = 3, 60
PITCH = 16.4  # mm between the bricks of a wall
WANTED = 0.9  # of the bare engine's flicks
BYTES = 1500  # a flick, about


def battle() -> dict[str, Pose]:
    """Two walls, a tower, a King and a brick to flick on each side, a little out of line."""
    rng = random.Random(7)
    poses: dict[str, Pose] = {}
    for side, turn in (("r", -1), ("b", 1)):
        spots = [(PITCH * column, 120.0, row) for row in range(3) for column in (-1, 0, 1)]
        spots += [(50 + PITCH * column, 160.0, row) for row in range(3) for column in (0, 1)]
        spots += [(-40.0, 200.0, row) for row in range(4)]
        spots += [(0.0, 250.0, 0), (0.0 if turn < 0 else 100.0, 50.0, 0)]
        for number, (x, y, row) in enumerate(spots, start=1):
            yaw = rng.uniform(-0.8, 0.8)
            poses[f"{side}{number}"] = standing(turn * x, turn * y, yaw, 1, HALF + BRICK * row)
    return physics.settled(poses).poses


def flicks() -> list[Flick]:
    """At the other side's walls."""
    rng = random.Random(1)
    return [
        Flick("r21", 90 + rng.uniform(-20, 20), rng.uniform(1.0, 2.5), rng.uniform(-2, 2), 0.0, 8.0)
        for _ in range(FLICKS)
    ]


def bare(poses: dict[str, Pose], flick: Flick) -> None:
    """Bring the same flick to rest with as few calls as possible: no falls in order, no impulses, no poses read.

    The finger is guided as the rules say (KB-14), in the same short steps: without them the bricks would move less.
    """
    settled = world.settled_world(poses)
    engine = rp.PhysicsWorld.restore(settled.snapshot)
    bricks = [engine.rigid_bodies[handle] for handle in settled.handles.values()]
    start, direction = physics.starting_point(settled.poses[flick.brick], flick)
    way = physics.free_way(settled.poses, start, direction, APPROACH + 2 * BRICK) or APPROACH
    x, y, z = (here + way * along for here, along in zip(start, direction, strict=True))
    touch = (x, y, z)
    handle = finger_of(engine, touch)
    finger = engine.rigid_bodies[handle]
    engine.rigid_bodies[settled.handles[flick.brick]].wake_up(True)
    speed = flick.speed * flicking.HEAVIER
    parts = 2 ** math.ceil(math.log2(max(1000 * speed / world.STEPS_A_SECOND / flicking.FINE, 1.0)))
    engine.integration_parameters.dt = world.TIME / world.STEPS_A_SECOND / parts
    seconds, went, made = 1 / world.STEPS_A_SECOND / parts, 0.0, 0
    while went < flick.follow:
        speed = max(speed, min(flick.speed, speed + flicking.FORCE * seconds))
        finger.linvel = flicking.velocity(direction, speed)
        engine.step()
        made += 1
        speed = math.hypot(finger.linvel.x, finger.linvel.y) / world.SPEED
        went = math.dist((finger.translation.x * BRICK, finger.translation.y * BRICK), touch[:2])
    engine.remove_body(handle)
    for _ in range(-made % parts):
        engine.step()
    engine.integration_parameters.dt = world.TIME / world.STEPS_A_SECOND
    is_moving = True
    while is_moving:
        for _ in range(world.FRAME):
            engine.step()
        for brick in bricks:
            if brick.is_enabled and brick.translation.z < 0:
                brick.is_enabled = False
        is_moving = bool(engine.active_bodies())


def finger_of(engine: rp.PhysicsWorld, at: Spot) -> rp.RigidBodyHandle:
    """Add a finger as flicking.py does."""
    mass = rp.MassProperties((0.0, 0.0, 0.0), flicking.MASS, (1.0, 1.0, 1.0))
    body = rp.RigidBody.dynamic().translation(world.scaled(at)).additional_mass_properties(mass)
    handle = engine.add_body(body)
    ball = rp.Collider.ball(FINGER / BRICK).density(0.0).friction(flicking.FRICTION).restitution(0.0)
    engine.add_collider(ball.restitution_combine_rule(rp.CoefficientCombineRule.MIN), handle)
    finger = engine.rigid_bodies[handle]
    finger.gravity_scale = 0.0
    finger.locked_axes = rp.LockedAxes.ROTATION_LOCKED | rp.LockedAxes.TRANSLATION_LOCKED_Z
    finger.recompute_mass_properties_from_colliders(engine.colliders)
    return handle


def unfilmed(poses: dict[str, Pose], flick: Flick) -> None:
    physics.flicked(poses, flick, is_filmed=False)


def filmed(poses: dict[str, Pose], flick: Flick) -> None:
    physics.flicked(poses, flick)


def seconds(work: Callable[[dict[str, Pose], Flick], None], poses: dict[str, Pose], flick: Flick) -> float:
    began = time.process_time()
    work(poses, flick)
    return time.process_time() - began


def rates(*ways: Callable[[dict[str, Pose], Flick], None]) -> list[float]:
    """Flicks a second, the ways by turns at every flick, each as fast as it ever was: the machine is noisy."""
    poses, spent = battle(), [0.0] * len(ways)
    for flick in flicks():
        tries = [[seconds(way, poses, flick) for way in ways] for _ in range(ROUNDS)]
        spent = [sum_ + min(times) for sum_, times in zip(spent, zip(*tries, strict=True), strict=True)]
    return [FLICKS / total for total in spent]


def measure() -> list[str]:
    engine, ours, with_films = rates(bare, unfilmed, filmed)
    poses = battle()
    sizes = [len(physics.flicked(poses, flick).motion) for flick in flicks()]
    return [
        f"KingBrick, 42 bricks, one core: {ours:.0f} flicks to rest/s, {with_films:.0f} with their films; "
        f"the bare engine {engine:.0f}: ratio {ours / engine:.2f} (wanted: at least {WANTED})",
        f"KingBrick, a flick's film: {np.mean(sizes):.0f} bytes on average, "
        f"{np.percentile(sizes, 95):.0f} at the 95th percentile (wanted: about {BYTES})",
    ]


if __name__ == "__main__":
    print(*measure(), sep="\n")
