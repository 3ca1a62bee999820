"""Why a quiet move of Match'n Lock! is suggested: the circle that it brings nearer or stops."""

from typing import Any, NamedTuple

from ludoteca.core.kernel import copied
from ludoteca.games.matchnlock import circles, promises, rules

STOPS, PREPARES, DRAWS, REPLACES, HELPS_NOBODY = "stops", "prepares", "draws", "replaces", "helps_nobody"
A_TURN, A_TOKEN = 1, promises.EMPTY_HOLE
LACKS = {
    A_TURN: "turn",
    A_TOKEN: "token",
    2 * A_TURN: "two_turns",
    A_TOKEN + A_TURN: "token_and_turn",
    2 * A_TOKEN: "two_tokens",
}  # what an open circle lacks, if that is worth telling
NEAREST = list(LACKS)  # to closing, first

Wants = dict[tuple[int, int], int]  # by circle and colour: a place in NEAREST


class Reason(NamedTuple):
    what: str  # the move does to a circle
    colour: int  # of this circle
    lack: int = 0  # of this circle after a move that prepares it, or before one that stops it
    points: int | None = None  # of this circle, if all its tokens are there

    @property
    def key(self) -> str:
        """Return the last words of the message's key."""
        tells_lack = self.what == PREPARES or (self.what == STOPS and self.lack == A_TURN)
        return f"{self.what}.{LACKS[self.lack]}" if tells_lack else self.what


def reason_for(state: Any, move: int) -> Reason | None:
    """Return what a move that closes no circle does for the seat to move, or None if the board does not show it."""
    own = int(state.colour[state.seat])
    if move == rules.DRAW:
        can_close = any(NEAREST[place] == A_TURN for (_, colour), place in _wants(state).items() if colour == own)
        return None if can_close or int(rules.count(state)) == 1 else Reason(DRAWS, own)
    if move >= rules.DECLARES:
        return Reason(REPLACES, own)
    after = copied(state)
    rules.play(after, move)
    before, then = _wants(state), _wants(after)
    hindered, helped = _nearer_in(before, then), _nearer_in(then, before)
    rivals = _rivals(state, own)
    for place, lack in enumerate(NEAREST):
        prepared = _dearest(PREPARES, after, lack, [one for one in helped if then[one] == place and one[1] == own])
        stopped = _dearest(STOPS, state, lack, [one for one in hindered if before[one] == place and one[1] in rivals])
        # A turn surely closes a circle, so stop that first; a token from the bag may not fit.
        if reason := (stopped or prepared) if lack == A_TURN else (prepared or stopped):
            return reason
    is_harmless = move < rules.CLOCKWISE and not any(colour in rivals for _, colour in helped)
    return Reason(HELPS_NOBODY, own) if is_harmless and int(rules.count(state)) > 1 else None


def _nearer_in(wants: Wants, others: Wants) -> list[tuple[int, int]]:
    """Return the circles with their colours that are nearer to closing in the first position than in the second."""
    return [one for one, place in wants.items() if place < others.get(one, len(NEAREST))]


def _dearest(what: str, state: Any, lack: int, found: list[tuple[int, int]]) -> Reason | None:
    """Return the reason that names the circle with the most points, if there is any circle."""
    if not found:
        return None
    points, colour = max((_points(state, circle), colour) for circle, colour in found)
    return Reason(what, colour, lack, None if lack >= A_TOKEN else points)


def _rivals(state: Any, own: int) -> list[int]:
    """Return the colours of the others. ML-31: a player alone plays against all other colours."""
    if state.players == 1:
        return [colour for colour in range(circles.COLOURS) if colour != own]
    return [int(colour) for colour in state.colour[: state.players] if colour != own]


def _wants(state: Any) -> Wants:
    """Return how near the open circles are to closing that lack no more than LACKS names."""
    found: Wants = {}
    may_turn = state.players > 1  # ML-29
    for circle in promises.CIRCLES.tolist():
        if state.lock[circle]:
            continue
        total = int(promises.circle_wants(state, circle))
        for colour in range(circles.COLOURS):
            wants = total >> promises.FIELD * colour & (1 << promises.FIELD) - 1
            if wants in LACKS and state.locks[colour] and (may_turn or wants % A_TOKEN == 0):
                found[circle, colour] = NEAREST.index(wants)
    return found


def _points(state: Any, circle: int) -> int:
    """Return the points of a circle as far as its tokens are there."""
    holes = [int(circles.HOLE_AT[circle + offset]) for offset in circles.TOKENS_ROUND if state.board[circle + offset]]
    return sum(int(state.value[state.token[hole]]) for hole in holes)
