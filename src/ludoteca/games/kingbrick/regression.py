"""Kernel regression over flicks: what one flick was worth tells about flicks that are aimed nearly alike.

The hand trembles (KB-52), so the mean worth of an aim changes smoothly with the aim. The width of the kernel follows
the tremble. This is the idea of KR-UCT (Yee, Lisy, Bowling: Monte Carlo Tree Search in Continuous Action Spaces with
Execution Uncertainty, 2016).
"""

import math
from typing import NamedTuple

from ludoteca.games.kingbrick.hand import Error, error
from ludoteca.games.kingbrick.physics import Flick

WIDTH = 0.7  # of the kernel, in standard deviations of the tremble,
NARROWEST = Error(0.7, 0.06, 0.5, 0.5)  # and at least this much
DOUBT = 0.5  # how many flicks the worth that is expected at first counts for


class Sample(NamedTuple):
    """A flick that the physics worked out: how it was aimed, how the hand made it, and what it was worth."""

    aim: Flick
    made: Flick
    worth: float


class Estimate(NamedTuple):
    mean: float
    weight: float  # how many flicks it rests on

    def bound(self, total: float, by: float) -> float:
        """Return the upper confidence bound of the mean among `total` flicks; the lower one if `by` is negative."""
        return self.mean + by * math.sqrt(math.log(max(total, 2.0)) / max(self.weight, DOUBT))


class Regression:
    """The flicks of a search, and the mean worth of any aim by those that are near to it."""

    def __init__(self, expected: float) -> None:
        self.expected = expected  # the worth of a flick of which nothing is known
        self.samples: dict[str, list[Sample]] = {}  # by brick
        self.count = 0
        self._sums: dict[str, dict[Flick, Sums]] = {}  # of the aims that were asked for, by brick

    def add(self, sample: Sample) -> None:
        self.samples.setdefault(sample.aim.brick, []).append(sample)
        self.count += 1
        for aim, sums in self._sums.get(sample.aim.brick, {}).items():
            sums.add(aim, sample)

    def estimate(self, aim: Flick) -> Estimate:
        asked = self._sums.setdefault(aim.brick, {})
        if aim not in asked:
            asked[aim] = Sums()
            for sample in self.samples.get(aim.brick, ()):
                asked[aim].add(aim, sample)
        total, weight = asked[aim].total, asked[aim].weight
        return Estimate((total + DOUBT * self.expected) / (weight + DOUBT), weight)


class Sums:
    """The worth of flicks near to an aim, weighted by how near they are."""

    def __init__(self) -> None:
        self.total = self.weight = 0.0

    def add(self, aim: Flick, sample: Sample) -> None:
        near = kernel(aim, sample.aim)
        self.total += near * sample.worth
        self.weight += near


def kernel(one: Flick, another: Flick) -> float:
    """Return how much a flick with one aim tells about another aim of the same brick: 1 if they are the same."""
    spread = error(max(one.speed, another.speed))
    turn = (one.direction - another.direction + 180) % 360 - 180
    apart = (turn, one.speed - another.speed, one.height - another.height, one.side - another.side)
    widths = (max(WIDTH * by, least) for by, least in zip(spread, NARROWEST, strict=True))
    return math.exp(-0.5 * sum((by / width) ** 2 for by, width in zip(apart, widths, strict=True)))
