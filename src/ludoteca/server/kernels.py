"""Warms what is compiled, the rules and then the bots, before anybody needs it.

A process of its own compiles, which takes seconds, fills the cache on the disk and gives its memory back; then this
process and the workers load from there, which takes a moment.
"""

import asyncio
import logging
import os
import sys

from ludoteca.core import registry
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.match import Match
from ludoteca.core.random import generator
from ludoteca.server import bots, telling
from ludoteca.server.bots import NICENESS, Bots

TURNS = 12  # moves of the match that is played to call every function once
RULES = "rules"  # what the compiling process says when the rules are done
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
        self._rules_ready = {key: asyncio.Event() for key in registry.game_keys()}
        self._bots_ready = {key: asyncio.Event() for key in self._rules_ready}
        self._queue = list(self._rules_ready)  # the games still to be warmed

    @property
    def warm(self) -> list[str]:
        """The games whose rules and bots are compiled."""
        return [key for key, ready in self._bots_ready.items() if ready.is_set()]

    async def rules_ready(self, key: str) -> None:
        self._hurry(key)
        await self._rules_ready[key].wait()

    async def bots_ready(self, key: str) -> None:
        self._hurry(key)
        await self._bots_ready[key].wait()

    def _hurry(self, key: str) -> None:
        """A game that somebody waits for is the next."""
        if key in self._queue:
            self._queue.remove(key)
            self._queue.insert(0, key)

    async def warm_up(self) -> None:
        for key in list(self._queue):
            if not isinstance(await asyncio.to_thread(registry.game, key), KernelGame):
                self._queue.remove(key)
                self._warmed(key)
        while self._queue:
            key = self._queue.pop(0)
            try:
                await self._warm_up(key)
            except Exception:
                log.exception("%s could not be warmed", key)
            finally:  # whoever waits had better meet the error than wait for ever
                self._warmed(key)

    def _warmed(self, key: str) -> None:
        self._rules_ready[key].set()
        self._bots_ready[key].set()

    async def _warm_up(self, key: str) -> None:
        command = (sys.executable, "-m", "ludoteca.server.kernels", key)
        compiling = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        try:
            assert compiling.stdout is not None
            await compiling.stdout.readline()
            await asyncio.to_thread(exercise, key)
            self._rules_ready[key].set()
            await compiling.wait()
        finally:
            if compiling.returncode is None:
                compiling.kill()
                await compiling.communicate()
        await self._bots.run(bots.warm, key)


def _compile(key: str) -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    exercise(key)
    print(RULES, flush=True)
    bots.warm(key)


if __name__ == "__main__":
    _compile(sys.argv[1])
