"""The film of a KingBrick flick: what it shows, how exactly, and in how few bytes."""

import math
import zlib

import numpy as np
import pytest
from kingbrick_flicks import battle, random_flicks, towards

from ludoteca.games.kingbrick import motion, physics
from ludoteca.games.kingbrick.geometry import angle, pose, standing
from ludoteca.games.kingbrick.motion import FINGER, QUANTUM, Track
from ludoteca.games.kingbrick.physics import Flick

ANGLE = 0.02  # degrees within which a rotation comes back


def wandering(rng, count):
    """A body that moves and turns as it likes, through all signs and largest parts of a rotation."""
    places = np.cumsum(rng.normal(0, 3, (count, 3)), axis=0)
    turns = np.cumsum(rng.normal(0, 0.3, (count, 4)), axis=0) + rng.normal(0, 1, 4)
    return np.concatenate([places, turns / np.linalg.norm(turns, axis=1, keepdims=True)], axis=1)


def turned_by(one, other):
    return np.degrees(2 * np.arccos(np.clip(np.abs((one * other).sum(axis=1)), 0, 1)))


def test_a_film_comes_back_within_its_quantum():
    rng = np.random.default_rng(8)
    tracks = {
        "r1": Track(0, wandering(rng, 90)),
        "b20": Track(7, wandering(rng, 60)),
        FINGER: Track(0, wandering(rng, 5)),
    }
    frames, shown = motion.decode(motion.encode(90, tracks))
    assert frames == 90
    assert list(shown) == list(tracks)
    for name, track in tracks.items():
        assert shown[name].first == track.first
        assert np.abs(shown[name].poses[:, :3] - track.poses[:, :3]).max() <= QUANTUM / 2 + 1e-9
        assert turned_by(shown[name].poses[:, 3:], track.poses[:, 3:]).max() < ANGLE


def test_what_flies_far_away_is_held_at_the_border():
    poses = np.array([[0, 0, 8, 0, 0, 0, 1], [700, -900, 8, 0, 0, 0, 1]], dtype=float)
    _, shown = motion.decode(motion.encode(2, {"r1": Track(0, poses)}))
    assert shown["r1"].poses[1, :3] == pytest.approx([655.34, -655.34, 8], abs=QUANTUM)


def test_only_what_moves_has_a_track():
    poses = {"r1": standing(0, -40, 0, 1), "b1": standing(0, 40, 0, 1), "b2": standing(100, 100, 0, 1)}
    rest = physics.flicked(poses, Flick("r1", 90, 1.5, 0, 0, 8))
    frames, shown = motion.decode(rest.motion)
    assert set(shown) == {FINGER, "r1", "b1"}
    assert shown["r1"].first < shown["b1"].first < frames


def test_a_film_begins_and_ends_where_the_bricks_do():
    poses = battle()
    rest = physics.flicked(poses, towards(poses, "r18", "b2", 2.6, height=1))
    frames, shown = motion.decode(rest.motion)
    assert 20 < frames < 20 * motion.FRAMES_A_SECOND
    for name, track in shown.items():
        if name in rest.poses:
            assert track.first + len(track.poses) <= frames
            for seen, at in ((track.poses[0], poses[name]), (track.poses[-1], rest.poses[name])):
                assert math.dist(seen[:3], at[:3]) < 0.15
                assert angle(pose(*seen), at) < 0.5


def test_the_finger_comes_from_behind_and_the_fallen_are_seen_below_the_board():
    poses = {"r1": standing(0, -270, 0, 1)}
    rest = physics.flicked(poses, Flick("r1", 270, 3, 2, 1, 8))
    _, shown = motion.decode(rest.motion)
    assert shown[FINGER].poses[0, :3] == pytest.approx([1, -270 + 34, 10], abs=QUANTUM)
    assert rest.fell == (("r1",),)
    assert shown["r1"].poses[-1, 2] < 0


def test_a_film_without_movement_shows_the_finger_alone():
    poses = {"r1": standing(0, 0, 0, 1)}
    _, shown = motion.decode(physics.flicked(poses, Flick("r1", 90, 2, 0, 18, 8)).motion)
    assert list(shown) == [FINGER]


def test_a_film_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="version 9"):
        motion.decode(zlib.compress(bytes([9, 120, 0, 0, 0])))


def test_a_flick_is_a_few_bytes():
    sizes = [len(rest.motion) for _, _, rest in random_flicks(battle(), 40, seed=3)]
    print(f"{np.mean(sizes):.0f} bytes a flick on average, {max(sizes)} at most")
    assert np.mean(sizes) < 4000
