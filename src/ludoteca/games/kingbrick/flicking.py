"""The finger: a ball that comes from behind a brick, pushes it, follows through and is gone (KB-14)."""

import rapier3d as rp

from ludoteca.games.kingbrick import motion
from ludoteca.games.kingbrick.geometry import APPROACH, BRICK, FINGER, Spot, distance, extent
from ludoteca.games.kingbrick.physics import FingerBlocked, Flick, Poses, Rest, starting_point
from ludoteca.games.kingbrick.world import SPEED, STEPS_A_SECOND, Run, scaled, settled_world

FRICTION = 0.6


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
    finger = Finger(run, start)
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
    def __init__(self, run: Run, start: Spot) -> None:
        self.touched: list[str] = []
        self.pushed = 0.0
        self._run = run
        self._handle = run.world.add_body(rp.RigidBody.kinematic_velocity_based().translation(scaled(start)))
        ball = rp.Collider.ball(FINGER / BRICK).friction(FRICTION)
        ball = ball.restitution(0.0).restitution_combine_rule(rp.CoefficientCombineRule.MIN)
        self._ball = run.world.add_collider(ball, self._handle)
        self._names = {body.colliders[0]: name for name, body in run.bodies.items()}
        run.finger = self._body = run.world.rigid_bodies[self._handle]

    def push(self, flick: Flick, direction: Spot, reach: float) -> None:
        """Goes on until it has followed the brick through, or passed where it was, and is removed."""
        self._run.bodies[flick.brick].wake_up(True)
        stride, left = 1000 * flick.speed / STEPS_A_SECOND, reach
        while left > 0:
            part = min(1.0, left / stride)  # of a step; the last one ends where the follow-through does
            self._body.linvel = velocity(direction, part * flick.speed)
            self._run.step()
            left = left - stride if part == 1.0 else 0.0
            touching = self._touching()
            if flick.brick in touching and flick.brick in self.touched:
                self.pushed += part * stride
            elif flick.brick in touching:
                left = flick.follow
            self.touched += [name for name in touching if name not in self.touched]
        self._run.finger = None
        self._run.world.remove_body(self._handle)

    def _touching(self) -> list[str]:
        """The bricks that it pushes: an active contact alone may be 4 mm away (KB-23)."""
        found = []
        for pair in self._run.world.narrow_phase.contact_pairs_with(self._ball):
            name = self._names.get(pair.collider2 if pair.collider1 == self._ball else pair.collider1)
            if name and pair.total_impulse_magnitude() > 0:
                found.append(name)
        return sorted(found)


def velocity(direction: Spot, speed: float) -> rp.Vec3:
    x, y, z = (part * speed * SPEED for part in direction)
    return rp.Vec3(x, y, z)
