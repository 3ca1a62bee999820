"""What a position is worth to a seat: bricks, and how much danger the Kings are in."""

from ludoteca.games.kingbrick.aiming import danger
from ludoteca.games.kingbrick.bricks import ALL_KINDS, FREEZE, HAPPY, KING
from ludoteca.games.kingbrick.state import (
    BOARD,
    HAND,
    HIDDEN,
    ROLLING,
    Brick,
    State,
    army_of,
    flickable,
    king_of,
    other,
)

WON = 1000.0
FOUL = 12.0  # an additional flick for the other one, and what it gives back
BODY = 1.0  # a brick is worth its cost and this much for standing in the way
FALL = 80.0  # a King's fall that is likely
STRANGER = 1.5  # degrees by which the opponent's hand is taken to shake


def worth(state: State, seat: int, foresight: float) -> float:
    """From the seat's point of view, after its move: the other one is next."""
    if state.loser:
        return WON if state.loser != seat else -WON
    total = sum(_brick(brick, seat) for brick in state.bricks.values())
    if state.now.mover == seat and state.now.fouls:
        total -= FOUL
    if foresight:
        total += foresight * FALL * (0.3 * threat(state, seat) - threat(state, other(seat)))
    return total


def threat(state: State, seat: int) -> float:
    """How likely a seat can bring down the other King with one flick."""
    return danger(state.poses, king_of(other(seat), state), flickable(state, seat), STRANGER)


def _brick(brick: Brick, seat: int) -> float:
    if brick.kind == KING:
        return 0.0
    kind = ALL_KINDS[brick.kind]
    value = kind.cost + BODY
    if brick.where == BOARD:
        return value if army_of(brick) == seat else -value
    if brick.where == ROLLING:
        value *= kind.faces.count(HAPPY) / len(kind.faces)
    elif brick.where not in (HAND, HIDDEN) or (brick.where == HAND and brick.kind == FREEZE):
        value = kind.cost / 2 if brick.where == HAND else 0.0
    return value if brick.side == seat else -value
