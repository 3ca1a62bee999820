"""What a study found, in plain sentences."""

from collections.abc import Iterator, Sequence
from math import hypot
from statistics import NormalDist
from typing import NamedTuple

from ludoteca.lab.cells import Cell, Figure, Study, label
from ludoteca.lab.games import game_named
from ludoteca.lab.rating import Z95
from ludoteca.search.workbench import tally

NOTABLE = 0.02  # a difference in shares that is worth a sentence
ERROR = 0.05  # the chance that a study calls any fair seat unfair


class Finding(NamedTuple):
    """What was found about one cell, or with an empty name about all of them."""

    about: str
    sentences: list[str]


def findings(study: Study) -> list[Finding]:
    """Return what was found: first about all cells together, then about each."""
    together = [*_between(study), *_rules_that_never_fire(study)]
    each = [Finding(label(study, cell), list(_of_cell(study, cell))) for cell in study.cells]
    return [*([Finding("", together)] if together else []), *each]


def lines(study: Study) -> Iterator[str]:
    """Return the findings as text, each cell's under its name."""
    for finding in findings(study):
        yield finding.about or f"{game_named(study.game).name}, all cells"
        yield from (f"  {sentence}" for sentence in finding.sentences)


def span(figure: Figure, percent: bool = True) -> str:
    """Return a mean with its 95 % interval in brackets."""
    if percent:
        return f"{figure.mean:.1%} ({100 * figure.low:.1f} to {100 * figure.high:.1f})"
    return f"{figure.mean:.3g} ({figure.low:.3g} to {figure.high:.3g})"


def strict_span(figure: Figure, comparisons: int) -> tuple[float, float]:
    """Return a wider interval: all of this many such intervals hold their true values in 95 % of all studies.

    Among twenty fair seats one lies outside its own 95 % interval by chance.
    """
    wider = NormalDist().inv_cdf(1 - ERROR / 2 / max(comparisons, 1)) / Z95
    return figure.mean - (figure.mean - figure.low) * wider, figure.mean + (figure.high - figure.mean) * wider


def _of_cell(study: Study, cell: Cell) -> Iterator[str]:
    begins, draws = cell.one("share of who begins"), cell.one("drawn")
    fair = 1 / cell.sides
    if begins is not None and cell.sides > 1:
        yield _who_begins(begins, fair, len(study.cells))
        yield _seats(study, cell, fair)
    if draws is not None and draws.mean > 0:
        yield f"{span(draws)} of the matches are drawn."
    yield from _course(cell)
    yield from _points(study, cell)
    yield from _places(cell)


def _who_begins(begins: Figure, fair: float, comparisons: int) -> str:
    low, high = strict_span(begins, comparisons)
    share = f"The player who begins has {span(begins)} of the wins; {fair:.1%} would be fair."
    if low > fair:
        return f"Beginning helps. {share}"
    return f"Beginning costs. {share}" if high < fair else f"Beginning makes no clear difference. {share}"


def _seats(study: Study, cell: Cell, fair: float) -> str:
    comparisons = sum(each.players for each in study.cells)
    unfair = []
    for seat in cell.all("share"):
        low, high = strict_span(seat, comparisons)
        if not low <= fair <= high:
            unfair.append(f"seat {seat.seat} has {span(seat)}")
    if unfair:
        return f"The seats are not equal: {', '.join(unfair)} of the wins; {fair:.1%} would be fair."
    return "No seat wins clearly more than another."


def _course(cell: Cell) -> Iterator[str]:
    turns, choices = cell.one("turns"), cell.one("branching")
    if turns is not None:
        wide = f", and a player has {choices.mean:.1f} moves to choose from on average" if choices is not None else ""
        yield f"A match takes {turns.mean:.1f} turns{wide}."
    changes, settled = cell.one("lead changes"), cell.one("decisiveness")
    if turns is not None and changes is not None and settled is not None:
        times, decided = round(changes.mean * turns.mean), settled.mean
        often = "once" if times <= 1 else f"{times} times"
        yield f"The lead changes about {often}; the winner is clearly ahead after {decided:.0%} of the turns."


SOURCE_WORDS = ("What the points come from", "points a match, all seats together", "Most points come from")


def source_words(study: Study) -> tuple[str, str, str]:
    """Return a title, an axis and the beginning of a sentence for what a game's SOURCES count."""
    title, axis, beginning = getattr(tally(game_named(study.game).key), "SOURCE_WORDS", SOURCE_WORDS)
    return title, axis, beginning


def _points(study: Study, cell: Cell) -> Iterator[str]:
    totals: dict[str, float] = {}
    for figure in cell.all("points"):
        totals[figure.item] = totals.get(figure.item, 0.0) + figure.mean
    whole = sum(totals.values())
    if whole > 0:
        best = sorted(totals, key=lambda item: -totals[item])[:3]
        parts = ", ".join(f"{item} ({totals[item] / whole:.0%})" for item in best if totals[item] / whole > 0.005)
        yield f"{source_words(study)[2]} {parts}."


def _places(cell: Cell) -> Iterator[str]:
    """Return the hottest and the coldest place, if they differ by more than chance."""
    places: dict[str, list[Figure]] = {}
    for figure in cell.all("put"):
        if figure.mean:
            places.setdefault(figure.item, []).append(figure)
    if len(places) < 2:
        return
    heat = {place: sum(figure.mean for figure in figures) for place, figures in places.items()}
    coldest, *_, hottest = sorted(heat, key=lambda place: heat[place])
    least, most = heat[coldest], heat[hottest]
    doubt = hypot(*((f.high - f.low) / 2 for place in (hottest, coldest) for f in places[place]))
    if most - least > 2 * doubt:
        yield f"The most used place is {hottest} ({most:.2g} times a match), the least used {coldest} ({least:.2g})."


def _between(study: Study) -> Iterator[str]:
    """Return in which of several cells beginning matters least and most."""
    known = [(cell, begins) for cell in study.cells if (begins := cell.one("share of who begins")) and cell.sides > 1]
    if len(known) < 2:
        return

    def gap(pair: tuple[Cell, Figure]) -> float:
        return pair[1].mean - 1 / pair[0].sides

    known.sort(key=lambda pair: abs(gap(pair)))
    least, most = known[0], known[-1]
    doubt = hypot(*((begins.high - begins.low) / 2 for _, begins in (least, most)))
    difference = abs(gap(most)) - abs(gap(least))
    if difference > max(NOTABLE, doubt):
        yield (
            f"Who begins matters least with {label(study, least[0])} ({_beside_fair(gap(least))}) "
            f"and most with {label(study, most[0])} ({_beside_fair(gap(most))})."
        )
    else:
        yield "Who begins matters about the same in all cells: they differ by no more than chance explains."


def _beside_fair(gap: float) -> str:
    return f"{abs(gap):.1%} {'above' if gap > 0 else 'below'} a fair part"


def _rules_that_never_fire(study: Study) -> Iterator[str]:
    fired: dict[str, float] = {}
    for cell in study.cells:
        for figure in cell.all("rule"):
            fired[figure.item] = fired.get(figure.item, 0.0) + figure.mean
    words = tally(game_named(study.game).key).RULES
    never = [f"{rule} ({words[rule]})" for rule, times in fired.items() if times == 0 and rule in words]
    if never:
        games = sum(cell.games for cell in study.cells)
        yield f"Never seen in {games:,} matches: {', '.join(never)}."


class Difference(NamedTuple):
    """One figure in two studies: the second minus the first, with its 95 % interval."""

    first: Figure
    second: Figure
    mean: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        return not self.low <= 0 <= self.high


def difference(first: Figure, second: Figure) -> Difference:
    """Compare the same figure of two samples that are independent of each other."""
    mean, doubt = second.mean - first.mean, hypot(first.high - first.low, second.high - second.low) / 2
    return Difference(first, second, mean, mean - doubt, mean + doubt)


def paired(first: Study, second: Study) -> list[tuple[str, Cell, Cell]]:
    """Return the cells that stand for the same variation in both studies; one cell each is a pair in any case."""
    if len(first.cells) == len(second.cells) == 1:
        names = list(dict.fromkeys((label(first, first.cells[0]), label(second, second.cells[0]))))
        return [(" and ".join(names), first.cells[0], second.cells[0])]
    others = {label(second, cell): cell for cell in second.cells}
    named = [(label(first, cell), cell) for cell in first.cells]
    return [(name, cell, others[name]) for name, cell in named if name in others]


COMPARED: Sequence[tuple[str, str, bool]] = (
    ("share of who begins", "wins of the player who begins", True),
    ("drawn", "drawn matches", True),
    ("turns", "turns", False),
    ("decisions", "decisions", False),
    ("branching", "moves to choose from", False),
    ("lead changes", "lead changes, by turns", False),
    ("drama", "drama", False),
    ("decisiveness", "decisiveness", False),
)


def differences(first: Cell, second: Cell) -> Iterator[tuple[str, bool, Difference]]:
    """Return every compared figure that both cells have: its name, whether it is a percentage, the difference."""
    for metric, words, percent in COMPARED:
        one, other = first.one(metric), second.one(metric)
        if one is not None and other is not None:
            yield words, percent, difference(one, other)
