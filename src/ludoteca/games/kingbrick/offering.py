"""Where a brick may be set down, for a board: zones to colour, and a first spot that the rules allow."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ludoteca.games.kingbrick import geometry
from ludoteca.games.kingbrick.geometry import BRICK, LENGTH, WIDTH, Point, do_touch, outline, standing
from ludoteca.games.kingbrick.rules import CASTLE, ENEMY, is_free_spot
from ludoteca.games.kingbrick.state import State, other

Zone = tuple[float, float, float, float]  # least x and y, width, length

GRID = 10.0  # mm between the spots that are tried
REACH = 2 * BRICK  # bricks further apart cannot touch


def place_offered(state: State, seat: int, name: str, why: str, where: str) -> dict[str, Any]:
    """Return what a board is told about a brick that a seat may set down."""
    x, y = proposed(state, seat, name, why, where)
    zones = [[int(edge) for edge in zone] for zone in zones_of(seat, where)]
    return {"brick": name, "why": why, "where": where, "zones": zones, "spot": [int(x), int(y)]}


def zones_of(seat: int, where: str) -> list[Zone]:
    """Return the parts of the board in which a brick may be set down: a Ninja stays out of the castle (KB-33)."""
    if where == CASTLE:
        return [geometry.castle(seat)]
    side = other(seat) if where == ENEMY else seat
    near = -LENGTH / 2 if side == 1 else 0.0
    if where != ENEMY:
        return [(-WIDTH / 2, near, WIDTH, LENGTH / 2)]
    x, y, width, length = geometry.castle(side)
    beside = (WIDTH - width) / 2
    return [
        (-WIDTH / 2, near, beside, LENGTH / 2),
        (x + width, near, beside, LENGTH / 2),
        (x, near, width, y - near),
        (x, y + length, width, near + LENGTH / 2 - y - length),
    ]


def proposed(state: State, seat: int, name: str, why: str, where: str) -> Point:
    """Return a spot where the brick touches no other one, as near to the middle of its zone as there is one."""
    for x, y in _spots(seat, where):
        if where == CASTLE:
            is_free = _touches_nothing(state, name, x, y)
        else:
            is_free = is_free_spot(state, seat, name, standing(x, y, 0.0, 1), why)
        if is_free:
            return x, y
    return next(iter(_spots(seat, where)))  # a castle that is full: on top of its bricks


def _touches_nothing(state: State, name: str, x: float, y: float) -> bool:
    corners = outline(standing(x, y, 0.0, 1))
    return not any(
        do_touch(corners, outline(lies))
        for there, lies in state.poses.items()
        if there != name and abs(lies.x - x) < REACH and abs(lies.y - y) < REACH
    )


@lru_cache(maxsize=8)
def _spots(seat: int, where: str) -> tuple[Point, ...]:
    """Return spots from the middle of the first zone outwards. A Ninja is proposed beside the castle, at its middle."""
    zones = zones_of(seat, where)
    x, y, width, length = zones[0]
    middle = (x + width / 2, y + length / 2)
    if where == ENEMY:
        _, near, _, long = geometry.castle(other(seat))
        middle = (x + width - 2 * BRICK, near + long / 2)
    return tuple(sorted(_grid(zones), key=lambda spot: (spot[0] - middle[0]) ** 2 + (spot[1] - middle[1]) ** 2))


def _grid(zones: list[Zone]) -> Iterator[Point]:
    for x, y, width, length in zones:
        for column in range(int(width // GRID) + 1):
            for row in range(int(length // GRID) + 1):
                yield x + column * GRID, y + row * GRID
