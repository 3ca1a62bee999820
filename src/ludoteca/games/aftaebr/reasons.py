"""Why a quiet move of AFTAEBR is suggested: the sequence that it stops or prepares, or what it leaves to others."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ludoteca.core.kernel import OVER, copied
from ludoteca.games.aftaebr import rules
from ludoteca.games.aftaebr.squares import BIT, BITS, SQUARES, completing

STOPS, PREPARES, SAFE, CALM, LEAST = "stops", "prepares", "safe", "calm", "least"

Gap = tuple[int, int]  # a number and the bit of the square on which it completes a sequence


class Reason(NamedTuple):
    what: str
    number: int = 0  # that the sequence lacks, where the move stops or prepares one


def reason_for(state: Any, move: int) -> Reason | None:
    """Return what a piece that takes nothing does for the seat to move, or None if the board does not show it."""
    piece, square = divmod(move, SQUARES)
    number, bit = piece % rules.NUMBERS + 1, int(BIT[square])
    after = copied(state)
    rules.play(after, move)
    if after.actor == OVER:
        return None
    seat, follower = int(state.seat), int(after.seat)
    before, then = _gaps(state.tops), _gaps(after.tops)
    if stopped := [gap for gap in before - then if _holds(after, follower, gap)]:
        return Reason(STOPS, min(stopped)[0])
    rivals = [other for other in range(int(state.players)) if other != seat]
    mine = [gap for gap in then - before if _holds(after, seat, gap)]
    if prepared := [gap for gap in mine if not any(_holds(after, other, gap) for other in rivals)]:
        return Reason(PREPARES, min(prepared)[0])
    left = {put: _gaps(_with(state, *put)) for put in _quiet(state)}
    giving = [put for put, gaps in left.items() if any(_holds(state, follower, gap) for gap in gaps)]
    if (number, bit) in giving:
        return Reason(LEAST) if len(giving) == len(left) else None
    is_calm = not any(_holds(state, other, gap) for gaps in left.values() for gap in gaps for other in rivals)
    return Reason(CALM if is_calm else SAFE)


def _gaps(tops: Any) -> set[Gap]:
    squares = [int(squares) for squares in completing(tops)]
    return {(n, bit) for n, found in enumerate(squares, start=1) for bit in range(BITS) if found >> bit & 1}


def _holds(state: Any, seat: int, gap: Gap) -> bool:
    return bool(state.held[seat * (rules.NUMBERS + 1) + gap[0]])


def _quiet(state: Any) -> Iterator[Gap]:
    """Yield the numbers that the seat to move may put, with the bit of the square, without those that take."""
    taking = _gaps(state.tops)
    for number in range(1, rules.NUMBERS + 1):
        fits = int(state.fits[number]) if _holds(state, int(state.seat), (number, 0)) else 0
        yield from ((number, bit) for bit in range(BITS) if fits >> bit & 1 and (number, bit) not in taking)


def _with(state: Any, number: int, bit: int) -> Any:
    """Return the squares that show each number, after a piece was put."""
    tops = state.tops & ~(1 << bit)
    tops[number] |= 1 << bit
    return tops
