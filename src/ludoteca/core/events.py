"""Events at a table beside the game: 'resign', 'timeout 2', 'takeback 12'.

They are parsed once, where a text comes in.
"""

from typing import Literal, get_args

import msgspec

from ludoteca.core.errors import UnknownMove
from ludoteca.core.words import message

SeatVerb = Literal["resign", "offer draw", "accept", "decline", "withdraw", "claim", "hints on", "hints off"]
TableVerb = Literal["timeout", "gone", "bot", "back"]
TAKEBACK, TIME = "takeback", "time"


class ConductEvent(msgspec.Struct, frozen=True):
    """A player resigns, agrees on a draw or on hints, or claims the match; or the table notes something about a seat.

    The table notes that a seat is late, gone, played by a bot, or back.
    """

    verb: SeatVerb | TableVerb
    seat: int

    @property
    def by(self) -> int:
        """Return the seat that writes the entry; 0 is the table."""
        return 0 if self.verb in _TABLE_VERBS else self.seat

    def __str__(self) -> str:
        return f"{self.verb} {self.seat}" if self.verb in _TABLE_VERBS else self.verb


class Takeback(msgspec.Struct, frozen=True):
    """The match goes back to the position after an entry."""

    target: int

    @property
    def by(self) -> int:
        return 0

    def __str__(self) -> str:
        return f"{TAKEBACK} {self.target}"


class TimeOver(msgspec.Struct, frozen=True):
    """The time of the whole match is over."""

    @property
    def by(self) -> int:
        return 0

    def __str__(self) -> str:
        return TIME


Event = ConductEvent | Takeback | TimeOver
_SEAT_VERBS: dict[str, SeatVerb] = {verb: verb for verb in get_args(SeatVerb)}
_TABLE_VERBS: dict[str, TableVerb] = {verb: verb for verb in get_args(TableVerb)}


def read_event(by: int, move: str, seats: range) -> Event | None:
    """Return the event that an entry stands for, or None for a move or a draw of the game.

    Raise UnknownMove where an entry of the table lacks its seat or its number.
    """
    if by:
        spoken = _SEAT_VERBS.get(move)
        return None if spoken is None else ConductEvent(spoken, by)
    if move == TIME:
        return TimeOver()
    word, _, rest = move.partition(" ")
    if word == TAKEBACK:
        if not _is_number(rest):
            raise UnknownMove(move, message("core.names_no_entry"))
        return Takeback(int(rest))
    verb = _TABLE_VERBS.get(word)
    if verb is None:
        return None
    if not _is_number(rest) or int(rest) not in seats:
        raise UnknownMove(move, message("core.names_no_seat", last=seats[-1]))
    return ConductEvent(verb, int(rest))


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) <= 9
