"""The storage, on both databases: what is answered is stored, and the number of an entry is the lock."""

import asyncio
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from databases import asked
from own_postgres import Postgres

from ludoteca.core.errors import StaleMatch
from ludoteca.core.record import Entry, Result
from ludoteca.server import ledger
from ludoteca.server.database.contract import Database
from ludoteca.server.database.opening import open_storage
from ludoteca.server.guests import BIRDS, LONGEST_NAME, Guest, Guests
from ludoteca.server.keys import GUESTS, GUESTS_BYTES
from ludoteca.server.ledger import DAY
from ludoteca.server.refusals import AlreadyBegun, SeatReserved, SeatTaken, UnknownTable
from ludoteca.server.rows import SaidRow, SeatRow, Standing, TableRow


def row(id_: str = "aaaaaaaa", created: int = 0) -> TableRow:
    seats = [SeatRow(1, reserved="ada"), SeatRow(2), SeatRow(3, bot="club", name="Club", seal_bytes=b"c" * 16)]
    return TableRow(id_, "pinpoint", 1, {"players": 3}, b"s" * 32, created, seats)


GOES_ON = Standing((1,), 1, None)
IS_OVER = Standing((), 2, Result((2,), (0, 1), "resigned"))


def full_row(id_: str = "aaaaaaaa", created: int = 0) -> TableRow:
    seats = [SeatRow(1, guest="ada", seal_bytes=b"a" * 16), SeatRow(2, bot="club", name="Club", seal_bytes=b"c" * 16)]
    return TableRow(id_, "pinpoint", 1, {"players": 2}, b"s" * 32, created, seats)


def stored(address: str, *changes: Callable[[Database], Any]) -> list[Any]:
    """What each of these answers, all asked at once."""

    async def ask() -> list[Any]:
        storage = open_storage(address)
        try:
            return await asyncio.gather(
                *(storage.write(change, "the same") for change in changes), return_exceptions=True
            )
        finally:
            storage.close()

    return asyncio.run(ask())


def test_sqlite_is_written_ahead_and_synced(tmp_path: Path) -> None:
    (found,) = stored(str(tmp_path), lambda db: [db.execute(f"pragma {what}").fetchone()[0] for what in
                                                 ("journal_mode", "synchronous")])  # fmt: skip
    assert found == ["wal", 2]


def test_postgresql_is_synced(postgres: Postgres) -> None:
    address = postgres.new_database()
    postgres.execute(f"alter database {address.rpartition('/')[2]} set synchronous_commit = off")
    (found,) = stored(address, lambda db: db.execute("show synchronous_commit").fetchone()[0])
    assert found == "on"


def test_a_table_is_found_as_it_was_made(address: str) -> None:
    entries = [Entry(0, "start 1", 0, picks=((1, 3),)), Entry(1, "Re5", 120, 4000, 1)]
    stored(
        address,
        lambda db: ledger.add_table(db, full_row()),
        lambda db: ledger.begin(db, "aaaaaaaa", entries[:1], GOES_ON, 7),
        lambda db: ledger.append(db, "aaaaaaaa", 1, entries[1:], GOES_ON, 8),
    )
    found = asked(address, lambda db: ledger.find_table(db, "aaaaaaaa"))
    assert found is not None
    assert found[0] == msgspec.structs.replace(full_row(), began_at=7, version=2)
    assert found[1] == entries


def test_a_number_is_written_once(address: str) -> None:
    """Of two who write the same number in the same commit one is refused, and all of its entries with it."""
    outcomes = stored(
        address,
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
    log = asked(address, lambda db: ledger.entries_after(db, "aaaaaaaa", 0))
    assert [entry.move for entry in log] == ["start 1", "Re5", "Yf6"]


def test_a_change_that_fails_is_undone_alone(address: str) -> None:
    def fails(db: Database) -> None:
        ledger.add_table(db, row("bbbbbbbb"))
        raise ValueError("after half of it")

    outcomes = stored(address, lambda db: ledger.add_table(db, row()), fails)
    assert isinstance(outcomes[1], ValueError)
    assert asked(address, ledger.unfinished) == ["aaaaaaaa"]


def test_a_seat_is_taken_once(address: str) -> None:
    def takes(seat: int, guest: str) -> Callable[[Database], None]:
        taken = SeatRow(seat, guest=guest, name=guest.title(), commit="c" * 64)
        return lambda db: ledger.take_seat(db, "aaaaaaaa", taken, 1)

    added = lambda db: ledger.add_table(db, row())  # noqa: E731
    outcomes = stored(
        address, added, takes(1, "ben"), takes(1, "ada"), takes(2, "ben"), takes(2, "ada"), takes(3, "ada")
    )
    kinds = [type(outcome) for outcome in outcomes[1:]]
    assert kinds == [SeatReserved, type(None), type(None), SeatTaken, SeatTaken]


def test_abandoned_tables_expire(address: str) -> None:
    def made(id_: str, created: int, begun: bool = False, ended: bool = False) -> Callable[[Database], None]:
        def make(db: Database) -> None:
            ledger.add_table(db, full_row(id_, created))
            if begun:
                ledger.begin(db, id_, [Entry(0, "start 1")], GOES_ON, created)
            if ended:
                ledger.append(db, id_, 1, [Entry(1, "resign")], IS_OVER, created)

        return make

    now = 100 * DAY
    *_, expired = stored(
        address,
        made("waiting", now - DAY + 1),
        made("forgotten", now - DAY - 1),
        made("playing", now - 30 * DAY + 1, begun=True),
        made("abandoned", now - 30 * DAY - 1, begun=True),
        made("finished", 0, begun=True, ended=True),
        lambda db: ledger.expire(db, now),
    )
    assert sorted(expired) == ["abandoned", "forgotten"]

    def left(statement: str) -> list[str]:
        return sorted(id_ for (id_,) in asked(address, lambda db: db.execute(statement).fetchall()))

    assert left("select id from tables") == ["finished", "playing", "waiting"]
    assert left("select distinct table_id from seats") == ["finished", "playing", "waiting"]
    assert left("select distinct table_id from entries") == ["finished", "playing"]


def test_what_is_said_is_numbered(address: str) -> None:
    said = SaidRow(5, 1, "Ada", "hello", None)
    outcomes = stored(
        address,
        lambda db: ledger.add_table(db, row()),
        lambda db: ledger.add_said(db, "aaaaaaaa", said),
        lambda db: ledger.add_said(db, "aaaaaaaa", SaidRow(6, 2, "Ben ♞", None, "ciao %s ?")),
        lambda db: ledger.add_said(db, "bbbbbbbb", said),
    )
    assert [one.number for one in outcomes[1:3]] == [1, 2]
    assert isinstance(outcomes[3], UnknownTable)
    found = asked(address, lambda db: ledger.last_said(db, "aaaaaaaa", 10))
    assert [(one.number, one.phrase, one.text) for one in found] == [(1, "hello", None), (2, None, "ciao %s ?")]


def test_a_table_that_has_begun_keeps_its_seats(address: str) -> None:
    outcomes = stored(
        address,
        lambda db: ledger.add_table(db, full_row()),
        lambda db: ledger.begin(db, "aaaaaaaa", [Entry(0, "start 1")], GOES_ON, 7),
        lambda db: ledger.free_seat(db, "aaaaaaaa", 1, None, 8),
        lambda db: ledger.cancel(db, "aaaaaaaa"),
        lambda db: ledger.reveal(db, "aaaaaaaa", 1, b"z" * 16, 8),
    )
    assert [type(outcome) for outcome in outcomes[2:]] == [AlreadyBegun] * 3
    found = asked(address, lambda db: ledger.find_table(db, "aaaaaaaa"))
    assert found is not None
    assert found[0].seats == full_row().seats


def test_a_rematch_is_agreed_once(address: str) -> None:
    outcomes = stored(
        address,
        lambda db: ledger.add_table(db, full_row()),
        lambda db: ledger.agree_rematch(db, "aaaaaaaa", full_row("bbbbbbbb")),
        lambda db: ledger.agree_rematch(db, "aaaaaaaa", full_row("cccccccc")),
    )
    assert outcomes[1:] == ["bbbbbbbb", "bbbbbbbb"]
    assert sorted(asked(address, ledger.unfinished)) == ["aaaaaaaa", "bbbbbbbb"]


def test_two_storages_on_the_same_data(address: str) -> None:
    """Of many who write the same number at the same time, through two storages, one has moved."""

    async def race() -> list[Any]:
        storages = [open_storage(address), open_storage(address)]
        try:
            await storages[0].write(lambda db: ledger.add_table(db, full_row()))
            await storages[1].write(lambda db: ledger.begin(db, "aaaaaaaa", [Entry(0, "start 1")], GOES_ON, 0))
            writes = [
                storage.write(
                    lambda db, n=n: ledger.append(db, "aaaaaaaa", 1, [Entry(1, f"m{n}")], GOES_ON, 1), f"{n % 4}"
                )
                for n, storage in enumerate(storages * 10)
            ]
            return await asyncio.gather(*writes, return_exceptions=True)
        finally:
            for storage in storages:
                storage.close()

    outcomes = asyncio.run(race())
    assert [type(one) for one in outcomes].count(StaleMatch) == 19
    (entry,) = asked(address, lambda db: ledger.entries_after(db, "aaaaaaaa", 1))
    assert outcomes[int(entry.move[1:])] is None


def test_the_key_of_the_guests(address: str, tmp_path: Path) -> None:
    """It is drawn once, and cookies of another storage are worth nothing."""

    def guests_of(address: str) -> Guests:
        storage = open_storage(address)
        try:
            return Guests(storage.secret(GUESTS, GUESTS_BYTES))
        finally:
            storage.close()

    guests, ada = guests_of(address), Guest("x", "Ada ♞")
    assert guests_of(address).known(guests.cookie(ada)) == ada
    assert guests_of(str(tmp_path / "other")).known(guests.cookie(ada)) is None
    assert guests.known(None) is None
    assert guests.new().id != guests.new().id
    assert all(len(bird) <= LONGEST_NAME for bird in BIRDS)
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "other" / GUESTS).stat().st_mode) == 0o600
