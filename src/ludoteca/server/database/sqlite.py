"""SQLite: a file in the data folder, one thread that writes, one that reads."""

import asyncio
import os
import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from ludoteca.server.database.batches import Batches, attempt
from ludoteca.server.database.contract import Change
from ludoteca.server.database.schema import migrate
from ludoteca.server.keys import secret_key
from ludoteca.server.refusals import NotStored

T = TypeVar("T")
FILE = "ludoteca.sqlite3"


class SqliteDatabase(sqlite3.Connection):
    """A connection, as the contract has it."""

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        self.execute("begin")
        try:
            yield
        finally:
            self.execute("commit")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.execute("begin immediate")
        try:
            yield
            self.execute("commit")
        except BaseException:
            if self.in_transaction:
                self.execute("rollback")
            raise

    def schema_version(self) -> int:
        return int(self.execute("pragma user_version").fetchone()[0])

    def set_schema_version(self, version: int) -> None:
        self.execute(f"pragma user_version = {version}")

    def lock_schema(self) -> None:
        pass  # `begin immediate` has waited for the others

    def translated(self, statement: str) -> str:
        return statement


def connected(path: Path, read_only: bool = False) -> SqliteDatabase:
    """Open a database file. `read_only` refuses every change."""
    db = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False, factory=SqliteDatabase)
    if read_only:
        db.execute("pragma query_only = on")
    return db


def created(path: Path) -> SqliteDatabase:
    """Open a database file that only its owner may read; it is made when there is none, and brought up to date."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    os.chmod(path, 0o600)  # SQLite gives its other files the same rights
    db = connected(path)
    db.execute("pragma journal_mode = wal")
    db.execute("pragma synchronous = full")
    migrate(db)
    return db


class SqliteStorage:
    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder, self._path = folder, folder / FILE
        self.trouble: str | None = None
        self._writing = created(self._path)
        self._identity = _identity(self._path)
        self._reading = connected(self._path, read_only=True)
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="reader")
        self._batches = Batches(self._commit, "writer")

    def first_read(self, question: Change[T]) -> T:
        return question(self._writing)

    async def write(self, change: Change[T], about: str = "") -> T:
        return await self._batches.make(change)

    async def read(self, question: Change[T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._reader, question, self._reading)

    def secret(self, name: str, size: int) -> bytes:
        return secret_key(self._folder / name, size)

    def close(self) -> None:
        self._batches.close()
        self._reader.shutdown()
        self._reading.close()
        self._writing.close()

    def _commit(self, changes: Sequence[Change[Any]]) -> list[Any]:
        db = self._writing
        try:
            self._check_file()
            db.execute("begin immediate")
            try:
                outcomes = [change(db) for change in changes]
            except Exception:  # one change is refused: make each one by itself
                if not db.in_transaction:
                    raise  # a full disk: SQLite has undone everything
                db.execute("rollback")
                db.execute("begin immediate")
                outcomes = [attempt(db, change, sqlite3.OperationalError) for change in changes]
            db.execute("commit")
            self._check_file()
            self.trouble = None
        except (sqlite3.Error, NotStored) as error:
            # The disk is full, the file is locked or gone: nothing of the batch is acknowledged.
            self.trouble = str(error)
            if db.in_transaction:
                db.execute("rollback")
            return [NotStored(self.trouble) for _ in changes]
        return outcomes

    def _check_file(self) -> None:
        """Raise NotStored if the file at the path is not the open one: what is written would be lost at the end."""
        if _identity(self._path) != self._identity:
            raise NotStored("the database file was deleted or replaced while the server ran")


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what makes a file the same file; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
