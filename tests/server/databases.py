"""Connections of a test's own to the storage at an address."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from ludoteca.server.database import postgres, sqlite
from ludoteca.server.database.contract import Database

T = TypeVar("T")


def opened(address: str) -> sqlite.SqliteDatabase | postgres.PostgresDatabase:
    if address.startswith("postgresql:"):
        return postgres.connected(address)
    return sqlite.connected(Path(address) / sqlite.FILE)


def asked(address: str, question: Callable[[Database], T]) -> T:
    with closing(opened(address)) as db:
        return question(db)
