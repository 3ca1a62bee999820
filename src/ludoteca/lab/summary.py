"""Sums up the matches of a plan: what a designer wants to know first."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ludoteca.lab.batch import Batch
from ludoteca.lab.games import game_named
from ludoteca.lab.plan import Plan


def sides_of(plan: Plan) -> list[int]:
    """Return the side of every seat, numbered from 0: partners are one side.

    A lot at the beginning may decide which side is which. If it decides who are partners, all seats are given side 0.
    """
    found = {_sides(plan, place) for place in range(len(plan.bots))}
    return list(found.pop()) if len(found) == 1 else [0] * len(plan.bots)


def _sides(plan: Plan, lot: int) -> tuple[int, ...]:
    """Return the sides when somebody first decides, if every draw had this outcome, or the last one there is."""
    game = game_named(plan.game)
    state = game.start(plan.options)
    while (entry := game.chance(state, lambda weights: min(lot, len(weights) - 1))) is not None:
        state = game.play(state, 0, entry).state
    names = [game.side(state, seat) for seat in range(1, len(plan.bots) + 1)]
    order = list(dict.fromkeys(names))
    return tuple(order.index(name) for name in names)


def shares(winners: Any, sides: Sequence[int]) -> Any:
    """Return how much of the win each seat has, one row for each match.

    A win is 1. A tie is shared in equal parts; of a draw without winners everybody has half.
    `winners` are bits by seat and `sides` names the side of each seat. Partners win together, so each of them has the
    whole win of their side.
    """
    table = np.array([_share(bits, sides) for bits in range(1 << len(sides))])
    return table[np.asarray(winners)]


def _share(bits: int, sides: Sequence[int]) -> list[float]:
    if not bits:
        return [0.5 if len(sides) > 1 else 0.0] * len(sides)  # alone there is no draw: a match is won or lost
    won = {side for place, side in enumerate(sides) if bits >> place & 1}
    return [1 / len(won) if bits >> place & 1 else 0.0 for place in range(len(sides))]


def drawn(winners: Any, players: int) -> Any:
    """Return which matches were drawn: nobody won, or everybody did. Alone one does not draw."""
    return (players > 1) & ((winners == 0) | (winners == (1 << players) - 1))


class Tally:
    """The matches that one seat, or the seat that began, has won."""

    def __init__(self) -> None:
        self.won = 0
        self.points = 0.0

    def add(self, share: Any) -> None:
        self.won += int((share == 1).sum())
        self.points += float(share.sum())

    def columns(self, games: int) -> str:
        return f"won {self.won / games:6.1%}   share {self.points / games:6.1%}"


class Summary:
    """Who wins from which seat, with which scores, after how many entries."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.sides = plan, sides_of(plan)
        self.games = self.entries = self.drawn = self.shared = 0
        self.seats = [Tally() for _ in plan.bots]
        self.starter = Tally()
        self.scores: Any = np.zeros(len(plan.bots))

    def add(self, batch: Batch) -> None:
        parts, is_drawn = shares(batch.winners, self.sides), drawn(batch.winners, len(self.seats))
        self.games += len(batch)
        self.entries += int(batch.entries.sum())
        self.drawn += int(is_drawn.sum())
        self.shared += int((~is_drawn & ((parts > 0) & (parts < 1)).any(axis=1)).sum())
        for place, tally in enumerate(self.seats):
            tally.add(parts[:, place])
        began = np.flatnonzero(batch.starters)
        self.starter.add(parts[began, batch.starters[began] - 1])
        self.scores += batch.scores.sum(axis=0)

    def lines(self) -> list[str]:
        if not self.games:
            return ["no matches"]
        shared = f", {self.shared} won by several" if self.shared else ""
        lines = [f"{self.games} matches, {self.entries / self.games:.1f} entries each, {self.drawn} drawn{shared}"]
        for place, bot in enumerate(self.plan.bots):
            mean = self.scores[place] / self.games
            lines.append(f"seat {place + 1} {bot:<10} {self.seats[place].columns(self.games)}   mean score {mean:8.2f}")
        if len(self.seats) > 1:
            lines.append(f"{'who begins':<17} {self.starter.columns(self.games)}")
        return lines
