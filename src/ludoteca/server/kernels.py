"""Warms what is compiled, the rules and then the bots, before anybody needs it.

A process of its own compiles, which takes seconds, fills the cache on the disk and gives its memory back; then this
process and the workers load from there, which takes a moment.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Iterator

from ludoteca.core import registry
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.match import Match
from ludoteca.core.random import generator
from ludoteca.server import bots, telling
from ludoteca.server.bots import NICENESS, Bots

TURNS = 12  # moves of the match that is played to call every function once
RULES, BOTS = "rules", "bots"  # the parts of a game that are compiled
COMPILER = (sys.executable, "-m", "ludoteca.server.kernels")
log = logging.getLogger("ludoteca.server.kernels")


def exercise(key: str) -> None:
    """Calls whatever a table calls."""
    match = Match.new(key)
    game = match.game
    assert isinstance(game, KernelGame)
    for _ in range(TURNS):
        if match.result:
            break
        before, moves = match.position, game.moves(match.state)
        entries = match.play(moves[0])
        telling.told(match, before, entries[0], len(match.log))
    for seat in (None, *range(1, len(match.seats) + 1)):
        game.view(match.state, seat)
    for seat in match.to_move:
        game.legal(match.state, seat)
        game.concealed(match.state, seat, generator("exercise"))
    if not match.result:
        match.play("resign")


class Kernels:
    def __init__(self, bots: Bots) -> None:
        self._bots = bots
        keys = registry.game_keys()
        # Still to be warmed, all rules first: a match begins with the rules, and its bot can think a little later.
        self._queue = [(part, key) for part in (RULES, BOTS) for key in keys]
        self._ready = {step: asyncio.Event() for step in self._queue}

    @property
    def warm(self) -> list[str]:
        """The games whose rules and bots are compiled."""
        return [key for (part, key), ready in self._ready.items() if part == BOTS and ready.is_set()]

    async def rules_ready(self, key: str) -> None:
        await self._hurried(RULES, key)

    async def bots_ready(self, key: str) -> None:
        await self._hurried(BOTS, key)

    async def _hurried(self, part: str, key: str) -> None:
        """What somebody waits for is the next."""
        if (part, key) in self._queue:
            self._queue.remove((part, key))
            self._queue.insert(0, (part, key))
        await self._ready[part, key].wait()

    async def warm_up(self) -> None:
        for part, key in list(self._queue):
            if not isinstance(await asyncio.to_thread(registry.game, key), KernelGame):
                self._queue.remove((part, key))
                self._ready[part, key].set()
        pipe = asyncio.subprocess.PIPE
        compiler = await asyncio.create_subprocess_exec(*COMPILER, stdin=pipe, stdout=pipe)
        try:
            while self._queue:
                part, key = self._queue.pop(0)
                try:
                    await self._warm_up(compiler, part, key)
                except Exception:
                    log.exception("the %s of %s could not be warmed", part, key)
                finally:  # whoever waits had better meet the error than wait for ever
                    self._ready[part, key].set()
        finally:
            if compiler.returncode is None:
                compiler.kill()
            await compiler.communicate()

    async def _warm_up(self, compiler: asyncio.subprocess.Process, part: str, key: str) -> None:
        assert compiler.stdin is not None
        assert compiler.stdout is not None
        compiler.stdin.write(f"{part} {key}\n".encode())
        await compiler.stdout.readline()
        if part == RULES:
            await asyncio.to_thread(exercise, key)
        else:
            await self._bots.run(bots.warm, key)


def compile_part(part: str, key: str) -> None:
    if part == RULES:
        exercise(key)
    else:
        bots.warm(key)


def compile_all() -> Iterator[str]:
    """Fills the cache with every game that is compiled, and says which."""
    for key in registry.game_keys():
        if isinstance(registry.game(key), KernelGame):
            for part in (RULES, BOTS):
                compile_part(part, key)
            yield key


def _compile() -> None:
    """Compiles what each line asks for, and says when that is done."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for line in sys.stdin:
        compile_part(*line.split())
        print(line, end="", flush=True)


if __name__ == "__main__":
    _compile()
