"""What is written down of a table, and the changes and questions that the server has for the database."""

import sqlite3
from collections.abc import Sequence
from typing import Any

import msgspec

from ludoteca.core.errors import StaleMatch
from ludoteca.core.record import Entry
from ludoteca.server.refusals import SeatReserved, SeatTaken

DAY = 24 * 3600 * 1000  # milliseconds
NEVER_BEGUN_KEPT = DAY
UNFINISHED_KEPT = 30 * DAY

_entry = msgspec.json.Decoder(Entry)


class SeatRow(msgspec.Struct):
    seat: int
    bot: str | None = None
    reserved: str | None = None  # the guest that it is kept for
    guest: str | None = None  # the guest who holds it
    name: str = ""
    seal_bytes: bytes | None = None

    @property
    def taken(self) -> bool:
        return self.bot is not None or self.guest is not None


class TableRow(msgspec.Struct):
    id: str
    game: str
    rules: int
    options: dict[str, Any]
    seed: bytes
    created: int
    seats: list[SeatRow]
    begun: int | None = None
    ended: bool = False
    rematch: str | None = None


def add_table(db: sqlite3.Connection, row: TableRow) -> None:
    options = msgspec.json.encode(row.options).decode()
    db.execute(
        "insert into tables (id, game, rules, options, seed, created, touched) values (?, ?, ?, ?, ?, ?, ?)",
        (row.id, row.game, row.rules, options, row.seed, row.created, row.created),
    )
    db.executemany(
        "insert into seats (table_id, seat, bot, reserved, guest, name, bytes) values (?, ?, ?, ?, ?, ?, ?)",
        [(row.id, seat.seat, seat.bot, seat.reserved, seat.guest, seat.name, seat.seal_bytes) for seat in row.seats],
    )


def take_seat(db: sqlite3.Connection, table: str, seat: int, guest: str, name: str, given: bytes, now: int) -> None:
    changed = db.execute(
        "update seats set guest = ?, name = ?, bytes = ? where table_id = ? and seat = ?"
        " and bot is null and guest is null and (reserved is null or reserved = ?)",
        (guest, name, given, table, seat, guest),
    )
    if changed.rowcount != 1:
        held = db.execute(
            "select 1 from seats where table_id = ? and seat = ? and bot is null and guest is null", (table, seat)
        ).fetchone()
        raise SeatReserved(seat) if held else SeatTaken(seat)
    db.execute("update tables set touched = ? where id = ?", (now, table))


def begin(db: sqlite3.Connection, table: str, entries: Sequence[Entry], now: int) -> None:
    changed = db.execute("update tables set begun = ?, touched = ? where id = ? and begun is null", (now, now, table))
    if changed.rowcount != 1:
        raise StaleMatch(0, len(entries_after(db, table, 0)))
    _add_entries(db, table, 0, entries)


def append(db: sqlite3.Connection, table: str, after: int, entries: Sequence[Entry], ended: bool, now: int) -> None:
    """All of the entries, or StaleMatch if somebody wrote the first number before."""
    _add_entries(db, table, after, entries)
    db.execute("update tables set touched = ?, ended = ? where id = ?", (now, ended, table))


def _add_entries(db: sqlite3.Connection, table: str, after: int, entries: Sequence[Entry]) -> None:
    rows = [(table, n, msgspec.json.encode(entry).decode()) for n, entry in enumerate(entries, start=after + 1)]
    try:
        db.executemany("insert into entries (table_id, number, entry) values (?, ?, ?)", rows)
    except sqlite3.IntegrityError:
        raise StaleMatch(after, last_number(db, table)) from None


def last_number(db: sqlite3.Connection, table: str) -> int:
    return int(db.execute("select max(number) from entries where table_id = ?", (table,)).fetchone()[0] or 0)


def entries_after(db: sqlite3.Connection, table: str, after: int) -> list[Entry]:
    rows = db.execute("select entry from entries where table_id = ? and number > ? order by number", (table, after))
    return [_entry.decode(text) for (text,) in rows]


def find_table(db: sqlite3.Connection, table: str) -> tuple[TableRow, list[Entry]] | None:
    """The table and its log as they are at one moment."""
    db.execute("begin")
    try:
        row = db.execute(
            "select game, rules, options, seed, created, begun, ended, rematch from tables where id = ?", (table,)
        ).fetchone()
        if row is None:
            return None
        game, rules, options, seed, created, begun, ended, rematch = row
        seats = db.execute(
            "select seat, bot, reserved, guest, name, bytes from seats where table_id = ? order by seat", (table,)
        )
        held = [SeatRow(*values) for values in seats]
        agreed = msgspec.json.decode(options, type=dict[str, Any])
        found = TableRow(table, game, rules, agreed, seed, created, held, begun, bool(ended), rematch)
        return found, entries_after(db, table, 0)
    finally:
        db.execute("commit")


def running(db: sqlite3.Connection) -> list[str]:
    """The tables whose match has begun, or could have, and is not over; those that were busy last come first."""
    return [id_ for (id_,) in db.execute("select id from tables where ended = 0 order by touched desc")]


def agree_rematch(db: sqlite3.Connection, table: str, new: TableRow) -> str:
    """The table of the rematch: the new one, unless somebody was faster."""
    if db.execute("update tables set rematch = ? where id = ? and rematch is null", (new.id, table)).rowcount:
        add_table(db, new)
        return new.id
    return str(db.execute("select rematch from tables where id = ?", (table,)).fetchone()[0])


def expire(db: sqlite3.Connection, now: int) -> list[str]:
    """Removes abandoned tables, and says which. What was finished is kept."""
    old = db.execute(
        "select id from tables where ended = 0 and ((begun is null and touched < ?) or touched < ?)",
        (now - NEVER_BEGUN_KEPT, now - UNFINISHED_KEPT),
    ).fetchall()
    for statement in (
        "delete from entries where table_id = ?",
        "delete from seats where table_id = ?",
        "delete from tables where id = ?",
    ):
        db.executemany(statement, old)
    return [id_ for (id_,) in old]
