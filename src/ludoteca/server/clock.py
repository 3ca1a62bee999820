"""The clocks of a match, computed from its record: how much time each seat has left, and whose time runs.

Only entries change a clock, so it shows the same after a restart. Times are milliseconds since the match began, as in
the record. Bots have no clock, and neither has a seat that a bot plays for.

A game's own rules may allow a time for each turn, for the whole match, or both (`Game.time_limits`). Otherwise the
table may agree on a limit for every turn or on a bank for every seat; games know nothing of these.
"""

from collections.abc import Callable
from typing import Annotated, Literal, NamedTuple

import msgspec

from ludoteca.core.events import ConductEvent, Takeback
from ludoteca.core.game import WHOLE_MATCH, TimeLimits
from ludoteca.core.match import Append, Match, Position, Transition
from ludoteca.core.record import Entry
from ludoteca.server.refusals import BadClock

DAY = 24 * 3600  # seconds
LIMITS = {"turn": (5, 14 * DAY), "bank": (10, DAY), "increment": (0, 3600)}

# A page shows the entries of others one at a time. That time is not the player's: see `_shown`. The page has the same
# numbers in web/src/lib/entry-queue.svelte.ts, and tests/server/test_clock.py compares them.
SHOW_MOVE, SHOW_CHANCE = 650, 300  # milliseconds that a page shows an entry before the next one
LONGEST_SHOW = 10_000  # milliseconds before a turn: a page that has more to show jumps to the end
NOTHING_SHOWN = -LONGEST_SHOW

# The network's part of a turn is given back to the player, from an allowance that refills slowly: see `_allowances`.
MOST_GIVEN_BACK = 300  # milliseconds a move
TURNS_OF_A_BANK = 40  # how many turns a bank is meant for
SHARE_OF_A_TURN = 0.02  # what a turn adds to the allowance ...
MOST_ADDED = 500  # ... in milliseconds at most
ADDED_AT_FIRST, ADDED_AT_MOST = 3, 7  # how many turns' worth an allowance has at first, and at most

Seconds = Annotated[int, msgspec.Meta(ge=0, le=14 * DAY)]
Kind = Literal["turn", "bank", "match"]
Downtime = Callable[[int, int], int]  # how much of the time between two moments the server was down


def always_there(since: int, until: int) -> int:
    return 0


class ClockWanted(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a table agrees on, in seconds: a limit for every turn, or a bank for the match with an increment a turn."""

    turn: Seconds | None = None
    bank: Seconds | None = None
    increment: Seconds | None = None

    @property
    def is_slow(self) -> bool:
        """Whether this is a match by correspondence, where nobody has to be at the table."""
        return self.turn is not None and self.turn >= DAY


def check(wanted: ClockWanted | None, limits: TimeLimits | None) -> None:
    """Raise BadClock for a clock that is impossible, or beside the time that the game's own rules allow."""
    if wanted is None:
        return
    if limits is not None:
        raise BadClock("this game brings a clock of its own")
    if (wanted.turn is None) == (wanted.bank is None) or (wanted.increment is not None and wanted.bank is None):
        raise BadClock("a clock has either a turn, or a bank and an increment")
    for name, (least, most) in LIMITS.items():
        value = getattr(wanted, name)
        if value is not None and not least <= value <= most:
            raise BadClock(f"{name} is {least} to {most} seconds, not {value}")


class Clock(NamedTuple):
    """Every tuple has a place for the whole match (0) and then one for each seat."""

    kind: Kind
    left: tuple[int | None, ...]
    since: tuple[int | None, ...]  # where time runs: when `left` was left; it may be in the future
    shown: tuple[int, ...]  # when the page of that seat has shown what the others did
    allowance: tuple[int, ...]  # how much of the network's time may still be given back ...
    refill: int  # ... and what a turn adds to that
    turn: int | None = None  # the limit of a turn
    increment: int = 0  # what a turn adds to the bank
    number: int = 0  # of the turn
    down: Downtime = always_there

    @property
    def running(self) -> list[int]:
        return [seat for seat, since in enumerate(self.since) if since is not None]

    def times(self, by: int) -> bool:
        """Return whether this seat's time runs while it moves."""
        return by > 0 and self.since[by] is not None

    def given_back(self, seat: int, lag: int) -> int:
        """Return how much of the network's lag is given back to a seat for its next move."""
        return min(lag, MOST_GIVEN_BACK, self.allowance[seat])

    def left_at(self, seat: int, now: int, lag: int = 0) -> int | None:
        """Return what the seat has left, with the network's part given back."""
        left, since = self.left[seat], self.since[seat]
        if left is None or since is None:
            return left
        spent = max(0, now - since - self.down(since, now))
        return max(0, left - max(0, spent - self.given_back(seat, lag)))

    def all_left(self, now: int) -> list[int | None]:
        """Return what each seat has left."""
        return [self.left_at(seat, now) for seat in range(1, len(self.left))]

    def starts_in(self, now: int) -> int:
        """Return how long until the time of the seat on the move starts: its page still shows what others did."""
        return max(0, min((since for since in self.since[1:] if since is not None), default=now) - now)

    def runs_out(self, now: int) -> tuple[int, int] | None:
        """Return how long until somebody's time is over, and whose; None if nobody's runs."""
        waits = {seat: max(0, (self.since[seat] or 0) - now) for seat in self.running}
        return min(((wait + (self.left_at(seat, now) or 0), seat) for seat, wait in waits.items()), default=None)


def first(wanted: ClockWanted | None, match: Match, down: Downtime = always_there) -> Clock | None:
    """Return the clock when the match begins, before its first entry."""
    clock = _agreed(wanted, match, down)
    return (
        None
        if clock is None
        else follow(clock, match, Transition(Entry(0, "", 0), None, match.position, match.position))
    )


def _agreed(wanted: ClockWanted | None, match: Match, down: Downtime) -> Clock | None:
    limits = match.game.time_limits(match.agreed)
    if limits is not None:
        return _new("match" if limits.turn is None else "turn", match, down, turn=limits.turn, whole=limits.match)
    if wanted is None:
        return None
    if wanted.bank is None:
        return _new("turn", match, down, turn=wanted.turn)
    return _new("bank", match, down, bank=wanted.bank, increment=wanted.increment or 0)


def _new(
    kind: Kind,
    match: Match,
    down: Downtime,
    turn: int | None = None,
    whole: int | None = None,
    bank: int | None = None,
    increment: int = 0,
) -> Clock:
    """Return a clock that does not run yet. The times are in seconds."""
    whole_left, turn_left = (None if time is None else time * 1000 for time in (whole, turn))
    banks = (None if seat.bot or bank is None else bank * 1000 for seat in match.seats)
    usual_turn = turn if turn is not None else (bank or 0) / TURNS_OF_A_BANK + increment
    refill = min(round(usual_turn * 1000 * SHARE_OF_A_TURN), MOST_ADDED)
    places = len(match.seats) + 1
    return Clock(
        kind,
        left=(whole_left, *banks),
        since=(None,) * places,
        shown=(NOTHING_SHOWN,) * places,
        allowance=(max(MOST_GIVEN_BACK, ADDED_AT_FIRST * refill),) * places,
        refill=refill,
        turn=turn_left,
        increment=increment * 1000,
        number=match.game.turn(match.state),
        down=down,
    )


def follow(clock: Clock, match: Match, transition: Transition) -> Clock:
    """Return the clock after an entry."""
    entry, after = transition.entry, transition.after
    now, number = entry.t or 0, match.game.turn(after.state)
    secret = _is_secret(match, transition)
    shown = _shown(clock, transition, match.game.acts_out(transition.before.state, entry))
    drawing = not after.to_move and after.result is None  # chance is in between: nobody's turn is over yet
    whole_left, whole_since = _follow_match(clock, match, after, now)
    left, since, ended = [whole_left], [whole_since], set()
    for seat in range(1, len(clock.left)):
        ran = clock.since[seat] is not None
        is_kept = drawing or (secret and seat != entry.by)
        runs = ran if is_kept else seat in after.to_move and _has_clock(clock, match, after, seat)
        goes_on = ran and runs and number == clock.number  # the same turn of this seat
        seat_left, seat_since = clock.left[seat], clock.since[seat]
        # The entry says what its mover has left. When a turn ends in another way, the time until now is taken off.
        if seat == entry.by and entry.left is not None:
            seat_left = entry.left
        elif ran and not goes_on:
            seat_left = clock.left_at(seat, now)
        # A player who is late has nothing left in this turn, and no clock runs. A limit for every turn starts anew.
        if seat in after.to_move and seat in after.conduct.late:
            seat_left, runs = 0, False
        elif clock.turn is not None and not goes_on:
            seat_left = clock.turn if runs else None
        if not runs:
            seat_since = None
        elif not goes_on:  # a new turn starts when the player's page has shown what the others did, if it may know
            seat_since = now if match.game.is_simultaneous(after.state) else max(now, shown[seat])
        elif seat == entry.by:  # the time until now is taken off in `entry.left`
            seat_since = now
        elif entry.by == 0 and shown[seat] > max(now, clock.shown[seat]):  # chance decided something in this turn,
            seat_left, seat_since = clock.left_at(seat, now), shown[seat]  # and the page shows it first
        if ran and not goes_on:
            ended.add(seat)
        left.append(seat_left)
        since.append(seat_since)
    allowance = _allowances(clock, entry, ended)
    return clock._replace(left=tuple(left), since=tuple(since), shown=shown, allowance=allowance, number=number)


def _is_secret(match: Match, transition: Transition) -> bool:
    """Return whether a move was made in secret: the clocks of the other seats must not tell of it."""
    is_move = transition.entry.by > 0 and transition.event is None
    return is_move and all(match.game.is_simultaneous(at.state) for at in (transition.before, transition.after))


def _has_clock(clock: Clock, match: Match, position: Position, seat: int) -> bool:
    if clock.kind == "match":
        return False
    return match.seats[seat - 1].bot is None and seat not in position.conduct.away | position.conduct.out


def _follow_match(clock: Clock, match: Match, after: Position, now: int) -> tuple[int | None, int | None]:
    """Return what the match has left, and since when its time runs. It stands still where the game says so."""
    left, since = clock.left[WHOLE_MATCH], clock.since[WHOLE_MATCH]
    if left is not None and after.result is None and match.game.is_match_timed(after.state):
        return left, now if since is None else since
    return clock.left_at(WHOLE_MATCH, now), None


def _shown(clock: Clock, transition: Transition, acts: int = 0) -> tuple[int, ...]:
    """Return when each seat's page has shown all entries so far.

    A page shows an entry of others when it arrives, but not before the last one has been seen for a while. The server
    computes that from the record alone: what a client says changes nothing. What was there when the match began is on
    the first board that the page shows. An entry that a board acts out, for `acts` milliseconds, is shown after that.
    """
    entry = transition.entry
    if not entry.t or isinstance(transition.event, ConductEvent | Takeback):
        return clock.shown
    now, pace = entry.t, SHOW_MOVE if entry.by else SHOW_CHANCE
    return tuple(
        min(_shown_at(now, shown, 0 if seat == entry.by else pace, 0 if seat == entry.by else acts), now + LONGEST_SHOW)
        for seat, shown in enumerate(clock.shown)
    )


def _shown_at(now: int, last: int, pace: int, acts: int) -> int:
    """Return when an entry is on the board of somebody who saw the entry before at the time `last`."""
    return max(now, last) + acts if acts else max(now, last + pace)


def _allowances(clock: Clock, entry: Entry, ended: set[int]) -> tuple[int, ...]:
    """Return what may still be given back to each seat: less what it got now, plus a refill at the end of a turn."""
    allowance = list(clock.allowance)
    if entry.left is not None and clock.times(entry.by):
        given = entry.left - (clock.left_at(entry.by, entry.t or 0) or 0)
        if clock.increment and given >= clock.increment:  # an increment is a second at least: more than is given back
            given -= clock.increment
        allowance[entry.by] -= max(0, given)
    most = max(MOST_GIVEN_BACK, ADDED_AT_MOST * clock.refill)
    for seat in ended:
        allowance[seat] = min(allowance[seat] + clock.refill, most)
    return tuple(allowance)


def _increment(clock: Clock, match: Match, move: Transition, after: Position) -> int:
    """Return what a move adds to the bank of its seat: the increment, if it ends a turn."""
    same_turn = move.entry.by in after.to_move and match.game.turn(after.state) == clock.number
    return 0 if after.result or same_turn or move.event is not None else clock.increment


def stamped(clock: Clock | None, match: Match, append: Append, now: int, lag: int) -> Append:
    """Return the append with what the mover has left; after a turn of a bank, with its increment."""
    move, conduct = append.transitions[0], match.position.conduct
    entry = move.entry
    if clock is None or not (clock.times(entry.by) or entry.by in conduct.late - conduct.away):
        return append
    left = clock.left_at(entry.by, now, lag)
    if left is None:
        return append  # late in a turn that was taken back
    left += _increment(clock, match, move, append.position)
    return append._replace(transitions=tuple(_with_left(one, entry.by, left) for one in append.transitions))


def _with_left(transition: Transition, by: int, left: int) -> Transition:
    entry = transition.entry
    return transition._replace(entry=msgspec.structs.replace(entry, left=left)) if entry.by == by else transition
