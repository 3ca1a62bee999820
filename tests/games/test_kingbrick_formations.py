"""The ready-made formations of KingBrick stand, whatever army fills them."""

import pytest
from kingbrick_board import begun

from ludoteca.core.match import Match
from ludoteca.games.kingbrick import bricks, formations, physics
from ludoteca.games.kingbrick.game import GAME
from ludoteca.games.kingbrick.geometry import SPEED, in_castle, is_home

rule = pytest.mark.rule


def test_there_are_six_and_each_has_a_spot_for_a_king_and_twenty_bricks():
    assert list(formations.FORMATIONS) == ["line", "wall", "fortress", "bunker", "towers", "scatter"]
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


@rule("KB-14")
@pytest.mark.parametrize("key", formations.FORMATIONS)
def test_every_formation_shields_its_king(key):
    """No brick flicked straight ahead as hard as can be brings down the King behind the same formation."""
    poses = {}
    for seat in (1, 2):
        for number, (x, y, yaw) in enumerate(formations.spots(key, seat)[:17], start=1):
            name = f"{' rb'[seat]}{number}"
            poses[name] = physics.set_down(poses, name, x, y, yaw, 1)
    for name in [name for name in poses if name[0] == "r" and abs(poses[name].x) < 30]:
        flick = physics.Flick(name, 90, SPEED[1], 0, 0, 8)
        if not physics.in_fingers_way(poses, flick):
            fell = [name for step in physics.flicked(poses, flick, is_filmed=False).fell for name in step]
            assert "b1" not in fell, name


@rule("KB-5", "KB-6")
@pytest.mark.parametrize("company", formations.COMPANIES)
def test_every_ready_made_army_may_be_chosen_and_stands(company):
    match = begun(company.army, company.army, key=company.formation)
    assert match.state.turn is not None


@rule("KB-6")
def test_a_board_is_offered_four_special_armies_and_the_bunker():
    offered = GAME.legal(Match.new("kingbrick").state, 1)["setup"]
    assert [army["key"] for army in offered["armies"]] == [
        "standard",
        "assassins",
        "winter",
        "mercenaries",
        "champions",
    ]
    assert "bunker" in [formation["key"] for formation in offered["formations"]]
    assert all(bricks.points(bricks.army_read(army["army"])) == bricks.POINTS for army in offered["armies"])
