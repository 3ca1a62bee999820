"""Gathers changes into commits: one thread makes all changes that wait, and answers when they are on the disk."""

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from ludoteca.server.database.contract import Change, Database

T = TypeVar("T")
MOST_IN_A_COMMIT = 512


class _Pending(NamedTuple):
    change: Change[Any]
    answer: asyncio.Future[Any]


class Batches:
    """`commit` makes changes in one transaction and returns what each one returned or raised."""

    def __init__(self, commit: Callable[[Sequence[Change[Any]]], list[Any]], name: str) -> None:
        self._commit = commit
        self._pending: queue.SimpleQueue[_Pending | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def make(self, change: Change[T]) -> T:
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._pending.put(_Pending(change, answer))
        return await answer

    def close(self) -> None:
        """Make what is pending, then end."""
        self._pending.put(None)
        self._thread.join()

    def _run(self) -> None:
        closing = False
        while not closing:
            batch = [self._pending.get()]
            while len(batch) < MOST_IN_A_COMMIT:
                try:
                    batch.append(self._pending.get_nowait())
                except queue.Empty:
                    break
            closing = None in batch
            if changes := [pending for pending in batch if pending is not None]:
                outcomes = self._commit([pending.change for pending in changes])
                settled = list(zip((pending.answer for pending in changes), outcomes, strict=True))
                with suppress(RuntimeError):  # the loop is closed: nobody waits for the answers any more
                    changes[0].answer.get_loop().call_soon_threadsafe(_settle, settled)


def attempt(db: Database, change: Change[Any], fatal: type[Exception] | tuple[type[Exception], ...]) -> Any:
    """Make one change inside a transaction. Return what it returned; if it raised an error, undo it and return that."""
    db.execute("savepoint change")
    try:
        outcome = change(db)
    except fatal:
        raise  # the database's own trouble, not this change's
    except Exception as error:
        db.execute("rollback to savepoint change")
        outcome = error
    db.execute("release savepoint change")
    return outcome


def _settle(settled: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for answer, outcome in settled:
        if answer.done():
            continue  # nobody waits for this answer any more
        if isinstance(outcome, Exception):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)
