"""The contract of a storage, which SQLite and PostgreSQL keep.

A change or a question is a function of a `Database`. Its SQL is what both databases understand, with `?` for a value.
Booleans are stored as 0 and 1, times as milliseconds since 1970.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
Change = Callable[["Database"], T]


class Rows(Protocol):
    """What a statement found or changed."""

    @property
    def rowcount(self) -> int: ...

    @property
    def description(self) -> Any: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def fetchmany(self, size: int) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Database(Protocol):
    """An open connection."""

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Rows: ...

    def executemany(self, statement: str, rows: Sequence[Sequence[Any]], /) -> Rows: ...

    def snapshot(self) -> AbstractContextManager[None]:
        """Questions inside see the database as it was at one moment."""

    def transaction(self) -> AbstractContextManager[None]:
        """Changes inside are stored all together or not at all."""

    def schema_version(self) -> int: ...

    def set_schema_version(self, version: int) -> None: ...

    def lock_schema(self) -> None:
        """Inside a transaction: wait until no other process changes the schema."""

    def translated(self, statement: str) -> str:
        """Return a statement of the schema with the types of this database."""


class Storage(Protocol):
    """Makes the changes to one table in their order. Each one is stored as a whole, or undone."""

    trouble: str | None  # why nothing can be stored now

    def first_read(self, question: Change[T]) -> T:
        """Answer a question before anybody is served. Such a question may also tidy up."""

    async def write(self, change: Change[T], about: str = "") -> T:
        """Make a change, and return its answer when it is on the disk. If it raises an error, only it is undone.

        If another change of the same commit is refused, a change is made a second time: so it must read and change
        nothing but the database. `about` is the table that it changes. Raise NotStored if nothing can be stored now.
        """

    async def read(self, question: Change[T]) -> T:
        """Answer a question. Raise NotStored if the database is not there."""

    def secret(self, name: str, size: int) -> bytes:
        """Return the secret key of this name, drawn when there is none. All servers on the same data share it."""

    def close(self) -> None:
        """Write what is pending, then close."""


class DatabaseTrouble(Exception):
    """The database cannot be used. The text is one sentence for the person who starts the server."""
