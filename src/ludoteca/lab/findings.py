"""What a study found, in plain sentences."""

from collections.abc import Iterator

from ludoteca.lab.cells import Cell, Figure, Study, label
from ludoteca.lab.games import game_named
from ludoteca.search.workbench import tally

NOTABLE = 0.02  # a difference in shares that is worth a sentence


def sentences(study: Study) -> list[str]:
    """Return the findings: first of each cell, then of all together."""
    found = [sentence for cell in study.cells for sentence in _of_cell(study, cell)]
    return [*found, *_between(study), *_rules_that_never_fire(study)]


def span(figure: Figure, percent: bool = True) -> str:
    if percent:
        return f"{figure.mean:.1%} (95 %: {figure.low:.1%} to {figure.high:.1%})"
    return f"{figure.mean:.3g} (95 %: {figure.low:.3g} to {figure.high:.3g})"


def _of_cell(study: Study, cell: Cell) -> Iterator[str]:
    name = label(study, cell)
    begins, draws, turns = cell.one("share of who begins"), cell.one("drawn"), cell.one("turns")
    if begins is not None and cell.sides > 1:
        yield f"{name}: {_who_begins(begins, 1 / cell.sides)}"
        unfair = [seat for seat in cell.all("share") if not seat.low <= 1 / cell.sides <= seat.high]
        if unfair:
            seats = ", ".join(f"seat {seat.seat} {span(seat)}" for seat in unfair)
            yield f"{name}: some seats win more or less than their part, {1 / cell.sides:.1%}: {seats}."
        else:
            yield f"{name}: no seat wins clearly more than another."
    if draws is not None and draws.mean > 0:
        yield f"{name}: {span(draws)} of the matches are drawn."
    if turns is not None:
        choices = cell.one("branching")
        wide = f", with {choices.mean:.1f} moves to choose from on average" if choices is not None else ""
        yield f"{name}: a match takes {turns.mean:.1f} turns{wide}."
    yield from _points(study, cell, name)


def _who_begins(begins: Figure, fair: float) -> str:
    share = span(begins)
    if begins.low > fair:
        return f"beginning helps. The player who begins has {share} of the wins, where {fair:.1%} would be fair."
    if begins.high < fair:
        return f"beginning costs. The player who begins has {share} of the wins, where {fair:.1%} would be fair."
    return f"beginning makes no clear difference. The player who begins has {share} of the wins; {fair:.1%} is fair."


def _points(study: Study, cell: Cell, name: str) -> Iterator[str]:
    totals: dict[str, float] = {}
    for figure in cell.all("points"):
        totals[figure.item] = totals.get(figure.item, 0.0) + figure.mean
    whole = sum(totals.values())
    if whole > 0:
        best = sorted(totals, key=lambda item: -totals[item])[:3]
        parts = ", ".join(f"{item} {totals[item] / whole:.1%}" for item in best if totals[item])
        yield f"{name}: the points come mostly from {parts}."


def _between(study: Study) -> Iterator[str]:
    """Return the fairest and the least fair of several cells."""
    known = [(cell, begins) for cell in study.cells if (begins := cell.one("share of who begins")) and cell.sides > 1]
    if len(known) < 2:
        return
    known.sort(key=lambda pair: abs(pair[1].mean - 1 / pair[0].sides))
    (fairest, least), (unfairest, most) = known[0], known[-1]
    gap = abs(most.mean - 1 / unfairest.sides) - abs(least.mean - 1 / fairest.sides)
    if gap > NOTABLE:
        yield (
            f"Of all cells, who begins matters least with {label(study, fairest)} "
            f"({least.mean - 1 / fairest.sides:+.1%} beside a fair part) "
            f"and most with {label(study, unfairest)} ({most.mean - 1 / unfairest.sides:+.1%})."
        )
    else:
        yield f"Who begins matters about the same in all cells: they differ by {gap:.1%} at most."


def _rules_that_never_fire(study: Study) -> Iterator[str]:
    fired: dict[str, float] = {}
    for cell in study.cells:
        for figure in cell.all("rule"):
            fired[figure.item] = fired.get(figure.item, 0.0) + figure.mean
    words = tally(game_named(study.game).key).RULES
    never = [f"{rule} ({words[rule]})" for rule, times in fired.items() if times == 0 and rule in words]
    if never:
        games = sum(cell.games for cell in study.cells)
        yield f"In {games:,} matches of {game_named(study.game).name} these rules never fired: {', '.join(never)}."
