"""Old schemas are brought up to date, on both databases, with what is in them."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import msgspec
import psycopg
import pytest
from databases import opened
from guests_at_tables import HANG
from kingbrick_board import formation
from test_storage import row

from ludoteca.core import registry
from ludoteca.core.chance import Seal, bytes_of_seed, seat_commitment
from ludoteca.core.match import Match
from ludoteca.core.record import Seat
from ludoteca.server import ledger
from ludoteca.server.database import schema
from ludoteca.server.database.checking import Checked, check_records
from ludoteca.server.database.contract import Database
from ludoteca.server.rows import Standing
from ludoteca.server.running_match import new_match
from ludoteca.server.sealing import seal_of
from ludoteca.server.uptime import Uptime


def test_a_schema_is_brought_up_to_date(empty: Database) -> None:
    """Every step from the first one on, with the data that was there."""
    schema.migrate(empty)
    ledger.add_table(empty, row())
    later = (
        *schema.STEPS,
        "alter table tables add column opened integer; -- why\nupdate tables set opened = created + 1;",
    )
    schema.migrate(empty, later)
    assert empty.schema_version() == len(schema.STEPS) + 1
    assert empty.execute("select id, opened from tables").fetchall() == [("aaaaaaaa", 1)]
    schema.migrate(empty, later)
    with pytest.raises(schema.NewerSchema, match="newer Ludoteca"):
        schema.migrate(empty)


def test_servers_that_start_at_the_same_time(address: str) -> None:
    """On an empty database one of them takes each step, and the others wait for it."""
    together = threading.Barrier(4)

    def start(_: int) -> int:
        with closing(opened(address)) as db:
            assert db.schema_version() == 0
            together.wait(HANG)
            schema.migrate(db)
            return db.schema_version()

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(start, range(4))) == [len(schema.STEPS)] * 4


def test_tables_of_the_first_schema(empty: Database) -> None:
    """What they did not know of is as it was: no clock, no delay; and the time until now is charged to nobody."""
    schema.migrate(empty, schema.STEPS[:1])
    empty.execute(
        "insert into tables values ('aaaaaaaa', 'pinpoint', 1, '{\"players\": 1}', ?, 5, 9, 6, 0, null)", (b"\0",)
    )
    empty.execute("insert into seats values ('aaaaaaaa', 1, null, 'ada', 'ada', 'Ada', ?)", (b"\0",))
    empty.execute('insert into entries values (\'aaaaaaaa\', 1, \'{"by": 0, "move": "start 1"}\')')
    schema.migrate(empty)
    found = ledger.find_table(empty, "aaaaaaaa")
    assert found is not None
    row, entries = found
    assert (row.creator, row.open, row.clock, row.delay, row.chat) == (None, False, None, 0, True)
    assert [entry.move for entry in entries] == ["start 1"]
    (mine,) = ledger.tables_of(empty, "ada", 10)
    assert (mine.known, mine.changed, mine.begun, mine.result) == (1, 9, True, None)
    assert Uptime(ledger.uptime(empty), 1000).downtime(0, 1001) == 991


def first_schema(empty: Database, id_: str, match: Match, begun: bool = True) -> None:
    """A database of the first schema with a match of Ada and Ben in it, as the first version wrote it."""
    schema.migrate(empty, schema.STEPS[:1])
    options = msgspec.json.encode(match.agreed).decode()
    seal, ended = match.seal, int(match.result is not None)
    assert seal is not None
    row = (id_, match.game.key, match.game.rules_version, options, seal.seed, 5, 9, 6 if begun else None, ended, None)
    empty.execute(f"insert into tables values ({', '.join('?' * 10)})", row)
    for n, guest in enumerate(("ada", "ben"), start=1):
        empty.execute(
            "insert into seats values (?, ?, ?, ?, ?, ?, ?)",
            (id_, n, None, guest, guest, guest.title(), seal.seat_bytes[n - 1]),
        )
    for n, entry in enumerate(match.log if begun else (), start=1):
        empty.execute("insert into entries values (?, ?, ?)", (id_, n, msgspec.json.encode(entry).decode()))


def old_match(id_: str, key: str = "pinpoint", *moves: str) -> Match:
    """A match whose seats gave their bytes one after another."""
    seal = Seal(id_, b"s" * 32, (b"a" * 16, b"b" * 16))
    match = Match(registry.game(key), {"players": 2, "start": 1}, [Seat("Ada"), Seat("Ben")], seal)
    match.begin()
    for move in moves:
        match.play(move)
    return match


@pytest.mark.parametrize("moves", [(), ("Ra1", "Ya2", "Ga3", "Ba4"), ("Ra1", "resign")])
def test_how_matches_of_the_first_schema_stand(empty: Database, moves: tuple[str, ...]) -> None:
    """Whose turn it is and how it ended: in lists, and in the match itself, whose old seal still holds."""
    match = old_match("aaaaaaaa", "pinpoint", *moves)
    first_schema(empty, "aaaaaaaa", match)
    schema.migrate(empty)
    (line,) = ledger.tables_of(empty, "ada", 10)
    assert (line.on_move, line.result, line.known) == (match.to_move, match.result, len(match.log))
    found = ledger.find_table(empty, "aaaaaaaa")
    assert found is not None
    assert found[0].commits_first is False
    again = new_match(found[0])
    again.follow(found[1])
    assert again.record == match.record
    assert again.record.format == "ludoteca/1"
    assert Match.load(again.record, again.seal).log == match.log


def test_a_secret_set_up_of_the_first_schema_stays_secret(empty: Database) -> None:
    match = old_match("aaaaaaaa", "kingbrick")
    match.play(formation(1), 1)
    first_schema(empty, "aaaaaaaa", match)
    schema.migrate(empty)
    (line,) = ledger.tables_of(empty, "ben", 10)
    assert line.known < len(match.log)


def test_tables_that_waited_when_commitments_came(empty: Database) -> None:
    """The bytes that somebody gave already count as shown; a bot's follow from the seed."""
    first_schema(empty, "aaaaaaaa", old_match("aaaaaaaa"), begun=False)
    empty.execute("update seats set bot = 'novice', guest = null, reserved = null where seat = 2")
    schema.migrate(empty)
    found = ledger.find_table(empty, "aaaaaaaa")
    assert found is not None
    seal = seal_of(found[0])
    assert seal.commits == (seat_commitment("aaaaaaaa", 1, b"a" * 16), None)
    assert seal.seat_bytes == (b"a" * 16, bytes_of_seed(b"s" * 32, "aaaaaaaa", 2))
    seal.check_seats()


def test_a_step_is_taken_whole_or_not_at_all(empty: Database) -> None:
    with pytest.raises((sqlite3.OperationalError, psycopg.errors.SyntaxError)):
        schema.migrate(empty, ("create table a (x integer);", "create table b (x integer);\nnonsense;"))
    assert empty.schema_version() == 1
    assert empty.execute("select count(*) from a").fetchone() == (0,)
    with pytest.raises((sqlite3.OperationalError, psycopg.errors.UndefinedTable)):
        empty.execute("select count(*) from b")


@pytest.mark.parametrize("version", range(1, len(schema.STEPS)))
def test_from_every_version(empty: Database, version: int) -> None:
    """A match that an old version wrote goes on, whichever versions came in between."""
    match = old_match("aaaaaaaa", "pinpoint", "Ra1", "Ya2")
    first_schema(empty, "aaaaaaaa", match)
    schema.migrate(empty, schema.STEPS[:version])
    assert empty.schema_version() == version
    schema.migrate(empty)
    assert check_records(empty) == Checked(1, 1, len(match.log), 0, ())
    found = ledger.find_table(empty, "aaaaaaaa")
    assert found is not None
    assert (found[1], found[0].creator, found[0].admitted) == (match.log, None, None)
    after = len(match.log)
    made = match.prepare("Ga3", 1).entries
    ledger.append(empty, "aaaaaaaa", after, made, Standing(match.to_move, after + len(made), None), 10)
    assert check_records(empty).entries == after + len(made)
