"""Endings are proved exactly: brute force finds the same results, and bots, whole matches and reviews use them."""

from itertools import islice

import example_games  # noqa: F401 (Connect Four is one of them)
import msgspec
import numpy as np
import pytest
from brute_force import faults, legal, random_match
from pinpoint_board import pins, position

from ludoteca.core import registry
from ludoteca.core.random import key_of
from ludoteca.games.pinpoint import ending, guide
from ludoteca.search import bots, workbench
from ludoteca.search.judge import judge
from ludoteca.search.proving import Prover

pytestmark = pytest.mark.kernels

LIMIT = 100_000
SMALL = 2000  # where a proof is tried before every move
MOST = 1500  # positions of brute force
BACK = 10  # decisions before the end

CASES = [  # a game, what the table agrees on, and the number of matches
    ("pinpoint", {"players": 2}, 3),
    ("pinpoint", {"players": 3}, 3),
    ("pinpoint", {"players": 4, "teams": True}, 3),
    ("matchnlock", {"players": 1}, 2),
    ("matchnlock", {"players": 2}, 8),
    ("matchnlock", {"players": 3}, 8),
    ("aftaebr", {"players": 2}, 5),
    ("aftaebr", {"players": 3}, 8),
    ("connectfour", {}, 16),
]


def prover_of(key):
    return Prover(registry.game(key).rules, bots.guide(key))


@pytest.mark.parametrize(("key", "options", "matches"), CASES, ids=str)
def test_brute_force_finds_the_same(key, options, matches):
    game = registry.game(key)
    prover, compared = prover_of(key), 0
    for number in range(matches):
        for state in islice(random_match(game, game.agree(options), f"ending {number}"), BACK):
            found = faults(game.rules, prover, state, LIMIT, MOST)
            if found is not None:
                assert not list(found)
                compared += 1
    assert compared >= 4


def test_a_joker_of_this_turn_is_no_plain_pin():
    """It turns black at the end of the turn (PP-18): the lookahead may confuse the two, a proof may not."""
    board = pins({10: "KKKKKKKK..", **dict.fromkeys(range(2, 10), "K" * 10), 1: "RKKKKKKK.."})
    plain, joker = (position(board, hand="YGB", jokers=[3, 4, 0, 0]) for _ in range(2))
    joker.jokers_shown[0], joker.n_shown = 13, 1
    assert guide.key(plain) == guide.key(joker)
    assert ending.exact_key(plain) != ending.exact_key(joker)


def test_the_bounds_are_never_wrong():
    game = registry.game("pinpoint")
    prover = prover_of("pinpoint")
    decided = 0
    for number in range(6):
        for state in islice(random_match(game, game.agree({"players": 2}), f"bounds {number}"), 7):
            for seat in range(2):
                low, high = ending.bounds(state, seat)
                proof = prover.prove(state, seat, LIMIT)
                assert proof is not None
                assert low <= proof.value <= high
                decided += low == high
    assert decided


def test_nothing_is_proved_where_something_is_hidden():
    game = registry.game("tictacmatch")
    prover = prover_of("tictacmatch")
    for state in islice(random_match(game, game.agree({}), "hidden"), 3):
        assert prover.prove(state, int(game.rules.actor(state)), LIMIT) is None
        assert prover.move(state, LIMIT) is None


def test_a_small_limit_proves_nothing():
    game = registry.game("pinpoint")
    state = random_match(game, game.agree({}), "limit")[6]
    prover = prover_of("pinpoint")
    assert prover.prove(state, int(game.rules.actor(state)), 10) is None
    assert prover.desk.looked[0] == 10


def test_the_clearest_win_is_chosen():
    """The last two pins: every move wins, but only one order of them makes the most points."""
    game = registry.game("pinpoint")
    drawing = pins({10: "RRRKKKKKKK", 9: "KKKKKKKKKK", **dict.fromkeys(range(2, 9), "K" * 10), 1: "KKKKKKKK.K"})
    state = position(drawing.replace("RRRK", "RRR."), hand="RY", jokers=[0, 0, 0, 0])
    state.score[:] = [50, 10, 0, 0]
    proof = prover_of("pinpoint").prove(state, 0, LIMIT)
    assert proof is not None
    assert proof.value == 1.0
    assert proof.move is not None
    best = 50 + 4 + 1
    game.rules.play(state, proof.move)
    game.rules.play(state, max(legal(game.rules, state)))
    assert state.score[0] == best


@pytest.fixture
def proving(monkeypatch):
    """Connect Four with a level that plays like its weakest and proves endings."""
    levels = bots.guide("connectfour").LEVELS
    monkeypatch.setitem(levels, "prover", msgspec.structs.replace(levels["novice"], proves=SMALL))
    workbench.bound_loop.cache_clear()
    yield registry.game("connectfour")
    workbench.bound_loop.cache_clear()


def test_bots_and_whole_matches_of_connectfour_play_what_is_proved(proving):
    rules, prover, checked, begin = proving.rules, prover_of("connectfour"), 0, 0
    bench = workbench.Workbench(proving, proving.agree({}), ["prover", "prover"])
    book = bench.play(key_of("proved"), np.arange(1, 17))
    for end in book.ends.tolist():
        state = proving.start(proving.agree({}))
        for move in book.moves[begin:end].tolist():
            proved = prover.move(state, SMALL) if int(rules.actor(state)) >= 0 else None
            if proved is not None:
                assert move == proved
                chosen = bots.choose(proving, "prover", state, int(rules.actor(state)) + 1, ("any",))
                assert proving.parse(state, chosen) == proved
                checked += 1
            rules.play(state, move)
        begin = end
    assert checked


def test_the_middle_of_a_match_pays_nothing():
    game = registry.game("pinpoint")
    prover = prover_of("pinpoint")
    state = random_match(game, game.agree({}), "middle")[40]
    assert prover.move(state, LIMIT) is None
    assert prover.desk.looked[1] == 0


def test_a_proved_ending_is_judged_exactly():
    game = registry.game("pinpoint")
    prover = prover_of("pinpoint")
    for state in random_match(game, game.agree({"players": 2}), "judged")[2:4]:
        seat = int(game.rules.actor(state)) + 1
        worst = game.format(state, legal(game.rules, state)[-1])
        judged = judge(game, state, seat, [worst])
        proof = prover.prove(state, seat - 1, LIMIT)
        assert proof is not None
        assert judged.best.chance == judged.chances[seat - 1] == (proof.value + 1) / 2
        assert {valued.chance for valued in judged.moves} <= {0.0, 0.5, 1.0}
        assert {valued.error for valued in judged.moves} == {0.0}
        assert judged == judge(game, state, seat, [worst])
