"""Opens the storage that an address names: a folder for SQLite, or `postgresql://...`."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from ludoteca.server.database import sqlite
from ludoteca.server.database.contract import DatabaseTrouble, Storage
from ludoteca.server.database.sqlite import SqliteStorage

if TYPE_CHECKING:
    from ludoteca.server.database.postgres import PostgresDatabase, PostgresStorage

VARIABLE = "LUDOTECA_DATABASE"
POSTGRES = ("postgresql://", "postgres://")
MISSING = "PostgreSQL needs one more package: pip install 'ludoteca[postgres]'"


def open_storage(address: str) -> Storage:
    """Open a storage; raise DatabaseTrouble, with the address in it, if it cannot be used."""
    try:
        if is_postgres(address):
            return _postgres(address)
        return SqliteStorage(folder_of(address))
    except (DatabaseTrouble, OSError, ValueError, sqlite3.Error) as error:
        raise DatabaseTrouble(f"{named(address)} cannot be used: {error}") from None


def is_postgres(address: str) -> bool:
    return address.startswith(POSTGRES)


def folder_of(address: str) -> Path:
    """Return the folder that an address names; raise DatabaseTrouble for a database that we do not know."""
    if "://" in address:
        raise DatabaseTrouble("a database is a folder, or postgresql://USER@HOST/NAME")
    return Path(address)


def named(address: str) -> str:
    """Return what people call the storage at an address, without a password."""
    if "://" not in address:
        return f"the data folder {address}"
    scheme, _, rest = address.partition("://")
    return f"the database {scheme}://{rest.rpartition('@')[2].partition('?')[0]}"


def from_environment() -> str | None:
    return os.environ.get(VARIABLE) or None


def _postgres(address: str) -> "PostgresStorage":
    try:
        from ludoteca.server.database.postgres import PostgresStorage
    except ImportError:
        raise DatabaseTrouble(MISSING) from None
    return PostgresStorage(address)


def postgres_database(address: str) -> "PostgresDatabase":
    """Open a connection to PostgreSQL, with its schema brought up to date."""
    try:
        from ludoteca.server.database import postgres
    except ImportError:
        raise DatabaseTrouble(f"{named(address)} cannot be used: {MISSING}") from None
    try:
        return postgres.opened(address)
    except DatabaseTrouble as error:
        raise DatabaseTrouble(f"{named(address)} cannot be used: {error}") from None


def check_file(file: Path) -> None:
    """Raise DatabaseTrouble unless this file is a database of ours that we can read."""
    if not file.is_file():
        raise DatabaseTrouble(f"there is no file {file}")
    try:
        with closing(sqlite.connected(file, read_only=True)) as db:
            db.execute("select 1 from tables limit 1").fetchone()
    except sqlite3.Error as error:
        raise DatabaseTrouble(f"{file} is not a backup of Ludoteca: {error}") from None
