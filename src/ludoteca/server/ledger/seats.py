"""Seats before the match: people sit down, show their bytes, get up; bots are seated."""

from collections.abc import Sequence

import msgspec

from ludoteca.server.database.contract import Database
from ludoteca.server.ledger.touching import touch_waiting
from ludoteca.server.refusals import AlreadyBegun, Removed, SeatReserved, SeatTaken, TableClosed
from ludoteca.server.rows import SeatRow

_guests = msgspec.json.Decoder(tuple[str, ...])
FREE = "bot is null and guest is null"


def take_seat(db: Database, table: str, row: SeatRow, now: int) -> None:
    """Give a free seat to a guest, as the row has it."""
    seat, guest = row.seat, row.guest
    try:
        touch_waiting(db, table, now)
    except AlreadyBegun:
        raise SeatTaken(seat) from None
    if db.execute("select 1 from removed where table_id = ? and guest = ?", (table, guest)).fetchone():
        raise Removed(table)
    admitted = db.execute("select admitted from tables where id = ?", (table,)).fetchone()[0]
    if admitted is not None and guest not in _guests.decode(admitted):
        raise TableClosed(table)
    changed = db.execute(
        "update seats set guest = ?, name = ?, bytes = ?, committed = ?"
        f" where table_id = ? and seat = ? and {FREE} and (reserved is null or reserved = ?)",
        (guest, row.name, row.seal_bytes, row.commit, table, seat, guest),
    )
    if changed.rowcount != 1:
        raise SeatReserved(seat) if _is_free(db, table, seat) else SeatTaken(seat)


def reveal(db: Database, table: str, seat: int, given: bytes, now: int) -> None:
    """Store the bytes that a seat has shown."""
    touch_waiting(db, table, now)
    db.execute("update seats set bytes = ? where table_id = ? and seat = ?", (given, table, seat))


def seat_bot(db: Database, table: str, row: SeatRow, now: int) -> None:
    """Give a free seat to a bot, as the row has it."""
    touch_waiting(db, table, now)
    changed = db.execute(
        f"update seats set bot = ?, name = ?, bytes = ?, reserved = null where table_id = ? and seat = ? and {FREE}",
        (row.bot, row.name, row.seal_bytes, table, row.seat),
    )
    if changed.rowcount != 1:
        raise SeatTaken(row.seat)


def free_seat(db: Database, table: str, seat: int, removed: str | None, now: int) -> None:
    """Free a seat. A guest who is removed cannot take a seat there again."""
    touch_waiting(db, table, now)
    db.execute(
        "update seats set bot = null, guest = null, reserved = null, name = '', bytes = null, committed = null"
        " where table_id = ? and seat = ?",
        (table, seat),
    )
    if removed is not None:
        db.execute(
            "insert into removed (table_id, guest) values (?, ?) on conflict (table_id, guest) do nothing",
            (table, removed),
        )


def admit(db: Database, table: str, admitted: Sequence[str] | None, now: int) -> None:
    """Let these guests sit down and no others, or with None anybody."""
    touch_waiting(db, table, now)
    guests = None if admitted is None else msgspec.json.encode(admitted).decode()
    db.execute("update tables set admitted = ? where id = ?", (guests, table))


def people(db: Database, table: str) -> list[tuple[int, str | None, str | None, bytes | None]]:
    """Return the seats of people: number, guest, commitment and the bytes that were shown."""
    rows = db.execute(
        "select seat, guest, committed, bytes from seats where table_id = ? and bot is null order by seat", (table,)
    )
    return [(seat, guest, commit, given) for seat, guest, commit, given in rows]


def has_free_seat(db: Database, table: str) -> bool:
    return db.execute(f"select 1 from seats where table_id = ? and {FREE}", (table,)).fetchone() is not None


def _is_free(db: Database, table: str, seat: int) -> bool:
    free = f"select 1 from seats where table_id = ? and seat = ? and {FREE}"
    return db.execute(free, (table, seat)).fetchone() is not None
