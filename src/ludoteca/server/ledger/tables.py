"""Tables: made, found, listed, removed."""

from collections.abc import Sequence
from typing import Any

import msgspec

from ludoteca.core.record import Entry, Given, Record, Result
from ludoteca.server.clock import ClockWanted
from ludoteca.server.database.contract import Database
from ludoteca.server.ledger.log import add_entries, append, entries_after
from ludoteca.server.ledger.talk import said_after
from ludoteca.server.ledger.touching import exists
from ludoteca.server.refusals import AlreadyBegun, MatchKept
from ludoteca.server.rows import Question, SaidRow, SeatRow, Standing, TableOfGuest, TableRow

DAY = 24 * 3600 * 1000  # milliseconds
NEVER_BEGUN_KEPT = DAY
UNFINISHED_KEPT = 30 * DAY
UPLOADED_KEPT = 30 * DAY

_guests = msgspec.json.Decoder(tuple[str, ...])
_question = msgspec.json.Decoder(Question)
_options = msgspec.json.Decoder(dict[str, Any])
_clock = msgspec.json.Decoder(ClockWanted)
_record = msgspec.json.Decoder(Record)
_given = msgspec.json.Decoder(Given)
_result = msgspec.json.Decoder(Result)
_seats = msgspec.json.Decoder(tuple[int, ...])


def add_table(db: Database, row: TableRow, given: Sequence[Entry] = ()) -> None:
    """Add a table, and to its log the entries of the position that its match begins from."""
    start, uploaded = (None if one is None else msgspec.json.encode(one).decode() for one in (row.given, row.uploaded))
    clock = None if row.clock is None else msgspec.json.encode(row.clock).decode()
    db.execute(
        "insert into tables (id, game, rules, options, seed, created, touched, changed, creator, open, clock, delay,"
        " chat, commits_first, network, given, uploaded) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (row.id, row.game, row.rules, msgspec.json.encode(row.options).decode(), row.seed, row.created, row.created,
         row.created, row.creator, int(row.open), clock, row.delay, int(row.chat), int(row.commits_first),
         row.network, start, uploaded),
    )  # fmt: skip
    db.executemany(
        "insert into seats (table_id, seat, bot, reserved, guest, name, bytes, committed)"
        " values (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (row.id, seat.seat, seat.bot, seat.reserved, seat.guest, seat.name, seat.seal_bytes, seat.commit)
            for seat in row.seats
        ],
    )
    add_entries(db, row.id, 0, given)


def add_uploaded(db: Database, row: TableRow, log: Sequence[Entry], standing: Standing) -> None:
    """Add a table with a finished match that was played elsewhere."""
    add_table(db, row)
    db.execute("update tables set begun = ? where id = ?", (row.created, row.id))
    append(db, row.id, 0, log, standing, row.created)


def find_table(db: Database, table: str) -> tuple[TableRow, list[Entry]] | None:
    """Return the table and its log as they are at one moment; None if there is no such table."""
    with db.snapshot():
        row = find_row(db, table)
        return None if row is None else (row, entries_after(db, table, 0))


def find_row(db: Database, table: str) -> TableRow | None:
    """Return the table without its log."""
    row = db.execute(
        "select game, rules, options, seed, created, begun, ended, rematch, creator, open, clock, delay, chat,"
        " commits_first, admitted, version, node, asked, network, given, uploaded from tables where id = ?",
        (table,),
    ).fetchone()
    if row is None:
        return None
    game, rules, options, seed, created, begun, ended, rematch, creator, is_open, clock, delay, chat, *more = row
    first, admitted, version, node, asked, network, given, uploaded = more
    seats = db.execute(
        "select seat, bot, reserved, guest, name, bytes, committed from seats where table_id = ? order by seat",
        (table,),
    )
    return TableRow(
        table, game, rules, _options.decode(options), seed, created, [SeatRow(*values) for values in seats], begun,
        bool(ended), rematch, creator, bool(is_open), _clock.decode(clock) if clock else None, delay, bool(chat),
        bool(first), _guests.decode(admitted) if admitted else None, version, node,
        _question.decode(asked) if asked else None, network, _given.decode(given) if given else None,
        _record.decode(uploaded) if uploaded else None,
    )  # fmt: skip


def find_changes(db: Database, table: str, after: int, said: int) -> tuple[TableRow, list[Entry], list[SaidRow]] | None:
    """Return the table, the entries after a number and what was said after a number, as they are at one moment."""
    with db.snapshot():
        row = find_row(db, table)
        return None if row is None else (row, entries_after(db, table, after), said_after(db, table, said))


def version(db: Database, table: str) -> int:
    """Return how many changes there were to a table; 0 if it is not there."""
    found = db.execute("select version from tables where id = ?", (table,)).fetchone()
    return found[0] if found else 0


def set_question(db: Database, table: str, question: Question | None) -> None:
    """Store the takeback that somebody asks for, or that nobody does."""
    text = None if question is None else msgspec.json.encode(question).decode()
    db.execute("update tables set asked = ?, version = version + 1 where id = ?", (text, table))


def unfinished(db: Database) -> list[str]:
    """Return the tables whose match is not over, begun or not; those that were busy last come first."""
    return [id_ for (id_,) in db.execute("select id from tables where ended = 0 order by touched desc")]


def agree_rematch(db: Database, table: str, new: TableRow) -> str:
    """Return the table of the rematch: the new one, unless somebody was faster."""
    agreed = "update tables set rematch = ?, version = version + 1 where id = ? and rematch is null"
    if db.execute(agreed, (new.id, table)).rowcount:
        add_table(db, new)
        return new.id
    return str(db.execute("select rematch from tables where id = ?", (table,)).fetchone()[0])


def expire(db: Database, now: int) -> list[str]:
    """Remove abandoned tables and old uploads, and return their ids. What was finished here is kept."""
    old = db.execute(
        "select id from tables where (ended = 0 and ((begun is null and touched < ?) or touched < ?))"
        " or (uploaded is not null and touched < ?)",
        (now - NEVER_BEGUN_KEPT, now - UNFINISHED_KEPT, now - UPLOADED_KEPT),
    ).fetchall()
    expired = [id_ for (id_,) in old]
    _delete(db, expired)
    return expired


def cancel(db: Database, table: str) -> None:
    """Remove a table whose match has not begun."""
    if not db.execute("delete from tables where id = ? and begun is null", (table,)).rowcount and exists(db, table):
        raise AlreadyBegun(table)
    db.execute("update tables set rematch = null, version = version + 1 where rematch = ?", (table,))
    _delete(db, [table])


def delete(db: Database, table: str) -> None:
    """Remove a table whose match is not over, begun or not."""
    if not db.execute("delete from tables where id = ? and ended = 0", (table,)).rowcount and exists(db, table):
        raise MatchKept(table)
    db.execute("update tables set rematch = null, version = version + 1 where rematch = ?", (table,))
    _delete(db, [table])


def _delete(db: Database, tables: list[str]) -> None:
    for statement in (
        "delete from entries where table_id = ?",
        "delete from seats where table_id = ?",
        "delete from removed where table_id = ?",
        "delete from talk where table_id = ?",
        "delete from reviews where table_id = ?",
        "delete from tables where id = ?",
    ):
        db.executemany(statement, [(table,) for table in tables])


def tables_of(db: Database, guest: str, most: int) -> list[TableOfGuest]:
    """Return the tables where a guest holds a seat, or where one is kept for them; the last changed come first."""
    rows = db.execute(
        "select id, game, options, begun is not null, ended, on_move, known, changed, result, open, creator = ?"
        " from tables where id in"
        " (select table_id from seats where guest = ? union select table_id from seats where reserved = ?)"
        " order by changed desc limit ?",
        (guest, guest, guest, most),
    ).fetchall()
    return [_table_of_guest(db, row) for row in rows]


def _table_of_guest(db: Database, row: Any) -> TableOfGuest:
    id_, game, options, begun, ended, on_move, known, changed, result, is_open, is_creator = row
    seats = db.execute("select seat, bot, reserved, guest, name from seats where table_id = ? order by seat", (id_,))
    return TableOfGuest(
        id_, game, _options.decode(options), [SeatRow(*values) for values in seats], bool(begun), bool(ended),
        _seats.decode(on_move), known, changed, _result.decode(result) if result else None, bool(is_open),
        bool(is_creator),
    )  # fmt: skip
