"""Bots against each other: every pair, seats alternating, a tie half."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from math import sqrt

import msgspec

from ludoteca.core.record import Record
from ludoteca.lab.plan import BadPlan, Plan, planned
from ludoteca.lab.workers import played

Z95 = 1.959964


def interval(share: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share of this many matches."""
    middle = (share + Z95**2 / (2 * games)) / (1 + Z95**2 / games)
    half = Z95 / (1 + Z95**2 / games) * sqrt(share * (1 - share) / games + Z95**2 / (4 * games**2))
    return max(0.0, middle - half), min(1.0, middle + half)


class Duel(msgspec.Struct, frozen=True):
    first: str
    second: str
    games: int
    points: float  # of the first: 1 for a match won, a share of a win that is shared

    @property
    def share(self) -> float:
        return self.points / self.games

    def interval(self) -> tuple[float, float]:
        """The interval of the first bot's share."""
        return interval(self.share, self.games)


def seatings(first: str, second: str, players: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The two bots take turns round the table; then they change places."""
    pair = (first, second)
    return tuple(pair[n % 2] for n in range(players)), tuple(pair[(n + 1) % 2] for n in range(players))


def points_of(name_seats: Sequence[int], record: Record) -> float:
    assert record.result is not None
    winners = record.result.winners
    return sum(seat in name_seats for seat in winners) / len(winners) if winners else 0.5


def duel(
    game: str,
    options: Mapping[str, object],
    pair: tuple[str, str],
    games: int,
    seed: str,
    workers: int,
    watch: Callable[[Iterable[Record]], Iterable[Record]] = lambda records: records,
) -> Duel:
    """Half of the matches from each seating, with the same draws in both halves."""
    if pair[0] == pair[1]:
        raise BadPlan(f"{pair[0]} against itself")
    first_plan = planned(game, options, pair[:1], games, seed)
    points = 0.0
    for names, count in zip(seatings(*pair, len(first_plan.bots)), (games - games // 2, games // 2), strict=True):
        if count == 0:
            continue
        plan = Plan(game, first_plan.options, names, count, seed)
        mine = [place + 1 for place, name in enumerate(names) if name == pair[0]]
        for record in watch(played(plan, workers)):
            points += points_of(mine, record)
    return Duel(*pair, games, points)


def table(duels: Sequence[Duel]) -> list[str]:
    width = max(len(name) for d in duels for name in (d.first, d.second))
    lines = []
    for d in duels:
        low, high = d.interval()
        lines.append(
            f"{d.first:>{width}} - {d.second:<{width}}  {d.share:6.1%} of {d.games} matches"
            f"   95 % between {low:.1%} and {high:.1%}"
        )
    return lines


def pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    if len(set(names)) != len(names) or len(names) < 2:
        raise BadPlan(f"bots {', '.join(names)}: at least two are wanted, each once")
    return list(combinations(names, 2))
