"""Before the match: taking seats, removing guests, bots on free seats, and the lobby."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from guests_at_tables import Person
from quiet_tables import QuietTables, Window, table_for, visit

from ludoteca.core.errors import UnknownBot
from ludoteca.server.clock import DAY, ClockWanted
from ludoteca.server.lobby import MOST_LISTED, MOST_OF_GUEST, MOST_OF_NETWORK
from ludoteca.server.new_table import SeatWanted, TableWanted
from ludoteca.server.refusals import (
    AlreadyBegun,
    NotYourTable,
    Removed,
    SeatReserved,
    SeatTaken,
    TableClosed,
    TableFull,
    UnknownTable,
)
from ludoteca.server.table import Table

Comes = Callable[[], Person]
ANYONE, ME = SeatWanted("anyone"), SeatWanted("me")
BYTES = b"x" * 16


async def waiting(tables: QuietTables, *seats: SeatWanted, **wanted: Any) -> tuple[Table, Window]:
    """Return a table that Ada created, and her window on it."""
    table = await tables.table(await tables.create(TableWanted("pinpoint", list(seats), **wanted), "ada"))
    ada = Window("ada")
    table.join(ada, 0)
    return table, ada


def test_the_creator_is_told_so(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, ada = await waiting(tables, ME, ANYONE, open=True, delay=30, chat=False, clock=ClockWanted(turn=60))
        ben = Window("ben")
        table.join(ben, 0)
        assert (ada.said["creator"], ben.said["creator"]) == (True, False)
        assert (ben.said["open"], ben.said["delay"], ben.said["chat"]) == (True, 30, False)
        assert (ben.said["watching"], ben.said["clock"], ben.said["said"]) == (2, None, [])
        assert ben.said["agreed_clock"] == {"turn": 60}

    visit(tmp_path, what)


def test_somebody_who_is_removed_cannot_sit_down_again(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, ada = await waiting(tables, ME, ANYONE, ANYONE)
        await table.waiting_room.sit("ben", 2, "Ben", BYTES)
        for guest in ("cleo", None):
            with pytest.raises(NotYourTable):
                await table.waiting_room.remove(guest, 2)
        await table.waiting_room.remove("ada", 2)
        assert (ada.said["seats"][1]["taken"], ada.said["seats"][1]["name"]) == (False, None)
        assert ada.said["seal"]["bytes"][1] is None
        for seat in (2, 3):
            with pytest.raises(Removed):
                await table.waiting_room.sit("ben", seat, "Ben", BYTES)
        await table.waiting_room.sit("cleo", 2, "Cleo", BYTES)
        again = await tables.fresh(table)
        with pytest.raises(Removed):
            await again.waiting_room.sit("ben", 3, "Ben", BYTES)
        assert again.row.seat(2).guest == "cleo"

    visit(tmp_path, what)


def test_one_may_get_up_and_sit_elsewhere(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, _ = await waiting(tables, ME, ANYONE, ANYONE)
        await table.waiting_room.sit("ben", 2, "Ben", BYTES)
        await table.waiting_room.remove("ben", 2)
        await table.waiting_room.sit("ben", 3, "Ben", BYTES)
        await table.waiting_room.remove("ada", 1)
        assert table.row.seat(1).reserved is None, "a seat that was kept is free for anybody"

    visit(tmp_path, what)


def test_bots_come_and_go(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, ada = await waiting(tables, ME, SeatWanted("bot", "club"), ANYONE)
        await table.waiting_room.remove("ada", 2)
        await table.waiting_room.sit("ben", 2, "Ben", BYTES)
        with pytest.raises(NotYourTable):
            await table.waiting_room.fill("ben", 3, "novice")
        with pytest.raises(UnknownBot):
            await table.waiting_room.fill("ada", 3, "oracle")
        with pytest.raises(SeatTaken):
            await table.waiting_room.fill("ada", 2, "novice")
        await table.waiting_room.sit("ada", 1, "Ada", BYTES)
        assert not table.has_begun
        await table.waiting_room.fill("ada", 3, "novice")
        await tables.settle()
        assert ada.said["started"], "the last seat was the bot's"
        with pytest.raises(TableFull):
            await table.waiting_room.sit("cleo", 3, "Cleo", BYTES)
        for change in (table.waiting_room.remove("ada", 3), table.waiting_room.fill("ada", 3, "club")):
            with pytest.raises(AlreadyBegun):
                await change

    visit(tmp_path, what)


def test_a_seat_that_is_kept_is_freed_before_a_bot_gets_it(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"])
        await table.move("ada", 1, "resign", len(table.match.log))
        again = await tables.table(await tables.rematch(table, "ada", None))
        with pytest.raises(SeatReserved):
            await again.waiting_room.fill("ada", 1, "club")
        await again.waiting_room.remove("ada", 1)
        await again.waiting_room.fill("ada", 1, "club")
        await again.waiting_room.sit("ada", 2, "Ada", BYTES)
        await tables.settle()
        assert again.has_begun
        assert windows["ben"].said["rematch"] == again.id

    visit(tmp_path, what)


def test_who_is_removed_while_the_match_begins(tmp_path: Path) -> None:
    """The change that is stored first holds: no match begins without all its people."""

    async def what(tables: QuietTables) -> None:
        table, ada = await waiting(tables, ME, ANYONE)
        await table.waiting_room.sit("ada", 1, "Ada", BYTES)
        await table.waiting_room.sit("ben", 2, "Ben", BYTES)
        try:
            await table.waiting_room.remove("ada", 2)
        except AlreadyBegun:
            await tables.settle()
            assert ada.said["started"]
        else:
            await tables.settle()
            assert not table.has_begun
            assert not ada.said["seats"][1]["taken"]
            await table.waiting_room.sit("cleo", 2, "Cleo", BYTES)
            await tables.settle()
            assert ada.said["started"]

    visit(tmp_path, what)


def test_somebody_who_is_removed_does_not_come_back_with_another_cookie(tmp_path: Path) -> None:
    """The creator closes the table: only guests who are there, sit there or are expected may sit down."""

    async def what(tables: QuietTables) -> None:
        table, ada = await waiting(tables, ME, ANYONE, ANYONE, ANYONE, open=True, clock=ClockWanted(turn=DAY))
        cleo, lobby = Window("cleo"), Window(None)
        table.join(cleo, 0)
        tables.lobby.follow(lobby)
        await table.waiting_room.sit("ben", 2, "Ben", BYTES)
        await table.waiting_room.sit("dora", 3, "Dora", BYTES)
        await table.waiting_room.remove("ada", 2)
        for guest in ("ben", "cleo", None):
            with pytest.raises(NotYourTable):
                await table.waiting_room.close_to_newcomers(guest, True)
        assert (ada.said["closed"], cleo.said["newcomer"]) == (False, False)
        await table.waiting_room.close_to_newcomers("ada", True)
        await tables.wait(1000)
        assert listed(lobby) == []
        for known in (table, await tables.fresh(table)):
            again = Window("ben with another cookie")
            known.join(again, 0)
            assert (again.said["closed"], again.said["newcomer"]) == (True, True)
            for guest, refused in (("ben", Removed), (again.guest_id, TableClosed), ("stranger", TableClosed)):
                with pytest.raises(refused):
                    await known.waiting_room.sit(str(guest), 2, "Ben", BYTES)
        known.join(cleo, 0)
        assert (cleo.said["closed"], cleo.said["newcomer"]) == (True, False)
        await known.waiting_room.sit("cleo", 2, "Cleo", BYTES)
        await known.waiting_room.sit("ada", 1, "Ada", BYTES)
        await known.waiting_room.close_to_newcomers("ada", False)
        assert (again.said["closed"], again.said["newcomer"]) == (False, False)
        await known.waiting_room.sit("stranger", 4, "Eve", BYTES)
        await tables.settle()
        assert known.has_begun
        with pytest.raises(AlreadyBegun):
            await known.waiting_room.close_to_newcomers("ada", True)

    visit(tmp_path, what)


# The lobby


def listed(window: Window) -> list[str]:
    return [table["table"] for table in window.sent[-1]["tables"]]


def test_the_lobby_lists_open_tables_where_somebody_waits(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        cleo = Window("cleo")
        tables.lobby.follow(cleo)
        assert cleo.sent == [{"type": "lobby", "tables": []}]
        table, ada = await waiting(tables, ME, ANYONE, open=True, clock=ClockWanted(turn=60))
        await waiting(tables, ME, ANYONE)
        await tables.wait(1000)
        assert listed(cleo) == [], "nobody sits there yet"
        await table.waiting_room.sit("ada", 1, "Ada", BYTES)
        await tables.wait(1000)
        (told,) = cleo.sent[-1]["tables"]
        assert (told["table"], told["game"], told["free"], told["clock"]) == (table.id, "pinpoint", 1, {"turn": 60})
        assert told["seats"] == [
            {"name": "Ada", "bot": None, "taken": True},
            {"name": None, "bot": None, "taken": False},
        ]
        assert told["options"]["players"] == 2
        assert 0 < told["age_ms"] <= 3000
        table.leave(ada)
        await tables.wait(1000)
        assert listed(cleo) == [], "she is away"
        table.join(ada, 0)
        await tables.wait(1000)
        assert listed(cleo) == [table.id]
        tables.lobby.leave(cleo)
        await table.waiting_room.sit("ben", 2, "Ben", BYTES)
        await tables.wait(1000)
        assert listed(cleo) == [table.id], "who does not follow is told nothing"
        tables.lobby.follow(cleo)
        assert listed(cleo) == []

    visit(tmp_path, what)


@pytest.mark.parametrize(("cookies", "network"), [(1, None), (100, "192.0.2.1")])
def test_one_guest_or_address_does_not_fill_the_lobby(tmp_path: Path, cookies: int, network: str | None) -> None:
    """The newest tables of one guest or address are listed, and those of others stay visible."""

    async def what(tables: QuietTables) -> None:
        wanted = TableWanted("pinpoint", [ME, ANYONE], open=True, clock=ClockWanted(turn=DAY))
        bens = await tables.create(wanted, "ben", "192.0.2.2")
        made = []
        for n in range(MOST_LISTED + 1):
            await tables.wait(1000)
            made.append(await tables.create(wanted, f"eve {n % cookies}", network))
        cleo = Window(None)
        tables.lobby.follow(cleo)
        most = MOST_OF_GUEST if cookies == 1 else MOST_OF_NETWORK
        assert listed(cleo) == [*made[: -most - 1 : -1], bens]

    visit(tmp_path, what)


def test_matches_by_correspondence_are_listed_while_nobody_is_there(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        id_ = await tables.create(TableWanted("pinpoint", [ME, ANYONE], open=True, clock=ClockWanted(turn=DAY)), "ada")
        cleo = Window(None)
        tables.lobby.follow(cleo)
        assert listed(cleo) == [id_]
        tables.put_away(rest=0)
        assert tables.in_memory == [id_]
        await tables.wait(2 * DAY * 1000)
        await tables.expire()
        assert listed(cleo) == []

    visit(tmp_path, what)


def test_the_lobby_over_the_wire(person: Comes) -> None:
    ada, ben = person(), person()
    wanted = {"game": "pinpoint", "seats": [{"for": "me"}, {"for": "anyone"}], "open": True}
    table = ada.http.post("/api/tables", json=wanted).json()["table"]
    ada.watch(table)
    ada.sit(1)
    ben.done("lobby", on=True)
    ben.wait(lambda me: table in me.listed)
    ben.watch(table)
    ben.sit(2)
    ben.begin()
    ben.wait(lambda me: table not in me.listed)
    ben.done("lobby", on=False)
    assert ben.refused("fill", seat=1, bot="club") == "table/not-yours"
    assert ada.refused("remove", seat=2) == "match/begun"


def test_the_creator_cancels_a_table_that_waits(person: Comes) -> None:
    ada, ben = person(), person()
    wanted = {"game": "pinpoint", "seats": [{"for": "me"}, {"for": "anyone"}, {"for": "anyone"}], "open": True}
    table = ada.http.post("/api/tables", json=wanted).json()["table"]
    ada.watch(table)
    ada.sit(1)
    (mine,) = ada.http.get("/api/me/tables").json()["tables"]
    assert (mine["state"], mine["open"], mine["creator"]) == ("waiting", True, True)
    ben.watch(table)
    ben.sit(2)
    assert [line["creator"] for line in ben.http.get("/api/me/tables").json()["tables"]] == [False]
    assert ben.refused("cancel") == "table/not-yours"
    ben.done("lobby", on=True)
    ada.done("cancel")
    while (told := ben.receive())["type"] != "cancelled":
        pass
    assert told == {"type": "cancelled", "table": table}
    while (told := ben.receive())["type"] != "lobby" or table in [one["table"] for one in told["tables"]]:
        pass
    assert (ada.refused("cancel"), ben.refused("watch", have=0)) == ("table/unknown", "table/unknown")
    assert ada.http.get("/api/me/tables").json()["tables"] == []


def test_a_match_that_has_begun_is_not_cancelled(person: Comes) -> None:
    ada = person()
    ada.watch(ada.create("me", "novice"))
    ada.sit(1)
    assert ada.refused("cancel") == "match/begun"


def test_a_cancelled_rematch_can_be_asked_for_again(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, _ = await table_for(tables, ["ada", "ben"])
        await table.move("ada", 1, "resign", len(table.match.log))
        first = await tables.rematch(table, "ada", None)
        with pytest.raises(NotYourTable):
            await tables.cancel(await tables.table(first), "ben")
        await tables.cancel(await tables.table(first), "ada")
        with pytest.raises(UnknownTable):
            await tables.table(first)
        assert table.row.rematch is None
        assert await tables.rematch(table, "ben", None) != first

    visit(tmp_path, what)
