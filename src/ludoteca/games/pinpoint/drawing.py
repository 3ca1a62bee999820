"""Pin Point drawn from a view (core/drawing.py)."""

from typing import Any

from ludoteca.core.drawing import (
    BLACK,
    BLUE,
    GREEN,
    LINE,
    RED,
    YELLOW,
    Colour,
    Disc,
    Picture,
    Shape,
    lettered,
    rectangle,
)

SIZE = 10
COLOURS: dict[str, Colour] = {"R": RED, "Y": YELLOW, "G": GREEN, "B": BLUE, "K": BLACK}


def text(view: dict[str, Any]) -> str:
    board = view["board"]
    rows = [" ".join(board[SIZE * row : SIZE * (row + 1)]) for row in range(SIZE - 1, -1, -1)]
    turn = f"seat {view['turn']} has {' '.join(view['hand'])}" if view["turn"] else "nobody to move"
    return f"{lettered(rows)}\n{turn}; points {view['points']}, jokers {view['jokers']}"


def picture(view: dict[str, Any]) -> Picture:
    shapes: list[Shape] = []
    for line in (0.5, 3.5, 6.5, 9.5):
        shapes += [rectangle(0.5, line - 0.04, 9, 0.08, LINE), rectangle(line - 0.04, 0.5, 0.08, 9, LINE)]
    for hole, pin in enumerate(view["board"]):
        x, y = hole % SIZE + 0.5, hole // SIZE + 0.5
        shapes.append(Disc(x, y, 0.38, COLOURS[pin]) if pin != "." else Disc(x, y, 0.12, LINE))
    for name in view["jokers_shown"]:
        shapes.append(Disc("abcdefghij".index(name[0]) + 0.5, int(name[1:]) - 0.5, 0.14, BLACK))
    return Picture(SIZE, SIZE, tuple(shapes))
