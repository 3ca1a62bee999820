"""What every kernel promises (core/kernel.py), proved for every game of the registry without exceptions."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_walk import digest, drawn_state, moves_of, walk

from ludoteca.core import registry
from ludoteca.core.binding import bind
from ludoteca.core.kernel import CHANCE, OVER, copied, new_record
from ludoteca.core.random import generator
from ludoteca.search import playouts

pytestmark = pytest.mark.kernels
WALK = Path(__file__).with_name("random_walk.py")
MATCHES = 4  # of a game, at least, that are played compiled and interpreted


def test_legal_moves_are_listed_once_and_apply(kernel_case):
    key, options = kernel_case
    game = registry.game(key)
    rules, states = game.rules, walk(game, options, "legal", most=60)
    for state in states:
        who = rules.actor(state)
        if who == OVER:
            assert rules.count(state) == 0
            continue
        listed = moves_of(rules, state)
        assert listed == [rules.move_at(state, k) for k in range(rules.count(state))]
        assert 0 < len(set(listed)) == len(listed) <= rules.MAX_COUNT
        if who == CHANCE:
            assert min(rules.weight_at(state, k) for k in range(len(listed))) > 0
        else:
            assert 0 <= min(listed) <= max(listed) < rules.MAX_MOVES
        for move in listed[:: max(1, len(listed) // 7)]:
            before, after = state.tobytes(), copied(state)
            rules.play(after, move)
            assert state.tobytes() == before
            assert after.tobytes() != before


@given(data=st.data())
def test_what_is_not_listed_is_refused_and_changes_nothing(kernel_case, data):
    key, options = kernel_case
    game = registry.game(key)
    state = drawn_state(data, game, options, longest=40, seeds=9)
    listed = set(moves_of(game.rules, state)) if game.rules.actor(state) != OVER else set()
    before = state.tobytes()
    for move in data.draw(st.lists(st.integers(-3, game.rules.MAX_MOVES + 20), max_size=30)):
        if move not in listed:
            assert not game.bound.played(state, move)
            assert state.tobytes() == before


def test_compiled_equals_interpreted(kernel_cases):
    seeds = range(max(1, MATCHES // len(kernel_cases)))
    cases = [(key, options, f"match {seed}") for key, options in kernel_cases for seed in seeds]
    interpreted = subprocess.run(
        [sys.executable, "-W", "ignore", WALK],
        input=json.dumps(cases),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert interpreted.stdout.split() == [digest(*case) for case in cases]


def test_every_match_ends(kernel_case):
    key, options = kernel_case
    game = registry.game(key)
    rules = game.rules
    pool, totals = np.zeros(1, rules.State).view(np.recarray), np.zeros(rules.SEATS)
    bind(playouts.FUNCTIONS, rules).playouts(game.start(game.agree(options)), pool, 200, generator("ends"), totals)
    assert rules.actor(pool[0]) == OVER
    assert np.all(np.abs(totals) <= 200)
    payoffs = np.full(rules.SEATS, 7, np.float32)
    rules.payoff(pool[0], payoffs)
    assert np.all(np.abs(payoffs[: options["players"]]) <= 1)


@given(data=st.data())
def test_conceal_keeps_what_the_seat_sees_and_forgets_the_rest(kernel_case, data):
    key, options = kernel_case
    game = registry.game(key)
    state = drawn_state(data, game, options, longest=40, seeds=9)
    for seat in range(options["players"]):
        other = copied(state)
        game.rules.conceal(other, seat, generator("another deal"))
        assert game.view(other, seat + 1) == game.view(state, seat + 1)
        assert game.rules.actor(other) == game.rules.actor(state)
        once, again = copied(state), copied(other)
        game.rules.conceal(once, seat, generator("deal"))
        game.rules.conceal(again, seat, generator("deal"))
        assert once.tobytes() == again.tobytes()


def test_a_start_forgets_what_was_in_the_state(kernel_case):
    key, options = kernel_case
    game = registry.game(key)
    record = game.options_record(game.agree(options))
    clean, used = new_record(game.rules.State), list(walk(game, options, "used", most=50))[-1]
    for state in (clean, used):
        game.rules.start(state, record)
    assert clean.tobytes() == used.tobytes()


def test_bounds_are_checked_in_a_cache_folder_of_their_own():
    program = "from ludoteca.core.compiler import cache_folder; print(cache_folder().name)"
    names = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "NUMBA_BOUNDSCHECK": checked},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for checked in ("0", "1")
    ]
    assert names[1] == names[0] + "-checked"


def test_is_legal_says_what_the_list_says(kernel_case):
    key, options = kernel_case
    game = registry.game(key)
    rules = game.rules
    for state in walk(game, options, "is legal", most=90):
        listed = set(moves_of(rules, state)) if rules.actor(state) >= 0 else set()
        asked = range(-3, rules.MAX_MOVES + 20, 1 if len(listed) < 20 else 7)
        assert {move for move in asked if rules.is_legal(state, move)} == listed & set(asked)
