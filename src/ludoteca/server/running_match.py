"""A match that has begun, with everything that is updated after every entry: clock, visibility, log as JSON."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from ludoteca.core import registry
from ludoteca.core.events import ConductEvent
from ludoteca.core.match import Append, Match, Transition
from ludoteca.core.record import Record, Seat
from ludoteca.server.journal import Journal
from ludoteca.server.refusals import UnknownEntry
from ludoteca.server.rows import Standing, TableRow
from ludoteca.server.sealing import seal_of
from ludoteca.server.timekeeper import Timekeeper
from ludoteca.server.uptime import Uptime
from ludoteca.server.visibility import Sight, Visibility


def new_match(row: TableRow) -> Match:
    """Return the match of a table before its first entry."""
    seats = [Seat(seat.name, seat.bot) for seat in row.seats]
    return Match(registry.game(row.game), row.options, seats, seal_of(row), row.given)


class RunningMatch(NamedTuple):
    match: Match
    timekeeper: Timekeeper
    visibility: Visibility
    journal: Journal

    @classmethod
    def new(cls, row: TableRow, began_at: int, uptime: Uptime) -> "RunningMatch":
        """Return the match of a table before its first entry, with a clock and a log that are ready to follow it."""

        def down(since: int, until: int) -> int:
            return uptime.downtime(began_at + since, began_at + until)

        match = new_match(row)
        timekeeper = Timekeeper(row.clock, match, down)
        return cls(match, timekeeper, Visibility(match, row.delay * 1000, timekeeper.clock), Journal(match))

    def follow(self, transitions: Iterable[Transition]) -> None:
        """Update the log as JSON, the clock and what each client may see with entries that were committed."""
        for transition in transitions:
            self.journal.add(transition)
            self.visibility.add(transition, self.timekeeper.follow(self.match, transition))

    @property
    def is_timed(self) -> bool:
        """Whether the people, or the rules, agreed on a clock."""
        return self.timekeeper.clock is not None

    def turn_began(self) -> int:
        """Return when the last move was made, drawn or taken back, in milliseconds since the match began."""
        log, events = reversed(self.match.log), reversed(self.match.events)
        times = (entry.t or 0 for entry, event in zip(log, events, strict=True) if not isinstance(event, ConductEvent))
        return next(times, 0)

    def standing(self, append: Append) -> Standing:
        """Return how the match will stand after an append. Lists of tables show that without a replay."""
        position = append.position
        by_conduct = all(isinstance(one.event, ConductEvent) for one in append.transitions)
        known = self.visibility.known_after(append)
        return Standing(position.to_move, known, position.result, by_conduct and position.result is None)

    def known_to(self, seats: Iterable[int], t: int) -> int:
        """Return how many entries one of these seats may know of."""
        return max(self.visibility.moment_for(seat, False, t).n for seat in seats)

    def look(self, sight: Sight, entry: int) -> dict[str, Any]:
        """Return the view of the position after an entry; raise UnknownEntry if the client may not see it yet."""
        if entry > sight.n:
            raise UnknownEntry(entry, sight.n)
        return self.match.game.view(self.match.at(entry).state, sight.eye)

    def record(self, spectator: bool, t: int) -> Record:
        """Return the record as a stranger may read it while the match runs, and all of it afterwards."""
        match, moment = self.match, self.visibility.moment_for(None, spectator, t)
        if moment.position.result:
            return match.record
        log = tuple(match.game.seen(entry, None) for entry in match.log[: moment.n])
        assert match.seal is not None
        return msgspec.structs.replace(match.record, log=log, result=None, seal=match.seal.published(reveal=False))
