"""The hall: the tables that are in use are in memory, the others in the database until somebody asks for them."""

import asyncio
import logging
import secrets
import time
from collections.abc import Coroutine, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import msgspec

from ludoteca.core import registry
from ludoteca.core.chance import SEAT_BYTES, SEED_BYTES
from ludoteca.core.errors import UnknownBot
from ludoteca.core.random import generator
from ludoteca.server import bots, ledger
from ludoteca.server.bots import Bots
from ludoteca.server.guests import Guests
from ludoteca.server.kernels import Kernels
from ludoteca.server.ledger import SeatRow, TableRow
from ludoteca.server.refusals import BadSeats, NoHint, NotYourSeat, OtherRules, StillRunning, UnknownTable
from ludoteca.server.storage import Storage
from ludoteca.server.tables import Table, now_ms

ID_LETTERS, ID_LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 8  # none that are mistaken for one another
REST = 300.0  # seconds after which a table where nothing happens is put away
TIDY_EVERY, EXPIRE_EVERY = 60.0, 3600.0
log = logging.getLogger("ludoteca.server.hall")


class SeatWanted(msgspec.Struct, rename={"whom": "for"}):
    whom: Literal["me", "anyone", "bot"]
    bot: str | None = None


class Hall:
    def __init__(self, folder: Path, workers: int | None = None) -> None:
        self.storage = Storage(folder)
        self.guests = Guests(folder)
        self.bots = Bots(workers)
        self.kernels = Kernels(self.bots)
        self._tables: dict[str, Table] = {}
        self._fetching: dict[str, asyncio.Task[Table]] = {}
        self._work: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        self.go_on(self.kernels.warm_up())
        self.go_on(self._resume())
        self.go_on(self._tidy())

    async def close(self) -> None:
        for work in self._work:
            work.cancel()
        self.bots.close()
        await asyncio.gather(*self._work, return_exceptions=True)
        self.storage.close()

    def go_on(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._work.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._work.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("something that nobody waited for failed", exc_info=error)

    async def warm(self, key: str) -> None:
        await self.kernels.rules_ready(key)

    async def think(self, key: str, name: str, state: Any, seat: int, seed: tuple[object, ...]) -> str:
        """What the seat cannot see does not even reach the worker."""
        await self.kernels.bots_ready(key)
        state = registry.game(key).concealed(state, seat, generator(*seed, "hidden"))
        if name not in (levels := bots.levels(key)):
            name = levels[0]  # a level of an earlier version: the match goes on with the weakest there is
        return await self.bots.run(bots.choose, key, name, state, seat, seed)

    async def advise(self, key: str, state: Any, seat: int, seed: tuple[object, ...]) -> str:
        if not (offered := bots.offered(key)):
            raise NoHint("no bot plays this game")
        return await self.think(key, offered[-1], state, seat, seed)

    async def table(self, id_: str) -> Table:
        """The table with this id, fetched from the database if need be."""
        if (table := self._tables.get(id_)) is not None:
            table.touched = time.monotonic()
            return table
        if id_ not in self._fetching:
            self._fetching[id_] = asyncio.get_running_loop().create_task(self._fetch(id_))
            self._fetching[id_].add_done_callback(lambda _: self._fetching.pop(id_))
        return await asyncio.shield(self._fetching[id_])

    async def _fetch(self, id_: str) -> Table:
        found = await self.storage.read(partial(ledger.find_table, table=id_))
        if found is None:
            raise UnknownTable(id_)
        row, entries = found
        if row.rules != (known := registry.game(row.game).rules_version):
            raise OtherRules(id_, row.rules, known)
        if row.begun is not None:
            await self.kernels.rules_ready(row.game)
        table = self._tables[id_] = await asyncio.to_thread(Table, self, row, entries)
        table.go_on(resuming=True)
        table.begin_if_full()
        return table

    async def _resume(self) -> None:
        """Fetches every running match: a bot may have to move, a clock to run."""
        for id_ in await self.storage.read(ledger.running):
            try:
                await self.table(id_)
            except Exception:
                log.exception("table %s could not be resumed", id_)

    async def _tidy(self) -> None:
        expired_at = -EXPIRE_EVERY
        while True:
            if time.monotonic() - expired_at > EXPIRE_EVERY:
                expired_at = time.monotonic()
                await self.expire()
            self.put_away()
            await asyncio.sleep(TIDY_EVERY)

    def put_away(self, rest: float = REST) -> None:
        """Forgets the tables where nothing has happened for a while: the database has them."""
        for table in list(self._tables.values()):
            if table.at_rest and table.touched <= time.monotonic() - rest:
                del self._tables[table.id]

    async def expire(self) -> None:
        for id_ in await self.storage.write(partial(ledger.expire, now=now_ms())):
            if (table := self._tables.pop(id_, None)) is not None:
                table.close()

    @property
    def in_memory(self) -> list[str]:
        return sorted(self._tables)

    async def create(self, key: str, options: Mapping[str, object], wanted: Sequence[SeatWanted], guest: str) -> str:
        """A new table; its seats for "me" are kept for the guest who asks."""
        game = registry.game(key)
        agreed = game.agree({"players": len(wanted), **options})
        if len(wanted) != agreed["players"]:
            raise BadSeats(f"{len(wanted)} seats for {agreed['players']} players")
        seats = [_seat(key, n, seat, guest) for n, seat in enumerate(wanted, start=1)]
        row = _new_row(key, game.rules_version, agreed, seats)
        await self.storage.write(partial(ledger.add_table, row=row))
        if all(seat.taken for seat in seats):
            await self.table(row.id)
        return row.id

    async def rematch(self, table: Table, guest: str | None) -> str:
        """The table of the rematch, the same for all who ask; the seats are turned by one."""
        if not table.held_by(guest):
            raise NotYourSeat
        if table.playing().result is None:
            raise StillRunning(table.id)
        if table.row.rematch is None:
            turned = table.row.seats[-1:] + table.row.seats[:-1]
            seats = [_seat_again(n, seat) for n, seat in enumerate(turned, start=1)]
            match = table.playing()
            assert match.result is not None
            agreed = match.game.agreed_again(match.agreed, match.state, match.result)
            row = _new_row(table.row.game, table.row.rules, agreed, seats)
            table.row.rematch = await self.storage.write(lambda db: ledger.agree_rematch(db, table.id, row))
            table.tell_table()
        return table.row.rematch


def _new_row(key: str, rules: int, agreed: Mapping[str, Any], seats: list[SeatRow]) -> TableRow:
    id_ = "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
    return TableRow(id_, key, rules, dict(agreed), secrets.token_bytes(SEED_BYTES), now_ms(), seats)


def _seat(key: str, number: int, wanted: SeatWanted, guest: str) -> SeatRow:
    if wanted.whom != "bot":
        return SeatRow(number, reserved=guest if wanted.whom == "me" else None)
    if wanted.bot not in (levels := bots.levels(key)):
        raise UnknownBot(str(wanted.bot), list(levels))
    return _bot_seat(number, wanted.bot)


def _seat_again(number: int, before: SeatRow) -> SeatRow:
    return _bot_seat(number, before.bot) if before.bot else SeatRow(number, reserved=before.guest)


def _bot_seat(number: int, level: str) -> SeatRow:
    return SeatRow(number, bot=level, name=level.capitalize(), seal_bytes=secrets.token_bytes(SEAT_BYTES))
