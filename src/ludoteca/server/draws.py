"""What each draw of a finished match chose from: computed in a thread, kept for a while."""

import asyncio
from collections import OrderedDict

from ludoteca.core.draws import TableEntry, table_entries
from ludoteca.core.match import Match

MOST_KEPT = 32  # matches; a finished one never changes


class Draws:
    def __init__(self) -> None:
        self._found: OrderedDict[str, asyncio.Future[list[TableEntry]]] = OrderedDict()

    async def of(self, table: str, match: Match) -> list[TableEntry]:
        """Return the table's entries in a finished match. Requests at the same time share one computation."""
        if (known := self._found.get(table)) is None or (known.done() and (known.cancelled() or known.exception())):
            self._found[table] = asyncio.ensure_future(asyncio.to_thread(lambda: list(table_entries(match))))
            while len(self._found) > MOST_KEPT:
                self._found.popitem(last=False)
        self._found.move_to_end(table)
        return await asyncio.shield(self._found[table])
