"""From the value of a position to a chance of winning: a curve for each game, fitted to finished matches.

The numbers are in `curve.json` of a game's folder; `python bench/judging.py --fit` writes them.
"""

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from ludoteca.core.errors import UnfinishedGame
from ludoteca.search import bots

FILE = "curve.json"
STEEPEST = 30.0  # the largest logit: beyond it a chance is 0 or 1
SMALLEST = 1e-6
KNOTS = (0.0, 0.2, 0.4, 0.6, 0.75, 0.9, 1.0)  # the progress of a match at which a curve has numbers
LEAST = 0.05  # the logit that a usual lead is worth at least: more points never make it worse
SMOOTH = 2.0  # how much a curve resists a bend at a knot; far less than a few dozen positions there
SOFTENED = (0.25, 0.5, 1.0, 2.0, 4.0)  # the leads, in usual ones, from which a lead may count by its logarithm


class Curve(msgspec.Struct, frozen=True):
    """The logit of the chance to win: what a point of lead is worth, times the lead, plus what the move is worth.

    Both worths change over the match: they have a number for each of some points of its progress, and straight lines
    between them. A lead above `soft` counts by its logarithm: far ahead, one more point hardly matters.
    """

    progress: tuple[float, ...] = (0.0,)
    lead: tuple[float, ...] = (1.0,)
    tempo: tuple[float, ...] = (0.0,)
    soft: float | None = None  # None: every point counts the same

    def __post_init__(self) -> None:
        if not len(self.progress) == len(self.lead) == len(self.tempo) > 0:
            raise UnfinishedGame(f"{FILE} needs as many numbers in `lead` and in `tempo` as in `progress`: {self}")

    def logit(self, lead: float, progress: float, sides: int) -> float:
        counted = lead if self.soft is None else self.soft * math.asinh(lead / self.soft)
        found = counted * _between(self.progress, self.lead, progress) + _between(self.progress, self.tempo, progress)
        return min(max(found - _handicap(sides), -STEEPEST), STEEPEST)

    def chance(self, lead: float, progress: float, sides: int) -> float:
        return 1.0 / (1.0 + math.exp(-self.logit(lead, progress, sides)))


def _handicap(sides: int) -> float:
    """Return the logit that a side lacks where all are equal: with three sides, one wins a third of the matches."""
    return math.log(max(1, sides - 1))


def _between(places: tuple[float, ...], numbers: tuple[float, ...], at: float) -> float:
    """Return the number at a place: straight lines between the known ones, the outermost beyond them."""
    for k in range(1, len(places)):
        if at < places[k]:
            part = max(0.0, (at - places[k - 1]) / (places[k] - places[k - 1]))
            return numbers[k - 1] + part * (numbers[k] - numbers[k - 1])
    return numbers[-1]


@cache
def curve_of(key: str, sides: int) -> Curve:
    """Return a game's curve for so many sides; where there is none, the one for the next smaller number."""
    path = _path(key)
    if not path.exists():
        return Curve()
    by_sides = msgspec.json.decode(path.read_bytes(), type=dict[str, Curve])
    known = (by_sides.get(str(number)) for number in range(sides, 1, -1))
    return next(filter(None, known), Curve())


def fitted(leads: Any, progress: Any, won: Any, sides: int) -> Curve:
    """Return the likeliest curve for these positions. A large lead may count by its logarithm."""
    knots = KNOTS if np.ptp(progress) > 0 else (0.0,)
    usual = float(np.median(np.abs(leads)))
    softs = (None, *(float(f"{times * usual:.3g}") for times in SOFTENED if usual > 0))
    return max((_fitted(leads, progress, won, sides, knots, soft) for soft in softs), key=lambda found: found[0])[1]


def _fitted(
    leads: Any, progress: Any, won: Any, sides: int, knots: tuple[float, ...], soft: float | None
) -> tuple[float, Curve]:
    """Return how likely the results are, and the curve: Newton's method on a logistic regression."""
    counted = leads if soft is None else soft * np.arcsinh(leads / soft)
    hats = np.stack([np.interp(progress, knots, row) for row in np.eye(len(knots))], axis=1)
    table = np.concatenate((counted[:, None] * hats, hats), axis=1)
    scale = np.repeat([max(float(np.abs(counted).mean()), SMALLEST), 1.0], len(knots))
    table = table / scale
    resistance = np.kron(np.eye(2), _resistance(knots))
    found, is_free = np.zeros(table.shape[1]), np.ones(table.shape[1], bool)
    least = np.repeat([LEAST, -np.inf], len(knots))
    for _ in range(50):
        chance = 1.0 / (1.0 + np.exp(-np.clip(table @ found - _handicap(sides), -STEEPEST, STEEPEST)))
        slope = table.T @ (won - chance) - resistance @ found
        bend = (table * (chance * (1 - chance))[:, None]).T @ table + resistance
        step = np.zeros(len(found))
        step[is_free] = np.linalg.solve(bend[np.ix_(is_free, is_free)], slope[is_free])
        found = found + step
        if float(np.abs(step).max()) < SMALLEST:
            too_low = is_free & (found < least)
            if not too_low.any():
                break
            found, is_free = np.where(too_low, least, found), is_free & ~too_low
    chance = np.clip(chance, SMALLEST, 1 - SMALLEST)
    likely = float(won @ np.log(chance) + (1 - won) @ np.log(1 - chance) - found @ resistance @ found / 2)
    numbers = [float(f"{number:.4g}") for number in found / scale]
    return likely, Curve(knots, tuple(numbers[: len(knots)]), tuple(numbers[len(knots) :]), soft)


def _resistance(knots: tuple[float, ...]) -> Any:
    """Return what keeps a fit smooth, also where there are no positions: the cost of bends, and a little of all."""
    n = len(knots)
    cost = SMALLEST * np.eye(n)
    for k in range(1, n - 1):
        bend = np.zeros(n)
        before, after = knots[k] - knots[k - 1], knots[k + 1] - knots[k]
        bend[k - 1 : k + 2] = (1 / before, -1 / before - 1 / after, 1 / after)
        cost += SMOOTH * np.outer(bend, bend) * ((before + after) / 2) ** 2
    return cost


def _path(key: str) -> Path:
    return Path(bots.guide(key).__file__ or "").with_name(FILE)


def write(key: str, sides: int, curve: Curve) -> Path:
    """Keep a game's curve for so many sides, beside those for other numbers."""
    path = _path(key)
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    known[str(sides)] = msgspec.to_builtins(curve)
    path.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", "utf-8")
    return path
