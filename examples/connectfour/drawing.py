"""Connect Four drawn from a view: as text, and as a picture."""

from typing import Any

from ludoteca.core.drawing import BLUE, RED, WHITE, YELLOW, Colour, Disc, Picture

COLUMNS, ROWS = 7, 6
COLOURS: dict[str, Colour] = {"1": YELLOW, "2": RED, ".": WHITE}  # as in the browser


def text(view: dict[str, Any]) -> str:
    rows = [" ".join(view["board"][COLUMNS * row : COLUMNS * (row + 1)]) for row in range(ROWS - 1, -1, -1)]
    return "\n".join([*rows, "a b c d e f g", f"seat {view['turn']} to move" if view["turn"] else "over"])


def picture(view: dict[str, Any]) -> Picture:
    discs = [Disc(n % COLUMNS + 0.5, n // COLUMNS + 0.5, 0.42, COLOURS[disc]) for n, disc in enumerate(view["board"])]
    return Picture(COLUMNS, ROWS, tuple(discs), BLUE)
