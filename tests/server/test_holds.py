"""Nothing that a client asks holds the event loop: other guests wait for nobody.

A real server measures every call of its event loop. Every message of the protocol and every route is asked, in every
game, at tables with a long log. Other work of the machine makes a call longer, which says nothing about the server. So
the processor's time counts; the time that passed, which also shows a wait for a file, has a generous limit. Each
question is asked in two rounds, in more of them while it seems too long, and its shortest hold counts.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx
import msgspec
from guests_at_tables import HANG, Person, Server
from two_worlds import ORDER, SCRIPTS, Asked

from ludoteca.core import lessons, puzzles, registry
from ludoteca.core.chance import Seal
from ludoteca.core.game import Game
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.match import Append, Match
from ludoteca.core.record import Entry, Seat
from ludoteca.server import app, guests, ledger, messages, takebacks
from ludoteca.server.database.contract import Database
from ludoteca.server.database.sqlite import SqliteStorage
from ludoteca.server.guests import Guest, Guests
from ludoteca.server.keys import GUESTS, GUESTS_BYTES
from ludoteca.server.rows import SeatRow, Standing, TableRow
from ludoteca.server.running_match import RunningMatch
from ludoteca.server.uptime import Uptime

LONGEST = 0.01  # seconds of the processor
LONGEST_WAIT = 0.1  # seconds that pass
ROUNDS, MOST_ROUNDS = 2, 8
LONG, LONG_IF_MEASURED = 600, 40  # entries
BEGUN = 1_700_000_000_000

# `ludoteca serve`, which tells how long a call of its event loop took since it was last asked.
PROGRAM = """
import asyncio, sys, time
from ludoteca import cli
from ludoteca.server import serving

longest, run, application = [0.0, 0.0], asyncio.Handle._run, serving.application

def timed(handle):
    began, at = time.thread_time(), time.perf_counter()
    run(handle)
    longest[:] = max(longest[0], time.thread_time() - began), max(longest[1], time.perf_counter() - at)

asyncio.Handle._run = timed

def told(*given, **more):
    app = application(*given, **more)
    async def answer(scope, receive, send):
        if scope.get("path") != "/longest":
            return await app(scope, receive, send)
        body, longest[:] = " ".join(map(str, longest)).encode(), (0.0, 0.0)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
        await send({"type": "http.response.body", "body": body})
    return answer

serving.application = told
sys.exit(cli.main())
"""


class Place(NamedTuple):
    """Where a round asks its questions: a guest with all seats of a long match, and of the same match, finished."""

    game: Game
    match: Match
    moves: tuple[str, ...]  # legal now
    running: str
    finished: str

    @property
    def decided(self) -> int:
        """The number of an entry in which somebody decided something."""
        log, events = self.match.log, self.match.events
        return next(n for n in range(len(log), 0, -1) if log[n - 1].by and events[n - 1] is None)


def long_match(key: str) -> tuple[Match, tuple[str, ...]]:
    """Return a running match in which many moves were taken back, and legal moves in it."""
    game = registry.game(key)
    wanted = LONG if isinstance(game, KernelGame) else LONG_IF_MEASURED
    for seed in range(100):
        match = _played(game, seed, wanted)
        if match.result is None and any(entry.by for entry in match.log[-5:]):
            return match, tuple(game.sample_moves(match.state, match.to_move[0], Random(seed), 3))
    raise AssertionError(f"every match of {key} ends too soon")


def _played(game: Game, seed: int, wanted: int) -> Match:
    players, rng = max(game.players), Random(seed)
    seats, seal = [Seat(f"Seat {n}") for n in range(1, players + 1)], Seal.derived("long", players, seed)
    match = Match(game, game.agree({"players": players}), seats, seal)
    match.begin(t=0)
    while len(match.log) < wanted:
        takeback = takebacks.possible(match, list(match.to_move))
        if takeback is not None and rng.random() < 0.6:
            match.commit(match.prepare_event(takeback, t=len(match.log)))
            continue
        move = game.sample_moves(match.state, match.to_move[0], rng, 1)[0]
        append = match.prepare(move, match.to_move[0], t=len(match.log))
        if append.position.result:
            break
        match.commit(append)
    return match


def ended(match: Match) -> Match:
    """Return the match with resignations that end it."""
    twin = Match(match.game, match.agreed, match.seats, match.seal)
    twin.follow(match.log)
    while twin.result is None:
        seat = next(seat for seat in range(1, len(twin.seats) + 1) if seat not in twin.position.conduct.out)
        twin.commit(twin.prepare("resign", seat, t=len(twin.log)))
    return twin


def stored(folder: Path, key: str, guest: str) -> list[Place]:
    """Store a long match of a game and its finished twin, once for each round."""
    match, moves = long_match(key)
    players = len(match.seats)
    over = ended(match).log

    def row(id_: str) -> TableRow:
        seats = [SeatRow(n, guest=guest, name=f"Seat {n}", seal_bytes=b"%016d" % n) for n in range(1, players + 1)]
        rules, options = match.game.rules_version, dict(match.agreed)
        return TableRow(id_, key, rules, options, b"s" * 32, BEGUN, seats, creator=guest)

    def standing_after(entries: Sequence[Entry]) -> Standing:
        running = RunningMatch.new(row(key), BEGUN, Uptime([], BEGUN))
        running.follow(running.match.follow(entries))
        return running.standing(Append(len(entries), (), running.match.position))

    def keep(db: Database, id_: str, entries: Sequence[Entry], standing: Standing) -> None:
        ledger.add_table(db, row(id_))
        ledger.begin(db, id_, entries, standing, BEGUN)
        if standing.result is not None:
            db.execute("update tables set ended = 1 where id = ?", (id_,))

    places = [Place(match.game, match, moves, f"{key}-r{n}", f"{key}-f{n}") for n in range(MOST_ROUNDS)]

    async def store() -> None:
        storage = SqliteStorage(folder)
        runs, stands = standing_after(match.log), standing_after(over)  # worked out once: it is the same in every round
        for place in places:
            await storage.write(lambda db, place=place: keep(db, place.running, match.log, runs))
            await storage.write(lambda db, place=place: keep(db, place.finished, over, stands))
        storage.close()

    asyncio.run(store())
    return places


Request = Callable[[Place], tuple[str, dict[str, Any] | None]]
REQUESTS: dict[tuple[str, str], Request] = {  # the address of a request, and its body
    ("get", "/api/health"): lambda place: ("/api/health", None),
    ("get", "/api/health/alive"): lambda place: ("/api/health/alive", None),
    ("get", "/api/key"): lambda place: ("/api/key", None),
    ("get", "/api/games"): lambda place: ("/api/games", None),
    ("get", "/api/me"): lambda place: ("/api/me", None),
    ("put", "/api/me"): lambda place: ("/api/me", {"name": "Ada"}),
    ("post", "/api/me/renew"): lambda place: ("/api/me/renew", {}),
    ("delete", "/api/me"): lambda place: ("/api/me", None),
    ("get", "/api/me/tables"): lambda place: ("/api/me/tables", None),
    ("post", "/api/tables"): lambda place: ("/api/tables", wanted(place, "me")),
    ("get", "/api/tables/{table}/record"): lambda place: (f"/api/tables/{place.finished}/record", None),
    ("get", "/api/tables/{table}/draws"): lambda place: (f"/api/tables/{place.finished}/draws", None),
    ("get", "/api/tables/{table}/review"): lambda place: (f"/api/tables/{place.finished}/review", None),
    ("get", "/api/tables/{table}/review/{entry}"): lambda place: (
        f"/api/tables/{place.finished}/review/{place.decided}",
        None,
    ),
    ("post", "/api/tables/{table}/review/{entry}/try"): lambda place: (
        f"/api/tables/{place.finished}/review/{place.decided}/try",
        {"move": place.match.log[place.decided - 1].move},
    ),
    ("post", "/api/tables/{table}/review/{entry}/deeper"): lambda place: (
        f"/api/tables/{place.finished}/review/{place.decided}/deeper",
        {"effort": 1},
    ),
    ("get", "/api/lessons/{game}"): lambda place: (f"/api/lessons/{place.game.key}", None),
    ("post", "/api/lessons/{game}/{step}"): lambda place: lesson(place.game.key),
    ("get", "/api/puzzles"): lambda place: ("/api/puzzles", None),
    ("get", "/api/puzzles/day"): lambda place: ("/api/puzzles/day", None),
    ("get", "/api/puzzles/next/{game}"): lambda place: (f"/api/puzzles/next/{place.game.key}", None),
    ("get", "/api/puzzles/of/{game}/{puzzle}"): lambda place: (puzzle(place.game.key), None),
    ("post", "/api/puzzles/of/{game}/{puzzle}"): lambda place: (puzzle(place.game.key), {"moves": place.moves[:1]}),
    ("post", "/api/puzzles/of/{game}/{puzzle}/reply"): lambda place: (
        f"{puzzle(place.game.key)}/reply",
        {"moves": place.moves[:1]},
    ),
    ("get", "/api/mistakes"): lambda place: ("/api/mistakes", None),
    ("post", "/api/mistakes/{table}/{entry}"): lambda place: (
        f"/api/mistakes/{place.finished}/{place.decided}",
        {"move": place.match.log[place.decided - 1].move},
    ),
    ("post", "/api/tables/{table}/on"): lambda place: (
        f"/api/tables/{place.finished}/on",
        {"entry": place.decided, "seats": wanted(place)["seats"]},
    ),
    ("post", "/api/records"): lambda place: ("/api/records", msgspec.to_builtins(ended(place.match).record)),
    ("get", "/api/tables/{table}/picture"): lambda place: (f"/api/tables/{place.finished}/picture", None),
    ("delete", "/api/tables/{table}"): lambda place: (f"/api/tables/{place.running}", None),
}


def wanted(place: Place, *seats: str) -> dict[str, Any]:
    """Return a table with these seats; the others are for me."""
    more = ["me"] * (len(place.match.seats) - len(seats))
    kinds = [{"for": seat} for seat in (*seats, *more)]
    return {"game": place.game.key, "options": {"players": len(kinds)}, "seats": kinds, "open": "anyone" in seats}


def puzzle(key: str) -> str:
    return f"/api/puzzles/of/{key}/{next(iter(puzzles.puzzles_of(key)), 'none')}"


def lesson(key: str) -> tuple[str, dict[str, Any]]:
    if not lessons.has_course(key):
        return f"/api/lessons/{key}/none", {"moves": ["x"]}
    step = next(step for step in lessons.course(key).step if step.do)
    return f"/api/lessons/{key}/{step.id}", {"moves": [step.do[0].shown]}


class Hold(NamedTuple):
    """The longest call of the event loop, in seconds."""

    processor: float
    passed: float

    @property
    def is_short(self) -> bool:
        return self.processor <= LONGEST and self.passed <= LONGEST_WAIT


class Meter:
    """Asks a server, and notes for how long each question held its event loop."""

    def __init__(self, server: Server) -> None:
        self._server, self._http = server, httpx.Client(timeout=HANG)
        self.holds: dict[str, Hold] = {}

    def longest(self) -> Hold:
        return Hold(*map(float, self._http.get(f"{self._server.address}/longest").text.split()))

    def measure(self, what: str, ask: Callable[[], Any]) -> Any:
        self.longest()
        answer = ask()
        held, before = self.longest(), self.holds.get(what, Hold(inf, inf))
        self.holds[what] = Hold(min(held.processor, before.processor), min(held.passed, before.passed))
        return answer

    def too_long(self, key: str = "") -> list[str]:
        """Return the questions, of one game or of all, that held the loop for too long every time."""
        found = sorted((hold, what) for what, hold in self.holds.items() if not hold.is_short and key in what)
        return [f"{what}: {hold.processor * 1000:.1f} ms, {hold.passed * 1000:.1f} ms" for hold, what in found[::-1]]

    def close(self) -> None:
        self._http.close()


def ask_sockets(meter: Meter, ada: Person, place: Place) -> None:
    """Ask every message at a long match, at the same match when it is over, and at a table that waits."""
    key, players = place.game.key, len(place.match.seats)

    def ask(do: str, where: str, **body: Any) -> dict[str, Any]:
        found: dict[str, Any] = meter.measure(f"{do} at {where} of {key}", lambda: ada.ask(do, **body))
        return found

    for ada.table, where in ((place.running, "a long match"), (place.finished, "a finished match")):
        ask("watch", f"{where}, first read", have=0)
        for verb in ORDER:
            asked = Asked(place.match.to_move[0], players, len(ada.log), place.moves)
            for body in SCRIPTS[verb](asked):
                ask(verb, where, **{**body, "table": ada.table})
    ada.table = ada.http.post("/api/tables", json=wanted(place)).json()["table"]
    ask("watch", "a waiting table", have=0)
    for seat in range(1, players + 1):
        ask("sit", "a waiting table", seat=seat, bytes="00" * 16)
    ada.table = ada.http.post("/api/tables", json=wanted(place, "anyone", "anyone")).json()["table"]
    ask("watch", "a waiting table", have=0)
    ask("sit", "a waiting table", seat=1, bytes="00" * 16)
    ask("reveal", "a waiting table", seat=1, bytes="00" * 16)
    ask("fill", "a waiting table", seat=2, bot="novice")
    for do in ("close", "lobby", "cancel"):
        ask(do, "a waiting table")


def ask_routes(meter: Meter, ada: Person, place: Place) -> None:
    stranger = httpx.Client(base_url=ada.address, timeout=HANG)
    for (method, route), request in REQUESTS.items():
        address, body = request(place)
        is_about_cookies = route.startswith("/api/me") and route != "/api/me/tables"
        asking = stranger if is_about_cookies else ada.http  # ada keeps hers
        what = f"{method} {route}, {place.game.key}"
        answer = meter.measure(what, partial(asking.request, method, address, json=body))
        assert answer.status_code < 500, (what, answer.text)
    for file in ("/", "/schema/openapi.json", f"/t/{place.running}"):
        meter.measure(f"get {file[:8]}, {place.game.key}", partial(ada.http.get, file))
    stranger.close()


def test_every_route_has_a_request(tmp_path: Path) -> None:
    async def routes() -> set[tuple[str, str]]:
        server = app.application(SqliteStorage(tmp_path), workers=1)
        paths = server.openapi_schema.to_schema()["paths"]
        await server.state["tables"].close()
        return {(method, path) for path, methods in paths.items() for method in methods}

    assert set(REQUESTS) == asyncio.run(routes()), "write a request for a new route: it must not hold the event loop"


def test_nothing_that_is_asked_holds_the_event_loop(tmp_path: Path) -> None:
    storage = SqliteStorage(tmp_path)
    guest, signer = Guest("ada", "Ada"), Guests(storage.secret(GUESTS, GUESTS_BYTES))
    storage.close()
    cookies = httpx.Cookies()
    cookies.set(guests.COOKIE, signer.cookie(guest), "127.0.0.1")
    games = [stored(tmp_path, key, guest.id) for key in registry.game_keys()]
    server = Server(tmp_path, program=("-c", PROGRAM))
    meter = Meter(server)
    try:
        server.wait_until_warm()
        for number in range(MOST_ROUNDS):
            for places in games:
                if number >= ROUNDS and not meter.too_long(places[0].game.key):
                    continue
                ada = Person(server.address, cookies)
                ask_sockets(meter, ada, places[number])
                ask_routes(meter, ada, places[number])
                ada.close()
        assert {what.split()[0] for what in meter.holds} >= messages.VERBS
        assert meter.too_long() == []
        assert max(meter.holds.values()).processor > 0, "something was measured"
    finally:
        meter.close()
        server.close()
