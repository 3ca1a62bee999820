"""Clocks at tables: running out of time, restarts, and what clients are sent."""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import kingbrick_board
import msgspec
import pytest
from guests_at_tables import Person, Server
from quiet_tables import QuietTables, Window, clock_shown, play, table_for, visit
from test_table import sat_down

from ludoteca.core.words import Message, say
from ludoteca.server.clock import DAY, LONGEST_SHOW, MOST_GIVEN_BACK, SHOW_CHANCE, ClockWanted

Comes = Callable[[], Person]
BANK = ClockWanted(bank=60, increment=5)


def test_everybody_is_told_the_clock(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], clock=BANK, options={"start": 1})
        assert windows["ada"].said["clock"] == clock_shown("bank", [1], [60_000, 60_000])
        await tables.wait(2000)
        await play(table, lag=100)
        assert windows["ben"].said["clock"]["left"] == [58_100, 60_000]
        assert windows["ben"].log[-1]["left"] == 58_100
        await tables.wait(500)
        cleo = Window("cleo")
        table.join(cleo, 0)
        assert cleo.said["clock"]["left"] == [57_600, 60_000], "as of the sending"

    visit(tmp_path, what)


def test_the_opponents_choose_when_time_runs_out(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], clock=BANK, options={"start": 1})
        ada, ben = windows.values()
        await tables.wait(59_999)
        assert ben.said["clock"]["late"] == []
        await tables.wait(1)
        assert ben.moves[-1] == "timeout 1"
        assert ben.said["clock"] == clock_shown("bank", [], [0, 60_000], late=[1])
        assert (ada.said["claimable"], ben.said["claimable"]) == (False, True)
        assert ben.said["seats"][0]["can_stand_in"]
        await tables.wait(3_600_000)
        assert ben.moves.count("timeout 1") == 1, "they wait"
        for _ in range(4):
            await play(table)
        assert (ben.said["claimable"], ben.said["clock"]["late"]) == (False, [])
        await play(table, 2, "offer draw")
        await play(table, 1, "decline")
        for _ in range(4):
            await play(table)
        await tables.wait(5000 + LONGEST_SHOW)
        await play(table, 2, "claim")
        assert ada.said["result"]["reason"] == "claimed"
        assert ada.said["result"]["winners"] == [2]
        assert ada.log[-1]["marks"] == {"claimed_from": [1], "late": [1]}, "the page tells the loser why"
        assert say(msgspec.convert(ada.log[-1]["message"], Message)) == "2 claims the match: 1 ran out of time"
        assert [entry["marks"] for entry in ada.log if entry["move"] == "timeout 1"] == [{"late": [1]}] * 2

    visit(tmp_path, what)


def test_a_move_that_the_network_still_carries_is_not_too_late(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], clock=ClockWanted(turn=5), options={"start": 1})
        windows["ada"].lag = 200
        table.schedule_next()
        await tables.wait(5100)
        assert table.match.position.conduct.late == frozenset()
        await play(table, lag=200)
        assert windows["ben"].log[-1]["left"] == 100
        await tables.wait(300)
        assert windows["ben"].moves[-1] == "timeout 1"

    visit(tmp_path, what)


def test_pin_points_own_limit_does_what_the_rules_say(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        _, windows = await table_for(tables, ["ada", "ben"], options={"start": 1, "turn_seconds": 30})
        ada = windows["ada"]
        assert ada.said["clock"] == clock_shown("turn", [1], [30_000, None])
        await tables.wait(30_000)
        assert ada.moves[-5] == "timeout 1"
        assert ada.said["to_move"] == [2]
        assert ada.said["clock"] == clock_shown("turn", [2], [None, 30_000], starts_in=3 * SHOW_CHANCE)
        assert not ada.said["claimable"]

    visit(tmp_path, what)


def test_the_time_of_the_match_and_of_the_turn_run_together(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], "aftaebr", options={"start": 1, "minutes": 2})
        ada, ben = windows.values()
        assert ada.said["clock"] == clock_shown("turn", [1], [30_000, None], match=120_000)
        await play(table)
        await tables.wait(1000)
        await play(table)
        assert ada.said["clock"] == clock_shown("turn", [0, 1], [30_000, None], match=120_000), "from the first turn"
        await tables.wait(10_000)
        await play(table)
        assert ada.said["clock"] == clock_shown("turn", [0, 2], [None, 30_000], match=110_000)
        await tables.wait(30_000)
        assert [(entry["by"], entry["message"]["key"]) for entry in ben.log[-2:]] == [
            (0, "core.said.timeout"),
            (0, "aftaebr.said.by_chance"),
        ]
        assert (ada.said["to_move"], ada.said["clock"]["running"]) == ([1], [0, 1])
        assert ada.said["clock"]["match"] == 80_000
        assert not ada.said["claimable"]

    visit(tmp_path, what)


def test_doing_nothing_does_not_win_at_aftaebr(tmp_path: Path) -> None:
    """12 A2: Ada put one piece, Ben waited, and Ben won by 32 pieces to 31."""

    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], "aftaebr", options={"start": 1, "minutes": 1})
        for _ in range(3):
            await play(table)
        turns = 0
        while table.match.result is None:
            await tables.wait(1000)
            if table.match.to_move == (1,):
                await play(table)
                turns += 1
        log = table.match.log
        assert (table.match.result.reason, [entry.move for entry in log].count("timeout 2")) == ("time", turns + 1)
        assert [entry.move for entry in log].count("time") == 1
        assert windows["ben"].said["result"]["scores"][1] <= 32 - 2

    visit(tmp_path, what)


def test_a_takeback_into_the_choice_of_colours_does_not_restart_the_time(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", None], "aftaebr", options={"start": 1, "minutes": 2})
        ada = windows["ada"]
        await play(table)
        await tables.settle()
        await tables.wait(20_000)
        assert ada.said["to_move"] == [1]
        await table.take_back("ada", 1)
        assert (ada.said["view"]["phase"], ada.said["clock"]["running"]) == ("colours", [1])
        assert ada.said["clock"]["match"] == 100_000
        await tables.wait(5000)
        await play(table)
        await tables.settle()
        assert (ada.said["clock"]["running"], ada.said["clock"]["match"]) == ([0, 1], 100_000)

    visit(tmp_path, what)


def test_clocks_after_a_restart(tmp_path: Path) -> None:
    """The time left is unchanged when the server is back: the time without a server is charged to nobody."""
    found = {}

    async def before(tables: QuietTables) -> None:
        table, _ = await table_for(tables, ["ada", "ben"], clock=ClockWanted(turn=3 * DAY), options={"start": 1})
        found["table"], found["then"] = table.id, tables.time.now()
        await tables.note_uptime()
        await tables.wait(DAY * 1000)
        await tables.note_uptime()
        await tables.wait(2000)

    async def after(tables: QuietTables) -> None:
        table = await tables.table(found["table"])
        ben = Window("ben")
        table.join(ben, 0)
        assert ben.said["clock"]["left"] == [2 * DAY * 1000, None]
        await tables.note_uptime()
        await tables.wait(DAY * 1000)
        await tables.note_uptime()

    async def much_later(tables: QuietTables) -> None:
        table = await tables.table(found["table"])
        ben = Window("ben")
        table.join(ben, 0)
        assert ben.said["clock"]["left"] == [DAY * 1000, None]
        await tables.wait(DAY * 1000)
        assert ben.said["clock"]["late"] == [1]

    visit(tmp_path, before)
    visit(tmp_path, after, found["then"] + 10 * DAY * 1000)
    visit(tmp_path, much_later, found["then"] + 20 * DAY * 1000)


def test_a_late_seat_is_late_after_a_restart_and_once_alone(tmp_path: Path) -> None:
    found = {}

    async def before(tables: QuietTables) -> None:
        table, _ = await table_for(tables, ["ada", "ben"], clock=BANK, options={"start": 1})
        await tables.wait(61_000)
        found["table"] = table.id

    async def after(tables: QuietTables) -> None:
        table = await tables.table(found["table"])
        await tables.wait(100_000)
        assert [entry.move for entry in table.match.log].count("timeout 1") == 1
        assert table.match.position.conduct.late == {1}

    visit(tmp_path, before)
    visit(tmp_path, after, 1_800_000_000_000)


def test_a_table_that_is_timed_stays_in_memory(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], clock=BANK, options={"start": 1})
        for window in windows.values():
            table.leave(window)
        tables.put_away(rest=0)
        assert tables.in_memory == [table.id]
        await tables.wait(60_000)
        tables.put_away(rest=0)
        assert tables.in_memory == []

    visit(tmp_path, what)


@pytest.mark.parametrize(
    ("clock", "options"),
    [({"turn": 1}, {}), ({"bank": 60, "turn": 60}, {}), ({"turn": 60}, {"turn_seconds": 60}), ({"increment": 5}, {})],
)
def test_tables_with_clocks_that_cannot_be(server: Server, person: Comes, clock: object, options: object) -> None:
    wanted = {"game": "pinpoint", "seats": [{"for": "me"}] * 2, "clock": clock, "options": options}
    answer = person().http.post("/api/tables", json=wanted)
    assert (answer.status_code, answer.json()["code"]) == (400, "clock/bad")


def test_a_turn_that_takes_too_long_on_a_real_server(person: Comes) -> None:
    """The clock moves, the remaining pins are put at random for no points, and the next seat's time begins."""
    ada = sat_down(person, "me", "me", start=1, turn_seconds=5)
    assert ada.said["clock"]["running"] == [1]
    assert 0 < ada.said["clock"]["left"][0] <= 5000
    ada.move("Re5")
    assert 0 < ada.log[-1]["left"] <= 5000
    n = ada.n
    ada.wait(lambda me: me.n > n)  # it comes without a request
    assert ada.log[n]["move"] == "timeout 1"
    assert ada.log[n]["message"] == {"key": "core.said.timeout", "params": {"seat": 1}}
    assert [(entry["by"], entry["score"]) for entry in ada.log[n + 1 : n + 4]] == [(0, 0)] * 3
    assert ada.log[n]["t"] >= 4500
    assert ada.said["to_move"] == [2]
    assert ada.said["clock"]["running"] == [2]
    assert ada.said["takeback"] is None  # there is a draw in between


def test_the_clock_runs_on_after_a_kill(start: Callable[..., Server]) -> None:
    server = start(game="pinpoint")
    ada = Person(server.address)
    ada.watch(ada.create("me", "me", start=1, turn_seconds=5))
    ada.sit(1, 2)
    ada.begin()
    ada.move("Re5")
    left = ada.log[-1]["left"]
    server.kill()
    back = ada.again(start(game="pinpoint").address)
    back.watch(ada.table)
    assert back.said["to_move"] in ([1], [2])
    if back.n == ada.n:
        assert back.said["clock"]["running"] == [1]
        assert back.said["clock"]["left"][0] <= left
    back.wait(lambda me: any(entry["move"] == "timeout 1" for entry in me.log))
    back.close()


class SlowLine:
    """A slow connection to the server, in both directions."""

    def __init__(self, port: int, delay: float) -> None:
        self._port, self._delay = port, delay
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._port))
            for ends in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=ends, daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while sent := source.recv(65536):
                time.sleep(self._delay)
                target.sendall(sent)
            target.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self._listening.close()


@pytest.mark.parametrize(("delay", "least"), [(0.06, 120), (0.4, MOST_GIVEN_BACK)])
def test_the_way_to_a_client_and_back_is_measured_and_given_back(server: Server, delay: float, least: int) -> None:
    line = SlowLine(server.port, delay)
    ada = Person(line.address)
    wanted = {"game": "pinpoint", "seats": [{"for": "me"}] * 2, "options": {"start": 1}, "clock": {"bank": 3600}}
    ada.watch(ada.http.post("/api/tables", json=wanted).json()["table"])
    ada.sit(1, 2)
    ada.begin()
    for _ in range(2):
        ada.move()
    before, last = ada.log[-2:]
    spent = last["t"] - before["t"]
    given = spent - (before["left"] - last["left"])
    assert least <= given <= MOST_GIVEN_BACK
    ada.close()
    line.close()


@pytest.mark.parametrize("clock", [ClockWanted(turn=60), ClockWanted(bank=60)], ids=["turn", "bank"])
def test_a_move_in_secret_changes_no_other_clock(tmp_path: Path, clock: ClockWanted) -> None:
    """Otherwise the moment at which Ada's time runs out would tell the size of Ben's army."""

    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], "kingbrick", clock=clock, options={"start": 1})
        await tables.wait(20_000)
        await table.move("ben", 2, kingbrick_board.formation(2), len(table.match.log))
        shown = windows["ada"].said["clock"]
        assert (shown["running"], shown["left"][0]) == ([1], 40_000)  # Ben is ready: his clock stands still
        await tables.wait(39_999)
        assert table.match.position.conduct.late == frozenset()
        await tables.wait(1)
        assert table.match.position.conduct.late == {1}

    visit(tmp_path, what)
