"""The server's figures: `python bench/server_load.py` prints the time from a move sent to its being seen by the other.

1,000 tables at once, two people connected at each, a move every two seconds at each table, every move on the disk
(SQLite, synchronous FULL) before anybody is told. The clients run in a process of their own beside the server. Then:
what a reconnect after 50 missed moves costs.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import secrets
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import websockets
from served import own_server, wait_until_warm

WARM_UP = 4.0  # seconds, not measured
ARRIVING = 16  # tables at a time
MISSED = 50  # moves, before a reconnect


class Told(msgspec.Struct):
    """Of what the server says, what a client here needs."""

    type: str
    id: int | None = None
    n: int = 0
    to_move: list[int] = []
    legal: dict[str, dict[str, Any]] = {}
    started: bool = False
    result: Any = None


_told = msgspec.json.Decoder(Told)


class Client:
    """One of the people at a table."""

    def __init__(self, address: str, cookie: str, table: str, *seats: int) -> None:
        self.address, self.cookie, self.table, self.seats = address, cookie, table, seats
        self.begun = asyncio.Event()
        self.now = Told("table")
        self.errors = 0
        self.expected: tuple[int, float] | None = None  # a number that the other writes, and when it was sent
        self.seen: list[float] = []
        self.heard = 0  # bytes
        self._sent = 0
        self._answers: dict[int | None, asyncio.Future[bool]] = {}

    async def connect(self) -> None:
        url = self.address.replace("http", "ws") + "/api/socket"
        headers = {"Cookie": self.cookie}
        self.socket = await websockets.connect(
            url, compression=None, additional_headers=headers, open_timeout=60, ping_interval=None
        )
        self.reading = asyncio.create_task(self._read())
        await self.ask({"do": "watch"})
        for seat in self.seats:
            await self.ask({"do": "sit", "seat": seat, "bytes": secrets.token_hex(16)})

    async def _read(self) -> None:
        async for text in self.socket:
            self.heard += len(text)
            message = _told.decode(text)
            if message.type in ("done", "error"):
                self._answers.pop(message.id).set_result(message.type == "done")
                continue
            if self.expected is not None and message.n >= self.expected[0]:
                self.seen.append(time.perf_counter() - self.expected[1])
                self.expected = None
            self.now = message
            if message.started:
                self.begun.set()

    async def ask(self, message: dict[str, Any]) -> bool:
        self._sent += 1
        answer = self._answers[self._sent] = asyncio.get_running_loop().create_future()
        await self.socket.send(json.dumps({"id": self._sent, "table": self.table, **message}))
        done: bool = await answer
        self.errors += not done
        return done

    @property
    def seat(self) -> int | None:
        """The one on the move, of those that it holds."""
        return next((seat for seat in self.now.to_move if seat in self.seats), None)

    async def move(self) -> None:
        legal = self.now.legal[str(self.seat)]
        move = f"{random.choice(legal['pins'])}{random.choice(legal['holes'])}"
        await self.ask({"do": "move", "seat": self.seat, "move": move, "after": self.now.n})


async def play(table: tuple[Client, Client], seconds: float, every: float) -> None:
    """Make moves for the player to move; the other player sees them."""
    await asyncio.sleep(random.random() * every)
    start = time.perf_counter()
    due, measuring = start, False
    while due < start + WARM_UP + seconds:
        if not measuring and time.perf_counter() - start > WARM_UP:
            measuring = True
            for client in table:
                client.seen.clear()
        mover = next((client for client in table if client.seat is not None), None)
        if mover is not None:
            other = table[1] if mover is table[0] else table[0]
            other.expected = (mover.now.n + 1, time.perf_counter())
            await mover.move()
        due += every
        await asyncio.sleep(max(0.0, due - time.perf_counter()))


async def probe(delays: list[float]) -> None:
    """How late this process is woken: on a busy machine the figures say more of the machine than of the server."""
    while True:
        due = time.perf_counter() + 0.01
        await asyncio.sleep(0.01)
        delays.append(time.perf_counter() - due)


def percentile(values: list[float], thousandths: int) -> float:
    """In milliseconds, of seconds."""
    return sorted(values)[min(len(values) - 1, len(values) * thousandths // 1000)] * 1000


async def sit_down(first: str, second: str, arriving: asyncio.Semaphore) -> tuple[Client, Client]:
    """Return two people at a table of their own, whose match has begun. Each one connects to an address."""
    async with arriving:
        ada, ben = [await asyncio.to_thread(get_cookie, address) for address in (first, second)]
        id_ = await asyncio.to_thread(create, first, ada)
        pair = (Client(first, ada, id_, 1), Client(second, ben, id_, 2))
        for client in pair:
            await client.connect()
        for client in pair:
            await client.begun.wait()
        return pair


async def load(pid: int, address: str, tables: int, seconds: float, every: float) -> dict[str, Any]:
    arriving = asyncio.Semaphore(ARRIVING)
    pairs = await asyncio.gather(*(sit_down(address, address, arriving) for _ in range(tables)))
    delays: list[float] = []
    probing = asyncio.create_task(probe(delays))
    used, server, began = time.process_time(), cpu_seconds(pid), time.perf_counter()
    before = sum(ada.now.n for ada, _ in pairs)
    await asyncio.gather(*(play(pair, seconds, every) for pair in pairs))
    took, worked = time.perf_counter() - began, cpu_seconds(pid) - server
    busy, server = (time.process_time() - used) / took, worked / took
    a_move = worked / max(1, sum(ada.now.n for ada, _ in pairs) - before)
    probing.cancel()
    clients = [client for pair in pairs for client in pair]
    times = [seen for client in clients for seen in client.seen]
    unseen = sum(client.expected is not None for client in clients)
    errors = sum(client.errors for client in clients) + unseen
    late = percentile(delays, 990)
    return {"times": times, "errors": errors, "busy": busy, "server": server, "a_move": a_move, "delay": late}


async def reconnect(address: str) -> tuple[int, float]:
    """The bytes and the seconds of a reconnect after moves were missed, from the first packet to the last."""
    cookie = get_cookie(address)
    ada = Client(address, cookie, create(address, cookie), 1, 2)
    await ada.connect()
    await ada.begun.wait()
    have = ada.now.n
    for _ in range(MISSED):
        await ada.move()
    url, headers = address.replace("http", "ws") + "/api/socket", {"Cookie": cookie}
    began = time.perf_counter()
    async with websockets.connect(url, compression=None, additional_headers=headers) as socket:
        await socket.send(json.dumps({"do": "watch", "id": 1, "table": ada.table, "have": have}))
        told = await socket.recv()
        took = time.perf_counter() - began
    assert _told.decode(told).n == have + MISSED
    return len(told), took


def get_cookie(address: str) -> str:
    with urllib.request.urlopen(f"{address}/api/me") as answer:
        return str(answer.headers["set-cookie"]).partition(";")[0]


def create(address: str, cookie: str) -> str:
    wanted = {"game": "pinpoint", "options": {"players": 2}, "seats": [{"for": "anyone"}, {"for": "anyone"}]}
    request = urllib.request.Request(
        f"{address}/api/tables", json.dumps(wanted).encode(), {"Cookie": cookie, "Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return str(json.load(answer)["table"])


def run_load(pid: int, address: str, tables: int, seconds: float, every: float, out: Any) -> None:
    out.put(asyncio.run(load(pid, address, tables, seconds, every)))


def processes(pid: int) -> Iterator[int]:
    """A process and its descendants, on Linux."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            yield from processes(int(child))


def memory(pid: int) -> list[float]:
    """Resident megabytes of the server and of each of its workers."""
    found = []
    for process in processes(pid):
        with suppress(FileNotFoundError):  # it has just ended
            lines = Path(f"/proc/{process}/status").read_text().splitlines()
            found += [int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")]
    return found


def cpu_seconds(pid: int) -> float:
    if not Path("/proc").is_dir():
        return 0.0
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tables", type=int, default=1000)
    options.add_argument("--seconds", type=float, default=20.0)
    options.add_argument("--every", type=float, default=2.0, help="seconds between the moves of a table")
    given = options.parse_args()
    with own_server() as (pid, address):
        wait_until_warm(address)
        return report(pid, address, given.tables, given.seconds, given.every)


def report(pid: int, address: str, tables: int, seconds: float, every: float) -> int:
    at_rest = memory(pid) if Path("/proc").is_dir() else []
    out: Any = multiprocessing.get_context("spawn").Queue()
    clients = multiprocessing.get_context("spawn").Process(
        target=run_load, args=(pid, address, tables, seconds, every, out)
    )
    clients.start()
    measured = out.get()
    loaded = memory(pid)[0] if at_rest else 0.0
    clients.join()
    times, errors = measured["times"], measured["errors"]
    at = [percentile(times, part) for part in (500, 990, 999)]
    print(f"{tables} tables, a move every {every:g} s at each: {len(times)} moves measured, {errors} errors")
    print(f"sent to seen by the other: p50 {at[0]:.1f} ms, p99 {at[1]:.1f} ms, p99.9 {at[2]:.1f} ms")
    print(f"in the same time the clients themselves were woken late by: p99 {measured['delay']:.1f} ms")
    if at_rest:
        parts = " + ".join(f"{part:.0f}" for part in at_rest)
        print(f"memory at rest with every game warm: {sum(at_rest):.0f} MB (server + workers: {parts})")
        each = (loaded - at_rest[0]) * 1024 / tables
        print(f"memory of the server with the load: {loaded:.0f} MB, {each:.0f} kB a table")
        print(f"processor: {measured['server']:.2f} of a core in the server, {measured['busy']:.2f} in the clients")
        print(f"processor of the server: {measured['a_move'] * 1e6:.0f} microseconds a move")
    size, took = min(asyncio.run(reconnect(address)) for _ in range(5))
    print(f"reconnect after {MISSED} missed moves: {size / 1024:.1f} kB, {took * 1000:.1f} ms")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
