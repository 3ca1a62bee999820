"""Two studies side by side in one HTML file: what differs, in sentences, plots with one scale, and a table."""

from collections.abc import Iterator
from html import escape
from pathlib import Path

from ludoteca.lab.cells import Cell, Study, label
from ludoteca.lab.findings import Difference, difference, differences, paired
from ludoteca.lab.games import game_named
from ludoteca.lab.page import figure, page, table
from ludoteca.lab.report import BEGINS, METRICS, heat_maps, heat_title, mean_of
from ludoteca.lab.svg import Span, spans
from ludoteca.search.workbench import tally


def write_comparison(first: Study, second: Study, file: Path) -> None:
    """Write both studies into one page."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page("Two studies side by side", body(first, second)), "utf-8")


def body(first: Study, second: Study) -> str:
    names = list(dict.fromkeys(game_named(study.game).name for study in (first, second)))
    charts = "".join(figure(drawing, meaning) for drawing, meaning in _plots(first, second))
    return (
        f"<h1>{escape(' and '.join(names))}: two studies</h1>"
        f"{_origin('A', 'one', first)}{_origin('B', 'two', second)}"
        f"<h2>What differs</h2>{_sentences(first, second)}"
        f'<h2>Figures</h2><div class="charts">{charts}</div>'
        f"<h2>{escape(heat_title(first))}</h2>{_maps(first, second)}"
        f"<h2>All differences</h2>{_tables(first, second)}"
        f"{_rules(first, second)}"
    )


def _origin(letter: str, kind: str, study: Study) -> str:
    games = sum(cell.games for cell in study.cells)
    return (
        f'<p><strong class="{kind}">{letter}</strong> <span class="soft">{games:,} matches, rules {study.rules}, '
        f"Ludoteca {study.version}</span></p><pre>{escape(study.command)}</pre>"
    )


def _sentences(first: Study, second: Study) -> str:
    pairs = paired(first, second)
    if not pairs:
        return "<p>The two have no cell in common, so only the plots can be compared.</p>"
    parts = []
    for name, one, other in pairs:
        items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences(one, other))
        parts.append(f"<section><h3>{escape(name)}</h3><ul>{items}</ul></section>")
    return f'<div class="findings">{"".join(parts)}</div>'


def sentences(first: Cell, second: Cell) -> Iterator[str]:
    """Return what clearly differs between two cells, and then what does not."""
    level = []
    for words, percent, found in differences(first, second):
        if not found.is_clear:
            level.append(words)
            continue
        way = "more" if found.mean > 0 else "less"
        one, other = _shown(found.first.mean, percent), _shown(found.second.mean, percent)
        yield f"{words.capitalize()}: {one} in A, {other} in B; that is {_apart(found, percent)} {way}."
    if level:
        yield f"No clear difference: {', '.join(level)}."


def _shown(value: float, percent: bool) -> str:
    return f"{value:.1%}" if percent else f"{value:.3g}"


def _apart(found: Difference, percent: bool) -> str:
    """Return how far apart two figures are, without the sign."""
    low, high = sorted((abs(found.low), abs(found.high)))
    if percent:
        return f"{100 * abs(found.mean):.1f} points ({100 * low:.1f} to {100 * high:.1f})"
    return f"{abs(found.mean):.3g} ({low:.3g} to {high:.3g})"


def _plots(first: Study, second: Study) -> Iterator[tuple[str, str]]:
    metrics = {"share of who begins": ("Who begins", "wins of the player who begins", BEGINS), **METRICS}
    for metric, (title, axis, meaning) in metrics.items():
        rows = list(_rows(first, second, metric))
        if rows:
            yield spans(title, axis, rows, metric == "share of who begins"), meaning


def _rows(first: Study, second: Study, metric: str) -> Iterator[Span]:
    """Return the figures of both studies, the same cell of both under each other."""
    names = list(dict.fromkeys(label(study, cell) for study in (first, second) for cell in study.cells))
    for name in names:
        for letter, study in (("A", first), ("B", second)):
            for cell in study.cells:
                row = mean_of(study, cell, metric) if label(study, cell) == name else None
                if row is not None:
                    yield row._replace(label=f"{letter}: {name}", other=letter == "B")


def _maps(first: Study, second: Study) -> str:
    parts = []
    for letter, kind, study in (("A", "one", first), ("B", "two", second)):
        for cell in study.cells:
            head = f'<h3><span class="{kind}">{letter}</span>: {escape(label(study, cell))}</h3>'
            parts.append(f'{head}<div class="maps">{"".join(heat_maps(study, cell))}</div>')
    return "".join(parts)


def _tables(first: Study, second: Study) -> str:
    parts = []
    for name, one, other in paired(first, second):
        rows, strong = [], []
        for words, percent, found in differences(one, other):
            scale = 100 if percent else 1
            low, high = scale * found.low, scale * found.high
            apart = f"{scale * found.mean:+.3g} ({low:+.3g} to {high:+.3g})"
            rows.append([words, _shown(found.first.mean, percent), _shown(found.second.mean, percent), apart])
            strong.append(found.is_clear)
        parts.append(f"<h3>{escape(name)}</h3>{table(['', 'A', 'B', 'B minus A'], rows, strong)}")
    note = '<p class="soft">In bold: the 95% interval of the difference does not hold 0.</p>' if parts else ""
    return "".join(parts) + note


def _rules(first: Study, second: Study) -> str:
    """Return a table for each pair of cells, with the rules that both studies count."""
    parts = []
    meanings = tally(game_named(first.game).key).RULES
    for name, one, other in paired(first, second):
        rows, strong = [], []
        for rule, meaning in meanings.items():
            left, right = one.one("rule", 0, rule), other.one("rule", 0, rule)
            if left is not None and right is not None:
                rows.append([f"{rule}: {meaning}", _shown(left.mean, False), _shown(right.mean, False)])
                strong.append(difference(left, right).is_clear)
        if rows:
            parts.append(f"<h3>{escape(name)}</h3>{table(['times a match', 'A', 'B'], rows, strong)}")
    return f"<h2>How often each rule fires</h2>{''.join(parts)}" if parts else ""
