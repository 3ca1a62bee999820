"""Copies everything from one database to another: to move, to back up, to restore."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from ludoteca.server.database import opening, sqlite
from ludoteca.server.database.checking import Checked, check_records
from ludoteca.server.database.contract import Database, DatabaseTrouble
from ludoteca.server.database.schema import TABLES
from ludoteca.server.keys import KEYS
from ludoteca.server.timing import Time
from ludoteca.server.uptime import NOTED_EVERY

MOVED = "moved"  # the name of a dead node: the first node to start takes over the matches
PAGE = 2000  # rows at a time
ORDER = {
    "tables": ("id",),
    "seats": ("table_id", "seat"),
    "entries": ("table_id", "number"),
    "removed": ("table_id", "guest"),
    "talk": ("table_id", "number"),
    "service": ("since",),
    "revoked": ("guest",),
    "outages": ("since", "until"),
    "puzzles": ("guest", "puzzle"),
}


def move_database(source: str, target: str) -> Checked:
    """Copy everything from one address to another, and check the copy. The source stays as it is."""
    with _opened(source, must_exist=True) as ours, _opened(target) as theirs:
        _check_stopped(ours, source)
        _copy_all(ours, theirs, _keys(ours, source), target)
        return _checked(theirs)


def back_up(source: str, file: Path) -> Checked:
    """Write a copy of everything into one file, while servers may be running, and check the copy."""
    if file.exists():
        raise DatabaseTrouble(f"{file} exists already")
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        with _opened(source, must_exist=True) as ours:
            keys = _keys(ours, source)
            with closing(sqlite.created(draft)) as copy:
                if isinstance(ours, sqlite3.Connection):
                    ours.backup(copy)
                    _store_keys(copy, keys)
                else:
                    _copy_all(ours, copy, keys, str(draft))
                checked = _checked(copy)
                copy.execute("pragma journal_mode = delete")  # one file, and nothing beside it
        os.link(draft, file)  # fails if somebody made the file meanwhile
    finally:
        for left in (draft, *(draft.with_name(draft.name + suffix) for suffix in ("-wal", "-shm", "-journal"))):
            left.unlink(missing_ok=True)
    return checked


def restore(file: Path, target: str) -> Checked:
    """Carry a backup into an empty database, and check it there. The file stays as it is."""
    opening.check_file(file)
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / sqlite.FILE
        shutil.copyfile(file, own)
        with closing(sqlite.created(own)) as ours, _opened(target) as theirs:
            _copy_all(ours, theirs, _stored_keys(ours), target)
            return _checked(theirs)


@contextmanager
def _opened(address: str, must_exist: bool = False) -> Iterator[Database]:
    """Open the database at an address, brought up to date. What goes wrong names the address."""
    try:
        if opening.is_postgres(address):
            with closing(opening.postgres_database(address)) as db:
                yield db
            return
        folder = opening.folder_of(address)
        if must_exist and not (folder / sqlite.FILE).is_file():
            raise DatabaseTrouble(f"there is no {sqlite.FILE} in it")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with closing(sqlite.created(folder / sqlite.FILE)) as file:
            yield file
    except (OSError, sqlite3.Error) as error:
        raise DatabaseTrouble(f"{opening.named(address)} cannot be used: {error}") from None


def _check_stopped(db: Database, address: str) -> None:
    """Raise DatabaseTrouble while a server runs there: it would go on with matches that have moved."""
    until = db.execute("select max(until) from service").fetchone()[0]
    if until is not None and Time().now() - until < 2 * NOTED_EVERY:
        raise DatabaseTrouble(
            f"a server runs on {opening.named(address)}, or did so {2 * NOTED_EVERY // 1000} seconds ago: stop it first"
        )


def _copy_all(source: Database, target: Database, keys: dict[str, bytes], address: str) -> None:
    """Copy the rows of one moment, all or none, into a database that has none."""
    with source.snapshot(), target.transaction():
        if any(target.execute(f"select 1 from {table} limit 1").fetchone() for table in ("tables", "revoked")):
            raise DatabaseTrouble(f"{opening.named(address)} is not empty")
        target.execute("delete from service")
        for table in TABLES:
            _copy(source, target, table)
        target.execute("update tables set node = ? where ended = 0", (MOVED,))
        _store_keys(target, keys)
    if not opening.is_postgres(address) and (folder := Path(address)).is_dir():
        for name, key in keys.items():
            _write_key(folder / name, key)


def _copy(source: Database, target: Database, table: str) -> None:
    order = ", ".join(ORDER[table])
    after, places = "", ", ".join("?" * len(ORDER[table]))
    last: tuple[Any, ...] = ()
    while True:
        found = source.execute(f"select * from {table} {after} order by {order} limit {PAGE}", last)
        columns = [column[0] for column in found.description]
        rows = found.fetchall()
        if not rows:
            return
        values = ", ".join("?" * len(columns))
        target.executemany(f"insert into {table} ({', '.join(columns)}) values ({values})", rows)
        last = tuple(rows[-1][columns.index(name)] for name in ORDER[table])
        after = f"where ({order}) > ({places})"


def _keys(db: Database, address: str) -> dict[str, bytes]:
    """Return the secret keys of a storage: without them cookies and signatures are worth nothing."""
    if opening.is_postgres(address):
        return _stored_keys(db)
    folder = Path(address)
    return {name: (folder / name).read_bytes() for name in KEYS if (folder / name).is_file()}


def _stored_keys(db: Database) -> dict[str, bytes]:
    return {name: bytes(key) for name, key in db.execute("select name, key from keys")}


def _store_keys(db: Database, keys: dict[str, bytes]) -> None:
    db.execute("delete from keys")
    db.executemany("insert into keys (name, key) values (?, ?)", list(keys.items()))


def _write_key(path: Path, key: bytes) -> None:
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(key)


def _checked(db: Database) -> Checked:
    checked = check_records(db)
    if checked.wrong:
        raise DatabaseTrouble("; ".join((checked.sentence(), *checked.wrong[:10])))
    return checked
