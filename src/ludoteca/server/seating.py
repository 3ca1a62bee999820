"""Who may do what with the seats before the match: sit down, get up, remove a guest, put a bot on a seat."""

from collections.abc import Iterable

from ludoteca.core.errors import UnknownBot
from ludoteca.server import bots
from ludoteca.server.refusals import (
    AlreadyBegun,
    MatchKept,
    NotYourTable,
    OthersPlay,
    SeatReserved,
    SeatTaken,
    TableFull,
)
from ludoteca.server.rows import SeatRow, TableRow


def check_free(row: TableRow, seat: int) -> None:
    """Raise TableFull or SeatTaken unless the seat is free. Whether it is reserved is checked in the database."""
    if row.seat(seat).taken:
        raise TableFull(row.id) if row.is_full else SeatTaken(seat)


def removed_guest(row: TableRow, guest: str | None, seat: int) -> str | None:
    """Return the guest who loses a seat to the creator, and may not come back; None for those who get up themselves.

    Raise NotYourTable or AlreadyBegun if this guest may not free the seat.
    """
    holder = row.seat(seat).guest
    if not _is_creator(row, guest) and (guest is None or holder != guest):
        raise NotYourTable(row.id)
    _check_waiting(row)
    return holder if holder != guest else None


def filled(row: TableRow, guest: str | None, seat: int, level: str) -> SeatRow:
    """Return a free seat with a bot on it, if this guest may put one there."""
    found = row.seat(seat)
    if not _is_creator(row, guest):
        raise NotYourTable(row.id)
    _check_waiting(row)
    if found.taken:
        raise SeatTaken(seat)
    if found.reserved not in (None, guest):
        raise SeatReserved(seat)
    return bot_seat(row.game, seat, level)


def admitted(row: TableRow, guest: str | None, here: Iterable[str | None]) -> tuple[str, ...]:
    """Return who may sit down once the table is closed to newcomers: guests who are here, sit here or are expected.

    Raise NotYourTable or AlreadyBegun if this guest may not close or open it.
    """
    if guest is None or not _is_creator(row, guest):
        raise NotYourTable(row.id)
    _check_waiting(row)
    known = {guest, *here, *(seat.guest for seat in row.seats), *(seat.reserved for seat in row.seats)}
    return tuple(sorted(one for one in known if one is not None))


def check_may_cancel(row: TableRow, guest: str | None) -> None:
    """Raise NotYourTable or AlreadyBegun unless this guest may cancel the table: when it is full, its match begins."""
    if not _is_creator(row, guest):
        raise NotYourTable(row.id)
    if row.is_full:
        raise AlreadyBegun(row.id)


def check_may_delete(row: TableRow, guest: str | None, is_over: bool) -> None:
    """Raise MatchKept, NotYourTable or OthersPlay unless this guest may delete the table.

    A table that waits is its creator's, a running match that of the only person there. A finished match is kept.
    """
    if is_over:
        raise MatchKept(row.id)
    if not row.is_full:
        check_may_cancel(row, guest)
    elif not row.held_by(guest):
        raise NotYourTable(row.id)
    elif not all(seat.bot is not None or seat.guest == guest for seat in row.seats):
        raise OthersPlay(row.id)


def bot_seat(key: str, number: int, level: str | None) -> SeatRow:
    if level is None or level not in bots.levels(key):
        raise UnknownBot(str(level), list(bots.levels(key)))
    return SeatRow(number, bot=level, name=level.capitalize())


def _is_creator(row: TableRow, guest: str | None) -> bool:
    return guest is not None and row.creator == guest


def _check_waiting(row: TableRow) -> None:
    """Raise AlreadyBegun if the match has begun or all seats are taken.

    A guest who could still get up then, and sit down again, could choose bytes after seeing those of the others.
    """
    if row.began_at is not None or row.is_full:
        raise AlreadyBegun(row.id)
