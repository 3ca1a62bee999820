"""The lobby: open tables where somebody waits for others, sent to all who follow it."""

from collections import Counter
from typing import Any, NamedTuple, Protocol

import msgspec

from ludoteca.server.rows import TableRow
from ludoteca.server.tasks import Alarms
from ludoteca.server.timing import Time

MOST_LISTED = 100
MOST_OF_GUEST = 5  # a guest's newest tables are listed ...
MOST_OF_NETWORK = 30  # ... and the newest of one address, whatever cookies they were made with
MOST_REMEMBERED = 10_000  # tables of which the address is remembered
SENT_EVERY = 250  # milliseconds: many changes are sent as one


class Follower(Protocol):
    def send(self, message: bytes) -> None: ...


class Listing(NamedTuple):
    """A table as the lobby shows it."""

    created: int
    creator: str | None
    shown: dict[str, Any]  # what does not change with time


class Lobby:
    def __init__(self, time: Time) -> None:
        self._time, self._alarms = time, Alarms(time)
        self._listed: dict[str, Listing] = {}
        self._networks: dict[str, str] = {}  # where the newest tables were made from
        self._followers: set[Follower] = set()

    def follow(self, follower: Follower) -> None:
        self._followers.add(follower)
        follower.send(self._message())

    def leave(self, follower: Follower) -> None:
        self._followers.discard(follower)

    def note_network(self, table: str, network: str | None) -> None:
        """Remember where a table was made from; None is this machine, which has no limit."""
        if network is None:
            return
        self._networks[table] = network
        if len(self._networks) > MOST_REMEMBERED:
            del self._networks[next(iter(self._networks))]

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
        now = self._time.now()
        tables = [{**one.shown, "age_ms": max(0, now - one.created)} for one in self._newest()]
        return msgspec.json.encode({"type": "lobby", "tables": tables})

    def _newest(self) -> list[Listing]:
        """Return the newest listings, of which one guest and one address have only so many."""
        found: list[Listing] = []
        of_guest: Counter[str | None] = Counter()
        of_network: Counter[str | None] = Counter()
        for table, listing in sorted(self._listed.items(), key=lambda item: item[1].created, reverse=True):
            guest, network = listing.creator, self._networks.get(table)
            full = of_guest[guest] >= MOST_OF_GUEST or (network is not None and of_network[network] >= MOST_OF_NETWORK)
            if not full and len(found) < MOST_LISTED:
                found.append(listing)
                of_guest[guest] += 1
                of_network[network] += 1
        return found


def listing(row: TableRow, waits: bool) -> Listing | None:
    """Return the table as the lobby shows it; None unless a stranger may sit down now.

    `waits` says whether somebody who sits there is here. In a match by correspondence nobody need be.
    """
    slow = row.clock is not None and row.clock.is_slow
    free = sum(not seat.taken and seat.reserved is None for seat in row.seats)
    if not row.open or row.admitted is not None or row.begun is not None or not free or not (slow or waits):
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
    return Listing(row.created, row.creator, shown)
