"""The finger: a ball that comes from behind a brick, pushes it, follows through and is gone (KB-14)."""

import math
from typing import cast

import rapier3d as rp

from ludoteca.games.kingbrick import motion
from ludoteca.games.kingbrick.geometry import APPROACH, BRICK, FINGER, Spot, distance, extent
from ludoteca.games.kingbrick.physics import FingerBlocked, Flick, Poses, Rest, starting_point
from ludoteca.games.kingbrick.world import SPEED, STEPS_A_SECOND, Run, scaled, settled_world

FRICTION = 0.6
FAR = 1.0  # units: further than the engine holds bodies back from each other
FINE = 0.7  # mm: the stride of a finger that meets another brick, at most


def run_flick(poses: Poses, flick: Flick, is_filmed: bool) -> Rest:
    settled = settled_world(poses)
    if flick.brick not in settled.poses:
        return Rest(poses=dict(settled.poses), fell=settled.fell)
    start, direction = starting_point(settled.poses[flick.brick], flick)
    inside = [name for name, at in settled.poses.items() if distance(at, start) < FINGER]
    if inside:
        raise FingerBlocked(inside)
    film = motion.Film({motion.FINGER: (*start, 0.0, 0.0, 0.0, 1.0), **settled.poses}) if is_filmed else None
    run = settled.restored(film)
    finger = Finger(run, start, flick.brick)
    reach = 2 * extent(settled.poses[flick.brick], direction) + APPROACH + 2 * FINGER
    finger.push(flick, direction, reach)
    run.to_rest()
    return Rest(
        poses=run.poses(),
        fell=settled.fell + tuple(run.fell),
        touched=tuple(finger.touched),
        push=round(finger.pushed, 2),
        motion=film.develop() if film else b"",
    )


class Finger:
    def __init__(self, run: Run, start: Spot, brick: str) -> None:
        self.touched: list[str] = []
        self.pushed = 0.0
        self._run, self._brick = run, brick
        self._handle = run.world.add_body(rp.RigidBody.kinematic_velocity_based().translation(scaled(start)))
        ball = rp.Collider.ball(FINGER / BRICK).friction(FRICTION)
        ball = ball.restitution(0.0).restitution_combine_rule(rp.CoefficientCombineRule.MIN)
        self._ball = run.world.add_collider(ball.active_hooks(rp.ActiveHooks.MODIFY_SOLVER_CONTACTS), self._handle)
        self._names = {body.colliders[0]: name for name, body in run.bodies.items()}
        self._others = rp.QueryFilter.only_dynamic().exclude_rigid_body(run.handles[brick])
        self._alone = cast(rp.PhysicsHooks, Alone(run.bodies[brick].colliders[0]))
        run.finger = self._body = run.world.rigid_bodies[self._handle]

    def push(self, flick: Flick, direction: Spot, reach: float) -> None:
        """Goes on until it has followed the brick through, or passed where it was, and is removed."""
        self._run.bodies[self._brick].wake_up(True)
        stride, left = 1000 * flick.speed / STEPS_A_SECOND, reach
        while left > 0:
            parts = self._parts(direction, stride)
            for _ in range(parts):
                way = min(stride / parts, left)  # the last one ends where the follow-through does
                self._body.linvel = velocity(direction, way * parts / stride * flick.speed)
                self._run.step(parts)
                left = flick.follow if self._begins_to_push(way) else left - way
        self._run.finger = self._run.world.physics_hooks = None
        self._run.world.remove_body(self._handle)

    def _parts(self, direction: Spot, stride: float) -> int:
        """In how many parts the next step is made: a finger that meets another brick must not leap over a corner,
        and one that does not must not push it."""
        parts = 2 ** math.ceil(math.log2(max(stride / FINE, 1.0)))
        passes = parts > 1 and not self._meets_another(direction, stride)
        self._run.world.physics_hooks = self._alone if passes else None
        return 1 if passes else parts

    def _meets_another(self, direction: Spot, stride: float) -> bool:
        met = self._run.world.query_pipeline.cast_shape(
            rp.Isometry3(self._body.translation, rp.Rotation3.identity()),
            direction,
            rp.SharedShape.ball(FINGER / BRICK),
            rp.ShapeCastOptions(max_time_of_impact=stride / BRICK),
            self._others,
        )
        return met is not None

    def _begins_to_push(self, way: float) -> bool:
        """Notes what it touched on its way."""
        touching = self._touching()
        is_pushing = self._brick in touching
        had_touched = self._brick in self.touched
        self.touched += [name for name in touching if name not in self.touched]
        if is_pushing and had_touched:
            self.pushed += way
        return is_pushing and not had_touched

    def _touching(self) -> list[str]:
        """The bricks that it pushes: an active contact alone may be 4 mm away (KB-23)."""
        found = []
        for pair in self._run.world.narrow_phase.contact_pairs_with(self._ball):
            name = self._names.get(pair.collider2 if pair.collider1 == self._ball else pair.collider1)
            if name and pair.total_impulse_magnitude() > 0:
                found.append(name)
        return sorted(found)


class Alone:
    """Lets the finger push one brick and no other: the engine holds bodies back from each other at a plane between
    them, which a fast finger crosses beside a corner that it does not reach."""

    def __init__(self, brick: rp.ColliderHandle) -> None:
        self._brick = brick

    def modify_solver_contacts(self, contact: rp.ContactModificationContext) -> None:
        if self._brick not in (contact.collider1, contact.collider2):
            for number in range(contact.num_solver_contacts()):
                contact.set_solver_contact(number, dist=FAR)


def velocity(direction: Spot, speed: float) -> rp.Vec3:
    x, y, z = (part * speed * SPEED for part in direction)
    return rp.Vec3(x, y, z)
