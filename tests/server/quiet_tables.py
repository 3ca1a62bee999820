"""Tables in the test's own process, and people with windows on them. Time passes only when a test says so."""

import asyncio
import heapq
import itertools
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from ludoteca.core import registry
from ludoteca.core.kernel_game import KernelGame
from ludoteca.server.database.contract import Storage
from ludoteca.server.database.opening import open_storage
from ludoteca.server.fair_queue import Asker
from ludoteca.server.new_table import SeatWanted, TableWanted
from ludoteca.server.table import Table
from ludoteca.server.tables import Tables
from ludoteca.server.timing import Time


class SteppedTime(Time):
    def __init__(self, now: int = 1_700_000_000_000) -> None:
        self._now = now
        self._alarms: list[tuple[int, int, SteppedAlarm]] = []
        self._numbers = itertools.count()

    def now(self) -> int:
        return self._now

    def later(self, wait: int, call: Callable[[], None]) -> "SteppedAlarm":
        alarm = SteppedAlarm(call)
        heapq.heappush(self._alarms, (self._now + max(0, wait), next(self._numbers), alarm))
        return alarm

    def step(self, until: int) -> bool:
        """Go on to the next alarm, if there is one before that time."""
        while self._alarms and self._alarms[0][0] <= until:
            due, _, alarm = heapq.heappop(self._alarms)
            if not alarm.cancelled:
                self._now = max(self._now, due)
                alarm.call()
                return True
        self._now = until
        return False


class SteppedAlarm:
    def __init__(self, call: Callable[[], None]) -> None:
        self.call, self.cancelled = call, False

    def cancel(self) -> None:
        self.cancelled = True


class FirstMove:
    """Bots that play the first legal move. Rules are compiled when they are called."""

    def level_now(self, key: str, name: str) -> str:
        return name

    async def rules_ready(self, key: str) -> None:
        pass

    async def think(self, key: str, name: str, state: Any, seat: int, seed: tuple[object, ...], asker: Asker) -> str:
        game = registry.game(key)
        assert isinstance(game, KernelGame)
        return game.moves(state)[0]


class QuietTables(Tables):
    """Tables on which nothing happens by itself."""

    def __init__(self, storage: Storage, now: int = 1_700_000_000_000) -> None:
        self.stepped = SteppedTime(now)
        super().__init__(storage, workers=1, time=self.stepped, thinking=FirstMove())

    async def fresh(self, table: Table) -> Table:
        """Return the same table, read from the database again."""
        del self._tables[table.id]
        return await self.table(table.id)

    async def settle(self) -> None:
        """Wait until nothing is pending."""
        while self.tasks.running:
            await asyncio.wait(self.tasks.running)

    async def wait(self, milliseconds: int) -> None:
        await self.settle()
        until = self.stepped.now() + milliseconds
        while self.stepped.step(until):
            await self.settle()


class Window:
    """A client that keeps what it is sent."""

    def __init__(self, guest_id: str | None, lag: int = 0) -> None:
        self.guest_id, self.lag = guest_id, lag
        self.sent: list[dict[str, Any]] = []
        self.raw: list[bytes] = []
        self.said: dict[str, Any] = {}
        self.log: list[dict[str, Any]] = []

    def link(self, table: str) -> str:
        return f"http://here/t/{table}"

    def send(self, message: bytes) -> None:
        read = json.loads(message)
        self.raw.append(message)
        self.sent.append(read)
        if read["type"] in ("table", "entries"):
            start = read.get("have", read.get("after"))
            self.log = self.log[:start] + read["entries"]
            self.said = {**self.said, **read}

    @property
    def moves(self) -> list[str]:
        return [entry["move"] for entry in self.log]


def clock_shown(kind: str, running: list[int], left: list[int | None], **more: Any) -> dict[str, Any]:
    """Return a clock as it is sent to clients."""
    return {"kind": kind, "running": running, "starts_in": 0, "left": left, "match": None, "late": [], **more}


async def table_for(
    tables: Tables, guests: Sequence[str | None], game: str = "pinpoint", level: str = "novice", **wanted: Any
) -> tuple[Table, dict[str, Window]]:
    """Return a table where these guests sit, each at a window; None is a bot of a level."""
    seats = [SeatWanted("anyone") if guest else SeatWanted("bot", level) for guest in guests]
    maker = next(guest for guest in guests if guest)
    table = await tables.table(await tables.create(TableWanted(game, seats, **wanted), maker))
    windows = {guest: Window(guest) for guest in dict.fromkeys(guests) if guest}
    for window in windows.values():
        table.join(window, 0)
    for seat, guest in enumerate(guests, start=1):
        if guest:
            await table.waiting_room.sit(guest, seat, guest.title(), b"%016d" % seat)
    assert isinstance(tables, QuietTables)
    await tables.settle()
    return table, windows


def visit(folder: Path, what: Callable[[QuietTables], Awaitable[None]], now: int = 1_700_000_000_000) -> None:
    """Run a test with tables of its own on a data folder."""
    visit_at(str(folder), what, now)


def visit_at(address: str, what: Callable[[QuietTables], Awaitable[None]], now: int = 1_700_000_000_000) -> None:
    """Run a test with tables of its own on the storage at an address."""

    async def visited() -> None:
        tables = QuietTables(open_storage(address), now)
        try:
            await what(tables)
            await tables.settle()
        finally:
            await tables.close()

    asyncio.run(visited())


async def play(table: Table, seat: int | None = None, move: str | None = None, lag: int = 0) -> None:
    """Make a move for the seat to move: the first legal one, unless a move is given."""
    match = table.match
    seat = seat or match.to_move[0]
    assert isinstance(match.game, KernelGame)
    move = move or match.game.moves(match.state)[0]
    await table.move(table.row.seat(seat).guest, seat, move, len(match.log), lag)
