"""The finger: a ball with a mass that comes from behind a brick, pushes it, follows through and is gone (KB-14)."""

import math

import rapier3d as rp

from ludoteca.games.kingbrick import motion
from ludoteca.games.kingbrick.geometry import APPROACH, BRICK, FINGER, Spot, extent
from ludoteca.games.kingbrick.physics import FingerBlocked, Flick, Poses, Rest, free_way, in_fingers_way, starting_point
from ludoteca.games.kingbrick.world import FRAME, SPEED, STEPS_A_SECOND, Run, scaled, settled_world, with_late_tips

MASS = 3.0  # bricks
FORCE = 20.0  # m/s^2 by which it speeds up again when a brick has slowed it down
HEAVIER = (
    MASS + 1
) / MASS  # times the flick's speed at which the finger comes, so that a single free brick gets that speed
FRICTION = 0.6
FINE = 0.7  # mm: the stride of a finger that touches a brick, at most
STUCK = 0.02  # of its speed: a slower finger has been stopped


def run_flick(poses: Poses, flick: Flick, is_filmed: bool, aimed: Flick | None = None) -> Rest:
    """Run a flick as the hand made it. If its finger has no room to start, it starts where it was aimed (KB-52)."""
    settled = settled_world(poses)
    if flick.brick not in settled.poses:
        return Rest(poses=dict(settled.poses), fell=settled.fell)
    start, direction = room_to_start(settled.poses, flick, aimed or flick)
    film = motion.Film({motion.FINGER: (*start, 0.0, 0.0, 0.0, 1.0), **settled.poses}) if is_filmed else None
    run = settled.restored(film)
    finger = Finger(run, start, direction, flick)
    finger.push(2 * extent(settled.poses[flick.brick], direction) + APPROACH + 2 * FINGER, settled.poses)
    run.to_rest()
    lying, fell = with_late_tips(run) if film else (run.poses(), tuple(run.fell))
    return Rest(
        poses=lying,
        fell=settled.fell + fell,
        touched=tuple(finger.touched),
        push=round(max(0.0, finger.pushed), 2),  # a corner may throw the finger back
        motion=film.develop() if film else b"",
    )


def room_to_start(poses: Poses, *flicks: Flick) -> tuple[Spot, Spot]:
    """Return the start of the first flick that has room, and the direction of the very first; else FingerBlocked."""
    _, direction = starting_point(poses[flicks[0].brick], flicks[0])
    inside: list[str] = []
    for flick in flicks:
        inside = in_fingers_way(poses, flick)
        if not inside:
            return starting_point(poses[flick.brick], flick)[0], direction
    raise FingerBlocked(inside)


class Finger:
    def __init__(self, run: Run, start: Spot, direction: Spot, flick: Flick) -> None:
        self.touched: list[str] = []
        self.pushed = 0.0
        self._run, self._brick, self._flick = run, flick.brick, flick
        self._start, self._direction = start, direction
        self._speed = HEAVIER * flick.speed
        self._names = {body.colliders[0]: name for name, body in run.bodies.items()}

    def push(self, reach: float, poses: Poses) -> None:
        """Push until the follow-through is over, or until the finger has passed the brick's place; then remove it."""
        way = free_way(poses, self._start, self._direction, reach)
        self._approach(reach if way is None else way)
        if way is None:
            return
        self._run.bodies[self._brick].wake_up(True)
        handle = self._touch_down(way)
        left = reach - way
        parts = 2 ** math.ceil(math.log2(max(1000 * self._speed / STEPS_A_SECOND / FINE, 1.0)))
        while left > 0:
            for _ in range(parts):
                if left > 0:
                    went, begins = self._go_on(left, parts)
                    left = self._flick.follow - went if begins else left - went
                    if left <= 0:
                        self._run.lift_finger(handle)
                else:
                    self._run.step(parts)

    def _approach(self, way: float) -> None:
        """Film the finger on its way to the first brick: nothing else moves yet."""
        stride = 1000 * self._speed / STEPS_A_SECOND
        steps = int(way / stride)
        self._run.steps = float(steps % FRAME)  # the rest of the steps belongs to the next frame
        for step in range(FRAME, steps + 1, FRAME):
            if self._run.film:
                self._run.film.shoot([(motion.FINGER, (*self._at(step * stride), 0.0, 0.0, 0.0, 1.0))])

    def _at(self, way: float) -> Spot:
        (x, y, z), (dx, dy, dz) = self._start, self._direction
        return (x + way * dx, y + way * dy, z + way * dz)

    def _touch_down(self, way: float) -> rp.RigidBodyHandle:
        """Add the finger's body where it meets the first brick."""
        world = self._run.world
        inertia = rp.MassProperties((0.0, 0.0, 0.0), MASS, (1.0, 1.0, 1.0))
        body = rp.RigidBody.dynamic().translation(scaled(self._at(way))).additional_mass_properties(inertia)
        handle = world.add_body(body)
        ball = rp.Collider.ball(FINGER / BRICK).density(0.0).friction(FRICTION)
        self._ball = world.add_collider(
            ball.restitution(0.0).restitution_combine_rule(rp.CoefficientCombineRule.MIN), handle
        )
        self._run.finger = self._body = world.rigid_bodies[handle]
        self._body.gravity_scale = 0.0
        self._body.locked_axes = rp.LockedAxes.ROTATION_LOCKED | rp.LockedAxes.TRANSLATION_LOCKED_Z
        self._body.recompute_mass_properties_from_colliders(world.colliders)
        self._went = way
        return handle

    def _go_on(self, left: float, parts: int) -> tuple[float, bool]:
        """Make one part of a step. Return how far the finger went, and whether it began to push its brick."""
        seconds = 1 / STEPS_A_SECOND / parts
        wanted = min(self._flick.speed, self._speed + FORCE * seconds)
        speed = min(max(self._speed, wanted), left / 1000 / seconds)  # the last part ends where the follow-through does
        self._body.linvel = velocity(self._direction, speed)
        self._run.step(parts)
        went = self._guide()
        begins = self._begins_to_push(went)
        if self._speed < STUCK * self._flick.speed:
            return left, begins
        return went, begins

    def _guide(self) -> float:
        """Keep the finger on its line: the hand resists sideways pushes. Return how far it went."""
        at, moves = self._body.translation, self._body.linvel
        dx, dy, _ = self._direction
        x, y, _ = self._start
        reached = (at.x * BRICK - x) * dx + (at.y * BRICK - y) * dy
        went, self._went = reached - self._went, reached
        self._speed = (moves.x * dx + moves.y * dy) / SPEED
        self._body.translation = rp.Vec3(*scaled(self._at(reached)))
        return went

    def _begins_to_push(self, way: float) -> bool:
        """Note the bricks that it touches. Return whether it begins to push its own brick."""
        touching = self._touching()
        is_pushing = self._brick in touching
        begins = is_pushing and self._brick not in self.touched
        self.touched += [name for name in touching if name not in self.touched]
        if is_pushing:
            self.pushed = min(self.pushed + way, self._flick.follow)  # the engine may throw a wedged finger further
        return begins

    def _touching(self) -> list[str]:
        """Return the bricks that the finger pushes (KB-23). An active contact alone may be 4 mm away."""
        found = []
        for pair in self._run.world.narrow_phase.contact_pairs_with(self._ball):
            name = self._names.get(pair.collider2 if pair.collider1 == self._ball else pair.collider1)
            if name and pair.total_impulse_magnitude() > 0:
                found.append(name)
        return sorted(found)


def velocity(direction: Spot, speed: float) -> rp.Vec3:
    x, y, z = direction
    return rp.Vec3(x * speed * SPEED, y * speed * SPEED, z * speed * SPEED)
