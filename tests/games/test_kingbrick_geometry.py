"""Where a KingBrick brick is: faces, outlines, castles, territories."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.games.kingbrick import geometry
from ludoteca.games.kingbrick.geometry import Pose, standing

rule = pytest.mark.rule
FACES = range(1, 7)


@rule("KB-2")
def test_sizes_and_castles():
    assert (geometry.LENGTH, geometry.WIDTH, geometry.BRICK) == (600, 400, 16)
    assert geometry.castle(1) == (-50, -240, 100, 100)
    assert geometry.castle(2) == (-50, 140, 100, 100)


@rule("KB-3")
def test_opposite_faces_sum_to_seven():
    """Turning a brick upside down about any level axis brings up the opposite face."""
    for up in FACES:
        at = standing(0, 0, 0, up)
        for x, y in ((1, 0), (0, 1), (math.sqrt(0.5), math.sqrt(0.5))):
            _, _, _, qx, qy, qz, qw = at
            turned = geometry.pose(0, 0, 8, x * qw + y * qz, y * qw - x * qz, x * qy - y * qx, -x * qx - y * qy)
            assert geometry.top_face(turned) == 7 - up


@rule("KB-19")
@given(st.sampled_from(FACES), st.floats(-180, 180))
def test_the_chosen_face_is_up_however_the_brick_is_turned(up, yaw):
    assert geometry.top_face(standing(10, -20, yaw, up)) == up


def test_unturned_faces_look_where_the_contract_says():
    """Unturned, face 1 looks up, 2 towards +x and 3 towards +y; with yaw, anticlockwise from there."""
    right, ahead, up = geometry.axes(standing(0, 0, 0, 1))
    assert (right, ahead, up) == ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    right, ahead, up = geometry.axes(standing(0, 0, 90, 1))
    assert right == pytest.approx((0, 1, 0), abs=1e-5)
    assert ahead == pytest.approx((-1, 0, 0), abs=1e-5)


@rule("KB-19")
def test_a_leaning_brick_shows_the_face_that_points_up_most():
    for degrees, face in ((44, 1), (46, 3), (-44, 1), (-46, 4)):
        half = math.radians(degrees) / 2
        assert geometry.top_face(geometry.pose(0, 0, 9, math.sin(half), 0, 0, math.cos(half))) == face


@rule("KB-7")
def test_the_outline_is_the_brick_seen_from_above():
    assert sorted(geometry.outline(standing(0, 0, 0, 1))) == [(-8, -8), (-8, 8), (8, -8), (8, 8)]
    across = [abs(x) + abs(y) for x, y in geometry.outline(standing(0, 0, 45, 1))]
    assert across == pytest.approx([8 * math.sqrt(2)] * 4, abs=1e-4)
    on_edge = geometry.pose(0, 0, 8 * math.sqrt(2), math.sin(math.pi / 8), 0, 0, math.cos(math.pi / 8))
    assert max(y for _, y in geometry.outline(on_edge)) == pytest.approx(8 * math.sqrt(2), abs=1e-4)


@rule("KB-7")
@pytest.mark.parametrize(
    ("x", "y", "yaw", "z", "inside"),
    [
        (0, -190, 0, 8, True),  # wholly inside
        (50, -190, 0, 8, True),  # partly
        (58, -190, 0, 8, True),  # touching the edge
        (58.01, -190, 0, 8, False),
        (0, -132, 0, 8, True),
        (0, -131.99, 0, 8, False),
        (0, -248, 0, 40, True),  # on other bricks
        (61, -190, 45, 8, True),  # a corner reaches in
        (58, -132, 0, 8, True),  # corner at corner
        (58, -132, 45, 8, False),  # turned, its corners look elsewhere
    ],
)
def test_in_a_castle(x, y, yaw, z, inside):
    assert geometry.in_castle(standing(x, y, yaw, 1, z), 1) is inside
    assert geometry.in_castle(standing(-x, -y, yaw, 1, z), 2) is inside
    assert not geometry.in_castle(standing(x, y, yaw, 1, z), 2)


@rule("KB-18")
def test_beyond_the_line_is_wholly_beyond_it():
    assert geometry.is_beyond_line(standing(0, 8.01, 0, 1), 1)
    assert not geometry.is_beyond_line(standing(0, 8, 0, 1), 1)  # touching it
    assert not geometry.is_beyond_line(standing(0, 9, 45, 1), 1)  # a corner over it
    assert geometry.is_beyond_line(standing(0, -8.01, 0, 1), 2)
    assert not geometry.is_beyond_line(standing(0, 100, 0, 1), 2)


@rule("KB-8")
def test_at_home_is_wholly_in_the_territory():
    assert geometry.is_home(standing(0, -8.01, 0, 1), 1)
    assert not geometry.is_home(standing(0, -8, 0, 1), 1)
    assert not geometry.is_home(standing(0, -8.01, 0, 1), 2)
    assert geometry.is_home(standing(192, 292, 0, 1), 2)
    assert not geometry.is_home(standing(192.01, 292, 0, 1), 2)  # over the board's edge
    assert not geometry.is_home(standing(0, 292.01, 0, 1), 2)


def test_poses_are_rounded_and_have_no_minus_zero():
    at = geometry.pose(-0.001, 1.2345, 8.00499, -1e-9, 0, 0, 0.99999999)
    assert at == Pose(0, 1.23, 8.0, 0, 0, 0, 1)
    assert "-0.0" not in repr(at)


@rule("KB-9")
def test_a_brick_has_stayed_within_two_mm_and_five_degrees():
    before = standing(0, 0, 0, 1)
    assert geometry.has_stayed(before, standing(1.99, 0, 4.9, 1))
    assert not geometry.has_stayed(before, standing(2.01, 0, 0, 1))
    assert not geometry.has_stayed(before, standing(0, 0, 5.1, 1))


def test_distance_is_to_the_rounded_brick():
    at = standing(0, 0, 0, 1)
    assert geometry.distance(at, (20, 0, 8)) == pytest.approx(12)
    assert geometry.distance(at, (8, 8, 8)) == pytest.approx(math.sqrt(2) - 1)  # at the sharp edge there is none
    assert geometry.distance(at, (0, 0, 8)) < 0
