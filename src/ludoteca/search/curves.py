"""From the value of a position to a chance of winning: a logistic curve for each game, fitted to finished matches.

The numbers are in `curve.json` of a game's folder; `python bench/judging.py --fit` writes them.
"""

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from ludoteca.search import bots

FILE = "curve.json"
STEEPEST = 30.0  # the largest logit: beyond it a chance is 0 or 1
SMALLEST = 1e-6
RIDGE = 1e-3  # keeps the fit finite where a lead always wins


class Curve(msgspec.Struct, frozen=True):
    """The logit of the chance to win is a polynomial of the match's progress times the lead, plus another one."""

    lead: tuple[float, ...] = (1.0,)
    tempo: tuple[float, ...] = ()
    most: float = math.inf  # a lead beyond this is worth no more

    def logit(self, lead: float, progress: float, sides: int) -> float:
        lead = min(max(lead, -self.most), self.most)
        found = lead * _polynomial(self.lead, progress) + _polynomial(self.tempo, progress)
        return min(max(found - math.log(max(1, sides - 1)), -STEEPEST), STEEPEST)

    def chance(self, lead: float, progress: float, sides: int) -> float:
        return 1.0 / (1.0 + math.exp(-self.logit(lead, progress, sides)))


def _polynomial(numbers: tuple[float, ...], at: float) -> float:
    return sum(number * at**power for power, number in enumerate(numbers))


@cache
def curve_of(key: str, sides: int) -> Curve:
    """Return a game's curve for so many sides; the one for two where there is no other."""
    path = _path(key)
    if not path.exists():
        return Curve()
    by_sides = msgspec.json.decode(path.read_bytes(), type=dict[str, Curve])
    return by_sides.get(str(sides)) or by_sides.get("2") or Curve()


def fitted(leads: Any, progress: Any, won: Any, sides: int, most: float, powers: int, tempo: int) -> Curve:
    """Return the likeliest curve for these positions: Newton's method on a logistic regression."""
    leads = np.clip(leads, -most, most)
    columns = [leads * progress**power for power in range(powers)] + [progress**power for power in range(tempo)]
    scale = np.array([max(float(np.abs(column).max()), SMALLEST) for column in columns])
    table = np.stack(columns, axis=1) / scale
    offset, found = math.log(max(1, sides - 1)), np.zeros(len(columns))
    for _ in range(50):
        chance = 1.0 / (1.0 + np.exp(-np.clip(table @ found - offset, -STEEPEST, STEEPEST)))
        slope = table.T @ (won - chance) - RIDGE * found
        bend = (table * (chance * (1 - chance))[:, None]).T @ table + RIDGE * np.eye(len(columns))
        step = np.linalg.solve(bend, slope)
        found = found + step
        if float(np.abs(step).max()) < SMALLEST:
            break
    numbers = [float(f"{number:.4g}") for number in found / scale]
    return Curve(tuple(numbers[:powers]), tuple(numbers[powers:]), most)


def _path(key: str) -> Path:
    return Path(bots.guide(key).__file__ or "").with_name(FILE)


def write(key: str, sides: int, curve: Curve) -> Path:
    """Keep a game's curve for so many sides, beside those for other numbers."""
    path = _path(key)
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    known[str(sides)] = msgspec.to_builtins(curve)
    path.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", "utf-8")
    return path
