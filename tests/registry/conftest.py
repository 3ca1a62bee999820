"""The cases of the registry suites: every game, with every number of players and every switch that it has.

The example game is one of them, so that a copy of it starts with all promises kept.
"""

from itertools import product

import example_games
import pytest

from ludoteca.core import registry
from ludoteca.core.errors import BadOption
from ludoteca.core.kernel_game import KernelGame


def agreements(game):
    """Return the players and switches that go together."""
    choices = [
        (option.name, option.choices)
        for option in game.options
        if option.name == "players" or {True, False} <= set(option.choices)
    ]
    for values in product(*(values for _, values in choices)):
        given = dict(zip((name for name, _ in choices), values, strict=True))
        try:
            game.agree(given)
        except BadOption:
            continue
        yield given


EVERY_KEY = [*registry.game_keys(), *example_games.KEYS]
EVERY_GAME = [(key, given) for key in EVERY_KEY for given in agreements(registry.game(key))]
EVERY_KERNEL = [(key, given) for key, given in EVERY_GAME if isinstance(registry.game(key), KernelGame)]


SUITES = {
    "game_case": [pytest.param((key, given), id=f"{key}-{given}") for key, given in EVERY_GAME],
    "kernel_case": [pytest.param((key, given), id=f"{key}-{given}") for key, given in EVERY_KERNEL],
    "kernel_cases": [
        pytest.param([case for case in EVERY_KERNEL if case[0] == key], id=key) for key in dict(EVERY_KERNEL)
    ],
}


def pytest_generate_tests(metafunc):
    for name, cases in SUITES.items():
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, cases)
