"""Alarms for the players on the move: their time is over, or, where no clock runs, they have been away for too long."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

from ludoteca.core.errors import IllegalMove, StaleMatch
from ludoteca.core.events import ConductEvent, Event, TimeOver
from ludoteca.core.game import WHOLE_MATCH
from ludoteca.server import presence
from ludoteca.server.presence import AwayTimes, Presence
from ludoteca.server.refusals import LeaseLost, NotStored
from ludoteca.server.services import Services
from ludoteca.server.stored_table import StoredTable
from ludoteca.server.tasks import Alarms
from ludoteca.server.timekeeper import Timekeeper

TRY_AGAIN_IN = 5000  # milliseconds after the database could not be reached


class TurnAlarms:
    """Only the node that minds the table sets them: see `StoredTable.is_minded_here`."""

    def __init__(
        self,
        services: Services,
        stored: StoredTable,
        presence: Presence,
        alarms: Alarms,
        append: Callable[[Event], Awaitable[None]],
    ) -> None:
        """`append` stores and publishes an event, if this node still minds the table."""
        self._services, self._stored, self._presence = services, stored, presence
        self._alarms, self._append = alarms, append

    def set(self) -> None:
        """Set both alarms as the match stands now."""
        if self._stored.has_begun:
            self._set_clock_alarm(self._stored.running.timekeeper)
            self.set_absence_alarm()

    def _set_clock_alarm(self, timekeeper: Timekeeper) -> None:
        stored = self._stored
        deadline = (
            timekeeper.deadline(stored.elapsed(), lambda seat: self._presence.lag(stored.row.seat(seat).guest))
            if stored.is_minded_here
            else None
        )
        if deadline is None:
            self._alarms.cancel("clock")
            return

        def ring() -> None:
            seat = timekeeper.overdue(stored.elapsed() - deadline.lag)
            if seat is None:
                self._set_clock_alarm(timekeeper)
            else:
                self._services.tasks.start(self._time_out(seat))

        self._alarms.set("clock", deadline.wait, ring)

    async def _time_out(self, seat: int) -> None:
        stored = self._stored
        try:
            await self._services.nodes.confirm()
            if not stored.is_minded_here or stored.running.timekeeper.overdue(stored.elapsed()) != seat:
                self.set()  # another node minds the clock, or an outage became known that nobody is charged for
                return
            await self._append(TimeOver() if seat == WHOLE_MATCH else ConductEvent("timeout", seat))
        except (StaleMatch, IllegalMove, LeaseLost):
            pass  # a move came in time, or another node minds the clock
        except NotStored:
            self._alarms.set("clock", TRY_AGAIN_IN, self.set)

    def absences(self, away_times: AwayTimes) -> dict[int, int]:
        """Return, for each person whose being away counts, how long until they are gone."""
        stored = self._stored
        if not stored.has_begun or stored.running.is_timed or stored.match.result:
            return {}
        if all(away is None for away in away_times):
            return {}
        turn_age = stored.elapsed() - stored.running.turn_began()
        return presence.absences(stored.row, stored.match, away_times, turn_age)

    def _absences_now(self) -> dict[int, int]:
        return self.absences(self._presence.away_times(self._stored.row, self._services.time.now()))

    def set_absence_alarm(self) -> None:
        """Set the alarm for the person who is the next to have been away for too long in their own turn."""
        waits = self._absences_now() if self._stored.is_minded_here else {}
        if not waits:
            self._alarms.cancel("absence")
            return
        seat = min(waits, key=waits.__getitem__)
        self._alarms.set("absence", max(0, waits[seat]), lambda: self._services.tasks.start(self._mark_gone(seat)))

    async def _mark_gone(self, seat: int) -> None:
        if self._stored.is_minded_here and self._absences_now().get(seat, 1) <= 0:
            with suppress(StaleMatch, IllegalMove, LeaseLost):  # they came back, or moved
                await self._append(ConductEvent("gone", seat))
        self.set_absence_alarm()
