"""Who is at a table and who is away, and when a bot may stand in for somebody."""

from typing import Protocol

from ludoteca.core.match import Match, Position
from ludoteca.server import bots
from ludoteca.server.refusals import NoStandIn
from ludoteca.server.rows import TableRow

GRACE = 30_000  # milliseconds that somebody may be away before a bot may stand in, where no clock runs
ABSENCE = 600_000  # milliseconds of their own turn that somebody may be away, where no clock runs


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
        self._gone: dict[str, int] = {}  # since when, of the guests who were here
        self._opened = now  # since when whoever was not here yet is away

    def join(self, watcher: Watcher) -> bool:
        """Return whether the watcher was not here before."""
        came = watcher not in self.watchers
        self.watchers.add(watcher)
        if watcher.guest_id is not None:
            self._gone.pop(watcher.guest_id, None)
        return came

    def leave(self, watcher: Watcher, row: TableRow, now: int) -> bool:
        """Return whether a guest who holds a seat is away now: this was their last window."""
        self.watchers.discard(watcher)
        guest = watcher.guest_id
        if guest is None or not row.held_by(guest) or self.is_here(guest):
            return False
        self._gone[guest] = now
        return True

    def is_here(self, guest: str | None) -> bool:
        return guest is not None and any(watcher.guest_id == guest for watcher in self.watchers)

    def gone(self, row: TableRow, now: int) -> tuple[int | None, ...]:
        """Return for each seat how long its person has been away; None if they are here, and where nobody sits."""
        here = {watcher.guest_id for watcher in self.watchers}
        return tuple(
            None if seat.guest is None or seat.guest in here else now - self._gone.get(seat.guest, self._opened)
            for seat in row.seats
        )

    def spectators(self, row: TableRow) -> int:
        """Return how many watch without a seat."""
        return sum(not row.held_by(watcher.guest_id) for watcher in self.watchers)

    def lag(self, guest: str | None) -> int:
        """Return how long the network takes to a guest and back, in milliseconds."""
        return max((watcher.lag for watcher in self.watchers if guest and watcher.guest_id == guest), default=0)


def bot_of(match: Match, position: Position, seat: int) -> str | None:
    """Return the bot that plays a seat: its own, or one that stands in for a person who resigned or is away."""
    conduct = position.conduct
    return match.seats[seat - 1].bot or (bots.usual(match.game.key) if seat in conduct.out | conduct.away else None)


def can_stand_in(row: TableRow, match: Match | None, gone: int | None, seat: int, timed: bool) -> bool:
    """Return whether the others may let a bot move for a seat whose person has been gone for so long.

    Where a clock was agreed, being away costs time on that clock and nothing else.
    """
    if match is None or match.result or row.seat(seat).guest is None:
        return False
    conduct = match.position.conduct
    if seat in conduct.away | conduct.out | match.game.eliminated(match.state):
        return False
    return seat in conduct.late | conduct.gone or (not timed and gone is not None and gone >= GRACE)


def check_stand_in(
    row: TableRow, match: Match, guest: str | None, seat: int, gone: tuple[int | None, ...], timed: bool
) -> None:
    """Raise NoStandIn unless this guest may let a bot move for a seat."""
    if row.seat(seat).guest == guest:
        raise NoStandIn("for others alone a bot can be called")
    if bots.usual(row.game) is None:
        raise NoStandIn("no bot plays this game")
    if not can_stand_in(row, match, gone[seat - 1], seat, timed):
        raise NoStandIn(f"the person of seat {seat} is not away for long and has time left, or plays no more")


def grace_left(gone: tuple[int | None, ...]) -> int | None:
    """Return how long until the next grace time of somebody who is away is over."""
    return min((GRACE - time for time in gone if time is not None and time < GRACE), default=None)


def absences(row: TableRow, match: Match, gone: tuple[int | None, ...], turn_age: int) -> dict[int, int]:
    """Return, for each person who is away in their own turn, how long until that counts as gone.

    For tables without a clock: where one was agreed, being away costs time on that clock and nothing else.
    """
    conduct, waits = match.position.conduct, {}
    for seat in match.to_move:
        away = gone[seat - 1]
        if away is not None and row.seat(seat).bot is None and seat not in conduct.gone | conduct.away | conduct.out:
            waits[seat] = ABSENCE - min(away, turn_age)
    return waits
