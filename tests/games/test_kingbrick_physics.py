"""What KingBrick's bricks do: that they stand, fall, tumble and come to rest, and what the finger does to them."""

import json
import math
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest
from kingbrick_flicks import battle, keep_awake, random_flicks, towards, tower

from ludoteca.games.kingbrick import flicking, geometry, physics
from ludoteca.games.kingbrick.geometry import standing, top_face
from ludoteca.games.kingbrick.physics import FingerBlocked, Flick
from ludoteca.games.kingbrick.world import SPEED, STEPS_A_SECOND, Run, add_brick, measured, new_world, settled_world

rule = pytest.mark.rule


# Standing and settling


def test_what_stands_stays():
    poses = {"r1": standing(0, -190, 30, 4), **tower("b", 20, 100, 3)}
    rest = physics.settled(poses)
    assert rest.fell == ()
    assert physics.fallen(poses, rest.poses) == []


@rule("KB-9")
def test_what_does_not_stand_is_named():
    """One brick stands with a quarter on another, one hangs in the air; the others do not mind."""
    poses = {
        "r1": standing(0, -190, 0, 1),
        "r2": standing(0, -100, 0, 1),
        "r3": standing(12, -100, 0, 1, 24),
        "r4": standing(100, -100, 0, 1, 60),
    }
    assert physics.fallen(poses, physics.settled(poses).poses) == ["r3", "r4"]


@rule("KB-9", "KB-16")
def test_what_falls_from_the_board_has_fallen():
    poses = {"r1": standing(0, -190, 0, 1), "r2": standing(209, -100, 0, 1)}
    rest = physics.settled(poses)
    assert rest.fell == (("r2",),)
    assert physics.fallen(poses, rest.poses) == ["r2"]


@rule("KB-16")
def test_overhanging_is_still_on_the_board():
    poses = {"r1": standing(199, -100, 0, 1)}
    rest = physics.settled(poses)
    assert rest.fell == ()
    assert physics.fallen(poses, rest.poses) == []


def test_towers_of_five_do_not_drift():
    """Less than 0.2 mm in three seconds, awake all the time."""
    world = new_world()
    feet = [(-100.0, -100.0), (0.0, -150.0), (90.0, 60.0), (190.0, 290.0)]
    handles = [add_brick(world, standing(x, y, 0, 1, 8 + 16 * k)) for x, y in feet for k in range(5)]
    bodies = [world.rigid_bodies[handle] for handle in handles]
    keep_awake(bodies)
    before = [measured(body)[:3] for body in bodies]
    for _ in range(3 * STEPS_A_SECOND):
        world.step()
    assert len(world.active_bodies()) == len(bodies)
    assert max(math.dist(measured(body)[:3], was) for body, was in zip(bodies, before, strict=True)) < 0.2


# Setting down


@rule("KB-22")
def test_a_brick_is_set_down_on_what_is_there():
    poses = tower("r", 0, -190, 2)
    assert physics.set_down(poses, "r9", 60, -190, 0, 1) == standing(60, -190, 0, 1)
    on_top = physics.set_down(poses, "r9", 3, -190, 45, 5)
    assert on_top.z == pytest.approx(40, abs=0.05)
    assert top_face(on_top) == 5
    both = {**poses, "r9": on_top}
    assert physics.fallen(both, physics.settled(both).poses) == []


@rule("KB-22")
def test_beside_a_brick_means_on_the_ground():
    poses = {"r1": standing(0, -190, 0, 1)}
    assert physics.set_down(poses, "r2", 16, -190, 0, 1).z == pytest.approx(8, abs=0.01)
    assert physics.set_down(poses, "r2", 15, -190, 0, 1).z > 22  # overlapping, it comes to stand on the edge: and falls


@rule("KB-22")
def test_a_brick_that_is_moved_is_not_in_its_own_way():
    poses = {"r1": standing(0, -190, 0, 1)}
    assert physics.set_down(poses, "r1", 2, -190, 0, 3).z == pytest.approx(8, abs=0.01)


# The finger


@rule("KB-14")
def test_the_brick_goes_where_the_finger_goes():
    """Without another brick in the way it slides straight on, and further the faster it is flicked."""
    poses = {"r1": standing(0, -200, 0, 1)}
    ends = [physics.flicked(poses, Flick("r1", 90, speed, 0, 0, 8)).poses["r1"] for speed in (0.3, 0.6, 0.9)]
    assert [abs(end.x) < 1 for end in ends] == [True] * 3
    assert -200 < ends[0].y < ends[1].y < ends[2].y
    assert ends[2].y - -200 == pytest.approx(8 + 1000 * 0.9**2 / 2 / 9.81 / 0.65, rel=0.1)  # friction stops it
    assert [top_face(end) for end in ends] == [1] * 3  # a central hit does not tumble


@rule("KB-14")
@pytest.mark.parametrize("speed", [0.5, 1.0, 2.0])
def test_a_finger_gives_a_single_free_brick_the_speed_of_the_flick(speed):
    run, finger = finger_at({"r1": standing(0, -250, 0, 1)}, speed)
    finger.push(80, run.poses())
    moves = run.bodies["r1"].linvel
    assert math.hypot(moves.x, moves.y) / SPEED == pytest.approx(speed, rel=0.03, abs=0.03)


@rule("KB-14")
@pytest.mark.parametrize("count", [2, 3, 5])
def test_a_column_absorbs_the_blow(count):
    """The finger has the mass of three bricks: all that move together have no more momentum than it can give."""
    run, finger = finger_at({f"r{n}": standing(0, -250 + 16.05 * n, 0, 1) for n in range(1, count + 1)}, 2.0)
    finger.push(80, run.poses())
    moves = [math.hypot(body.linvel.x, body.linvel.y) / SPEED for body in run.bodies.values()]
    assert sum(moves) < 2.0 * 4 * 1.05, "the momentum of the finger: three bricks at four thirds of the flick's speed"
    assert sum(speed**2 for speed in moves) < 2.0**2 * 16 / 3, "and its energy"
    assert moves[0] < 0.9 * 2.0


@rule("KB-14")
@pytest.mark.parametrize("speed", [0.5, 1.0, 2.0])
def test_a_finger_weighs_three_bricks(speed):
    """What the finger loses at the first touch, the brick gains."""
    run, finger = finger_at({"r1": standing(0, -250, 0, 1)}, speed)
    first, after = pushed_by(run, finger)[:2]
    assert first.bricks == 0
    assert 3 * (first.finger - after.finger) == pytest.approx(after.bricks, rel=0.03)


@rule("KB-14")
@pytest.mark.parametrize("speed", [1.0, 1.5, 2.0])
def test_a_finger_that_is_slowed_down_speeds_up_with_a_limited_force(speed):
    """Three bricks' worth of 20 m/s^2 push five bricks, which the mat slows."""
    column = {f"r{n}": standing(0, -250 + 16.05 * n, 0, 1) for n in range(1, 6)}
    run, finger = finger_at(column, speed, follow=40)
    watched = [moment for moment in pushed_by(run, finger) if 0.004 <= moment.time <= 0.014]
    momenta = [3 * moment.finger + moment.bricks for moment in watched]
    gained = (momenta[-1] - momenta[0]) / (watched[-1].time - watched[0].time)
    assert gained == pytest.approx(3 * 20 - 5 * geometry.SLOWS, abs=8)


class Moment(NamedTuple):
    time: float  # s since the finger touched
    finger: float  # m/s
    bricks: float  # m/s, all together


def pushed_by(run, finger):
    """Push, and return the moments between the parts of the steps."""
    seen, go_on = [Moment(0.0, finger._speed, 0.0)], finger._go_on

    def watched(left, parts):
        went = go_on(left, parts)
        moves = sum(body.linvel.y for body in run.bodies.values()) / SPEED
        seen.append(Moment(seen[-1].time + 1 / STEPS_A_SECOND / parts, finger._speed, moves))
        return went

    finger._go_on = watched
    finger.push(120, run.poses())
    return seen


def finger_at(poses, speed, follow=8):
    run = settled_world(poses).restored()
    flick = Flick("r1", 90, speed, 0, 0, follow)
    start, direction = physics.starting_point(poses["r1"], flick)
    return run, flicking.Finger(run, start, direction, flick)


@rule("KB-14")
@pytest.mark.parametrize("direction", [0, 37, 90, 143, 211, 270, 333])
def test_the_direction_is_anticlockwise_from_x(direction):
    poses = {"r1": standing(0, 0, direction, 1)}
    end = physics.flicked(poses, Flick("r1", direction, 0.8, 0, 0, 8)).poses["r1"]
    assert math.degrees(math.atan2(end.y, end.x)) % 360 == pytest.approx(direction, abs=1)


@rule("KB-14")
def test_height_tumbles_and_side_turns():
    poses = {"r1": standing(0, -150, 0, 1)}

    def axes_after(**contact):
        flick = Flick("r1", 90, 1.2, contact.get("height", 0), contact.get("side", 0), 8)
        rest = physics.flicked(poses, flick)
        return rest.poses["r1"]

    assert geometry.angle(poses["r1"], axes_after()) < 2
    assert geometry.angle(poses["r1"], axes_after(height=5)) > 45
    left, right = axes_after(side=3), axes_after(side=-3)  # pushed on its left it turns clockwise
    assert left.qz < -0.1
    assert right.qz > 0.1


@rule("KB-14")
def test_a_finger_that_would_start_inside_a_brick_is_refused():
    poses = {"r1": standing(0, 0, 0, 1), "r2": standing(0, -34, 0, 1), "b1": standing(8, -42, 0, 1, 24)}
    with pytest.raises(FingerBlocked) as blocked:
        physics.flicked(poses, Flick("r1", 90, 2, 0, 0, 8))
    assert blocked.value.bricks == ("r2",)
    assert physics.flicked(poses, Flick("r1", 0, 2, 0, 0, 8)).touched == ("r1",)


@rule("KB-14")
def test_room_for_a_finger_is_enough():
    """It starts 20 mm behind the brick and is 12 mm thick: a brick beyond that does not matter, one before it does."""
    for gap, is_blocked in ((32.1, False), (31.9, True)):
        poses = {"r1": standing(0, 0, 0, 1), "r2": standing(0, -16 - gap, 0, 1)}
        if is_blocked:
            with pytest.raises(FingerBlocked):
                physics.flicked(poses, Flick("r1", 90, 1, 0, 0, 8))
        else:
            assert physics.flicked(poses, Flick("r1", 90, 1, 0, 0, 8)).touched == ("r1",)


@rule("KB-15", "KB-16")
def test_what_falls_before_the_finger_comes_is_told_too():
    poses = {"r1": standing(0, -190, 0, 1), "r2": standing(210, -100, 0, 1)}
    rest = physics.flicked(poses, Flick("r1", 90, 1, 0, 0, 8))
    assert (rest.fell, set(rest.poses)) == ((("r2",),), {"r1"})


@rule("KB-23")
def test_a_clean_flick_touches_one_brick():
    poses = {"r1": standing(0, 0, 0, 1), "b1": standing(0, 60, 0, 1), "r2": standing(40, 0, 0, 1)}
    rest = physics.flicked(poses, Flick("r1", 90, 2, 0, 0, 8))
    assert rest.touched == ("r1",)
    assert physics.fallen(poses, rest.poses) == ["r1", "b1"]  # the brick touched the other, the finger did not


@rule("KB-23")
def test_a_finger_that_brushes_a_neighbour_touches_it_too():
    """The neighbour reaches 2 mm into the finger's way; 1 mm beside the way it is not touched."""
    for x, touched in ((12, ("r2", "r1")), (15.2, ("r1",))):
        poses = {"r1": standing(0, 0, 0, 1), "r2": standing(x, -22, 0, 1)}
        assert physics.flicked(poses, Flick("r1", 90, 2, 0, 0, 8)).touched == touched


def beside_the_way(gap, along, yaw):
    """The brick that is flicked along y, and another whose rounded edge is so far beside the finger's way."""
    turned = abs(math.cos(math.radians(yaw))) + abs(math.sin(math.radians(yaw)))
    width = turned * (geometry.HALF - geometry.ROUNDING) + geometry.ROUNDING
    return {"r1": standing(0, 0, 0, 1), "r2": standing(geometry.FINGER + width + gap, along, yaw, 1)}


PASSES = [(along, yaw) for along in (-27.5, -25.5, -23.5, -21.5) for yaw in (20, 45)]


@rule("KB-23")
@pytest.mark.parametrize("speed", [0.5, 1.5, 2.5])
def test_a_finger_that_passes_a_corner_does_not_touch_it(speed):
    for gap in (0.1, 0.5, 1.5):
        for along, yaw in PASSES:
            poses = beside_the_way(gap, along, yaw)
            rest = physics.flicked(poses, Flick("r1", 90, speed, 0, 0, 8), is_filmed=False)
            assert rest.touched == ("r1",), (gap, along, yaw)
            assert rest.poses["r2"] == pytest.approx(poses["r2"], abs=0.02), (gap, along, yaw)


@rule("KB-23")
@pytest.mark.parametrize("speed", [0.5, 1.5, 2.5])
def test_a_finger_that_grazes_a_corner_pushes_it(speed):
    """However fast it is, and wherever its steps begin."""
    for depth in (0.2, 1.0, 3.0):
        for along, yaw in PASSES:
            poses = beside_the_way(-depth, along, yaw)
            rest = physics.flicked(poses, Flick("r1", 90, speed, 0, 0, 8), is_filmed=False)
            assert rest.touched[:1] == ("r2",), (depth, along, yaw)
            assert math.dist(rest.poses["r2"][:2], poses["r2"][:2]) > 0.1, (depth, along, yaw)


@rule("KB-23")
@pytest.mark.parametrize("speed", [0.5, 1.5, 2.5])
def test_a_finger_that_follows_through_into_another_brick_touches_it_too(speed):
    """It hits r1 beside its centre, and r2 stands beside r1 where only the finger comes by."""
    poses = {"r1": standing(0, 0, 0, 1), "r2": standing(18, 14, 0, 1)}
    assert physics.flicked(poses, Flick("r1", 90, speed, 0, -6, 8)).touched == ("r1",)
    assert physics.flicked(poses, Flick("r1", 90, speed, 0, -6, 40)).touched == ("r1", "r2")


@rule("KB-24")
@pytest.mark.parametrize("speed", [0.1, 0.5, 1.0, 2.0, 2.5])
def test_a_push_is_measured_between_the_time_steps(speed):
    """As long as the follow-through, however fast the finger is: 20 mm are no push-shot and 21 mm are one."""
    poses = {"r1": standing(0, -250, 0, 1)}
    for follow in (6, 8, 12, 20, 21, 25, 40):
        push = physics.flicked(poses, Flick("r1", 90, speed, 0, 0, follow), is_filmed=False).push
        assert follow - 0.75 <= push <= follow, (follow, push)


@rule("KB-24")
def test_a_push_is_never_less_than_nothing():
    """This corner throws the finger back at once. The rules refused the flick, and a match could not go on."""
    poses = {"r10": geometry.Pose(-186.99, -208.39, 8.0, 0.0, 0.0, -0.719453, 0.694541)}
    rest = physics.flicked(poses, Flick("r10", 41.1, 2.2, -2.1, 1.1, 8.0), is_filmed=False)
    assert (rest.touched, rest.push) == (("r10",), 0.0)


def test_a_finger_may_miss():
    poses = {"r1": standing(0, 0, 0, 1)}
    rest = physics.flicked(poses, Flick("r1", 90, 2, 0, 18, 8))
    assert (rest.touched, rest.push) == ((), 0.0)
    assert rest.poses["r1"] == pytest.approx(poses["r1"], abs=1e-5)


@rule("KB-14")
def test_every_speed_moves_a_sleeping_brick():
    poses = {"r1": standing(0, 0, 0, 1)}
    for speed in (geometry.SPEED[0], 0.1, 1, 2, geometry.SPEED[1]):
        rest = physics.flicked(poses, Flick("r1", 90, speed, 0, 0, 8))
        assert rest.touched == ("r1",)
        assert "r1" not in rest.poses or rest.poses["r1"].y > 5


# Flying and falling


@rule("KB-16", "KB-17")
def test_bricks_leave_in_the_order_in_which_they_fall():
    """Two at the edge, one nearer to it than the other; then two alike, in the same step."""
    poses = {"r1": standing(0, -280, 0, 1), "b1": standing(100, -292, 0, 1), "r2": standing(0, -120, 0, 1)}
    flick = Flick("r1", 270, 2.5, 0, 0, 8)
    assert physics.flicked(poses, flick).fell == (("r1",),)
    fell = physics.flicked({**poses, "b1": standing(0, -297, 0, 1)}, flick).fell
    assert [name for step in fell for name in step] == ["b1", "r1"]
    alike = {"r1": standing(-50, -306, 0, 1, 60), "b1": standing(50, -306, 0, 1, 60), "r2": standing(0, -306, 0, 1, 70)}
    assert physics.settled(alike).fell == (("b1", "r1"), ("r2",))


@rule("KB-16")
def test_a_brick_leaves_in_the_step_in_which_it_drops_below_the_board(monkeypatch):
    """Only moving bricks near the edge are checked in every step. To check all bricks makes no difference."""
    at_the_edges = {
        f"r{number}": standing(x, y, 20 * number, 1)
        for number, (x, y) in enumerate(
            [(190, 0), (-190, 20), (0, 290), (30, -290), (190, 290), (196, 40), (20, 280)], 1
        )
    }
    poses = {"b1": standing(150, 0, 0, 1), "b2": standing(0, 230, 0, 1), **at_the_edges}
    flicks = [Flick("b1", direction, 2.5, 0.0, 0.0, 8.0) for direction in (0, 45)]
    flicks += [Flick("b2", 90 + turn, speed, 0.0, 0.0, 8.0) for turn in (-20, 0, 20) for speed in (1.5, 2.5)]
    flicks += [Flick("r1", 180, 2.5, 0.0, 0.0, 8.0), Flick("r7", 80, 2.5, -3.0, 0.0, 8.0)]
    quick = [physics.flicked(poses, flick) for flick in flicks]
    look = Run._look

    def look_at_all(run):
        look(run)
        run._near = dict(run.bodies)

    monkeypatch.setattr(Run, "_look", look_at_all)
    start = Run.__init__

    def start_with_all(run, *given):
        start(run, *given)
        run._near = dict(run.bodies)

    monkeypatch.setattr(Run, "__init__", start_with_all)
    assert [physics.flicked(poses, flick) for flick in flicks] == quick
    assert sum(len(rest.fell) > 0 for rest in quick) > len(flicks) / 2


@rule("KB-16")
def test_what_left_is_out_of_the_way_at_once():
    poses = {"r1": standing(0, -270, 0, 1), "r2": standing(60, -200, 0, 1)}
    rest = physics.flicked(poses, Flick("r1", 270, 2.5, 0, 0, 8))
    assert rest.fell == (("r1",),)
    assert rest.poses == {"r2": poses["r2"]}


def test_nothing_passes_through_a_brick_at_full_speed():
    """A brick at 2.5 m/s moves 5 mm in a step; it must still push what it hits, never appear behind it."""
    rng = random.Random(4)
    for _ in range(150):
        aside, far = rng.uniform(-6, 6), rng.uniform(25, 80)
        poses = {"r1": standing(0, 0, rng.uniform(0, 90), 1), "b1": standing(aside, far, rng.uniform(0, 90), 1)}
        run = settled_world(poses).restored()
        flick = Flick("r1", 90, geometry.SPEED[1], rng.uniform(-2, 2), rng.uniform(-1, 1), 8)
        start, direction = physics.starting_point(poses["r1"], flick)
        flicking.Finger(run, start, direction, flick).push(80, poses)
        nearest = closest_pass(run, "r1", "b1")
        assert nearest > geometry.HALF, (poses, flick)
        assert "b1" not in run.poses() or math.dist(run.poses()["b1"][:3], poses["b1"][:3]) > geometry.BRICK


def closest_pass(run, one, other):
    """How near two bricks' centres come on the way to rest."""
    nearest = math.inf
    while {one, other} <= set(run.bodies) and (run.steps < 8 or run.world.active_bodies()):
        nearest = min(nearest, math.dist(measured(run.bodies[one])[:3], measured(run.bodies[other])[:3]))
        run.step()
    return nearest


def test_a_wall_stops_a_brick():
    """Three bricks deep and held by the others: what is flicked at it stays on its side."""
    poses = {"r1": standing(0, -60, 0, 1)}
    for row in range(3):
        for column in range(5):
            poses[f"b{5 * row + column + 1}"] = standing(16.4 * (column - 2), 16.4 * row, 0, 1)
    rest = physics.flicked(poses, towards(poses, "r1", "b3", geometry.SPEED[1]))
    assert rest.poses["r1"].y < min(at.y for name, at in rest.poses.items() if name in ("b8", "b13"))


@rule("KB-15")
def test_rest_is_rest():
    """Kept awake for two more seconds after each of 100 flicks, no brick turns another face up and none falls.

    Those that a flick left where they were have been kept awake before.
    """
    known = {}
    for before, flick, rest in random_flicks(battle(), 100, seed=15, is_filmed=False):
        run = settled_world(rest.poses).restored()
        moved = [name for name, at in rest.poses.items() if name not in known or math.dist(at, known[name]) > 0.05]
        keep_awake(run.bodies[name] for name in moved)
        for _ in range(2 * STEPS_A_SECOND):
            run.step()
        assert run.fell == [], (before, flick)
        after = run.poses()
        assert [n for n, at in rest.poses.items() if top_face(after[n]) != top_face(at)] == [], (before, flick)
        known = rest.poses


@rule("KB-15")
def test_what_will_not_sleep_is_laid_to_rest():
    run = settled_world({"r1": standing(0, 0, 0, 1), "r2": standing(100, 0, 0, 1)}).restored()
    keep_awake(run.bodies.values())
    run.to_rest()
    assert run.steps == 20 * STEPS_A_SECOND
    assert run.world.active_bodies() == []
    assert sorted(run.poses()) == ["r1", "r2"]


# The same again


PROGRAM = """
import json, sys
from ludoteca.games.kingbrick.geometry import Pose
from ludoteca.games.kingbrick.physics import Flick, flicked
poses, flicks = json.load(sys.stdin)
poses = {name: Pose(*at) for name, at in poses.items()}
rests = [flicked(poses, Flick(*flick)) for flick in flicks]
print(json.dumps([[rest.poses, rest.fell, rest.touched, rest.push, rest.motion.hex()] for rest in rests]))
"""


def told(rest):
    return json.loads(json.dumps([rest.poses, rest.fell, rest.touched, rest.push, rest.motion.hex()]))


def test_the_same_bits_in_another_process():
    poses = battle()
    flicks = [towards(poses, brick, "b1", 2.5, height=2) for brick in ("r15", "r17", "r18", "b21")]
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps([poses, flicks]),
        capture_output=True,
        text=True,
        check=True,
    )
    here = [told(physics.flicked(poses, flick)) for flick in flicks]
    assert any(rest[0] != json.loads(json.dumps(poses)) for rest in here)
    assert json.loads(answer.stdout) == here


def test_the_same_bits_whatever_was_done_before():
    """Neither other flicks, nor the order in which the bricks are named, nor a position kept from before matter."""
    poses = battle()
    flick = towards(poses, "r17", "b2", 3.1, height=1.5, side=1)
    first = physics.flicked(poses, flick)
    physics.flicked(poses, towards(poses, "b17", "r2", 3.3))
    assert physics.flicked(dict(reversed(poses.items())), flick) == first
    assert physics.flicked(poses, flick, is_filmed=False).poses == first.poses


def test_threads_may_flick_at_once():
    poses = battle()
    flicks = [towards(poses, f"r{15 + k % 7}", f"b{1 + k}", 2.0 + 0.1 * k) for k in range(12)]
    one_by_one = [physics.flicked(poses, flick) for flick in flicks]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda flick: physics.flicked(poses, flick), flicks)) == one_by_one


FORKS = """
import os, sys
from kingbrick_flicks import battle, towards
from ludoteca.games.kingbrick import physics
from ludoteca.games.kingbrick.geometry import standing

poses = battle()
flicks = [towards(poses, brick, "b1", 2.5) for brick in ("r15", "r17")]
here = [physics.flicked(poses, flick) for flick in flicks]
child = os.fork()
if not child:
    physics.settled({"r1": standing(0, 0, 0, 1)})  # a new position
    os._exit(here != [physics.flicked(poses, flick) for flick in flicks])
assert os.waitpid(child, 0)[1] == 0
assert "RAYON_NUM_THREADS" not in os.environ
"""


def test_a_forked_process_flicks_too():
    """It waits for no thread that is not there, and other users of the engine's library keep their setting."""
    paths = {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", FORKS], check=True, timeout=120, env=paths)


def test_the_engine_is_loaded_when_something_moves():
    program = "import sys, ludoteca.games.kingbrick.physics; print('rapier3d' in sys.modules, 'numpy' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["False", "False"]
