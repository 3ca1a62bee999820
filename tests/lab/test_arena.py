"""The arithmetic of the arena."""

import pytest

from ludoteca.core.record import Record, Result
from ludoteca.lab.arena import Duel, pairs, points_of, seatings


def record(winners):
    return Record("", "", 1, {}, (), (), Result(winners, (0,) * 4, "complete"))


def test_seats_alternate():
    assert seatings("a", "b", 2) == (("a", "b"), ("b", "a"))
    assert seatings("a", "b", 4) == (("a", "b", "a", "b"), ("b", "a", "b", "a"))
    assert pairs(["a", "b", "c"]) == [("a", "b"), ("a", "c"), ("b", "c")]


@pytest.mark.parametrize(("winners", "points"), [((1,), 1), ((2,), 0), ((1, 2), 0.5), ((), 0.5), ((1, 2, 3), 2 / 3)])
def test_a_tie_is_half(winners, points):
    assert points_of([1, 3], record(winners)) == pytest.approx(points)


@pytest.mark.parametrize(
    ("points", "games", "low", "high"), [(0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (70, 100, 0.6042, 0.7811)]
)
def test_the_interval_is_wilsons(points, games, low, high):
    assert Duel("a", "b", games, points).interval() == pytest.approx((low, high), abs=1e-4)
