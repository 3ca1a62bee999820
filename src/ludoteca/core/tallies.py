"""The counts of a game for the lab, as data: the board for heat maps, the sources of points, the rules that fire.

A game's tally.py has BOARD, SOURCES, RULES and REASONS, and its compiled `observe` adds to one row of numbers for each
match. `layout` says where in the row each number is. Where a game has no pieces to put or no points, HEAT_TITLE (what
the heat is) and SOURCE_WORDS (a title, an axis and the beginning of a sentence) replace the lab's own words.
"""

from typing import NamedTuple

import msgspec

Colour = tuple[str, str]  # on a light and on a dark page


class Board(msgspec.Struct, frozen=True):
    """How a game's board looks: cells are numbered row by row from the lower left."""

    columns: int
    rows: int
    is_round: bool = False  # whether the cells are holes
    lines: tuple[int, ...] = ()  # columns and rows through which the board's grid lines run, from 0
    letters: str = "abcdefghij"
    tall: float = 1.0  # the height of a cell, by its width
    gap: float = 1.0  # around a cell that is not round
    frames: tuple[tuple[float, float, float, float], ...] = ()  # drawn on it: left, bottom, width, height, in cells
    ground: Colour = ("#ead9b8", "#4a3f2f")
    cell: Colour = ("#fbf2dd", "#2f271c")
    lined: Colour = ("#a98b56", "#8f7a55")
    heat: Colour = ("#a3210b", "#ffb54d")


class Layout(NamedTuple):
    """The index at which each part of a row begins."""

    heat: int  # by seat and cell: number of pieces put there
    points: int  # by seat and source: points
    times: int  # by seat and source: number of times
    fired: int  # by rule: number of times
    width: int


def layout(seats: int, cells: int, sources: int, rules: int) -> Layout:
    points = seats * cells
    times = points + seats * sources
    fired = times + seats * sources
    return Layout(0, points, times, fired, fired + rules)
