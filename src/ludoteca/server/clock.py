"""The clocks of a match, as arithmetic on its record: how long each seat has left, and whose time runs.

A clock is told entry by entry what happened, and that alone decides what it shows: so it shows the same after a
restart. Times are milliseconds since the match began, as in the record. A turn lasts as long as the same seat is on
the move, whatever chance does in between. Bots have no clock of their own, and neither has a seat that a bot plays for.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from ludoteca.core.conduct import is_conduct
from ludoteca.core.match import Append, Match, Position
from ludoteca.core.record import Entry
from ludoteca.server.refusals import BadClock

MOST_GIVEN_BACK = 300  # milliseconds a move, of what the network took
OF_GAMES = ("turn_seconds", "minutes")  # options of games that are clocks by themselves
TABLE = 0  # in the place of a seat: the clock of the whole match
DAY = 24 * 3600  # seconds
LIMITS = {"turn": (5, 14 * DAY), "bank": (10, DAY), "increment": (0, 3600)}

Seconds = Annotated[int, msgspec.Meta(ge=0, le=14 * DAY)]
Kind = Literal["turn", "bank", "match"]
Downtime = Callable[[int, int], int]  # how much of the time between two moments the server was not there


def always_there(since: int, until: int) -> int:
    return 0


class ClockWanted(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a table agrees on, in seconds: a limit for every turn, or a bank for the match with an increment a turn."""

    turn: Seconds | None = None
    bank: Seconds | None = None
    increment: Seconds | None = None

    @property
    def is_slow(self) -> bool:
        """Whether nobody need be there: matches by correspondence."""
        return self.turn is not None and self.turn >= DAY


def check(wanted: ClockWanted | None, agreed: Mapping[str, Any]) -> None:
    """Raises BadClock for a clock that cannot be."""
    if wanted is None:
        return
    if any(agreed.get(option) is not None for option in OF_GAMES):
        raise BadClock("this game brings a clock of its own")
    if (wanted.turn is None) == (wanted.bank is None) or (wanted.increment is not None and wanted.bank is None):
        raise BadClock("a clock has either a turn, or a bank and an increment")
    for name, (least, most) in LIMITS.items():
        value = getattr(wanted, name)
        if value is not None and not least <= value <= most:
            raise BadClock(f"{name} is {least} to {most} seconds, not {value}")


class Clock(NamedTuple):
    """The places are the seats'; the clock of a whole match has one place alone."""

    kind: Kind
    left: tuple[int | None, ...]
    since: tuple[int | None, ...]  # for those that run: when that much was left
    turn: int | None = None  # the limit of a turn
    increment: int = 0  # what a turn adds to the bank
    down: Downtime = always_there

    @property
    def first(self) -> int:
        """The seat of the first place."""
        return TABLE if self.kind == "match" else 1

    @property
    def running(self) -> list[int]:
        return [seat for seat, since in enumerate(self.since, start=self.first) if since is not None]

    def times(self, by: int) -> bool:
        """Whether it runs while this seat moves."""
        return by > 0 and (TABLE in self.running or by in self.running)

    def left_at(self, seat: int, now: int, lag: int = 0) -> int | None:
        """What the seat has left; of the time that it took, the network's part is given back."""
        left, since = self.left[seat - self.first], self.since[seat - self.first]
        if left is None or since is None:
            return left
        spent = now - since - self.down(since, now)
        return max(0, left - max(0, spent - min(lag, MOST_GIVEN_BACK)))

    def all_left(self, now: int) -> list[int | None]:
        return [self.left_at(seat, now) for seat in range(self.first, self.first + len(self.left))]

    def runs_out(self, now: int) -> tuple[int, int] | None:
        """How long until somebody's time is over, and whose; None if nobody's runs."""
        return min(((self.left_at(seat, now) or 0, seat) for seat in self.running), default=None)


def first(wanted: ClockWanted | None, match: Match, down: Downtime = always_there) -> Clock | None:
    """The clock when the match begins, before its first entry."""
    clock = _agreed(wanted, match, down)
    return None if clock is None else follow(clock, match, Entry(0, "", 0), match.position)


def _agreed(wanted: ClockWanted | None, match: Match, down: Downtime) -> Clock | None:
    """What is agreed in a game's own options comes first."""
    nothing = (None,) * len(match.seats)
    if match.agreed.get("minutes") is not None:
        return Clock("match", (None,), (None,), down=down)
    if wanted is not None and wanted.bank is not None:
        banks = tuple(None if seat.bot else wanted.bank * 1000 for seat in match.seats)
        return Clock("bank", banks, nothing, increment=(wanted.increment or 0) * 1000, down=down)
    own = match.agreed.get("turn_seconds")
    turn = own if isinstance(own, int) else wanted.turn if wanted is not None else None
    return None if turn is None else Clock("turn", nothing, nothing, turn * 1000, down=down)


def follow(clock: Clock, match: Match, entry: Entry, after: Position) -> Clock:
    """The clock after an entry, which led to this position."""
    now = entry.t or 0
    if clock.kind == "match":
        return _follow_match(clock, match, entry, after, now)
    to_move = after.to_move
    drawing = not to_move and after.result is None  # chance is in between: nobody's turn is over yet
    left, since = list(clock.left), list(clock.since)
    for place, seat in enumerate(range(1, len(left) + 1)):
        ran = since[place] is not None
        runs = ran if drawing else seat in to_move and _has_clock(match, after, seat)
        if seat == entry.by and entry.left is not None:
            left[place] = entry.left
        elif ran and not runs:
            left[place] = clock.left_at(seat, now)
        if seat in to_move and seat in after.conduct.late:
            left[place], runs = 0, False
        elif clock.turn is not None and not (ran and runs):
            left[place] = clock.turn if runs else None
        if not runs:
            since[place] = None
        elif not ran or seat == entry.by:
            since[place] = now
    return clock._replace(left=tuple(left), since=tuple(since))


def _has_clock(match: Match, position: Position, seat: int) -> bool:
    return match.seats[seat - 1].bot is None and seat not in position.conduct.away | position.conduct.out


def _follow_match(clock: Clock, match: Match, entry: Entry, after: Position, now: int) -> Clock:
    whole = None if after.result else match.game.duration(after.state, match.agreed)
    if whole is None:
        return clock._replace(since=(None,))
    if entry.left is not None:
        return clock._replace(left=(entry.left,), since=(now,))
    return clock if clock.since[0] is not None else clock._replace(left=(whole * 1000,), since=(now,))


def stamped(clock: Clock | None, match: Match, append: Append, now: int, lag: int) -> Append:
    """The append with what is left to the mover: after a turn of a bank, with its increment."""
    by, conduct = append.entries[0].by, match.position.conduct
    if clock is None or not (clock.times(by) or by in conduct.late - conduct.away):
        return append
    left = clock.left_at(TABLE, now) if clock.kind == "match" else clock.left_at(by, now, lag)
    if left is None:
        return append  # late in a turn that was taken back
    goes_on = by in append.position.to_move  # its own turn
    if append.position.result is None and not goes_on and not is_conduct(by, append.entries[0].move):
        left += clock.increment
    entries = tuple(msgspec.structs.replace(entry, left=left) if entry.by == by else entry for entry in append.entries)
    return append._replace(entries=entries)
