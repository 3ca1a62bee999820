"""Tables that nobody uses are put away, and are there again when somebody asks."""

import asyncio
from pathlib import Path

import pytest

from ludoteca.server.hall import Hall
from ludoteca.server.ledger import DAY
from ludoteca.server.refusals import UnknownTable
from ludoteca.server.setting import SeatWanted, TableWanted
from ludoteca.server.tables import Table


class Window:
    def __init__(self, guest_id: str | None) -> None:
        self.guest_id = guest_id
        self.lag = 0
        self.told: list[bytes] = []

    def link(self, table: str) -> str:
        return table

    def send(self, told: bytes) -> None:
        self.told.append(told)


async def begun(hall: Hall) -> Table:
    id_ = await hall.create(TableWanted("pinpoint", [SeatWanted("me"), SeatWanted("me")], {"start": 1}), "ada")
    table = await hall.table(id_)
    for seat in (1, 2):
        await table.seating.sit("ada", seat, "Ada", b"x" * 16)
    while table.match is None:
        await asyncio.sleep(0.01)
    return table


def test_tables_at_rest_leave_the_memory(tmp_path: Path) -> None:
    async def visit() -> None:
        hall = Hall(tmp_path)
        await hall.open()
        try:
            table = await begun(hall)
            await table.move("ada", 1, "Re5", len(table.told))
            window = Window("ada")
            table.presence.join(window, 0)
            hall.put_away(rest=0)
            assert hall.in_memory == [table.id]
            table.presence.leave(window)
            hall.put_away()
            assert hall.in_memory == [table.id]  # it has only just been used
            hall.put_away(rest=0)
            assert hall.in_memory == []
            again = await hall.table(table.id)
            assert again is not table
            assert again.told == table.told
            assert again.match is not None
            assert again.match.log == (table.match and table.match.log)
            one, two = await asyncio.gather(hall.table(table.id), hall.table(table.id))
            assert one is two is again
        finally:
            await hall.close()

    asyncio.run(visit())


def test_expired_tables_are_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def visit() -> None:
        hall = Hall(tmp_path)
        await hall.open()
        try:
            table = await begun(hall)
            waiting = await hall.create(TableWanted("pinpoint", [SeatWanted("me"), SeatWanted("anyone")]), "ada")
            now = hall.time.now()
            monkeypatch.setattr(hall.time, "now", lambda: now + 2 * DAY)
            await hall.expire()
            assert (await hall.table(table.id)) is table
            with pytest.raises(UnknownTable):
                await hall.table(waiting)
            monkeypatch.setattr(hall.time, "now", lambda: now + 31 * DAY)
            await hall.expire()
            with pytest.raises(UnknownTable):
                await hall.table(table.id)
        finally:
            await hall.close()

    asyncio.run(visit())
