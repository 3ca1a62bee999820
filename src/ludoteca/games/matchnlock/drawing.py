"""Match'n Lock! drawn from a view (core/drawing.py)."""

from typing import Any

from ludoteca.core.drawing import (
    BLACK,
    BLUE,
    GREEN,
    RED,
    WHITE,
    YELLOW,
    Colour,
    Disc,
    Picture,
    Shape,
    grid,
    lettered,
)

SIZE = 8
COLOURS: dict[str, Colour] = {"B": BLUE, "G": GREEN, "Y": YELLOW, "R": RED, "*": WHITE}


def text(view: dict[str, Any]) -> str:
    """Every token as its wedges NE SE SW NW; locked ones in brackets."""
    rows = []
    for row in range(SIZE, 0, -1):
        tokens = [view["board"].get(f"{column}{row}") for column in "abcdefgh"]
        rows.append(" ".join(_token(token) for token in tokens))
    turn = f"seat {view['turn']} to move" if view["turn"] else "nobody to move"
    hand = f", with {view['in_hand']['wedges']}/{view['in_hand']['value']}" if view["in_hand"] else ""
    return f"{lettered(rows)}\n{turn}{hand}; points {view['totals']}, {len(view['bag'])} tokens in the bag"


def _token(token: dict[str, Any] | None) -> str:
    if token is None:
        return "......"
    return f"[{token['wedges']}]" if token["locked"] else f".{token['wedges']}."


def picture(view: dict[str, Any]) -> Picture:
    shapes: list[Shape] = grid(SIZE, SIZE)
    for name, token in view["board"].items():
        x, y = "abcdefgh".index(name[0]) + 0.5, int(name[1]) - 0.5
        shapes.append(Disc(x, y, 0.48, BLACK))
        shapes += [Disc(x, y, 0.45, COLOURS[wedge], 1 << place) for place, wedge in enumerate(token["wedges"])]
    for name, colour in view["locks"].items():
        x, y = "abcdefgh".index(name[0]) + 1.0, float(int(name[1]))
        shapes += [Disc(x, y, 0.22, BLACK), Disc(x, y, 0.19, COLOURS[colour])]
    return Picture(SIZE, SIZE, tuple(shapes))
