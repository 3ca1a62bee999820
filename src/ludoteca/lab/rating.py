"""How strong bots are, from who beat whom: Bradley-Terry ratings for pairs, openskill for larger tables, SPRT."""

from collections.abc import Iterable, Mapping, Sequence
from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np

from ludoteca.lab.extras import need

Z95 = 1.959964
ELO = 400 / log(10)  # Elo points for a factor e in the odds
ERROR = 0.05  # of a sequential test, either way
BEFORE = (0.0, 0.5, 0.5, 1.0)  # rounds imagined, for the variance alone: a few equal ones must not decide
A_DRAW = 0.5  # added to every pair that met, so that a bot that never lost has a finite rating


def interval(share: float, games: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share of this many matches."""
    middle = (share + Z95**2 / (2 * games)) / (1 + Z95**2 / games)
    half = Z95 / (1 + Z95**2 / games) * sqrt(share * (1 - share) / games + Z95**2 / (4 * games**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def mean_interval(mean: float, deviation: float, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a mean of this many values with this standard deviation."""
    half = Z95 * deviation / sqrt(count) if count else 0.0
    return mean - half, mean + half


class Rating(NamedTuple):
    value: float
    low: float  # the 95 % interval
    high: float


def bradley_terry(
    names: Sequence[str], points: Mapping[tuple[str, str], float], zero: str | None = None
) -> dict[str, Rating]:
    """Return Elo ratings: the strengths under which these points are likeliest. 0 is the mean, or the bot `zero`.

    `points[a, b]` is what a won against b, a draw half. The interval follows from the curvature of the likelihood.
    """
    place = {name: n for n, name in enumerate(names)}
    won = np.zeros((len(names), len(names)))
    for (first, second), share in points.items():
        won[place[first], place[second]] += share + A_DRAW
    met = won + won.T
    strength = np.zeros(len(names))
    for _ in range(100):  # Newton's method; the sum of the strengths is held at 0
        chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        slope = (won - met * chance).sum(axis=1)
        weight = met * chance * (1 - chance)
        curve = np.diag(weight.sum(axis=1)) - weight
        step = np.linalg.pinv(curve) @ slope
        strength += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    spread = np.linalg.pinv(curve)
    if zero is not None:  # the ratings are leads over this bot, and their errors those of the leads
        n = place[zero]
        strength = strength - strength[n]
        spread = spread - spread[n][None, :] - spread[:, n][:, None] + spread[n, n]
    errors = np.sqrt(np.maximum(np.diag(spread), 0.0))
    ratings = {}
    for name, n in place.items():
        value, half = ELO * strength[n], ELO * Z95 * errors[n]
        ratings[name] = Rating(float(value), float(value - half), float(value + half))
    return ratings


def openskill(names: Iterable[str], matches: Iterable[tuple[Sequence[str], Sequence[bool]]]) -> dict[str, Rating]:
    """Return ratings by openskill's Plackett-Luce model, from matches in order: who sat where, and who won.

    Where a bot sits twice at a table, its rating moves by the mean of what both seats say.
    """
    need("openskill", "lab", "a rating of more than two players")
    from openskill.models import PlackettLuce

    model: Any = PlackettLuce()
    ratings = {name: model.rating(name=name) for name in names}
    for seated, won in matches:
        teams = [[model.create_rating([ratings[name].mu, ratings[name].sigma], name)] for name in seated]
        after = model.rate(teams, ranks=[0 if winner else 1 for winner in won])
        for name in set(seated):
            mine = [team[0] for team, other in zip(after, seated, strict=True) if other == name]
            ratings[name].mu = sum(rating.mu for rating in mine) / len(mine)
            ratings[name].sigma = sum(rating.sigma for rating in mine) / len(mine)
    return {
        name: Rating(rating.mu, rating.mu - Z95 * rating.sigma, rating.mu + Z95 * rating.sigma)
        for name, rating in ratings.items()
    }


def expected(elo: float) -> float:
    """Return the share that a lead of so many Elo points promises."""
    return 1 / (1 + 10 ** (-elo / 400))


class Sprt:
    """A sequential test: is the first bot's lead `low` Elo points or `high`? It stops as soon as that is clear.

    The unit is a round: all seatings with the same draws. Their shares are nearly normal, so the logarithm of the
    likelihood ratio follows from their mean and variance.
    """

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = expected(low), expected(high)
        self.bound = log((1 - ERROR) / ERROR)
        self.rounds, self._sum, self._squares = 0, 0.0, 0.0

    def add(self, share: float) -> None:
        self.rounds += 1
        self._sum += share
        self._squares += share * share

    @property
    def ratio(self) -> float:
        if self.rounds < 2:
            return 0.0
        mean, n = self._sum / self.rounds, self.rounds + len(BEFORE)
        middle = (self._sum + sum(BEFORE)) / n
        variance = (self._squares + sum(share * share for share in BEFORE)) / n - middle * middle
        return self.rounds * (self.high - self.low) * (2 * mean - self.low - self.high) / (2 * variance)

    @property
    def verdict(self) -> str | None:
        """Return which hypothesis is accepted, or None while it is open."""
        if self.ratio >= self.bound:
            return "high"
        return "low" if self.ratio <= -self.bound else None
