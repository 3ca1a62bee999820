"""The server is killed, stopped and started again, or cannot start at all."""

import asyncio
import os
import signal
import socket
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from guests_at_tables import HANG, Person, Server
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from ludoteca.core.match import Match
from ludoteca.core.record import from_json
from ludoteca.server.database.schema import STEPS

Start = Callable[..., Server]


@pytest.fixture
def start(start: Start) -> Start:
    """Return a function that starts a server with the only game that is played here."""
    return partial(start, game="pinpoint")


def sat_down(server: Server, *seats: str, **options: Any) -> Person:
    ada = Person(server.address)
    ada.watch(ada.create(*seats, **options))
    ada.sit(*(n for n, seat in enumerate(seats, start=1) if seat == "me"))
    ada.begin()
    return ada


def test_every_acknowledged_move_survives_a_kill(start: Start) -> None:
    server = start()
    ada = sat_down(server, "me", "me")
    acknowledged: list[str] = []
    timer = threading.Timer(0.5, server.process.kill)
    try:
        while True:  # until the server dies in the middle of an answer
            move = ada.a_move()
            ada.move(move)
            acknowledged.append(move)
            if len(acknowledged) == 5:
                timer.start()
            if ada.said["result"]:
                pytest.fail("the match was over before the server could be killed")
            time.sleep(0.01)
    except ConnectionClosed:
        pass
    server.kill()
    again = start()
    back = ada.again(again.address)
    back.watch(ada.table)
    moves = [entry["move"] for entry in back.log if entry["by"]]
    assert len(acknowledged) >= 5
    assert moves[: len(acknowledged)] == acknowledged
    assert len(moves) <= len(acknowledged) + 1  # one move may be stored although its answer was lost
    Match.load(from_json(back.http.get(f"/api/tables/{ada.table}/record").text))
    back.move()
    back.close()


def test_a_bot_that_was_to_move_moves_after_a_kill(start: Start) -> None:
    server = start()
    ada = sat_down(server, "me", "expert", start=2)
    server.kill()
    stored = ada.n
    again = start()
    back = Person(again.address, ada.http.cookies)
    end = time.monotonic() + HANG
    while True:  # no person is connected, and yet the bot plays its turn
        log = back.http.get(f"/api/tables/{ada.table}/record").json()["log"]
        if [entry["by"] for entry in log if entry["by"]] == [2] * 4:
            break
        assert time.monotonic() < end, log
        time.sleep(0.1)
    assert len(log) > stored
    back.watch(ada.table)
    assert back.said["to_move"] == [1]
    back.move()
    back.close()


def test_a_seat_that_was_taken_last_before_a_kill_begins_the_match(start: Start) -> None:
    """The server died between the last seat and the first draw. The next server draws."""
    server = start()
    ada = Person(server.address)
    ada.watch(ada.create("me", "anyone"))
    ada.sit(1)
    server.kill()
    with sqlite3.connect(server.data / "ludoteca.sqlite3") as db:
        db.execute("update seats set guest = 'ben', name = 'Ben', bytes = ? where seat = 2", (b"b" * 16,))
    db.close()
    again = start()
    back = ada.again(again.address)
    back.watch(ada.table)
    back.begin()
    assert back.n > 0
    back.close()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_no_worker_outlives_a_killed_server(start: Start) -> None:
    server = start()
    server.wait_until_warm()
    workers = [
        int(child)
        for task in Path(f"/proc/{server.process.pid}/task").glob("*/children")
        for child in task.read_text().split()
    ]
    assert workers
    server.kill()
    end = time.monotonic() + HANG
    while any(is_running(worker) for worker in workers):
        assert time.monotonic() < end
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_when_asked(start: Start, asked: signal.Signals) -> None:
    """Clients are told, nothing is written to stderr, and the match is there the next time."""
    server = start()
    ada = sat_down(server, "me", "me")
    ada.move()
    os.kill(server.process.pid, asked)
    with pytest.raises(ConnectionClosed) as closed:
        ada.wait(lambda me: False)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1012
    _, complaints = server.process.communicate(timeout=HANG)
    assert (server.process.returncode, complaints) == (0, "")
    again = start()
    back = ada.again(again.address)
    back.watch(ada.table)
    assert back.log == ada.log
    back.close()


def test_who_connects_at_the_last_moment_is_told_too(start: Start) -> None:
    """Connections that are accepted while the server stops do not keep it, and it complains about none of them."""

    async def come_again_and_again(url: str) -> None:
        while True:
            with suppress(OSError, EOFError, WebSocketException):
                async with connect(url, open_timeout=HANG, close_timeout=1, ping_interval=None) as one:
                    await one.wait_closed()
            await asyncio.sleep(0)

    async def what() -> None:
        server = start()
        url = server.address.replace("http", "ws") + "/api/socket"
        coming = [asyncio.create_task(come_again_and_again(url)) for _ in range(30)]
        await asyncio.sleep(0.05)
        assert await asyncio.to_thread(server.stop) == (0, "")
        for one in coming:
            one.cancel()
        await asyncio.gather(*coming, return_exceptions=True)

    for _ in range(2):
        asyncio.run(what())


def test_it_stops_at_once_while_it_compiles(start: Start) -> None:
    assert start().stop() == (0, "")


def test_two_servers_on_the_same_data(start: Start) -> None:
    """The number of an entry is the only lock: the first writer has moved, on either server."""
    first = start()
    ada = sat_down(first, "me", "me", start=1)
    second = start()
    ben = ada.again(second.address)
    ben.watch(ada.table)
    ada.move("Re5")
    assert ben.n == ada.n - 1
    assert ben.refused("move", seat=1, move="Rf6", after=ben.n) == "match/stale"
    assert ben.log == ada.log
    ben.move("Yf6", seat=1)
    assert ada.refused("move", seat=1, move="Yf7", after=ada.n) == "match/stale"
    assert ben.log == ada.log
    ben.close()


def test_a_taken_port(start: Start) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        server = start(port=port)
        _, complaints = server.process.communicate(timeout=HANG)
    assert server.process.returncode == 1
    assert f"port {port} is taken" in complaints
    assert "Traceback" not in complaints


def test_data_of_a_newer_version(start: Start, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with sqlite3.connect(tmp_path / "data" / "ludoteca.sqlite3") as db:
        db.execute(f"pragma user_version = {len(STEPS) + 1}")
    db.close()
    server = start()
    _, complaints = server.process.communicate(timeout=HANG)
    assert server.process.returncode == 1
    assert "newer Ludoteca" in complaints
    assert "Traceback" not in complaints


def test_the_address_of_the_network(start: Start) -> None:
    """Links are for friends: they contain an address that a friend can reach."""
    server = start("--host", "0.0.0.0")
    assert server.process.stdout is not None
    network = server.process.stdout.readline().split()[-1]
    assert "0.0.0.0" not in network
    wanted = {"game": "pinpoint", "seats": [{"for": "me"}, {"for": "anyone"}]}
    made = httpx.post(f"{server.address}/api/tables", json=wanted, timeout=HANG).json()
    assert made["link"] == f"{network}/t/{made['table']}"
