"""The report of a study: one HTML file that needs nothing else, and its plots as SVG files."""

from collections.abc import Iterator
from html import escape
from pathlib import Path

from ludoteca.lab.boards import heat
from ludoteca.lab.cells import Cell, Study, label, written
from ludoteca.lab.findings import findings, source_words, span
from ludoteca.lab.games import game_named
from ludoteca.lab.page import figure, page, table
from ludoteca.lab.svg import Span, spans, stacks
from ludoteca.search.workbench import tally

METRICS = {
    "turns": ("Turns", "turns a match", "How long a match is. Several moves of one seat in a row are one turn."),
    "decisions": ("Decisions", "decisions a match", "How many moves the players choose in a match, all together."),
    "branching": ("Choice", "legal moves at a decision", "How many moves a player has to choose from."),
    "lead changes": (
        "Lead changes",
        "changes of the lead, by turns",
        "0: one side leads from the first turn to the last. 1: the lead changes with every turn.",
    ),
    "drama": (
        "Drama",
        "how far the winner is behind, on average",
        "0: the winner leads all the time. The higher, the further the later winner is behind on the way.",
    ),
    "decisiveness": (
        "Decisiveness",
        "part of the match before it is decided",
        "The part of the match before the winner is further ahead than anybody else ever is.",
    ),
}
BEGINS = "How much of the wins the player who begins has. The upright line is a fair part."
SEATS = "How much of the wins each seat has. A draw is an equal part for everybody. The upright line is a fair part."


def plots(study: Study) -> Iterator[tuple[str, str, str]]:
    """Return every plot of figures: the name of its file, the drawing, and a sentence that explains it."""
    cells = [cell for cell in study.cells if cell.sides > 1]
    if cells:
        rows = [row for cell in cells if (row := mean_of(study, cell, "share of who begins"))]
        yield "begins", spans("Who begins", "wins of the player who begins", rows, True), BEGINS
        seats = [row for cell in cells for row in by_seat(study, cell, "share")]
        yield "seats", spans("Seats", "wins of each seat", seats, True), SEATS
    for metric, (title, axis, meaning) in METRICS.items():
        found = [row for cell in study.cells if (row := mean_of(study, cell, metric))]
        if found:
            yield metric.replace(" ", "-"), spans(title, axis, found), meaning
    scores = [row for cell in study.cells for row in by_seat(study, cell, "score")]
    yield "scores", spans("Scores", "score at the end", scores), "The mean score of each seat."
    sources = tally(game_named(study.game).key).SOURCES
    bars = [
        (label(study, cell), [sum(f.mean for f in cell.all("points") if f.item == s) for s in sources])
        for cell in study.cells
    ]
    if any(any(values) for _, values in bars):
        title, axis, _ = source_words(study)
        yield "points", stacks(title, axis, bars, sources), "The percentages are parts of the sum of all cells."


def mean_of(study: Study, cell: Cell, metric: str) -> Span | None:
    """Return a figure of a cell as a row of a plot."""
    found = cell.one(metric)
    fair = 1 / cell.sides if metric == "share of who begins" else None
    return Span(label(study, cell), found.mean, found.low, found.high, fair) if found is not None else None


def by_seat(study: Study, cell: Cell, metric: str) -> list[Span]:
    """Return a figure of every seat of a cell as rows of a plot."""
    fair = 1 / cell.sides if metric == "share" else None
    return [Span(f"{label(study, cell)}, seat {f.seat}", f.mean, f.low, f.high, fair) for f in cell.all(metric)]


def heat_title(study: Study) -> str:
    """Return what the heat maps of a game show; its tally.py may say something else."""
    return str(getattr(tally(game_named(study.game).key), "HEAT_TITLE", "Where pieces are put"))


def heat_maps(study: Study, cell: Cell) -> list[str]:
    """Return the board for each seat of a cell, all with the same scale."""
    board = tally(game_named(study.game).key).BOARD
    values = [[f.mean for f in cell.all("put") if f.seat == seat] for seat in range(1, cell.players + 1)]
    every = [value for seat in values for value in seat if value]
    scale = (min(every, default=0.0), max(every, default=0.0))
    return [heat(f"{label(study, cell)}: seat {n}", board, seat, scale) for n, seat in enumerate(values, start=1)]


def _figures(study: Study) -> str:
    names = [("who begins", "share of who begins", True), ("drawn", "drawn", True)]
    names += [(title.lower(), metric, False) for metric, (title, _, _) in METRICS.items()]
    rows = [["matches", *(f"{cell.games:,}" for cell in study.cells)]]
    for words, metric, percent in names:
        found = [cell.one(metric) for cell in study.cells]
        if any(found):
            rows.append([words, *("-" if f is None else span(f, percent) for f in found)])
    for seat in range(1, max(cell.players for cell in study.cells) + 1):
        for words, metric, percent in (("wins", "share", True), ("score", "score", False)):
            found = [cell.one(metric, seat) for cell in study.cells]
            rows.append([f"seat {seat}, {words}", *("-" if f is None else span(f, percent) for f in found)])
    return table(["", *(label(study, cell) for cell in study.cells)], rows)


def _rules(study: Study) -> str:
    rows = []
    for rule, meaning in tally(game_named(study.game).key).RULES.items():
        found = [cell.one("rule", 0, rule) for cell in study.cells]
        rows.append([f"{rule}: {meaning}", *("-" if f is None else f"{f.mean:.3g}" for f in found)])
    return table(["times a match", *(label(study, cell) for cell in study.cells)], rows)


def _endings(study: Study) -> str:
    names = sorted({name for cell in study.cells for name in cell.reasons})
    rows = [[name, *(f"{cell.reasons.get(name, 0) / cell.games:.1%}" for cell in study.cells)] for name in names]
    return table(["reason", *(label(study, cell) for cell in study.cells)], rows)


def _found(study: Study) -> str:
    parts = []
    for finding in findings(study):
        head = f"<h3>{escape(finding.about)}</h3>" if finding.about else ""
        items = "".join(f"<li>{escape(sentence)}</li>" for sentence in finding.sentences)
        parts.append(f"<section{' class=all' if not finding.about else ''}>{head}<ul>{items}</ul></section>")
    return f'<div class="findings">{"".join(parts)}</div>'


def _maps(study: Study) -> str:
    return "".join(f'<div class="maps">{"".join(heat_maps(study, cell))}</div>' for cell in study.cells)


def body(study: Study) -> str:
    """Return the report's content."""
    charts = "".join(figure(drawing, meaning) for _, drawing, meaning in plots(study))
    games = sum(cell.games for cell in study.cells)
    return (
        f"<h1>{escape(game_named(study.game).name)}: a study</h1>"
        f'<p class="soft">{games:,} matches, rules {study.rules}, Ludoteca {study.version}. '
        "A range in brackets is a 95% interval.</p>"
        f"<pre>{escape(study.command)}</pre><h2>Findings</h2>{_found(study)}"
        f'<h2>Figures</h2><div class="charts">{charts}</div>'
        f"<h2>{escape(heat_title(study))}</h2>{_maps(study)}"
        f"<h2>All figures</h2>{_figures(study)}<h2>How often each rule fires</h2>{_rules(study)}"
        f"<h2>How matches end</h2>{_endings(study)}"
    )


def write_report(study: Study, folder: Path) -> None:
    """Write study.json, report.html and the plots."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.json").write_bytes(written(study))
    (folder / "report.html").write_text(page(f"{game_named(study.game).name}: a study", body(study)), "utf-8")
    for name, drawing, _ in plots(study):
        (folder / f"{name}.svg").write_text(drawing, "utf-8")
    for place, cell in enumerate(study.cells, start=1):
        for seat, drawing in enumerate(heat_maps(study, cell), start=1):
            (folder / f"heat-{place}-{seat}.svg").write_text(drawing, "utf-8")
