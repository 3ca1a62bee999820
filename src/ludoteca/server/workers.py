"""Worker processes in which bots think: niced and fewer than the cores, so that the server's process stays free."""

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from ludoteca.server.fair_queue import Asker, FairQueue
from ludoteca.server.metrics import Metrics

T = TypeVar("T")
NICENESS = 10
ATTEMPTS = 3
LONGEST_THOUGHT = 120.0  # seconds; the strongest bots take a few
log = logging.getLogger("ludoteca.server.workers")


def _start_worker(server: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C goes to the whole group; the server says when to stop
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    threading.Thread(target=_end_with, args=(server,), daemon=True).start()


def _end_with(server: Connection) -> None:
    """End when the server closes its end of the pipe or is killed: no worker outlives it."""
    with suppress(EOFError, OSError):
        server.recv_bytes()
    os._exit(0)


class Workers:
    def __init__(self, count: int | None = None, metrics: Metrics | None = None) -> None:
        self._metrics = metrics or Metrics()
        self._count = count or max(1, (os.cpu_count() or 1) - 1)
        self._closed = False
        self._queue = FairQueue(self._count, time.monotonic)
        self._pool, self._line = self._open()
        self._metrics.gauge("ludoteca_bots_waiting", lambda: self._queue.waiting)
        self._metrics.gauge("ludoteca_bots_thinking", lambda: self._queue.running)
        self._metrics.gauge("ludoteca_bots_longest_wait_seconds", self._queue.longest_wait)

    def _open(self) -> tuple[ProcessPoolExecutor, Connection]:
        context = multiprocessing.get_context("spawn")
        theirs, ours = context.Pipe(duplex=False)
        return ProcessPoolExecutor(self._count, context, _start_worker, (theirs,)), ours

    @property
    def waiting_for_each(self) -> float:
        """How many tasks wait for each worker."""
        return self._queue.waiting / self._queue.places

    async def think(self, asker: Asker, task: Callable[..., T], *given: Any) -> T:
        """Run a task in a worker when it is this asker's turn; raise TimeoutError if it takes far too long."""
        asked = time.monotonic()
        async with self._queue.turn(asker):
            pool, began = self._pool, time.monotonic()
            self._metrics.observe("ludoteca_bot_wait_seconds", began - asked)
            try:
                thought = await asyncio.wait_for(self.run(task, *given), LONGEST_THOUGHT)
                self._metrics.observe("ludoteca_bot_thinking_seconds", time.monotonic() - began)
                return thought
            except TimeoutError:
                log.error("a worker hangs; starting others")
                for worker in list((pool._processes or {}).values()):
                    worker.kill()
                self._replace(pool)
                raise

    async def run(self, task: Callable[..., T], *given: Any) -> T:
        """Run a task in a worker at once. If the worker dies, try again in another one."""
        for attempt in range(1, ATTEMPTS + 1):
            pool = self._pool
            try:
                return await asyncio.wrap_future(pool.submit(task, *given))
            except BrokenProcessPool:
                if self._closed or attempt == ATTEMPTS:
                    raise
                log.warning("a worker died; starting others")
                self._replace(pool)
        raise AssertionError

    def _replace(self, pool: ProcessPoolExecutor) -> None:
        if self._pool is pool and not self._closed:
            self._line.close()
            pool.shutdown(wait=False, cancel_futures=True)
            self._pool, self._line = self._open()

    def close(self) -> None:
        self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._line.close()
