"""Plays the matches of a plan into a file of records and sums them up."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ludoteca.core import registry
from ludoteca.core.record import Record, to_json
from ludoteca.lab.plan import Plan


class Tally:
    """The matches that one seat, or the seat that began, has won."""

    def __init__(self) -> None:
        self.won = 0
        self.points = 0.0

    def add(self, share: float) -> None:
        self.won += share == 1
        self.points += share

    def columns(self, games: int) -> str:
        return f"won {self.won / games:6.1%}   share {self.points / games:6.1%}"


def shares(winners: Sequence[int], sides: Sequence[int]) -> list[float]:
    """Return how much of the win each seat has: 1 for a win, an equal part of a tie, half of a draw without winners.

    `sides` names the side of each seat. Partners win together, so each of them has the whole win of their side.
    """
    if not winners:
        return [0.5 if len(sides) > 1 else 0.0] * len(sides)  # alone there is no draw: a match is won or lost
    won = {sides[seat - 1] for seat in winners}
    return [1 / len(won) if seat in winners else 0.0 for seat in range(1, len(sides) + 1)]


class Summary:
    """What a designer wants to know first: who wins from which seat, with which scores, after how many entries."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.game = registry.game(plan.game)
        start = self.game.start(plan.options)
        self.sides = [self.game.side(start, seat) for seat in range(1, len(plan.bots) + 1)]
        self.games = self.entries = self.drawn = self.shared = 0
        self.seats = [Tally() for _ in plan.bots]
        self.starter = Tally()
        self.scores = [0] * len(plan.bots)

    def add(self, record: Record) -> None:
        assert record.result is not None
        winners, players = record.result.winners, len(self.seats)
        self.games += 1
        self.entries += len(record.log)
        is_drawn = players > 1 and len(winners) in (0, players)
        self.drawn += is_drawn
        self.shared += not is_drawn and len({self.sides[seat - 1] for seat in winners}) > 1
        parts = shares(winners, self.sides)
        for tally, share in zip(self.seats, parts, strict=True):
            tally.add(share)
        starter = self.game.starter(self.plan.options, record.log)
        if starter is not None:
            self.starter.add(parts[starter - 1])
        for place, score in enumerate(record.result.scores):
            self.scores[place] += score

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


@contextmanager
def whole_lines(path: Path) -> Iterator["LineFile"]:
    """A file to write lines to; whatever interrupts the writing, it holds whole ones only."""
    file = LineFile(path)
    try:
        yield file
    finally:
        file.close()


class LineFile:
    def __init__(self, path: Path) -> None:
        self._path, self._file, self._whole = path, path.open("wb"), 0

    def write(self, line: bytes) -> None:
        self._file.write(line + b"\n")
        self._whole += len(line) + 1

    def close(self) -> None:
        self._file.close()
        if self._path.is_file():
            os.truncate(self._path, self._whole)


def write_records(records: Iterable[Record], out: Path | None, summary: Summary) -> None:
    if out is None:
        for record in records:
            summary.add(record)
        return
    with whole_lines(out) as file:
        for record in records:
            file.write(to_json(record))
            summary.add(record)
