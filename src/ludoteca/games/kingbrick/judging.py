"""The worth of a position for a seat: its bricks, and the danger that the Kings are in."""

from ludoteca.games.kingbrick.aiming import danger
from ludoteca.games.kingbrick.bricks import ALL_KINDS, HAPPY, KING
from ludoteca.games.kingbrick.state import BOARD, OUT, ROLLING, Brick, State, army_of, flickable, king_of, other

WON = 1000.0
FOUL = 12.0  # the opponent's additional flick, and the bricks that come back
BODY = 1.0  # a brick is worth its cost, and this much for standing in the way
FALL = 80.0  # a King's fall that is sure to come
HOPE = 0.3  # a threat of the seat itself counts less than one of the opponent, who moves next


def worth(state: State, seat: int, foresight: float) -> float:
    """Return the worth of a position from the seat's point of view, after its move."""
    if state.loser:
        return WON if state.loser != seat else -WON
    total = sum(_signed(brick, seat) for brick in state.bricks.values())
    if foresight:
        total += foresight * FALL * (HOPE * threat(state, seat) - threat(state, other(seat)))
    return total


def threat(state: State, seat: int) -> float:
    """Return how likely a seat can bring down the other King with one flick."""
    return danger(state.poses, king_of(other(seat), state), flickable(state, seat))


def value(kind: str) -> float:
    return 0.0 if kind == KING else ALL_KINDS[kind].cost + BODY


def escape(kind: str) -> float:
    """Return the value of a brick that has to make its release roll."""
    faces = ALL_KINDS[kind].faces
    return value(kind) * faces.count(HAPPY) / len(faces)


def _signed(brick: Brick, seat: int) -> float:
    if brick.where == OUT:
        return 0.0
    worth = escape(brick.kind) if brick.where == ROLLING else value(brick.kind)
    friend = army_of(brick) if brick.where == BOARD else brick.side
    return worth if friend == seat else -worth
