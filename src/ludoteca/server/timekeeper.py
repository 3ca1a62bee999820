"""Keeps a table's clock: follows the record, and says when somebody's time is over."""

from contextlib import suppress
from typing import TYPE_CHECKING

from ludoteca.core.errors import IllegalMove, StaleMatch
from ludoteca.core.game import WHOLE_MATCH
from ludoteca.core.match import TIME, TIMEOUT, Append, Match, Position
from ludoteca.core.record import Entry
from ludoteca.server import clock
from ludoteca.server.clock import Clock
from ludoteca.server.timing import Alarm

if TYPE_CHECKING:
    from ludoteca.server.tables import Table


class Timekeeper:
    def __init__(self, table: "Table") -> None:
        self._table = table
        self.clock: Clock | None = None
        self._alarm: Alarm | None = None

    @property
    def is_running(self) -> bool:
        return self.clock is not None and bool(self.clock.running)

    def begin(self, match: Match, begun: int) -> None:
        def down(since: int, until: int) -> int:
            return self._table.house.service.missed(begun + since, begun + until)

        self.clock = clock.first(self._table.row.clock, match, down)

    def follow(self, match: Match, entry: Entry, after: Position) -> Clock | None:
        if self.clock is not None:
            self.clock = clock.follow(self.clock, match, entry, after)
        return self.clock

    def stamped(self, match: Match, append: Append, now: int, lag: int) -> Append:
        return clock.stamped(self.clock, match, append, now, lag)

    def set_alarm(self) -> None:
        """For the next one whose time will be over. A move that the network still carries is not too late."""
        self.stop()
        due = self.clock.runs_out(self._table.elapsed()) if self.clock else None
        if self.clock is not None and due is not None:
            left, seat = due
            lag = 0 if seat == WHOLE_MATCH else self.clock.given_back(seat, self._table.presence.lag(seat))
            self._alarm = self._table.house.time.later(left + lag, lambda: self._ring(lag))

    def stop(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _ring(self, lag: int) -> None:
        due = self.clock.runs_out(self._table.elapsed() - lag) if self.clock else None
        if due is not None and due[0] <= 0:
            self._table.house.go_on(self._time_out(due[1]))
        else:
            self.set_alarm()

    async def _time_out(self, seat: int) -> None:
        match = self._table.playing()
        with suppress(StaleMatch, IllegalMove):  # a move came in time
            await self._table.append(match, TIME if seat == WHOLE_MATCH else f"{TIMEOUT} {seat}", 0, len(match.log))
