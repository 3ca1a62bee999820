"""Checks Parquet files of matches at the speed of the kernels: every move by the rules, every draw by the seed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludoteca.core.errors import BadRecord
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.match import Match
from ludoteca.core.random import key_of
from ludoteca.core.record import Record, from_json
from ludoteca.lab.batch import Batch, batch_of
from ludoteca.lab.games import game_named
from ludoteca.lab.parquet import groups, plan_in
from ludoteca.lab.plan import Plan
from ludoteca.lab.replay import record_of
from ludoteca.lab.tables import BadFile, batch_from
from ludoteca.search.whole import GOOD, NOT_DRAWN, NOT_LEGAL, TOO_LONG, TOO_SHORT
from ludoteca.search.workbench import checked, tally

FAULTS = {
    NOT_LEGAL: "is not legal",
    NOT_DRAWN: "is not what the seed draws",
    TOO_SHORT: "is the last one, and the match goes on",
    TOO_LONG: "ends the match, and more follow",
}
COMPARED = ("winners", "reasons", "starters", "scores", "entries", "decisions")


class Fault(NamedTuple):
    number: int  # of the match
    what: str


class Group(NamedTuple):
    matches: int
    faults: list[Fault]


def checked_groups(path: Path) -> Iterator[Group]:
    """Return what is wrong with the matches of a file, group by group."""
    plan = plan_in(path)
    game = game_named(plan.game)
    for table in groups(path):
        batch = batch_from(table)
        if batch.scores.shape[1] != len(plan.bots):
            raise BadFile(f"{path} has scores of {batch.scores.shape[1]} seats, not of {len(plan.bots)}")
        if isinstance(game, KernelGame):
            yield Group(len(batch), _kernel_faults(plan, game, batch))
        else:
            yield Group(len(batch), list(_record_faults(plan, batch)))


def _kernel_faults(plan: Plan, game: KernelGame, batch: Batch) -> list[Fault]:
    moves = np.ascontiguousarray(batch.moves)
    book, faults = checked(game, plan.options, key_of(plan.seed), batch.numbers, moves, batch.ends)
    names = tally(game_named(plan.game).key).REASONS
    again = Batch(
        batch.numbers,
        book.winners,
        [names[place] for place in book.reasons.tolist()],
        book.starters + 1,
        book.scores[:, : len(plan.bots)],
        book.entries,
        book.decisions,
    )
    found = [
        Fault(int(batch.numbers[row]), f"move {faults[row, 1]} {FAULTS[int(faults[row, 0])]}")
        for row in np.flatnonzero(faults[:, 0] != GOOD).tolist()
    ]
    return sorted([*found, *_differences(again, batch, faults[:, 0] == GOOD)])


def _record_faults(plan: Plan, batch: Batch) -> Iterator[Fault]:
    """Return what is wrong with matches whose records are kept whole."""
    for place, line in enumerate(batch.records or ()):
        number = int(batch.numbers[place])
        try:
            record = Match.load(from_json(line)).record
        except BadRecord as error:
            yield Fault(number, str(error))
            continue
        row = Batch(*(column if column is None else column[place : place + 1] for column in batch))  # type: ignore[arg-type]
        yield from _differences(batch_of(plan, [number], [record], True), row, np.ones(1, bool))


def _differences(again: Batch, batch: Batch, good: Any) -> Iterator[Fault]:
    """Return where the file says something else than the replay."""
    for name in COMPARED:
        replayed, written = np.asarray(getattr(again, name)), np.asarray(getattr(batch, name))
        differs = replayed != written
        for row in np.flatnonzero(good & (differs.any(axis=1) if differs.ndim == 2 else differs)).tolist():
            shown = f"{name} {written[row].tolist()}, but the moves come to {replayed[row].tolist()}"
            yield Fault(int(batch.numbers[row]), f"the file has {shown}")


def record_in(path: Path, number: int) -> Record:
    """Return the match with this number as a record."""
    plan = plan_in(path)
    for table in groups(path):
        rows = np.flatnonzero(table["number"].to_numpy() == number)
        if len(rows):
            batch = batch_from(table.slice(int(rows[0]), 1))
            if batch.records is not None:
                return from_json(batch.records[0])
            return record_of(plan, batch.moves.tolist())
    raise BadFile(f"{path} has no match {number}: it holds {plan.games}")
