"""The database: what is answered is stored, the number of an entry is the lock, old schemas are brought up to date."""

import asyncio
import os
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from kingbrick_board import formation

from ludoteca.core import registry
from ludoteca.core.chance import Seal, bytes_of_seed, seat_commitment
from ludoteca.core.errors import StaleMatch
from ludoteca.core.match import Match
from ludoteca.core.record import Entry, Result, Seat
from ludoteca.server import ledger, schema
from ludoteca.server.guests import BIRDS, KEY_FILE, LONGEST_NAME, Guest, Guests
from ludoteca.server.ledger import DAY, SeatRow, Standing, TableRow
from ludoteca.server.refusals import SeatReserved, SeatTaken
from ludoteca.server.running import new_match
from ludoteca.server.sealing import seal_of
from ludoteca.server.storage import FILE, Storage
from ludoteca.server.uptime import Uptime


def row(id_: str = "aaaaaaaa", created: int = 0) -> TableRow:
    seats = [SeatRow(1, reserved="ada"), SeatRow(2), SeatRow(3, bot="club", name="Club", seal_bytes=b"c" * 16)]
    return TableRow(id_, "pinpoint", 1, {"players": 3}, b"s" * 32, created, seats)


GOES_ON = Standing((1,), 1, None)
IS_OVER = Standing((), 2, Result((2,), (0, 1), "resigned"))


def full_row(id_: str = "aaaaaaaa", created: int = 0) -> TableRow:
    seats = [SeatRow(1, guest="ada", seal_bytes=b"a" * 16), SeatRow(2, bot="club", name="Club", seal_bytes=b"c" * 16)]
    return TableRow(id_, "pinpoint", 1, {"players": 2}, b"s" * 32, created, seats)


def stored(folder: Path, *changes: Callable[[sqlite3.Connection], Any]) -> list[Any]:
    """What each of these answers, all asked at once."""

    async def ask() -> list[Any]:
        storage = Storage(folder)
        try:
            return await asyncio.gather(*map(storage.write, changes), return_exceptions=True)
        finally:
            storage.close()

    return asyncio.run(ask())


def opened(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(folder / FILE, isolation_level=None)


def test_it_is_written_ahead_and_synced(tmp_path: Path) -> None:
    (found,) = stored(tmp_path, lambda db: [db.execute(f"pragma {what}").fetchone()[0] for what in
                                            ("journal_mode", "synchronous")])  # fmt: skip
    assert found == ["wal", 2]


def test_a_table_is_found_as_it_was_made(tmp_path: Path) -> None:
    entries = [Entry(0, "start 1", 0, picks=((1, 3),)), Entry(1, "Re5", 120, 4000, 1)]
    stored(
        tmp_path,
        lambda db: ledger.add_table(db, full_row()),
        lambda db: ledger.begin(db, "aaaaaaaa", entries[:1], GOES_ON, 7),
        lambda db: ledger.append(db, "aaaaaaaa", 1, entries[1:], GOES_ON, 8),
    )
    found = ledger.find_table(opened(tmp_path), "aaaaaaaa")
    assert found is not None
    assert found[0] == msgspec.structs.replace(full_row(), begun=7)
    assert found[1] == entries


def test_a_number_is_written_once(tmp_path: Path) -> None:
    """Of two who write the same number in the same commit one is refused, and all of its entries with it."""
    outcomes = stored(
        tmp_path,
        lambda db: ledger.add_table(db, full_row()),
        lambda db: ledger.begin(db, "aaaaaaaa", [Entry(0, "start 1")], GOES_ON, 0),
        lambda db: ledger.append(db, "aaaaaaaa", 1, [Entry(1, "Re5")], GOES_ON, 1),
        lambda db: ledger.append(db, "aaaaaaaa", 1, [Entry(1, "Rf6"), Entry(0, "more")], GOES_ON, 1),
        lambda db: ledger.append(db, "aaaaaaaa", 2, [Entry(1, "Yf6")], GOES_ON, 1),
        lambda db: ledger.begin(db, "aaaaaaaa", [], GOES_ON, 0),
    )
    assert isinstance(outcomes[3], StaleMatch)
    assert isinstance(outcomes[5], StaleMatch)
    assert [outcomes[n] for n in (0, 1, 2, 4)] == [None] * 4
    assert [entry.move for entry in ledger.entries_after(opened(tmp_path), "aaaaaaaa", 0)] == ["start 1", "Re5", "Yf6"]


def test_a_change_that_fails_is_undone_alone(tmp_path: Path) -> None:
    def fails(db: sqlite3.Connection) -> None:
        ledger.add_table(db, row("bbbbbbbb"))
        raise ValueError("after half of it")

    outcomes = stored(tmp_path, lambda db: ledger.add_table(db, row()), fails)
    assert isinstance(outcomes[1], ValueError)
    assert ledger.running(opened(tmp_path)) == ["aaaaaaaa"]


def test_a_seat_is_taken_once(tmp_path: Path) -> None:
    def takes(seat: int, guest: str) -> Callable[[sqlite3.Connection], None]:
        taken = SeatRow(seat, guest=guest, name=guest.title(), commit="c" * 64)
        return lambda db: ledger.take_seat(db, "aaaaaaaa", taken, 1)

    added = lambda db: ledger.add_table(db, row())  # noqa: E731
    outcomes = stored(
        tmp_path, added, takes(1, "ben"), takes(1, "ada"), takes(2, "ben"), takes(2, "ada"), takes(3, "ada")
    )
    kinds = [type(outcome) for outcome in outcomes[1:]]
    assert kinds == [SeatReserved, type(None), type(None), SeatTaken, SeatTaken]


def test_abandoned_tables_expire(tmp_path: Path) -> None:
    def made(id_: str, created: int, begun: bool = False, ended: bool = False) -> Callable[[sqlite3.Connection], None]:
        def make(db: sqlite3.Connection) -> None:
            ledger.add_table(db, full_row(id_, created))
            if begun:
                ledger.begin(db, id_, [Entry(0, "start 1")], GOES_ON, created)
            if ended:
                ledger.append(db, id_, 1, [Entry(1, "resign")], IS_OVER, created)

        return make

    now = 100 * DAY
    *_, expired = stored(
        tmp_path,
        made("waiting", now - DAY + 1),
        made("forgotten", now - DAY - 1),
        made("playing", now - 30 * DAY + 1, begun=True),
        made("abandoned", now - 30 * DAY - 1, begun=True),
        made("finished", 0, begun=True, ended=True),
        lambda db: ledger.expire(db, now),
    )
    assert sorted(expired) == ["abandoned", "forgotten"]
    db = opened(tmp_path)
    assert sorted(id_ for (id_,) in db.execute("select id from tables")) == ["finished", "playing", "waiting"]
    assert not db.execute("select 1 from seats where table_id in ('abandoned', 'forgotten')").fetchall()
    assert not db.execute("select 1 from entries where table_id = 'abandoned'").fetchall()


def test_a_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    """Every step from the first one on, with the data that was there."""
    stored(tmp_path, lambda db: ledger.add_table(db, row()))
    db = opened(tmp_path)
    later = (
        *schema.STEPS,
        "alter table tables add column opened integer; -- why\nupdate tables set opened = created + 1;",
    )
    schema.migrate(db, later)
    assert db.execute("pragma user_version").fetchone() == (len(schema.STEPS) + 1,)
    assert db.execute("select id, opened from tables").fetchall() == [("aaaaaaaa", 1)]
    schema.migrate(db, later)
    with pytest.raises(schema.NewerSchema, match="newer Ludoteca"):
        schema.migrate(db)


def test_tables_of_the_first_schema(tmp_path: Path) -> None:
    """What they did not know of is as it was: no clock, no delay; and the time until now is charged to nobody."""
    db = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    schema.migrate(db, schema.STEPS[:1])
    db.execute("insert into tables values ('aaaaaaaa', 'pinpoint', 1, '{\"players\": 1}', x'00', 5, 9, 6, 0, null)")
    db.execute("insert into seats values ('aaaaaaaa', 1, null, 'ada', 'ada', 'Ada', x'00')")
    db.execute('insert into entries values (\'aaaaaaaa\', 1, \'{"by": 0, "move": "start 1"}\')')
    schema.migrate(db)
    found = ledger.find_table(db, "aaaaaaaa")
    assert found is not None
    row, entries = found
    assert (row.creator, row.open, row.clock, row.delay, row.chat) == (None, False, None, 0, True)
    assert [entry.move for entry in entries] == ["start 1"]
    (mine,) = ledger.tables_of(db, "ada", 10)
    assert (mine.known, mine.changed, mine.begun, mine.result) == (1, 9, True, None)
    assert Uptime(ledger.uptime(db), 1000).downtime(0, 1001) == 991


def first_schema(tmp_path: Path, id_: str, match: Match, begun: bool = True) -> sqlite3.Connection:
    """A database of the first schema with a match of Ada and Ben in it, as the first version wrote it."""
    db = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    schema.migrate(db, schema.STEPS[:1])
    options = msgspec.json.encode(match.agreed).decode()
    seal, ended = match.seal, match.result is not None
    assert seal is not None
    row = (id_, match.game.key, match.game.rules_version, options, seal.seed, 5, 9, 6 if begun else None, ended, None)
    db.execute(f"insert into tables values ({', '.join('?' * 10)})", row)
    for n, guest in enumerate(("ada", "ben"), start=1):
        db.execute(
            "insert into seats values (?, ?, ?, ?, ?, ?, ?)",
            (id_, n, None, guest, guest, guest.title(), seal.seat_bytes[n - 1]),
        )
    for n, entry in enumerate(match.log if begun else (), start=1):
        db.execute("insert into entries values (?, ?, ?)", (id_, n, msgspec.json.encode(entry).decode()))
    return db


def old_match(id_: str, key: str = "pinpoint", *moves: str) -> Match:
    """A match whose seats gave their bytes one after another."""
    seal = Seal(id_, b"s" * 32, (b"a" * 16, b"b" * 16))
    match = Match(registry.game(key), {"players": 2, "start": 1}, [Seat("Ada"), Seat("Ben")], seal)
    match.begin()
    for move in moves:
        match.play(move)
    return match


@pytest.mark.parametrize("moves", [(), ("Ra1", "Ya2", "Ga3", "Ba4"), ("Ra1", "resign")])
def test_how_matches_of_the_first_schema_stand(tmp_path: Path, moves: tuple[str, ...]) -> None:
    """Whose turn it is and how it ended: in lists, and in the match itself, whose old seal still holds."""
    match = old_match("aaaaaaaa", "pinpoint", *moves)
    db = first_schema(tmp_path, "aaaaaaaa", match)
    schema.migrate(db)
    (line,) = ledger.tables_of(db, "ada", 10)
    assert (line.on_move, line.result, line.known) == (match.to_move, match.result, len(match.log))
    found = ledger.find_table(db, "aaaaaaaa")
    assert found is not None
    assert found[0].commits_first is False
    again = new_match(found[0])
    again.follow(found[1])
    assert again.record == match.record
    assert again.record.format == "ludoteca/1"
    assert Match.load(again.record, again.seal).log == match.log


def test_a_secret_set_up_of_the_first_schema_stays_secret(tmp_path: Path) -> None:
    match = old_match("aaaaaaaa", "kingbrick")
    match.play(formation(1), 1)
    db = first_schema(tmp_path, "aaaaaaaa", match)
    schema.migrate(db)
    (line,) = ledger.tables_of(db, "ben", 10)
    assert line.known < len(match.log)


def test_tables_that_waited_when_commitments_came(tmp_path: Path) -> None:
    """The bytes that somebody gave already count as shown; a bot's follow from the seed."""
    db = first_schema(tmp_path, "aaaaaaaa", old_match("aaaaaaaa"), begun=False)
    db.execute("update seats set bot = 'novice', guest = null, reserved = null where seat = 2")
    schema.migrate(db)
    found = ledger.find_table(db, "aaaaaaaa")
    assert found is not None
    seal = seal_of(found[0])
    assert seal.commits == (seat_commitment("aaaaaaaa", 1, b"a" * 16), None)
    assert seal.seat_bytes == (b"a" * 16, bytes_of_seed(b"s" * 32, "aaaaaaaa", 2))
    seal.check_seats()


def test_a_step_is_taken_whole_or_not_at_all(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "some.sqlite3", isolation_level=None)
    with pytest.raises(sqlite3.OperationalError):
        schema.migrate(db, ("create table a (x);", "create table b (x);\nnonsense;"))
    assert db.execute("pragma user_version").fetchone() == (1,)
    assert [name for (name,) in db.execute("select name from sqlite_master")] == ["a"]


def test_the_key_of_the_guests(tmp_path: Path) -> None:
    """It is drawn once, only its owner reads it, and cookies of another folder are worth nothing."""
    guests = Guests(tmp_path)
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    ada = Guest("x", "Ada ♞")
    assert Guests(tmp_path).known(guests.cookie(ada)) == ada
    other = tmp_path / "other"
    other.mkdir()
    assert Guests(other).known(guests.cookie(ada)) is None
    assert guests.known(None) is None
    assert guests.new().id != guests.new().id
    assert all(len(bird) <= LONGEST_NAME for bird in BIRDS)
