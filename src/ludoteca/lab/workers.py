"""Runs a plan's matches, in this process or in several; the results come in the order of their numbers."""

import multiprocessing
import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor

from ludoteca.core import registry
from ludoteca.core.record import Record
from ludoteca.lab.plan import Plan, play_one
from ludoteca.search import bots

MOST_A_CHUNK = 32
CHUNKS_AHEAD = 4  # waiting for each worker


def played(plan: Plan, workers: int) -> Iterator[Record]:
    if workers <= 1:
        for number in range(1, plan.games + 1):
            yield play_one(plan, number)
        return
    size = max(1, min(MOST_A_CHUNK, plan.games // (workers * CHUNKS_AHEAD)))
    chunks = deque(range(first, min(first + size, plan.games + 1)) for first in range(1, plan.games + 1, size))
    bots.warm(registry.game(plan.game))  # compiled once, here: the workers then load it from the disk
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=_ignore_interrupts)
    waiting: deque[Future[list[Record]]] = deque()
    try:
        while chunks or waiting:
            while chunks and len(waiting) < workers * CHUNKS_AHEAD:
                waiting.append(pool.submit(_play_chunk, plan, chunks.popleft()))
            yield from waiting.popleft().result()
    finally:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


def _ignore_interrupts() -> None:
    """Ctrl-C reaches the whole group of processes; the first one alone answers to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play_chunk(plan: Plan, numbers: range) -> list[Record]:
    return [play_one(plan, number) for number in numbers]
