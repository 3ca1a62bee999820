"""Two servers on one database: whichever one is on, the table is the same."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from guests_at_tables import HANG, Person, Server
from own_postgres import Postgres
from quiet_tables import QuietTables, Window, play
from websockets.exceptions import ConnectionClosed

from ludoteca.server.database.opening import open_storage
from ludoteca.server.limits import TABLES
from ludoteca.server.new_table import SeatWanted, TableWanted

Comes = Callable[..., Person]


class Pair:
    """Two nodes, and people who come to the first or to the second."""

    def __init__(self, database: str, servers: list[Server], held: ExitStack) -> None:
        self.database, self.servers, self._held = database, servers, held

    def person(self, node: int, like: Person | None = None) -> Person:
        address = self.servers[node].address
        person = Person(address, like.http.cookies if like else None)
        self._held.callback(person.close)
        return person


@pytest.fixture(scope="module")
def nodes(postgres: Postgres) -> Iterator[tuple[str, list[Server]]]:
    database = postgres.new_database()
    servers = [Server(database, "--proxy", "127.0.0.1", game="pinpoint") for _ in range(2)]
    yield database, servers
    for server in servers:
        server.close()


@pytest.fixture
def pair(nodes: tuple[str, list[Server]]) -> Iterator[Pair]:
    database, servers = nodes
    assert all(server.process.poll() is None for server in servers), "a node died in an earlier test"
    with ExitStack() as held:
        yield Pair(database, servers, held)


def seated(pair: Pair, **more: Any) -> tuple[Person, Person]:
    """Ada on the first node and Ben on the second, at the same table."""
    ada, ben = pair.person(0), pair.person(1)
    table = ada.create("anyone", "anyone", start=1, **more)
    ada.watch(table)
    ben.watch(table)
    ada.sit(1)
    ben.sit(2)
    ada.begin()
    ben.begin()
    return ada, ben


def told(person: Person, kind: str) -> dict[str, Any]:
    while (message := person.receive())["type"] != kind:
        pass
    return message


def test_seats_moves_and_the_record(pair: Pair) -> None:
    ada, ben = pair.person(0), pair.person(1)
    ada.watch(ada.create("anyone", "anyone", start=1))
    ben.watch(ada.table)
    ada.sit(1)
    ben.wait(lambda me: me.said["seats"][0]["taken"])
    assert ben.refused("sit", seat=1, bytes="00" * 16) == "seat/taken"
    ben.sit(2)
    ada.begin()
    ben.begin()
    assert ada.log == ben.log
    for _ in range(4):
        ada.move(seat=1)
    ben.wait(lambda me: me.said["to_move"] == [2])
    ben.move(seat=2)
    ada.wait(lambda me: me.n == ben.n)
    assert ada.log == ben.log
    records = [httpx.get(f"{server.address}/api/tables/{ada.table}/record", timeout=HANG) for server in pair.servers]
    assert records[0].json() == records[1].json()
    ben.done("move", seat=2, move="resign", after=ben.n)
    ada.wait(lambda me: me.said["result"])
    rematch = ben.done("rematch")["table"]
    ada.wait(lambda me: me.said.get("rematch") == rematch)
    assert ada.done("rematch")["table"] == rematch


def test_who_is_there(pair: Pair) -> None:
    ada, ben = seated(pair)
    ada.wait(lambda me: me.said["seats"][1]["here"])
    ben.wait(lambda me: me.said["seats"][0]["here"])
    watching = pair.person(1)
    watching.watch(ada.table)
    ada.wait(lambda me: me.said["watching"] == 1)
    ben.close()
    ada.wait(lambda me: not me.said["seats"][1]["here"])
    back = pair.person(0, ben)
    back.watch(ada.table)
    ada.wait(lambda me: me.said["seats"][1]["here"])
    watching.wait(lambda me: me.said["seats"][1]["here"])


def test_what_is_said(pair: Pair) -> None:
    ada, ben = seated(pair)
    ada.done("say", seat=1, text="ciao ♞")
    assert told(ben, "said")["text"] == "ciao ♞"
    for _ in range(4):
        ada.done("say", seat=1, phrase="hello")
    for _ in range(4):
        told(ben, "said")
    again = pair.person(1, ada)
    again.watch(ada.table)
    assert again.refused("say", seat=1, phrase="oops") == "talk/too-many", "the limit is the same on both"


def test_questions(pair: Pair) -> None:
    ada, ben = seated(pair)
    ada.move(seat=1)
    ada.done("takeback", seat=1)
    ben.wait(lambda me: me.said["asked"])
    ben.done("answer", seat=2, yes=False)
    assert told(ada, "declined")["by"] == 2
    ada.wait(lambda me: not me.said["asked"])
    ada.done("takeback", seat=1)
    ben.wait(lambda me: me.said["asked"])
    ben.done("answer", seat=2, yes=True)
    ada.wait(lambda me: "takeback" in me.log[-1]["move"])
    assert ada.log == ben.log
    ben.done("move", seat=2, move="hints on", after=ben.n)
    ada.wait(lambda me: me.n == ben.n)
    ada.done("move", seat=1, move="hints on", after=ada.n)
    ada.wait(lambda me: me.said["hints"]["on"])
    ada.done("hint", seat=1)
    ada.done("move", seat=1, move="offer draw", after=ada.n)
    ben.wait(lambda me: me.n == ada.n)
    ben.done("move", seat=2, move="accept", after=ben.n)
    ada.wait(lambda me: me.said["result"])


def test_the_lobby(pair: Pair) -> None:
    ada, ben = pair.person(0), pair.person(1)
    ben.done("lobby")
    wanted = {"game": "pinpoint", "seats": [{"for": "me"}, {"for": "anyone"}], "open": True}
    ada.watch(ada.http.post("/api/tables", json=wanted).json()["table"])
    ada.sit(1)
    ben.wait(lambda me: ada.table in me.listed)
    ada.done("cancel")
    ben.wait(lambda me: ada.table not in me.listed)


def test_a_cancelled_table_and_a_guest_who_left(pair: Pair) -> None:
    ada, ben = pair.person(0), pair.person(1)
    ada.watch(ada.create("me", "anyone"))
    ben.watch(ada.table)
    ada.done("cancel")
    assert told(ben, "cancelled")["table"] == ada.table
    assert ben.refused("watch", have=0) == "table/unknown"
    second = pair.person(1, ada)
    second.done("lobby")
    assert ada.http.request("DELETE", "/api/me").json() == {"left": True}
    with pytest.raises((ConnectionClosed, EOFError)):
        second.wait(lambda me: False)


def test_limits_are_the_same_for_an_address(pair: Pair) -> None:
    """What was used up on one node is used up on the other."""
    far = {"X-Forwarded-For": "198.51.100.77"}
    wanted = {"game": "pinpoint", "seats": [{"for": "me"}, {"for": "anyone"}]}
    first, second = (httpx.Client(base_url=server.address, headers=far, timeout=HANG) for server in pair.servers)
    while first.post("/api/tables", json=wanted).status_code == 201:
        pass
    made = 0
    while second.post("/api/tables", json=wanted).status_code == 201:
        made += 1  # the other node has not told yet
        time.sleep(1)
    assert made < TABLES.at_once // 2
    first.close()
    second.close()


def test_bots_think_on_one_node(pair: Pair) -> None:
    """Whoever minds the table answers, also when the people are on the other node."""
    ada = pair.person(0)
    ada.watch(ada.create("me", "random", start=1))
    ada.sit(1)
    ada.begin()
    other = pair.person(1, ada)
    other.watch(ada.table)
    ada.close()
    for _ in range(4):
        other.move(seat=1)
    other.wait(lambda me: [entry["by"] for entry in me.log].count(2) == 4)


def test_a_node_whose_rules_are_ready_late_misses_nothing(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """It wants to begin a match that another node has begun, and that goes on there."""
    database, ready = postgres.new_database(), asyncio.Event()

    async def rules_ready(game: str) -> None:
        await ready.wait()

    async def what(quick: QuietTables, slow: QuietTables) -> None:
        monkeypatch.setattr(slow.thinking, "rules_ready", rules_ready)
        id_ = await quick.create(TableWanted("pinpoint", [SeatWanted("anyone")] * 2), "ada")
        there, here = await quick.table(id_), await slow.table(id_)
        here.join(window := Window("ben"), 0)
        for seat, guest in enumerate(("ada", "ben"), start=1):
            await here.waiting_room.sit(guest, seat, guest.title(), b"%016d" % seat)  # now it waits for its rules
        await there.refresh()
        await quick.settle()
        await here.refresh()
        assert here.has_begun
        await play(there)
        ready.set()
        await slow.settle()
        await here.refresh()
        assert len(window.log) == len(here.match.log) == len(there.match.log)

    async def visited() -> None:
        nodes = [QuietTables(open_storage(database)) for _ in range(2)]
        try:
            for node in [*nodes, *nodes]:  # each learns that the other lives
                await node.nodes.confirm()
            await what(*nodes)
        finally:
            for node in nodes:
                await node.close()

    asyncio.run(visited())
