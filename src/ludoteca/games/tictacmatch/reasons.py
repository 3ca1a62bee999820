"""Why a move of Tic-Tac Match is suggested: the line that it stops, prepares or takes over.

It looks at the grid, which everybody sees, and at the hand of the player who moves.
"""

from typing import Any, NamedTuple

from ludoteca.games.tictacmatch import plays, rules
from ludoteca.games.tictacmatch.cards import COLOURS, DOUBLE, FLIP, LINES, SPACES, WIPE_OUT
from ludoteca.games.tictacmatch.threats import ONE_CARD, TOPS, TWO_CARDS

STOPS, PREPARES, FLIPS, WIPES, DOUBLES = "stops", "prepares", "flips", "wipes", "doubles"


class Reason(NamedTuple):
    what: str  # the move does to a line
    kind: int  # of the card that completes this line


def reason_for(state: Any, move: int) -> Reason | None:
    """Return what a move does for the player to move, or None if the grid does not show it."""
    own, top = int(rules.identity(state, int(state.seat))), state.top.tolist()
    other = 1 - own
    feared = _completing(top, other, ONE_CARD)
    if move in (plays.PLAYS + FLIP, plays.PLAYS + WIPE_OUT):
        return _first(FLIPS if move == plays.PLAYS + FLIP else WIPES, feared)
    if move == plays.PLAYS + DOUBLE:
        held = [kind for kind in _completing(top, own, TWO_CARDS) if state.hand[state.seat, kind] > 1]
        return _first(DOUBLES, held)
    if move >= plays.TARGETS:
        return None
    kind, space = divmod(move, SPACES)
    after = [*top[:space], kind + 1, *top[space + 1 :]]
    left, known = _completing(after, other, ONE_CARD), _completing(top, own, ONE_CARD)
    stopped = [one for one in feared if one not in left]
    prepared = [one for one in _completing(after, own, ONE_CARD) if one not in known]
    return _first(STOPS, stopped) or _first(PREPARES, prepared)


def _completing(top: list[int], symbol: int, table: Any) -> list[int]:
    """Return the kinds of a symbol that complete a line, by one card or by two: as the table says."""
    bits = 0
    for a, b, c in LINES:
        bits |= int(table[(top[a] * TOPS + top[b]) * TOPS + top[c]])
    return [kind for kind in range(COLOURS * symbol, COLOURS * (symbol + 1)) if bits >> kind & 1]


def _first(what: str, kinds: list[int]) -> Reason | None:
    return Reason(what, kinds[0]) if kinds else None
