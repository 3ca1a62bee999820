"""Nothing hidden leaves the server, in any message.

Two tables that differ only in what a seat cannot see send equal bytes to that seat's client, whatever it asks. Every
verb of the protocol has a script here, and every route of the HTTP interface is either compared or listed as one that
knows no match: a new one fails these tests until it is covered.
"""

import asyncio
import json
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, cast

import msgspec
import pytest
from quiet_tables import SteppedTime
from test_secrecy import a_match, exchanged, guest

from ludoteca.core import registry
from ludoteca.core.chance import Seal, commitment
from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import Game
from ludoteca.core.match import Append, Match
from ludoteca.core.random import generator
from ludoteca.core.record import Entry
from ludoteca.search import bots
from ludoteca.server import app, ledger, messages, thinking
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
        for move in (*asked.attempts, "nonsense", "claim", "accept", "offer draw", "withdraw")
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

ROUTES_WITHOUT_A_MATCH = {"/api/health", "/api/key", "/api/me", "/api/me/renew", "/api/games", "/api/tables"} | {
    "/api/records",
    "/api/health/alive",
    "/api/lessons/{game}",
    "/api/lessons/{game}/{step}",
}
ROUTES_AFTER_THE_END = {  # refused while the record has no result
    "/api/tables/{table}/draws",
    "/api/tables/{table}/on",
    "/api/tables/{table}/review",
    "/api/tables/{table}/review/{entry}",
    "/api/tables/{table}/review/{entry}/try",
    "/api/tables/{table}/review/{entry}/deeper",
}
ROUTES_COMPARED = {"/api/me/tables", "/api/tables/{table}/record"}


def test_every_verb_has_a_script() -> None:
    assert set(SCRIPTS) == messages.VERBS, "write a script for a new message: it must not tell a secret"


def test_every_route_is_compared_or_knows_no_match(tmp_path: Path) -> None:
    async def routes() -> set[str]:
        server = app.application(SqliteStorage(tmp_path), workers=1)
        paths = set(server.openapi_schema.paths or {})
        await server.state["tables"].close()
        return paths

    assert asyncio.run(routes()) <= ROUTES_WITHOUT_A_MATCH | ROUTES_AFTER_THE_END | ROUTES_COMPARED


class Advice:
    """Bots that give hints at once, always with the same randomness, and never move by themselves."""

    def __init__(self, seat: int | None) -> None:
        self._seat = seat

    def level_now(self, key: str, name: str) -> str:
        return name

    async def rules_ready(self, key: str) -> None:
        pass

    async def think(self, key: str, name: str, state: Any, seat: int, seed: tuple[object, ...], asker: Asker) -> str:
        if seat != self._seat:
            await asyncio.Event().wait()
        game = registry.game(key)
        return bots.choose(game, name, game.concealed(state, seat, generator(*seed)), seat, seed)


class Collecting(Client):
    """A client that keeps what it is sent."""

    def __init__(self, tables: Tables, guest_id: str | None) -> None:
        socket = type("Socket", (), {"scope": {"state": {}}})()
        super().__init__(cast(Any, socket), tables, Guest(guest_id, "Somebody") if guest_id else None, "http://here")
        self.sent: list[bytes] = []

    def send(self, message: bytes) -> None:
        self.sent.append(message)

    async def ask(self, **message: Any) -> None:
        before = set(self._tables.tasks.running)
        await self._receive(json.dumps(message))
        if message["do"] == "hint":  # answered in the background
            await asyncio.gather(*(self._tables.tasks.running - before))

    @property
    def n(self) -> int:
        return next(json.loads(sent)["n"] for sent in reversed(self.sent) if b'"type":"table"' in sent)


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
    tables = Tables(SqliteStorage(folder), workers=1, time=SteppedTime(LATER), thinking=Advice(seat))
    running = RunningMatch.new(row, BEGUN, tables.uptime)
    running.follow(running.match.follow(world.entries))
    standing = running.standing(Append(len(world.entries), (), running.match.position))
    await tables.storage.write(lambda db: ledger.add_table(db, row))
    await tables.storage.write(lambda db: ledger.begin(db, TABLE, world.entries, standing, BEGUN))
    try:
        who = guest(seat) if seat else None
        client, other = Collecting(tables, who), Collecting(tables, guest((seat or 0) % len(row.seats) + 1))
        await other.ask(do="watch", id=0, table=TABLE)
        await client.ask(do="watch", id=0, table=TABLE)
        acting = seat or 1
        if tried is None:
            tried = attempts(world, running.match.state, acting)
        asked = Asked(acting, len(row.seats), client.n, tried)
        for place, verb in enumerate(ORDER):
            for body in SCRIPTS[verb](asked):
                await client.ask(**{"do": verb, "id": f"{place}", "table": TABLE, **body})
        await client.ask(do="watch", id=1, table=TABLE)
        for body in ({"do": "say", "seat": asked.other, "phrase": "oops"}, {"do": "leave"}):
            await other.ask(**{"id": 0, "table": TABLE, **body})
        cast(SteppedTime, tables.time).step(LATER + 60_000)
        table = await tables.table(TABLE)
        assert table.record(who).result is None
        routes = [msgspec.json.encode(table.record(one)) for one in (who, None)]
        mine = [table_of_mine(line, who) for line in await tables.tables_of(who)] if who else []
        return [*client.sent, *routes, msgspec.json.encode(mine)], tried
    finally:
        await tables.close()


def assert_alike(folder: Path, one: World, other: World, seat: int | None) -> list[bytes]:
    async def both() -> list[bytes]:
        first, tried = await sent_to(folder / "one", one, seat, None)
        second, _ = await sent_to(folder / "other", other, seat, tried)
        first, second = (
            [message.replace(commitment(world.seed).encode(), b"sealed") for message in sent]
            for world, sent in ((one, first), (other, second))
        )
        for number, (a, b) in enumerate(zip(first, second, strict=True)):
            assert a == b, f"message {number} tells seat {seat} a secret: {a!r}, {b!r}"
        return first

    return asyncio.run(both())


@pytest.fixture(autouse=True)
def always_the_same_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quick bot gives the hints, with the same randomness in both worlds."""
    monkeypatch.setattr(thinking, "hint_level", lambda key: "novice")
    monkeypatch.setattr(secrets, "token_hex", lambda length: "0" * 2 * length)


def some_match(game: Game, options: dict[str, Any], seed: int, length: int) -> list[Entry]:
    """Return a match of random moves, cut off after about `length` entries at a player's turn."""
    agreed = game.agree(options)
    match = Match(game, agreed, None, Seal.derived("some", cast(int, agreed["players"]), seed))
    match.begin(t=0)
    rng = Random(seed)
    while len(match.log) < length:
        seat = match.to_move[0]
        append = match.prepare(game.sample_moves(match.state, seat, rng, 1)[0], seat, t=len(match.log))
        if append.position.result:
            break
        match.commit(append)
    return list(match.log)


@pytest.mark.parametrize("key", registry.game_keys())
@pytest.mark.parametrize("holders", ["people", "bots", "device"])
def test_nothing_tells_what_the_seal_will_draw(tmp_path: Path, key: str, holders: str) -> None:
    """In every game: two servers with different secret seeds send the same, except for the commitment."""
    game = registry.game(key)
    entries = some_match(game, {}, 1, 14)
    one = World(game, {}, entries, holders)
    sent = assert_alike(tmp_path, one, one._replace(seed=b"t" * 32), game.to_move(states(one)[-1])[0])
    kinds = {json.loads(message)["type"] for message in sent[:-3]}
    assert kinds == {"table", "entries", "said", "lobby", "done", "error"}


def states(world: World) -> list[Any]:
    match = Match(world.game, world.options, None, None)
    return [made.after.state for made in match.follow(world.entries)]


def cut_after_wipe_out(options: dict[str, Any]) -> tuple[list[Entry], int]:
    """Tic-Tac Match: return a match in which somebody has played a Wipe-Out and must choose its target."""
    game = registry.game("tictacmatch")
    for seed in range(100):
        entries = [entry for append in a_match(options, seed) for entry in append]
        for number, state in enumerate(states(World(game, options, entries, "people")), start=1):
            for seat in game.to_move(state):
                if number > 10 and game.legal(state, seat)["targets"]:
                    return entries[:number], seat
    raise AssertionError("no Wipe-Out was played")


@pytest.mark.rule("TT-21")
@pytest.mark.parametrize("holders", ["people", "bots", "device"])
@pytest.mark.parametrize("options", [{"players": 2}, {"players": 4}], ids=str)
def test_a_hint_for_a_wipe_out_does_not_tell_the_others_hand(
    tmp_path: Path, options: dict[str, Any], holders: str
) -> None:
    game = registry.game("tictacmatch")
    entries, seat = cut_after_wipe_out(options)
    other = exchanged(options, entries, seat)
    assert other is not None
    sent = assert_alike(tmp_path, World(game, options, entries, holders), World(game, options, other, holders), seat)
    hints = [json.loads(message) for message in sent if b'"move":"target' in message and b'"type":"done"' in message]
    assert bool(hints) == (holders != "people")
    for hint in hints:
        assert hint["message"]["key"] == "tictacmatch.hint.target"


@pytest.mark.rule("TT-21")
@pytest.mark.parametrize("holders", ["people", "bots"])
def test_no_message_tells_a_card_in_another_hand(tmp_path: Path, holders: str) -> None:
    game, options = registry.game("tictacmatch"), {"players": 2}
    compared = 0
    whole = a_match(options, 3)
    for length in (1, 4, 9):
        entries = [entry for append in whole[:length] for entry in append]
        for seat in (None, 1, 2) if holders == "people" else (1, 2):
            other = exchanged(options, entries, seat)
            if other is not None:
                folder = tmp_path / f"{length} {seat}"
                assert_alike(folder, World(game, options, entries, holders), World(game, options, other, holders), seat)
                compared += 1
    assert compared >= 4


@pytest.mark.rule("KB-10")
@pytest.mark.parametrize("holders", ["people", "bots", "device"])
def test_no_message_tells_of_an_army_that_is_set_up_in_secret(tmp_path: Path, holders: str) -> None:
    """KingBrick: seat 2 has set up this army, or another one, or has not begun."""
    game = registry.game("kingbrick")
    worlds = []
    for seed in (None, 1, 2):
        match = Match(game, {}, None, Seal.derived("armies", 2))
        match.begin(t=0)
        if seed is not None:
            match.commit(match.prepare(game.sample_moves(match.state, 2, Random(seed), 1)[0], 2, t=5))
        worlds.append(World(game, {}, list(match.log), holders))
    if holders != "device":  # a guest with both seats knows who is ready
        for number, other in enumerate(worlds[1:]):
            assert_alike(tmp_path / str(number), worlds[0], other, 1)
    assert_alike(tmp_path / "two armies", worlds[1], worlds[2], 1)


def test_games_with_secrets_have_a_test_here() -> None:
    """A new game with secrets needs a test like those above: two logs that differ in what a seat cannot see."""
    secret = set()
    for key in registry.game_keys():
        game = registry.game(key)
        match = Match.new(key)
        if game.has_secrets(match.state):
            secret.add(key)
    assert secret == {"tictacmatch", "kingbrick"}
