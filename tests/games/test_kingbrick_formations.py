"""The ready-made formations of KingBrick stand, whatever army fills them."""

import pytest

from ludoteca.games.kingbrick import formations, physics
from ludoteca.games.kingbrick.geometry import in_castle, is_home

rule = pytest.mark.rule


def test_there_are_five_and_each_has_a_spot_for_a_king_and_twenty_bricks():
    assert list(formations.FORMATIONS) == ["line", "wall", "fortress", "towers", "scatter"]
    assert {len(spots) for spots in formations.FORMATIONS.values()} == {21}


@rule("KB-7", "KB-8", "KB-9")
@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("key", formations.FORMATIONS)
def test_every_beginning_of_a_formation_stands_at_home(key, seat):
    poses = {}
    for number, (x, y, yaw) in enumerate(formations.spots(key, seat), start=1):
        name = f"{' rb'[seat]}{number}"
        poses[name] = physics.set_down(poses, name, x, y, yaw, 1)
        assert is_home(poses[name], seat)
        rest = physics.settled(poses)
        assert physics.fallen(poses, rest.poses) == []
    assert in_castle(poses[f"{' rb'[seat]}1"], seat)


@pytest.mark.parametrize("key", formations.FORMATIONS)
def test_most_bricks_of_a_formation_can_be_flicked_forwards(key):
    poses = {}
    for number, (x, y, yaw) in enumerate(formations.spots(key, 1), start=1):
        poses[f"r{number}"] = physics.set_down(poses, f"r{number}", x, y, yaw, 1)
    free = 0
    for name in poses:
        try:
            physics.flicked(poses, physics.Flick(name, 90, 1, 0, 0, 8), is_filmed=False)
        except physics.FingerBlocked:
            continue
        free += 1
    assert free > 10
