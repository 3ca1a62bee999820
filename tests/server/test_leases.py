"""Which node minds a table: a lease that runs out, is taken over once, and fences who lost it."""

import time
from contextlib import closing
from itertools import pairwise

import psycopg
import pytest
from databases import asked, opened
from guests_at_tables import HANG
from own_postgres import Postgres
from test_storage import GOES_ON, full_row

from ludoteca.core.record import Entry
from ludoteca.server import ledger as records
from ludoteca.server.database import schema
from ludoteca.server.database.contract import Database
from ludoteca.server.database.postgres import PostgresDatabase, _Line
from ludoteca.server.nodes import ledger
from ludoteca.server.nodes.hints import MOST_ITEMS, Gathered, read, text
from ludoteca.server.nodes.ledger import LEASE, MOST_AT_ONCE
from ludoteca.server.refusals import LeaseLost
from ludoteca.server.rows import SeatRow
from ludoteca.server.uptime import Uptime


@pytest.fixture
def address(postgres: Postgres) -> str:
    new = postgres.new_database()
    asked(new, schema.migrate)
    return new


def minded(db: Database, table: str) -> str | None:
    found: str | None = db.execute("select node from tables where id = ?", (table,)).fetchone()[0]
    return found


def make(db: Database, *tables: str) -> None:
    for table in tables:
        records.add_table(db, full_row(table))


def silence(db: Database, node: str, milliseconds: int) -> None:
    """The node gave its last sign of life so long ago."""
    db.execute("update nodes set until = until - ? where id = ?", (milliseconds, node))


def test_a_table_has_one_minder(address: str) -> None:
    def what(db: Database) -> None:
        make(db, "aaaaaaaa")
        ledger.arrive(db, "one")
        ledger.arrive(db, "two")
        ledger.claim(db, "one", "aaaaaaaa")
        ledger.claim(db, "two", "aaaaaaaa")
        assert minded(db, "aaaaaaaa") == "one"
        assert ledger.take_over(db, "two") == []

    asked(address, what)


def test_a_dead_node_is_taken_over_once_and_nobody_is_charged(address: str) -> None:
    def what(db: Database) -> None:
        make(db, "aaaaaaaa", "bbbbbbbb")
        for node in ("one", "two", "three"):
            ledger.arrive(db, node)
        ledger.claim(db, "one", "aaaaaaaa")
        ledger.claim(db, "two", "bbbbbbbb")
        silence(db, "one", LEASE + 500)
        found = ledger.beat(db, "two", 0, 0, reaps=True)
        assert (found.alive, found.lapsed, found.nodes) == (True, False, {"two", "three"})
        ((since, until),) = found.outages
        assert until - since >= LEASE + 500 - 1, "from its last sign of life"
        assert ledger.beat(db, "three", 0, 0, reaps=True).outages == found.outages, "noted once"
        assert ledger.take_over(db, "two") == ["aaaaaaaa"]
        assert ledger.take_over(db, "three") == []
        assert not ledger.beat(db, "one", 0, 0, reaps=True).alive, "it learns that it was taken for dead"

    asked(address, what)


def test_a_node_that_lost_its_lease_cannot_act(address: str) -> None:
    """For a bot or a clock; what people do is stored through any node."""

    def what(db: Database) -> None:
        make(db, "aaaaaaaa")
        ledger.arrive(db, "one")
        ledger.arrive(db, "two")
        records.begin(db, "aaaaaaaa", [Entry(0, "start 1")], GOES_ON, 7, node="one")
        records.append(db, "aaaaaaaa", 1, [Entry(1, "Re5")], GOES_ON, 8, node="one")
        silence(db, "one", 2 * LEASE)
        ledger.beat(db, "two", 0, 0, reaps=True)
        ledger.take_over(db, "two")
        with pytest.raises(LeaseLost), db.transaction():
            records.append(db, "aaaaaaaa", 2, [Entry(1, "timeout")], GOES_ON, 9, node="one")
        assert records.last_number(db, "aaaaaaaa") == 2, "nothing is left of it"
        records.append(db, "aaaaaaaa", 2, [Entry(1, "Yf6")], GOES_ON, 9)
        records.append(db, "aaaaaaaa", 3, [Entry(1, "timeout")], GOES_ON, 9, node="two")

    asked(address, what)


def test_a_node_that_was_frozen_in_a_transaction_blocks_nobody(address: str) -> None:
    """It has locked its own row and that of a table. Nobody waits for the first, and the database soon ends both."""
    frozen = _Line(address)

    def what(db: PostgresDatabase) -> None:
        make(db, "aaaaaaaa")
        for node in ("one", "two"):
            ledger.arrive(db, node)
        ledger.claim(db, "one", "aaaaaaaa")
        silence(db, "one", LEASE + 500)
        locked = frozen.in_transaction()
        locked.execute("select 1 from nodes where id = 'one' for update")
        locked.execute("update tables set version = version + 1 where id = 'aaaaaaaa'")
        db.execute("set lock_timeout = '1ms'")
        end = time.monotonic() + HANG
        while ledger.take_over(db, "two") != ["aaaaaaaa"]:
            ledger.beat(db, "two", 0, 0, reaps=True)
            assert time.monotonic() < end
            time.sleep(0.1)
        with pytest.raises(psycopg.Error):
            locked.execute("commit")

    with closing(opened(address)) as db:
        assert isinstance(db, PostgresDatabase)
        what(db)
    frozen.drop()
    (silent,) = frozen.db().execute("show idle_in_transaction_session_timeout").fetchone() or ("",)
    frozen.drop()
    assert silent == f"{LEASE // 1000}s"


def test_a_node_that_was_away_with_the_database_keeps_its_tables(address: str) -> None:
    """When the database comes back every lease has run out: nobody is declared dead for that."""

    def what(db: Database) -> None:
        make(db, "aaaaaaaa")
        for node in ("one", "two"):
            ledger.arrive(db, node)
            silence(db, node, 10 * LEASE)
        ledger.claim(db, "one", "aaaaaaaa")
        found = ledger.beat(db, "two", 0, 0, reaps=True)
        assert (found.lapsed, found.nodes) == (True, {"one", "two"})
        assert ledger.take_over(db, "two") == []
        assert ledger.beat(db, "one", 0, 0, reaps=True).lapsed
        outages = ledger.beat(db, "one", 0, 0, reaps=True).outages
        assert all(until - since >= 10 * LEASE for since, until in outages)

    asked(address, what)


def test_a_node_that_leaves_gives_its_tables_away_at_once(address: str) -> None:
    def what(db: Database) -> None:
        tables = [f"table{n:03}" for n in range(MOST_AT_ONCE + 1)]
        make(db, *tables)
        for node in ("one", "two", "three"):
            ledger.arrive(db, node)
        for table in tables:
            ledger.claim(db, "one", table)
        ledger.leave(db, "one")
        first, second = ledger.take_over(db, "two"), ledger.take_over(db, "three")
        assert (len(first), len(second)) == (MOST_AT_ONCE, 1), "each gets a share"
        assert not ledger.beat(db, "two", 0, 0, reaps=True).outages, "nothing was out of order"

    asked(address, what)


def test_a_table_at_rest_is_let_go_unless_something_happened(address: str) -> None:
    def what(db: Database) -> None:
        make(db, "aaaaaaaa")
        ledger.arrive(db, "one")
        ledger.claim(db, "one", "aaaaaaaa")
        known = records.version(db, "aaaaaaaa")
        records.agree_rematch(db, "aaaaaaaa", full_row("bbbbbbbb"))
        ledger.release(db, "one", "aaaaaaaa", known)
        assert minded(db, "aaaaaaaa") == "one"
        ledger.release(db, "one", "aaaaaaaa", records.version(db, "aaaaaaaa"))
        assert minded(db, "aaaaaaaa") is None

    asked(address, what)


def test_who_is_there_on_other_nodes(address: str) -> None:
    def what(db: Database) -> None:
        for node in ("one", "two", "three"):
            ledger.arrive(db, node)
        ledger.write_presence(db, "one", {"aaaaaaaa": {"ada": 1, "": 2}})
        ledger.write_presence(db, "two", {"aaaaaaaa": {"ada": 1, "ben": 1, "": 1}})
        found = ledger.presence_elsewhere(db, "three", ["aaaaaaaa", "bbbbbbbb"])
        assert found == {"aaaaaaaa": {"ada": 2, "ben": 1, "": 3}, "bbbbbbbb": {}}
        ledger.write_presence(db, "two", {"aaaaaaaa": {}})
        assert ledger.presence_elsewhere(db, "one", ["aaaaaaaa"]) == {"aaaaaaaa": {}}
        ledger.leave(db, "one")
        assert ledger.presence_elsewhere(db, "three", ["aaaaaaaa"]) == {"aaaaaaaa": {}}

    asked(address, what)


def test_every_change_makes_a_new_version(address: str) -> None:
    def what(db: Database) -> None:
        make(db, "aaaaaaaa")
        seen = [records.version(db, "aaaaaaaa")]
        for change in (
            lambda: records.admit(db, "aaaaaaaa", ["ada"], 1),
            lambda: records.free_seat(db, "aaaaaaaa", 2, None, 2),
            lambda: records.seat_bot(db, "aaaaaaaa", SeatRow(2, bot="club"), 3),
            lambda: records.reveal(db, "aaaaaaaa", 1, b"z" * 16, 4),
            lambda: records.begin(db, "aaaaaaaa", [Entry(0, "start 1")], GOES_ON, 5),
            lambda: records.append(db, "aaaaaaaa", 1, [Entry(1, "Re5")], GOES_ON, 6),
            lambda: records.set_question(db, "aaaaaaaa", None),
            lambda: records.agree_rematch(db, "aaaaaaaa", full_row("bbbbbbbb")),
            lambda: records.cancel(db, "bbbbbbbb"),
        ):
            change()
            seen.append(records.version(db, "aaaaaaaa"))
        assert all(later > earlier for earlier, later in pairwise(seen)), seen

    asked(address, what)


def test_hints_fit_into_notifications() -> None:
    gathered = Gathered()
    gathered.tables = {f"table{n:03}" for n in range(3 * MOST_ITEMS)}
    gathered.used.update({f"requests 2001:db8:1234:{n:04x}::/64": 1000 for n in range(MOST_ITEMS)})
    gathered.open.update({f"2001:db8:1234:{n:04x}::/64": 500 for n in range(MOST_ITEMS)})
    gathered.here = {f"table{n:03}" for n in range(MOST_ITEMS)}
    gathered.lobby = True
    sent = [text(hints) for hints in gathered.taken("node")]
    assert all(len(one.encode()) < 8000 for one in sent)
    heard = [read(one) for one in sent]
    assert sorted(table for one in heard if one for table in one.tables) == [f"table{n:03}" for n in range(150)]
    assert [one.lobby for one in heard if one] == [True, False, False]
    assert list(gathered.taken("node")) == []
    assert read("something else") is None


def test_outages_are_charged_once() -> None:
    uptime = Uptime([(0, 1000), (1500, 3000)], 3000)
    assert uptime.downtime(0, 5000) == 500
    assert uptime.add_outages([(3500, 4000), (3800, 4200)])
    assert uptime.downtime(0, 5000) == 500 + 700
    assert not uptime.add_outages([(3500, 4000)])
    assert uptime.downtime(3900, 4000) == 100
