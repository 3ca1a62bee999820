"""The fairness seal at a table: nobody chooses last. A player who shows no bytes loses their say, not the match."""

import json
from pathlib import Path

import pytest
from quiet_tables import QuietTables, Window, table_for, visit
from stranger import strange_draws

from ludoteca.core.chance import bytes_of_seed, seat_commitment
from ludoteca.core.match import Match
from ludoteca.core.record import to_json
from ludoteca.server import ledger
from ludoteca.server.new_table import SeatWanted, TableWanted
from ludoteca.server.refusals import AlreadyBegun, NoReveal, NotYourSeat
from ludoteca.server.sealing import REVEAL_WITHIN
from ludoteca.server.table import Table

ADA, BEN = b"a" * 16, b"b" * 16
BOT = SeatWanted("bot", "novice")
ANYONE = SeatWanted("anyone")


async def committed(tables: QuietTables, *more: SeatWanted) -> tuple[Table, Window]:
    """Return a table where Ada and Ben sit and have committed to their bytes."""
    table = await tables.table(await tables.create(TableWanted("pinpoint", [ANYONE, ANYONE, *more]), "ada"))
    window = Window("ada")
    table.join(window, 0)
    for seat, guest, given in ((1, "ada", ADA), (2, "ben", BEN)):
        await table.waiting_room.sit(guest, seat, guest.title(), None, seat_commitment(table.id, seat, given))
    await tables.settle()
    return table, window


async def finished(tables: QuietTables, table: Table) -> Match:
    """Return the match of the record after somebody resigned, checked by us and by a stranger."""
    for guest, seat in (("ada", 1), ("ben", 2)):
        if table.match.result is None:
            await table.move(guest, seat, "resign", len(table.match.log))
            await tables.settle()
    record = table.record("ada")
    strange_draws(json.loads(to_json(record)))
    return Match.load(record)


def test_the_match_begins_when_all_have_shown_their_bytes(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, ada = await committed(tables, BOT)
        assert (table.has_begun, ada.said["started"]) == (False, False)
        assert ada.said["seal"]["commits"][2] is None
        assert ada.said["seal"]["commits"][0] == seat_commitment(table.id, 1, ADA)
        assert ada.said["seal"]["bytes"][:2] == [None, None]
        await table.waiting_room.reveal("ben", 2, BEN)
        await tables.settle()
        assert (table.has_begun, ada.said["seal"]["bytes"][:2]) == (False, [None, BEN.hex()])
        await table.waiting_room.reveal("ada", 1, ADA)
        await tables.settle()
        assert ada.said["started"] is True
        match = await finished(tables, table)
        assert match.record.format == "ludoteca/2"
        assert match.seal is not None
        assert match.seal.seat_bytes == (ADA, BEN, bytes_of_seed(table.row.seed, table.id, 3))

    visit(tmp_path, what)


def test_nobody_shows_bytes_before_all_have_committed_themselves(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, _ = await committed(tables, ANYONE)
        with pytest.raises(NoReveal, match="a seat is free"):
            await table.waiting_room.reveal("ada", 1, ADA)
        await table.waiting_room.fill("ada", 3, "novice")
        with pytest.raises(NoReveal, match="not the bytes that seat 1 committed itself to"):
            await table.waiting_room.reveal("ada", 1, BEN)
        with pytest.raises(NotYourSeat):
            await table.waiting_room.reveal("ada", 2, BEN)
        await table.waiting_room.reveal("ada", 1, ADA)
        for guest, seat in (("ben", 2), ("ada", 3)):
            with pytest.raises(AlreadyBegun):  # otherwise somebody who has seen the bytes could take the seat
                await table.waiting_room.remove(guest, seat)

    visit(tmp_path, what)


def test_a_seat_that_does_not_show_its_bytes_in_time_loses_its_say(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, ada = await committed(tables)
        await table.waiting_room.reveal("ada", 1, ADA)
        await tables.wait(REVEAL_WITHIN - 1)
        assert not table.has_begun
        await tables.wait(1)
        assert ada.said["started"] is True
        assert ada.said["seal"]["bytes"] == [ADA.hex(), ""]
        with pytest.raises(NoReveal, match="has begun"):
            await table.waiting_room.reveal("ben", 2, BEN)
        again = await tables.fresh(table)
        assert again.match.log == table.match.log
        match = await finished(tables, again)
        assert match.seal is not None
        assert match.seal.seat_bytes == (ADA, b"")
        assert match.seal.commits == (seat_commitment(table.id, 1, ADA), seat_commitment(table.id, 2, BEN))

    visit(tmp_path, what)


def test_a_server_that_starts_again_waits_for_the_bytes_again(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, _ = await committed(tables)
        await table.waiting_room.reveal("ada", 1, ADA)
        again = await tables.fresh(table)
        assert not again.has_begun
        await again.waiting_room.reveal("ben", 2, BEN)
        await tables.settle()
        assert (await finished(tables, again)).seal is not None

    visit(tmp_path, what)


def test_who_fills_the_last_chair_cannot_try_until_the_deal_pleases(tmp_path: Path) -> None:
    """The server has nobody's bytes before the last seat is taken, and a bot adds nothing that one could try out."""

    async def what(tables: QuietTables) -> None:
        table, ada = await committed(tables, ANYONE, ANYONE)
        tried = set()
        for level in ("novice", "casual", "novice"):
            await table.waiting_room.fill("ada", 3, level)
            tried.add(ada.said["seal"]["bytes"][2])
            await table.waiting_room.remove("ada", 3)
        assert tried == {None}, "its bytes follow from the seed"
        found = await tables.storage.read(lambda db: ledger.find_table(db, table.id))
        assert found is not None
        assert [seat.seal_bytes for seat in found[0].seats] == [None] * 4

    visit(tmp_path, what)


def test_entries_have_the_seal_only_when_it_is_new(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"])
        match, seat = table.match, table.match.to_move[0]
        await table.move(table.row.seat(seat).guest, seat, match.game.moves(match.state)[0], len(match.log))
        await table.move("ben", 2, "resign", len(match.log))
        moved, resigned = (one for one in windows["ada"].sent if one["type"] == "entries" and one["entries"])
        assert "seal" not in moved
        assert resigned["seal"]["seed"] == table.row.seed.hex()

    visit(tmp_path, what)
