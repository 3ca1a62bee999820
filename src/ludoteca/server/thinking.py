"""Asks bots for moves: waits until a game is compiled, and hides from the bot what its seat cannot see."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Protocol

from ludoteca.core import registry
from ludoteca.core.levels import usual_level
from ludoteca.core.random import generator
from ludoteca.server import bots
from ludoteca.server.bots import Bots
from ludoteca.server.fair_queue import Asker
from ludoteca.server.kernels import Kernels
from ludoteca.server.refusals import NoHint

CROWDS = (4, 16)  # bots that wait for each worker: beyond these, bots think as weaker levels do


class Thinking(Protocol):
    """What a table needs of those who compile and think."""

    async def rules_ready(self, key: str) -> None:
        """Return when the game's rules are compiled."""

    def level_now(self, key: str, name: str) -> str:
        """Return the level that a bot thinks at now: its own, or a weaker one while many bots wait."""

    async def think(self, key: str, name: str, state: Any, seat: int, seed: tuple[object, ...], asker: Asker) -> str:
        """Return the move of a bot."""


class WorkerThinking:
    """Thinking in worker processes."""

    def __init__(self, bots: Bots, kernels: Kernels) -> None:
        self._bots, self._kernels = bots, kernels

    def level_now(self, key: str, name: str) -> str:
        return shrunk(bots.offered(key), name, self._bots.waiting_for_each)

    async def rules_ready(self, key: str) -> None:
        await self._kernels.rules_ready(key)

    async def think(self, key: str, name: str, state: Any, seat: int, seed: tuple[object, ...], asker: Asker) -> str:
        """Return the move of a bot. What the seat cannot see does not even reach the worker."""
        await self._kernels.bots_ready(key)
        state = registry.game(key).concealed(state, seat, generator(*seed, "hidden"))
        if name not in (levels := bots.levels(key)):
            name = levels[0]  # a level of an earlier version: the match goes on with the weakest there is
        return await self._bots.think(asker, bots.choose, key, name, state, seat, seed)


def shrunk(levels: Sequence[str], name: str, waiting: float) -> str:
    """Return the level that a bot of a level thinks at, when so many bots wait for each worker.

    One level weaker beyond the first of CROWDS, two beyond the second; never weaker than the usual level, and levels
    up to that one stay as they are: they need little, and a careless bot is no fair exchange for a careful one.
    """
    floor = usual_level(levels)
    if name not in levels or floor not in levels:
        return name
    place, lowest = levels.index(name), levels.index(floor)
    return name if place <= lowest else levels[max(lowest, place - bisect_left(CROWDS, waiting))]


def adviser(key: str) -> str:
    """Return the level that gives hints: the strongest one."""
    if not (offered := bots.offered(key)):
        raise NoHint("no bot plays this game")
    return offered[-1]
