"""Before the match: who sits where, who is removed, bots on free seats, and the lobby."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from guests_at_tables import Person
from quiet_hall import QuietHall, Window, table_for, visit

from ludoteca.core.errors import UnknownBot
from ludoteca.server.clock import DAY, ClockWanted
from ludoteca.server.refusals import Begun, NotYourTable, Removed, SeatReserved, SeatTaken, TableFull
from ludoteca.server.setting import SeatWanted, TableWanted
from ludoteca.server.tables import Table

Comes = Callable[[], Person]
ANYONE, ME = SeatWanted("anyone"), SeatWanted("me")
BYTES = b"x" * 16


async def waiting(hall: QuietHall, *seats: SeatWanted, **wanted: Any) -> tuple[Table, Window]:
    """A table that Ada made, and her window on it."""
    table = await hall.table(await hall.create(TableWanted("pinpoint", list(seats), **wanted), "ada"))
    ada = Window("ada")
    table.presence.join(ada, 0)
    return table, ada


def test_the_creator_is_told_so(tmp_path: Path) -> None:
    async def what(hall: QuietHall) -> None:
        table, ada = await waiting(hall, ME, ANYONE, open=True, delay=30, chat=False, clock=ClockWanted(turn=60))
        ben = Window("ben")
        table.presence.join(ben, 0)
        assert (ada.said["creator"], ben.said["creator"]) == (True, False)
        assert (ben.said["open"], ben.said["delay"], ben.said["chat"]) == (True, 30, False)
        assert (ben.said["watching"], ben.said["clock"], ben.said["said"]) == (2, None, [])
        assert ben.said["agreed_clock"] == {"turn": 60}

    visit(tmp_path, what)


def test_somebody_who_is_removed_cannot_sit_down_again(tmp_path: Path) -> None:
    async def what(hall: QuietHall) -> None:
        table, ada = await waiting(hall, ME, ANYONE, ANYONE)
        await table.seating.sit("ben", 2, "Ben", BYTES)
        for guest in ("cleo", None):
            with pytest.raises(NotYourTable):
                await table.seating.remove(guest, 2)
        await table.seating.remove("ada", 2)
        assert (ada.said["seats"][1]["taken"], ada.said["seats"][1]["name"]) == (False, None)
        assert ada.said["seal"]["bytes"][1] is None
        for seat in (2, 3):
            with pytest.raises(Removed):
                await table.seating.sit("ben", seat, "Ben", BYTES)
        await table.seating.sit("cleo", 2, "Cleo", BYTES)
        again = await hall.fresh(table)
        with pytest.raises(Removed):
            await again.seating.sit("ben", 3, "Ben", BYTES)
        assert again.seat(2).guest == "cleo"

    visit(tmp_path, what)


def test_one_may_get_up_and_sit_elsewhere(tmp_path: Path) -> None:
    async def what(hall: QuietHall) -> None:
        table, _ = await waiting(hall, ME, ANYONE, ANYONE)
        await table.seating.sit("ben", 2, "Ben", BYTES)
        await table.seating.remove("ben", 2)
        await table.seating.sit("ben", 3, "Ben", BYTES)
        await table.seating.remove("ada", 1)
        assert table.seat(1).reserved is None, "a seat that was kept is free for anybody"

    visit(tmp_path, what)


def test_bots_come_and_go(tmp_path: Path) -> None:
    async def what(hall: QuietHall) -> None:
        table, ada = await waiting(hall, ME, SeatWanted("bot", "club"), ANYONE)
        await table.seating.remove("ada", 2)
        await table.seating.sit("ben", 2, "Ben", BYTES)
        with pytest.raises(NotYourTable):
            await table.seating.fill("ben", 3, "novice")
        with pytest.raises(UnknownBot):
            await table.seating.fill("ada", 3, "oracle")
        with pytest.raises(SeatTaken):
            await table.seating.fill("ada", 2, "novice")
        await table.seating.sit("ada", 1, "Ada", BYTES)
        assert table.match is None
        await table.seating.fill("ada", 3, "novice")
        await hall.settle()
        assert ada.said["started"], "the last seat was the bot's"
        with pytest.raises(TableFull):
            await table.seating.sit("cleo", 3, "Cleo", BYTES)
        for change in (table.seating.remove("ada", 3), table.seating.fill("ada", 3, "club")):
            with pytest.raises(Begun):
                await change

    visit(tmp_path, what)


def test_a_seat_that_is_kept_is_freed_before_a_bot_gets_it(tmp_path: Path) -> None:
    async def what(hall: QuietHall) -> None:
        table, windows = await table_for(hall, ["ada", "ben"])
        await table.move("ada", 1, "resign", len(table.told))
        again = await hall.table(await hall.rematch(table, "ada", None))
        with pytest.raises(SeatReserved):
            await again.seating.fill("ada", 1, "club")
        await again.seating.remove("ada", 1)
        await again.seating.fill("ada", 1, "club")
        await again.seating.sit("ada", 2, "Ada", BYTES)
        await hall.settle()
        assert again.match is not None
        assert windows["ben"].said["rematch"] == again.id

    visit(tmp_path, what)


def test_who_is_removed_while_the_match_begins(tmp_path: Path) -> None:
    """The change that reaches the disk first holds: no match begins without all its people."""

    async def what(hall: QuietHall) -> None:
        table, ada = await waiting(hall, ME, ANYONE)
        await table.seating.sit("ada", 1, "Ada", BYTES)
        await table.seating.sit("ben", 2, "Ben", BYTES)
        try:
            await table.seating.remove("ada", 2)
        except Begun:
            await hall.settle()
            assert ada.said["started"]
        else:
            await hall.settle()
            assert table.match is None
            assert not ada.said["seats"][1]["taken"]
            await table.seating.sit("cleo", 2, "Cleo", BYTES)
            await hall.settle()
            assert ada.said["started"]

    visit(tmp_path, what)


# The lobby


def listed(window: Window) -> list[str]:
    return [table["table"] for table in window.told[-1]["tables"]]


def test_the_lobby_lists_open_tables_where_somebody_waits(tmp_path: Path) -> None:
    async def what(hall: QuietHall) -> None:
        cleo = Window("cleo")
        hall.lobby.follow(cleo)
        assert cleo.told == [{"type": "lobby", "tables": []}]
        table, ada = await waiting(hall, ME, ANYONE, open=True, clock=ClockWanted(turn=60))
        await waiting(hall, ME, ANYONE)
        await hall.wait(1000)
        assert listed(cleo) == [], "nobody sits there yet"
        await table.seating.sit("ada", 1, "Ada", BYTES)
        await hall.wait(1000)
        (told,) = cleo.told[-1]["tables"]
        assert (told["table"], told["game"], told["free"], told["clock"]) == (table.id, "pinpoint", 1, {"turn": 60})
        assert told["seats"] == [
            {"name": "Ada", "bot": None, "taken": True},
            {"name": None, "bot": None, "taken": False},
        ]
        assert told["options"]["players"] == 2
        assert 0 < told["age_ms"] <= 3000
        table.presence.leave(ada)
        await hall.wait(1000)
        assert listed(cleo) == [], "she is away"
        table.presence.join(ada, 0)
        await hall.wait(1000)
        assert listed(cleo) == [table.id]
        hall.lobby.leave(cleo)
        await table.seating.sit("ben", 2, "Ben", BYTES)
        await hall.wait(1000)
        assert listed(cleo) == [table.id], "who does not follow is told nothing"
        hall.lobby.follow(cleo)
        assert listed(cleo) == []

    visit(tmp_path, what)


def test_matches_by_correspondence_are_listed_while_nobody_is_there(tmp_path: Path) -> None:
    async def what(hall: QuietHall) -> None:
        id_ = await hall.create(TableWanted("pinpoint", [ME, ANYONE], open=True, clock=ClockWanted(turn=DAY)), "ada")
        cleo = Window(None)
        hall.lobby.follow(cleo)
        assert listed(cleo) == [id_]
        hall.put_away(rest=0)
        assert hall.in_memory == [id_]
        await hall.wait(2 * DAY * 1000)
        await hall.expire()
        assert listed(cleo) == []

    visit(tmp_path, what)


def test_the_lobby_over_the_wire(person: Comes) -> None:
    ada, ben = person(), person()
    wanted = {"game": "pinpoint", "seats": [{"for": "me"}, {"for": "anyone"}], "open": True}
    table = ada.http.post("/api/tables", json=wanted).json()["table"]
    ada.watch(table)
    ada.sit(1)
    ben.done("lobby", on=True)
    while (told := ben.receive())["type"] != "lobby" or table not in [one["table"] for one in told["tables"]]:
        pass
    ben.watch(table)
    ben.sit(2)
    ben.begin()
    while (told := ben.receive())["type"] != "lobby" or table in [one["table"] for one in told["tables"]]:
        pass
    ben.done("lobby", on=False)
    assert ben.refused("fill", seat=1, bot="club") == "table/not-yours"
    assert ada.refused("remove", seat=2) == "match/begun"
