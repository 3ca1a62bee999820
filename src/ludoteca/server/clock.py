"""The clock of a turn: how long the seat on the move still has. Bots have no clock: their time is the machine's."""

import math
from typing import NamedTuple

from ludoteca.core.conduct import is_conduct
from ludoteca.core.match import Match


class Clock(NamedTuple):
    seat: int
    deadline: float  # by the clock that `now` is read from, in seconds

    def left_ms(self, now: float) -> int:
        return max(0, math.ceil((self.deadline - now) * 1000))


def follow(clock: Clock | None, match: Match, now: float) -> Clock | None:
    """The clock after something happened. A turn goes on as long as the same seat is on the move."""
    limit = match.agreed.get("turn_seconds")
    if not isinstance(limit, int) or len(match.to_move) != 1 or match.seats[match.to_move[0] - 1].bot:
        return None
    seat = match.to_move[0]
    return clock if clock is not None and clock.seat == seat else Clock(seat, now + limit)


def resumed(match: Match, now: float) -> Clock | None:
    """The clock when a server starts: what was left after the last entry, for downtime is charged to nobody."""
    clock = follow(None, match, now)
    for entry in reversed(match.log if clock else ()):
        if clock and entry.by == clock.seat and entry.left is not None:
            return Clock(clock.seat, now + entry.left / 1000)
        if not is_conduct(entry.by, entry.move):
            break  # the turn began after this
    return clock
