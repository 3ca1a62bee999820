"""Nothing that was acknowledged is lost: people play at many tables while the server is killed repeatedly."""

import asyncio
import json
import random
import secrets
import time
from collections.abc import Callable
from typing import Any

import httpx
import websockets
from guests_at_tables import HANG, Server

from ludoteca.core.match import Match
from ludoteca.core.record import Entry, from_json

GAME = "aftaebr"
KILLS = 10
TABLES = 30
BANK = 3600  # seconds


class Player:
    """Holds both seats of a table and goes on playing, whatever happens to the server."""

    def __init__(self, address: str) -> None:
        with httpx.Client(base_url=address, timeout=HANG) as http:
            http.get("/api/me")
            wanted = {"game": GAME, "seats": [{"for": "me"}] * 2, "clock": {"bank": BANK, "increment": 1}}
            self.table = http.post("/api/tables", json=wanted).json()["table"]
            self.cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
        self.acknowledged: dict[int, str] = {}  # the moves, by the number of their entry
        self.left: dict[int, int] = {}  # the time left that was sent after each entry, by its number
        self.unsure: tuple[int, str] | None = None  # sent, but not answered before the server died
        self.said: dict[str, Any] = {}
        self.sent = time.monotonic()  # when the last move was sent, or the last seat taken
        self.stored = self.sent  # the same, of the last one that is known to be stored: no turn now began before it
        self.seated = False

    async def play(self, address: str, rng: random.Random, moved: Callable[[], None]) -> None:
        """Play until the server is gone or the match is over."""
        url = address.replace("http", "ws") + "/api/socket"
        headers = {"Cookie": self.cookie}
        try:
            async with websockets.connect(url, additional_headers=headers, open_timeout=HANG, max_size=None) as socket:
                await self._ask(socket, {"do": "watch", "have": 0})
                self.check()
                if not self.seated:
                    for seat in (1, 2):
                        self.sent = time.monotonic()
                        await self._ask(socket, {"do": "sit", "seat": seat, "bytes": secrets.token_hex(16)})
                    self.seated, self.stored = True, self.sent
                while not self.said["started"]:
                    self._hear(await socket.recv())
                while self.said["result"] is None:
                    await self._move(socket, rng)
                    moved()
        except (websockets.ConnectionClosed, OSError, EOFError):
            return

    def _hear(self, text: Any) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(text)
        if message["type"] in ("table", "entries"):
            self.said = {**self.said, **message}
            for entry in message["entries"]:
                if "left" in entry:
                    self.left[entry["n"]] = entry["left"]
        return message

    async def _ask(self, socket: Any, message: dict[str, Any]) -> dict[str, Any]:
        await socket.send(json.dumps({"id": 1, "table": self.table, **message}))
        while (answer := self._hear(await socket.recv()))["type"] not in ("done", "error"):
            pass
        return answer

    async def _move(self, socket: Any, rng: random.Random) -> None:
        seat, after = self.said["to_move"][0], self.said["n"]
        move = some_move(self.said["legal"][str(seat)], rng)
        self.unsure, self.sent = (after + 1, move), time.monotonic()
        answer = await self._ask(socket, {"do": "move", "seat": seat, "move": move, "after": after})
        assert answer["type"] == "done", answer
        self.acknowledged[after + 1] = move
        self.unsure, self.stored = None, self.sent

    def check(self) -> None:
        """Check that acknowledged entries are there, with their times.

        An unacknowledged append is there whole or not at all.
        """
        entries = {entry["n"]: entry for entry in self.said["entries"]}
        for number, move in self.acknowledged.items():
            assert entries[number]["move"] == move
        for number, left in self.left.items():
            assert entries[number]["left"] == left
        if self.unsure is not None and self.unsure[0] in entries:
            assert entries[self.unsure[0]]["move"] == self.unsure[1]
            self.stored = self.sent
        self.unsure = None
        if self.said["started"] and self.said["result"] is None:
            self._check_clock(list(entries.values()))

    def _check_clock(self, entries: list[dict[str, Any]]) -> None:
        """Check that a seat has the time of its last move, at most less the time since its turn began."""
        clock = self.said["clock"]
        assert (clock["kind"], clock["running"], clock["late"]) == ("bank", self.said["to_move"], [])
        for seat in (1, 2):
            last = next((entry["left"] for entry in reversed(entries) if entry["by"] == seat), BANK * 1000)
            told = clock["left"][seat - 1]
            if seat in clock["running"]:
                assert last - (time.monotonic() - self.stored) * 1000 - 1 <= told <= last
            else:
                assert told == last


def some_move(legal: dict[str, Any], rng: random.Random) -> str:
    if legal["choose"]:
        return f"colour {rng.choice(legal['choose'])}"
    if legal["pass"]:
        return "pass"
    number, found = rng.choice(sorted(legal["numbers"].items()))
    return f"{rng.choice(found['colours'])}{number}{rng.choice(sorted(found['squares']))}"


async def play_until_killed(players: list[Player], server: Server, moves: int, rng: random.Random) -> None:
    """Play that many moves, then kill the server in the middle of the next one."""
    made = 0

    def moved() -> None:
        nonlocal made
        made += 1
        if made == moves:
            asyncio.get_running_loop().call_later(rng.random() * 0.05, server.process.kill)

    await asyncio.gather(*(player.play(server.address, rng, moved) for player in players))


def test_every_acknowledged_move_and_clock_survives_ten_kills(start: Callable[..., Server]) -> None:
    rng = random.Random(10)
    server = start(game=GAME)
    players = [Player(server.address) for _ in range(TABLES)]
    for _ in range(KILLS):
        asyncio.run(play_until_killed(players, server, rng.randint(10, 60), rng))
        assert any(player.said["result"] is None for player in players)
        server.kill()
        server = start(game=GAME)
    assert sum(len(player.acknowledged) for player in players) >= 10 * KILLS
    for player in players:
        log = from_json(httpx.get(f"{server.address}/api/tables/{player.table}/record", timeout=HANG).content)
        Match.load(log)
        made = dict(enumerate(log.log, start=1))
        assert all(made[number].move == move for number, move in player.acknowledged.items())
        assert all(made[number].left == left for number, left in player.left.items())
        assert increasing(log.log)


def increasing(log: tuple[Entry, ...]) -> bool:
    times = [entry.t or 0 for entry in log]
    return times == sorted(times)
