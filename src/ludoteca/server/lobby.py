"""The lobby: open tables where somebody waits for others, sent to all who follow it."""

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from ludoteca.server import serialize
from ludoteca.server.rows import TableRow
from ludoteca.server.tasks import Alarms
from ludoteca.server.timing import Time

MOST_LISTED = 100
MOST_OF_GUEST = 5  # a guest's newest tables are listed ...
MOST_OF_NETWORK = 30  # ... and the newest of one address, whatever cookies they were made with
SENT_EVERY = 250  # milliseconds: many changes are sent as one


class Follower(Protocol):
    def send(self, message: bytes) -> None: ...


class Listing(NamedTuple):
    """A table as the lobby shows it."""

    created: int
    creator: str | None
    network: str | None  # a digest of where it was made from; None is this machine, which has no limit
    shown: dict[str, Any]  # what does not change with time


class Lobby:
    def __init__(self, time: Time, changed: Callable[[], None] = lambda: None) -> None:
        """`changed` is called when the list may have changed, to tell other nodes."""
        self._time, self._alarms, self._changed = time, Alarms(time), changed
        self._listed: dict[str, Listing] = {}
        self._elsewhere: dict[str, Listing] = {}  # tables that are not in memory here
        self._followers: set[Follower] = set()

    def follow(self, follower: Follower) -> None:
        self._followers.add(follower)
        follower.send(self._message())

    def leave(self, follower: Follower) -> None:
        self._followers.discard(follower)

    @property
    def has_followers(self) -> bool:
        return bool(self._followers)

    def set_elsewhere(self, listed: dict[str, Listing]) -> None:
        """List these tables of other nodes, and no others."""
        if listed != self._elsewhere:
            self._elsewhere = listed
            self._alarms.set_once("send", SENT_EVERY, self._send)

    def update(self, table: str, listing: Listing | None) -> None:
        """Put a table into the list, or with None take it out."""
        if listing == self._listed.get(table):
            return
        if listing is not None:
            self._listed[table] = listing
        else:
            del self._listed[table]
        self._elsewhere.pop(table, None)
        self._changed()
        self._alarms.set_once("send", SENT_EVERY, self._send)

    def remove(self, table: str) -> None:
        """Remove a table that is gone, and send the list at once."""
        if self._listed.pop(table, None) is not None:
            self._changed()
            self._send()

    def _send(self) -> None:
        message = self._message() if self._followers else b""
        for follower in self._followers:
            follower.send(message)

    def _message(self) -> bytes:
        now = self._time.now()
        tables = [{**one.shown, "age_ms": max(0, now - one.created)} for one in self._newest()]
        return serialize.lobby(tables)

    def _newest(self) -> list[Listing]:
        """Return the newest listings: at most MOST_OF_GUEST of one guest and MOST_OF_NETWORK of one address."""
        found: list[Listing] = []
        of_guest: Counter[str | None] = Counter()
        of_network: Counter[str | None] = Counter()
        listed = (self._elsewhere | self._listed).values()
        for listing in sorted(listed, key=lambda one: one.created, reverse=True):
            guest, network = listing.creator, listing.network
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
    if not row.open or row.admitted is not None or row.began_at is not None or not free or not (slow or waits):
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
    return Listing(row.created, row.creator, row.network, shown)
