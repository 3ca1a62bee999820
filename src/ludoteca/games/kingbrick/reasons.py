"""What a suggested move of KingBrick is for: the brick that a flick aims at, and what should come of it."""

import math
from typing import NamedTuple

from ludoteca.games.kingbrick import aiming
from ludoteca.games.kingbrick.bricks import KING
from ludoteca.games.kingbrick.geometry import Pose, is_home, standing
from ludoteca.games.kingbrick.notation import Place
from ludoteca.games.kingbrick.physics import Flick, Poses
from ludoteca.games.kingbrick.state import (
    BOARD,
    Brick,
    State,
    army_of,
    flickable,
    is_away,
    is_in_enemy_castle,
    king_of,
    other,
)

# What a flick is for, and the words that tell it.
AT, FELLS, OWN, THROUGH = "flick_at", "flick_fells", "flick_own", "flick_through"
PUSHES, TO, GUARDS, FREE = "flick_pushes", "flick_to", "flick_guards", "flick_free"
RELIEF = 0.3  # a King is safer if the danger to it sinks by so much


class Aim(NamedTuple):
    """What a flick is for."""

    what: str
    target: str | None = None  # the brick that it is aimed at
    behind: str | None = None  # the opponent's brick against which a target of one's own army is pushed
    end: Pose | None = None  # about where the flicked brick, or such a target, comes to rest if it hits nothing


def aim_of(state: State, seat: int, flick: Flick) -> Aim:
    """Return what a flick of a seat aims at or, if nothing is in its way, where it should come to rest."""
    poses = state.poses
    if (target := aiming.first_hit(poses, flick)) is not None:
        return _aim_at(state, seat, flick, target)
    if (end := aiming.free_end(poses, flick)) is None:
        return Aim(FREE)
    return Aim(GUARDS if _is_safer(state, seat, {**poses, flick.brick: end}) else TO, end=end)


def is_for_safety(state: State, seat: int, place: Place) -> bool:
    """Return whether a King is safer where it is set down."""
    if state.bricks[place.brick].kind != KING:
        return False
    return _is_safer(state, seat, {**state.poses, place.brick: standing(*place[1:])})


def _aim_at(state: State, seat: int, flick: Flick, target: str) -> Aim:
    poses = state.poses
    length, direction = aiming.way(poses[flick.brick], poses[target])
    if army_of(state.bricks[target]) == seat:
        left = max(0.0, flick.speed**2 - 2 * aiming.FRICTION * length / 1000)
        return _aim_on(state, seat, Flick(target, direction, aiming.PASSED_ON * math.sqrt(left), 0.0, 0.0, 0.0))
    dx, dy = math.cos(math.radians(direction)), math.sin(math.radians(direction))
    fall = aiming.to_edge(poses[target], dx, dy)
    edge = aiming.pose_at(poses[target], dx * fall, dy * fall)
    is_free = not any(aiming.between(poses, poses[target], edge, {flick.brick, target}))
    return Aim(FELLS if is_free and flick.speed >= aiming.speed_to_fell(length, fall) else AT, target)


def _aim_on(state: State, seat: int, pushed: Flick) -> Aim:
    """Return what a brick is pushed for that another one of its army hits."""
    poses, target = state.poses, pushed.brick
    if (behind := aiming.first_hit(poses, pushed)) is not None:
        return Aim(OWN, target) if army_of(state.bricks[behind]) == seat else Aim(THROUGH, target, behind)
    end, lies = aiming.free_end(poses, pushed), state.bricks[target]
    if end is None or zone_of(Brick(lies.kind, lies.side, BOARD, end)) == zone_of(lies):
        return Aim(OWN, target)
    return Aim(PUSHES, target, end=end)


def zone_of(brick: Brick) -> str:
    """Return the part of the board in which a brick lies, as its owner sees it (KB-18)."""
    assert brick.pose is not None
    if is_in_enemy_castle(brick):
        return "castle"
    if is_away(brick):
        return "enemy"
    return "home" if is_home(brick.pose, brick.side) else "line"


def _is_safer(state: State, seat: int, after: Poses) -> bool:
    """Return whether the King of a seat is in much less danger when the bricks lie so."""
    king, enemies = king_of(seat, state), flickable(state, other(seat))
    return aiming.danger(state.poses, king, enemies) - aiming.danger(after, king, enemies) >= RELIEF
