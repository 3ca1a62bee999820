"""KingBrick drawn from above, from a view (core/drawing.py). A cell is a brick long."""

from typing import Any

from ludoteca.core.drawing import BLACK, WHITE, Colour, Label, Picture, Polygon, Shape, rectangle
from ludoteca.games.kingbrick.geometry import Pose, outline

ARMIES: dict[int, Colour] = {1: (196, 60, 48), 2: (56, 96, 186)}
MAT: Colour = (232, 228, 216)
FIELD: Colour = (206, 200, 184)
COLUMNS, ROWS = 40, 30  # of the text


def text(view: dict[str, Any]) -> str:
    """The board in squares of 10 by 20 mm: red's bricks as capital letters, blue's as small ones."""
    width, length = view["board"]["width"], view["board"]["length"]
    rows = [["."] * COLUMNS for _ in range(ROWS)]
    for brick in view["bricks"]:
        if brick["pose"] is not None:
            x, y = brick["pose"][:2]
            column = min(int((x / width + 0.5) * COLUMNS), COLUMNS - 1)
            row = min(int((y / length + 0.5) * ROWS), ROWS - 1)
            rows[row][column] = brick["kind"] if brick["side"] == 1 else brick["kind"].lower()
    turn = f"turn {view['turn']}, seat {view['mover']} to move" if view["mover"] else "over"
    return "\n".join(["".join(row) for row in reversed(rows)] + [turn])


def picture(view: dict[str, Any]) -> Picture:
    board = view["board"]
    unit, width, length = board["brick"], board["width"], board["length"]
    shapes: list[Shape] = [rectangle(0, length / 2 / unit - 0.05, width / unit, 0.1, FIELD)]
    for x, y, wide, long in board["castles"]:
        shapes.append(rectangle((x + width / 2) / unit, (y + length / 2) / unit, wide / unit, long / unit, FIELD))
    lying = [brick for brick in view["bricks"] if brick["pose"] is not None]
    for brick in sorted(lying, key=lambda one: one["pose"][2]):
        corners = outline(Pose(*brick["pose"]))
        placed = tuple(((x + width / 2) / unit, (y + length / 2) / unit) for x, y in corners)
        x, y = (sum(part) / len(placed) for part in zip(*placed, strict=True))
        shapes += [Polygon(placed, BLACK), Polygon(_smaller(placed, x, y), ARMIES[brick["side"]])]
        shapes.append(Label(x, y, 0.5, brick["kind"], WHITE if brick["mood"] != "sad" else BLACK))
    return Picture(width / unit, length / unit, tuple(shapes), MAT)


def _smaller(corners: tuple[tuple[float, float], ...], x: float, y: float) -> tuple[tuple[float, float], ...]:
    return tuple((x + 0.9 * (cx - x), y + 0.9 * (cy - y)) for cx, cy in corners)
