"""What the tables of this server do with news of other nodes."""

import asyncio
import logging
from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING

from ludoteca.server import ledger
from ludoteca.server.database.contract import Database
from ludoteca.server.lobby import listing
from ludoteca.server.nodes.ledger import waiting_tables
from ludoteca.server.refusals import NotStored
from ludoteca.server.rows import TableRow

if TYPE_CHECKING:
    from ludoteca.server.tables import Tables

LISTED_EVERY = 250  # milliseconds: many changes to the lobby are read as one
log = logging.getLogger("ludoteca.server.nodes")


class News:
    """Fulfils `nodes.together.Home`."""

    def __init__(self, tables: "Tables") -> None:
        self._tables = tables
        self._listing = False

    def in_memory(self) -> dict[str, int]:
        return {id_: table.row.version for id_, table in self._tables.here.items()}

    def refresh(self, tables: Collection[str]) -> None:
        for id_ in tables:
            if (table := self._tables.here.get(id_)) is not None:
                table.refresh_soon()

    def taken_over(self, tables: Collection[str]) -> None:
        for id_ in tables:
            if (table := self._tables.here.get(id_)) is not None:
                table.refresh_soon()
            else:
                self._tables.tasks.start(self._fetch(id_))

    async def _fetch(self, id_: str) -> None:
        try:
            await self._tables.table(id_)
        except Exception as error:
            log.error("table %s could not be taken over", id_, exc_info=error)

    def local_presence(self, table: str) -> dict[str, int]:
        found = self._tables.here.get(table)
        return found.presence.local(found.row) if found is not None else {}

    def presence_elsewhere(self, found: dict[str, dict[str, int]]) -> None:
        for id_, guests in found.items():
            if (table := self._tables.here.get(id_)) is not None:
                table.set_elsewhere(guests)

    def lobby_changed_elsewhere(self) -> None:
        if self._tables.lobby.has_followers and not self._listing:
            self._listing = True
            self._tables.tasks.start(self._list())

    async def _list(self) -> None:
        """Ask for the open tables that are not in memory here."""
        try:
            await asyncio.sleep(LISTED_EVERY / 1000)
        finally:
            self._listing = False
        with suppress(NotStored):
            found = await self._tables.storage.read(listed_tables)
            self._tables.lobby.set_elsewhere(
                {
                    row.id: one
                    for row, waits in found
                    if row.id not in self._tables.here and (one := listing(row, waits))
                }
            )

    def revoked_elsewhere(self, guest: str, before: int) -> None:
        self._tables.revoke_here(guest, before)

    def outages(self, found: Collection[tuple[int, int]]) -> None:
        if self._tables.uptime.add_outages(found):
            for table in list(self._tables.here.values()):
                table.charge_nobody()

    def identity_changed(self) -> None:
        for table in list(self._tables.here.values()):
            table.forget_lease()

    def usage(self) -> tuple[dict[str, int], dict[str, int]]:
        return self._tables.limits.usage()

    def usage_elsewhere(self, node: str, used: dict[str, int], opened: dict[str, int]) -> None:
        self._tables.limits.note_elsewhere(node, used, opened)

    def nodes_alive(self, nodes: Collection[str]) -> None:
        self._tables.limits.forget_nodes(nodes)


def listed_tables(db: Database) -> list[tuple[TableRow, bool]]:
    """Return the open tables that wait, and whether somebody who sits there is there."""
    with db.snapshot():
        found = [(ledger.find_row(db, id_), waits) for id_, waits in waiting_tables(db).items()]
    return [(row, waits) for row, waits in found if row is not None]
