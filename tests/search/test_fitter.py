"""Values for tree searches: what they are fitted to, and that a seed repeats."""

import math

import numpy as np
import pytest

from ludoteca.core import registry
from ludoteca.core.errors import BadOption
from ludoteca.search import bots, fitter, fitting
from ludoteca.search.fitter import FitPlan, Fitter


def rows(*positions):
    """Return positions of one feature: its amount, the side to move, whether the move is drawn, and the result."""
    amounts, sides, drawn, results = zip(*positions, strict=True)
    n = len(positions)
    return fitting.Rows(
        np.zeros((n, 1), np.int32),
        np.array(amounts, np.float32).reshape(n, 1),
        np.ones(n, np.int32),
        np.array(sides, np.int8),
        np.array(drawn),
        np.arange(n) == n - 1,
        np.array(results, np.float32),
        np.zeros(n, np.float32),
    )


def chance(lead):
    return 1 / (1 + math.exp(-lead))


def test_a_goal_is_what_followed_seen_by_the_side_to_move():
    match = rows((1, 0, False, 1), (2, 1, False, 0), (3, 0, False, 1))
    fitting.set_goals(match, np.ones(1), 0.5)
    last = 0.5 * chance(3) + 0.5
    middle = 0.5 * (1 - chance(2)) + 0.5 * last
    assert match.goals == pytest.approx([middle, 1 - last, 1])


def test_a_move_that_was_drawn_teaches_nothing_about_what_came_before():
    for result in (0, 1):
        match = rows((1, 0, False, result), (2, 0, True, result), (3, 0, False, result))
        fitting.set_goals(match, np.ones(1), 0.5)
        assert match.goals == pytest.approx([chance(2), fitting.UNKNOWN, result])


def test_the_fit_finds_the_weight_that_made_the_results():
    """Of 100 positions with lead +1 or -1 the better side wins 73, as with a weight of 1."""
    several = rows(*[(1 - 2 * (i % 2), 0, False, float((i < 73) == (i % 2 == 0))) for i in range(100)])
    weights = fitter.fitted(fitting, several, 1, 1.0)
    assert weights == pytest.approx([math.log(73 / 27)], abs=0.1)


@pytest.mark.kernels
def test_the_same_seed_gives_the_same_weights(monkeypatch):
    game = registry.game("tictacmatch")
    monkeypatch.setattr(bots.guide(game.key), "SELF_PLAY_TABLES", ({"players": 2},))
    monkeypatch.setattr(fitter, "STEPS", 20)
    found = []
    for seed in ("one", "one", "two"):
        one = Fitter(game, FitPlan(game.key, 3, seed))
        assert [figures["matches"] for figures in one.run(0)] == [1, 2, 3]
        found.append(one.weights)
    assert found[0].any()
    assert (found[0] == found[1]).all()
    assert (found[0] != found[2]).any()


def test_too_few_matches_are_refused():
    with pytest.raises(BadOption, match="matches=2"):
        Fitter(registry.game("tictacmatch"), FitPlan("tictacmatch", 2))
