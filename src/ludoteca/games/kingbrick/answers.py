"""Whether the next flick of a seat brings the other King down: the physics makes its best shots, as hands make them.

The fitted curve of hits.py only guesses, and knows nothing of a shot through a brick that stands on the way.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ludoteca.games.kingbrick import aiming, geometry, hand, hits, physics
from ludoteca.games.kingbrick.aftermath import infraction
from ludoteca.games.kingbrick.aiming import FULL, is_clean, speed_to_fell, to_edge, way
from ludoteca.games.kingbrick.geometry import Pose
from ludoteca.games.kingbrick.physics import FingerBlocked, Flick, Poses
from ludoteca.games.kingbrick.state import State, flickable, king_of, other

LEAST, ENOUGH = 0.03, 0.5  # a free shot with a guessed chance between these is made: a better one is trusted
HOPELESS = 2  # flicks without any hit after which a shot through a brick is given up
GUESSED = 2.0  # flicks that the guess counts for, beside those that are made
BESIDE, WIDENS = 30.0, 0.12  # mm beside a shot's way within which bricks decide, and how much that grows with the way
BACK = 60.0  # mm behind the brick, where the finger starts


class Aim(NamedTuple):
    """A shot at a King, and how likely it brings the King down as far as is known without the physics."""

    guess: float
    flick: Flick


class Answer(NamedTuple):
    """The best shot at a King. That it fells the King less often than guessed told nothing about who won."""

    falls: float = 0.0  # how likely it brings the King down
    surprise: float = 0.0  # how much likelier that is than guessed
    error: float = 0.0  # the standard error of that
    bricks: tuple[str, ...] = ()  # which may do it, the most dangerous first


class Answers:
    """The best shots at Kings in the positions of one search.

    Bricks far away from a shot's way do not change it. So a shot that was made in one position is known in all
    positions in which the bricks near its way stand alike: moves are compared by the same luck.
    """

    def __init__(self, hands: Sequence[hand.Error], is_steady: bool) -> None:
        self._hands = hands
        self._guessed = 0.0 if is_steady else GUESSED
        self._known: dict[tuple[Flick, tuple[tuple[str, Pose], ...]], int] = {}

    def to(self, state: State, seat: int, is_made: bool = True) -> Answer:
        """Return how likely the best shot of a seat brings the other King down, if the seat is next.

        Without `is_made` no shot is made, but those that are known count.
        """
        king, shots = king_of(other(seat), state), aims(state, seat)
        found = sorted(((self._falls(state, king, aim, is_made), aim) for aim in shots), reverse=True)
        if not found or not found[0][0]:
            return Answer()
        falls, guess = found[0][0], max(aim.guess for aim in shots)
        bricks = tuple(aim.flick.brick for one, aim in found if one > falls / 2)
        if falls <= guess:
            return Answer(falls, bricks=bricks)
        error = math.sqrt(falls * (1 - falls) / (self._guessed + len(self._hands) + 1))
        return Answer(falls, falls - guess, error, bricks)

    def _falls(self, state: State, king: str, aim: Aim, is_made: bool) -> float:
        if aim.guess >= ENOUGH:
            return aim.guess
        at = aim.flick, tuple(_near(state.poses, aim.flick, king))
        if at not in self._known:
            if not is_made:
                return aim.guess
            tried = 0 if aim.guess else HOPELESS
            hits = fell(state, king, aim.flick, self._hands[:tried])
            self._known[at] = hits + fell(state, king, aim.flick, self._hands[tried:]) if hits or not tried else 0
        return (self._guessed * aim.guess + self._known[at]) / (self._guessed + len(self._hands))


def fell(state: State, king: str, aimed: Flick, hands: Iterable[hand.Error]) -> int:
    """Return how often a flick brings a King down without a foul, made by each of these hands."""
    return sum(_fells(state, king, aimed, hand.shifted(aimed, *by)) for by in hands)


def _fells(state: State, king: str, aimed: Flick, made: Flick) -> bool:
    try:
        rest = physics.flicked(state.poses, made, is_filmed=False, aimed=aimed)
    except FingerBlocked:
        return False
    return infraction(made, rest) is None and any(king in step for step in rest.fell)


def aims(state: State, seat: int) -> list[Aim]:
    """Return the best shot of a seat at the other King with a free way, and the best one through another brick."""
    poses, king = state.poses, king_of(other(seat), state)
    free, through = list[Aim](), list[tuple[float, Flick]]()
    for name in flickable(state, seat):
        if best := hits.best_try(poses, name, king):
            free.append(Aim(*best))
        elif name != king_of(seat, state):
            through += _through(poses, name, king)
    free = [aim for aim in sorted(free, reverse=True)[:1] if aim.guess >= LEAST]
    return free + [Aim(0.0, flick) for _, flick in sorted(through)[:1]]


def _through(poses: Poses, name: str, king: str) -> Iterator[tuple[float, Flick]]:
    """Yield the hardest shot at a King if one brick stands on its way, with the speed that it would need without it."""
    length, direction = way(poses[name], poses[king])
    fall = to_edge(poses[king], math.cos(math.radians(direction)), math.sin(math.radians(direction)))
    needed = speed_to_fell(length, fall)
    flick = Flick(name, round(direction, 1) % 360, FULL, 0.0, 0.0, geometry.FOLLOW[2])
    if needed < FULL and aiming.in_the_way(poses, name, king) == 1 and is_clean(poses, flick):
        yield needed, flick


def _near(poses: Poses, flick: Flick, king: str) -> Iterator[tuple[str, Pose]]:
    """Yield the bricks near the way of a shot, from the finger to the edge behind the King."""
    here, turn = poses[flick.brick], math.radians(flick.direction)
    dx, dy = math.cos(turn), math.sin(turn)
    for name, at in poses.items():
        x, y = at.x - here.x, at.y - here.y
        along, aside = x * dx + y * dy, abs(y * dx - x * dy)
        if (along > -BACK and aside < BESIDE + WIDENS * max(0.0, along)) or name == king:
            yield name, at
