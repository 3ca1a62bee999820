"""Three nodes on one database while people play: nodes are killed and frozen, the database goes away.

No acknowledged move is lost, none is doubled, every match goes on, clocks charge nobody. How quickly it goes on
is not judged: nothing fails because a machine is slow.
"""

import asyncio
import json
import os
import random
import secrets
import signal
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
import websockets
from databases import asked
from guests_at_tables import HANG, Server
from own_postgres import Postgres, own_postgres

from ludoteca.core.match import Match
from ludoteca.core.record import from_json

NODES, PLAYERS = 3, 6
FROZEN, AWAY = 20.0, 4.0  # seconds
PATIENCE = 5.0  # seconds that a page waits for an answer before it tries another connection
BANK = 3600  # seconds
LOST = (websockets.ConnectionClosed, websockets.InvalidHandshake, OSError, EOFError, TimeoutError, httpx.TransportError)


class Nodes:
    """Servers on one database. A proxy would send people to one that answers; here they try one after another."""

    def __init__(self, database: str) -> None:
        self.database = database
        self.servers = [Server(database) for _ in range(NODES)]

    def replace(self, node: int) -> None:
        """As an upgrade does: the old one is stopped, a new one takes its place."""
        port = self.servers[node].port
        code, complaints = self.servers[node].stop()
        assert (code, complaints) == (0, "")
        self.servers[node] = Server(self.database, port=port)

    def close(self) -> None:
        for server in self.servers:
            with suppress(ProcessLookupError):
                os.killpg(server.process.pid, signal.SIGCONT)
            server.close()


class Player:
    """Holds both seats of a table, and plays on whatever happens."""

    def __init__(self, nodes: Nodes, number: int) -> None:
        self._nodes, self._rng = nodes, random.Random(number)
        self._node = number % NODES
        with httpx.Client(base_url=nodes.servers[self._node].address, timeout=HANG) as http:
            http.get("/api/me")
            seats = [{"for": "me"}, {"for": "me"}]
            wanted = {"game": "pinpoint", "seats": seats, "clock": {"bank": BANK, "increment": 0}}
            self.table = http.post("/api/tables", json={**wanted, "options": {"start": 1}}).json()["table"]
            self.cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
        self.acknowledged: dict[int, str] = {}
        self.said: dict[str, Any] = {}
        self.log: list[dict[str, Any]] = []
        self.lost = 0  # connections

    @property
    def over(self) -> bool:
        return self.said.get("result") is not None

    async def play(self, ending: asyncio.Event) -> None:
        while not ending.is_set() and not self.over:
            address = self._nodes.servers[self._node].address
            try:
                await self._visit(address, ending)
            except LOST:
                self.lost += 1
                self._node = (self._node + 1) % NODES
                await asyncio.sleep(0.1)

    async def _visit(self, address: str, ending: asyncio.Event) -> None:
        url, headers = address.replace("http", "ws") + "/api/socket", {"Cookie": self.cookie}
        async with websockets.connect(
            url, additional_headers=headers, open_timeout=PATIENCE, close_timeout=1, max_size=None, ping_interval=None
        ) as socket:
            answer = await self._ask(socket, {"do": "watch", "have": 0})
            if answer["type"] == "error":
                assert answer["code"] == "server/storage", answer
                raise OSError("the table cannot be read now")
            for seat in self.said["seats"]:
                if not seat["taken"]:
                    await self._ask(socket, {"do": "sit", "seat": seat["seat"], "bytes": secrets.token_hex(16)})
            while not ending.is_set() and not self.over:
                if self.said["started"] and self._mine():
                    await self._move(socket)
                    await asyncio.sleep(0.05 + 0.1 * self._rng.random())
                else:
                    await self._hear(socket)

    def _mine(self) -> list[int]:
        held = [seat["seat"] for seat in self.said["seats"] if seat["mine"]]
        return [seat for seat in self.said["to_move"] if seat in held]

    async def _hear(self, socket: Any) -> dict[str, Any]:
        """A page that hears nothing for a while asks for a sign of life, and gives the connection up without one."""
        try:
            text = await asyncio.wait_for(socket.recv(), PATIENCE)
        except TimeoutError:
            await socket.send(json.dumps({"do": "ping", "id": 0}))
            text = await asyncio.wait_for(socket.recv(), PATIENCE)
        message: dict[str, Any] = json.loads(text)
        if message["type"] in ("table", "entries"):
            start = message.get("have", message.get("after"))
            self.log = self.log[:start] + message["entries"]
            self.said = {**self.said, **message}
        return message

    async def _ask(self, socket: Any, message: dict[str, Any]) -> dict[str, Any]:
        await socket.send(json.dumps({"id": 1, "table": self.table, **message}))
        end = time.monotonic() + PATIENCE
        while (answer := await self._hear(socket))["type"] not in ("done", "error") or answer["id"] != 1:
            if time.monotonic() > end + HANG:
                raise TimeoutError
        return answer

    async def _move(self, socket: Any) -> None:
        seat, after = self._mine()[0], self.said["n"]
        legal = self.said["legal"][str(seat)]
        move = f"{self._rng.choice(legal['pins'])}{self._rng.choice(legal['holes'])}"
        answer = await self._ask(socket, {"do": "move", "seat": seat, "move": move, "after": after})
        if answer["type"] == "done":
            assert after + 1 not in self.acknowledged, "acknowledged twice"
            self.acknowledged[after + 1] = move
        else:
            assert answer["code"] in ("match/stale", "server/storage", "move/illegal"), answer
            await asyncio.sleep(0.1)

    def check(self, address: str) -> None:
        """What was acknowledged is in the record where it was acknowledged, and the whole record holds."""
        record = from_json(httpx.get(f"{address}/api/tables/{self.table}/record", timeout=HANG).content)
        if record.result:
            Match.load(record)
        made = {number: entry.move for number, entry in enumerate(record.log, start=1)}
        assert {number: made.get(number) for number in self.acknowledged} == self.acknowledged
        times = [entry.t or 0 for entry in record.log]
        assert times == sorted(times)


class Watch:
    """Reads the clock of a table where nobody moves."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._player = Player(nodes, 0)

    async def sit(self) -> None:
        address = self._nodes.servers[0].address
        url, headers = address.replace("http", "ws") + "/api/socket", {"Cookie": self._player.cookie}
        async with websockets.connect(url, additional_headers=headers, open_timeout=HANG) as socket:
            await self._player._ask(socket, {"do": "watch", "have": 0})
            for seat in (1, 2):
                await self._player._ask(socket, {"do": "sit", "seat": seat, "bytes": secrets.token_hex(16)})
            while not self._player.said["started"]:
                await self._player._hear(socket)

    async def read(self) -> tuple[int, float]:
        """Return what is left to the seat on the move, in milliseconds, and when that was."""
        while True:
            for server in self._nodes.servers:
                url, headers = server.address.replace("http", "ws") + "/api/socket", {"Cookie": self._player.cookie}
                with suppress(*LOST):
                    async with websockets.connect(
                        url, additional_headers=headers, open_timeout=PATIENCE, close_timeout=1
                    ) as socket:
                        if (await self._player._ask(socket, {"do": "watch", "have": 0}))["type"] == "done":
                            clock = self._player.said["clock"]
                            return clock["left"][clock["running"][0] - 1], time.monotonic()
            await asyncio.sleep(0.1)


@pytest.fixture
def postgres_of_its_own() -> Iterator[Postgres]:
    """It is stopped and started again here."""
    with own_postgres() as server:
        yield server


def outages(database: str) -> float:
    """Return the milliseconds that nobody is charged for."""
    found = asked(database, lambda db: db.execute("select since, until from outages order by since").fetchall())
    total, reached = 0, 0
    for since, until in found:
        total += max(0, until - max(since, reached))
        reached = max(reached, until)
    return total


async def goes_on(players: list[Player]) -> None:
    """Until every match that is not over has gone on by two acknowledged moves."""
    before = {player: len(player.acknowledged) for player in players}
    end = time.monotonic() + HANG
    while not all(player.over or len(player.acknowledged) >= before[player] + 2 for player in players):
        assert time.monotonic() < end, "a match does not go on"
        await asyncio.sleep(0.05)


def test_faults_of_nodes_and_of_the_database(postgres_of_its_own: Postgres) -> None:
    postgres = postgres_of_its_own
    nodes = Nodes(postgres.new_database())

    async def kill() -> None:
        nodes.servers[0].kill()

    async def freeze() -> None:
        os.killpg(nodes.servers[1].process.pid, signal.SIGSTOP)
        await asyncio.sleep(FROZEN)
        os.killpg(nodes.servers[1].process.pid, signal.SIGCONT)

    async def restart_database() -> None:
        await asyncio.to_thread(postgres.stop)
        await asyncio.sleep(AWAY)
        await asyncio.to_thread(postgres.start)

    async def cut_connections() -> None:
        cut = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ludoteca'"
        assert len(postgres.execute(cut)) >= NODES

    async def cut_listeners() -> None:
        cut = "select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%'"
        assert len(postgres.execute(cut)) >= NODES - 1

    async def what(faults: dict[Callable[[], Awaitable[None]], float]) -> None:
        players = [Player(nodes, number) for number in range(PLAYERS)]
        watch, ending = Watch(nodes), asyncio.Event()
        await watch.sit()
        playing = [asyncio.create_task(player.play(ending)) for player in players]
        await goes_on(players)
        for fault, away in faults.items():
            players += fresh(nodes, players, playing, ending)
            left, at = await watch.read()
            charged_to_nobody = outages(nodes.database)
            await fault()
            await goes_on(players)
            end = time.monotonic() + HANG
            while (free := outages(nodes.database) - charged_to_nobody) < away * 1000:
                assert time.monotonic() < end, fault.__name__  # the others notice a death when its lease has run out
                await asyncio.sleep(0.2)
            while True:  # a node learns of an outage with its next sign of life
                left_after, at_after = await watch.read()
                if left - left_after <= (at_after - at) * 1000 - free + 100:
                    break
                assert time.monotonic() < end, fault.__name__
                await asyncio.sleep(0.2)
        ending.set()
        await asyncio.gather(*playing)
        for player in players:
            player.check(nodes.servers[2].address)
        assert sum(len(player.acknowledged) for player in players) >= 20

    try:
        # A node that minds no table may be frozen or killed: nothing was away then.
        asyncio.run(what({cut_listeners: 0, cut_connections: 0, restart_database: AWAY, freeze: 0, kill: 0}))
    finally:
        nodes.close()


def fresh(
    nodes: Nodes, players: list[Player], playing: list["asyncio.Task[None]"], ending: asyncio.Event
) -> list[Player]:
    """New players in place of those whose match is over."""
    alive = [player for player in players if not player.over]
    new = [Player(nodes, len(players) + n) for n in range(PLAYERS - len(alive))]
    playing += [asyncio.create_task(player.play(ending)) for player in new]
    return new


def test_nodes_are_replaced_one_by_one(postgres: Postgres) -> None:
    """An upgrade while people play: nobody loses a seat, nobody's move."""
    nodes = Nodes(postgres.new_database())

    async def what() -> None:
        players = [Player(nodes, number) for number in range(PLAYERS)]
        ending = asyncio.Event()
        playing = [asyncio.create_task(player.play(ending)) for player in players]
        for node in range(NODES):
            players += fresh(nodes, players, playing, ending)
            await goes_on(players)
            await asyncio.to_thread(nodes.replace, node)
            await goes_on(players)
        ending.set()
        await asyncio.gather(*playing)
        for player in players:
            player.check(nodes.servers[0].address)
            assert [seat["mine"] for seat in player.said["seats"]] == [True, True]

    try:
        asyncio.run(what())
    finally:
        nodes.close()
