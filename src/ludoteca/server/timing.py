"""The server's time, in milliseconds since 1970, and what is to happen later. Tests have a time of their own."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    def cancel(self) -> None: ...


class Time:
    """It never goes back: a machine's clock that is put right in the middle of a turn costs nobody anything."""

    def __init__(self) -> None:
        self._started = time.time_ns() // 1_000_000 - self._running()

    def _running(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def now(self) -> int:
        return self._started + self._running()

    def later(self, wait: int, call: Callable[[], None]) -> Alarm:
        """Calls in that many milliseconds, unless it is cancelled before."""
        return asyncio.get_running_loop().call_later(max(0, wait) / 1000, call)
