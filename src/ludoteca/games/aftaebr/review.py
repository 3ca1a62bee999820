"""How positions of AFTAEBR are judged in a review."""

from typing import Any

from ludoteca.core.levels import Judging, Lookahead
from ludoteca.games.aftaebr.rules import EACH, NUMBERS, TURN

JUDGING = Judging(
    quick=Lookahead(turns=2, widths=(144, 10, 6)),
    deep=Lookahead(turns=4, widths=(144, 24, 20, 14, 10, 8, 8, 6)),
    proves=50_000,
)


def progress(state: Any) -> float:
    """Return how much of the match is over, 0 to 1: how near the poorest player is to running out."""
    if int(state["phase"]) != TURN:
        return 0.0  # who has no colour yet has no pieces yet
    poorest = min(int(pieces) for pieces in state["pieces"][: int(state["players"])])
    return max(0.0, 1.0 - poorest / (EACH * NUMBERS))
