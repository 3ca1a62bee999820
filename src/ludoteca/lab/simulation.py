"""Plays the matches of a plan, into a file if there is one."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path

from ludoteca.lab import lines
from ludoteca.lab.batch import Batch, play_batch, record_batch
from ludoteca.lab.extras import need
from ludoteca.lab.plan import BadPlan, Plan
from ludoteca.lab.workers import Workers, in_order

PARQUET, LINES = ".parquet", ".jsonl"


def simulated(plan: Plan, workers: Workers, out: Path | None = None, keep: bool = False) -> Iterable[Batch]:
    """Return the results in order. A file is written as they are taken."""
    numbers = range(1, plan.games + 1)
    if out is None:
        return in_order(partial(play_batch, plan, keep), numbers, workers, plan.game)
    if out.suffix == PARQUET:
        return _in_parquet(plan, workers, out)
    if out.suffix == LINES:
        return lines.written(in_order(partial(record_batch, plan), numbers, workers, plan.game, True), out)
    raise BadPlan(f"{out}: the name of the file must end in {PARQUET} or {LINES}")


def _in_parquet(plan: Plan, workers: Workers, out: Path) -> Iterator[Batch]:
    """Go on where the file stops. What it has already comes first."""
    need("pyarrow", "lab", "a Parquet file")
    from ludoteca.lab.parquet import MatchFile

    file = MatchFile(out, plan)
    kept, missing = list(file.kept(plan.games)), range(file.done + 1, plan.games + 1)
    played = in_order(partial(play_batch, plan, True), missing, workers, plan.game)
    return chain(kept, file.written(played))
