"""Work in the background, and alarms that a table sets."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from ludoteca.server.timing import Alarm, Time

log = logging.getLogger("ludoteca.server.tasks")


class Tasks:
    """Runs coroutines in the background, and logs those that fail."""

    def __init__(self, failed: Callable[[], None] = lambda: None) -> None:
        """`failed` is called when a task fails."""
        self._failed, self._ended = failed, False
        self.running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run this in the background. When everything ends, nothing new begins."""
        if self._ended:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(work)
        self.running.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self.running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failed()
            log.error("a background task failed", exc_info=error)

    def end(self) -> None:
        self._ended = True
        for task in self.running:
            task.cancel()

    async def finish(self) -> None:
        await asyncio.gather(*self.running, return_exceptions=True)


class OneAtATime:
    """Runs one kind of work in the background, never twice at the same time."""

    def __init__(self, tasks: Tasks, work: Callable[[], Awaitable[None]]) -> None:
        self._tasks, self._work = tasks, work
        self._is_running = self._is_wanted_again = False

    def start(self) -> None:
        """Do the work. If it is being done, do it once more afterwards."""
        if self._is_running:
            self._is_wanted_again = True
        else:
            self._is_running = True
            self._tasks.start(self._run())

    async def _run(self) -> None:
        try:
            await self._work()
            while self._is_wanted_again:
                self._is_wanted_again = False
                await self._work()
        finally:
            self._is_running = self._is_wanted_again = False


class Alarms:
    """Alarms by name, one of each name at a time."""

    def __init__(self, time: Time) -> None:
        self._time = time
        self._alarms: dict[str, Alarm] = {}

    def set(self, name: str, wait: int, call: Callable[[], None]) -> None:
        """Call a function after `wait` milliseconds. Cancel the alarm of the same name that was set before."""
        self.cancel(name)

        def ring() -> None:
            del self._alarms[name]
            call()

        self._alarms[name] = self._time.later(wait, ring)

    def set_once(self, name: str, wait: int, call: Callable[[], None]) -> None:
        """Set an alarm, unless one of this name is set already."""
        if name not in self._alarms:
            self.set(name, wait, call)

    def cancel(self, name: str) -> None:
        if (alarm := self._alarms.pop(name, None)) is not None:
            alarm.cancel()

    def cancel_all(self) -> None:
        for name in list(self._alarms):
            self.cancel(name)
