"""How positions of Match'n Lock! are judged in a review."""

from typing import Any

from ludoteca.core.levels import Judging, Lookahead

JUDGING = Judging(
    quick=Lookahead(turns=1, widths=(60, 1, 8), samples=8, learned=True),
    deep=Lookahead(turns=2, widths=(60, 10, 8, 8), samples=12, learned=True),
    proves=50_000,
)

KINDS = {"score": "lock"}  # what puzzles call it: whoever scores closes a circle and locks it


def progress(state: Any) -> float:
    """Return how much of the match is over, 0 to 1: the tokens that have left the bag."""
    return 1.0 - int(state["n_bag"]) / max(1, int(state["n_tokens"]))
