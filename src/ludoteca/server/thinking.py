"""Asks bots for moves: waits until a game is compiled, and hides from the bot what its seat cannot see."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Protocol

from ludoteca.core import registry
from ludoteca.core.levels import usual_level
from ludoteca.core.random import generator
from ludoteca.server import bots
from ludoteca.server.fair_queue import Asker
from ludoteca.server.kernels import Kernels
from ludoteca.server.refusals import NoHint
from ludoteca.server.workers import Workers

CROWDS = (4, 16)  # tasks that wait for each worker: beyond these numbers, bots think at weaker levels


class Thinking(Protocol):
    """What a table needs to let bots think."""

    async def rules_ready(self, key: str) -> None:
        """Return when the game's rules are compiled."""

    def level_now(self, key: str, name: str) -> str:
        """Return the level that a bot thinks at now: its own, or a weaker one while many bots wait."""

    async def think(self, key: str, name: str, state: Any, seat: int, seed: tuple[object, ...], asker: Asker) -> str:
        """Return the move of a bot."""


class WorkerThinking:
    """Thinking in worker processes."""

    def __init__(self, workers: Workers, kernels: Kernels) -> None:
        self._workers, self._kernels = workers, kernels

    def level_now(self, key: str, name: str) -> str:
        return shrunk(bots.offered(key), name, self._workers.waiting_for_each)

    async def rules_ready(self, key: str) -> None:
        await self._kernels.rules_ready(key)

    async def think(self, key: str, name: str, state: Any, seat: int, seed: tuple[object, ...], asker: Asker) -> str:
        """Return the move of a bot. The worker is not given what the seat cannot see."""
        await self._kernels.bots_ready(key)
        state = registry.game(key).concealed(state, seat, generator(*seed, "hidden"))
        if name not in (levels := bots.levels(key)):
            name = levels[0]  # a level of an earlier version: the match goes on with the weakest there is
        return await self._workers.think(asker, bots.choose, key, name, state, seat, seed)


def shrunk(levels: Sequence[str], name: str, waiting: float) -> str:
    """Return the level at which a bot thinks while this many tasks wait for each worker.

    It is one level weaker beyond the first number of CROWDS and two beyond the second, but never weaker than the usual
    level. The levels up to the usual one stay as they are: they need little time.
    """
    floor = usual_level(levels)
    if name not in levels or floor not in levels:
        return name
    place, lowest = levels.index(name), levels.index(floor)
    return name if place <= lowest else levels[max(lowest, place - bisect_left(CROWDS, waiting))]


def hint_level(key: str) -> str:
    """Return the level that gives hints: the strongest one."""
    if not (offered := bots.offered(key)):
        raise NoHint("no bot plays this game")
    return offered[-1]
