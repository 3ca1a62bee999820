"""The lobby: open tables where somebody waits for others, sent to all who follow it."""

from typing import Any, NamedTuple, Protocol

import msgspec

from ludoteca.server.ledger import TableRow
from ludoteca.server.tasks import Alarms
from ludoteca.server.timing import Time

MOST_LISTED = 100
SENT_EVERY = 250  # milliseconds: many changes are sent as one


class Follower(Protocol):
    def send(self, message: bytes) -> None: ...


class Listing(NamedTuple):
    """A table as the lobby shows it."""

    created: int
    shown: dict[str, Any]  # what does not change with time


class Lobby:
    def __init__(self, time: Time) -> None:
        self._time, self._alarms = time, Alarms(time)
        self._listed: dict[str, Listing] = {}
        self._followers: set[Follower] = set()

    def follow(self, follower: Follower) -> None:
        self._followers.add(follower)
        follower.send(self._message())

    def leave(self, follower: Follower) -> None:
        self._followers.discard(follower)

    def update(self, table: str, listing: Listing | None) -> None:
        """List a table, or with None no longer."""
        if listing is not None:
            self._listed[table] = listing
        elif self._listed.pop(table, None) is None:
            return
        self._alarms.set_once("send", SENT_EVERY, self._send)

    def remove(self, table: str) -> None:
        """Send at once that a table is no more."""
        if self._listed.pop(table, None) is not None:
            self._send()

    def _send(self) -> None:
        message = self._message() if self._followers else b""
        for follower in self._followers:
            follower.send(message)

    def _message(self) -> bytes:
        newest = sorted(self._listed.values(), key=lambda listing: listing.created, reverse=True)
        now = self._time.now()
        tables = [{**shown, "age_ms": max(0, now - created)} for created, shown in newest[:MOST_LISTED]]
        return msgspec.json.encode({"type": "lobby", "tables": tables})


def listing(row: TableRow, waits: bool) -> Listing | None:
    """Return the table as the lobby shows it; None unless a stranger may sit down now.

    `waits` says whether somebody who sits there is here. In a match by correspondence nobody need be.
    """
    slow = row.clock is not None and row.clock.is_slow
    free = sum(not seat.taken and seat.reserved is None for seat in row.seats)
    if not row.open or row.begun is not None or not free or not (slow or waits):
        return None
    seats = [{"name": seat.name or None, "bot": seat.bot, "taken": seat.taken} for seat in row.seats]
    shown = {
        "table": row.id,
        "game": row.game,
        "options": row.options,
        "clock": row.clock,
        "seats": seats,
        "free": free,
    }
    return Listing(row.created, shown)
