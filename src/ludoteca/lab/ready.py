"""Compiles what the lab needs of a game before the clock starts, and says so if that takes long."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

import numpy as np

from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.random import key_of
from ludoteca.lab.games import game_named
from ludoteca.lab.plan import Plan
from ludoteca.search import bots
from ludoteca.search.workbench import Workbench

SILENCE = 3.0  # seconds; loading what is compiled already takes less


def compile_for(plan: Plan, observes: bool = False, in_python: bool = False) -> None:
    """Compile a game's matches: those of a study, or those that Python plays through `Match`."""
    game = game_named(plan.game)
    if not isinstance(game, KernelGame):
        return
    with _notice(f"compiling {game.name}: about a minute, once for each version ('ludoteca warm' does it ahead) ..."):
        if in_python:
            bots.warm(game)
            return
        bench, number = Workbench(game, plan.options, [bots.RANDOM] * len(plan.bots)), np.arange(1, 2)
        if observes:
            bench.study(key_of("warm"), number, 1)
        else:
            bench.play(key_of("warm"), number)


@contextmanager
def _notice(words: str) -> Iterator[None]:
    """Print words if the work takes longer than a moment."""
    timer = Timer(SILENCE, lambda: print(words, file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
