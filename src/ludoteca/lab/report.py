"""The report of a study: one HTML file that needs nothing else, and its plots as SVG files."""

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from ludoteca.lab.cells import Cell, Study, label, written
from ludoteca.lab.findings import sentences, span
from ludoteca.lab.games import game_named
from ludoteca.lab.svg import Span, heat, spans, stacks
from ludoteca.search.workbench import tally

CSS = """
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6675;--line:#d5dae1;--paper:#fff;--card:#f4f6f8}
@media(prefers-color-scheme:dark){:root{--ink:#e8ecf1;--soft:#a3adba;--line:#3a4451;--paper:#161b22;--card:#1f2630}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:1080px;margin:0 auto;padding:1rem}
h1{font-size:1.7rem;margin:.5rem 0}h2{font-size:1.25rem;margin:2rem 0 .5rem}
p.soft,td.soft{color:var(--soft)}pre{background:var(--card);padding:.7rem;overflow-x:auto;border-radius:6px}
li{margin:.3rem 0}.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.92rem}
th,td{padding:.3rem .7rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left}svg{max-width:100%;height:auto;display:block;margin:.6rem 0}
.charts svg{min-width:480px}
.maps{display:flex;flex-wrap:wrap;gap:1rem}.maps svg{flex:0 1 auto}.pair{display:grid;gap:2rem}
@media(min-width:900px){.pair{grid-template-columns:1fr 1fr}}
"""
COLUMNS = ("turns", "decisions", "branching", "lead changes", "drama", "decisiveness")


def plots(study: Study) -> Iterator[tuple[str, str]]:
    """Return every plot with the name of its file."""
    cells = [cell for cell in study.cells if cell.sides > 1]
    sides = {cell.sides for cell in cells}
    fair = 1 / sides.pop() if len(sides) == 1 else None
    if cells:
        rows = [_span(study, cell, "share of who begins") for cell in cells]
        yield "begins", spans("Wins of the player who begins", [row for row in rows if row], True, fair)
        seats = [
            Span(f"{label(study, cell)}, seat {figure.seat}", figure.mean, figure.low, figure.high)
            for cell in cells
            for figure in cell.all("share")
        ]
        yield "seats", spans("Wins by seat", seats, True, fair)
    for metric in COLUMNS:
        found = [row for cell in study.cells if (row := _span(study, cell, metric))]
        if found:
            yield metric.replace(" ", "-"), spans(metric.capitalize(), found)
    sources = tally(game_named(study.game).key).SOURCES
    bars = [
        (label(study, cell), [sum(f.mean for f in cell.all("points") if f.item == s) for s in sources])
        for cell in study.cells
    ]
    yield "points", stacks("Points a match, by what they come from", bars, sources)
    for place, cell in enumerate(study.cells, start=1):
        for seat in range(1, cell.players + 1):
            yield f"heat-{place}-{seat}", _heat(study, cell, seat)


def _span(study: Study, cell: Cell, metric: str) -> Span | None:
    figure = cell.one(metric)
    return Span(label(study, cell), figure.mean, figure.low, figure.high) if figure is not None else None


def _heat(study: Study, cell: Cell, seat: int) -> str:
    values = [figure.mean for figure in cell.all("put") if figure.seat == seat]
    return heat(f"{label(study, cell)}: seat {seat}", tally(game_named(study.game).key).BOARD, values)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cells = "".join(f"<th>{escape(word)}</th>" for word in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(word)}</td>" for word in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table></div>'


def _figures(study: Study) -> str:
    head = ["", "matches", "who begins", "drawn", *COLUMNS]
    rows = []
    for cell in study.cells:
        row = [label(study, cell), f"{cell.games:,}"]
        for metric, percent in (("share of who begins", True), ("drawn", True), *((name, False) for name in COLUMNS)):
            figure = cell.one(metric)
            row.append("-" if figure is None else span(figure, percent).replace("95 %: ", ""))
        rows.append(row)
    return table(head, rows)


def _scores(study: Study) -> str:
    rows = [
        [f"{label(study, cell)}, seat {figure.seat}", span(figure, False).replace("95 %: ", "")]
        for cell in study.cells
        for figure in cell.all("score")
    ]
    return table(["", "score"], rows)


def _rules(study: Study) -> str:
    words = tally(game_named(study.game).key).RULES
    rows = []
    for rule, meaning in words.items():
        figures = [cell.one("rule", 0, rule) for cell in study.cells]
        rows.append([f"{rule}: {meaning}", *("-" if f is None else f"{f.mean:.3g}" for f in figures)])
    return table(["times a match", *(label(study, cell) for cell in study.cells)], rows)


def _endings(study: Study) -> str:
    names = sorted({name for cell in study.cells for name in cell.reasons})
    rows = [
        [label(study, cell), *(f"{cell.reasons.get(name, 0) / cell.games:.1%}" for name in names)]
        for cell in study.cells
    ]
    return table(["why matches end", *names], rows)


def body(study: Study) -> str:
    """Return the report's content."""
    drawn = dict(plots(study))
    maps = "".join(svg for name, svg in drawn.items() if name.startswith("heat"))
    charts = "".join(svg for name, svg in drawn.items() if not name.startswith("heat"))
    findings = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences(study))
    games = sum(cell.games for cell in study.cells)
    return (
        f"<h1>{escape(game_named(study.game).name)}</h1>"
        f'<p class="soft">{games:,} matches, rules {study.rules}, ludoteca {study.version}. Made by:</p>'
        f"<pre>{escape(study.command)}</pre><h2>Findings</h2><ul>{findings}</ul>"
        f"<h2>Figures</h2>{_figures(study)}<div class='wide charts'>{charts}</div>"
        f'<h2>Where pieces are put</h2><div class="maps">{maps}</div>'
        f"<h2>Scores</h2>{_scores(study)}<h2>How often each rule fires</h2>{_rules(study)}"
        f"<h2>How matches end</h2>{_endings(study)}"
    )


def page(title: str, content: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{CSS}</style></head><body><main>{content}</main></body></html>\n"
    )


def write_report(study: Study, folder: Path) -> None:
    """Write study.json, report.html and the plots."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.json").write_bytes(written(study))
    (folder / "report.html").write_text(page(f"{game_named(study.game).name}: a study", body(study)), "utf-8")
    for name, svg in plots(study):
        (folder / f"{name}.svg").write_text(svg, "utf-8")


def write_comparison(first: Study, second: Study, file: Path) -> None:
    """Write two reports side by side."""
    both = f'<div class="pair"><section>{body(first)}</section><section>{body(second)}</section></div>'
    wide = "<style>main{max-width:1800px}</style>"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page("Two studies side by side", wide + both), "utf-8")
