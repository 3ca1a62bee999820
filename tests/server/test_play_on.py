"""Play on from a position of a finished match: a new table, a new seal, and nothing hidden leaves the server."""

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from guests_at_tables import HANG, Person
from quiet_tables import QuietTables, Window, clock_shown, play, table_for, visit
from test_reviews import finished

from ludoteca.core.positions import NoPosition
from ludoteca.core.record import to_json
from ludoteca.lab.verify import verdict
from ludoteca.server.clock import ClockWanted
from ludoteca.server.database.checking import check_records
from ludoteca.server.new_table import PlayOn, SeatWanted
from ludoteca.server.refusals import BadSeats, UnknownEntry
from ludoteca.server.table import Table

Comes = Callable[[], Person]
FRIENDS = [SeatWanted("me"), SeatWanted("anyone")]


async def sat_down(tables: QuietTables, id_: str) -> tuple[Table, dict[str, Window]]:
    table = await tables.table(id_)
    windows = {guest: Window(guest) for guest in ("ada", "ben")}
    for seat, (guest, window) in enumerate(windows.items(), start=1):
        table.join(window, 0)
        await table.waiting_room.sit(guest, seat, guest.title(), b"%016d" % seat)
    await tables.settle()
    return table, windows


def test_a_new_table_goes_on_from_a_position(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        before = await finished(tables)
        id_ = await tables.play_on(before.id, before.match, PlayOn(4, FRIENDS), "ada")
        table, windows = await sat_down(tables, id_)
        assert table.match.n_given == 4
        assert [entry.move for entry in table.match.log[:4]] == [entry.move for entry in before.match.log[:4]]
        assert windows["ben"].said["given"] == {"entries": 4, "match": None, "entry": None}
        await play(table)
        assert windows["ada"].said["takeback"] is None or windows["ada"].said["takeback"]["target"] >= 4
        await tables.wait(1000)
        table = await tables.fresh(table)  # as a restarted server reads it
        assert (table.match.n_given, len(table.match.log)) == (4, 5)
        await table.move("ada", 1, "resign", 5)
        found = verdict(1, to_json(table.record("ada")))
        assert (found.rules.state, found.chance.state, found.given) == ("holds", "holds", 4)
        assert table.record(None).given.match == before.id
        assert not (await tables.storage.read(check_records)).wrong

    visit(tmp_path, what)


def test_a_bot_plays_on_by_itself(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        before = await finished(tables)
        bots = [SeatWanted("bot", "novice")] * 2
        table = await tables.table(await tables.play_on(before.id, before.match, PlayOn(5, bots), "ada"))
        await tables.wait(60_000)
        assert table.match.log[:5] != before.match.log[:5]  # without times and picks
        assert len(table.match.log) > 5

    visit(tmp_path, what)


def test_clocks_begin_anew(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        before = await finished(tables)
        wanted = PlayOn(5, FRIENDS, ClockWanted(bank=60, increment=5))
        table, windows = await sat_down(tables, await tables.play_on(before.id, before.match, wanted, "ada"))
        shown = clock_shown("bank", [2], [60_000, 60_000])
        assert windows["ada"].said["clock"] == shown, "at once: what was given is on the first board that a page shows"
        again = Window("ada")
        (await tables.fresh(table)).join(again, 0)
        assert again.said["clock"] == shown
        await tables.wait(20_000)
        await play(table)
        assert (table.match.log[-1].by, table.match.log[-1].left) == (2, 40_000)

    visit(tmp_path, what)


def test_hidden_hands_stay_hidden_and_the_first_match_is_not_named(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        before, _ = await table_for(tables, ["ada", "ada"], "tictacmatch")
        for _ in range(2):  # a lucky hand may win with the third card
            await play(before)
        await before.move("ada", 1, "resign", len(before.match.log))
        entry = next(n for n in range(len(before.match.log), 0, -1) if before.match.log[n - 1].move != "resign")
        id_ = await tables.play_on(before.id, before.match, PlayOn(entry, FRIENDS), "ada")
        table, windows = await sat_down(tables, id_)
        for seat, window in enumerate(windows.values(), start=1):
            hidden = [move for move in window.moves if move.startswith("deal ") and not move.startswith(f"deal {seat}")]
            assert hidden
            assert all(set(move.split()[2:]) == {"?"} for move in hidden)
            assert not any(before.id.encode() in raw for raw in window.raw)
        shown = to_json(table.record("ada"))
        assert before.id.encode() not in shown
        assert b"picks" not in shown
        await table.move("ben", 2, "resign", len(table.match.log))
        assert windows["ada"].said["seal"]["seed"]
        late = Window(None)
        table.join(late, 0)
        assert late.said["given"]["match"] == before.id

    visit(tmp_path, what)


def test_bad_positions_are_refused(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        before = await finished(tables)
        n = len(before.match.log)
        for wanted, refusal in (
            (PlayOn(n + 1, FRIENDS), UnknownEntry),
            (PlayOn(0, FRIENDS), NoPosition),
            (PlayOn(3, FRIENDS[:1]), BadSeats),
        ):
            with pytest.raises(refusal):
                await tables.play_on(before.id, before.match, wanted, "ada")

    visit(tmp_path, what)


def test_play_on_over_http(person: Comes) -> None:
    """Only from a finished match; bad bodies get one sentence; the record of the new match is verified."""
    ada = person()
    ada.watch(ada.create("me", "me", start=1))
    ada.sit(1, 2)
    ada.begin()
    ada.move()
    route = f"{ada.address}/api/tables/{ada.table}/on"
    body = {"entry": 3, "seats": [{"for": "bot", "bot": "novice"}, {"for": "me"}]}

    def asked(body: object) -> httpx.Response:
        return httpx.post(route, json=body, timeout=HANG)

    assert asked(body).json()["code"] == "match/running"
    ada.done("move", seat=1, move="resign", after=ada.n)
    assert asked({"entry": "x", "seats": []}).json()["code"] == "message/malformed"
    assert asked({**body, "entry": 999}).json()["code"] == "entry/unknown"
    assert asked({**body, "entry": 0}).json() == {
        "code": "position/refused",
        "text": "nothing has happened yet: make a new table instead",
    }
    assert asked({**body, "seats": [{"for": "me"}] * 3}).json()["code"] == "seats/bad"
    made = asked(body)
    assert made.status_code == 201, made.text
    assert made.json()["table"] != ada.table
