"""How likely a brick close to a King brings it down, also past a brick that is in the finger's way, or through a guard.

`hits.py` knows only straight shots on free ways. Of 8 matches that an earlier master lost, 5 ended by a close shot of
another kind. The weights are of a logistic curve, fitted to 1,600 close shots that the physics made, in positions of
matches between bots. Fitted to half of them, its log loss on the other half, of the same matches, was 0.15; that of
`hits.py` was 0.26.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from ludoteca.games.kingbrick import geometry, hits
from ludoteca.games.kingbrick.aiming import FULL, between, in_the_way, is_clean, pose_at, speed_to_fell, to_edge, way
from ludoteca.games.kingbrick.fitted import from_logit, weighted
from ludoteca.games.kingbrick.hits import MOST_BEHIND
from ludoteca.games.kingbrick.physics import Flick, Poses
from ludoteca.games.kingbrick.state import State, flickable, king_of, other

CLOSE = 110.0  # mm between the centres
GUARDS = 2  # between a brick and a King: no hit goes through more
# How a finger that has no room behind the brick comes: turned, in degrees, or beside the middle, in mm.
ASIDE = ((0.0, 0.0), (10.0, 0.0), (-10.0, 0.0), (0.0, 4.0), (0.0, -4.0), (20.0, 0.0), (-20.0, 0.0))


class CloseShot(NamedTuple):
    """What decides whether the King falls. Both the features of a shot and their weights are of this kind."""

    certain: float  # always 1
    power: float  # the logarithm of the fastest flick by the speed that is needed on a free way
    behind: float  # bricks between the King and the edge
    fall: float  # the way of the King to the edge, in 100 mm
    one_guard: float  # 1 if one brick stands between
    two_guards: float
    through: float  # the power, if bricks stand between
    length: float  # the logarithm of the way to the King, in 50 mm
    aside: float  # 1 if the finger has no room straight behind the brick


WEIGHTS = CloseShot(1.34, 2.52, -1.9, -1.25, -1.56, -3.2, 1.66, -2.52, -0.97)


def best_shot(state: State, seat: int) -> float:
    """Return how likely the best flick of a seat brings the other King down."""
    king = king_of(other(seat), state)
    return max((shot(state.poses, name, king) for name in flickable(state, seat)), default=0.0)


def shot(poses: Poses, name: str, king: str) -> float:
    """Return how likely a flick of this brick brings a King down."""
    if name == king:
        return 0.0
    if not is_close(poses, name, king):
        return hits.shot(poses, name, king)
    aim = next(aims(poses, name, king), None)
    return from_logit(weighted(_known(poses, name, king, aim), WEIGHTS)) if aim else 0.0


def is_close(poses: Poses, name: str, king: str) -> bool:
    return way(poses[name], poses[king]).length < CLOSE


def aims(poses: Poses, name: str, king: str) -> Iterator[Flick]:
    """Yield hard flicks of a brick at a King for which the finger has room, the straight one first."""
    if in_the_way(poses, name, king) > GUARDS:
        return
    direction = way(poses[name], poses[king]).direction
    for turn, side in ASIDE:
        aim = Flick(name, round(direction + turn, 1) % 360, FULL, 0.0, side, geometry.FOLLOW[2])
        if is_clean(poses, aim):
            yield aim


def _known(poses: Poses, name: str, king: str, aim: Flick) -> CloseShot:
    at = poses[king]
    length, direction = way(poses[name], at)
    dx, dy = math.cos(math.radians(direction)), math.sin(math.radians(direction))
    fall, guards = to_edge(at, dx, dy), in_the_way(poses, name, king)
    power = math.log(FULL / speed_to_fell(length, fall))
    behind = sum(1 for _ in between(poses, at, pose_at(at, dx * fall, dy * fall), {name, king}))
    return CloseShot(
        certain=1.0,
        power=power,
        behind=min(behind, MOST_BEHIND),
        fall=fall / 100,
        one_guard=float(guards == 1),
        two_guards=float(guards == GUARDS),
        through=power if guards else 0.0,
        length=math.log(length / 50),
        aside=float(aim.side != 0 or round(aim.direction - direction) % 360 != 0),
    )
