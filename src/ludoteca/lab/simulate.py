"""Plays the matches of a plan into a file of records and sums them up."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ludoteca.core.record import Record, to_json
from ludoteca.lab.plan import Plan


class Summary:
    """What a designer wants to know first: who wins from which seat, with which scores, after how many entries."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.games = self.entries = self.level = 0
        self.wins = [0.0] * len(plan.bots)
        self.scores = [0] * len(plan.bots)

    def add(self, record: Record) -> None:
        assert record.result is not None
        self.games += 1
        self.entries += len(record.log)
        self.level += len(record.result.winners) != 1
        for seat in record.result.winners:
            self.wins[seat - 1] += 1 / len(record.result.winners)
        for place, score in enumerate(record.result.scores):
            self.scores[place] += score

    def lines(self) -> list[str]:
        if not self.games:
            return ["no matches"]
        lines = [f"{self.games} matches, {self.entries / self.games:.1f} entries each, {self.level} with a shared win"]
        for place, bot in enumerate(self.plan.bots):
            won, scored = self.wins[place] / self.games, self.scores[place] / self.games
            lines.append(f"seat {place + 1} {bot:<10} won {won:6.1%}   mean score {scored:8.2f}")
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
