"""Warms the compiled rules: a worker fills the cache on the disk, then this process loads them from there.

Compiling takes seconds and would hold up every table; loading takes a moment, in a thread of its own.
"""

import asyncio
import logging

from ludoteca.core import registry
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.match import Match
from ludoteca.server import bots, telling
from ludoteca.server.bots import Bots

TURNS = 12  # moves of the match that is played to call every function once
log = logging.getLogger("ludoteca.server.kernels")


def exercise(key: str) -> None:
    """Calls whatever a table calls."""
    match = Match.new(key)
    game = match.game
    if isinstance(game, KernelGame):
        for _ in range(TURNS):
            before, moves = match.position, game.moves(match.state)
            entries = match.play(moves[0])
            telling.told(match, before, entries[0], len(match.log))
    for seat in (None, *range(1, len(match.seats) + 1)):
        game.view(match.state, seat)
    for seat in match.to_move:
        game.legal(match.state, seat)
    match.play("resign")


class Kernels:
    def __init__(self, bots: Bots) -> None:
        self._bots = bots
        self._ready = {key: asyncio.Event() for key in registry.keys()}  # noqa: SIM118

    @property
    def warm(self) -> list[str]:
        return [key for key, ready in self._ready.items() if ready.is_set()]

    async def ready(self, key: str) -> None:
        await self._ready[key].wait()

    async def warm_up(self) -> None:
        for key in self._ready:
            await self._warm_game(key)
        for key in self._ready:
            try:
                await self._bots.run(bots.warm, key)
            except Exception:
                log.exception("the bots of %s could not be warmed", key)

    async def _warm_game(self, key: str) -> None:
        try:
            await self._bots.run(exercise, key)
        except Exception:
            log.exception("%s could not be compiled in a worker", key)
        await asyncio.to_thread(exercise, key)
        self._ready[key].set()
