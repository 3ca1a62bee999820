"""A position as a drawing: what a game's drawing.py makes of a view, for programs that look without a browser.

A game's drawing.py has `text(view)`, the board as lines, and `picture(view)`. Both start from a view, so they show what
its seat may see and no more. Lengths are in cells of the board, x to the right and y up, from its lower left corner.
`svg` writes a picture as a file for a browser.
"""

import importlib
import math
from functools import cache
from html import escape
from importlib.util import find_spec
from types import ModuleType
from typing import NamedTuple

from ludoteca.core.errors import UnfinishedGame

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


@cache
def drawing(key: str) -> ModuleType:
    """Return the drawing.py of a game."""
    name = f"ludoteca.games.{key}.drawing"
    if find_spec(name) is None:
        raise UnfinishedGame(f"games/{key} has no drawing.py: write `text` and `picture` as core/drawing.py says")
    return importlib.import_module(name)


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


QUARTERS = 4  # of a disc, clockwise from the north-east


def svg(picture: Picture) -> str:
    """Return the picture as SVG, without a size of its own."""
    parts = "".join(_svg_shape(shape, picture.height) for shape in picture.shapes)
    box = f'viewBox="0 0 {_number(picture.width)} {_number(picture.height)}"'
    ground = f'<rect width="100%" height="100%" fill="{_hex(picture.background)}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{ground}{parts}</svg>'


def _svg_shape(shape: Shape, height: float) -> str:
    """Return one shape; SVG counts y downwards."""
    match shape:
        case Polygon(corners, colour):
            points = " ".join(f"{_number(x)},{_number(height - y)}" for x, y in corners)
            return f'<polygon points="{points}" fill="{_hex(colour)}"/>'
        case Label(x, y, size, text, colour):
            place = f'x="{_number(x)}" y="{_number(height - y + 0.36 * size)}" font-size="{_number(size)}"'
            style = f'font-family="sans-serif" font-weight="700" text-anchor="middle" fill="{_hex(colour)}"'
            return f"<text {place} {style}>{escape(text)}</text>"
        case Disc(x, y, radius, colour, quarters) if quarters == (1 << QUARTERS) - 1:
            place = f'cx="{_number(x)}" cy="{_number(height - y)}" r="{_number(radius)}"'
            return f'<circle {place} fill="{_hex(colour)}"/>'
        case Disc(x, y, radius, colour, quarters):
            wanted = [quarter for quarter in range(QUARTERS) if quarters >> quarter & 1]
            path = "".join(_svg_quarter(x, height - y, radius, quarter) for quarter in wanted)
            return f'<path d="{path}" fill="{_hex(colour)}"/>'
    raise TypeError(f"{shape!r} is no shape")


def _svg_quarter(x: float, y: float, radius: float, quarter: int) -> str:
    ends = [(quarter + step) * math.pi / 2 for step in (0, 1)]
    (ax, ay), (bx, by) = ((x + radius * math.sin(end), y - radius * math.cos(end)) for end in ends)
    arc = f"A{_number(radius)} {_number(radius)} 0 0 1 {_number(bx)} {_number(by)}"
    return f"M{_number(x)} {_number(y)}L{_number(ax)} {_number(ay)}{arc}Z"


def _number(length: float) -> str:
    return f"{length:.3f}".rstrip("0").rstrip(".")


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)
