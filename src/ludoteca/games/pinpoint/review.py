"""How positions of Pin Point are judged in a review."""

from typing import Any

from ludoteca.core.levels import Judging, Lookahead
from ludoteca.games.pinpoint.rules import HOLES

JUDGING = Judging(
    quick=Lookahead(turns=2, widths=(60, 3, 2, 2, 2, 1, 1, 1)),
    deep=Lookahead(turns=2, widths=(60, 10, 8, 5, 8, 4, 3, 2)),
    proves=50_000,
)

PUZZLES_FROM = 0.84  # before, one pin hardly ever decides a match


def progress(state: Any) -> float:
    """Return how much of the match is over, 0 to 1: the holes that are filled."""
    return 1.0 - int(state["n_empty"]) / HOLES
