"""The server's figures: `python bench/server_load.py` prints the time from a move sent to its acknowledgement.

200 tables at once, two people connected at each, a move every second at each table, every move on the disk
(SQLite, synchronous FULL) before it is acknowledged. The clients run in a process of their own beside the server.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import websockets

WARM_UP = 2.0  # seconds, not measured


class Client:
    """One of the two people at a table."""

    def __init__(self, address: str, cookie: str, table: str, seat: int) -> None:
        self.address, self.cookie, self.table, self.seat = address, cookie, table, seat
        self.begun = asyncio.Event()
        self.n = 0
        self.to_move: list[int] = []
        self.legal: dict[str, Any] = {}
        self.errors = 0
        self._sent = 0
        self._answers: dict[int, asyncio.Future[bool]] = {}

    async def connect(self) -> None:
        url = self.address.replace("http", "ws") + "/api/socket"
        headers = {"Cookie": self.cookie}
        self.socket = await websockets.connect(url, compression=None, additional_headers=headers, open_timeout=60)
        self.reading = asyncio.create_task(self._read())
        await self.ask({"do": "watch"})
        await self.ask({"do": "sit", "seat": self.seat, "bytes": secrets.token_hex(16)})

    async def _read(self) -> None:
        async for text in self.socket:
            message = json.loads(text)
            if message["type"] in ("done", "error"):
                self._answers.pop(message["id"]).set_result(message["type"] == "done")
                continue
            self.n, self.to_move, self.legal = message["n"], message["to_move"], message["legal"]
            if message.get("started"):
                self.begun.set()

    async def ask(self, message: dict[str, Any]) -> bool:
        self._sent += 1
        answer = self._answers[self._sent] = asyncio.get_running_loop().create_future()
        await self.socket.send(json.dumps({"id": self._sent, "table": self.table, **message}))
        done: bool = await answer
        self.errors += not done
        return done

    async def move(self) -> None:
        legal = self.legal[str(self.seat)]
        move = f"{random.choice(legal['pins'])}{random.choice(legal['holes'])}"
        await self.ask({"do": "move", "seat": self.seat, "move": move, "after": self.n})


async def play(table: tuple[Client, Client], seconds: float, times: list[float]) -> None:
    """A move every second, by whoever is on the move; the time of each to its acknowledgement."""
    await asyncio.sleep(random.random())
    start = time.perf_counter()
    end = start + WARM_UP + seconds
    due = start
    while due < end:
        mover = next((client for client in table if client.seat in client.to_move), None)
        if mover is not None and str(mover.seat) in mover.legal:
            sent = time.perf_counter()
            await mover.move()
            if sent - start > WARM_UP:
                times.append(time.perf_counter() - sent)
        due += 1.0
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


async def load(address: str, tables: int, seconds: float) -> dict[str, Any]:
    pairs = []
    for _ in range(tables):
        ada, ben = get_cookie(address), get_cookie(address)
        id_ = create(address, ada)
        pair = (Client(address, ada, id_, 1), Client(address, ben, id_, 2))
        for client in pair:
            await client.connect()
        pairs.append(pair)
    for pair in pairs:
        await asyncio.gather(*(client.begun.wait() for client in pair))
    times: list[float] = []
    delays: list[float] = []
    probing = asyncio.create_task(probe(delays))
    used = time.process_time()
    began = time.perf_counter()
    await asyncio.gather(*(play(pair, seconds, times) for pair in pairs))
    busy = (time.process_time() - used) / (time.perf_counter() - began)
    probing.cancel()
    errors = sum(client.errors for pair in pairs for client in pair)
    return {"times": times, "errors": errors, "busy": busy, "delay": percentile(delays, 990)}


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


def run_load(address: str, tables: int, seconds: float, out: Any) -> None:
    out.put(asyncio.run(load(address, tables, seconds)))


def wait_until_warm(address: str) -> float:
    start = time.perf_counter()
    while True:
        with urllib.request.urlopen(f"{address}/api/health") as answer:
            if json.load(answer)["warm"]:
                return time.perf_counter() - start
        time.sleep(0.1)


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
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
        found += [int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")]
    return found


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tables", type=int, default=200)
    options.add_argument("--seconds", type=float, default=12.0)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "ludoteca.cli", "serve", "--port", "0", "--data", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            wait_until_warm(address)
            return report(server.pid, address, given.tables, given.seconds)
        finally:
            server.terminate()
            server.wait()


def report(pid: int, address: str, tables: int, seconds: float) -> int:
    at_rest = memory(pid) if Path("/proc").is_dir() else []
    out: Any = multiprocessing.get_context("spawn").Queue()
    clients = multiprocessing.get_context("spawn").Process(target=run_load, args=(address, tables, seconds, out))
    used = cpu_seconds(pid) if at_rest else 0.0
    clients.start()
    measured = out.get()
    used = (cpu_seconds(pid) if at_rest else 0.0) - used
    clients.join()
    times, errors = measured["times"], measured["errors"]
    at = [percentile(times, part) for part in (500, 990, 999)]
    print(f"{tables} tables, a move a second each: {len(times)} moves measured, {errors} errors")
    print(f"sent to acknowledged: p50 {at[0]:.1f} ms, p99 {at[1]:.1f} ms, p99.9 {at[2]:.1f} ms")
    print(f"in the same time the clients themselves were woken late by: p99 {measured['delay']:.1f} ms")
    if at_rest:
        parts = " + ".join(f"{part:.0f}" for part in at_rest)
        print(f"memory at rest with one game warm: {sum(at_rest):.0f} MB (server + workers: {parts})")
        print(f"memory after the load: {sum(memory(pid)):.0f} MB")
        print(
            f"processor: {used:.1f} s in the server from the first table on; clients: {measured['busy']:.2f} of a core"
        )
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
