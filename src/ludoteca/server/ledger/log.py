"""The log of a match. The pair (table, number) is unique: whoever writes a number first has moved."""

from collections.abc import Sequence

import msgspec

from ludoteca.core.errors import StaleMatch
from ludoteca.core.record import Entry
from ludoteca.server.database.contract import Database
from ludoteca.server.ledger.seats import has_free_seat
from ludoteca.server.rows import SeatRow, Standing

_entry = msgspec.json.Decoder(Entry)
MOST_ROWS = 1000  # in one statement


def begin(
    db: Database, table: str, entries: Sequence[Entry], standing: Standing, now: int, seats: Sequence[SeatRow] = ()
) -> None:
    """Begin the match with the bytes that these seats have shown; raise StaleMatch if they are no longer the same."""
    changed = db.execute("update tables set begun = ? where id = ? and begun is null", (now, table))
    if changed.rowcount != 1 or has_free_seat(db, table):
        raise StaleMatch(0, last_number(db, table))
    for seat in seats:
        same = db.execute(
            "update seats set bytes = ? where table_id = ? and seat = ?"
            " and coalesce(guest, '') = ? and coalesce(committed, '') = ?",
            (seat.seal_bytes, table, seat.seat, seat.guest or "", seat.commit or ""),
        )
        if same.rowcount != 1:
            raise StaleMatch(0, 0)
    append(db, table, 0, entries, standing, now)


def append(db: Database, table: str, after: int, entries: Sequence[Entry], standing: Standing, now: int) -> None:
    """Store all of the entries; raise StaleMatch if somebody wrote the first number before."""
    rows = [(table, n, msgspec.json.encode(entry).decode()) for n, entry in enumerate(entries, start=after + 1)]
    stored = 0
    for start in range(0, len(rows), MOST_ROWS):
        part = rows[start : start + MOST_ROWS]
        places = ", ".join(["(?, ?, ?)"] * len(part))
        statement = f"insert into entries (table_id, number, entry) values {places} on conflict do nothing"
        stored += db.execute(statement, [value for row in part for value in row]).rowcount
    if stored != len(rows):
        raise StaleMatch(after, last_number(db, table))
    on_move = msgspec.json.encode(standing.on_move).decode()
    result = msgspec.json.encode(standing.result).decode() if standing.result else None
    db.execute(
        "update tables set touched = ?, ended = ?, on_move = ?, result = ?,"
        " changed = case when known = ? then changed else ? end, known = ? where id = ?",
        (now, int(result is not None), on_move, result, standing.known, now, standing.known, table),
    )


def last_number(db: Database, table: str) -> int:
    return int(db.execute("select max(number) from entries where table_id = ?", (table,)).fetchone()[0] or 0)


def entries_after(db: Database, table: str, after: int) -> list[Entry]:
    """Return the entries that follow the one with this number."""
    rows = db.execute("select entry from entries where table_id = ? and number > ? order by number", (table, after))
    return [_entry.decode(text) for (text,) in rows]
