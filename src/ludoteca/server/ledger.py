"""What is written down of a table, and the changes and questions that the server has for the database."""

import sqlite3
from collections.abc import Sequence
from typing import Any

import msgspec

from ludoteca.core.errors import StaleMatch
from ludoteca.core.record import Entry, Result
from ludoteca.server.clock import ClockWanted
from ludoteca.server.refusals import Begun, NotYourSeat, Removed, SeatReserved, SeatTaken, TableClosed, UnknownSeat

DAY = 24 * 3600 * 1000  # milliseconds
NEVER_BEGUN_KEPT = DAY
UNFINISHED_KEPT = 30 * DAY

_entry = msgspec.json.Decoder(Entry)
_guests = msgspec.json.Decoder(tuple[str, ...])


class SeatRow(msgspec.Struct):
    seat: int
    bot: str | None = None
    reserved: str | None = None  # the guest that it is kept for
    guest: str | None = None  # the guest who holds it
    name: str = ""
    seal_bytes: bytes | None = None  # of a person: shown when all seats are taken
    commit: str | None = None  # what the person committed to before, core.chance.seat_commitment

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
    creator: str | None = None
    open: bool = False
    clock: ClockWanted | None = None
    delay: int = 0  # seconds
    chat: bool = True
    commits_first: bool = True  # whether the seats committed themselves before they showed bytes; not in old matches
    admitted: tuple[str, ...] | None = None  # who may sit down once the table is closed to newcomers

    @property
    def is_full(self) -> bool:
        return all(seat.taken for seat in self.seats)

    def seat(self, number: int) -> SeatRow:
        """Return the seat with this number; raise UnknownSeat if there is none."""
        if not 1 <= number <= len(self.seats):
            raise UnknownSeat(number, len(self.seats))
        return self.seats[number - 1]

    def held_by(self, guest: str | None) -> list[int]:
        """Return the seats of a guest."""
        return [seat.seat for seat in self.seats if guest is not None and seat.guest == guest]

    def is_newcomer(self, guest: str | None) -> bool:
        """Return whether the table is closed to a guest."""
        return self.admitted is not None and guest not in self.admitted

    def check_held(self, guest: str | None, number: int) -> None:
        """Raise NotYourSeat unless the guest holds this seat."""
        if guest is None or self.seat(number).guest != guest:
            raise NotYourSeat(number)

    def is_private(self, held: Sequence[int]) -> bool:
        """Return whether every seat is a bot's or one of these: nobody else is concerned."""
        return bool(held) and all(seat.bot is not None or seat.seat in held for seat in self.seats)


class SaidRow(msgspec.Struct, frozen=True):
    at: int
    seat: int
    name: str
    phrase: str | None
    text: str | None
    number: int = 0


class Standing(msgspec.Struct, frozen=True):
    """How a match stands after an append, for lists that must not replay it."""

    on_move: tuple[int, ...]
    known: int  # how many entries everybody may know of
    result: Result | None


def add_table(db: sqlite3.Connection, row: TableRow) -> None:
    options, clock = msgspec.json.encode(row.options).decode(), None
    if row.clock is not None:
        clock = msgspec.json.encode(row.clock).decode()
    db.execute(
        "insert into tables (id, game, rules, options, seed, created, touched, changed, creator, open, clock, delay,"
        " chat, commits_first) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (row.id, row.game, row.rules, options, row.seed, row.created, row.created, row.created, row.creator, row.open,
         clock, row.delay, row.chat, row.commits_first),
    )  # fmt: skip
    db.executemany(
        "insert into seats (table_id, seat, bot, reserved, guest, name, bytes, committed)"
        " values (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (row.id, seat.seat, seat.bot, seat.reserved, seat.guest, seat.name, seat.seal_bytes, seat.commit)
            for seat in row.seats
        ],
    )


def take_seat(db: sqlite3.Connection, table: str, row: SeatRow, now: int) -> None:
    """Give a free seat to a guest, as the row has it."""
    seat, guest = row.seat, row.guest
    if db.execute("select 1 from removed where table_id = ? and guest = ?", (table, guest)).fetchone():
        raise Removed(table)
    admitted = db.execute("select admitted from tables where id = ?", (table,)).fetchone()[0]
    if admitted is not None and guest not in _guests.decode(admitted):
        raise TableClosed(table)
    changed = db.execute(
        "update seats set guest = ?, name = ?, bytes = ?, committed = ? where table_id = ? and seat = ?"
        " and bot is null and guest is null and (reserved is null or reserved = ?)",
        (guest, row.name, row.seal_bytes, row.commit, table, seat, guest),
    )
    if changed.rowcount != 1:
        raise SeatReserved(seat) if _is_free(db, table, seat) else SeatTaken(seat)
    _touch(db, table, now)


def reveal(db: sqlite3.Connection, table: str, seat: int, given: bytes, now: int) -> None:
    _check_waiting(db, table)
    db.execute("update seats set bytes = ? where table_id = ? and seat = ?", (given, table, seat))
    _touch(db, table, now)


def seat_bot(db: sqlite3.Connection, table: str, row: SeatRow, now: int) -> None:
    _check_waiting(db, table)
    changed = db.execute(
        "update seats set bot = ?, name = ?, bytes = ?, reserved = null where table_id = ? and seat = ?"
        " and bot is null and guest is null",
        (row.bot, row.name, row.seal_bytes, table, row.seat),
    )
    if changed.rowcount != 1:
        raise SeatTaken(row.seat)
    _touch(db, table, now)


def free_seat(db: sqlite3.Connection, table: str, seat: int, removed: str | None, now: int) -> None:
    """Whoever is removed cannot take a seat there again."""
    _check_waiting(db, table)
    db.execute(
        "update seats set bot = null, guest = null, reserved = null, name = '', bytes = null, committed = null"
        " where table_id = ? and seat = ?",
        (table, seat),
    )
    if removed is not None:
        db.execute("insert or ignore into removed (table_id, guest) values (?, ?)", (table, removed))
    _touch(db, table, now)


def admit(db: sqlite3.Connection, table: str, admitted: Sequence[str] | None, now: int) -> None:
    """Let these guests sit down and no others, or with None anybody."""
    _check_waiting(db, table)
    guests = None if admitted is None else msgspec.json.encode(admitted).decode()
    db.execute("update tables set admitted = ? where id = ?", (guests, table))
    _touch(db, table, now)


def _is_free(db: sqlite3.Connection, table: str, seat: int) -> bool:
    free = "select 1 from seats where table_id = ? and seat = ? and bot is null and guest is null"
    return db.execute(free, (table, seat)).fetchone() is not None


def _check_waiting(db: sqlite3.Connection, table: str) -> None:
    if db.execute("select begun from tables where id = ?", (table,)).fetchone()[0] is not None:
        raise Begun(table)


def _touch(db: sqlite3.Connection, table: str, now: int) -> None:
    db.execute("update tables set touched = ?, changed = ? where id = ?", (now, now, table))


def begin(
    db: sqlite3.Connection,
    table: str,
    entries: Sequence[Entry],
    standing: Standing,
    now: int,
    seats: Sequence[SeatRow] = (),
) -> None:
    """Begin the match with the bytes that these seats have shown; raise StaleMatch if they are no longer the same."""
    changed = db.execute(
        "update tables set begun = ? where id = ? and begun is null and not exists"
        " (select 1 from seats where table_id = tables.id and bot is null and guest is null)",
        (now, table),
    )
    if changed.rowcount != 1:
        raise StaleMatch(0, len(entries_after(db, table, 0)))
    for seat in seats:
        same = db.execute(
            "update seats set bytes = ? where table_id = ? and seat = ? and guest is ? and committed is ?",
            (seat.seal_bytes, table, seat.seat, seat.guest, seat.commit),
        )
        if same.rowcount != 1:
            raise StaleMatch(0, 0)
    append(db, table, 0, entries, standing, now)


def append(
    db: sqlite3.Connection, table: str, after: int, entries: Sequence[Entry], standing: Standing, now: int
) -> None:
    """All of the entries, or StaleMatch if somebody wrote the first number before."""
    rows = [(table, n, msgspec.json.encode(entry).decode()) for n, entry in enumerate(entries, start=after + 1)]
    try:
        db.executemany("insert into entries (table_id, number, entry) values (?, ?, ?)", rows)
    except sqlite3.IntegrityError:
        raise StaleMatch(after, last_number(db, table)) from None
    on_move = msgspec.json.encode(standing.on_move).decode()
    result = msgspec.json.encode(standing.result).decode() if standing.result else None
    db.execute(
        "update tables set touched = ?, ended = ?, on_move = ?, result = ?,"
        " changed = case when known = ? then changed else ? end, known = ? where id = ?",
        (now, result is not None, on_move, result, standing.known, now, standing.known, table),
    )


def last_number(db: sqlite3.Connection, table: str) -> int:
    return int(db.execute("select max(number) from entries where table_id = ?", (table,)).fetchone()[0] or 0)


def entries_after(db: sqlite3.Connection, table: str, after: int) -> list[Entry]:
    rows = db.execute("select entry from entries where table_id = ? and number > ? order by number", (table, after))
    return [_entry.decode(text) for (text,) in rows]


def add_said(db: sqlite3.Connection, table: str, said: SaidRow) -> SaidRow:
    number = int(db.execute("select max(number) from talk where table_id = ?", (table,)).fetchone()[0] or 0) + 1
    db.execute(
        "insert into talk (table_id, number, at, seat, name, phrase, text) values (?, ?, ?, ?, ?, ?, ?)",
        (table, number, said.at, said.seat, said.name, said.phrase, said.text),
    )
    return msgspec.structs.replace(said, number=number)


def last_said(db: sqlite3.Connection, table: str, most: int) -> list[SaidRow]:
    rows = db.execute(
        "select at, seat, name, phrase, text, number from talk where table_id = ? order by number desc limit ?",
        (table, most),
    )
    return [SaidRow(*values) for values in rows][::-1]


def find_table(db: sqlite3.Connection, table: str) -> tuple[TableRow, list[Entry]] | None:
    """The table and its log as they are at one moment."""
    db.execute("begin")
    try:
        row = db.execute(
            "select game, rules, options, seed, created, begun, ended, rematch, creator, open, clock, delay, chat,"
            " commits_first, admitted"
            " from tables where id = ?",
            (table,),
        ).fetchone()
        if row is None:
            return None
        game, rules, options, seed, created, begun, ended, rematch, creator, is_open, clock, delay, chat, *more = row
        first, admitted = more
        seats = db.execute(
            "select seat, bot, reserved, guest, name, bytes, committed from seats where table_id = ? order by seat",
            (table,),
        )
        found = TableRow(
            table, game, rules, msgspec.json.decode(options, type=dict[str, Any]), seed, created,
            [SeatRow(*values) for values in seats], begun, bool(ended), rematch, creator, bool(is_open),
            msgspec.json.decode(clock, type=ClockWanted) if clock else None, delay, bool(chat),
            bool(first), _guests.decode(admitted) if admitted else None,
        )  # fmt: skip
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
    expired = [id_ for (id_,) in old]
    _delete(db, expired)
    return expired


def cancel(db: sqlite3.Connection, table: str) -> None:
    """Removes a table whose match has not begun."""
    begun = db.execute("select begun from tables where id = ?", (table,)).fetchone()
    if begun is not None and begun[0] is not None:
        raise Begun(table)
    db.execute("update tables set rematch = null where rematch = ?", (table,))
    _delete(db, [table])


def _delete(db: sqlite3.Connection, tables: list[str]) -> None:
    for statement in (
        "delete from entries where table_id = ?",
        "delete from seats where table_id = ?",
        "delete from removed where table_id = ?",
        "delete from talk where table_id = ?",
        "delete from tables where id = ?",
    ):
        db.executemany(statement, [(table,) for table in tables])


class TableOfGuest(msgspec.Struct, frozen=True):
    """A line of the list of a guest's tables."""

    id: str
    game: str
    options: dict[str, Any]
    seats: list[SeatRow]
    begun: bool
    ended: bool
    on_move: tuple[int, ...]
    known: int
    changed: int
    result: Result | None
    open: bool
    creator: bool


def tables_of(db: sqlite3.Connection, guest: str, most: int) -> list[TableOfGuest]:
    """Where a guest holds a seat, or where one is kept for them; those that changed last come first."""
    rows = db.execute(
        "select id, game, options, begun is not null, ended, on_move, known, changed, result, open, creator = ?"
        " from tables where id in"
        " (select table_id from seats where guest = ? union select table_id from seats where reserved = ?)"
        " order by changed desc limit ?",
        (guest, guest, guest, most),
    ).fetchall()
    found = []
    for id_, game, options, begun, ended, on_move, known, changed, result, is_open, is_creator in rows:
        seats = db.execute(
            "select seat, bot, reserved, guest, name from seats where table_id = ? order by seat", (id_,)
        )
        held = [SeatRow(*values) for values in seats]
        on_the_move = msgspec.json.decode(on_move, type=tuple[int, ...])
        how = msgspec.json.decode(result, type=Result) if result else None
        agreed = msgspec.json.decode(options, type=dict[str, Any])
        found.append(
            TableOfGuest(
                id_,
                game,
                agreed,
                held,
                bool(begun),
                bool(ended),
                on_the_move,
                known,
                changed,
                how,
                bool(is_open),
                bool(is_creator),
            )
        )
    return found


def note_uptime(db: sqlite3.Connection, since: int, until: int) -> None:
    """Note that the server that started then is still running."""
    db.execute(
        "insert into service (since, until) values (?, ?) on conflict (since) do update set until = excluded.until",
        (since, until),
    )


def uptime(db: sqlite3.Connection) -> list[tuple[int, int]]:
    """Return when servers were running. Forget what is older than any running match."""
    db.execute(
        "delete from service where until < (select coalesce(min(begun), 9e18) from tables where ended = 0)"
        " and since < (select max(since) from service)"
    )
    return db.execute("select since, until from service order by since").fetchall()


def revoke(db: sqlite3.Connection, guest: str, before: int) -> None:
    """Make the cookies of a guest that were signed before a moment worthless."""
    db.execute(
        "insert into revoked (guest, before) values (?, ?) on conflict (guest) do update set before = excluded.before",
        (guest, before),
    )


def revoked(db: sqlite3.Connection) -> dict[str, int]:
    return {guest: int(before) for guest, before in db.execute("select guest, before from revoked")}
