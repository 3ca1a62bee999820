"""How people behave at a table, in any game: they resign, agree on a draw or hints, run out of time or are away."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from ludoteca.core.errors import IllegalMove
from ludoteca.core.events import ConductEvent
from ludoteca.core.words import message


class Conduct(msgspec.Struct, frozen=True):
    offer: int = 0  # the seat whose offer of a draw stands
    accepted: frozenset[int] = frozenset()
    out: frozenset[int] = frozenset()  # seats that can no longer win
    late: frozenset[int] = frozenset()  # seats whose time ran out
    gone: frozenset[int] = frozenset()  # seats whose player was away for too long during their turn
    away: frozenset[int] = frozenset()  # seats that a bot plays for
    hints: frozenset[int] = frozenset()  # seats that agree to hints for everybody
    ending: str | None = None  # why the match ended, if conduct ended it

    def after_move(self, by: int) -> "Conduct":
        """Return the conduct after a move by this seat.

        An offer stands until somebody moves or a move is taken back. A seat whose turn is over is no longer
        late.
        """
        if not self.offer and by not in self.late | self.gone:
            return self
        late, gone = self.late - {by}, self.gone - {by}
        return msgspec.structs.replace(self, offer=0, accepted=frozenset(), late=late, gone=gone)


class Sides(msgspec.Struct, frozen=True):
    """Who plays with whom in a position. Conduct needs nothing else of the match."""

    seats: range
    side: Callable[[int], int]
    can_draw: bool
    eliminated: frozenset[int] = frozenset()  # by the rules

    def side_of(self, seat: int) -> frozenset[int]:
        return frozenset(other for other in self.seats if self.side(other) == self.side(seat))

    def last_side(self, out: frozenset[int]) -> bool:
        """Return whether at most one side is left: then there is no opponent to resign to."""
        return len({self.side(seat) for seat in self.seats if seat not in out | self.eliminated}) <= 1

    def overdue(self, conduct: Conduct, by: int) -> frozenset[int]:
        """Return the opponents from whom a seat may claim the match: their time ran out, or they are gone.

        A seat that a bot plays for is not overdue: its player loses nothing by that.
        """
        if by in conduct.out | self.eliminated:
            return frozenset()
        opponents = frozenset(self.seats) - self.side_of(by) - conduct.out - self.eliminated
        return opponents & (conduct.late | conduct.gone) - conduct.away


def after_event(conduct: Conduct, event: ConductEvent, sides: Sides) -> Conduct:
    """Return the conduct after an event. Raise IllegalMove if the event is not allowed now."""
    seat, move = event.seat, str(event)
    if event.by == 0:
        return _after_table_event(conduct, event)
    if seat in conduct.out | sides.eliminated:
        raise IllegalMove(move, message("core.you_are_out"))
    match event.verb:
        case "resign":
            return _without(conduct, sides.side_of(seat), "resigned", sides)
        case "claim":
            if not (overdue := sides.overdue(conduct, seat)):
                raise IllegalMove(move, message("core.nothing_to_claim"))
            return _without(conduct, set().union(*map(sides.side_of, overdue)), "claimed", sides)
        case "offer draw":
            if not sides.can_draw:
                raise IllegalMove(move, message("core.no_draws"))
            if conduct.offer:
                raise IllegalMove(move, message("core.offer_stands", seat=conduct.offer))
            return _changed(conduct, offer=seat, accepted=frozenset())
        case "withdraw":
            if conduct.offer != seat:
                raise IllegalMove(move, message("core.nothing_to_withdraw"))
            return _changed(conduct, offer=0, accepted=frozenset())
        case "hints on":
            if seat in conduct.hints:
                raise IllegalMove(move, message("core.hints_agreed"))
            return _changed(conduct, hints=conduct.hints | {seat})
        case "hints off":  # one who does not agree is enough
            if not conduct.hints:
                raise IllegalMove(move, message("core.no_hints"))
            return _changed(conduct, hints=frozenset())
    if conduct.offer in (0, seat) or seat in conduct.accepted:
        raise IllegalMove(move, message("core.no_offer"))
    if event.verb == "decline":
        return _changed(conduct, offer=0, accepted=frozenset())
    accepted = conduct.accepted | {seat}
    all_agree = not set(sides.seats) - conduct.out - sides.eliminated - accepted - {conduct.offer}
    return _changed(conduct, accepted=accepted, ending="agreed" if all_agree else None)


def _after_table_event(conduct: Conduct, event: ConductEvent) -> Conduct:
    verb, seat = event.verb, event.seat
    if verb == "timeout":
        return _changed(conduct, late=conduct.late | {seat})
    if verb == "back":
        if seat not in conduct.away | conduct.gone:
            raise IllegalMove(str(event), message("core.is_not_away", seat=seat))
        return _changed(conduct, away=conduct.away - {seat}, gone=conduct.gone - {seat})
    if seat in conduct.away:
        raise IllegalMove(str(event), message("core.is_away", seat=seat))
    if verb == "gone":
        return _changed(conduct, gone=conduct.gone | {seat})
    return _changed(conduct, away=conduct.away | {seat})


def _without(conduct: Conduct, gone: Iterable[int], reason: str, sides: Sides) -> Conduct:
    out = conduct.out.union(gone)
    return _changed(conduct, out=out, ending=reason if sides.last_side(out) else None)


def _changed(conduct: Conduct, **changes: Any) -> Conduct:
    return msgspec.structs.replace(conduct, **changes)
