"""The results of some matches of a plan, as columns. Each match is a pure function of the plan and its number."""

import threading
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.random import key_of
from ludoteca.core.record import Record, to_json
from ludoteca.lab.games import game_named
from ludoteca.lab.plan import Plan, play_one
from ludoteca.search.workbench import Workbench, tally


class Batch(NamedTuple):
    """One row for each match, in the order of their numbers. Seats count from 1; bit n-1 of `winners` is seat n."""

    numbers: Any
    winners: Any
    reasons: list[str]
    starters: Any
    scores: Any  # a column for each seat
    entries: Any  # in the record
    decisions: Any  # of the players
    ends: Any = None  # where the moves of each match end in ...
    moves: Any = None  # ... the moves of all, as the kernel numbers them; None where they were not kept
    records: list[bytes] | None = None  # the records whole: of games whose moves have no numbers, or on request

    def __len__(self) -> int:
        return len(self.numbers)


def play_batch(plan: Plan, keep: bool, numbers: range) -> Batch:
    """Play the matches with these numbers, from 1, by the fastest way that the game has."""
    game = game_named(plan.game)
    if not isinstance(game, KernelGame):
        return batch_of(plan, numbers, [play_one(plan, number) for number in numbers], keep)
    return _compiled_batch(plan, game, keep, numbers)


def _compiled_batch(plan: Plan, game: KernelGame, keep: bool, numbers: range) -> Batch:
    wanted = np.arange(numbers.start, numbers.stop, dtype=np.int64)
    book = workbench(plan, game).play(key_of(plan.seed), wanted, keep)
    names = tally(game_named(plan.game).key).REASONS
    return Batch(
        wanted,
        book.winners,
        [names[place] for place in book.reasons.tolist()],
        book.starters + 1,
        book.scores[:, : len(plan.bots)],
        book.entries,
        book.decisions,
        book.ends if keep else None,
        book.moves if keep else None,
    )


_benches = threading.local()  # a workbench serves one thread


def workbench(plan: Plan, game: KernelGame) -> Workbench:
    """Return this thread's workbench for a plan. It keeps one: the matches of a plan come one after the other."""
    wanted = (plan.game, plan.options, plan.bots)
    if getattr(_benches, "serves", None) != wanted:
        _benches.serves, _benches.bench = wanted, Workbench(game, plan.options, plan.bots)
    bench: Workbench = _benches.bench
    return bench


def record_batch(plan: Plan, numbers: range) -> Batch:
    """Play the same numbers through `Match`, with a seal: the draws differ from those of `play_batch`."""
    return batch_of(plan, numbers, [play_one(plan, number) for number in numbers], True)


def batch_of(plan: Plan, numbers: Sequence[int], records: Iterable[Record], keep: bool) -> Batch:
    """Return the results of records."""
    records, game = list(records), game_named(plan.game)
    results = [record.result for record in records if record.result is not None]
    assert len(results) == len(numbers)
    return Batch(
        np.array(numbers, np.int64),
        np.array([sum(1 << seat - 1 for seat in result.winners) for result in results], np.uint8),
        [result.reason for result in results],
        np.array([game.starter(plan.options, record.log) or 0 for record in records], np.int8),
        np.array([result.scores for result in results], np.int32),
        np.array([len(record.log) for record in records], np.int32),
        np.array([sum(entry.by > 0 for entry in record.log) for record in records], np.int32),
        records=[to_json(record) for record in records] if keep else None,
    )
