"""What the lab counts in a match of KingBrick. There is no kernel here: it reads the record."""

import json
from typing import Any

from ludoteca.core.record import Record
from ludoteca.core.tallies import Board, layout
from ludoteca.games.kingbrick.bricks import KING, SIDE_LETTERS, army_read
from ludoteca.games.kingbrick.geometry import LENGTH, WIDTH, castle

SEATS = 2
SQUARE = 50.0  # mm
BOARD = Board(
    int(WIDTH / SQUARE),
    int(LENGTH / SQUARE),
    gap=0.0,
    frames=(
        (0, 0, WIDTH / SQUARE, LENGTH / 2 / SQUARE),
        (0, LENGTH / 2 / SQUARE, WIDTH / SQUARE, LENGTH / 2 / SQUARE),
        *(
            ((x + WIDTH / 2) / SQUARE, (y + LENGTH / 2) / SQUARE, wide / SQUARE, long / SQUARE)
            for x, y, wide, long in map(castle, (1, 2))
        ),
    ),
    cell=("#f3e9d4", "#3a3227"),
    lined=("#6b5a3c", "#b5aa95"),
)
SOURCES = ("the opponent's", "the flicking player's own")
HEAT_TITLE = "Where flicked bricks come to rest"
SOURCE_WORDS = (
    "Whose bricks leave the board",
    "bricks a match, both players together",
    "Of the bricks that leave the board, most are",
)
RULES = {
    "KB-13": "a brick is flicked",
    "KB-16": "a brick leaves the board",
    "KB-17": "a King leaves the board",
    "KB-21": "a release roll is made",
    "KB-31": "a Ninja hides",
    "KB-34": "an Assassin strikes",
    "KB-41": "a Freeze is set",
    "KB-50": "the match reaches its longest",
}
HEAT, POINTS, TIMES, FIRED, ROW = layout(SEATS, BOARD.columns * BOARD.rows, len(SOURCES), len(RULES))
WORDS = {"flick": "KB-13", "roll": "KB-21", "hide": "KB-31", "strike": "KB-34", "freeze": "KB-41"}


def observed(record: Record) -> list[int]:
    """Return the match's row. The heat is where flicked bricks come to rest."""
    row = [0] * ROW
    place = {rule: FIRED + n for n, rule in enumerate(RULES)}
    flicked, seat, kings = None, 0, {}
    for entry in record.log:
        word, _, rest = entry.move.partition(" ")
        if word in WORDS:
            row[place[WORDS[word]]] += 1
        if word == "army":
            kings[entry.by] = f"{SIDE_LETTERS[entry.by - 1]}{(army_read(rest) or KING).index(KING) + 1}"
        elif word == "flick":
            flicked, seat = rest.split(" ")[0], entry.by
        elif word == "rest" and flicked is not None:
            _count_rest(row, place, json.loads(rest), flicked, seat, kings)
            flicked = None
    row[place["KB-50"]] += record.result is not None and record.result.reason == "limit"
    return row


def _count_rest(
    row: list[int],
    place: dict[str, int],
    told: dict[str, Any],
    flicked: str,
    seat: int,
    kings: dict[int, str],
) -> None:
    for brick in _all(told.get("fell", ())):
        source = 0 if brick[0] != SIDE_LETTERS[seat - 1] else 1
        row[POINTS + (seat - 1) * len(SOURCES) + source] += 1
        row[TIMES + (seat - 1) * len(SOURCES) + source] += 1
        row[place["KB-16"]] += 1
        row[place["KB-17"]] += brick in kings.values()
    pose = told.get("poses", {}).get(flicked)
    if pose:
        column = min(int((pose[0] + WIDTH / 2) * BOARD.columns / WIDTH), BOARD.columns - 1)
        line = min(int((pose[1] + LENGTH / 2) * BOARD.rows / LENGTH), BOARD.rows - 1)
        row[HEAT + (seat - 1) * BOARD.columns * BOARD.rows + max(line, 0) * BOARD.columns + max(column, 0)] += 1


def _all(fell: object) -> list[str]:
    """Return the bricks that fell. Bricks of one moment may be nested in a list."""
    if isinstance(fell, str):
        return [fell]
    return [brick for part in fell for brick in _all(part)] if isinstance(fell, list | tuple) else []
