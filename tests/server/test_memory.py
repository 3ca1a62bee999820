"""Unused tables are unloaded, and loaded again when somebody asks."""

import asyncio
from pathlib import Path

import pytest

from ludoteca.server.database.sqlite import SqliteStorage
from ludoteca.server.ledger import DAY
from ludoteca.server.new_table import SeatWanted, TableWanted
from ludoteca.server.refusals import UnknownTable
from ludoteca.server.table import Table
from ludoteca.server.tables import Tables


class Window:
    def __init__(self, guest_id: str | None) -> None:
        self.guest_id = guest_id
        self.lag = 0
        self.sent: list[bytes] = []

    def link(self, table: str) -> str:
        return table

    def send(self, message: bytes) -> None:
        self.sent.append(message)


async def begun(tables: Tables) -> Table:
    id_ = await tables.create(TableWanted("pinpoint", [SeatWanted("me"), SeatWanted("me")], {"start": 1}), "ada")
    table = await tables.table(id_)
    for seat in (1, 2):
        await table.waiting_room.sit("ada", seat, "Ada", b"x" * 16)
    while not table.has_begun:
        await asyncio.sleep(0.01)
    return table


def test_tables_at_rest_leave_the_memory(tmp_path: Path) -> None:
    async def visit() -> None:
        tables = Tables(SqliteStorage(tmp_path))
        await tables.open()
        try:
            table = await begun(tables)
            await table.move("ada", 1, "Re5", len(table.match.log))
            window = Window("ada")
            table.join(window, 0)
            tables.put_away(rest=0)
            assert tables.in_memory == [table.id]
            table.leave(window)
            tables.put_away()
            assert tables.in_memory == [table.id]  # it was used just now
            tables.put_away(rest=0)
            assert tables.in_memory == []
            again = await tables.table(table.id)
            assert again is not table
            sight = table.running.visibility.sight((1, 2), 1, 0)
            assert again.running.journal.entries(sight, 0) == table.running.journal.entries(sight, 0) != []
            assert again.has_begun
            assert again.match.log == table.match.log
            one, two = await asyncio.gather(tables.table(table.id), tables.table(table.id))
            assert one is two is again
        finally:
            await tables.close()

    asyncio.run(visit())


def test_expired_tables_are_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def visit() -> None:
        tables = Tables(SqliteStorage(tmp_path))
        await tables.open()
        try:
            table = await begun(tables)
            waiting = await tables.create(TableWanted("pinpoint", [SeatWanted("me"), SeatWanted("anyone")]), "ada")
            now = tables.time.now()
            monkeypatch.setattr(tables.time, "now", lambda: now + 2 * DAY)
            await tables.expire()
            assert (await tables.table(table.id)) is table
            with pytest.raises(UnknownTable):
                await tables.table(waiting)
            monkeypatch.setattr(tables.time, "now", lambda: now + 31 * DAY)
            await tables.expire()
            with pytest.raises(UnknownTable):
                await tables.table(table.id)
        finally:
            await tables.close()

    asyncio.run(visit())
