"""What the registry suites run over: every game, with every number of players and every switch that it has."""

from itertools import product

from ludoteca.core import registry
from ludoteca.core.errors import BadOption
from ludoteca.core.kernel_game import KernelGame


def agreements(game):
    """The players and switches that go together."""
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


EVERY_GAME = [(key, given) for key in registry.game_keys() for given in agreements(registry.game(key))]
EVERY_KERNEL = [(key, given) for key, given in EVERY_GAME if isinstance(registry.game(key), KernelGame)]


def pytest_generate_tests(metafunc):
    cases = EVERY_KERNEL if "kernel_case" in metafunc.fixturenames else EVERY_GAME
    for name in ("kernel_case", "game_case"):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, cases, ids=[f"{key}-{given}" for key, given in cases])
