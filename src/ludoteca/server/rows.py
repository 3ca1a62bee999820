"""The rows that are stored about a table: the table itself, its seats, what was said, how its match stands."""

from typing import Any

import msgspec

from ludoteca.core.record import Given, Record, Result
from ludoteca.server.clock import ClockWanted
from ludoteca.server.refusals import NotYourSeat, UnknownSeat

NOBODY = ""  # the guest of a seat in an uploaded match: who sat there is not known here


class Asked(msgspec.Struct, frozen=True):
    """A takeback that somebody asks for, and the seats that have agreed."""

    what: str
    seat: int  # the seat that asks
    target: int
    yes: tuple[int, ...] = ()


class Question(msgspec.Struct, frozen=True):
    """The last question at a table. When a seat has declined, nothing is asked any more."""

    asked: Asked
    declined_by: int | None = None

    @property
    def open(self) -> Asked | None:
        return self.asked if self.declined_by is None else None


class SeatRow(msgspec.Struct):
    seat: int
    bot: str | None = None
    reserved: str | None = None  # the guest that it is kept for
    guest: str | None = None  # the guest who holds it
    name: str = ""
    seal_bytes: bytes | None = None  # of a person: shown when all seats are taken
    commit: str | None = None  # what the person committed to before, core.chance.seat_commitment

    @property
    def taken(self) -> bool:
        return self.bot is not None or self.guest is not None


class TableRow(msgspec.Struct):
    id: str
    game: str
    rules: int
    options: dict[str, Any]
    seed: bytes
    created: int
    seats: list[SeatRow]
    began_at: int | None = None  # milliseconds since 1970
    ended: bool = False
    rematch: str | None = None
    creator: str | None = None
    open: bool = False
    clock: ClockWanted | None = None
    delay: int = 0  # seconds
    chat: bool = True
    commits_first: bool = True  # whether the seats committed themselves before they showed bytes; not in old matches
    admitted: tuple[str, ...] | None = None  # who may sit down once the table is closed to newcomers
    version: int = 0  # rises with every change
    node: str | None = None  # the node that minds its bots and its clock, where several servers share a database
    question: Question | None = None  # the takeback that somebody asks for
    network: str | None = None  # a digest of where an open table was made from, while it waits
    given: Given | None = None  # the position of another match that this one begins from
    uploaded: Record | None = None  # without its log: the match was played elsewhere, and its seal is in here

    @property
    def is_full(self) -> bool:
        return all(seat.taken for seat in self.seats)

    def seat(self, number: int) -> SeatRow:
        """Return the seat with this number; raise UnknownSeat if there is none."""
        if not 1 <= number <= len(self.seats):
            raise UnknownSeat(number, len(self.seats))
        return self.seats[number - 1]

    def held_by(self, guest: str | None) -> list[int]:
        """Return the seats of a guest."""
        return [seat.seat for seat in self.seats if guest is not None and seat.guest == guest]

    def is_newcomer(self, guest: str | None) -> bool:
        """Return whether the table is closed to a guest."""
        return self.admitted is not None and guest not in self.admitted

    def check_held(self, guest: str | None, number: int) -> None:
        """Raise NotYourSeat unless the guest holds this seat."""
        if guest is None or self.seat(number).guest != guest:
            raise NotYourSeat(number)


class SaidRow(msgspec.Struct, frozen=True):
    at: int
    seat: int
    name: str
    phrase: str | None
    text: str | None
    number: int = 0


class Standing(msgspec.Struct, frozen=True):
    """How a match stands after an append, for lists that must not replay it."""

    on_move: tuple[int, ...]
    known: int  # how many entries everybody may know of
    result: Result | None
    keeps_question: bool = False  # whether a takeback that somebody asks for is still asked for


class TableOfGuest(msgspec.Struct, frozen=True):
    """A line of the list of a guest's tables."""

    id: str
    game: str
    options: dict[str, Any]
    seats: list[SeatRow]
    begun: bool
    ended: bool
    on_move: tuple[int, ...]
    known: int
    changed: int
    result: Result | None
    open: bool
    creator: bool
