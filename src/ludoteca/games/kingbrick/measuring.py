"""Measurements by the physics: how bricks come to rest, and whether a formation or a placed brick stays."""

import math
from collections.abc import Iterator
from functools import lru_cache

from ludoteca.games.kingbrick import bricks
from ludoteca.games.kingbrick.bricks import FREEZE, KING
from ludoteca.games.kingbrick.geometry import BRICK, Pose, castle, has_stayed, in_castle, is_home, standing
from ludoteca.games.kingbrick.notation import Freeze, Move, Place, Ready, Stand, number
from ludoteca.games.kingbrick.physics import (
    Flick,
    Poses,
    Rest,
    fallen,
    flicked,
    in_fingers_way,
    set_down,
    settled,
    settled_on_film,
)
from ludoteca.games.kingbrick.refusals import Refusal, said, said_all
from ludoteca.games.kingbrick.setup import castle_said
from ludoteca.games.kingbrick.state import Opening, Settling, Shot, State, freezable
from ludoteca.games.kingbrick.touching import rests_on

GRID = 5.0  # mm between the spots that are tried when one is looked for


def measure(state: State) -> Rest:
    """Return the measurement of the table's next entry."""
    match state.moving:
        case Shot(aimed, made):
            assert made is not None
            return flicked(state.poses, made, aimed=aimed)
        case Opening():
            return settled_on_film({**formation(state.set_ups[0].stands), **formation(state.set_ups[1].stands)})
        case Place(name, x, y, yaw, up):
            return settled_on_film({**state.poses, name: set_down(state.poses, name, x, y, yaw, up)})
    assert isinstance(state.moving, Settling)
    return settled_on_film(state.poses)


@lru_cache(maxsize=64)
def formation(stands: tuple[Stand, ...]) -> dict[str, Pose]:
    """Return the poses of a formation: each brick is set down on the ones before it."""
    poses: dict[str, Pose] = {}
    for name, x, y, yaw, up in stands:
        poses[name] = set_down(poses, name, x, y, yaw, up)
    return poses


def admit(state: State, seat: int, move: Move) -> None:
    """Raise Refusal for a move that the rules allow and a measurement does not."""
    match move:
        case Ready():
            _admit_formation(state, seat)
        case Flick():
            _admit_flick(state, move)
        case Place():
            _admit_place(state, seat, move)
        case Freeze(name, x, y, yaw):
            _admit_freeze(state, seat, Place(name, x, y, yaw, 1))


def _admit_formation(state: State, seat: int) -> None:
    """KB-9."""
    mine = state.set_ups[seat - 1]
    stood = formation(mine.stands)
    if fell := fallen(stood, settled(stood).poses):
        raise Refusal("does_not_stand", bricks=said_all(fell, bricks.named(mine.army, seat)))


def _admit_flick(state: State, flick: Flick) -> None:
    """KB-14."""
    if inside := in_fingers_way(state.poses, flick):
        kinds = {name: brick.kind for name, brick in state.bricks.items()}
        raise Refusal("finger_blocked", bricks=said_all(inside, kinds))


def _admit_place(state: State, seat: int, place: Place) -> None:
    """KB-22."""
    there, brick = _without(state, place.brick), state.bricks[place.brick]
    spot = standing(place.x, place.y, place.yaw, place.up)
    if is_for_castle(state, place.brick) and not in_castle(spot, seat):
        x, y = nearest_spot(there, place.brick, seat)
        if from_castle(place.x, place.y, seat) > from_castle(x, y, seat):
            raise Refusal("not_in_castle", brick=said(place.brick, brick.kind), **castle_said(seat))
    if fell := disturbed(there, place):
        kinds = {name: other.kind for name, other in state.bricks.items()}
        params = {"brick": said(place.brick, brick.kind), "bricks": said_all(fell, kinds)}
        if not is_for_castle(state, place.brick):
            raise Refusal("does_not_stay", **params)
        x, y = nearest_spot(there, place.brick, seat)
        raise Refusal("does_not_stay_here", x=number(x), y=number(y), **params)


def is_for_castle(state: State, name: str) -> bool:
    """Return whether a brick is set down in a castle: all but a Ninja and a Blink, and these when they escaped."""
    return bool(state.placements) or state.bricks[name].kind == KING


def _admit_freeze(state: State, seat: int, place: Place) -> None:
    """KB-43: it touches from above only bricks of the opponent's army, none of them a King or a Freeze."""
    kinds = {name: brick.kind for name, brick in state.bricks.items()}
    brick = said(place.brick, FREEZE)
    there = _without(state, place.brick)
    below = rests_on({**there, place.brick: _set_down(there, place)}, place.brick)
    may = freezable(state, seat)
    if wrong := below.difference(may):
        raise Refusal("freezes_others", brick=brick, bricks=said_all(sorted(wrong), kinds), may=said_all(may, kinds))
    if not below:
        raise Refusal("freezes_nothing", brick=brick, may=said_all(may, kinds))
    if fell := disturbed(there, place):
        raise Refusal("does_not_stay", brick=brick, bricks=said_all(fell, kinds))


def disturbed(there: Poses, place: Place) -> list[str]:
    """Return the bricks that do not stay when one is set down: itself, or others that would stay without it."""
    at = _set_down(there, place)
    alone = settled(there).poses
    still = {name: lies for name, lies in there.items() if name in alone and has_stayed(lies, alone[name])}
    return fallen({**still, place.brick: at}, settled({**there, place.brick: at}).poses)


def _set_down(there: Poses, place: Place) -> Pose:
    return set_down(there, place.brick, place.x, place.y, place.yaw, place.up)


def _without(state: State, name: str) -> dict[str, Pose]:
    return {there: lies for there, lies in state.poses.items() if there != name}


def nearest_spot(there: Poses, name: str, seat: int) -> tuple[float, float]:
    """Return a spot of the castle where a brick stays, or else the nearest one at home (KB-22)."""
    for x, y in _spots(seat):
        if not disturbed(there, Place(name, x, y, 0.0, 1)):
            return x, y
    raise Refusal("no_spot")


@lru_cache(maxsize=2)
def _spots(seat: int) -> list[tuple[float, float]]:
    return sorted(_home_spots(seat), key=lambda spot: (from_castle(spot[0], spot[1], seat), spot))


def _home_spots(seat: int) -> Iterator[tuple[float, float]]:
    for column in range(-40, 41):
        for row in range(-60, 61):
            x, y = column * GRID, row * GRID
            if is_home(standing(x, y, 0.0, 1), seat):
                yield x, y


def from_castle(x: float, y: float, seat: int) -> float:
    """Return how far a spot is from the nearest one at which a brick would still touch the castle."""
    left, near, width, length = castle(seat)
    across = max(left - x, x - left - width, 0.0)
    along = max(near - y, y - near - length, 0.0)
    return max(math.hypot(across, along) - BRICK / 2, 0.0)
