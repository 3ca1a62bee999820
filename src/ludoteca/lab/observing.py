"""Counts what a study asks of every match, in whole numbers: so the sums do not depend on who played which matches."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.random import key_of
from ludoteca.lab.batch import workbench
from ludoteca.lab.games import game_named
from ludoteca.lab.plan import Plan, play_one
from ludoteca.lab.summary import drawn, shares, sides_of
from ludoteca.search.workbench import tally

THOUSANDTHS = 1000  # parts and means of a match are kept in these
TWELFTHS = 12  # of a win: it may be shared by 2, 3 or 4
DRAMA = ("lead changes", "drama", "decisiveness")


class Counts(NamedTuple):
    """Sums over matches: of every column, of its squares, and of how many matches have a value in it."""

    sums: Any
    squares: Any
    counts: Any
    reasons: Counter[str]
    games: int

    def __len__(self) -> int:
        return self.games

    def plus(self, other: "Counts") -> "Counts":
        return Counts(
            self.sums + other.sums,
            self.squares + other.squares,
            self.counts + other.counts,
            self.reasons + other.reasons,
            self.games + other.games,
        )


class Column(NamedTuple):
    """What a column of `Counts` means."""

    metric: str
    unit: int = 1  # the sums are in such parts
    seat: int = 0  # 0: of the match
    item: str = ""  # a cell of the board, a source of points, a rule


def columns_of(plan: Plan) -> list[Column]:
    counted, seats = tally(game_named(plan.game).key), range(1, len(plan.bots) + 1)
    columns = [
        *(Column("share", TWELFTHS, seat) for seat in seats),
        *(Column("score", 1, seat) for seat in seats),
        Column("share of who begins", TWELFTHS),
        Column("drawn"),
        Column("shared"),
        Column("entries"),
        Column("decisions"),
        Column("turns"),
        Column("branching", THOUSANDTHS),
        *(Column(name, THOUSANDTHS) for name in DRAMA),
    ]
    board = counted.BOARD
    places = [f"{letter}{row}" for row in range(1, board.rows + 1) for letter in board.letters[: board.columns]]
    for metric, items in (("put", places), ("points", counted.SOURCES), ("times", counted.SOURCES)):
        columns += [Column(metric, 1, seat, item) for seat in range(1, _most_seats(plan) + 1) for item in items]
    return [*columns, *(Column("rule", 1, 0, rule) for rule in counted.RULES)]


def _most_seats(plan: Plan) -> int:
    game = game_named(plan.game)
    return game.rules.SEATS if isinstance(game, KernelGame) else len(plan.bots)


def observe_batch(plan: Plan, playouts: int, numbers: range) -> Counts:
    """Play matches and count."""
    game = game_named(plan.game)
    if not isinstance(game, KernelGame):
        return _observe_records(plan, numbers)
    wanted = np.arange(numbers.start, numbers.stop, dtype=np.int64)
    book, notes = workbench(plan, game).study(key_of(plan.seed), wanted, playouts)
    names = tally(game_named(plan.game).key).REASONS
    return counted(
        plan,
        book.winners,
        book.scores[:, : len(plan.bots)],
        book.starters + 1,
        [names[place] for place in book.reasons.tolist()],
        np.stack((book.entries, book.decisions, notes.turns), axis=1),
        notes.choices / np.maximum(book.decisions, 1),
        notes.drama,
        notes.rows,
    )


def _observe_records(plan: Plan, numbers: range) -> Counts:
    """The same for a game without a kernel: its tally.py reads records."""
    game, count = game_named(plan.game), len(numbers)
    records = [play_one(plan, number) for number in numbers]
    results = [record.result for record in records if record.result is not None]
    movers = [[entry.by for entry in record.log if entry.by] for record in records]
    turns = [sum(by != before for by, before in zip(line, [0, *line], strict=False)) for line in movers]
    lengths = [(len(record.log), len(line), turn) for record, line, turn in zip(records, movers, turns, strict=True)]
    return counted(
        plan,
        np.array([sum(1 << seat - 1 for seat in result.winners) for result in results], np.uint8),
        np.array([result.scores for result in results]),
        np.array([game.starter(plan.options, record.log) or 1 for record in records]),
        [result.reason for result in results],
        np.array(lengths),
        np.full(count, np.nan),  # moves have no end
        np.full((count, len(DRAMA)), np.nan),
        np.array([tally(game_named(plan.game).key).observed(record) for record in records]),
    )


def counted(
    plan: Plan,
    winners: Any,
    scores: Any,
    starters: Any,
    reasons: Sequence[str],
    lengths: Any,
    branching: Any,
    drama: Any,
    rows: Any,
) -> Counts:
    """Return the sums over some matches."""
    sides, seats = sides_of(plan), len(plan.bots)
    parts, level = shares(winners, sides), drawn(winners, seats)
    shared = ~level & ((parts > 0) & (parts < 1)).any(axis=1)
    began = parts[np.arange(len(winners)), starters - 1]
    twelfths = np.rint(np.column_stack((parts, began)) * TWELFTHS).astype(np.int64)
    fine = np.column_stack((branching, drama))
    known = ~np.isnan(fine)
    fine = np.rint(np.where(known, fine, 0) * THOUSANDTHS).astype(np.int64)
    values = np.column_stack((twelfths[:, :-1], scores, twelfths[:, -1], level, shared, lengths, fine, rows))
    values = values.astype(np.int64)
    counts = np.full(values.shape[1], len(winners), np.int64)
    first = 2 * seats + 3 + lengths.shape[1]
    counts[first : first + known.shape[1]] = known.sum(axis=0)
    return Counts(values.sum(axis=0), (values * values).sum(axis=0), counts, Counter(reasons), len(winners))
