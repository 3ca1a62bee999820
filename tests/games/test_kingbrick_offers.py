"""The spot that a board proposes for a brick in hand is legal, and the zones leave out illegal spots."""

import pytest
from kingbrick_board import play, position

from ludoteca.games.kingbrick import geometry, measuring
from ludoteca.games.kingbrick.game import GAME
from ludoteca.games.kingbrick.notation import read

rule = pytest.mark.rule


def offer(state, seat, why):
    return next(one for one in GAME.legal(state, seat)["place"] if one["why"] == why)


def plays(state, seat, why):
    """Play the spot that is proposed, which must be legal and stay."""
    one = offer(state, seat, why)
    move = f"place {one['brick']} x={one['spot'][0]} y={one['spot'][1]} yaw=0 up=1"
    measuring.admit(state, seat, read(move))
    return play(state, move)


@rule("KB-33")
@pytest.mark.parametrize("crowd", [(), ("b2 G -64 190", "b3 G -80 190"), ("b2 G -70 180", "b3 G -70 200")])
def test_a_ninja_is_proposed_where_it_may_reappear(crowd):
    plays(position("r2 N hidden", *crowd), 1, "reveal")


@rule("KB-33")
def test_the_zone_of_a_ninja_leaves_out_the_castle():
    zones = offer(position("r2 N hidden"), 1, "reveal")["zones"]
    x, y, width, length = geometry.castle(2)
    inside = [(x + 1 + (width - 2) * a / 9, y + 1 + (length - 2) * b / 9) for a in range(10) for b in range(10)]
    for left, near, wide, long in zones:
        assert not any(left < px < left + wide and near < py < near + long for px, py in inside)
    area = sum(wide * long for _, _, wide, long in zones)
    assert area == geometry.WIDTH * geometry.LENGTH / 2 - width * length


@rule("KB-30", "KB-22")
@pytest.mark.parametrize("seat", [1, 2])
def test_the_king_is_proposed_a_free_spot_of_its_castle(seat):
    king, sign = ("r1", -1) if seat == 1 else ("b1", 1)
    state = position(f"{king} K 100 {sign * 100}", f"{king[0]}2 G 0 {sign * 190}", mover=seat)
    plays(state, seat, "king")


@rule("KB-45")
def test_a_blink_is_proposed_a_free_spot_at_home():
    plays(position("r2 B 100 -150", "r3 G 0 -150", extra=True), 1, "blink")


@rule("KB-22")
def test_a_full_castle_still_has_a_spot_to_propose():
    crowd = [f"r{n + 2} G {-45 + 18 * (n % 6)} {-235 + 18 * (n // 6)}" for n in range(36)]
    one = offer(position(*crowd), 1, "king")
    assert len(one["spot"]) == 2
