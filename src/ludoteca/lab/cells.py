"""A study: the same game in several variations, and for each of them every figure with its interval."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from itertools import product
from math import sqrt
from pathlib import Path
from typing import Any

import msgspec

from ludoteca import __version__
from ludoteca.core.errors import BadOption, LudotecaError
from ludoteca.lab.observing import Counts, columns_of, observe_batch
from ludoteca.lab.plan import BadPlan, Plan, planned
from ludoteca.lab.rating import interval, mean_interval
from ludoteca.lab.workers import Workers, in_order

FORMAT = "ludoteca-study/1"
PLAYOUTS = 32  # for the value of a position
PARTS = ("share", "share of who begins", "drawn", "shared")  # of all matches: these have Wilson's interval


class BadStudy(LudotecaError):
    code = "study/bad"


class Figure(msgspec.Struct, frozen=True, omit_defaults=True):
    """One number that a study found: the mean over all matches of a cell."""

    metric: str
    mean: float
    low: float  # the 95 % interval
    high: float
    count: int  # of matches that have it
    seat: int = 0  # 0: of the match
    item: str = ""  # a place on the board, a source of points, a rule


class Cell(msgspec.Struct, frozen=True):
    """One variation, and what was found."""

    options: dict[str, Any]
    bots: tuple[str, ...]  # by seat
    games: int
    sides: int
    reasons: dict[str, int]
    figures: tuple[Figure, ...]

    @property
    def players(self) -> int:
        return len(self.bots)

    def one(self, metric: str, seat: int = 0, item: str = "") -> Figure | None:
        return next((f for f in self.figures if (f.metric, f.seat, f.item) == (metric, seat, item)), None)

    def all(self, metric: str) -> list[Figure]:
        return [figure for figure in self.figures if figure.metric == metric]


class Study(msgspec.Struct, frozen=True):
    game: str
    command: str  # that makes it again
    seed: str
    rules: int
    varied: tuple[str, ...]  # the options that differ between cells
    cells: tuple[Cell, ...]
    version: str = __version__
    format: str = FORMAT


def planned_cells(
    game: str,
    options: Mapping[str, object],
    vary: Mapping[str, Sequence[object]],
    players: Sequence[int],
    bots: Sequence[str],
    games: int,
    seed: str,
) -> list[Plan]:
    """Return a plan for every combination that the game allows; each value must be in one of them.

    A line-up is one bot for all seats, or one for each with `+` between.
    """
    if both := set(vary) & (set(options) | ({"players"} if players else set())):
        raise BadPlan(f"option {', '.join(sorted(both))} is set and varied too")
    plans: list[Plan] = []
    refused: list[BadOption] = []
    seatings: Sequence[int | None] = players or [None]
    for seats, line_up, values in product(seatings, bots, product(*vary.values())):
        given = dict(options) | ({} if seats is None else {"players": seats}) | dict(zip(vary, values, strict=True))
        try:
            plans.append(planned(game, given, line_up.split("+"), games, seed))
        except BadOption as error:
            refused.append(error)
    wanted: dict[str, Sequence[object]] = {**vary, **({"players": players} if players else {})}
    for name, choices in wanted.items():
        if not all(any(plan.options[name] == value for plan in plans) for value in choices):
            raise refused[0]
    if not plans:
        raise refused[0]
    return plans


def observed(
    plans: Sequence[Plan],
    workers: Workers,
    playouts: int = PLAYOUTS,
    watch: Callable[[Iterable[Counts]], Iterable[Counts]] = lambda counts: counts,
) -> Iterator[Cell]:
    """Play the matches of all cells."""
    for plan in plans:
        task = partial(observe_batch, plan, playouts)
        found = watch(in_order(task, range(1, plan.games + 1), workers, plan.game))
        yield cell_of(plan, reduce(Counts.plus, found))


def cell_of(plan: Plan, found: Counts) -> Cell:
    from ludoteca.lab.summary import sides_of

    figures, seats = [], len(plan.bots)
    for place, column in enumerate(columns_of(plan)):
        count = int(found.counts[place])
        if count == 0 or column.seat > seats:
            continue
        mean = int(found.sums[place]) / column.unit / count
        square = int(found.squares[place]) / column.unit**2 / count
        low, high = mean_interval(mean, sqrt(max(square - mean * mean, 0.0)), count)
        if column.metric in PARTS:
            low, high = interval(min(mean, 1.0), count)
        figures.append(Figure(column.metric, mean, low, high, count, column.seat, column.item))
    sides = len(set(sides_of(plan)))
    return Cell(dict(plan.options), plan.bots, found.games, sides, dict(sorted(found.reasons.items())), tuple(figures))


def differing(cells: Sequence[Cell]) -> tuple[str, ...]:
    """Return the options that differ between cells, and `bots` if those do."""
    names = [name for name in cells[0].options if len({json.dumps(cell.options[name]) for cell in cells}) > 1]
    return (*names, *(["bots"] if len({_line_up(cell) for cell in cells}) > 1 else []))


def _line_up(cell: Cell) -> str:
    return cell.bots[0] if len(set(cell.bots)) == 1 else "+".join(cell.bots)


def label(study: Study, cell: Cell) -> str:
    """Return what makes a cell different from the others, in words."""
    words = []
    for name in study.varied or ("bots",):
        if name == "players":
            words.append(f"{cell.players} players")
        elif name == "bots":
            words.append(_line_up(cell))
        elif isinstance(cell.options[name], bool):
            words.append(name if cell.options[name] else f"no {name}")
        else:
            words.append(f"{name} {cell.options[name]}")
    return ", ".join(words)


def written(study: Study) -> bytes:
    return msgspec.json.format(msgspec.json.encode(study), indent=1)


def read(path: Path) -> Study:
    """Return the study in a folder, or in a file; BadStudy if there is none."""
    file = path / "study.json" if path.is_dir() else path
    try:
        study = msgspec.json.decode(file.read_bytes(), type=Study)
    except FileNotFoundError:
        raise BadStudy(f"No such study: '{file}'") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadStudy(f"{file} is not a study: {error}") from None
    if study.format != FORMAT:
        raise BadStudy(f"{file} has format {study.format!r}; this reads {FORMAT!r}")
    return study
