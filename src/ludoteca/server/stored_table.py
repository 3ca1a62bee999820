"""A table as the database has it: its row and its match. Every change is stored first, then applied here.

It sends nothing and sets no alarm. Its methods return what changed, and the table publishes that.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from ludoteca.core.errors import StaleMatch
from ludoteca.core.match import Append, Match, Position, Transition
from ludoteca.core.record import Entry
from ludoteca.server import ledger
from ludoteca.server.database.contract import Change
from ludoteca.server.refusals import NotBegun
from ludoteca.server.rows import SaidRow, Standing, TableRow
from ludoteca.server.running_match import RunningMatch, new_match
from ludoteca.server.services import Services

T = TypeVar("T")


class Committed(NamedTuple):
    """Entries that were stored and then applied, and the position before them."""

    transitions: Sequence[Transition]
    before: Position


class Refreshed(NamedTuple):
    """What other nodes have changed."""

    before: TableRow  # the row as it was
    committed: Committed | None  # None: the match had not begun here before
    talk: Sequence[SaidRow]


class StoredTable:
    def __init__(
        self, services: Services, row: TableRow, entries: Sequence[Entry], missed_change: Callable[[], None]
    ) -> None:
        """May take milliseconds: the log is replayed.

        `missed_change` is called when another node was found to have changed the table.
        """
        self._services, self.row, self._missed_change = services, row, missed_change
        self.is_deleted = False  # there is no such table in the database any more
        self.is_unsure = False  # whether what is in memory may differ from the database
        self._running: RunningMatch | None = None
        self._given = entries if row.began_at is None else ()  # the position that the match will begin from
        if row.began_at is not None:
            self._start(row.began_at, entries)

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def has_begun(self) -> bool:
        return self._running is not None

    @property
    def running(self) -> RunningMatch:
        """The running match and what follows it; NotBegun is raised if there is none yet."""
        if self._running is None:
            raise NotBegun(self.id)
        return self._running

    @property
    def match(self) -> Match:
        """The match; NotBegun is raised if there is none yet."""
        return self.running.match

    @property
    def is_minded_here(self) -> bool:
        """Whether this node thinks for the bots at the table and minds its clock."""
        return self._services.nodes.minds(self.row)

    def elapsed(self) -> int:
        """Return the milliseconds since the match began. They never go back behind the last entry."""
        last = (self.match.log[-1].t or 0) if self.has_begun and self.match.log else 0
        return max(self._services.time.now() - (self.row.began_at or 0), last)

    async def write(self, change: Change[T]) -> T:
        """Make a change to this table in the database, and notify other nodes of it."""
        storage, nodes = self._services.storage, self._services.nodes
        if nodes.me is None:
            return await storage.write(change, self.id)
        answer, version = await storage.write(lambda db: (change(db), ledger.version(db, self.id)), self.id)
        if version == self.row.version + 1:
            self.row.version = version
        else:  # another node made a change before
            self.is_unsure = True
            self._missed_change()
        nodes.changed(self.id)
        return answer

    # The match begins

    async def begin(self) -> bool:
        """Store the beginning of the match. Return whether that began it.

        It did not if a seat has changed meanwhile, or if another node was faster and that was read already.
        """
        began_at, match = self._services.time.now(), new_match(self.row)
        people = [msgspec.structs.replace(seat) for seat in self.row.seats if seat.bot is None]
        match.follow(self._given)
        first = await asyncio.to_thread(match.begin, 0) if match.game.measures else match.begin(0)
        entries: Sequence[Entry] = (*self._given, *first)
        standing, node = Standing(match.to_move, len(entries), match.result), self._services.nodes.me
        try:
            await self.write(
                lambda db: ledger.begin(db, self.id, first, standing, began_at, people, node, match.n_given)
            )
        except StaleMatch:  # another node was faster, or the seats have changed
            found = await self._services.storage.read(lambda db: ledger.find_table(db, self.id))
            if found is None or self.has_begun:  # a row without its entries would hide from `refresh` what is missing
                return False
            self.row, entries = found
            if self.row.began_at is None:
                return False
            began_at = self.row.began_at
        else:
            self.row.node = node
        if self.has_begun:
            return False
        self.row.began_at = began_at
        self._start(began_at, entries)
        return True

    def _start(self, began_at: int, entries: Sequence[Entry]) -> None:
        running = self._running = RunningMatch.new(self.row, began_at, self._services.uptime)
        running.follow(running.match.follow(entries))

    # The match goes on

    async def append(self, prepare: Callable[[int], Append], lag: int, as_minder: bool) -> Committed | None:
        """Prepare a move or an event with all that follows from it, store it and commit it.

        Return None if somebody else, here or on another node, wrote to the log first: nothing was stored then. What is
        done for a bot or a clock is stored only if this node still minds the table (`as_minder`).
        """
        running, elapsed = self.running, self.elapsed()
        match, length = running.match, len(running.match.log)
        prepared = await asyncio.to_thread(prepare, elapsed) if match.game.measures else prepare(elapsed)
        append = running.timekeeper.stamped(match, prepared, elapsed, lag)
        if append.log_length != length:
            return None  # the log grew while this was measured
        standing, now = running.standing(append), self._services.time.now()
        fence = self._services.nodes.me if as_minder else None
        entries, began = append.entries, time.perf_counter()
        try:
            await self.write(lambda db: ledger.append(db, self.id, length, entries, standing, now, fence))
        except StaleMatch:
            return None
        self._services.metrics.observe("ludoteca_append_seconds", time.perf_counter() - began)
        before = match.position
        if len(match.log) != length:  # it was read from the database, and published, while we waited for the disk
            return Committed((), before)
        match.commit(append)
        running.follow(append.transitions)
        return Committed(append.transitions, before)

    async def catch_up(self) -> Committed:
        """Read the entries that somebody else stored, and commit them."""
        length = len(self.match.log)
        entries = await self._services.storage.read(lambda db: ledger.entries_after(db, self.id, length))
        return self.commit_stored(entries, length)

    def commit_stored(self, entries: Sequence[Entry], after: int) -> Committed:
        """Commit stored entries that follow the one with the number `after`, except those that are in the log now."""
        running, before = self.running, self.match.position
        transitions = running.match.follow(entries[len(running.match.log) - after :])
        running.follow(transitions)
        return Committed(transitions, before)

    async def refresh(self, said: int) -> Refreshed | None:
        """Apply what other nodes have stored, and return it with what was said after a number.

        Return None if there is nothing new, or if there is no such table any more (`is_deleted`).
        """
        length = len(self.match.log) if self.has_begun else 0
        found = await self._services.storage.read(lambda db: ledger.find_changes(db, self.id, length, said))
        if found is None:
            self.is_deleted = True
            return None
        row, entries, talk = found
        if row.version < self.row.version or (row.version == self.row.version and not self.is_unsure):
            return None  # this node has written something later, or nothing has changed
        self.is_unsure = False
        before, self.row = self.row, row
        if self.has_begun:
            return Refreshed(before, self.commit_stored(entries, length), talk)
        if row.began_at is not None:
            self._start(row.began_at, entries)
        return Refreshed(before, None, talk)
