"""Tic-tac-toe and connect four against OpenSpiel's C++, playouts and tree search: `pip install ludoteca[bench]`."""

import importlib
import importlib.util
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ludoteca.core.binding import bind
from ludoteca.core.kernel import new_record
from ludoteca.core.random import generator
from ludoteca.search import tree

ROUNDS = 3
PLAYOUTS, SIMULATIONS = 20_000, 20_000
MORE = 10  # our code does this many times the work, to run for about as long
WANTED = {("connect_four", "playouts"): 5, ("connect_four", "search"): 10}


class Rates(NamedTuple):
    playouts: float
    search: float


class OpenSpiel:
    def __init__(self, name: str) -> None:
        import pyspiel

        self._spiel, self._game = pyspiel, pyspiel.load_game(name)

    def rates(self) -> Rates:
        """Return the rates of its bot. A leaf is evaluated by this many rollouts; all of it runs in C++."""
        return Rates(PLAYOUTS / self._seconds(1, PLAYOUTS), SIMULATIONS / self._seconds(SIMULATIONS, 1))

    def _seconds(self, simulations: int, rollouts: int) -> float:
        evaluator = self._spiel.RandomRolloutEvaluator(rollouts, 1)
        bot = self._spiel.MCTSBot(self._game, evaluator, 1.0, simulations, 1000, False, 1, False)
        state = self._game.new_initial_state()
        began = time.process_time()
        bot.step(state)
        return time.process_time() - began


class Ours:
    def __init__(self, rules: Any) -> None:
        self._bound = bind(tree.FUNCTIONS, rules)
        self._root = new_record(rules.State)
        rules.start(self._root, new_record(rules.Options))
        self._pool = np.zeros(1, rules.State).view(np.recarray)
        self._tree = tree.new_tree(rules, SIMULATIONS * MORE * 8)
        self._do(1, 1)

    def rates(self) -> Rates:
        return self._do(PLAYOUTS * MORE, SIMULATIONS * MORE)

    def _do(self, playouts: int, simulations: int) -> Rates:
        rng, totals = generator("race"), np.zeros(2)
        began = time.process_time()
        self._bound.playouts(self._root, self._pool, playouts, rng, totals)
        playing = time.process_time() - began
        began = time.process_time()
        self._bound.search(self._root, self._pool, self._tree, simulations, np.float32(1.0), 0, rng)
        return Rates(playouts / playing, simulations / (time.process_time() - began))


def kernel(name: str) -> ModuleType:
    """Return a classic game. They live with the tests, under the same name, to share the compiled code."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    found = getattr(importlib.import_module("kernels"), name)
    assert isinstance(found, ModuleType)
    return found


def measure() -> list[str]:
    if importlib.util.find_spec("pyspiel") is None:
        return ["OpenSpiel is not installed: pip install 'ludoteca[bench]' to compare with it"]
    lines = []
    for name in ("tic_tac_toe", "connect_four"):
        ours, other = Ours(kernel(name)), OpenSpiel(name)
        rounds = [(ours.rates(), other.rates()) for _ in range(ROUNDS)]
        for what in Rates._fields:
            mine, its = (max(getattr(rates[side], what) for rates in rounds) for side in (0, 1))
            wanted = f" (wanted {WANTED[name, what]})" if (name, what) in WANTED else ""
            lines.append(f"{name}, {what}/s: {mine:,.0f}; OpenSpiel C++ {its:,.0f}; ratio {mine / its:.1f}{wanted}")
    return lines


if __name__ == "__main__":
    print(*measure(), sep="\n")
