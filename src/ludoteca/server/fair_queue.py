"""Decides whose bot thinks next when more bots want to think than there are workers.

Tables where people wait come first. Among equals, the guest whose bots think the least has the next turn, so that a
hundred tables of one guest wait as long as one table of another.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import NamedTuple

HALF_LIFE = 60.0  # seconds after which half of what a guest's bots have thought is forgotten
FORGOTTEN = 0.001  # seconds of thinking that are not worth remembering


class Asker(NamedTuple):
    """Who wants a bot to think."""

    guest: str | None = None  # who made the table
    people: bool = True  # whether somebody waits at the table


class _Waiting(NamedTuple):
    asker: Asker
    number: int
    since: float
    turn: asyncio.Future[None]


class FairQueue:
    def __init__(self, places: int, now: Callable[[], float]) -> None:
        """At most `places` bots think at a time. `now` returns seconds."""
        self._places, self._now = places, now
        self._numbers = count()
        self._waiting: list[_Waiting] = []
        self._running: Counter[str | None] = Counter()
        self._used: dict[str | None, tuple[float, float]] = {}  # seconds of thinking, and when they were counted

    @property
    def waiting(self) -> int:
        """How many bots wait for a place."""
        return len(self._waiting)

    @property
    def running(self) -> int:
        """How many bots have a place."""
        return self._running.total()

    @property
    def places(self) -> int:
        return self._places

    def longest_wait(self) -> float:
        """Return the seconds that the bot at the longest wait has waited."""
        return max((self._now() - one.since for one in self._waiting), default=0.0)

    @asynccontextmanager
    async def turn(self, asker: Asker) -> AsyncIterator[None]:
        """Wait for a place, and keep it while the body of `async with` runs."""
        waiting = _Waiting(asker, next(self._numbers), self._now(), asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._call_next()
        try:
            await waiting.turn
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:
                self._leave(asker, 0.0)
            raise
        began = self._now()
        try:
            yield
        finally:
            self._leave(asker, self._now() - began)

    def _leave(self, asker: Asker, seconds: float) -> None:
        self._running[asker.guest] -= 1
        if not self._running[asker.guest]:
            del self._running[asker.guest]
        self._used[asker.guest] = (self._thought(asker.guest) + seconds, self._now())
        for guest in [guest for guest in self._used if self._thought(guest) < FORGOTTEN]:
            del self._used[guest]
        self._call_next()

    def _call_next(self) -> None:
        while self._waiting and self._running.total() < self._places:
            chosen = min(self._waiting, key=self._order)
            self._waiting.remove(chosen)
            self._running[chosen.asker.guest] += 1
            chosen.turn.set_result(None)

    def _order(self, waiting: _Waiting) -> tuple[bool, int, float, int]:
        guest = waiting.asker.guest
        return not waiting.asker.people, self._running[guest], self._thought(guest), waiting.number

    def _thought(self, guest: str | None) -> float:
        """Return the seconds that a guest's bots have thought lately."""
        used, since = self._used.get(guest, (0.0, 0.0))
        return used * 0.5 ** ((self._now() - since) / HALF_LIFE) if used else 0.0
