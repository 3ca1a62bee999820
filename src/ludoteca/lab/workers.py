"""Runs a task for many numbers, in this thread or in several workers; the results come in the order of the numbers.

Compiled matches run in threads: kernels release the GIL, so two threads play as fast as two processes (`make bench`
prints both), and threads share what is compiled and hand their arrays over without a copy. A process needs seconds to
start. Matches that Python itself plays, through `Match` or by physics, need processes.
"""

import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Protocol, TypeVar

from ludoteca.core.kernel_game import KernelGame
from ludoteca.lab.games import game_named
from ludoteca.search import bots

T = TypeVar("T")
Workers = int | str  # how many on this machine, or the address of a cluster
Task = Callable[[range], T]  # a pure function of the numbers; for processes and clusters it must be picklable

SECONDS_A_CHUNK = 0.2  # that a worker is given at a time: long beside handing it over, short to wait for after Ctrl-C
MOST_A_CHUNK = 8192
CHUNKS_AHEAD = 3  # waiting for each worker


class Pool(Protocol):
    """Where tasks run."""

    workers: int

    def submit(self, task: Task[T], numbers: range) -> "Future[tuple[T, float]]":
        """Run the task somewhere. The result comes with the seconds that it took."""


def timed(task: Task[T], numbers: range) -> tuple[T, float]:
    began = time.perf_counter()
    return task(numbers), time.perf_counter() - began


class ExecutorPool:
    def __init__(self, executor: Executor, workers: int) -> None:
        self._executor, self.workers = executor, workers

    def submit(self, task: Task[T], numbers: range) -> "Future[tuple[T, float]]":
        return self._executor.submit(timed, task, numbers)


@contextmanager
def threads(workers: int) -> Iterator[Pool]:
    executor = ThreadPoolExecutor(workers)
    try:
        yield ExecutorPool(executor, workers)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def processes(workers: int, game: str) -> Iterator[Pool]:
    bots.warm(game_named(game))  # compiled once, here: the workers then load it from the disk
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(workers, context, initializer=_ignore_interrupts)
    try:
        yield ExecutorPool(executor, workers)
    finally:
        for process in list((executor._processes or {}).values()):
            process.terminate()
        executor.shutdown(wait=True, cancel_futures=True)


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C in a worker: it reaches the whole group of processes, and only the first one answers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def in_order(task: Task[T], numbers: range, workers: Workers, game: str, in_python: bool = False) -> Iterator[T]:
    """Run a task of a game for all numbers; `in_python` says that it plays a kernel game through `Match`."""
    if isinstance(workers, str):
        from ludoteca.lab.cluster import cluster

        with cluster(workers) as pool:
            yield from spread(task, numbers, pool)
        return
    if workers <= 1:
        yield from alone(task, numbers)
        return
    compiled = isinstance(game_named(game), KernelGame) and not in_python
    with threads(workers) if compiled else processes(workers, game) as pool:
        yield from spread(task, numbers, pool)


def alone(task: Task[T], numbers: range) -> Iterator[T]:
    size, first = 1, numbers.start
    while first < numbers.stop:
        chunk = range(first, min(first + size, numbers.stop))
        result, seconds = timed(task, chunk)
        yield result
        first, size = chunk.stop, next_size(len(chunk), seconds)


def spread(task: Task[T], numbers: range, pool: Pool) -> Iterator[T]:
    """Run a task in chunks. Their size follows the pace, which changes who plays a match but never the match."""
    waiting: deque[tuple[int, Future[tuple[T, float]]]] = deque()
    size, first = 1, numbers.start
    while first < numbers.stop or waiting:
        while first < numbers.stop and len(waiting) < pool.workers * CHUNKS_AHEAD:
            chunk = range(first, min(first + size, numbers.stop))
            waiting.append((len(chunk), pool.submit(task, chunk)))
            first = chunk.stop
        length, future = waiting.popleft()
        result, seconds = future.result()
        size = next_size(length, seconds)
        yield result


def next_size(length: int, seconds: float) -> int:
    """Aim at SECONDS_A_CHUNK, growing by no more than four times: the first chunk may have waited for a compiler."""
    fitting = int(length * SECONDS_A_CHUNK / max(seconds, 1e-6))
    return max(1, min(fitting, 4 * length, MOST_A_CHUNK))
