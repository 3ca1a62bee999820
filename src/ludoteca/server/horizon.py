"""How far each may see: the log up to a moment, and the position and the clock of that moment.

Strangers may see late, where a table wants that; and of what is done in secret, others may not even know. Both see an
older prefix of the record, and everything that they are told is of that prefix.
"""

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from ludoteca.core.conduct import is_conduct
from ludoteca.core.match import Append, Match, Position
from ludoteca.core.record import Entry
from ludoteca.server.clock import Clock


class Moment(NamedTuple):
    """The match after its first `n` entries."""

    n: int
    t: int  # when it came about, in milliseconds since the match began
    entry: Entry | None  # the last of them
    position: Position
    clock: Clock | None


class Horizon:
    """Keeps the moments that somebody has still to be shown; the last one is now."""

    def __init__(self, match: Match, delay: int, clock: Clock | None) -> None:
        """Strangers see that many milliseconds late."""
        self._match, self._delay = match, delay
        self._eyes = (None, *range(1, len(match.seats) + 1))
        self._moments = [Moment(0, 0, None, match.position, clock)]

    @property
    def now(self) -> Moment:
        return self._moments[-1]

    def reach(self, entry: Entry, position: Position, clock: Clock | None) -> None:
        """Something happened."""
        self._moments.append(Moment(self.now.n + 1, entry.t or 0, entry, position, clock))
        if not self._delay:
            self.forget(self.now.t)

    def seen(self, eye: int | None, stranger: bool, t: int) -> Moment:
        """The moment that is seen at a time, with the eyes of a seat or with a stranger's."""
        return self._moments[self._told_of(self._late_place(t) if stranger else len(self._moments) - 1, eye)]

    def shown_time(self, stranger: bool, t: int) -> int:
        """A clock is seen as late as the moves."""
        return t - self._delay if stranger else t

    def next_change(self, t: int) -> int | None:
        """When strangers are shown more, if nothing else happens."""
        return next((moment.t + self._delay for moment in self._moments if moment.t + self._delay > t), None)

    def known_after(self, append: Append) -> int:
        """How many entries everybody at the table may know of once these are made."""
        before = [moment.entry for moment in self._moments[1:] if moment.entry is not None]
        hidden = [
            _held_back(chain(reversed(append.entries), reversed(before)), self._untold(append.position, eye))
            for eye in self._eyes
        ]
        return self.now.n + len(append.entries) - max(hidden)

    def forget(self, t: int) -> None:
        """Drops what nobody will be shown any more."""
        place = self._late_place(t)
        del self._moments[: min(self._told_of(place, eye) for eye in self._eyes)]

    def _late_place(self, t: int) -> int:
        place = len(self._moments) - 1
        while place and self._moments[place].t + self._delay > t:
            place -= 1
        return place

    def _told_of(self, place: int, eye: int | None) -> int:
        """The last place, up to this one, that somebody may know of."""
        untold = self._untold(self._moments[place].position, eye)
        last = (self._moments[back].entry for back in range(place, 0, -1))
        return place - _held_back((entry for entry in last if entry is not None), untold)

    def _untold(self, position: Position, eye: int | None) -> int:
        return 0 if position.result else self._match.game.untold(position.state, eye)


def _held_back(last: Iterable[Entry], untold: int) -> int:
    """How many of the last entries are held back with that many of the game's: conduct after a secret waits with it."""
    held = 0
    for entry in last:
        if not untold:
            break
        held += 1
        untold -= not is_conduct(entry.by, entry.move)
    return held
