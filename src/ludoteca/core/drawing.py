"""A position as a drawing: what a game's drawing.py makes of a view, for programs that look without a browser.

A game's drawing.py has `text(view)`, the board as lines, and `picture(view)`. Both start from a view, so they show what
its seat may see and no more. Lengths are in cells of the board, x to the right and y up, from its lower left corner.
"""

from typing import NamedTuple

Colour = tuple[int, int, int]
Point = tuple[float, float]

BLACK: Colour = (30, 30, 34)
WHITE: Colour = (250, 250, 246)
WOOD: Colour = (222, 196, 160)
LINE: Colour = (150, 122, 92)
GREY: Colour = (150, 150, 150)
RED: Colour = (205, 52, 44)
YELLOW: Colour = (238, 192, 38)
GREEN: Colour = (52, 150, 74)
BLUE: Colour = (44, 98, 190)


class Disc(NamedTuple):
    """A disc, or those of its quarters that are named: north-east, south-east, south-west and north-west as bits."""

    x: float
    y: float
    radius: float
    colour: Colour
    quarters: int = 15


class Polygon(NamedTuple):
    """A convex polygon, its corners anticlockwise."""

    corners: tuple[Point, ...]
    colour: Colour


class Label(NamedTuple):
    """Capital letters and digits, centred at a point; the size is the height of a letter."""

    x: float
    y: float
    size: float
    text: str
    colour: Colour


Shape = Disc | Polygon | Label


class Picture(NamedTuple):
    width: float
    height: float
    shapes: tuple[Shape, ...]  # from the lowest up
    background: Colour = WOOD


def rectangle(x: float, y: float, width: float, height: float, colour: Colour) -> Polygon:
    return Polygon(((x, y), (x + width, y), (x + width, y + height), (x, y + height)), colour)


def grid(columns: int, rows: int, thickness: float = 0.04) -> list[Shape]:
    """The lines between the cells of a board."""
    across = [rectangle(0, y - thickness / 2, columns, thickness, LINE) for y in range(rows + 1)]
    along = [rectangle(x - thickness / 2, 0, thickness, rows, LINE) for x in range(columns + 1)]
    return [*across, *along]


def lettered(rows: list[str], letters: str = "abcdefghij") -> str:
    """Rows of a board, from the highest down, with the names of rows and columns."""
    columns = len(rows[0].split())
    wide = (len(rows[0]) + 1) // columns
    below = " ".join(letter.center(wide - 1) for letter in letters[:columns])
    return "\n".join([*(f"{len(rows) - place:>2} {row}" for place, row in enumerate(rows)), f"   {below}".rstrip()])
