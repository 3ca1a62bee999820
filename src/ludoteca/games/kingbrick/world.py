"""The bricks as bodies of Rapier. A brick is one unit wide, and a unit of time is an eighth of a second."""

import os
from functools import lru_cache
from typing import NamedTuple

import rapier3d as rp

from ludoteca.games.kingbrick.geometry import (
    BRICK,
    HALF,
    LENGTH,
    ROUNDING,
    WIDTH,
    Pose,
    Quaternion,
    Spot,
    pose,
    standing,
)
from ludoteca.games.kingbrick.motion import FINGER, Film, Sample
from ludoteca.games.kingbrick.physics import Poses, Rest, fallen

STEPS_A_SECOND = 480
TIME = 8.0  # units a second: so scaled, the engine's defaults hold; in metres walls collapse
SPEED = 1000 / BRICK / TIME  # units of 1 m/s
GRAVITY = 9.81 * SPEED / TIME
DEPTH = 50.0  # of the board, in mm

MASS, INERTIA = 1.0, 0.22
MAT_FRICTION, BRICK_FRICTION = 0.65, 0.30
MAT_RESTITUTION, BRICK_RESTITUTION = 0.25, 0.45
SLOW, SLOW_TURN, DROWSY = 0.078, 0.0625, 0.96  # when a body falls asleep: looser ones freeze bricks in mid-tip

FRAME = 4  # steps between two frames of a film, and between two looks whether all are asleep
MOST_STEPS = 20 * STEPS_A_SECOND  # KB-15; a flick takes half a second
KEPT = 64  # positions
EDGE = 50.0  # mm from the board's edge: further than anything flies in one frame
FAR_X, FAR_Y = (WIDTH / 2 - EDGE) / BRICK, (LENGTH / 2 - EDGE) / BRICK

SLIVER = 0.05  # mm by which a brick that is set down may overlap its neighbours


def start_engine() -> int:
    """Let Rapier work in the thread that calls it: its first step reads from the environment how many threads to use.

    A flick is too small to be shared. Return the number of the process for which this holds: see `in_own_thread`.
    """
    name = "RAYON_NUM_THREADS"
    before = os.environ.get(name)
    os.environ[name] = "1"
    rp.PhysicsWorld().step()
    if before is None:
        del os.environ[name]
    else:
        os.environ[name] = before
    return os.getpid()


STARTED_IN = start_engine()


def in_own_thread(world: rp.PhysicsWorld) -> rp.PhysicsWorld:
    """Give a world a thread of its own in a forked process, which lacks the engine's thread and would wait for it.

    Elsewhere this would hand every step to another thread: a flick would take more than twice as long.
    """
    if os.getpid() != STARTED_IN:
        world.set_num_threads(1)
    return world


def settled_world(poses: Poses) -> "SettledWorld":
    return _settled_world(tuple(sorted(poses.items())))


@lru_cache(KEPT)
def _settled_world(poses: tuple[tuple[str, Pose], ...]) -> "SettledWorld":
    run = settle(dict(poses))
    return SettledWorld(run.world.snapshot(), run.handles, run.poses(), tuple(run.fell))


def settle(poses: Poses, film: Film | None = None) -> "Run":
    """Return a new world in which the bricks have come to rest."""
    world = new_world()
    run = Run(world, {name: add_brick(world, at) for name, at in poses.items()}, film)
    run.to_rest()
    return run


def on_film(poses: Poses) -> Rest:
    """Return how the bricks come to rest by themselves, with a film."""
    film = Film(dict(poses))
    lying, fell = with_late_tips(settle(poses, film))
    return Rest(poses=lying, fell=fell, motion=film.develop())


def with_late_tips(run: "Run") -> tuple[dict[str, Pose], tuple[tuple[str, ...], ...]]:
    """Return where the bricks lie and which fell, when a run is over.

    A brick balanced so finely that the rounding of its pose topples it falls now, and not before the next flick. The
    film goes on and shows it (KB-15).
    """
    poses = run.poses()
    if not fallen(poses, settled_world(poses).poses):
        return poses, tuple(run.fell)
    late = settle(poses, run.film)
    return late.poses(), (*run.fell, *late.fell)


class SettledWorld(NamedTuple):
    """A position at rest, from which every flick starts."""

    snapshot: bytes
    handles: dict[str, rp.RigidBodyHandle]
    poses: dict[str, Pose]
    fell: tuple[tuple[str, ...], ...]

    def restored(self, film: Film | None = None) -> "Run":
        return Run(in_own_thread(rp.PhysicsWorld.restore(self.snapshot)), self.handles, film)


class Run:
    """A world on its way to rest. Bricks leave it when their centres drop below the board's surface (KB-16)."""

    def __init__(
        self, world: rp.PhysicsWorld, handles: dict[str, rp.RigidBodyHandle], film: Film | None = None
    ) -> None:
        self.world, self.film = world, film
        self.handles = dict(handles)
        self.bodies = {name: world.rigid_bodies[handle] for name, handle in handles.items()}
        self.finger: rp.RigidBody | None = None
        self.fell: list[tuple[str, ...]] = []
        self.steps = 0.0
        self._names = {handle: name for name, handle in handles.items()}
        # The bricks that every step has to check. One at rest is none of them: it cannot fall that far before a look.
        self._near = {name: one for name, one in self.bodies.items() if not one.is_sleeping and is_near_edge(one)}
        self._parts = 1
        self._is_moving = True
        self._left: list[tuple[str, Sample]] = []  # since the last frame

    def step(self, parts: int = 1) -> None:
        """Make one step, or one of its parts. Their number is a power of two, and all of them have to be made."""
        if parts != self._parts:
            self._divide(parts)
        self.world.step()
        self.steps += 1 / parts
        if self._near:
            leaving = sorted(name for name, body in self._near.items() if body.translation.z < 0)
            if leaving:
                self._remove(leaving)
        if self.steps % FRAME == 0:
            self._look()

    def _divide(self, parts: int) -> None:
        self.world.integration_parameters.dt = TIME / STEPS_A_SECOND / parts
        self._parts = parts

    def _step_to_look(self) -> None:
        """Make all steps up to the next look at once, where no brick is near the edge."""
        for _ in range(FRAME):
            self.world.step()
        self.steps += FRAME
        self._look()

    def _remove(self, leaving: list[str]) -> None:
        self.fell.append(tuple(leaving))
        for name in leaving:
            handle = self.handles.pop(name)
            self._left.append((name, measured(self.bodies[name])))
            del self.bodies[name], self._near[name], self._names[handle]
            self.world.remove_body(handle)

    def lift_finger(self, handle: rp.RigidBodyHandle) -> None:
        """Remove the finger. The next frame still shows where it was last."""
        if self.finger:
            self._left.append((FINGER, measured(self.finger)))
        self.finger = None
        self.world.remove_body(handle)

    def _look(self) -> None:
        """Film the moving bricks, and note which of them are near to the edge."""
        names, bodies = self._names, self.bodies
        moving = [names[handle] for handle in self.world.active_bodies() if handle in names]
        self._near = {name: bodies[name] for name in moving if is_near_edge(bodies[name])}
        self._is_moving = bool(moving)
        if self.film:
            finger = [(FINGER, measured(self.finger))] if self.finger else []
            self.film.shoot([*((name, measured(self.bodies[name])) for name in moving), *self._left, *finger])
            self._left = []

    def to_rest(self) -> None:
        """Run until all bricks are asleep. Those that still move after the limit are laid to rest (KB-15)."""
        self._is_moving = True  # until a look finds all asleep
        while self._is_moving and self.steps < MOST_STEPS:
            if self._near or self.steps % FRAME != 0 or self._parts != 1:
                self.step()
            else:
                self._step_to_look()
        if self._is_moving:
            for body in self.bodies.values():
                body.sleep()
            self.world.step()  # in which the engine notices

    def poses(self) -> dict[str, Pose]:
        return {name: pose(*measured(body)) for name, body in self.bodies.items()}


def is_near_edge(body: rp.RigidBody) -> bool:
    """Return whether a body is so near to the edge that it might leave before the next look."""
    at = body.translation
    return abs(at.x) > FAR_X or abs(at.y) > FAR_Y


def measured(body: rp.RigidBody) -> Sample:
    """Return where a body is, in mm, and how it is turned."""
    at, turn = body.translation, body.rotation
    return (at.x * BRICK, at.y * BRICK, at.z * BRICK, turn.i, turn.j, turn.k, turn.w)


def new_world() -> rp.PhysicsWorld:
    """Return a world with the board alone."""
    world = in_own_thread(rp.PhysicsWorld(gravity=(0.0, 0.0, -GRAVITY)))
    how = world.integration_parameters
    how.dt = TIME / STEPS_A_SECOND
    how.num_solver_iterations = 4
    how.contact_recycling = False
    how.normalized_prediction_distance = 0.3
    board = world.add_body(rp.RigidBody.fixed().translation((0.0, 0.0, -DEPTH / 2 / BRICK)))
    mat = rp.Collider.cuboid(WIDTH / 2 / BRICK, LENGTH / 2 / BRICK, DEPTH / 2 / BRICK)
    mat = mat.friction(MAT_FRICTION).friction_combine_rule(rp.CoefficientCombineRule.MAX)
    mat = mat.restitution(MAT_RESTITUTION).restitution_combine_rule(rp.CoefficientCombineRule.MIN)
    world.add_collider(mat, board)
    return world


def add_brick(world: rp.PhysicsWorld, at: Pose) -> rp.RigidBodyHandle:
    inertia = rp.MassProperties((0.0, 0.0, 0.0), MASS, (INERTIA, INERTIA, INERTIA))
    body = rp.RigidBody.dynamic().translation(scaled(at[:3])).additional_mass_properties(inertia)
    handle = world.add_body(body)
    inner = (HALF - ROUNDING) / BRICK
    shape = rp.Collider.round_cuboid(inner, inner, inner, ROUNDING / BRICK)
    world.add_collider(shape.density(0.0).friction(BRICK_FRICTION).restitution(BRICK_RESTITUTION), handle)
    brick = world.rigid_bodies[handle]
    brick.rotation = turned(at[3:])
    brick.recompute_mass_properties_from_colliders(world.colliders)  # a fresh body loses impulses without a word
    rest = brick.activation
    rest.linear_threshold, rest.angular_threshold, rest.time_until_sleep = SLOW, SLOW_TURN, DROWSY
    brick.activation = rest
    return handle


def scaled(spot: Spot) -> Spot:
    x, y, z = spot
    return (x / BRICK, y / BRICK, z / BRICK)


def turned(quaternion: Quaternion) -> rp.Rotation3:
    x, y, z, w = quaternion
    return rp.Rotation3.from_quaternion(w, x, y, z)


def dropped(poses: Poses, x: float, y: float, yaw: float, up: int) -> Pose:
    """Return the pose at which a brick that comes straight down first meets another brick or the board."""
    world = new_world()
    for _, at in sorted(poses.items()):
        add_brick(world, at)
    world.detect_collisions()
    world.update_query_pipeline()
    inner = (HALF - ROUNDING - SLIVER) / BRICK
    above = 2 * BRICK + max((at.z for at in poses.values()), default=0.0)
    start = standing(x, y, yaw, up, above)
    hit = world.query_pipeline.cast_shape(
        rp.Isometry3(scaled(start[:3]), turned(start[3:])),
        (0.0, 0.0, -1.0),
        rp.SharedShape.round_cuboid(inner, inner, inner, ROUNDING / BRICK),
        rp.ShapeCastOptions(max_time_of_impact=above / BRICK),
    )
    reached = above - hit[1].time_of_impact * BRICK + SLIVER if hit else HALF
    return standing(x, y, yaw, up, reached)
