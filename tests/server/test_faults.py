"""Three nodes on one database while people and bots play: nodes are killed and frozen, the database goes away.

No acknowledged move is lost, none is doubled, clocks charge nobody, and every match goes on within 5 seconds of the
fault's end. A slow machine needs longer for everything: what it needs without a fault is measured before each one and
added, and a fault that was too long, or killed a node that thought for no bot, is tried again.
"""

import asyncio
import json
import os
import random
import secrets
import signal
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
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
from ludoteca.server.nodes.ledger import LEASE

NODES = 3
FROZEN, AWAY = 12.0, 4.0  # seconds; a page gives a frozen node up after 10
GOES_ON = 5.0  # seconds from a fault's end until every match goes on
ATTEMPTS = 6
PATIENCE = 5.0  # seconds that a page waits for an answer before it tries another connection
BANK = 3600  # seconds
GAME, BOT = "pinpoint", "novice"
TOLD = ("n", "started", "to_move", "thinking", "seats")  # of a match that does not go on
LOST = (websockets.ConnectionClosed, websockets.InvalidHandshake, OSError, EOFError, TimeoutError, httpx.TransportError)


class Nodes:
    """Servers on one database. A proxy would send people to one that answers; here they try one after another."""

    def __init__(self, database: str) -> None:
        self.database = database
        self.servers = [Server(database, game=GAME) for _ in range(NODES)]

    def replace(self, node: int) -> None:
        """As an upgrade does: the old one is stopped, a new one takes its place."""
        code, complaints = self.servers[node].stop()
        assert code == 0
        assert " ERROR " not in complaints, complaints  # on a slow machine others may have taken it for dead: a warning
        self.start_again(node)

    def start_again(self, node: int) -> None:
        self.servers[node] = Server(self.database, port=self.servers[node].port, game=GAME)

    def close(self) -> None:
        for server in self.servers:
            with suppress(ProcessLookupError):
                os.killpg(server.process.pid, signal.SIGCONT)
            server.close()


class Player:
    """Holds some seats of a table, and plays on whatever happens."""

    def __init__(self, nodes: Nodes, node: int, seats: Sequence[str], other: "Player | None" = None) -> None:
        """`seats` are those of a new table; or else the player takes the last seat at the table of `other`."""
        self._nodes, self._rng = nodes, random.Random(f"{node} {seats}")
        self._node = node % NODES
        with httpx.Client(base_url=nodes.servers[self._node].address, timeout=HANG) as http:
            http.get("/api/me")
            self.table = other.table if other else self._create(http, seats)
            self.cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
        self.seats = [2] if other else [seat for seat, kind in enumerate(seats, start=1) if kind == "me"]
        self.plays_a_bot = BOT in seats
        self.kinds: tuple[int, list[str]] | None = None  # where it was made, and for whom
        self.acknowledged: dict[int, str] = {}
        self.said: dict[str, Any] = {}
        self.log: list[dict[str, Any]] = []
        self.lost = 0  # connections

    def _create(self, http: httpx.Client, seats: Sequence[str]) -> str:
        wanted = [{"for": "bot", "bot": seat} if seat == BOT else {"for": seat} for seat in seats]
        clock, options = {"bank": BANK, "increment": 0}, {"start": 1}
        made = http.post("/api/tables", json={"game": GAME, "seats": wanted, "clock": clock, "options": options})
        table: str = made.json()["table"]
        return table

    def has_gone_on(self, since: int) -> bool:
        """Return whether something happened after an entry: the player has moved, and so has the bot."""
        moved = any(number > since for number in self.acknowledged)
        bot_moved = any(entry["by"] == 2 for entry in self.log[since:])
        return self.over or (moved and (bot_moved or not self.plays_a_bot))

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
                if not seat["taken"] and seat["seat"] in self.seats:
                    sit = {"do": "sit", "seat": seat["seat"], "bytes": secrets.token_hex(16)}
                    if (await self._ask(socket, sit))["type"] == "error":
                        raise OSError("the seat was not taken")
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
        self._player = Player(nodes, 0, ["me", "me"])

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


def stored(database: str) -> dict[str, int]:
    """Return the number of the last stored entry of each table."""
    found = asked(
        database, lambda db: db.execute("select table_id, max(number) from entries group by table_id").fetchall()
    )
    return dict(found)


async def goes_on(players: list[Player], database: str) -> float:
    """Return after how many seconds every match has gone on: people have moved, and so have bots."""
    began, since = time.monotonic(), await asyncio.to_thread(stored, database)
    while not all(player.has_gone_on(since.get(player.table, 0)) for player in players):
        if time.monotonic() > began + HANG:
            stuck = [player for player in players if not player.has_gone_on(since.get(player.table, 0))]
            told = [(one.kinds, one.lost, {key: one.said.get(key) for key in TOLD}) for one in stuck]
            pytest.fail(f"matches do not go on: {told}")
        await asyncio.sleep(0.02)
    return time.monotonic() - began


def minders(database: str) -> dict[str, str]:
    """Return the node that minds each running match with a bot."""
    statement = (
        "select distinct tables.id, node from tables join seats on table_id = tables.id"
        " where bot is not null and begun is not null and ended = 0 and node is not null"
    )
    return dict(asked(database, lambda db: db.execute(statement).fetchall()))


class Evening:
    """People at tables of all kinds, who play until it ends. When a match is over, they begin another."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes, self._ending = nodes, asyncio.Event()
        self.everybody: list[Player] = []
        self._playing: list[asyncio.Task[None]] = []

    async def players(self) -> list[Player]:
        """Return those whose match goes on. There is a table of each kind for each node, made there if it answers."""
        alive = [player for player in self.everybody if not player.over]
        for node in range(NODES):
            for kinds in (["me", "me"], ["me", "anyone"], ["me", BOT]):
                if not any(player.kinds == (node, kinds) for player in alive):
                    alive += await self._come(node, kinds)
        return alive

    async def _come(self, node: int, kinds: list[str]) -> list[Player]:
        first = await self._made(node, kinds)
        come = [first, await self._made(node + 1, kinds, first)] if "anyone" in kinds else [first]
        for player in come:
            player.kinds = (node, kinds)
            self._playing.append(asyncio.create_task(player.play(self._ending)))
        self.everybody += come
        return come

    async def _made(self, node: int, *more: Any) -> Player:
        for tried in range(node, node + NODES):
            with suppress(*LOST):
                return await asyncio.to_thread(Player, self._nodes, tried, *more)
        raise AssertionError("no node answers")

    async def end(self, address: str) -> None:
        """Check everything that happened."""
        self._ending.set()
        await asyncio.gather(*self._playing)
        for player in self.everybody:
            player.check(address)
            assert all(player.said["seats"][seat - 1]["mine"] for seat in player.seats), "nobody has lost a seat"


Fault = Callable[[], Awaitable[float]]


def test_faults_of_nodes_and_of_the_database(postgres_of_its_own: Postgres) -> None:
    postgres = postgres_of_its_own
    nodes = Nodes(postgres.new_database())
    lease = LEASE / 1000

    # Each fault returns for how many seconds nobody is charged, at least.

    async def kill() -> float:
        nodes.servers[doomed[0]].kill()
        return lease

    async def freeze() -> float:
        frozen = nodes.servers[doomed[0]].process.pid
        os.killpg(frozen, signal.SIGSTOP)
        await asyncio.sleep(FROZEN)
        os.killpg(frozen, signal.SIGCONT)
        return lease

    async def restart_database() -> float:
        await asyncio.to_thread(postgres.stop)
        await asyncio.sleep(AWAY)
        await asyncio.to_thread(postgres.start)
        return AWAY

    async def cut_connections() -> float:
        cut = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ludoteca'"
        assert len(postgres.execute(cut)) >= NODES
        return 0

    async def cut_listeners() -> float:
        cut = "select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%'"
        assert len(postgres.execute(cut)) >= NODES - 1
        return 0

    doomed = [0]  # the next node that a fault befalls

    async def endure(fault: Fault, evening: Evening, watch: Watch) -> tuple[float, float, int]:
        """Return after how many seconds every match went on, how long that takes without a fault, and how many tables
        with bots another node has taken over."""
        calm = max([await goes_on(await evening.players(), nodes.database) for _ in range(2)])
        left, at = await watch.read()
        charged_to_nobody = outages(nodes.database)
        minded = minders(nodes.database)
        away = await fault()
        took = await goes_on(await evening.players(), nodes.database)
        now = minders(nodes.database)
        taken_over = sum(now.get(table, node) != node for table, node in minded.items())
        if nodes.servers[doomed[0]].process.poll() is not None:
            await asyncio.to_thread(nodes.start_again, doomed[0])
        end = time.monotonic() + HANG
        while (free := outages(nodes.database) - charged_to_nobody) < away * 1000:
            assert time.monotonic() < end, fault.__name__  # the others notice a death when its lease has run out
            await asyncio.sleep(0.2)
        while True:  # a node learns of an outage with its next sign of life
            left_after, at_after = await watch.read()
            if left - left_after <= (at_after - at) * 1000 - free + 100:
                return took, calm, taken_over
            assert time.monotonic() < end, fault.__name__
            await asyncio.sleep(0.2)

    async def what(faults: Sequence[Fault]) -> None:
        evening, watch = Evening(nodes), Watch(nodes)
        await watch.sit()
        for fault in faults:
            found = []
            for _ in range(ATTEMPTS):
                took, calm, taken_over = await endure(fault, evening, watch)
                found.append((fault.__name__, took, calm, taken_over))
                doomed[0] = (doomed[0] + 1) % NODES
                if took <= GOES_ON + 2 * calm and (taken_over or fault is not kill):
                    break
            else:
                pytest.fail(f"seconds until matches went on, and without a fault, and tables taken over: {found}")
            print("{}: matches went on after {:.1f} s, without a fault {:.1f} s, {} taken over".format(*found[-1]))
        await evening.end(nodes.servers[2].address)
        assert sum(len(player.acknowledged) for player in evening.everybody) >= 20

    try:
        asyncio.run(what([cut_listeners, cut_connections, restart_database, freeze, kill]))
    finally:
        nodes.close()


def test_nodes_are_replaced_one_by_one(postgres: Postgres) -> None:
    """An upgrade while people play: nobody loses a seat, nobody's move."""
    nodes = Nodes(postgres.new_database())

    async def what() -> None:
        evening = Evening(nodes)
        for node in range(NODES):
            await goes_on(await evening.players(), nodes.database)
            await asyncio.to_thread(nodes.replace, node)
            await goes_on(await evening.players(), nodes.database)
        await evening.end(nodes.servers[0].address)

    try:
        asyncio.run(what())
    finally:
        nodes.close()
