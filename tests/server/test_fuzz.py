"""A fixed number of messages, most of them almost right, from people at tables of several games.

Each message is answered, no table dies, and nobody is told what they may not know.
"""

import base64
import json
import random
import secrets
import time
from collections.abc import Callable
from typing import Any

import httpx
from guests_at_tables import HANG, Person, Server

from ludoteca.core.match import Match
from ludoteca.core.record import from_json
from ludoteca.server.messages import VERBS

BUDGET = 1500  # messages
WINDOWS = 8
GAMES = ("pinpoint", "tictacmatch", "tictacmatch", "matchnlock")
WORDS = (
    "resign", "offer draw", "accept", "decline", "claim", "draw", "pass", "F", "W", "D", "XR a1", "Re5", "timeout 1",
    "takeback 1", "bot 2", "back 1", "deal 1 XR OB F XG", "", " ", "\n", "resign\nresign", "\U0001f004", "x" * 300,
    "hints on", "hints off",
)  # fmt: skip
ODD = (None, True, -1, 0, 1, 2, 3, 64, 65, 2**53, 1.5, "", "1", [], {}, "\u202e", "club", "pinpoint", "hello")


class Fuzzer:
    def __init__(self, seed: int, tables: list[str]) -> None:
        self.rng, self.tables = random.Random(seed), tables

    def message(self, who: Person) -> dict[str, Any]:
        rng = self.rng
        message = {
            "do": rng.choice(sorted(VERBS)),
            "table": rng.choice(self.tables),
            "seat": rng.randint(1, 3),
            "for": rng.randint(1, 3),
            "have": rng.choice((0, 1, 5, 1000)),
            "after": rng.choice((who.said.get("n", 0), who.said.get("n", 0), 0, 3, 1000)),
            "entry": rng.randint(0, 30),
            "move": self.move(who),
            "bytes": secrets.token_hex(16),
            "bot": rng.choice(("novice", "club", "oracle")),
            "yes": rng.random() < 0.7,
            "on": rng.random() < 0.5,
        }
        if rng.random() < 0.5:
            message["phrase" if rng.random() < 0.5 else "text"] = rng.choice(("hello", "oops", "<script>", "a" * 250))
        if message["do"] == "rematch" and rng.random() < 0.5:
            message["game"] = rng.choice(("pinpoint", "aftaebr", "chess"))
        if rng.random() < 0.2:
            message[rng.choice(sorted(message))] = rng.choice(ODD)
        return message

    def move(self, who: Person) -> str:
        legal = who.said.get("legal") or {}
        for moves in legal.values():
            if self.rng.random() < 0.7:
                return some_move(self.rng, moves)
        return self.rng.choice(WORDS)


def some_move(rng: random.Random, legal: dict[str, Any]) -> str:
    """Return something that a page could make of the legal moves of any of these games."""
    if "pins" in legal:
        return f"{rng.choice(legal['pins'])}{rng.choice(legal['holes'])}"
    if legal.get("targets"):
        return f"target {rng.choice(legal['targets'])}"
    if "cards" in legal:
        card, spaces = rng.choice(sorted(legal["cards"].items()))
        return f"{card} {rng.choice(spaces)}" if spaces else str(card)
    return rng.choice(("draw", "a1", "h8", "d4", "e5+"))


def check_told(message: dict[str, Any], text: str, guests: set[str]) -> None:
    """Check that a message tells of hands and seeds only what may be known, and never a guest's identity."""
    assert not any(guest in text for guest in guests)
    if message["type"] not in ("table", "entries") or message["result"] is not None:
        return
    assert (message.get("seal") or {"seed": None})["seed"] is None
    view = message["view"] or {}
    for seat, hand in enumerate(view.get("hands", ()), start=1):
        assert hand is None or seat == message["eye"], text
    for entry in message["entries"]:
        verb, *words = entry["move"].split()
        if entry["by"] == 0 and verb in ("deal", "draw") and words[0] != str(message["eye"]):
            assert set(words[1:]) <= {"?"}, text


def guest_of(who: Person) -> str:
    told = next(iter(who.http.cookies.values())).partition(".")[0]
    guest: str = json.loads(base64.urlsafe_b64decode(told + "=" * (-len(told) % 4)))["id"]
    return guest


class Listening(Person):
    """A person who checks every message that arrives."""

    guests: set[str]

    def receive(self) -> dict[str, Any]:
        text = self.socket.recv(timeout=HANG)
        assert isinstance(text, str)
        message: dict[str, Any] = json.loads(text)
        check_told(message, text, self.guests)
        if message["type"] in ("table", "entries"):
            self.said = {**self.said, **message}
        return message


def test_nothing_that_is_said_on_a_socket_breaks_anything(start: Callable[..., Server]) -> None:
    server = start()
    while not {*GAMES} <= {*httpx.get(f"{server.address}/api/health", timeout=HANG).json()["warm"]}:
        time.sleep(0.5)
    people = [Listening(server.address) for _ in range(WINDOWS)]
    guests = {guest_of(who) for who in people}
    for who in people:
        who.guests = guests
    tables = []
    for game in GAMES:
        seats = [{"for": "anyone"}, {"for": "anyone"}]
        wanted = {"game": game, "seats": seats, "open": True, "clock": {"bank": 3600}, "delay": len(tables) % 2}
        tables.append(people[0].http.post("/api/tables", json=wanted).json()["table"])
    fuzzer, answers = Fuzzer(8, tables), []
    for n, who in enumerate(people):
        who.table = tables[n // 2]
        who.done("watch", have=0)
        who.done("sit", seat=n % 2 + 1, bytes=secrets.token_hex(16))
    for n in range(BUDGET):
        who = people[n % WINDOWS]
        message = fuzzer.message(who)
        who.socket.send(json.dumps({**message, "id": n}))
        answer = who.answer(n)
        assert answer["type"] == "done" or answer["code"] != "server/error", (message, answer)
        answers.append(answer["type"] if answer["type"] == "done" else answer["code"])
    counted = {answer: answers.count(answer) for answer in set(answers)}
    assert counted["done"] > BUDGET // 10
    assert counted.get("message/too-many", 0) < BUDGET // 2
    assert len(counted) > 15, counted
    for table in tables:
        ada = Person(server.address)
        ada.watch(table)
        ada.wait(lambda who: who.said["result"] or who.said["to_move"])  # spectators may see it later
        seat = (ada.said["to_move"] or [1])[0]
        mine = next(who for who in people if who.said.get("table") and _holds(who, table, seat))
        if mine.said["result"] is None:
            mine.done("move", seat=seat, move="resign", after=mine.said["n"])
        record = from_json(mine.http.get(f"/api/tables/{table}/record").content)
        assert record.result
        Match.load(record)
        ada.close()
    for who in people:
        who.close()
    assert server.stop() == (0, "")


def _holds(who: Person, table: str, seat: int) -> bool:
    who.table = table
    who.done("watch", have=0)
    return bool(who.said["seats"][seat - 1]["mine"])
