"""What may happen at every table, whatever is played: resigning, draws agreed, time, seats that bots keep warm."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from ludoteca.core.errors import IllegalMove, UnknownMove
from ludoteca.core.words import message

SEAT_VERBS = ("resign", "offer draw", "withdraw", "accept", "decline", "claim")
TABLE_VERBS = ("timeout", "bot", "back")


class Conduct(msgspec.Struct, frozen=True):
    offer: int = 0  # the seat whose offer of a draw stands
    accepted: frozenset[int] = frozenset()
    out: frozenset[int] = frozenset()  # seats that can no longer win
    late: frozenset[int] = frozenset()  # seats whose time ran out
    away: frozenset[int] = frozenset()  # seats that a bot plays for
    ending: str | None = None  # why the match ended here, if it did

    def after_move(self, by: int) -> "Conduct":
        """An offer stands until somebody moves, or a move is taken back. Whose turn is over is late no more."""
        if not self.offer and by not in self.late:
            return self
        return msgspec.structs.replace(self, offer=0, accepted=frozenset(), late=self.late - {by})


class Table(msgspec.Struct, frozen=True):
    """What conduct needs to know of the match."""

    seats: range
    side: Callable[[int], int]
    can_draw: bool
    eliminated: frozenset[int] = frozenset()  # by the rules

    def side_of(self, seat: int) -> frozenset[int]:
        return frozenset(other for other in self.seats if self.side(other) == self.side(seat))

    def last_side(self, out: frozenset[int]) -> bool:
        """Whether one side is left, or none: alone one resigns to nobody."""
        return len({self.side(seat) for seat in self.seats if seat not in out | self.eliminated}) <= 1

    def gone(self, conduct: Conduct, by: int) -> frozenset[int]:
        """The opponents from whom a seat may claim the match: their time ran out, or bots play for them."""
        opponents = frozenset(self.seats) - self.side_of(by) - conduct.out - self.eliminated
        return opponents & (conduct.late | conduct.away)


def is_conduct(by: int, move: str) -> bool:
    return move in SEAT_VERBS if by else move.partition(" ")[0] in TABLE_VERBS


def seat_named(move: str, seats: range) -> int:
    """The seat in a move of the table such as `timeout 2`."""
    words = move.split(" ")
    if len(words) != 2 or not words[1].isdecimal() or int(words[1]) not in seats:
        raise UnknownMove(move, message("core.names_no_seat", last=seats[-1]))
    return int(words[1])


def conducted(conduct: Conduct, by: int, move: str, table: Table) -> Conduct:
    """The conduct after an entry that `is_conduct`; IllegalMove otherwise."""
    if by == 0:
        return _by_table(conduct, move, seat_named(move, table.seats))
    if by in conduct.out | table.eliminated:
        raise IllegalMove(move, message("core.you_are_out"))
    match move:
        case "resign":
            return _without(conduct, table.side_of(by), "resigned", table)
        case "claim":
            if not (gone := table.gone(conduct, by)):
                raise IllegalMove(move, message("core.nothing_to_claim"))
            return _without(conduct, set().union(*map(table.side_of, gone)), "claimed", table)
        case "offer draw":
            if not table.can_draw:
                raise IllegalMove(move, message("core.no_draws"))
            if conduct.offer:
                raise IllegalMove(move, message("core.offer_stands", seat=conduct.offer))
            return _changed(conduct, offer=by, accepted=frozenset())
        case "withdraw":
            if conduct.offer != by:
                raise IllegalMove(move, message("core.nothing_to_withdraw"))
            return _changed(conduct, offer=0, accepted=frozenset())
    if conduct.offer in (0, by) or by in conduct.accepted:
        raise IllegalMove(move, message("core.no_offer"))
    if move == "decline":
        return _changed(conduct, offer=0, accepted=frozenset())
    accepted = conduct.accepted | {by}
    all_agree = not set(table.seats) - conduct.out - table.eliminated - accepted - {conduct.offer}
    return _changed(conduct, accepted=accepted, ending="agreed" if all_agree else None)


def _by_table(conduct: Conduct, move: str, seat: int) -> Conduct:
    verb = move.partition(" ")[0]
    if verb == "timeout":
        return _changed(conduct, late=conduct.late | {seat})
    if (verb == "bot") == (seat in conduct.away):
        raise IllegalMove(move, message("core.is_away" if verb == "bot" else "core.is_not_away", seat=seat))
    return _changed(conduct, away=conduct.away ^ {seat})


def _without(conduct: Conduct, gone: Iterable[int], reason: str, table: Table) -> Conduct:
    out = conduct.out.union(gone)
    return _changed(conduct, out=out, ending=reason if table.last_side(out) else None)


def _changed(conduct: Conduct, **changes: Any) -> Conduct:
    return msgspec.structs.replace(conduct, **changes)
