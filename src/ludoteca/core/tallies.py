"""What a game counts for the lab, as data: the board to draw heat on, where points come from, which rules fire.

A game's tally.py names these, and its compiled `observe` adds to one row of numbers a match. `layout` says where in the
row each number stands.
"""

from typing import NamedTuple

import msgspec


class Board(msgspec.Struct, frozen=True):
    """How a game's board looks: cells are numbered row by row from the lower left."""

    columns: int
    rows: int
    is_round: bool = False  # whether the cells are holes
    lines: tuple[int, ...] = ()  # columns and rows through which the board's grid lines run, from 0
    letters: str = "abcdefghij"


class Layout(NamedTuple):
    """Where the parts of a row begin."""

    heat: int  # by seat and cell: how often a piece was put there
    points: int  # by seat and source: the points that came from it
    times: int  # by seat and source: how often
    fired: int  # by rule: how often
    width: int


def layout(seats: int, cells: int, sources: int, rules: int) -> Layout:
    points = seats * cells
    times = points + seats * sources
    fired = times + seats * sources
    return Layout(0, points, times, fired, fired + rules)
