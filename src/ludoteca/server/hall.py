"""The hall: the tables that are in use are in memory, the others in the database until somebody asks for them."""

import asyncio
import logging
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from ludoteca.core import registry
from ludoteca.core.random import generator
from ludoteca.server import bots, ledger, setting
from ludoteca.server.bots import Bots
from ludoteca.server.guests import Guests
from ludoteca.server.kernels import Kernels
from ludoteca.server.ledger import TableOfGuest
from ludoteca.server.lobby import Lobby
from ludoteca.server.refusals import NoHint, NotYourSeat, OtherRules, StillRunning, UnknownTable
from ludoteca.server.service import NOTED_EVERY, Service
from ludoteca.server.setting import TableWanted
from ludoteca.server.storage import Storage
from ludoteca.server.tables import Table
from ludoteca.server.talk import REMEMBERED
from ludoteca.server.timing import Time

REST = 300_000  # milliseconds after which a table where nothing happens is put away
TIDY_EVERY, EXPIRE_EVERY = 60_000, 3_600_000
MOST_LISTED = 200  # of a guest's tables
log = logging.getLogger("ludoteca.server.hall")


class Hall:
    def __init__(self, folder: Path, workers: int | None = None, time: Time | None = None) -> None:
        self.time = time or Time()
        self.storage = Storage(folder)
        self.service = Service(self.storage.first_read(ledger.service), self.time.now())
        self.guests = Guests(folder)
        self.lobby = Lobby(self.time)
        self.bots = Bots(workers)
        self.kernels = Kernels(self.bots)
        self._tables: dict[str, Table] = {}
        self._fetching: dict[str, asyncio.Task[Table]] = {}
        self._work: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        self.go_on(self.kernels.warm_up())
        self.go_on(self._serve())
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

    def has_bots(self, key: str) -> bool:
        return bool(bots.offered(key))

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
            table.touched = self.time.now()
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
            await self.warm(row.game)
        said = await self.storage.read(partial(ledger.last_said, table=id_, most=REMEMBERED))
        table = self._tables[id_] = await asyncio.to_thread(Table, self, row, entries, said)
        table.go_on()
        table.begin_if_full()
        self.lobby.update(table)
        return table

    async def _resume(self) -> None:
        """Fetches every running match: a bot may have to move, a clock to run."""
        for id_ in await self.storage.read(ledger.running):
            try:
                await self.table(id_)
            except Exception:
                log.exception("table %s could not be resumed", id_)

    async def _serve(self) -> None:
        while True:
            await self.note_service()
            await asyncio.sleep(NOTED_EVERY / 1000)

    async def note_service(self) -> None:
        """That we are here, for the clocks of those who come after us."""
        await self.storage.write(partial(ledger.note_service, since=self.service.since, until=self.time.now()))

    async def _tidy(self) -> None:
        expired_at = None
        while True:
            if expired_at is None or self.time.now() - expired_at > EXPIRE_EVERY:
                expired_at = self.time.now()
                await self.expire()
            self.put_away()
            await asyncio.sleep(TIDY_EVERY / 1000)

    def put_away(self, rest: int = REST) -> None:
        """Forgets the tables where nothing has happened for a while: the database has them."""
        for table in list(self._tables.values()):
            if table.at_rest and table.touched <= self.time.now() - rest:
                del self._tables[table.id]
                table.close()

    async def expire(self) -> None:
        for id_ in await self.storage.write(partial(ledger.expire, now=self.time.now())):
            if (table := self._tables.pop(id_, None)) is not None:
                table.close()
                self.lobby.remove(table)

    @property
    def in_memory(self) -> list[str]:
        return sorted(self._tables)

    async def create(self, wanted: TableWanted, guest: str) -> str:
        row = setting.new_table(wanted, guest, self.time.now())
        await self.storage.write(partial(ledger.add_table, row=row))
        if row.open or all(seat.taken for seat in row.seats):
            await self.table(row.id)
        return row.id

    async def rematch(self, table: Table, guest: str | None, key: str | None) -> str:
        """The table of the next match, the same for all who ask."""
        if guest is None or not table.held_by(guest):
            raise NotYourSeat
        if table.playing().result is None:
            raise StillRunning(table.id)
        if table.row.rematch is None:
            row = setting.next_table(table, key, guest, self.time.now())
            table.row.rematch = await self.storage.write(lambda db: ledger.agree_rematch(db, table.id, row))
            table.teller.tell_table()
        return table.row.rematch

    async def tables_of(self, guest: str) -> list[TableOfGuest]:
        return await self.storage.read(partial(ledger.tables_of, guest=guest, most=MOST_LISTED))
