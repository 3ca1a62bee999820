"""KingBrick's close shots at a King: past a brick that is in the finger's way, and through a guard."""

from random import Random

import pytest
from kingbrick_board import position

from ludoteca.games.kingbrick import closing, hand, hits, physics

GUN = "r2 G 100 -60"  # of red, so that it has a brick to flick

# Red's King close to its edge, and b2 behind it.
GUARDED = ("r1 K 0 -285", "r3 G 0 -268", "b2 G 0 -235", GUN)
NARROW = ("r1 K 0 -270", "r3 G 12 -212", "b2 G 0 -240", GUN)
WALLED = ("r1 K 0 -285", "r3 G 0 -268", "r4 G 0 -251", "r5 G 0 -234", "b2 G 0 -205", GUN)


def natural(lines):
    return position(*lines, hand="natural", mover=2)


def falls(state, aim, times=10):
    """Return how often a flick brings red's King down."""
    rng, fell = Random(1), 0
    for _ in range(times):
        made = hand.shifted(aim, *(rng.gauss(0, 1) for _ in hand.Error._fields))
        fell += any("r1" in step for step in physics.flicked(state.poses, made, is_filmed=False, aimed=aim).fell)
    return fell / times


@pytest.mark.parametrize("lines", [GUARDED, NARROW], ids=["through a guard", "a finger that comes from the side"])
def test_a_close_shot_is_seen_that_is_not_on_a_free_way(lines):
    state = natural(lines)
    aim = next(closing.aims(state.poses, "b2", "r1"))
    assert hits.best_shot(state, 2) == 0.0
    assert closing.best_shot(state, 2) == pytest.approx(falls(state, aim), abs=0.35)
    assert closing.best_shot(state, 2) > 0.4


def test_nothing_goes_through_many_guards():
    assert closing.best_shot(natural(WALLED), 2) == 0.0


def test_guards_and_bricks_behind_the_king_make_a_close_shot_less_likely():
    bare = natural(("r1 K 0 -240", "b2 G 0 -190", GUN))
    guarded = natural(("r1 K 0 -240", "b2 G 0 -190", "r3 G 0 -222", GUN))
    backed = natural(("r1 K 0 -240", "b2 G 0 -190", "r3 G 0 -257", GUN))
    best, through, against = (closing.best_shot(state, 2) for state in (bare, guarded, backed))
    assert best > through > 0
    assert best > against > 0


def test_a_far_shot_is_a_straight_one():
    state = natural(("r1 K 0 -270", "b2 G 0 -120", GUN))
    assert closing.best_shot(state, 2) == hits.best_shot(state, 2) > 0
