"""How a seat may answer a threat to its King without a flick: by a Freeze, or by bringing the King to safety."""

import math
from collections.abc import Iterator

from ludoteca.games.kingbrick import geometry
from ludoteca.games.kingbrick.bricks import FREEZE
from ludoteca.games.kingbrick.geometry import BRICK, Pose, standing
from ludoteca.games.kingbrick.hits import shot
from ludoteca.games.kingbrick.prospects import next_up
from ludoteca.games.kingbrick.state import BOARD, HAND, Brick, State, Turn, flickable, king_of, of_kind, other

THREATENS = 0.1  # the chance to bring the King down that makes a brick an attacker
PLACES = (0.2, 0.5, 0.8)  # of the castle's width and length, where the King is tried


def attackers(state: State, seat: int) -> list[str]:
    """Return the bricks that threaten the King of a seat, the most dangerous first."""
    king = king_of(seat, state)
    found = [(shot(state.poses, name, king), name) for name in flickable(state, other(seat))]
    return [name for chance, name in sorted(found, reverse=True) if chance > THREATENS]


def defences(state: State, seat: int) -> Iterator[State]:
    """Yield positions after answers of the other seat, if it is next and this seat threatens its King."""
    enemy = other(seat)
    if next_up(state)[0] != enemy or state.moving is not None or state.placements:
        return
    guns = attackers(state, enemy)
    unused = of_kind(state, FREEZE, enemy, HAND)
    if guns and unused:
        yield frozen(state, unused[0], guns[0])
    if guns:
        yield from _king_moves(state, enemy)


def frozen(state: State, freeze: str, name: str) -> State:
    """Return the position with a Freeze on a brick (KB-42)."""
    at = state.poses[name]
    return _with(state, freeze, standing(at.x, at.y, 0, 1, at.z + BRICK))


def _king_moves(state: State, seat: int) -> Iterator[State]:
    """Yield the positions after King Moves to some free spots of the castle (KB-30)."""
    king = king_of(seat, state)
    left, near, width, length = geometry.castle(seat)
    others = [at for name, at in state.poses.items() if name != king]
    for across in PLACES:
        for along in PLACES:
            x, y = left + across * width, near + along * length
            if all(math.hypot(at.x - x, at.y - y) > 1.5 * BRICK for at in others):
                moved = _with(state, king, standing(x, y, 0, 1))
                yield moved.but(turn=Turn(state.now.number + 1, other(seat)))


def _with(state: State, name: str, at: Pose) -> State:
    brick = state.bricks[name]
    return state.but(bricks={**state.bricks, name: Brick(brick.kind, brick.side, BOARD, at)})
