"""Shots as puzzles: which brick brings the other King down, and which flicks are the same answer.

Flicks cannot be listed, so two of them count as different ideas if they flick different bricks. Puzzles are played with
a steady hand. A shot must be sound all the same: it is tried with small errors.
"""

import math
from collections.abc import Iterable
from random import Random

import msgspec

from ludoteca.core.levels import Weighed
from ludoteca.games.kingbrick import aiming, hand, physics, rules
from ludoteca.games.kingbrick.aftermath import infraction
from ludoteca.games.kingbrick.notation import read, written
from ludoteca.games.kingbrick.physics import FingerBlocked, Flick, Rest
from ludoteca.games.kingbrick.refusals import Refusal
from ludoteca.games.kingbrick.state import Shot, State, flickable, king_of, other

PUZZLE_OPTIONS = {"hand": hand.STEADY}  # of the matches that shots are mined from
KINDS = {"win": "king"}
BRICKS = 5  # those with the freest way to the King
FLICKS = 5  # tried with each of them, and
REPEATS = 5  # of the best one, times the effort
TREMBLE = 0.35  # of a natural hand's error, that a shot must bear
SURE = 0.999


def ideas(state: State, seat: int, effort: int, rng: Random) -> list[Weighed]:
    """Return the best shot at the King with each brick, the best first, by the logit of the chance that the King falls.

    Without any effort only the ways between the bricks are looked at.
    """
    if state.turn is None or state.placements or not state.now.flicks or state.moving is not None:
        return []
    king = king_of(other(seat), state)
    mine = [name for name in flickable(state, seat) if name != king_of(seat, state)]
    if not effort:
        found = [(aiming.danger(state.poses, king, [name]), Flick(name, 0.0, 1.0, 0.0, 0.0, 0.0)) for name in mine]
    else:
        found = [_best_with(state, seat, name, effort, rng) for name in _freest(state, mine, king)]
    weighed = [Weighed(written(flick), _logit(chance)) for chance, flick in found]
    return sorted(weighed, key=lambda one: -one.lead)


def _freest(state: State, mine: list[str], king: str) -> Iterable[str]:
    """Return the bricks with the fewest others on their way to the King, the nearest first."""
    poses = state.poses
    return sorted(mine, key=lambda name: (aiming.in_the_way(poses, name, king), aiming.way(poses[name], poses[king])))[
        :BRICKS
    ]


def _best_with(state: State, seat: int, name: str, effort: int, rng: Random) -> tuple[float, Flick]:
    """Return the best flick found of a brick, and how often it fells the King although the hand errs a little."""
    flicks = aiming.flicks(state, seat, [name], FLICKS * effort, rng, at_king=1.0)
    felling = [flick for flick in flicks if fells(state, seat, flick)]
    if not felling:
        return 0.0, flicks[0] if flicks else Flick(name, 0.0, 1.0, 0.0, 0.0, 0.0)
    tried = [(_soundness(state, seat, flick, REPEATS, rng), flick) for flick in felling[: 2 + effort]]
    _, best = max(tried, key=lambda one: one[0])
    return _soundness(state, seat, best, REPEATS * effort, rng), best


def _soundness(state: State, seat: int, flick: Flick, repeats: int, rng: Random) -> float:
    made = (hand.shifted(flick, *(rng.gauss(0, TREMBLE) for _ in hand.Error._fields)) for _ in range(repeats))
    return sum(fells(state, seat, one) for one in made) / repeats


def fells(state: State, seat: int, flick: Flick) -> bool:
    """Return whether a flick, made exactly so, wins: the other King falls, and no foul gives it back."""
    try:
        rest = physics.flicked(state.poses, flick, is_filmed=False)
        after = rules.play_table(rules.play_seat(state, seat, flick).but(moving=Shot(flick, flick)), rest)
    except (FingerBlocked, Refusal):
        return False
    return after.loser == other(seat) and not infraction(flick, rest)


def is_same_idea(state: State, seat: int, one: str, another: str) -> bool:
    """Return whether two shots are the same answer. What counts is that the King falls, with the same brick or not."""
    first, second = read(one), read(another)
    if not isinstance(first, Flick) or not isinstance(second, Flick):
        return first == second
    return fells(state, seat, second) and fells(state, seat, first)


def is_near_idea(state: State, seat: int, one: str, another: str) -> bool:
    """Return whether a shot that did not fell the King was meant well: it flicked the right brick."""
    first, second = read(one), read(another)
    return isinstance(first, Flick) and isinstance(second, Flick) and first.brick == second.brick


def shortened(move: str) -> str:
    """Return an entry of the table without the film of its flick, which no rule reads."""
    made = read(move)
    return written(msgspec.structs.replace(made, motion=b"")) if isinstance(made, Rest) else move


def _logit(chance: float) -> float:
    held = min(max(chance, 1 - SURE), SURE)
    return math.log(held / (1 - held))
