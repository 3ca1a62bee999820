"""Compiles games before somebody needs them: first the rules, then the bots.

As a program it reads lines like `rules KEY` or `bots KEY`, compiles that part of the game and repeats the line.
"""

import inspect
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import numba
from llvmlite import binding

from ludoteca.core import compiler, registry, tensors
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.match import Match
from ludoteca.core.random import generator
from ludoteca.search import bots, judge, matches, workbench

TURNS = 12  # length of the match that calls every function once
RULES, BOTS, LAB = "rules", "bots", "lab"  # the parts of a game that are compiled; a server needs the first two
NICENESS = 10  # of a process that works beside the server


def exercise(key: str) -> None:
    """Call every function of a game that a table calls."""
    match = Match.new(key)
    game = match.game
    assert isinstance(game, KernelGame)
    everybody = (None, *range(1, len(match.seats) + 1))
    for _ in range(TURNS):
        if match.result:
            break
        before = match.state
        entry = match.play(game.moves(match.state)[0])[0]
        for seat in everybody:
            game.describe(before, game.seen(entry, seat))
    for seat in everybody:
        game.view(match.state, seat)
    for seat in match.to_move:
        game.legal(match.state, seat)
        game.concealed(match.state, seat, generator("exercise"))
    if not match.result:
        match.play("resign")


def compile_part(part: str, key: str) -> None:
    """Compile a part of a game into the cache on the disk, and mark that it is there."""
    if part == RULES:
        exercise(key)
    elif part == BOTS:
        bots.warm(registry.game(key))
        judge.warm(registry.game(key))
    else:
        workbench.warm(registry.game(key))
        if tensors.has_encoding(key):
            matches.warm(registry.game(key))
    if compiler.IS_SHARED:
        _mark(part, key).touch()


def is_compiled(part: str, key: str) -> bool:
    """Return whether the cache on the disk has this part of a game, made for this processor."""
    return compiler.IS_SHARED and _mark(part, key).exists()


def _mark(part: str, key: str) -> Path:
    """Return the file that says that a part was compiled. Its folder is named by the sources of the package."""
    outside = compiler.outside_digest(inspect.getfile(type(registry.game(key))))
    name = (part, key, outside, numba.__version__, binding.get_host_cpu_name())
    return Path(numba.config.CACHE_DIR) / "-".join(filter(None, name))


def compile_all() -> Iterator[str]:
    """Compile every game into the cache, and yield the key of each."""
    for key in registry.game_keys():
        if isinstance(registry.game(key), KernelGame):
            for part in (RULES, BOTS, LAB):
                compile_part(part, key)
            yield key


def _compile() -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for line in sys.stdin:
        compile_part(*line.split())
        print(line, end="", flush=True)


if __name__ == "__main__":
    _compile()
