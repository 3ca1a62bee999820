"""The server's time, in milliseconds since 1970, and calls at a later time. Tests have a time of their own."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    def cancel(self) -> None: ...


class Time:
    """It never goes back. If the clock of the machine is corrected during a turn, that costs no player any time."""

    def __init__(self) -> None:
        self._started = time.time_ns() // 1_000_000 - self._running()

    def _running(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def now(self) -> int:
        return self._started + self._running()

    def later(self, wait: int, call: Callable[[], None]) -> Alarm:
        """Call a function after `wait` milliseconds, unless the alarm is cancelled before."""
        return asyncio.get_running_loop().call_later(max(0, wait) / 1000, call)
