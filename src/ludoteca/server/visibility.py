"""How far each client may see: the log up to a moment, and the position and the clock of that moment.

A table may show spectators everything late, and in simultaneous play nobody may know what the others did. In both cases
the client sees an older prefix of the record, and everything that it is sent follows from that prefix.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ludoteca.core.events import ConductEvent
from ludoteca.core.match import Append, Match, Position, Transition
from ludoteca.server.clock import Clock


class Moment(NamedTuple):
    """The match after its first `n` entries."""

    n: int
    t: int  # when it came about, in milliseconds since the match began
    position: Position
    clock: Clock | None
    by_conduct: bool = False  # whether its last entry was conduct, not a move or a draw


class Sight(NamedTuple):
    """What a client may see: which seats it holds, with the eyes of which of them it sees, and up to which moment."""

    held: tuple[int, ...]
    eye: int | None
    moment: Moment | None  # None before the match
    t: int  # the time at which clocks are shown

    @property
    def n(self) -> int:
        return self.moment.n if self.moment else 0

    @property
    def is_over(self) -> bool:
        return self.moment is not None and self.moment.position.result is not None


class Visibility:
    """Keeps the moments that somebody may still have to be shown. The last one is now."""

    def __init__(self, match: Match, delay: int, clock: Clock | None) -> None:
        """Spectators see everything `delay` milliseconds late."""
        self._match, self._delay = match, delay
        self._eyes = (None, *range(1, len(match.seats) + 1))
        self._has_untold = match.game.has_untold
        self._moments = [Moment(0, 0, match.position, clock)]

    @property
    def now(self) -> Moment:
        return self._moments[-1]

    def add(self, transition: Transition, clock: Clock | None) -> None:
        """Add the moment after an entry."""
        by_conduct = isinstance(transition.event, ConductEvent)
        self._moments.append(Moment(self.now.n + 1, transition.entry.t or 0, transition.after, clock, by_conduct))
        if not self._delay:
            self.forget(self.now.t)

    def sight(self, held: tuple[int, ...], eye: int | None, t: int) -> Sight:
        """Return what the holder of these seats may see at a time, with the eyes of one of them or of a stranger."""
        shown = t if held else t - self._delay  # a clock is shown as late as the moves
        return Sight(held, eye, self.moment_for(eye, not held, t), shown)

    def moment_for(self, eye: int | None, spectator: bool, t: int) -> Moment:
        """Return the last moment that somebody may see at a time: with the eyes of a seat, or with a stranger's."""
        return self._moments[self._known_place(self._late_place(t) if spectator else len(self._moments) - 1, eye)]

    def next_change(self, t: int) -> int | None:
        """Return when spectators may see more, if nothing else happens; None if they see everything."""
        return next((moment.t + self._delay for moment in self._moments if moment.t + self._delay > t), None)

    def known_after(self, append: Append) -> int:
        """Return how many entries everybody at the table may know of once these are made."""
        if not self._has_untold:
            return self.now.n + len(append.transitions)
        by_conduct = [moment.by_conduct for moment in self._moments[1:]]
        by_conduct += [isinstance(transition.event, ConductEvent) for transition in append.transitions]
        hidden = [held_back(reversed(by_conduct), self._untold(append.position, eye)) for eye in self._eyes]
        return self.now.n + len(append.transitions) - max(hidden)

    def forget(self, t: int) -> None:
        """Drop what nobody will be shown any more."""
        place = self._late_place(t)
        if self._has_untold:
            place = min(self._known_place(place, eye) for eye in self._eyes)
        del self._moments[:place]

    def _late_place(self, t: int) -> int:
        place = len(self._moments) - 1
        while place and self._moments[place].t + self._delay > t:
            place -= 1
        return place

    def _known_place(self, place: int, eye: int | None) -> int:
        """Return the last place, up to this one, that somebody who sees with this eye may know of."""
        untold = self._untold(self._moments[place].position, eye) if self._has_untold else 0
        if not untold:
            return place
        return place - held_back((self._moments[back].by_conduct for back in range(place, 0, -1)), untold)

    def _untold(self, position: Position, eye: int | None) -> int:
        return 0 if position.result else self._match.game.untold(position.state, eye)


def held_back(last: Iterable[bool], untold: int) -> int:
    """Return how many of the last entries are held back if the last `untold` entries of the game are secret.

    An event of conduct that came after a secret entry is held back with it. `last` says for each entry, the last one
    first, whether it was conduct.
    """
    held = 0
    for by_conduct in last:
        if not untold:
            break
        held += 1
        untold -= not by_conduct
    return held
