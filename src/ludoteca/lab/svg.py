"""Small plots as SVG, written by hand: light and dark, no library, no network."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from ludoteca.core.tallies import Board

STYLE = """<style>
.plot{--ink:#1c2430;--soft:#5b6675;--line:#d5dae1;--paper:#fff;--heat:#0b6bcb}
.plot text{font:13px system-ui,sans-serif;fill:var(--ink)}.plot .soft{fill:var(--soft)}
.plot .grid{stroke:var(--line)}.plot .mark{fill:var(--heat)}.plot .span{stroke:var(--heat);stroke-width:2}
@media(prefers-color-scheme:dark){.plot{--ink:#e8ecf1;--soft:#a3adba;--line:#3a4451;--paper:#161b22;--heat:#5aaeff}}
</style>"""
COLOURS = ("#0b6bcb", "#c2410c", "#15803d", "#7e22ce", "#b45309", "#0e7490", "#be123c", "#4d7c0f", "#475569", "#a16207")
ROW, LABEL, WIDTH = 26, 190, 640


class Span(NamedTuple):
    """A value with its interval, and what it is."""

    label: str
    mean: float
    low: float
    high: float


def document(width: float, height: float, body: str, title: str) -> str:
    return (
        f'<svg class="plot" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" role="img" aria-label="{escape(title)}">{STYLE}'
        f'<rect width="{width:g}" height="{height:g}" fill="var(--paper)"/>{body}</svg>'
    )


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(words)}</text>'


def ticks(low: float, high: float) -> list[float]:
    """Return some round numbers between two."""
    span = max(high - low, 1e-9)
    step = 10.0 ** int(f"{span:e}".split("e")[1])
    step = next(step * part for part in (0.1, 0.2, 0.25, 0.5, 1, 2) if span / (step * part) <= 6)
    first = -(-low // step)
    return [round((first + n) * step, 10) for n in range(int((high - first * step) / step + 1e-9) + 1)]


def spans(title: str, rows: Sequence[Span], percent: bool = False, fair: float | None = None) -> str:
    """Return dots with their intervals, one row each; a line where a fair value would be."""
    lows, highs = [row.low for row in rows], [row.high for row in rows]
    marks = [fair] if fair is not None else []
    low, high = min([*lows, *marks]), max([*highs, *marks])
    pad = (high - low) * 0.08 or (0.005 if percent else abs(high) * 0.1 or 1.0)
    low, high = (max(low - pad, 0.0), min(high + pad, 1.0)) if percent else (low - pad, high + pad)
    height = ROW * len(rows) + 62

    def x(value: float) -> float:
        return LABEL + (value - low) / (high - low) * (WIDTH - LABEL - 70)

    body = text(8, 20, title)
    for tick in ticks(low, high):
        shown = f"{tick:.1%}".replace(".0%", "%") if percent else f"{tick:g}"
        body += f'<line class="grid" x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="32" y2="{height - 26}"/>'
        body += text(x(tick), height - 9, shown, "middle", "soft")
    if fair is not None:
        body += (
            f'<line x1="{x(fair):.1f}" x2="{x(fair):.1f}" y1="32" y2="{height - 26}" '
            'stroke="var(--ink)" stroke-dasharray="4 4"/>'
        )
    for n, row in enumerate(rows):
        y = 46 + ROW * n
        shown = f"{row.mean:.1%}" if percent else f"{row.mean:.4g}"
        body += text(LABEL - 10, y + 4, row.label, "end")
        body += f'<line class="span" x1="{x(row.low):.1f}" x2="{x(row.high):.1f}" y1="{y}" y2="{y}"/>'
        body += f'<circle class="mark" cx="{x(row.mean):.1f}" cy="{y}" r="5"/>'
        body += text(WIDTH - 8, y + 4, shown, "end", "soft")
    return document(WIDTH, height, body, title)


def stacks(title: str, rows: Sequence[tuple[str, Sequence[float]]], names: Sequence[str]) -> str:
    """Return bars cut in parts, one bar a row, with a legend."""
    used = [n for n in range(len(names)) if any(values[n] for _, values in rows)]
    most = max((sum(values) for _, values in rows), default=1.0) or 1.0
    legend = 20 * ((len(used) + 1) // 2)
    height = ROW * len(rows) + 44 + legend
    body = text(8, 20, title)
    for row, (words, values) in enumerate(rows):
        x, y = float(LABEL), 34 + ROW * row
        body += text(LABEL - 10, y + 14, words, "end")
        for n in used:
            wide = values[n] / most * (WIDTH - LABEL - 70)
            colour = COLOURS[n % len(COLOURS)]
            tip = f"<title>{escape(names[n])}: {values[n]:.3g}</title>"
            body += f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{ROW - 8}" fill="{colour}">{tip}</rect>'
            x += wide
        body += text(WIDTH - 8, y + 14, f"{sum(values):.4g}", "end", "soft")
    for place, n in enumerate(used):
        x, y = 12.0 + (place % 2) * 320, 44 + ROW * len(rows) + 20 * (place // 2)
        body += f'<rect x="{x}" y="{y}" width="12" height="12" fill="{COLOURS[n % len(COLOURS)]}"/>'
        body += text(x + 18, y + 11, names[n], kind="soft")
    return document(WIDTH, height, body, title)


def heat(title: str, board: Board, values: Sequence[float]) -> str:
    """Return a game's own board, each cell as strong as its value."""
    size = 30 if max(board.columns, board.rows) > 6 else 44
    left, top = 30, 46
    width, height = max(left + size * board.columns + 12, 250), top + size * board.rows + 30
    least, most = min(values, default=0.0), max(values, default=0.0)
    body = text(8, 18, title) + text(8, 34, f"palest {least:.3g} a match, strongest {most:.3g}", kind="soft")

    def strength(value: float) -> float:
        return 0.06 + 0.94 * (value - least) / (most - least) if most > least else 0.5

    def corner(column: float, row: float) -> tuple[float, float]:
        return left + size * column, top + size * (board.rows - 1 - row)

    for line in board.lines:
        x, y = corner(line, line)
        x, y = x + size / 2, y + size / 2
        right, low = left + size * (board.columns - 0.5), top + size * (board.rows - 0.5)
        body += f'<line class="grid" x1="{x}" x2="{x}" y1="{top + size / 2}" y2="{low}"/>'
        body += f'<line class="grid" x1="{left + size / 2}" x2="{right}" y1="{y}" y2="{y}"/>'
    for cell, value in enumerate(values):
        row, column = divmod(cell, board.columns)
        x, y = corner(column, row)
        place = f"{board.letters[column]}{row + 1}"
        look = f'fill="var(--heat)" fill-opacity="{strength(value):.3f}" stroke="var(--line)"'
        tip = f"<title>{place}: {value:.4g} a match</title>"
        if board.is_round:
            body += f'<circle cx="{x + size / 2}" cy="{y + size / 2}" r="{size * 0.4:.1f}" {look}>{tip}</circle>'
        else:
            body += f'<rect x="{x + 1}" y="{y + 1}" width="{size - 2}" height="{size - 2}" {look}>{tip}</rect>'
    for column in range(board.columns):
        body += text(left + size * (column + 0.5), height - 10, board.letters[column], "middle", "soft")
    for row in range(board.rows):
        body += text(left - 8, corner(0, row)[1] + size / 2 + 4, str(row + 1), "end", "soft")
    return document(width, height, body, title)
