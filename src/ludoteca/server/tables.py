"""All tables: those in use are in memory, the others in the database until somebody asks for them."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Protocol
from weakref import WeakSet

from ludoteca.core import registry
from ludoteca.core.match import Match
from ludoteca.server import keys, ledger, new_table, seating, uploads
from ludoteca.server.chat import REMEMBERED
from ludoteca.server.database.contract import Storage
from ludoteca.server.database.sqlite import SqliteStorage
from ludoteca.server.guests import Guests
from ludoteca.server.kernels import Kernels
from ludoteca.server.limits import Limits
from ludoteca.server.lobby import Follower, Lobby
from ludoteca.server.metrics import Metrics
from ludoteca.server.new_table import PlayOn, TableWanted
from ludoteca.server.nodes.contract import Alone, Nodes
from ludoteca.server.refusals import NotStored, NotYourSeat, OtherRules, StillRunning, UnknownTable
from ludoteca.server.rows import TableOfGuest
from ludoteca.server.services import Services
from ludoteca.server.table import Table
from ludoteca.server.tasks import Tasks
from ludoteca.server.thinking import Thinking, WorkerThinking
from ludoteca.server.timing import Time
from ludoteca.server.uptime import NOTED_EVERY, Uptime
from ludoteca.server.workers import Workers

REST = 300_000  # milliseconds after which a table where nothing happens is put away
TIDY_EVERY, EXPIRE_EVERY = 60_000, 3_600_000
READY_WITHIN = 2.0  # seconds in which the storage has to answer
MOST_LISTED = 200  # of a guest's tables
log = logging.getLogger("ludoteca.server.tables")


class Connection(Protocol):
    """A client's connection, as the tables know it: one that can be ended."""

    guest_id: str | None

    def end(self) -> None: ...


class Tables:
    def __init__(
        self,
        storage: Storage,
        workers: int | None = None,
        time: Time | None = None,
        thinking: Thinking | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        self.time = time or Time()
        self.metrics = metrics or Metrics()
        self.clients: WeakSet[Connection] = WeakSet()
        self.storage = storage
        self.uptime = Uptime(self.storage.first_read(ledger.uptime), self.time.now())
        self.guests = Guests(storage.secret(keys.GUESTS, keys.GUESTS_BYTES), self.storage.first_read(ledger.revoked))
        self.tasks = Tasks(lambda: self.metrics.count("ludoteca_errors_total"))
        self.limits = Limits(self.time)
        self.nodes: Nodes = self._joined(storage)
        self.lobby = Lobby(self.time, self.nodes.lobby_changed)
        self.workers = Workers(workers, self.metrics)
        self.kernels = Kernels(self.workers)
        self.thinking = thinking or WorkerThinking(self.workers, self.kernels)
        self._services = Services(
            self.storage,
            self.time,
            self.uptime,
            self.lobby,
            self.thinking,
            self.tasks,
            self.metrics,
            self.nodes,
        )
        self._tables: dict[str, Table] = {}
        self._fetching: dict[str, asyncio.Task[Table]] = {}
        for name, read in {
            "ludoteca_sockets": lambda: len(self.clients),
            "ludoteca_tables_in_memory": lambda: len(self._tables),
            "ludoteca_storage_ready": lambda: int(storage.trouble is None),
            "ludoteca_node_leases": lambda: sum(table.is_minded_here for table in self._tables.values()),
        }.items():
            self.metrics.gauge(name, read)

    def _joined(self, storage: Storage) -> Nodes:
        """Return the other nodes on the same database; on SQLite there are none."""
        if isinstance(storage, SqliteStorage):
            return Alone()
        from ludoteca.server.database.postgres import PostgresStorage
        from ludoteca.server.news import News
        from ludoteca.server.nodes.together import Together

        assert isinstance(storage, PostgresStorage)
        return Together(storage, News(self), self.time, self.tasks, self.metrics)

    async def open(self) -> None:
        await self.nodes.open()
        for work in (self.kernels.warm_up(), self._note_uptime(), self._tidy()):
            self.tasks.start(work)
        if self.nodes.me is None:  # else the node takes over what nobody minds
            self.tasks.start(self._resume())

    async def close(self) -> None:
        self.tasks.end()
        self.workers.close()
        await self.tasks.finish()
        await self.nodes.close()
        self.storage.close()

    async def is_ready(self) -> bool:
        """Return whether the storage answers, and could store what it was last asked to."""
        try:
            await asyncio.wait_for(self.storage.read(lambda db: db.execute("select 1").fetchone()), READY_WITHIN)
        except (NotStored, TimeoutError):
            return False
        return self.storage.trouble is None

    def revoke(self, guest: str, before: int) -> None:
        """Refuse the cookies of a guest that were signed before a moment, and end the connections that they opened."""
        self.nodes.revoked(guest, before)
        self.revoke_here(guest, before)

    def revoke_here(self, guest: str, before: int) -> None:
        self.guests.revoke(guest, before)
        for client in list(self.clients):
            if client.guest_id == guest:
                client.end()

    def follow_lobby(self, follower: Follower) -> None:
        """Send the lobby now and whenever it changes. What other nodes have follows in a moment."""
        self.lobby.follow(follower)
        self.nodes.ask_lobby()

    async def table(self, id_: str) -> Table:
        """Return the table with this id, fetched from the database if need be."""
        table = self._tables.get(id_)
        if table is not None and table.is_deleted:  # another node has cancelled it
            del self._tables[id_]
        elif table is not None:
            table.touched = self.time.now()
            return table
        if id_ not in self._fetching:
            self._fetching[id_] = asyncio.get_running_loop().create_task(self._fetch(id_))
            self._fetching[id_].add_done_callback(lambda _: self._fetching.pop(id_))
        return await asyncio.shield(self._fetching[id_])

    async def _fetch(self, id_: str) -> Table:
        await self.nodes.claim(id_)
        found = await self.storage.read(partial(ledger.find_table, table=id_))
        if found is None:
            raise UnknownTable(id_)
        row, entries = found
        if row.rules != (known := registry.game(row.game).rules_version):
            raise OtherRules(id_, row.rules, known)
        if row.began_at is not None:
            await self.thinking.rules_ready(row.game)
        said = await self.storage.read(partial(ledger.last_said, table=id_, most=REMEMBERED))
        table = self._tables[id_] = await asyncio.to_thread(Table, self._services, row, entries, said)
        table.schedule_next()
        table.waiting_room.begin_if_full()
        table.update_lobby()
        return table

    async def _resume(self) -> None:
        """Fetch every running match: a bot may have to move, a clock to run."""
        for id_ in await self.storage.read(ledger.unfinished):
            try:
                await self.table(id_)
            except Exception:
                log.exception("table %s could not be resumed", id_)

    async def _note_uptime(self) -> None:
        while True:
            try:
                await self.note_uptime()
            except NotStored as error:  # the health route says so; a full disk may have room again later
                log.error("%s", error)
            await asyncio.sleep(NOTED_EVERY / 1000)

    async def note_uptime(self) -> None:
        """Note that this server is running, for the clocks of the next one."""
        await self.storage.write(partial(ledger.note_uptime, since=self.uptime.since, until=self.time.now()))

    async def _tidy(self) -> None:
        expired_at = None
        while True:
            if expired_at is None or self.time.now() - expired_at > EXPIRE_EVERY:
                expired_at = self.time.now()
                with suppress(NotStored):
                    await self.expire()
            self.put_away()
            await asyncio.sleep(TIDY_EVERY / 1000)

    def put_away(self, rest: int = REST) -> None:
        """Forget the tables where nothing has happened for a while: the database has them."""
        for table in list(self._tables.values()):
            if table.is_deleted or (table.at_rest and table.touched <= self.time.now() - rest):
                self._drop(table)

    def _drop(self, table: Table) -> None:
        """Forget a table, and let another node mind it."""
        del self._tables[table.id]
        table.close()
        if self.nodes.me is not None and table.is_minded_here:
            self.tasks.start(self.nodes.release(table.id, table.row.version))

    async def expire(self) -> None:
        for id_ in await self.storage.write(partial(ledger.expire, now=self.time.now())):
            if (table := self._tables.pop(id_, None)) is not None:
                table.close()
                self.lobby.remove(id_)

    async def cancel(self, table: Table, guest: str | None) -> None:
        """Remove a table whose match has not begun, for its creator. Everybody who watches it is told."""
        seating.check_may_cancel(table.row, guest)
        await self.storage.write(partial(ledger.cancel, table=table.id), table.id)
        self._gone(table)

    async def delete(self, table: Table, guest: str | None) -> None:
        """Remove a table whose match is not over, for the only person there or, while it waits, for its creator."""
        is_over = table.row.began_at is not None and table.match.result is not None
        seating.check_may_delete(table.row, guest, is_over)
        await self.storage.write(partial(ledger.delete, table=table.id), table.id)
        self._gone(table)

    def _gone(self, table: Table) -> None:
        """Forget a table that was removed, and tell everybody who watches it."""
        self.nodes.changed(table.id)
        self._tables.pop(table.id, None)
        for before in self._tables.values():
            if before.row.rematch == table.id:
                before.agree_rematch(None)
                self.nodes.changed(before.id)
        table.cancel()

    @property
    def in_memory(self) -> list[str]:
        return sorted(self._tables)

    @property
    def here(self) -> dict[str, Table]:
        """The tables in memory, by their id."""
        return self._tables

    async def create(self, wanted: TableWanted, guest: str, network: str | None = None) -> str:
        """Return the id of a new table. `network` is where it was asked for from, if not on this machine."""
        row = new_table.wanted_table(wanted, guest, self.time.now())
        if row.open and network is not None:
            row.network = self.guests.digest(network)
        await self.storage.write(partial(ledger.add_table, row=row), row.id)
        if row.open or row.is_full:
            await self.table(row.id)
        return row.id

    async def play_on(self, table: str, match: Match, wanted: PlayOn, guest: str) -> str:
        """Return the id of a new table whose match begins from a position of a finished one."""
        row, entries = await asyncio.to_thread(new_table.table_from, match, table, wanted, guest, self.time.now())
        await self.storage.write(partial(ledger.add_table, row=row, given=entries), row.id)
        if row.is_full:
            await self.table(row.id)
        return row.id

    async def upload(self, text: bytes, guest: str) -> str:
        """Return the id of a new table that shows an uploaded record; raise BadUpload if something is wrong with it."""
        record = await asyncio.to_thread(uploads.read, text)
        await self.thinking.rules_ready(record.game)
        row, log, standing = await asyncio.to_thread(uploads.uploaded_table, text, record, guest, self.time.now())
        await self.storage.write(partial(ledger.add_uploaded, row=row, log=log, standing=standing), row.id)
        return row.id

    async def rematch(
        self, table: Table, guest: str | None, key: str | None, count: Callable[[], None] = lambda: None
    ) -> str:
        """Return the table of the next match, the same for all who ask. `count` may refuse to make a new one."""
        if guest is None or not table.row.held_by(guest):
            raise NotYourSeat
        match = table.match
        if match.result is None:
            raise StillRunning(table.id)
        if table.row.rematch is None:
            row = new_table.next_table(table.row, match, key, guest, self.time.now())
            count()
            table.agree_rematch(await table.write(lambda db: ledger.agree_rematch(db, table.id, row)))
        assert table.row.rematch is not None
        return table.row.rematch

    async def tables_of(self, guest: str) -> list[TableOfGuest]:
        return await self.storage.read(partial(ledger.tables_of, guest=guest, most=MOST_LISTED))
