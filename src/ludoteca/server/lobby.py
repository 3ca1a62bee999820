"""The lobby: open tables where somebody waits for others, told to all who follow it."""

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from ludoteca.server.timing import Alarm, Time

if TYPE_CHECKING:
    from ludoteca.server.tables import Table

MOST_LISTED = 100
TOLD_EVERY = 250  # milliseconds: many changes are told as one


class Follower(Protocol):
    def send(self, told: bytes) -> None: ...


class Lobby:
    def __init__(self, time: Time) -> None:
        self._time = time
        self._tables: dict[str, Table] = {}
        self._followers: set[Follower] = set()
        self._alarm: Alarm | None = None

    def follow(self, follower: Follower) -> None:
        self._followers.add(follower)
        follower.send(self._told())

    def leave(self, follower: Follower) -> None:
        self._followers.discard(follower)

    def lists(self, table: "Table") -> bool:
        return table.id in self._tables

    def update(self, table: "Table") -> None:
        """Something changed at a table: it may be listed now, or no longer."""
        if not table.row.open:
            return
        if is_listed(table):
            self._tables[table.id] = table
        elif self._tables.pop(table.id, None) is None:
            return
        if self._alarm is None:
            self._alarm = self._time.later(TOLD_EVERY, self._tell)

    def remove(self, table: "Table") -> None:
        """The table is no more."""
        table.row.open = False
        if self._tables.pop(table.id, None) is not None:
            self._tell()

    def _tell(self) -> None:
        self._alarm = None
        told = self._told() if self._followers else b""
        for follower in self._followers:
            follower.send(told)

    def _told(self) -> bytes:
        newest = sorted(self._tables.values(), key=lambda table: table.row.created, reverse=True)
        now = self._time.now()
        tables = [table_told(table, now) for table in newest[:MOST_LISTED]]
        return msgspec.json.encode({"type": "lobby", "tables": tables})


def is_listed(table: "Table") -> bool:
    """Whether a stranger may sit down now: somebody who sits there waits, unless the match is by correspondence."""
    row = table.row
    slow = row.clock is not None and row.clock.is_slow
    waits = any(table.presence.is_here(seat.guest) for seat in row.seats)
    return row.open and table.match is None and _free(table) > 0 and (slow or waits)


def _free(table: "Table") -> int:
    return sum(not seat.taken and seat.reserved is None for seat in table.row.seats)


def table_told(table: "Table", now: int) -> dict[str, Any]:
    row = table.row
    return {
        "table": row.id,
        "game": row.game,
        "options": row.options,
        "clock": row.clock,
        "seats": [{"name": seat.name or None, "bot": seat.bot, "taken": seat.taken} for seat in row.seats],
        "free": _free(table),
        "age_ms": max(0, now - row.created),
    }
