"""Shots as puzzles: how surely a flick does its thing by a hand that trembles, and which flicks are the same answer.

The thing is to knock the other King off, or to save the own one from an attacker. Flicks cannot be listed: two of them
are different ideas if they flick different bricks, and a shot is the right answer if it does the thing nearly as surely
as the best one. On the board of a puzzle the hand is steady, so that one sees the shot that was aimed.
"""

import math
from collections.abc import Iterable, Iterator
from random import Random
from statistics import fmean

import msgspec

from ludoteca.core.levels import Weighed
from ludoteca.games.kingbrick import aiming, hand, physics, rules
from ludoteca.games.kingbrick.aftermath import infraction
from ludoteca.games.kingbrick.fitted import logit
from ludoteca.games.kingbrick.judging import threat
from ludoteca.games.kingbrick.measuring import admit
from ludoteca.games.kingbrick.notation import read, written
from ludoteca.games.kingbrick.physics import FingerBlocked, Flick, Rest
from ludoteca.games.kingbrick.refusals import Refusal
from ludoteca.games.kingbrick.state import Shot, State, flickable, king_of, other

PUZZLE_OPTIONS = {"hand": hand.STEADY}  # of the matches that shots are mined from: see made_by_hand
PUZZLE_LEVEL = "casual"  # who plays them: stronger bots hardly ever leave a King in the open
KING, DEFEND = "king", "defend"  # what a shot is for
BRICKS = 5  # that are tried with the usual effort, the likeliest first; with more effort twice as many
FLICKS = 4  # of each of them, once without an error
FINALISTS = 2  # of each, made by a hand that trembles,
REPEATS = 3  # so often; the best one of each brick twice as often again
TRIES = 20  # of a shot that somebody answers
HOPELESS = 0.2  # a shot that does its thing less surely without an error is not tried with errors
SOUND = 0.5  # how often the best shot must do its thing
AS_SURE = 0.15  # a shot that succeeds this much less often than the best one is right too
DANGEROUS = 0.45  # the chance of a King to fall that asks for a defence


def ideas(state: State, seat: int, effort: int, rng: Random) -> list[Weighed]:
    """Return the best flick of each brick, the best first, by the logit of the chance that it does its thing.

    Who can win should; else an own King in danger asks for a defence. Without any effort, each brick tries one flick.
    """
    if state.turn is None or state.placements or not state.now.flicks or state.moving is not None:
        return []
    mine = [name for name in flickable(state, seat) if name != king_of(seat, state)]
    found = Shots(state, seat, KING, rng).best(mine, effort)
    if not found and threat(state, other(seat)) > DANGEROUS:
        found = Shots(state, seat, DEFEND, rng).best(mine, effort)
    return [Weighed(written(flick), logit(chance)) for chance, flick in found]


class Shots:
    """How surely flicks of a position do one thing, by a hand that trembles."""

    def __init__(self, state: State, seat: int, thing: str, rng: Random) -> None:
        self.state, self.seat, self.thing, self.rng = state, seat, thing, rng
        self._king = king_of(other(seat) if thing == KING else seat, state)
        attackers = [name for name in flickable(state, other(seat)) if self._endangers(name)] if thing == DEFEND else []
        self._targets = attackers or [self._king]

    def _endangers(self, name: str) -> bool:
        return aiming.danger(self.state.poses, self._king, [name]) > DANGEROUS

    def best(self, mine: list[str], effort: int) -> list[tuple[float, Flick]]:
        """Return the best flick of each of the likeliest bricks, the surest first; none if that one is not sound."""
        likely = sorted(mine, key=self.distance)[: BRICKS * (2 if effort > 1 else 1)]
        found = [shot for name in likely if (shot := self.best_with(name, effort) if effort else self.first_with(name))]
        found.sort(reverse=True)
        return found if found and found[0][0] >= SOUND else []

    def distance(self, name: str) -> tuple[int, float]:
        """Return how far a brick is from what it should hit: first how many others stand on the way."""
        poses = self.state.poses
        ways = (
            (aiming.in_the_way(poses, name, one), aiming.way(poses[name], poses[one]).length) for one in self._targets
        )
        return min(ways)

    def first_with(self, name: str) -> tuple[float, Flick] | None:
        """Return one flick of a brick, and whether it does the thing if it is made exactly so."""
        flicks = self._flicks(name, 2)
        return (self.success(flicks[:1], flicks[0]), flicks[0]) if flicks else None

    def _flicks(self, name: str, count: int) -> list[Flick]:
        if self.thing == KING:
            return aiming.flicks(self.state, self.seat, [name], count, self.rng, at_king=1.0)
        return aiming.flicks_at(self.state, [name], self._targets, count, self.rng)

    def best_with(self, name: str, effort: int) -> tuple[float, Flick] | None:
        """Return the best flick found of a brick, after how often it does the thing although the hand trembles."""
        more = math.ceil(effort / 2)
        flicks = self._flicks(name, FLICKS * more)
        tried = sorted(((self.success([flick], flick), flick) for flick in flicks), reverse=True)[:FINALISTS]
        if not tried or tried[0][0] < HOPELESS:
            return tried[0] if tried else None
        made = [(self.success(self.made(flick, REPEATS * more), flick), flick) for _, flick in tried]
        best = max(made)[1]
        return self.success(self.made(best, 2 * REPEATS * more), best), best

    def made(self, flick: Flick, count: int) -> Iterator[Flick]:
        return (hand.shifted(flick, *(self.rng.gauss(0, 1) for _ in hand.Error._fields)) for _ in range(count))

    def success(self, made: Iterable[Flick], aimed: Flick) -> float:
        """Return how often a flick does the thing, made in each of these ways."""
        return fmean(self._does(one, aimed) for one in made)

    def _does(self, made: Flick, aimed: Flick) -> float:
        try:
            rest = physics.flicked(self.state.poses, made, is_filmed=False, aimed=aimed)
            moving = rules.play_seat(self.state, self.seat, made).but(moving=Shot(made, made))
            after = rules.play_table(moving, rest)
        except (FingerBlocked, Refusal):
            return 0.0
        if after.loser or infraction(made, rest):
            return float(after.loser == other(self.seat))
        return 1 - threat(after, other(self.seat)) if self.thing == DEFEND else 0.0


def is_same_idea(state: State, seat: int, one: str, another: str) -> bool:
    """Return whether a shot is as good an answer as the best one: the same hands make both, so luck does not decide."""
    first, second = read(one), read(another)
    if not isinstance(first, Flick) or not isinstance(second, Flick):
        return first == second
    thing = purpose(state, seat, first)
    return answered(state, seat, thing, second) >= answered(state, seat, thing, first) - AS_SURE


def answered(state: State, seat: int, thing: str, flick: Flick) -> float:
    """Return how often an answer does its thing."""
    shots = Shots(state, seat, thing, Random("answers"))
    return shots.success(shots.made(flick, TRIES), flick)


def purpose(state: State, seat: int, best: Flick) -> str:
    """Return what the best shot of a puzzle is for: made exactly, it knocks the King off, or it saves the own one."""
    return KING if Shots(state, seat, KING, Random()).success([best], best) else DEFEND


def is_near_idea(state: State, seat: int, one: str, another: str) -> bool:
    """Return whether a shot that is not sure enough was meant well: it flicked the right brick."""
    first, second = read(one), read(another)
    return isinstance(first, Flick) and isinstance(second, Flick) and first.brick == second.brick


def puzzle_kind(state: State, seat: int, best: str) -> str:
    flick = read(best)
    assert isinstance(flick, Flick)
    return purpose(state, seat, flick)


def made_by_hand(state: State, seat: int, move: str, rng: Random) -> str:
    """Return a bot's move as a hand that trembles makes it. The match is played as if it was aimed so."""
    if state.turn is None or not isinstance(aimed := read(move), Flick):
        return move
    made = hand.shifted(aimed, *(rng.gauss(0, 1) for _ in hand.Error._fields))
    try:
        admit(state, seat, made)
    except Refusal:
        return move
    return written(made)


def shortened(move: str) -> str:
    """Return an entry of the table without the film of its flick, which no rule reads."""
    made = read(move)
    return written(msgspec.structs.replace(made, motion=b"")) if isinstance(made, Rest) else move
