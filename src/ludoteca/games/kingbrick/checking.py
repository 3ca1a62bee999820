"""Checks of a measurement that need no engine: a record that claims the impossible is refused."""

import math

from ludoteca.games.kingbrick.aftermath import measured
from ludoteca.games.kingbrick.geometry import BRICK, HALF, LENGTH, WIDTH, Pose, castle, outline
from ludoteca.games.kingbrick.physics import Poses, Rest
from ludoteca.games.kingbrick.refusals import Refusal
from ludoteca.games.kingbrick.state import Shot, State

NEAREST = BRICK - 1.0  # mm between the centres of two bricks: cubes that do not overlap are a whole brick apart
LOWEST = HALF - 0.5  # mm from the board to the centre of a brick that lies on it
UNIT = 0.001  # by which the length of a rotation may differ from 1
ROUNDED = 0.05  # mm
TWO = 25.2  # mm: half a diagonal of a cube and of a square, within which two bricks may be in each other's way
BLOCKED = 2000.0  # mm^2 of a castle on which one brick leaves no room for another: a circle of radius TWO


def check_rest(state: State, rest: Rest) -> None:
    """Raise Refusal if a measurement contradicts itself, the board or the flick."""
    _check_names(state, rest)
    for name, at in rest.poses.items():
        if not _is_on_board(at):
            raise Refusal("rest_off_board", brick=name)
    if two := _in_one_place(rest.poses):
        raise Refusal("rest_in_one_place", bricks=", ".join(two))
    _check_finger(state, rest)


def _check_names(state: State, rest: Rest) -> None:
    told = [*rest.poses, *(name for step in rest.fell for name in step)]
    wanted = measured(state)
    strange = [name for name in rest.touched if name not in wanted or rest.touched.count(name) > 1]
    if set(told) != wanted or len(told) != len(wanted) or strange:
        wrong = sorted({*wanted.symmetric_difference(told), *strange, *(n for n in told if told.count(n) > 1)})
        raise Refusal("rest_of_others", bricks=", ".join(wrong))


def _is_on_board(at: Pose) -> bool:
    """KB-16. A brick that overhangs may lie lower than the others, but its centre is not below the surface."""
    if not all(map(math.isfinite, at)) or abs(math.hypot(*at[3:]) - 1) > UNIT:
        return False
    if abs(at.x) > WIDTH / 2 + BRICK or abs(at.y) > LENGTH / 2 + BRICK or at.z < 0:
        return False
    return at.z >= LOWEST or any(abs(x) > WIDTH / 2 or abs(y) > LENGTH / 2 for x, y in outline(at))


def _in_one_place(poses: Poses) -> tuple[str, str] | None:
    """Two bricks that overlap, if any do."""
    in_order = sorted(poses.items(), key=lambda item: item[1].x)
    for place, (name, at) in enumerate(in_order):
        for other, there in in_order[place + 1 :]:
            if there.x - at.x >= NEAREST:
                break
            if math.dist(at[:3], there[:3]) < NEAREST:
                return name, other
    return None


def _check_finger(state: State, rest: Rest) -> None:
    """Check that the finger pushed no further than it follows through, and only a brick that it touched (KB-24)."""
    shot = state.moving if isinstance(state.moving, Shot) else None
    if shot is None:
        if rest.push or rest.touched:
            raise Refusal("rest_without_finger")
        return
    follow = shot.aimed.follow
    if not 0 <= rest.push <= follow + ROUNDED or (rest.push and shot.aimed.brick not in rest.touched):
        raise Refusal("rest_push", push=f"{rest.push:g}", follow=f"{follow:g}")


def can_be_full(poses: Poses, seat: int) -> bool:
    """Return whether a castle may have no room for another brick, because of the bricks in it and around it (KB-22)."""
    x, y, width, length = castle(seat)
    reach = HALF + TWO
    near = [
        at for at in poses.values() if x - reach < at.x < x + width + reach and y - reach < at.y < y + length + reach
    ]
    return len(near) * BLOCKED >= (width + BRICK) * (length + BRICK)
