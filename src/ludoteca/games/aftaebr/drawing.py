"""AFTAEBR drawn from a view (core/drawing.py)."""

from typing import Any

from ludoteca.core.drawing import BLACK, WHITE, Colour, Disc, Label, Picture, Shape, grid, lettered

SIZE = 6
COLOURS: dict[str, Colour] = {"G": (88, 168, 74), "B": (92, 184, 226), "F": (208, 44, 138), "O": (240, 138, 36)}


def text(view: dict[str, Any]) -> str:
    """Every square with its top piece, and a mark where others lie under it."""
    rows = []
    for row in range(SIZE, 0, -1):
        stacks = [view["board"].get(f"{column}{row}", []) for column in "abcdef"]
        rows.append(" ".join(f"{stack[-1]}{'+' if len(stack) > 1 else ' '}" if stack else " . " for stack in stacks))
    turn = f"seat {view['turn']} to move" if view["turn"] else "nobody to move"
    return f"{lettered(rows)}\n{turn}; pieces {view['pieces']}, stocks {view['stocks']}"


def picture(view: dict[str, Any]) -> Picture:
    shapes = grid(SIZE, SIZE)
    for name, stack in view["board"].items():
        x, y = "abcdef".index(name[0]) + 0.5, int(name[1]) - 0.5
        shapes += _stack(x, y, stack)
    return Picture(SIZE, SIZE, tuple(shapes))


def _stack(x: float, y: float, stack: list[str]) -> list[Shape]:
    shapes: list[Shape] = []
    for height, piece in enumerate(stack[-3:]):
        shapes += [Disc(x, y + 0.05 * height, 0.4, BLACK), Disc(x, y + 0.05 * height, 0.38, COLOURS[piece[0]])]
    return [*shapes, Label(x, y + 0.05 * (min(len(stack), 3) - 1), 0.4, stack[-1][1], WHITE)]
