"""This server among others on one PostgreSQL database.

Every second it gives a sign of life, declares nodes dead that give none, and takes over their tables. It notifies the
others of changes. A notification may be lost: every five seconds a node asks for the changes that it may have missed.
"""

import asyncio
import logging
import secrets
from collections.abc import Collection
from contextlib import suppress
from functools import partial
from typing import Protocol

from ludoteca.server.database.postgres import PostgresStorage
from ludoteca.server.metrics import Metrics
from ludoteca.server.nodes import hints, ledger
from ludoteca.server.nodes.hints import Gathered, Hints
from ludoteca.server.nodes.ledger import LEASE, MOST_AT_ONCE, Beat
from ludoteca.server.nodes.line import Listener, Sender
from ludoteca.server.refusals import NotStored
from ludoteca.server.rows import TableRow
from ludoteca.server.tasks import Tasks
from ludoteca.server.timing import Time

BEAT = 1.0  # seconds
CATCH_UP = 5.0  # seconds
GATHER = 0.02  # seconds in which hints are gathered into one notification
log = logging.getLogger("ludoteca.server.nodes")


class Home(Protocol):
    """What the tables of this server do with news of the other nodes."""

    def in_memory(self) -> dict[str, int]:
        """Return the tables in memory, and the version of each."""

    def refresh(self, tables: Collection[str]) -> None:
        """Some of these tables, if they are in memory, have changed in the database."""

    def taken_over(self, tables: Collection[str]) -> None:
        """This node minds these tables from now on."""

    def local_presence(self, table: str) -> dict[str, int]:
        """Return who is at a table here: the windows of each guest, and of spectators under ""."""

    def presence_elsewhere(self, found: dict[str, dict[str, int]]) -> None:
        """Who is at these tables on other nodes."""

    def lobby_changed_elsewhere(self) -> None: ...

    def revoked_elsewhere(self, guest: str, before: int) -> None: ...

    def outages(self, found: Collection[tuple[int, int]]) -> None:
        """Nobody is charged for these times."""

    def identity_changed(self) -> None:
        """The others took this node for dead: it minds nothing any more."""

    def usage(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return what addresses used up since the last call, and the connections of each."""

    def usage_elsewhere(self, node: str, used: dict[str, int], opened: dict[str, int]) -> None: ...

    def nodes_alive(self, nodes: Collection[str]) -> None:
        """Forget what was told of nodes that are gone."""


class Together:
    def __init__(self, storage: PostgresStorage, home: Home, time: Time, tasks: Tasks, metrics: Metrics) -> None:
        self._storage, self._home, self._time, self._tasks, self._metrics = storage, home, time, tasks, metrics
        self.me = _new_name()
        self._alive: frozenset[str] = frozenset({self.me})
        self._gathered = Gathered()
        self._presence: set[str] = set()  # tables where somebody came or left here
        self._wake, self._beat_now = asyncio.Event(), asyncio.Event()
        self._outages_after = self._revoked_after = 0
        self._trusts_after = 0  # no node is declared dead before this time, after this node was away itself
        self._last_beat = 0
        self._beating = asyncio.Lock()
        self._listener: Listener | None = None
        self._sender = Sender(storage.address)
        self._closing = False

    # What tables tell and ask

    def minds(self, row: TableRow) -> bool:
        return row.node == self.me

    def is_dead(self, node: str | None) -> bool:
        """Return whether nobody minds a table of this node."""
        return node is None or node not in self._alive

    def changed(self, table: str) -> None:
        self._gathered.tables.add(table)
        self._wake.set()

    def presence_changed(self, table: str) -> None:
        self._presence.add(table)
        self._wake.set()

    def lobby_changed(self) -> None:
        self._gathered.lobby = True
        self._wake.set()

    def ask_lobby(self) -> None:
        self._home.lobby_changed_elsewhere()

    def revoked(self, guest: str, before: int) -> None:
        self._gathered.revoked[guest] = before
        self._wake.set()

    async def confirm(self) -> None:
        await self._beat()

    async def claim(self, table: str) -> None:
        """Mind a table, unless another node does."""
        await self._storage.write(partial(ledger.claim, node=self.me, table=table), table)

    async def release(self, table: str, version: int) -> None:
        with suppress(NotStored):
            await self._storage.write(partial(ledger.release, node=self.me, table=table, version=version), table)

    # Running

    async def open(self) -> None:
        await self._storage.write(partial(ledger.arrive, node=self.me))
        self._listener = Listener(self._storage.address, self._hear, self._catch_up_soon)
        for work in (self._tell_forever(), self._beat_forever(), self._catch_up_forever()):
            self._tasks.start(work)

    async def close(self) -> None:
        """Let the others take over at once."""
        self._closing = True
        with suppress(NotStored):
            await self._storage.write(partial(ledger.leave, node=self.me))
            await self._sender.send([hints.text(Hints(self.me, left=True))])
        if self._listener is not None:
            await asyncio.to_thread(self._listener.close)
        self._sender.close()

    async def _tell_forever(self) -> None:
        """Gather hints for a moment, then send them as one notification."""
        while True:
            await self._wake.wait()
            await asyncio.sleep(GATHER)
            self._wake.clear()
            await self._write_presence()
            if texts := [hints.text(part) for part in self._gathered.taken(self.me)]:
                await self._sender.send(texts)

    async def _write_presence(self) -> None:
        if not (tables := sorted(self._presence)):
            return
        self._presence.clear()
        here = {table: self._home.local_presence(table) for table in tables}
        try:
            await self._storage.write(partial(ledger.write_presence, node=self.me, here=here), "presence")
        except NotStored:
            self._presence.update(tables)  # with the next catching up
        else:
            self._gathered.here.update(tables)

    async def _beat_forever(self) -> None:
        while True:
            with suppress(NotStored):
                await self._beat()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._beat_now.wait(), BEAT)
            self._beat_now.clear()

    async def _beat(self) -> None:
        """Give a sign of life, and take over the tables of nodes that gave none."""
        async with self._beating:
            now = self._time.now()
            reaps = now >= self._trusts_after
            found = await self._storage.write(
                partial(
                    ledger.beat,
                    node=self.me,
                    outages_after=self._outages_after,
                    revoked_after=self._revoked_after,
                    reaps=reaps,
                ),
                "nodes",
            )
            if self._last_beat and (found.lapsed or now - self._last_beat > LEASE):
                self._trusts_after = self._time.now() + LEASE  # others may have been away with us
            self._last_beat = self._time.now()
            if not found.alive and not self._closing:
                await self._arrive_again()
            self._follow(found)
        used, opened = self._home.usage()
        if used or opened:
            self._gathered.used.update(used)
            self._gathered.open.update(opened)
            self._wake.set()
        if reaps:
            await self._take_over()

    async def _arrive_again(self) -> None:
        """The others took this node for dead and mind its tables now. Begin again under a new name, with no tables."""
        log.warning("node %s was taken for dead", self.me)
        self.me = _new_name()
        await self._storage.write(partial(ledger.arrive, node=self.me))
        self._home.identity_changed()
        self._presence.update(self._home.in_memory())
        self._wake.set()

    def _follow(self, found: Beat) -> None:
        self._alive = found.nodes | {self.me}
        self._home.nodes_alive(self._alive)
        if found.outages:
            self._outages_after = max(self._outages_after, max(until for _, until in found.outages) - 60_000)
            self._home.outages(found.outages)
        for guest, before in found.revoked:
            self._revoked_after = max(self._revoked_after, before - 60_000)
            self._home.revoked_elsewhere(guest, before)

    async def _take_over(self) -> None:
        while True:
            taken = await self._storage.write(partial(ledger.take_over, node=self.me), "nodes")
            if taken:
                log.info("node %s takes over %d tables", self.me, len(taken))
                self._metrics.count("ludoteca_node_takeovers_total", by=len(taken))
                self._home.taken_over(taken)
                for table in taken:
                    self.changed(table)
            if len(taken) < MOST_AT_ONCE:
                return

    def _hear(self, payload: str) -> None:
        heard = hints.read(payload)
        if heard is None or heard.node == self.me:
            return
        self._metrics.count("ludoteca_node_wakes_total", by=len(heard.tables))
        self._home.refresh(heard.tables)
        if heard.here:
            self._tasks.start(self._ask_presence(heard.here))
        for guest, before in heard.revoked:
            self._home.revoked_elsewhere(guest, before)
        if heard.lobby:
            self._home.lobby_changed_elsewhere()
        if heard.used or heard.open:
            self._home.usage_elsewhere(heard.node, heard.used, heard.open)
        if heard.left:
            self._beat_now.set()

    async def _ask_presence(self, tables: Collection[str]) -> None:
        if wanted := [table for table in tables if table in self._home.in_memory()]:
            with suppress(NotStored):
                asked = partial(ledger.presence_elsewhere, node=self.me, tables=wanted)
                self._home.presence_elsewhere(await self._storage.read(asked))

    # Catching up after a lost hint

    def _catch_up_soon(self) -> None:
        self._tasks.start(self._catch_up())

    async def _catch_up_forever(self) -> None:
        while True:
            await asyncio.sleep(CATCH_UP)
            await self._catch_up()

    async def _catch_up(self) -> None:
        known = self._home.in_memory()
        with suppress(NotStored):
            stored = await self._storage.read(partial(ledger.versions, tables=list(known)))
            old = [table for table, version in known.items() if stored.get(table) != version]
            self._metrics.count("ludoteca_node_catch_ups_total", by=len(old))
            self._home.refresh(old)
            await self._ask_presence(list(known))
            self._home.lobby_changed_elsewhere()
            if self._presence:
                self._wake.set()


def _new_name() -> str:
    return secrets.token_hex(6)
