"""The clock of a turn: how long the seat on the move still has; or of the whole match, where that was agreed.

Bots have no clock of a turn: their time is the machine's. The whole match is over for everybody.
"""

import math
from typing import NamedTuple

from ludoteca.core.conduct import is_conduct
from ludoteca.core.match import Match

TABLE = 0  # in the place of a seat: the clock of the whole match


class Clock(NamedTuple):
    seat: int
    deadline: float  # by the clock that `now` is read from, in seconds

    def left_ms(self, now: float) -> int:
        return max(0, math.ceil((self.deadline - now) * 1000))

    def times(self, by: int) -> bool:
        """Whether it runs while this seat moves."""
        return self.seat in (TABLE, by)

    @property
    def move(self) -> str:
        """What the table says when the time is over."""
        return "time" if self.seat == TABLE else f"timeout {self.seat}"


def follow(clock: Clock | None, match: Match, now: float) -> Clock | None:
    """The clock after something happened. A turn goes on as long as the same seat is on the move."""
    whole = None if match.result else match.game.duration(match.state, match.agreed)
    if whole is not None:
        return clock if clock is not None and clock.seat == TABLE else Clock(TABLE, now + whole)
    limit = match.agreed.get("turn_seconds")
    if not isinstance(limit, int) or len(match.to_move) != 1 or match.seats[match.to_move[0] - 1].bot:
        return None
    seat = match.to_move[0]
    return clock if clock is not None and clock.seat == seat else Clock(seat, now + limit)


def resumed(match: Match, now: float) -> Clock | None:
    """The clock when a server starts: what was left after the last entry, for downtime is charged to nobody."""
    clock = follow(None, match, now)
    for entry in reversed(match.log if clock else ()):
        if clock and clock.times(entry.by) and entry.left is not None:
            return Clock(clock.seat, now + entry.left / 1000)
        if clock and clock.seat != TABLE and not is_conduct(entry.by, entry.move):
            break  # the turn began after this
    return clock
