"""The fairness seal of a table: people commit to bytes when they sit down, and show them when all seats are taken."""

from ludoteca.core.chance import Seal, bytes_of_seed, seat_commitment
from ludoteca.server.refusals import NoReveal
from ludoteca.server.rows import SeatRow, TableRow

REVEAL_WITHIN = 10_000  # milliseconds that a seat has to show its bytes; after that it has no say


def seal_of(row: TableRow) -> Seal | None:
    """Return the seal with what was shown so far: a seat that showed nothing has no bytes.

    A match that was played elsewhere has the seal of its record, or none.
    """
    if row.uploaded is not None:
        return Seal.opened(row.uploaded.seal) if row.uploaded.seal else None
    if not row.commits_first:
        return Seal(row.id, row.seed, tuple(seat.seal_bytes or b"" for seat in row.seats))
    parts = tuple(_bytes_of(row, seat) or b"" for seat in row.seats)
    return Seal(row.id, row.seed, parts, tuple(None if seat.bot else seat.commit for seat in row.seats))


def shown(row: TableRow, over: bool) -> list[str | None]:
    """Return every seat's bytes in hex. None: they are not shown yet; "": they were not shown in time.

    The bytes of a bot follow from the seed and are shown together with it, so that they reveal nothing of it before.
    """
    hidden = None if row.began_at is None else ""
    return [_shown(row, seat, over, hidden) for seat in row.seats]


def _shown(row: TableRow, seat: SeatRow, over: bool, hidden: str | None) -> str | None:
    if not seat.taken or (seat.bot is not None and row.commits_first and not over):
        return None
    part = _bytes_of(row, seat)
    return hidden if part is None else part.hex()


def _bytes_of(row: TableRow, seat: SeatRow) -> bytes | None:
    if seat.bot is not None and row.commits_first:
        return bytes_of_seed(row.seed, row.id, seat.seat)
    return seat.seal_bytes


def is_waiting_for_bytes(row: TableRow) -> bool:
    """Return whether all seats are taken and some of them have not shown their bytes."""
    return row.is_full and any(seat.bot is None and seat.seal_bytes is None for seat in row.seats)


def check_reveal(row: TableRow, guest: str | None, seat: int, given: bytes) -> None:
    """Raise NoReveal or NotYourSeat unless a seat may show these bytes now."""
    row.check_held(guest, seat)
    if row.began_at is not None:
        raise NoReveal("the match has begun")
    if not row.is_full:
        raise NoReveal("a seat is free: nobody shows bytes before all have committed themselves")
    if row.seat(seat).commit != seat_commitment(row.id, seat, given):
        raise NoReveal(f"these are not the bytes that seat {seat} committed itself to")
