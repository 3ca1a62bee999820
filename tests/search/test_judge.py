"""Judging positions: a chance for each seat, the best moves, the same verdict every time, and no peeking."""

from random import Random

import example_games
import numpy as np
import pytest

from ludoteca.core import registry
from ludoteca.core.errors import UnfinishedGame
from ludoteca.core.match import Match
from ludoteca.core.random import generator
from ludoteca.core.words import message
from ludoteca.search import curves
from ludoteca.search.curves import Curve, curve_of, fitted
from ludoteca.search.further import DOUBT
from ludoteca.search.judge import advice_of, judge
from ludoteca.search.reviewing import (
    VERSION,
    Choice,
    Decision,
    Knowledge,
    TurnLoss,
    accuracies,
    accuracy,
    decisions,
    is_nearly_best,
    judge_decision,
    statistics,
    turn_losses,
    verdict_of,
)

KERNELS = [key for key in registry.game_keys() if not registry.game(key).measures]


# Otto has no 2 left. Light blue can threaten to complete e2 to e5 with a 2 in e4, which only light blue has.
UNANSWERABLE = """
G2f3 B4b5 G1d2 B2b2 G2a3 B4e5 G1f4 B1f6 G2f3 B4c4 G2a1 B4c6 G3e1 B1c1 G2b1 B1b1 G1a4 B1b1 G3f5 B4a6 G2f3 B2f5
G3f5 B2f5 G3a5 B1e5 G2f3 B1a2 G1f4 B2a5 G1f2 B2a1 G4e2 B3e1 G3b4 B2b4 G3b1 B1b1 G2a1 B3e3 G3e5 B1e5 G1e3
"""


def played(key, moves, **options):
    """A match in which so many moves were made at random."""
    match, rng = Match.new(key, options), Random("judged")
    for _ in range(moves):
        if match.result is None:
            seat = match.to_move[0]
            match.play(match.game.sample_moves(match.state, seat, rng, 1)[0], seat)
    return match


@pytest.mark.parametrize("key", [*KERNELS, *example_games.KEYS])
def test_every_seat_has_a_chance_and_the_best_move_is_first(key):
    match = played(key, 6)
    game, seat = match.game, match.to_move[0]
    moves = game.moves(match.state)
    judged = judge(game, match.state, seat, [moves[-1]])
    assert len(judged.chances) == len(match.seats)
    assert all(0 <= chance <= 1 for chance in judged.chances)
    by_side = {game.side(match.state, one): judged.chances[one - 1] for one in range(1, len(match.seats) + 1)}
    assert sum(by_side.values()) == pytest.approx(1)
    assert judged.chances[seat - 1] == judged.best.chance == max(valued.chance for valued in judged.moves)
    assert {valued.move for valued in judged.moves} <= set(moves)
    assert judged.of(moves[-1]).error >= 0
    assert judge(game, match.state, seat, [moves[-1]]) == judged


def test_physics_is_judged_too():
    match, rng = Match.new("kingbrick"), Random("bricks")
    while match.game.is_simultaneous(match.state):
        seat = match.to_move[0]
        match.play(match.game.sample_moves(match.state, seat, rng, 1)[0], seat)
    seat = match.to_move[0]
    judged = judge(match.game, match.state, seat)
    assert sum(judged.chances) == pytest.approx(1)
    assert judged == judge(match.game, match.state, seat)
    match.game.play(match.state, seat, judged.best.move)


@pytest.mark.parametrize("options", [{"players": 3}, {"players": 4, "teams": True}], ids=str)
def test_partners_share_their_chance(options):
    match = played("pinpoint", 20, **options)
    game, judged = match.game, judge(match.game, match.state, match.to_move[0])
    sides = {}
    for seat in range(1, len(match.seats) + 1):
        sides.setdefault(game.side(match.state, seat), set()).add(judged.chances[seat - 1])
    assert all(len(chances) == 1 for chances in sides.values())
    assert sum(min(chances) for chances in sides.values()) == pytest.approx(1)


def test_a_win_in_one_move_is_found_and_missing_it_is_a_blunder():
    match = Match.new("connectfour")
    for move in ("a", "b", "a", "b", "a", "c"):
        match.play(move)
    judged = judge(match.game, match.state, 1, ["g"])
    assert judged.best.move == "a"
    assert judged.best.chance > 0.95
    decision = judge_decision("connectfour", match.state, 7, 1, "g")
    assert decision.known.best[0].move == "a"
    assert decision.known.verdict == "blunder"
    assert decision.line[0].move == "a"
    assert judge_decision("connectfour", match.state, 7, 1, "a").known.verdict == "fine"


@pytest.mark.parametrize("key", KERNELS)
def test_a_move_that_ends_the_match_has_its_exact_chance(key):
    """Also where nothing is proved, because cards are hidden."""
    found = set()
    for seed in range(20):
        match, rng = Match.new(key), Random(f"end {seed}")
        before = None
        while match.result is None:
            before, seat = match.state, match.to_move[0]
            match.play(last := rng.choice(match.game.moves(before)), seat)
        if match.log[-1].by:  # no draw came after it
            worth = judge(match.game, before, seat, [last]).of(last)
            won = len(match.result.winners)
            assert (worth.chance, worth.error) == ((seat in match.result.winners) / won if won else 0.5, 0.0)
            found.add(worth.chance)
        if 1.0 in found:
            return
    assert found


def test_a_judgement_with_what_one_could_know_does_not_depend_on_hidden_cards():
    match = played("tictacmatch", 2)
    game, seat = match.game, match.to_move[0]
    other_deals = [game.concealed(match.state, seat, generator("deal", n)) for n in range(6)]
    assert len({deal.tobytes() for deal in other_deals}) > 1
    verdicts = {judge(game, deal, seat) for deal in (match.state, *other_deals[:2])}
    assert len(verdicts) == 1
    open_chances = {judge(game, deal, seat, is_open=True).chances for deal in other_deals}
    assert len(open_chances) > 1  # with open cards it does


def test_a_bad_verdict_must_be_confirmed_by_the_position_after_the_move():
    match = Match.new("aftaebr", {"players": 2, "start": 2})
    for move in ("colour G", "colour B", *UNANSWERABLE.split()):
        match.play(move)
    assert match.to_move == (1,)
    known = judge_decision("aftaebr", match.state, 47, 1, "B3e3").known
    assert known.verdict == "fine"
    after = match.game.play(match.state, 1, "B3e3").state
    assert known.played == pytest.approx(judge(match.game, after, 2).chances[0], abs=DOUBT)


def test_verdicts_are_those_of_lichess():
    assert [verdict_of(loss) for loss in (0, 0.0999, 0.1, 0.2, 0.3, 1)] == [
        "fine", "fine", "inaccurate", "mistake", "blunder", "blunder",
    ]  # fmt: skip
    assert verdict_of(0.27, 0.08) == "mistake"  # as the numbers on the page say
    assert verdict_of(0.27, 0.18) == "fine"  # perhaps it is none
    assert accuracy([]) is None
    assert accuracy([0.0, 0.0]) == 100.0
    assert accuracy([0.3]) == 24.8
    assert accuracy([1.0]) == 0.0


def lost(n, seat, loss, error=0.0, seats=2):
    """A decision that lost so much of the chance to win."""
    best = Choice("best", 0.9, message("any"), {})
    known = Knowledge((0.9,) * seats, 0.9 - loss, error, verdict_of(loss, error), (best,))
    return Decision(n, seat, known)


def test_a_turn_that_loses_much_in_small_steps_is_marked_where_it_lost_most():
    turn = [lost(4, 1, 0.07), lost(5, 1, 0.09), lost(7, 1, 0.08)]
    other = [lost(8, 2, 0.06), lost(9, 2, 0.03)]
    assert list(turn_losses(turn + other)) == [TurnLoss(5, 1, 4, 7, 0.24, "mistake")]
    assert not list(turn_losses(turn[:1]))  # as far as it is worked out
    assert list(turn_losses(turn[:2])) == [TurnLoss(5, 1, 4, 5, 0.16, "inaccurate")]


def test_a_turn_is_not_marked_for_what_is_said_of_one_move_already():
    assert not list(turn_losses([lost(1, 1, 0.15), lost(2, 1, 0.04)]))
    assert list(turn_losses([lost(1, 1, 0.15), lost(2, 1, 0.06)])) == [TurnLoss(1, 1, 1, 2, 0.21, "mistake")]


def test_a_turn_is_not_marked_for_noise():
    assert not list(turn_losses([lost(n, 1, 0.05) for n in range(1, 9)]))  # each as good as the best
    assert not list(turn_losses([lost(n, 1, 0.06, error=0.03) for n in (1, 2)]))
    assert not list(turn_losses([lost(n, 1, 0.09, seats=1) for n in (1, 2)]))  # alone, a match is not one turn


def test_decisions_leave_out_chance_conduct_and_what_was_taken_back():
    match = Match.new("pinpoint", {"start": 1})
    first = len(match.log) + 1
    pins = match.game.moves(match.state)
    match.play(pins[0])
    match.play(match.game.moves(match.state)[0])
    match.play(f"takeback {first}", by=0)
    match.play(match.game.moves(match.state)[1])
    match.play("resign", by=1)
    assert decisions(match) == [first, first + 3]
    judged = [judge_decision("pinpoint", match.at(n - 1).state, n, 1, match.log[n - 1].move) for n in decisions(match)]
    told = accuracies(judged, 2)
    assert told[0] is not None
    assert told[1] is None
    assert is_nearly_best(judged[0].known, judged[0].known.best[0].chance)
    assert not is_nearly_best(judged[0].known, judged[0].known.best[0].chance - 0.06)
    assert VERSION >= 1


@pytest.mark.parametrize("key", KERNELS)
def test_a_game_counts_in_its_own_words(key):
    match = played(key, 30)
    counted = statistics(match)
    assert list(counted) == list(match.game.statistics)
    assert all(len(numbers) == len(match.seats) for numbers in counted.values())
    assert any(any(numbers) for numbers in counted.values()) or not match.game.statistics


@pytest.mark.parametrize("truth", [
    Curve((0.0, 1.0), (0.05, 0.25), (0.1, -0.2)),
    Curve((0.0, 0.4, 1.0), (0.1, 0.3, 0.9), (0.0, 0.4, 0.0), soft=5.0),
], ids=["straight", "softened"])  # fmt: skip
@pytest.mark.parametrize("sides", [2, 3])
def test_a_curve_is_found_again_in_matches_that_follow_it(truth, sides):
    rng = np.random.default_rng(1)
    leads, progress = rng.normal(0, 10, 20000), rng.random(20000)
    chances = np.array([truth.chance(lead, at, sides) for lead, at in zip(leads, progress, strict=True)])
    found = fitted(leads, progress, (rng.random(20000) < chances).astype(float), sides)
    for lead, at in ((5, 0.1), (-8, 0.9), (0, 0.5), (12, 0.5), (-3, 0.3)):
        assert found.chance(lead, at, sides) == pytest.approx(truth.chance(lead, at, sides), abs=0.03)


def test_a_search_that_is_sure_of_wins_and_shy_elsewhere_gets_a_softened_curve():
    rng = np.random.default_rng(2)
    leads = np.where(np.arange(4000) < 400, 7.6, rng.normal(0, 0.3, 4000))  # a win at hand, or no great difference
    chances = np.where(leads > 7, 0.96, 1 / (1 + np.exp(-2 * leads)))
    found = fitted(leads, np.zeros(4000), (rng.random(4000) < chances).astype(float), 2)
    assert found.progress == (0.0,)
    for lead, chance in ((-0.4, 0.31), (0.0, 0.5), (0.4, 0.69), (7.6, 0.96)):
        assert found.chance(lead, 0.0, 2) == pytest.approx(chance, abs=0.04)


@pytest.mark.parametrize("key", [key for key in KERNELS if hasattr(advice_of(key), "progress")])
def test_a_match_progresses_from_its_first_choice_on(key):
    progress = advice_of(key).progress
    match = played(key, 0)
    assert 0 <= progress(match.state) < 0.1
    assert progress(match.state) < progress(played(key, 60).state) <= 1


def test_between_its_numbers_a_curve_is_straight():
    curve = Curve((0.2, 0.6), (1.0, 3.0), (0.0, 0.4))
    assert [curve.logit(1.0, at, 2) for at in (0.0, 0.2, 0.4, 0.6, 1.0)] == pytest.approx([1.0, 1.0, 2.2, 3.4, 3.4])
    assert Curve().chance(0.0, 0.5, 4) == pytest.approx(0.25)


def test_a_missing_curve_is_that_of_the_next_smaller_number_of_sides(tmp_path, monkeypatch):
    path = tmp_path / "curve.json"
    path.write_text('{"2": {"lead": [2.0]}, "3": {"lead": [3.0]}}')
    monkeypatch.setattr(curves, "_path", lambda key: path)
    find = curve_of.__wrapped__  # which remembers nothing
    assert [find("any", sides).lead for sides in (2, 3, 4)] == [(2.0,), (3.0,), (3.0,)]
    assert find("any", 1) == Curve()


def test_a_fitted_curve_rises_also_where_a_few_results_say_otherwise():
    rng = np.random.default_rng(1)
    leads, progress = rng.normal(0, 10, 3000), rng.random(3000)
    worth = np.where(progress < 0.2, -0.05, 0.2)
    won = (rng.random(3000) < 1 / (1 + np.exp(-worth * leads))).astype(float)
    curve = fitted(leads, progress, won, 2)
    assert min(curve.lead) > 0
    assert curve.lead[-1] == pytest.approx(0.2, rel=0.2)


def test_a_curve_that_lacks_numbers_is_refused():
    with pytest.raises(UnfinishedGame, match=r"curve\.json needs as many numbers"):
        Curve((0.0, 1.0), (1.0,), (0.0,))


@pytest.mark.parametrize("key", registry.game_keys())
def test_every_curve_rises_with_the_lead(key):
    for sides in (2, 3, 4):
        curve = curve_of(key, sides)
        for progress in {0.0, 0.1, 0.5, *curve.progress, 1.0}:
            chances = [curve.chance(lead, progress, sides) for lead in (-20, -5, 0, 5, 20)]
            assert chances == sorted(set(chances)), (key, sides, progress)
