"""Tic-Tac Match drawn from a view (core/drawing.py): the grid, and below it the hands that are seen."""

from typing import Any

from ludoteca.core.drawing import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    RED,
    WHITE,
    Colour,
    Label,
    Picture,
    Shape,
    lettered,
    rectangle,
)

SIZE = 3
COLOURS: dict[str, Colour] = {"R": RED, "B": BLUE, "Y": (226, 178, 26), "G": GREEN}


def text(view: dict[str, Any]) -> str:
    tops = [stack[-1] if stack else " ." for stack in view["grid"]]
    rows = [" ".join(tops[SIZE * row : SIZE * (row + 1)]) for row in range(SIZE - 1, -1, -1)]
    hands = [f"seat {seat} holds {_held(view, seat)}" for seat in range(1, len(view["sizes"]) + 1)]
    turn = f"seat {view['turn']} to move" if view["turn"] else view["phase"]
    return "\n".join([lettered(rows), *hands, f"{turn}; identities {' '.join(view['identities'])}"])


def _held(view: dict[str, Any], seat: int) -> str:
    hand = view["hands"][seat - 1]
    return " ".join(hand) if hand is not None else " ".join("?" * view["sizes"][seat - 1])


def picture(view: dict[str, Any]) -> Picture:
    seats = len(view["sizes"])
    shapes: list[Shape] = []
    for space, stack in enumerate(view["grid"]):
        shapes += _card(space % SIZE + 0.5, space // SIZE + 0.7 * seats + 0.5, 0.9, stack[-1] if stack else None)
    for seat in range(seats):
        for place, card in enumerate(_held(view, seat + 1).split()):
            shapes += _card(0.45 + 0.7 * place, 0.7 * (seats - seat) - 0.35, 0.6, card)
    return Picture(SIZE, SIZE + 0.7 * seats, tuple(shapes))


def _card(x: float, y: float, size: float, card: str | None) -> list[Shape]:
    paper = GREY if card in (None, "?") else WHITE
    sheet = rectangle(x - size / 2, y - size / 2, size, size, paper)
    if card is None:
        return [sheet]
    return [sheet, Label(x, y, size * 0.6, card[0], COLOURS[card[1]] if len(card) == 2 else BLACK)]
