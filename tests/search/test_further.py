"""One move further: blame for what a search overlooked, none where nothing was better, the same verdict every time."""

from random import Random

import pytest

from ludoteca.core.match import Match
from ludoteca.search import further
from ludoteca.search.further import DOUBT, DRAWS, judge_further
from ludoteca.search.judge import judge
from ludoteca.search.reviewing import is_bad, judge_decision

# Green (seat 1) leaves b5 to e5 open with G2b5. From then on light blue threatens it turn by turn with a 4 in e4.
THREATENED = """
G2a3 B1d3 G4e5 B3a5 G1b4 B1e1 G2f3 B1f6 G2a4 B3a4 G2c4 B4b5 G4c6 B1c2 G1a4 B1f2 G2a3 B4b1 G1a4 B4a4 G2a4 B1a4 G3a5
B3c3 G2c1 B1a2 G4c4 B3d4 G4b3 B3e3 G2b5 B4e4 G3e4 B4e4
"""
GREEN, BLUE = 1, 2


@pytest.fixture(scope="module")
def match():
    match = Match.new("aftaebr", {"players": 2, "start": GREEN})
    for move in ("colour G", "colour B", *THREATENED.split()):
        match.play(move)
    return match


def decided(match, move):
    """The first decision for this move, as a review judges it, and the chance of its seat at the first look."""
    n = next(n for n, entry in enumerate(match.log, start=1) if entry.move == move)
    state, seat = match.at(n - 1).state, match.log[n - 1].by
    told = judge(match.game, state, seat, [move])
    return judge_decision("aftaebr", state, n, seat, move).known, told.best.chance - told.of(move).chance, told


def test_a_move_that_only_looks_fine_is_blamed_if_another_stays_better(match):
    known, loss, _ = decided(match, "G2b5")
    assert loss < DOUBT
    assert is_bad(known.verdict)
    assert known.best[0].move != "G2b5"
    assert known.chances[GREEN - 1] == known.best[0].chance > known.played + DOUBT


def test_a_move_that_only_looks_bad_is_not(match):
    known, loss, _ = decided(match, "B4e4")
    assert loss > DOUBT
    assert known.verdict == "fine"


def test_nobody_is_blamed_for_a_position_that_was_worse_than_it_looked(match):
    known, _, told = decided(match, "G3e4")
    assert told.chances[GREEN - 1] > 0.3
    assert known.verdict == "fine"
    assert known.chances[GREEN - 1] == known.played < 0.2
    assert sum(known.chances) == pytest.approx(1, abs=0.002)


def test_the_curve_has_no_cliff_there(match):
    game, moves = match.game, ("G2b5", "B4e4", "G3e4")
    judged = [decided(match, move)[0] for move in moves]
    for one, following, seat in zip(judged, judged[1:], (GREEN, BLUE), strict=False):
        assert one.played == pytest.approx(following.chances[seat - 1], abs=0.02), game.key


def test_what_was_judged_before_changes_no_verdict(match):
    game, n = match.game, len(match.log) - 1
    state = match.at(n - 1).state
    found = []
    for before in ((), range(n - 6, n)):
        further._position.cache_clear()
        for k in before:
            judge_further(game, match.at(k - 1).state, match.log[k - 1].by, match.log[k - 1].move)
        found.append(judge_further(game, state, match.log[n - 1].by, match.log[n - 1].move))
    assert found[0] == found[1]
    assert further._position.cache_info().hits  # the position was judged as what follows the move before


def random_match(key, until, **options):
    match, rng = Match.new(key, options), Random("drawn")
    while not until(match.state):
        match.play(match.game.sample_moves(match.state, match.to_move[0], rng, 1)[0])
    return match.game, match.state


def holds(state):
    """The token in hand, counted from 1, or 0."""
    return int(state["in_hand"]) + 1


def test_draws_are_spread_over_the_bag_and_a_small_bag_is_looked_at_whole():
    for left, expected in ((40, DRAWS), (5, 5)):
        game, state = random_match("matchnlock", lambda state, left=left: state["n_bag"] == left and not holds(state))
        after = game.play(state, game.to_move(state)[0], "draw").state
        drawn = [holds(one) for one in further._drawn(game, after)]
        assert len(set(drawn)) == len(drawn) == expected
    assert [one.tobytes() for one in further._drawn(game, state)] == [state.tobytes()]  # nothing to draw


@pytest.mark.parametrize(("key", "options"), [("tictacmatch", {}), ("pinpoint", {"players": 3})])
def test_where_positions_do_not_compare_the_first_look_counts(key, options):
    match = Match.new(key, options)
    seat, move = match.to_move[0], match.game.moves(match.state)[-1]
    assert judge_further(match.game, match.state, seat, move) == judge(match.game, match.state, seat, [move])
