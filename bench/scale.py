"""What a move costs on PostgreSQL, with one, two and three nodes, and what many sockets cost: `python bench/scale.py`.

At every table the two people are on different nodes, where there are several. Each table moves as soon as its last move
was seen by the other. Nodes, database and clients share this machine: what they use is told apart.
"""

import argparse
import asyncio
import multiprocessing
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import websockets
from own_postgres import Postgres, executed, own_postgres
from served import serving, wait_until_warm
from server_load import Client, cpu_seconds, memory, percentile, processes, sit_down

WARM_UP = 3.0  # seconds, not measured
ARRIVING = 8  # tables, or sockets, at a time


class Measured(NamedTuple):
    moves: int
    seconds: float
    seen: list[float]  # seconds from a move sent to its being seen by the other
    heard: int  # bytes


@contextmanager
def nodes(database: str, number: int) -> Iterator[list[tuple[int, str]]]:
    """Servers on one database: process id and address of each."""
    with ExitStack() as held:
        yield [held.enter_context(serving("--database", database)) for _ in range(number)]


async def play(pair: tuple[Client, Client], until: float) -> int:
    """Move as soon as the other has seen the last move. Return how many moves were acknowledged."""
    moves = 0
    while time.perf_counter() < until and pair[0].now.result is None:
        mover = next((client for client in pair if client.seat is not None), None)
        if mover is None:
            await asyncio.sleep(0.001)
            continue
        other = pair[1] if mover is pair[0] else pair[0]
        number = mover.now.n + 1
        other.expected = (number, time.perf_counter())
        await mover.move()
        moves += 1
        while other.now.n < number:
            await asyncio.sleep(0.001)
    return moves


async def load(addresses: list[str], tables: int, seconds: float) -> Measured:
    arriving = asyncio.Semaphore(ARRIVING)
    neighbours = list(zip(addresses, [*addresses[1:], addresses[0]], strict=True))
    pairs = await asyncio.gather(*(sit_down(*neighbours[n % len(neighbours)], arriving) for n in range(tables)))
    await asyncio.gather(*(play(pair, time.perf_counter() + WARM_UP) for pair in pairs))
    for pair in pairs:
        for client in pair:
            client.seen.clear()
            client.heard = 0
    began = time.perf_counter()
    moves = sum(await asyncio.gather(*(play(pair, began + seconds) for pair in pairs)))
    seen = [one for pair in pairs for client in pair for one in client.seen]
    heard = sum(client.heard for pair in pairs for client in pair)
    return Measured(moves, time.perf_counter() - began, seen, heard)


def run_load(addresses: list[str], tables: int, seconds: float, out: Any) -> None:
    out.put(asyncio.run(load(addresses, tables, seconds)))


def in_own_process(target: Any, *given: Any) -> Any:
    context = multiprocessing.get_context("spawn")
    out = context.Queue()
    clients = context.Process(target=target, args=(*given, out))
    clients.start()
    found = out.get()
    clients.join()
    return found


def all_cpu(pid: int) -> float:
    return sum(cpu_seconds(process) for process in processes(pid))


def written(address: str) -> tuple[int, int]:
    """Bytes of the database, and of its log so far."""
    ((size, log),) = executed(
        address, "select pg_database_size(current_database()), pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"
    )
    return int(str(size)), int(str(log))


def measure_nodes(postgres: Postgres, number: int, tables: int, seconds: float) -> None:
    database = postgres.new_database()
    with nodes(database, number) as servers:
        for _, address in servers:
            wait_until_warm(address)
        addresses, pids = [address for _, address in servers], [pid for pid, _ in servers]
        rest = sum(memory(pid)[0] for pid in pids)
        before, used, size = all_cpu(postgres.pid), sum(map(cpu_seconds, pids)), written(database)
        found: Measured = in_own_process(run_load, addresses, tables, seconds)
        database_used, node_used = all_cpu(postgres.pid) - before, sum(map(cpu_seconds, pids)) - used
        grown = [after - earlier for after, earlier in zip(written(database), size, strict=True)]
        stored = int(str(executed(database, "select count(*) from entries where entry not like '%\"by\":0%'")[0][0]))
        loaded = sum(memory(pid)[0] for pid in pids)
    rate = found.moves / found.seconds
    at = [percentile(found.seen, part) for part in (500, 990)]
    print(f"{number} node{'s' * (number > 1)}, {tables} tables: {rate:.0f} moves/s acknowledged and seen by the other")
    print(f"  sent to seen: p50 {at[0]:.1f} ms, p99 {at[1]:.1f} ms")
    costs = [used / stored * 1000 for used in (node_used, database_used)]
    print(f"  processor: {costs[0]:.2f} ms a move in the nodes, {costs[1]:.2f} ms in the database")
    print(f"  bytes a move: {found.heard / found.moves:.0f} to both people, {grown[0] / stored:.0f} in the database,"
          f" {grown[1] / stored:.0f} in its log")  # fmt: skip
    print(f"  memory of the nodes: {(loaded - rest) * 1024 / tables:.0f} kB a table with two sockets", flush=True)


def run_hold(address: str, number: int, ready: Any, out: Any) -> None:
    _raise_limit()

    async def held() -> None:
        sockets: list[Any] = []
        arriving, url = asyncio.Semaphore(64), address.replace("http", "ws") + "/api/socket"

        async def opened() -> None:
            async with arriving:
                socket = await websockets.connect(url, compression=None, open_timeout=300, ping_interval=None)
                await socket.send('{"do": "ping", "id": 0}')  # who says nothing for two minutes is sent away
                await socket.recv()
                sockets.append(socket)

        began = time.perf_counter()
        await asyncio.gather(*(opened() for _ in range(number)))
        took, answers = time.perf_counter() - began, []
        for socket in sockets:
            asked = time.perf_counter()
            await socket.send('{"do": "ping", "id": 1}')
            await socket.recv()
            answers.append(time.perf_counter() - asked)
        out.put((took, answers))
        while not ready.is_set():
            await asyncio.sleep(0.1)

    asyncio.run(held())


def _raise_limit() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def measure_sockets(postgres: Postgres, number: int) -> None:
    _raise_limit()
    context = multiprocessing.get_context("spawn")
    with nodes(postgres.new_database(), 1) as ((pid, address),):
        rest, used = memory(pid)[0], cpu_seconds(pid)
        ready, out = context.Event(), context.Queue()
        clients = context.Process(target=run_hold, args=(address, number, ready, out))
        clients.start()
        took, answers = out.get()
        each = (memory(pid)[0] - rest) * 1024 / number
        opening = (cpu_seconds(pid) - used) / number * 1000
        idle = cpu_seconds(pid)
        time.sleep(20)
        idle = (cpu_seconds(pid) - idle) / 20
        ready.set()
        clients.join()
    print(f"{number} sockets on one node: opened in {took:.0f} s, {opening:.2f} ms of processor each")
    print(f"  a sign of life then: p50 {percentile(answers, 500):.1f} ms, p99 {percentile(answers, 990):.1f} ms")
    print(f"  memory: {each:.1f} kB a socket; processor while nobody plays: {idle:.2f} of a core (pings)", flush=True)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tables", type=int, default=60)
    options.add_argument("--seconds", type=float, default=15.0)
    options.add_argument("--sockets", type=int, default=10_000)
    options.add_argument("--nodes", default="1,2,3")
    given = options.parse_args()
    with own_postgres() as postgres:
        for number in filter(None, given.nodes.split(",")):
            measure_nodes(postgres, int(number), given.tables, given.seconds)
        if given.sockets:
            measure_sockets(postgres, given.sockets)
    return 0


if __name__ == "__main__":
    sys.exit(main())
