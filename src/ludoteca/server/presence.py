"""Who is at a table and who is away; bots that stand in for those who are, until they are back."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from ludoteca.core.errors import IllegalMove, StaleMatch
from ludoteca.core.match import Match, Position
from ludoteca.server import bots
from ludoteca.server.refusals import NoStandIn
from ludoteca.server.timing import Alarm

if TYPE_CHECKING:
    from ludoteca.server.tables import Table, Watcher

GRACE = 30_000  # milliseconds that somebody may be away before a bot may stand in
COUNTED_EVERY = 1000  # milliseconds: those who only watch come and go


def bot_of(match: Match, position: Position, seat: int) -> str | None:
    """The bot that plays a seat: its own, or one that stands in for a person who resigned or is away."""
    conduct = position.conduct
    return match.seats[seat - 1].bot or (bots.usual(match.game.key) if seat in conduct.out | conduct.away else None)


class Presence:
    def __init__(self, table: "Table") -> None:
        self._table = table
        self.watchers: set[Watcher] = set()
        self._gone: dict[str, int] = {}  # since when, of the guests who were here
        self._opened = table.house.time.now()  # since when whoever was not here yet is away
        self._alarms: dict[str, Alarm] = {}

    # Coming and going

    def join(self, watcher: "Watcher", have: int) -> None:
        """Somebody watches: the table is told to them, and that they are here to the others."""
        came = watcher not in self.watchers
        self.watchers.add(watcher)
        if watcher.guest_id is not None:
            self._gone.pop(watcher.guest_id, None)
        self._table.teller.tell_table(have, [watcher])
        if came:
            self._tell_the_others(watcher)

    def leave(self, watcher: "Watcher") -> None:
        self.watchers.discard(watcher)
        self._table.teller.forget(watcher)
        guest = watcher.guest_id
        if guest is not None and self._table.held_by(guest) and not self.is_here(guest):
            self._gone[guest] = self._table.house.time.now()
            self._table.takebacker.asker_left(guest)
        self._tell_the_others(watcher)

    def _tell_the_others(self, watcher: "Watcher") -> None:
        """At once of those who hold a seat, not of their second window; of the number of the others now and then."""
        others = self.watchers - {watcher}
        if not self._table.held_by(watcher.guest_id):
            self._later("count", COUNTED_EVERY, self._table.teller.tell_position)
        elif all(other.guest_id != watcher.guest_id for other in others):
            self._table.teller.tell_table(watchers=others)
            self._table.house.lobby.update(self._table)

    def is_here(self, guest: str | None) -> bool:
        return guest is not None and any(watcher.guest_id == guest for watcher in self.watchers)

    @property
    def watching(self) -> int:
        """How many watch without a seat."""
        return sum(not self._table.held_by(watcher.guest_id) for watcher in self.watchers)

    def lag(self, seat: int) -> int:
        """How long the network takes to the person of a seat and back, in milliseconds."""
        guest = self._table.seat(seat).guest
        return max((watcher.lag for watcher in self.watchers if guest and watcher.guest_id == guest), default=0)

    # Away

    def gone_for(self, seat: int) -> int | None:
        """How long the person of a seat has been away; None for those who are here, and where nobody sits."""
        guest = self._table.seat(seat).guest
        if guest is None or self.is_here(guest):
            return None
        return self._table.house.time.now() - self._gone.get(guest, self._opened)

    def can_stand_in(self, seat: int) -> bool:
        """Whether the others may let a bot move for a seat."""
        match, gone = self._table.match, self.gone_for(seat)
        if match is None or match.result or self._table.seat(seat).guest is None:
            return False
        conduct = match.position.conduct
        if seat in conduct.away | conduct.out | match.game.eliminated(match.state):
            return False
        return seat in conduct.late or (gone is not None and gone >= GRACE)

    def expect_grace(self) -> None:
        """Everybody is told when the grace time of somebody who is away is over."""
        gone = [self.gone_for(seat.seat) for seat in self._table.row.seats]
        waits = [GRACE - time for time in gone if time is not None and time < GRACE]
        if waits and self._table.match is not None and self._table.match.result is None:
            self._later("grace", min(waits), self._table.teller.tell_table)

    def _later(self, what: str, wait: int, call: Callable[[], None]) -> None:
        """Once, however often it is asked for meanwhile."""

        def ring() -> None:
            del self._alarms[what]
            call()

        if what not in self._alarms:
            self._alarms[what] = self._table.house.time.later(wait, ring)

    def stop(self) -> None:
        for alarm in self._alarms.values():
            alarm.cancel()
        self._alarms.clear()

    # Standing in

    async def stand_in(self, guest: str | None, mine: int, seat: int) -> None:
        """An opponent or partner lets a bot move for a seat."""
        table, match = self._table, self._table.playing()
        table.check_held(guest, mine)
        if table.seat(seat).guest == guest:
            raise NoStandIn("for others alone a bot can be called")
        if not table.house.has_bots(table.row.game):
            raise NoStandIn("no bot plays this game")
        if not self.can_stand_in(seat):
            raise NoStandIn(f"the person of seat {seat} is not away for long and has time left, or plays no more")
        await table.append(match, f"bot {seat}", 0, len(match.log))

    async def come_back(self, guest: str | None) -> int:
        """Whoever is at the table again plays for themselves; answers with how many entries that made."""
        match, made = self._table.match, 0
        for seat in self._table.held_by(guest) if match is not None else ():
            if match is None or match.result or seat not in match.position.conduct.away - match.position.conduct.out:
                continue
            with suppress(StaleMatch, IllegalMove):  # they came through two doors at once
                await self._table.append(match, f"back {seat}", 0, len(match.log))
                made += 1
        return made
