"""Two servers that differ only in what a client may not know, and everything that they send to this client.

The client sends every message of the protocol (`SCRIPTS`). Then others act and time passes (`HAPPENINGS`), so that the
server sends messages by itself. Every kind of message must come up: see test_every_message.py.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import msgspec
from quiet_tables import SteppedTime
from test_secrecy import guest

from ludoteca.core import registry
from ludoteca.core.chance import commitment
from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import Game
from ludoteca.core.match import Append
from ludoteca.core.random import generator
from ludoteca.core.record import Entry
from ludoteca.search import bots
from ludoteca.server import ledger, serialize
from ludoteca.server.clock import ClockWanted
from ludoteca.server.database.sqlite import SqliteStorage
from ludoteca.server.fair_queue import Asker
from ludoteca.server.guests import Guest
from ludoteca.server.http.answers import table_of_mine
from ludoteca.server.rows import SeatRow, TableRow
from ludoteca.server.running_match import RunningMatch
from ludoteca.server.socket import Client
from ludoteca.server.tables import Tables

BEGUN, LATER = 1_700_000_000_000, 1_700_000_100_000
TABLE, SEED = "secrets1", b"s" * 32
MOST_LOOKS, MOST_MOVES = 12, 25


class World(NamedTuple):
    """A running match, and the holders of its seats: people, bots, or one guest for all."""

    game: Game
    options: dict[str, Any]
    entries: Sequence[Entry]
    holders: str  # "people", "bots" or "device"
    seed: bytes = SEED


class Asked(NamedTuple):
    """What a script needs to know. It is the same in both worlds."""

    seat: int
    seats: int
    n: int  # number of entries that the client knows
    attempts: tuple[str, ...]  # moves that are illegal for this seat now

    @property
    def other(self) -> int:
        return self.seat % self.seats + 1


SCRIPTS: dict[str, Callable[[Asked], list[dict[str, Any]]]] = {
    "lobby": lambda asked: [{}, {"on": False}],
    "ping": lambda asked: [{}, {"table": TABLE}],
    "watch": lambda asked: [{"have": 0}, {"have": asked.n // 2}, {"have": 1_000_000}],
    "leave": lambda asked: [{}],
    "sit": lambda asked: [{"seat": asked.other, "bytes": "00" * 16}],
    "reveal": lambda asked: [{"seat": asked.seat, "bytes": "00" * 16}],
    "remove": lambda asked: [{"seat": asked.seat}, {"seat": asked.other}],
    "fill": lambda asked: [{"seat": asked.other, "bot": "novice"}],
    "close": lambda asked: [{}, {"on": False}],
    "cancel": lambda asked: [{}],
    "move": lambda asked: [
        {"seat": seat, "move": move, "after": asked.n}
        for seat in dict.fromkeys((asked.seat, asked.other))
        for move in (*asked.attempts, "nonsense", "claim", "accept", "offer draw", "withdraw", "hints off")
    ],
    "ready": lambda asked: [{"seat": asked.other}, {"seat": asked.seat}],
    "takeback": lambda asked: [{"seat": asked.seat}, {}],
    "answer": lambda asked: [{"seat": asked.seat, "yes": True}, {"seat": asked.seat, "yes": False}],
    "standin": lambda asked: [{"seat": asked.seat, "for": asked.other}],
    "say": lambda asked: [{"seat": asked.seat, "phrase": "hello"}, {"seat": asked.seat, "text": "good luck"}],
    "hint": lambda asked: [{"seat": asked.seat}, {"seat": asked.other}],
    "look": lambda asked: [
        {"entry": entry} for entry in (*range(0, asked.n, max(1, asked.n // MOST_LOOKS)), asked.n, asked.n + 1)
    ],
    "rematch": lambda asked: [{}, {"game": "pinpoint"}],
}
ORDER = ("ready", "watch", *(verb for verb in SCRIPTS if verb not in ("ready", "watch", "leave", "takeback")), "watch",
         "takeback", "leave")  # fmt: skip


class Step(NamedTuple):
    """Somebody sends a message, or, without anybody, time passes."""

    who: str = ""  # "client", "other" (the holder of the next seat) or "stranger"
    do: str = ""
    fields: Callable[[Asked], dict[str, Any]] = lambda asked: {}
    wait: int = 0  # milliseconds


def mine(asked: Asked) -> dict[str, Any]:
    return {"seat": asked.seat}


def others(asked: Asked) -> dict[str, Any]:
    return {"seat": asked.other}


def saying(seat: Callable[[Asked], dict[str, Any]], move: str) -> Callable[[Asked], dict[str, Any]]:
    return lambda asked: {**seat(asked), "move": move, "after": asked.n}


HAPPENINGS: dict[str, list[Step]] = {
    "somebody speaks": [Step("other", "say", lambda asked: {**others(asked), "phrase": "oops"})],
    "the client declines a takeback": [
        Step("other", "takeback", others),
        Step("client", "answer", lambda asked: {**mine(asked), "yes": False}),
    ],
    "the other declines a takeback": [
        Step("client", "takeback", mine),
        Step("other", "answer", lambda asked: {**others(asked), "yes": False}),
    ],
    "the client declines a draw": [
        Step(wait=31_000),
        Step("other", "move", saying(others, "offer draw")),
        Step("client", "move", saying(mine, "decline")),
    ],
    "the other declines a draw": [
        Step("client", "move", saying(mine, "offer draw")),
        Step("other", "move", saying(others, "decline")),
    ],
    "both agree to hints": [
        Step(wait=31_000),
        Step("other", "move", saying(others, "hints on")),
        Step("client", "move", saying(mine, "hints on")),
        Step("client", "hint", mine),
        Step("client", "move", saying(mine, "hints off")),
    ],
    "a stranger watches": [Step("stranger", "watch"), Step(wait=2_000), Step("stranger", "leave"), Step(wait=2_000)],
    "a player goes": [Step("other", "leave"), Step(wait=35_000)],
    "a bot stands in": [Step("client", "standin", lambda asked: {**mine(asked), "for": asked.other})],
    "the player comes back": [Step("other", "watch")],
    "time runs out": [Step("other", "leave"), Step(wait=700_000)],  # on the clock, or without one by absence
    "a bot plays for the late": [Step("client", "standin", lambda asked: {**mine(asked), "for": asked.other})],
}


class Advice:
    """Bots that give hints at once, always with the same randomness, and never move by themselves."""

    def __init__(self, seat: int | None) -> None:
        self._seat = seat
        self.idle: set[asyncio.Task[Any] | None] = set()

    def level_now(self, key: str, name: str) -> str:
        return name

    async def rules_ready(self, key: str) -> None:
        pass

    async def think(self, key: str, name: str, state: Any, seat: int, seed: tuple[object, ...], asker: Asker) -> str:
        if seat != self._seat:
            self.idle.add(asyncio.current_task())
            await asyncio.Event().wait()
        game = registry.game(key)
        return bots.choose(game, name, game.concealed(state, seat, generator(*seed)), seat, seed)


class Collecting(Client):
    """A client that keeps what it is sent."""

    def __init__(self, tables: Tables, guest_id: str | None) -> None:
        socket = type("Socket", (), {"scope": {"state": {}}})()
        super().__init__(cast(Any, socket), tables, Guest(guest_id, "Somebody") if guest_id else None, "http://here")
        self.sent: list[bytes] = []
        self.n = 0  # number of entries that it knows

    def send(self, message: bytes) -> None:
        read = json.loads(message)
        assert read["type"] in serialize.KINDS, "a message that serialize.py does not know"
        self.sent.append(message)
        self.n = read.get("n", self.n) if read["type"] in ("table", "entries") else self.n

    async def ask(self, **message: Any) -> None:
        await self._receive(json.dumps(message))


class Visit:
    """A server, and the client at its table whose messages are compared."""

    def __init__(self, folder: Path, row: TableRow, seat: int | None) -> None:
        self._thinking, self._time = Advice(seat), SteppedTime(LATER)
        self.tables = Tables(SqliteStorage(folder), workers=1, time=self._time, thinking=self._thinking)
        self.row, self.seat, self.who = row, seat, guest(seat) if seat else None
        self.acting = seat or 1
        self.client = Collecting(self.tables, self.who)
        self.people = {
            "client": self.client,
            "other": Collecting(self.tables, guest(self.acting % len(row.seats) + 1)),
            "stranger": Collecting(self.tables, "a stranger"),
        }

    async def ask(self, who: str, do: str, **fields: Any) -> None:
        """Let somebody send a message, and wait until everything that follows from it was sent."""
        await self.people[who].ask(**{"do": do, "id": do, "table": TABLE, **fields})
        await self._settle()

    async def wait(self, milliseconds: int) -> None:
        until = self._time.now() + milliseconds
        while self._time.step(until):
            await self._settle()

    async def _settle(self) -> None:
        """Wait until nothing is pending but bots that never move."""
        while pending := self.tables.tasks.running - self._thinking.idle:
            await asyncio.wait(pending, timeout=0.01)

    async def send_everything(self, asked: Asked) -> None:
        """Let the client send every message of the protocol."""
        for verb in ORDER:
            for body in SCRIPTS[verb](asked):
                await self.ask("client", verb, **body)
        await self.ask("client", "watch")

    async def happen(self, asked: Asked) -> None:
        for step in (step for steps in HAPPENINGS.values() for step in steps):
            if step.wait:
                await self.wait(step.wait)
            else:
                now = asked._replace(n=self.people[step.who].n)
                await self.ask(step.who, step.do, **step.fields(now))


def row_of(world: World, seat: int | None) -> TableRow:
    agreed = world.game.agree(world.options)
    players = cast(int, agreed["players"])

    def held(number: int) -> SeatRow:
        row = SeatRow(number, guest=guest(number), name=f"Seat {number}", seal_bytes=b"%016d" % number)
        if world.holders == "device":
            row.guest = guest(seat or 1)
        elif world.holders == "bots" and number != seat:
            row.guest, row.bot = None, "novice"
        return row

    seats = [held(number) for number in range(1, players + 1)]
    rules, clock = world.game.rules_version, ClockWanted(bank=600) if world.holders == "people" else None
    if world.game.time_limits(agreed) is not None:
        clock = None
    return TableRow(TABLE, world.game.key, rules, dict(agreed), world.seed, BEGUN, seats, creator=guest(1), clock=clock)


def attempts(world: World, state: Any, seat: int) -> tuple[str, ...]:
    """Return moves that somebody made in this match and that are illegal for the seat now."""
    found = []
    for move in dict.fromkeys(entry.move for entry in world.entries):
        try:
            world.game.play(state, seat, move)
        except LudotecaError:
            found.append(move)
    return tuple(found[:MOST_MOVES])


async def sent_to(
    folder: Path, world: World, seat: int | None, tried: tuple[str, ...] | None
) -> tuple[list[bytes], Any]:
    """Return everything that the server sends to the client of a seat, or to a spectator, and the attempted moves."""
    row = row_of(world, seat)
    visit = Visit(folder, row, seat)
    tables = visit.tables
    running = RunningMatch.new(row, BEGUN, tables.uptime)
    running.follow(running.match.follow(world.entries))
    standing = running.standing(Append(len(world.entries), (), running.match.position))
    await tables.storage.write(lambda db: ledger.add_table(db, row))
    await tables.storage.write(lambda db: ledger.begin(db, TABLE, world.entries, standing, BEGUN))
    try:
        for who in ("other", "client"):
            await visit.ask(who, "watch")
        if tried is None:
            tried = attempts(world, running.match.state, visit.acting)
        asked = Asked(visit.acting, len(row.seats), visit.client.n, tried)
        await visit.send_everything(asked)
        await visit.happen(asked)
        table = await tables.table(TABLE)
        assert table.record(visit.who).result is None
        routes = [msgspec.json.encode(table.record(one)) for one in (visit.who, None)]
        mine = [table_of_mine(line, visit.who) for line in await tables.tables_of(visit.who)] if visit.who else []
        return [*visit.client.sent, *routes, msgspec.json.encode(mine)], tried
    finally:
        await tables.close()


async def sent_before_the_match(folder: Path, world: World) -> list[bytes]:
    """Return everything that the server sends to a guest at a table that waits, until its creator cancels it."""
    row = row_of(world, 2)
    row.seats = [SeatRow(seat.seat) for seat in row.seats]
    row.open, row.clock = True, None
    visit = Visit(folder, row, 2)
    await visit.tables.storage.write(lambda db: ledger.add_table(db, row))
    visit.people["host"] = Collecting(visit.tables, guest(1))
    try:
        asked = Asked(2, len(row.seats), 0, ())
        await visit.ask("host", "watch")
        await visit.send_everything(asked)
        await visit.ask("client", "lobby")
        await visit.ask("host", "sit", seat=1, commit="0" * 64)
        await visit.wait(1_000)
        await visit.ask("host", "fill", seat=2, bot="novice") if len(row.seats) > 2 else None
        await visit.ask("host", "close")
        await visit.ask("host", "say", seat=1, phrase="hello")
        await visit.wait(1_000)
        await visit.ask("host", "cancel")
        await visit.wait(1_000)
        return visit.client.sent
    finally:
        await visit.tables.close()


def without_commitment(sent: list[bytes], world: World) -> list[bytes]:
    """Return the messages with the same word for every commitment: two seeds have two."""
    return [message.replace(commitment(world.seed).encode(), b"sealed") for message in sent]


def assert_equal(one: list[bytes], other: list[bytes], seat: int | None) -> None:
    for number, (a, b) in enumerate(zip(one, other, strict=True)):
        assert a == b, f"message {number} tells seat {seat} a secret: {a!r}, {b!r}"


def assert_alike(folder: Path, one: World, other: World, seat: int | None) -> list[bytes]:
    """Check that both worlds send the same to the client of a seat, or to a spectator, and return it."""

    async def both() -> list[bytes]:
        first, tried = await sent_to(folder / "one", one, seat, None)
        second, _ = await sent_to(folder / "other", other, seat, tried)
        first, second = without_commitment(first, one), without_commitment(second, other)
        assert_equal(first, second, seat)
        return first

    return asyncio.run(both())
