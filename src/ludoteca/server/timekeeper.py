"""Keeps the clock of a match up to date with the record, and says when somebody's time is over."""

from collections.abc import Callable
from typing import NamedTuple

from ludoteca.core.game import WHOLE_MATCH
from ludoteca.core.match import Append, Match, Transition
from ludoteca.server import clock
from ludoteca.server.clock import Clock, ClockWanted, Downtime

Lag = Callable[[int], int]  # how long the network takes to the person of a seat and back, in milliseconds


class Deadline(NamedTuple):
    wait: int  # milliseconds from now
    lag: int  # how much of that is granted for a move that the network still carries


class Timekeeper:
    def __init__(self, wanted: ClockWanted | None, match: Match, down: Downtime) -> None:
        self.clock: Clock | None = clock.first(wanted, match, down)

    @property
    def is_running(self) -> bool:
        return self.clock is not None and bool(self.clock.running)

    def follow(self, match: Match, transition: Transition) -> Clock | None:
        """Return the clock after an entry."""
        if self.clock is not None:
            self.clock = clock.follow(self.clock, match, transition)
        return self.clock

    def stamped(self, match: Match, append: Append, now: int, lag: int) -> Append:
        """Return the append with the time that is left to the mover."""
        return clock.stamped(self.clock, match, append, now, lag)

    def deadline(self, now: int, lag: Lag) -> Deadline | None:
        """Return when the next seat's time will be over; None if no clock runs."""
        due = self.clock.runs_out(now) if self.clock else None
        if self.clock is None or due is None:
            return None
        left, seat = due
        granted = 0 if seat == WHOLE_MATCH else self.clock.given_back(seat, lag(seat))
        return Deadline(left + granted, granted)

    def overdue(self, now: int) -> int | None:
        """Return the seat whose time is over, WHOLE_MATCH for the time of the match, or None."""
        due = self.clock.runs_out(now) if self.clock else None
        return due[1] if due is not None and due[0] <= 0 else None
