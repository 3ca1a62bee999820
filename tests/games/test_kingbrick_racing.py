"""KingBrick's expert and master: aims race against each other, flicked by the same trembling hands."""

from collections import Counter
from random import Random

import pytest
from kingbrick_board import position

from ludoteca.games.kingbrick import closing, guide, physics
from ludoteca.games.kingbrick.game import GAME
from ludoteca.games.kingbrick.hits import best_shot, shot
from ludoteca.games.kingbrick.notation import Flick, read
from ludoteca.games.kingbrick.racing import Entrant, Race
from ludoteca.search import bots

MASTER = guide.LEVELS["master"]
SEEDS = range(4)

# Blue's b2 is about to bring red's King down. r2 can push it over the edge; blue's King is nearly out of reach.
THREATENED = (
    *("b2 G 0 -120", "r2 G 60 -120", "r3 G 60 -60", "r4 G -60 0"),
    *("b3 G 20 250", "b4 G 0 215", "b5 G 150 100", "b6 G -100 100"),
)


def natural(*lines, **how):
    return position(*lines, hand="natural", **how)


def flicks_made(monkeypatch):
    """Count the flicks that the physics works out, by brick, from now on."""
    made, real = Counter(), physics.flicked

    def counted(poses, flick, *args, **how):
        made[flick.brick] += 1
        return real(poses, flick, *args, **how)

    monkeypatch.setattr(physics, "flicked", counted)
    return made


def removes_the_gun(state, level, seed):
    move = read(bots.choose(GAME, level, state, 1, (seed,)))
    if not isinstance(move, Flick):
        return False
    poses = physics.flicked(state.poses, move, is_filmed=False).poses
    return "b2" not in poses or shot(poses, "b2", "r1") < 0.05


def test_the_shipped_master_removes_the_brick_that_threatens_its_king():
    """The club tries few flicks at it, and often takes a long shot instead."""
    state = natural(*THREATENED)
    assert best_shot(state, 2) > 0.5 > 0.1 > best_shot(state, 1)
    assert all(removes_the_gun(state, "master", seed) for seed in SEEDS)
    assert not all(removes_the_gun(state, "club", seed) for seed in SEEDS)


@pytest.mark.parametrize("name", ["expert", "master"])
def test_it_makes_as_many_flicks_as_its_level_says(name, monkeypatch):
    level, made = guide.LEVELS[name], flicks_made(monkeypatch)
    Race(natural(*THREATENED), 1, level, Random(1)).move()
    wanted = level.flicks + level.finalists * level.replies
    assert 0.8 * wanted < made.total() <= wanted


def test_better_aims_are_tried_more_often():
    state = natural("b1 K 0 270", "r2 G 0 200", "r3 G -150 -100", "b2 G 150 100")
    race = Race(state, 1, MASTER, Random(1))
    sure = Flick("r2", 90.0, 1.5, 0.0, 0.0, 8.0)
    others = [Flick("r3", direction, 0.4, 0.0, 0.0, 8.0) for direction in range(0, 360, 36)]
    first, *rest = race._raced([*others, sure], 0.5)
    assert first.aim == sure
    assert len(first.worths) >= max(len(one.worths) for one in rest) >= 8
    assert min(len(one.worths) for one in rest) == 1
    assert sum(len(one.worths) for one in (first, *rest)) == MASTER.flicks


def test_the_same_hands_flick_every_aim():
    race = Race(natural("r2 G 0 -60"), 1, MASTER, Random(1))
    aims = [Flick("r2", direction, 2.0, 0.0, 0.0, 8.0) for direction in (90.0, 45.0)]
    turns = [[race._with_error(aim, hand).direction - aim.direction for hand in range(3)] for aim in aims]
    assert turns[0] == pytest.approx(turns[1])
    assert len(set(turns[0])) == 3


def test_with_a_steady_hand_one_try_is_enough(monkeypatch):
    made = flicks_made(monkeypatch)
    Race(position("r2 G 20 -60", "b2 G 120 100"), 1, MASTER, Random(1)).move()
    assert made["r2"] <= MASTER.samples


def test_a_lucky_try_counts_less_than_many_good_ones():
    lucky, good = Entrant(Flick("r2", 90.0, 2.0, 0.0, 0.0, 8.0)), Entrant(Flick("r2", 80.0, 2.0, 0.0, 0.0, 8.0))
    lucky.worths, good.worths = [0.9], [0.8] * 8
    assert lucky.mean(0.4) < good.mean(0.4)


def test_what_the_opponents_answers_show_lowers_a_worth():
    """A guard stands before the King: no threat is guessed from far, but a hard hit goes through the guard."""
    calm = natural("r2 G 100 -60", "b2 G 150 250", "b3 G -150 250", "r3 G 0 -172", acted=True, flicks=0)
    shot_at = natural("r1 K 0 -285", "r2 G 100 -60", "b2 G 0 -150", "r3 G 0 -268", acted=True, flicks=0)
    assert closing.best_shot(shot_at, 2) == 0.0
    costs = []
    for after in (calm, shot_at):
        one = Entrant(Flick("r2", 90.0, 1.0, 0.0, 0.0, 8.0))
        one.worths, one.afters = [0.5], [after]
        costs.append(Race(after, 1, MASTER, Random(1))._surprise(one))
    assert costs[0] == 0.0 < 0.2 < costs[1]
