"""Who is at a table and who is away, and when a bot may stand in for somebody."""

from collections import Counter
from typing import Protocol

from ludoteca.core.match import Match, Position
from ludoteca.server import bots
from ludoteca.server.clock import MOST_GIVEN_BACK
from ludoteca.server.refusals import NoStandIn
from ludoteca.server.rows import TableRow

GRACE = 30_000  # milliseconds that somebody may be away before a bot may stand in, where no clock runs
ABSENCE = 600_000  # milliseconds of their own turn that somebody may be away, where no clock runs

AwayTimes = tuple[int | None, ...]  # for each seat: how long its person has been away; None if they are here


class Watcher(Protocol):
    """A client's connection, as a table knows it."""

    guest_id: str | None

    @property
    def lag(self) -> int:
        """How long the network takes to the client and back, in milliseconds."""

    def link(self, table: str) -> str: ...

    def send(self, message: bytes) -> None: ...


class Presence:
    def __init__(self, now: int) -> None:
        self.watchers: set[Watcher] = set()
        self.elsewhere: dict[str, int] = {}  # the windows of each guest on other nodes; of spectators under ""
        self._away_since: dict[str, int] = {}  # for guests who were here: since when they are away
        self._opened = now  # guests who were never here are away since then

    def join(self, watcher: Watcher) -> bool:
        """Add a watcher. Return whether the watcher was not here before."""
        came = watcher not in self.watchers
        self.watchers.add(watcher)
        if watcher.guest_id is not None:
            self._away_since.pop(watcher.guest_id, None)
        return came

    def leave(self, watcher: Watcher, row: TableRow, now: int) -> bool:
        """Remove a watcher. Return whether that was the last window of a guest who holds a seat."""
        self.watchers.discard(watcher)
        guest = watcher.guest_id
        if guest is None or not row.held_by(guest) or self.is_here(guest):
            return False
        self._away_since[guest] = now
        return True

    def is_here(self, guest: str | None) -> bool:
        return guest is not None and guest in self.guests

    def is_a_player_here(self, row: TableRow) -> bool:
        """Return whether somebody who holds a seat is at the table."""
        return any(self.is_here(seat.guest) for seat in row.seats)

    @property
    def guests(self) -> set[str]:
        """Who is here, or at this table on another node."""
        here = {watcher.guest_id for watcher in self.watchers if watcher.guest_id is not None}
        return here | (self.elsewhere.keys() - {""})

    def local(self, row: TableRow) -> dict[str, int]:
        """Return the windows on this node: of each guest who holds a seat, and of all spectators under ""."""
        found: Counter[str] = Counter()
        for watcher in self.watchers:
            guest = watcher.guest_id
            found[guest if guest is not None and (row.held_by(guest) or row.began_at is None) else ""] += 1
        return dict(found)

    def set_elsewhere(self, elsewhere: dict[str, int], now: int) -> bool:
        """Note who is at this table on other nodes. Return whether that changed who is here at all."""
        before = self.guests
        changed = elsewhere != self.elsewhere
        self.elsewhere = elsewhere
        for guest in before - self.guests:
            self._away_since[guest] = now
        for guest in self.guests - before:
            self._away_since.pop(guest, None)
        return changed

    def away_times(self, row: TableRow, now: int) -> AwayTimes:
        """Return for each seat how long its person has been away; None if they are here, or if no person sits there."""
        here = self.guests
        return tuple(
            None if seat.guest is None or seat.guest in here else now - self._away_since.get(seat.guest, self._opened)
            for seat in row.seats
        )

    def spectators(self, row: TableRow) -> int:
        """Return how many watch without a seat."""
        others = sum(windows for guest, windows in self.elsewhere.items() if not guest or not row.held_by(guest))
        return others + sum(not row.held_by(watcher.guest_id) for watcher in self.watchers)

    def lag(self, guest: str | None) -> int:
        """Return how long the network takes to a guest and back, in milliseconds.

        This node does not know the network of a guest on another node: it allows the most that a move is given back.
        """
        here = [watcher.lag for watcher in self.watchers if guest and watcher.guest_id == guest]
        return max(here, default=MOST_GIVEN_BACK if guest in self.elsewhere else 0)


def bot_of(match: Match, position: Position, seat: int) -> str | None:
    """Return the bot that plays a seat: its own, or one that stands in for a person who resigned or is away."""
    conduct = position.conduct
    return match.seats[seat - 1].bot or (bots.usual(match.game.key) if seat in conduct.out | conduct.away else None)


def can_stand_in(row: TableRow, match: Match | None, away_for: int | None, seat: int, timed: bool) -> bool:
    """Return whether the others may let a bot move for a seat, whose person has been away for `away_for` milliseconds.

    Where a clock was agreed, being away costs time on that clock and nothing else.
    """
    if match is None or match.result or row.seat(seat).guest is None:
        return False
    conduct = match.position.conduct
    if seat in conduct.away | conduct.out | match.game.eliminated(match.state):
        return False
    return seat in conduct.late | conduct.gone or (not timed and away_for is not None and away_for >= GRACE)


def check_stand_in(
    row: TableRow, match: Match, guest: str | None, seat: int, away_times: AwayTimes, timed: bool
) -> None:
    """Raise NoStandIn unless this guest may let a bot move for a seat."""
    if row.seat(seat).guest == guest:
        raise NoStandIn("for others alone a bot can be called")
    if bots.usual(row.game) is None:
        raise NoStandIn("no bot plays this game")
    if not can_stand_in(row, match, away_times[seat - 1], seat, timed):
        raise NoStandIn(f"the person of seat {seat} is not away for long and has time left, or plays no more")


def grace_left(away_times: AwayTimes) -> int | None:
    """Return how long until the next grace time of somebody who is away is over."""
    return min((GRACE - time for time in away_times if time is not None and time < GRACE), default=None)


def absences(row: TableRow, match: Match, away_times: AwayTimes, turn_age: int) -> dict[int, int]:
    """Return, for each person who is away in their own turn, how long until that counts as gone.

    For tables without a clock: where one was agreed, being away costs time on that clock and nothing else.
    """
    conduct, waits = match.position.conduct, {}
    for seat in match.to_move:
        away = away_times[seat - 1]
        if away is not None and row.seat(seat).bot is None and seat not in conduct.gone | conduct.away | conduct.out:
            waits[seat] = ABSENCE - min(away, turn_age)
    return waits
