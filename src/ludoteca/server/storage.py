"""The database file: one thread writes, many changes to one commit; what is answered is on the disk."""

import asyncio
import os
import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ludoteca.server.refusals import NotStored
from ludoteca.server.schema import migrate

T = TypeVar("T")
FILE = "ludoteca.sqlite3"
MOST_IN_A_COMMIT = 512


class _Pending(NamedTuple):
    change: Callable[[sqlite3.Connection], Any]
    answer: asyncio.Future[Any]


class Storage:
    """Changes are made by the writer in the order they came; each is whole or undone, and known to be stored."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = folder / FILE
        self.trouble: str | None = None  # why nothing can be stored now
        os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
        os.chmod(self._path, 0o600)  # SQLite gives its other files the same rights
        self._identity = _identity(self._path)
        self._writing = self._connect()
        self._writing.execute("pragma journal_mode = wal")
        self._writing.execute("pragma synchronous = full")
        migrate(self._writing)
        self._reading = self._connect()
        self._reading.execute("pragma query_only = on")
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="reader")
        self._pending: queue.SimpleQueue[_Pending | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_all, name="writer", daemon=True)
        self._writer.start()

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=10, isolation_level=None, check_same_thread=False)

    def first_read(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Before anybody is served; this one may also tidy up."""
        return question(self._writing)

    async def write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """Makes a change; returns when it is on the disk. What the change raises undoes it alone.

        A change may be made twice, when another one of the same commit is refused: it asks and changes `db` alone.
        """
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._pending.put(_Pending(change, answer))
        return await answer

    async def read(self, question: Callable[[sqlite3.Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._reader, question, self._reading)

    def close(self) -> None:
        """Writes what is pending, then closes the file."""
        self._pending.put(None)
        self._writer.join()
        self._reader.shutdown()
        self._reading.close()
        self._writing.close()

    def _write_all(self) -> None:
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
                self._commit(changes)

    def _commit(self, changes: list[_Pending]) -> None:
        db, outcomes = self._writing, []
        try:
            self._check_file()
            db.execute("begin immediate")
            try:
                outcomes = [pending.change(db) for pending in changes]
            except Exception:  # one is refused: now each by itself
                if not db.in_transaction:
                    raise  # a full disk: SQLite has undone everything
                db.execute("rollback")
                db.execute("begin immediate")
                outcomes = [_attempt(db, pending.change) for pending in changes]
            db.execute("commit")
            self._check_file()
            self.trouble = None
        except (sqlite3.Error, NotStored) as error:
            # The disk is full, the file is locked or gone: nothing of the batch is acknowledged.
            self.trouble = str(error)
            if db.in_transaction:
                db.execute("rollback")
            outcomes = [NotStored(self.trouble) for _ in changes]
        settled = list(zip((pending.answer for pending in changes), outcomes, strict=True))
        with suppress(RuntimeError):  # the loop is closed: nobody waits for the answers any more
            changes[0].answer.get_loop().call_soon_threadsafe(_settle, settled)

    def _check_file(self) -> None:
        """Raise NotStored if the file at the path is not the one that is open: what was written is lost at the end."""
        if _identity(self._path) != self._identity:
            raise NotStored("the database file was deleted or replaced while the server ran")


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what makes a file the same file; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _attempt(db: sqlite3.Connection, change: Callable[[sqlite3.Connection], Any]) -> Any:
    db.execute("savepoint change")
    try:
        outcome = change(db)
    except sqlite3.OperationalError:
        raise  # of the disk, not of this change
    except Exception as error:
        db.execute("rollback to change")
        outcome = error
    db.execute("release change")
    return outcome


def _settle(settled: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for answer, outcome in settled:
        if answer.done():
            continue  # whoever waited is gone
        if isinstance(outcome, Exception):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)
