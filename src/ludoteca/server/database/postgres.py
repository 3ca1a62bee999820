"""PostgreSQL: several threads write, each for its own share of the tables; several servers may share the database."""

import asyncio
import logging
import queue
import re
import threading
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache, partial
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from ludoteca.server.database.batches import Batches, attempt
from ludoteca.server.database.contract import Change, DatabaseTrouble
from ludoteca.server.database.schema import TABLES, migrate
from ludoteca.server.keys import drawn_key
from ludoteca.server.refusals import NotStored

T = TypeVar("T")
# Connections. A change waits for the network, so a single connection would be idle most of the time.
WRITERS, READERS = 4, 2
TRIES = 3  # attempts at a transaction that conflicts with another one
SETTINGS = "-c synchronous_commit=on -c statement_timeout=10s -c idle_in_transaction_session_timeout=30s"
# A node that was frozen in a transaction must not lock rows for longer than its lease lasts: others wait for them.
LONGEST_SILENCE = "set idle_in_transaction_session_timeout = '3s'"
# A connection whose other end is gone without notice is given up after these times.
PATIENCE = {"connect_timeout": 5, "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3,
            "tcp_user_timeout": 10_000}  # fmt: skip
SCHEMA_LOCK = 0x6C75646F  # an advisory lock; any number that nobody else uses
ENCODING = "UTF8"
IN_THE_WAY = (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)
log = logging.getLogger("ludoteca.server.database")


@cache
def _with_percents(statement: str) -> str:
    """Return a statement with the placeholders of psycopg."""
    return statement.replace("%", "%%").replace("?", "%s")


class PostgresDatabase:
    """A connection, as the contract has it."""

    def __init__(self, connection: "psycopg.Connection[Any]") -> None:
        self.connection = connection

    def execute(self, statement: str, values: Sequence[Any] = ()) -> "psycopg.Cursor[Any]":
        return self.connection.execute(_with_percents(statement), values)

    def executemany(self, statement: str, rows: Sequence[Sequence[Any]]) -> "psycopg.Cursor[Any]":
        cursor = self.connection.cursor()
        cursor.executemany(_with_percents(statement), rows)
        return cursor

    def snapshot(self) -> AbstractContextManager[None]:
        return self._between("begin isolation level repeatable read")

    def transaction(self) -> AbstractContextManager[None]:
        return self._between("begin")

    @contextmanager
    def _between(self, beginning: str) -> Iterator[None]:
        """Begin a transaction with this statement, and commit it at the end. Roll back if the body fails."""
        self.execute(beginning)
        try:
            yield
            self.execute("commit")
        except BaseException:
            self.roll_back()
            raise

    def close(self) -> None:
        self.connection.close()

    def roll_back(self) -> None:
        with suppress(psycopg.Error):  # the connection is gone, and the transaction with it
            self.execute("rollback")

    def schema_version(self) -> int:
        # Not to_regclass: it would answer from what this connection has cached, although another one made the table.
        made = "select 1 from pg_tables where tablename = 'schema_version' and schemaname = any(current_schemas(false))"
        if self.execute(made).fetchone() is None:
            return 0
        found = self.execute("select version from schema_version").fetchone()
        return found[0] if found else 0

    def set_schema_version(self, version: int) -> None:
        self.execute("create table if not exists schema_version (version bigint not null)")
        self.execute("delete from schema_version")
        self.execute("insert into schema_version (version) values (?)", (version,))

    def lock_schema(self) -> None:
        self.execute(f"select pg_advisory_xact_lock({SCHEMA_LOCK})")

    def translated(self, statement: str) -> str:
        for ours, theirs in ((r"\binteger\b", "bigint"), (r"\bblob\b", "bytea"), (r"\bwithout rowid\b", "")):
            statement = re.sub(ours, theirs, statement)
        return statement


def connected(address: str) -> PostgresDatabase:
    """Open a connection; raise psycopg.OperationalError if the database is not there."""
    given = conninfo_to_dict(address)
    wanted = {**PATIENCE, "application_name": "ludoteca", **given}
    wanted["options"] = f"{given.get('options') or ''} {SETTINGS}".strip()
    return PostgresDatabase(psycopg.connect(make_conninfo("", **wanted), autocommit=True))


def opened(address: str) -> PostgresDatabase:
    """Open the database and bring it up to date; raise DatabaseTrouble if it cannot be used."""
    try:
        db = connected(address)
    except psycopg.Error as error:
        raise DatabaseTrouble(first_line(error)) from None
    try:
        _check_encoding(db)
        migrate(db)
        _check_rights(db)
    except psycopg.errors.InsufficientPrivilege as error:
        db.close()
        raise DatabaseTrouble(f"its user may not do what the server has to: {first_line(error)}") from None
    except psycopg.Error as error:
        db.close()
        raise DatabaseTrouble(first_line(error)) from None
    except BaseException:
        db.close()
        raise
    return db


def _check_encoding(db: PostgresDatabase) -> None:
    (found,) = db.execute("show server_encoding").fetchone() or ("",)
    if found != ENCODING:
        raise DatabaseTrouble(
            f"its encoding is {found}, and names need {ENCODING}; make another one with "
            f"createdb --encoding {ENCODING} --template template0"
        )


def _check_rights(db: PostgresDatabase) -> None:
    for table in (*TABLES, "keys", "reviews", "nodes", "here"):
        for right in ("select", "insert", "update", "delete"):
            (may,) = db.execute("select has_table_privilege(?, ?)", (table, right)).fetchone() or (False,)
            if not may:
                raise DatabaseTrouble(f"its user has no right to {right} in {table}")


def first_line(error: Exception) -> str:
    """Return what went wrong, without the lines that explain it to programmers."""
    lines = str(error).strip().splitlines()
    return lines[0].strip() if lines else type(error).__name__


class _Line:
    """A connection that is opened again when it was lost."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._db: PostgresDatabase | None = None

    def db(self) -> PostgresDatabase:
        if self._db is None or self._db.connection.closed:
            self._db = connected(self._address)
            self._db.execute(LONGEST_SILENCE)
        return self._db

    def in_transaction(self) -> PostgresDatabase:
        """Return the connection with a transaction begun. One that was lost while it was idle is opened again."""
        try:
            db = self.db()
            db.execute("begin")
        except psycopg.OperationalError:
            self.drop()
            db = self.db()
            db.execute("begin")
        return db

    def drop(self) -> None:
        if self._db is not None:
            with suppress(psycopg.Error):
                self._db.close()
            self._db = None


class PostgresStorage:
    def __init__(self, address: str) -> None:
        self.address = address
        self.trouble: str | None = None
        self._first = opened(address)
        self._lines = [_Line(address) for _ in range(WRITERS + READERS)]
        self._writers = [Batches(partial(self._commit, line), "writer") for line in self._lines[:WRITERS]]
        self._free: queue.SimpleQueue[_Line] = queue.SimpleQueue()
        for line in self._lines[WRITERS:]:
            self._free.put(line)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")
        self._lock = threading.Lock()

    def first_read(self, question: Change[T]) -> T:
        with self._lock:
            return question(self._first)

    async def write(self, change: Change[T], about: str = "") -> T:
        return await self._writers[zlib.crc32(about.encode()) % WRITERS].make(change)

    async def read(self, question: Change[T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._answer, question)

    def secret(self, name: str, size: int) -> bytes:
        return self.first_read(partial(drawn_key, name=name, size=size))

    def close(self) -> None:
        for writer in self._writers:
            writer.close()
        self._readers.shutdown()
        for line in self._lines:
            line.drop()
        self._first.close()

    def _answer(self, question: Change[T]) -> T:
        line = self._free.get()
        try:
            for last in (False, True):  # if the connection was lost while it was idle, try with a new one
                try:
                    return question(line.db())
                except psycopg.OperationalError as error:
                    line.drop()
                    if last:
                        raise self._not_stored(error) from None
            raise AssertionError
        finally:
            self._free.put(line)

    def _commit(self, line: _Line, changes: Sequence[Change[Any]]) -> list[Any]:
        for tries in range(1, TRIES + 1):
            try:
                outcomes = _outcomes(line.in_transaction(), changes)
            except psycopg.Error as error:
                # The database is gone. Nobody knows whether the commit arrived there, and nothing is acknowledged.
                line.drop()
                if tries == TRIES or not isinstance(error, IN_THE_WAY):
                    refusal = self._not_stored(error)
                    return [refusal for _ in changes]
            else:
                self.trouble = None
                return outcomes
        raise AssertionError

    def _not_stored(self, error: psycopg.Error) -> NotStored:
        """Note and log what went wrong. What clients are told names no address and no user."""
        if self.trouble is None:
            log.error("the database cannot be used: %s", first_line(error))
        self.trouble = first_line(error)
        return NotStored("the database cannot be reached")


def _outcomes(db: PostgresDatabase, changes: Sequence[Change[Any]]) -> list[Any]:
    """Make changes in the transaction that has begun. Return what each one returned or raised."""
    try:
        outcomes = [change(db) for change in changes]
    except psycopg.OperationalError:
        raise
    except Exception:  # one change is refused: make each one by itself
        db.execute("rollback")
        db.execute("begin")
        outcomes = [attempt(db, change, psycopg.OperationalError) for change in changes]
    db.execute("commit")
    return outcomes
