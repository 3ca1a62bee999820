"""The log of a match. The pair (table, number) is unique: the first to write a number has moved."""

from collections.abc import Sequence
from typing import Any

import msgspec

from ludoteca.core.errors import StaleMatch
from ludoteca.core.record import Entry
from ludoteca.server.database.contract import Database
from ludoteca.server.ledger.seats import has_free_seat, people
from ludoteca.server.refusals import LeaseLost, UnknownTable
from ludoteca.server.rows import SeatRow, Standing

_entry = msgspec.json.Decoder(Entry)
MOST_ROWS = 1000  # in one statement


def begin(
    db: Database,
    table: str,
    entries: Sequence[Entry],
    standing: Standing,
    now: int,
    seats: Sequence[SeatRow] = (),
    node: str | None = None,
    after: int = 0,
) -> None:
    """Begin the match with the bytes that these seats have shown; raise StaleMatch if the seats have changed.

    `after` is the number of entries that were given when the table was made. From then on this node minds the match.
    """
    changed = db.execute(
        "update tables set begun = ?, node = ?, network = null where id = ? and begun is null", (now, node, table)
    )
    if changed.rowcount != 1 or has_free_seat(db, table):
        raise StaleMatch(0, last_number(db, table))
    if seats and people(db, table) != [(seat.seat, seat.guest, seat.commit, seat.seal_bytes) for seat in seats]:
        raise StaleMatch(0, 0)
    append(db, table, after, entries, standing, now)


def append(
    db: Database,
    table: str,
    after: int,
    entries: Sequence[Entry],
    standing: Standing,
    now: int,
    node: str | None = None,
) -> None:
    """Store all of the entries; raise StaleMatch if somebody wrote the first number before.

    With `node`, raise LeaseLost unless that node minds the table.
    """
    add_entries(db, table, after, entries)
    # An index has the tables that are not over: a statement that names `ended` writes that index anew for every move.
    over, result = ("", ()) if standing.result is None else (" ended = 1, result = ?,", (_text(standing.result),))
    minded, fence = ("", ()) if node is None else (" and node = ?", (node,))
    changed = db.execute(
        f"update tables set{over} touched = ?, on_move = ?, version = version + 1,"
        " asked = case when ? = 1 then asked else null end,"
        f" changed = case when known = ? then changed else ? end, known = ? where id = ?{minded}",
        (*result, now, _text(standing.on_move), int(standing.keeps_question), standing.known, now, standing.known,
         table, *fence),
    )  # fmt: skip
    if changed.rowcount != 1:  # another node minds the table, or its only player has deleted it
        raise UnknownTable(table) if node is None else LeaseLost(table)


def add_entries(db: Database, table: str, after: int, entries: Sequence[Entry]) -> None:
    """Store all of the entries; raise StaleMatch if somebody wrote the first number before."""
    rows = [(table, n, _text(entry)) for n, entry in enumerate(entries, start=after + 1)]
    stored = 0
    for start in range(0, len(rows), MOST_ROWS):
        part = rows[start : start + MOST_ROWS]
        places = ", ".join(["(?, ?, ?)"] * len(part))
        statement = f"insert into entries (table_id, number, entry) values {places} on conflict do nothing"
        stored += db.execute(statement, [value for row in part for value in row]).rowcount
    if stored != len(rows):
        raise StaleMatch(after, last_number(db, table))


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def last_number(db: Database, table: str) -> int:
    return int(db.execute("select max(number) from entries where table_id = ?", (table,)).fetchone()[0] or 0)


def entries_after(db: Database, table: str, after: int) -> list[Entry]:
    """Return the entries that follow the one with this number."""
    rows = db.execute("select entry from entries where table_id = ? and number > ? order by number", (table, after))
    return [_entry.decode(text) for (text,) in rows]
