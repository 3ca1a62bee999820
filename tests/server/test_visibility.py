"""Visibility: spectators see late where a table wants it, and nobody sees secret moves."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kingbrick_board
import pytest
import sealed_bids
from quiet_tables import QuietTables, Window, clock_shown, play, table_for, visit

from ludoteca.core import registry
from ludoteca.core.chance import commitment
from ludoteca.core.errors import IllegalMove, StaleMatch
from ludoteca.core.match import Match
from ludoteca.core.record import from_json, to_json
from ludoteca.server import bots
from ludoteca.server.clock import SHOW_MOVE, ClockWanted
from ludoteca.server.refusals import NoTakeback, UnknownEntry
from ludoteca.server.table import Table


@pytest.fixture(autouse=True)
def _sealed_bids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add one game to the registry."""
    known: Callable[[str], Any] = registry.game
    monkeypatch.setattr(registry, "game", lambda key: sealed_bids.GAME if key == "sealedbids" else known(key))
    levels = bots.levels
    monkeypatch.setattr(bots, "levels", lambda key: () if key == "sealedbids" else levels(key))


def stranger_at(table: Table) -> Window:
    stranger = Window(None)
    table.join(stranger, 0)
    return stranger


def test_strangers_see_late(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(
            tables, ["ada", "ben"], delay=60, clock=ClockWanted(bank=600), options={"start": 1}
        )
        stranger = stranger_at(table)
        assert (stranger.said["n"], stranger.log, stranger.said["clock"]["left"]) == (0, [], [600_000, 600_000])
        await tables.wait(10_000)
        await play(table, move="Re5")
        await tables.wait(49_999)
        assert stranger.said["n"] == 0
        await tables.wait(1)
        assert stranger.said["n"] == len(stranger.log) == 1, "the beginning"
        await play(table, move="Ye6")
        assert (windows["ada"].said["n"], stranger.said["n"]) == (3, 1)
        await tables.wait(10_000)
        assert stranger.moves[-1] == "Re5"
        assert stranger.said["view"] == table.match.game.view(table.match.at(2).state, None)
        assert stranger.said["clock"]["left"] == [590_000, 600_000]
        assert windows["ada"].said["view"] != stranger.said["view"]
        await play(table, 2, "resign")
        assert (stranger.said["result"], stranger.said["seal"]["seed"], stranger.said["n"]) == (None, None, 2)
        for question, n in ((stranger, 2), (windows["ada"], 4)):
            assert table.record(question.guest_id).log[-1].move == table.match.log[n - 1].move
            table.look(question, n)
            with pytest.raises(UnknownEntry):
                table.look(question, n + 1)
        unfinished = from_json(to_json(table.record(None)))
        assert (unfinished.result, unfinished.seal and unfinished.seal.seed) == (None, None)
        Match.load(unfinished)
        again = await tables.table(await tables.rematch(table, "ada", None))
        assert (stranger.said["rematch"], windows["ben"].said["rematch"]) == (None, again.id)
        await tables.wait(60_000)
        assert stranger.said["result"]["winners"] == [1]
        assert stranger.said["seal"]["seed"] is not None
        assert stranger.log == windows["ada"].log
        assert Match.load(table.record(None)).result

    visit(tmp_path, what)


@pytest.mark.parametrize("event", ["resignation", "end", "request"])
def test_late_strangers_are_sent_nothing_when_somebody_resigns(tmp_path: Path, event: str) -> None:
    """They get no byte until the delay is over. Then they see who is out, and the rematch."""

    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben", "cleo"], delay=60, options={"start": 1})
        await play(table)
        await tables.wait(61_000)
        stranger = stranger_at(table)
        await tables.wait(1000)
        before = len(stranger.raw)
        if event == "request":
            await table.take_back("ada", 1)
        for seat in {"resignation": [1], "end": [1, 2]}.get(event, []):
            await play(table, seat, "resign")
            assert windows["ben"].said["seats"][seat - 1]["out"]
        if event == "end":
            await tables.rematch(table, "ada", None)
            assert windows["cleo"].said["rematch"]
        await tables.wait(58_000)
        assert len(stranger.raw) == before
        table.join(stranger, 0)
        assert stranger.raw[-1] == stranger.raw[0]
        await tables.wait(2000)
        out = [seat["out"] for seat in stranger.said["seats"]]
        assert out == [event != "request", event == "end", False]
        assert (stranger.said["rematch"] is not None) is (event == "end")
        assert (stranger.said["result"] is not None) is (event == "end")

    visit(tmp_path, what)


def test_strangers_see_late_after_a_restart_too(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, _ = await table_for(tables, ["ada", "ben"], delay=60, options={"start": 1})
        await tables.wait(61_000)
        for _ in range(3):
            await play(table)
            await tables.wait(20_000)
        again = await tables.fresh(table)
        stranger = stranger_at(again)
        assert stranger.said["n"] == 2
        await tables.wait(19_999)
        assert stranger.said["n"] == 2
        await tables.wait(1)
        assert stranger.said["n"] == 3

    visit(tmp_path, what)


def test_hidden_cards_stay_hidden_from_strangers_until_they_see_the_end(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, _ = await table_for(tables, ["ada", "ben"], "tictacmatch", delay=60, options={"start": 1})
        await tables.wait(61_000)
        stranger = stranger_at(table)
        await play(table, 2, "resign")
        late = stranger_at(table)
        fresh = Window("ada")
        table.join(fresh, 0)
        assert not any("?" in move for move in fresh.moves)
        for window in (stranger, late):
            assert all("?" in move for move in window.moves if move.startswith(("deal", "draw")))
        assert any("?" in move for move in late.moves)
        assert "?" in to_json(table.record(None)).decode()
        await tables.wait(60_000)
        after = stranger_at(table)
        assert not any("?" in move for move in after.moves)

    visit(tmp_path, what)


def told_of_the_set_up(folder: Path, seat: int | None, bid: int | None) -> list[bytes]:
    """Return everything that one player, or a spectator, is sent while the other bids, or does not bid."""
    found: list[bytes] = []
    drawn: list[str] = []  # the draws when the table was created
    guest = f"guest {seat}" if seat else None

    async def what(tables: QuietTables) -> None:
        clock = ClockWanted(bank=60)
        table, windows = await table_for(tables, ["guest 1", "guest 2"], "sealedbids", clock=clock)
        window = windows[guest] if guest else stranger_at(table)
        window.raw.clear()
        if bid is not None:
            await table.move("guest 1", 1, f"bid {bid}\nready", 0)
        await tables.wait(1000)
        again = Window(guest)
        table.join(again, 0)
        table.join(window, 0)
        found.extend((*window.raw, *again.raw, to_json(table.record(guest))))
        for after in (0, 1, 2, 3):
            for move in ("nod", "resign now"):
                try:
                    await table.move(guest, seat or 2, move, after)
                except Exception as error:
                    found.append(f"{type(error).__name__}: {error}".encode())
        for entry in (0, 1, 2):
            try:
                found.append(str(table.look(again, entry)).encode())
            except UnknownEntry as unknown:
                found.append(str(unknown).encode())
        (mine,) = await tables.tables_of("guest 2")
        found.append(f"{mine.known} {mine.changed} {2 in mine.on_move}".encode())
        drawn.extend((table.id, commitment(table.row.seed), *(seat.commit or "" for seat in table.row.seats)))

    visit(folder, what)
    for n, text in enumerate(drawn):
        found = [told.replace(text.encode(), b"drawn %d" % n) for told in found]
    return found


@pytest.mark.parametrize("seat", [2, None])
def test_nobody_learns_what_the_other_chose(tmp_path: Path, seat: int | None) -> None:
    """No byte differs, whatever the other player chose; that they are ready is told."""
    three = told_of_the_set_up(tmp_path / "three", seat, 3)
    assert three == told_of_the_set_up(tmp_path / "nine", seat, 9)
    assert three != told_of_the_set_up(tmp_path / "nothing", seat, None)
    assert told_of_the_set_up(tmp_path / "own", 1, 3) != told_of_the_set_up(tmp_path / "other", 1, 9), (
        "one's own is seen"
    )


def test_all_is_told_when_both_are_ready(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], "sealedbids", clock=ClockWanted(bank=60))
        ada, ben = windows.values()
        assert ben.said["clock"]["running"] == [1, 2], "both think at once"
        await tables.wait(5000)
        await table.move("ada", 1, "bid 3\nready", 0)
        assert (ada.said["n"], ada.said["to_move"], ada.said["clock"]["left"]) == (2, [2], [55_000, 55_000])
        assert (ben.said["n"], ben.said["to_move"], ben.said["legal"]) == (0, [2], {"2": {"bid": [1, 9]}})
        await tables.wait(5000)
        await table.move("ben", 2, "bid 7\nready", 0)
        assert ada.log == ben.log
        assert ben.moves == ["bid 3", "ready", "bid 7", "ready"]
        assert [entry["left"] for entry in ben.log] == [55_000, 55_000, 50_000, 50_000]
        assert ben.said["view"] == {"bids": [3, 7]}
        assert ben.said["clock"] == clock_shown("bank", [1], [55_000, 50_000], starts_in=SHOW_MOVE)
        with pytest.raises(StaleMatch):
            await table.move("ada", 1, "nod", 2)
        await table.move("ada", 1, "nod", 4)

    visit(tmp_path, what)


def test_what_the_table_says_after_a_secret_waits_with_it(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], "sealedbids", clock=ClockWanted(bank=60))
        ada, ben = windows.values()
        await table.move("ada", 1, "bid 3\nready", 0)
        await tables.wait(60_000)
        assert (ada.moves[-1], ben.said["n"]) == ("timeout 2", 0)
        assert table.match.position.conduct.late == {2}
        assert (ada.said["claimable"], ben.said["claimable"]) == (True, False)
        with pytest.raises(IllegalMove, match="no opponent"):
            await table.move("ben", 2, "claim", 0)
        await table.move("ben", 2, "bid 7\nready", 0)
        assert ben.moves == ["bid 3", "ready", "timeout 2", "bid 7", "ready"]

    visit(tmp_path, what)


def test_what_was_chosen_unseen_is_not_taken_back(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], "sealedbids")
        await table.move("ada", 1, "bid 3\nready", 0)
        assert windows["ada"].said["takeback"] is None
        with pytest.raises(NoTakeback):
            await table.take_back("ada", 1)
        await table.move("ben", 2, "bid 7\nready", 0)
        with pytest.raises(NoTakeback):
            await table.take_back("ben", 2)
        with pytest.raises(IllegalMove, match="made in secret"):
            table.match.play("takeback 2", by=0)
        await table.move("ada", 1, "nod", 4)
        assert windows["ada"].said["takeback"] == {"target": 4, "free": False}

    visit(tmp_path, what)


def test_two_at_one_device_set_up_one_after_the_other(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ada"], "sealedbids")
        ada = windows["ada"]
        assert (ada.said["eye"], ada.said["to_move"]) == (None, [1, 2])
        table.be_ready(ada, 1)
        assert (ada.said["eye"], list(ada.said["legal"])) == (1, ["1"])
        await table.move("ada", 1, "bid 3\nready", 0)
        assert (ada.said["eye"], ada.said["to_move"], ada.said["view"]) == (None, [2], {"bids": [None, None]})
        table.be_ready(ada, 2)
        assert (ada.said["eye"], ada.said["view"]) == (2, {"bids": [None, 0]})
        await table.move("ada", 2, "bid 7\nready", ada.said["n"])
        assert ada.said["view"] == {"bids": [3, 7]}
        assert len(ada.log) == ada.said["n"] == 4

    visit(tmp_path, what)


@pytest.mark.rule("KB-10")
@pytest.mark.parametrize("guest", ["ben", None])
def test_a_kingbrick_set_up_stays_behind_the_screen_until_both_are_ready(tmp_path: Path, guest: str | None) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], "kingbrick", options={"start": 1})
        window = windows[guest] if guest else stranger_at(table)
        window.raw.clear()
        await table.move("ada", 1, kingbrick_board.formation(1), 0)
        again = Window(guest)
        table.join(again, 0)
        told = b"".join((*window.raw, *again.raw, to_json(table.record(guest))))
        assert (again.log, again.said["n"], again.said["view"]["bricks"]) == ([], 0, [])
        assert window.said["to_move"] == again.said["to_move"] == [2]  # that Ada is ready is no secret
        assert not any(word in told for word in (b"army K", b"stand r", b'"r1"', b'"ready":true'))
        await table.move("ben", 2, kingbrick_board.formation(2), 0)
        assert "army K 4C 12G" in again.moves
        assert len(again.said["view"]["bricks"]) == 34

    visit(tmp_path, what)


@pytest.mark.rule("KB-10")
def test_two_that_are_ready_at_once_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ada is ready while Ben's formation is still being measured."""
    is_measured, may_end = threading.Event(), threading.Event()
    game = kingbrick_board.GAME
    admit = game.admit

    def slowly(state: Any, by: int, move: str) -> None:
        if by == 2:
            is_measured.set()
            may_end.wait()
        admit(state, by, move)

    monkeypatch.setattr(game, "admit", slowly)

    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], "kingbrick", options={"start": 1})
        ben = asyncio.create_task(table.move("ben", 2, kingbrick_board.formation(2), 0))
        await asyncio.to_thread(is_measured.wait)
        await table.move("ada", 1, kingbrick_board.formation(1), 0)
        may_end.set()
        await ben
        assert windows["ada"].said["to_move"] == [1]
        assert len(windows["ben"].said["view"]["bricks"]) == 34

    visit(tmp_path, what)
