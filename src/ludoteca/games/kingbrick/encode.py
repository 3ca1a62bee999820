"""A position of KingBrick as numbers, and flicks from numbers (core/tensors.py).

Everything is seen from the side of the seat that looks: its castle is near, x runs to the right and y away from it. The
environment sets up both armies in a ready-made formation, sets down what is due in a castle, and ends the turn. An
agent decides about flicks and nothing else.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from ludoteca.games.kingbrick import bricks, geometry, measuring, sampling
from ludoteca.games.kingbrick.bricks import ALL_KINDS, BRICKS, FACES, FREEZE, GREY, HAPPY, PLAIN, SAD, army_read
from ludoteca.games.kingbrick.formations import COMPANIES, spots
from ludoteca.games.kingbrick.geometry import Pose, top_face
from ludoteca.games.kingbrick.notation import Army, End, Move, Place, Ready, Stand, written
from ludoteca.games.kingbrick.physics import Flick, in_fingers_way
from ludoteca.games.kingbrick.state import (
    BOARD,
    HAND,
    HIDDEN,
    OUT,
    ROLLING,
    State,
    army_of,
    by_number,
    flickable,
    frozen,
    mood_up,
    second_flick,
)

VERSION = 0
PLACES = (BOARD, OUT, HIDDEN, HAND, ROLLING)
MOODS = (HAPPY, SAD, GREY, PLAIN)
FEATURES = (
    "there is such a brick",
    f"x by {geometry.WIDTH / 2:g}",
    f"y by {geometry.LENGTH / 2:g}",
    "z by 100",
    *(f"quaternion {part}" for part in "xyzw"),
    *(f"face {face} up" for face in range(1, FACES + 1)),
    *(f"{mood} face up" for mood in MOODS),
    *(kind.name for kind in ALL_KINDS.values()),
    *(f"where: {place}" for place in PLACES),
    "fights for me",
    "frozen",
    "a roll is due",
    "may be flicked now",
    "my turn",
    "flicks left, by 2",
    "turns played, by 200",
)
SHAPE = (2, BRICKS + 1, len(FEATURES))  # my bricks and the opponent's, by their numbers
LOWEST, HIGHEST = -4.0, 4.0
ACTIONS = 5  # brick, direction, speed, height, side
STEP = 5.0  # degrees between the directions that are tried when the finger has no room


def encode(state: State, seat: int, out: Any) -> None:
    """Write what a seat, from 0, sees."""
    out[:] = 0.0
    eye = seat + 1
    turn = state.turn
    moves = turn is not None and not state.is_over and turn.mover == eye
    held, due = frozen(state), {release.brick for release in state.rolls}
    may = set(_may_be_flicked(state, eye)) if moves and state.moving is None else set()
    played = 0 if turn is None else min(turn.number, 200)
    for name, brick in state.bricks.items():
        row = out[0 if brick.side == eye else 1, bricks.number_of(name) - 1]
        row[0] = 1.0
        if brick.pose is not None:
            row[1:8] = _seen_from(brick.pose, eye)
            row[7 + top_face(brick.pose)] = 1.0
            row[14 + MOODS.index(mood_up(brick))] = 1.0
        row[18 + list(ALL_KINDS).index(brick.kind)] = 1.0
        row[29 + PLACES.index(brick.where)] = 1.0
        flicks = turn.flicks / 2 if turn is not None else 0.0
        row[34:] = (army_of(brick) == eye, name in held, name in due, name in may, moves, flicks, played / 200)


def _seen_from(at: Pose, eye: int) -> tuple[float, ...]:
    """A pose, for blue turned by half a circle about the middle of the board."""
    x, y, z = at.x / (geometry.WIDTH / 2), at.y / (geometry.LENGTH / 2), at.z / 100
    if eye == 1:
        return (x, y, z, at.qx, at.qy, at.qz, at.qw)
    return (-x, -y, z, -at.qy, at.qx, at.qw, -at.qz)


def _may_be_flicked(state: State, seat: int) -> list[str]:
    if state.now.flicks:
        return by_number(flickable(state, seat))
    again = second_flick(state)
    return [again] if again else []


def chosen(state: State, seat: int, action: Sequence[float]) -> tuple[str, bool]:
    """Return the flick that an action means, each part of it from -1 to 1, and whether it had to be changed.

    The first part chooses among the bricks that may be flicked, by their numbers. Direction 0 is straight ahead, 1 half
    a turn to the left. Where the finger has no room, the nearest direction in which it has is taken, or another brick.
    """
    eye = seat + 1
    which, *rest = (min(max(float(part), -1.0), 1.0) for part in np.nan_to_num(np.asarray(action, np.float64)))
    names = _may_be_flicked(state, eye)
    first = min(int((which + 1) / 2 * len(names)), len(names) - 1)
    for name in names[first:] + names[:first]:
        for offset in _offsets():
            flick = _flick(name, eye, offset, *rest)
            if not in_fingers_way(state.poses, flick):
                return written(flick), bool(offset) or name != names[first]
    return written(sampling.drawn(state, eye, Random(state.now.number))), True


def _offsets() -> list[float]:
    """From none to half a circle, to both sides."""
    return [0.0, *(side * STEP * n for n in range(1, int(180 / STEP) + 1) for side in (1, -1))]


def _flick(name: str, seat: int, offset: float, turn: float, speed: float, height: float, side: float) -> Flick:
    ahead = 90.0 if seat == 1 else 270.0
    return Flick(
        name,
        round(ahead + 180 * turn + offset, 1) % 360,
        round(_between(geometry.SPEED, speed), 2),
        round(_between(geometry.HEIGHT, height), 1),
        round(_between(geometry.SIDE, side), 1),
        geometry.FOLLOW[2],
    )


def _between(limits: tuple[float, float], part: float) -> float:
    least, most = limits
    return least + (part + 1) / 2 * (most - least)


def automatic(state: State, seat: int) -> str | None:
    """Return the move that the environment makes for a seat, from 0: the set-up, what is set down, the turn's end."""
    eye = seat + 1
    if state.turn is None:
        return "\n".join(map(written, _set_up(eye)))
    if state.placements:
        name = state.placements[0].brick
        there = {stands: lies for stands, lies in state.poses.items() if stands != name}
        return written(Place(name, *measuring.nearest_spot(there, name, eye), 0.0, 1))
    return None if _may_be_flicked(state, eye) else written(End())


def _set_up(seat: int) -> list[Move]:
    """The first of the ready-made armies, all happy faces up."""
    company = COMPANIES[0]
    letters = army_read(company.army)
    assert letters is not None
    standing = [name for name, kind in bricks.named(letters, seat).items() if kind != FREEZE]
    places = spots(company.formation, seat)
    return [Army(letters), *(Stand(n, *spot, 1) for n, spot in zip(standing, places, strict=False)), Ready()]
