"""Small plots as SVG text: light and dark, readable on a phone, no library, no network.

Colours stand twice: as attributes, which every program that draws SVG knows, and in the style sheet, which a browser
prefers and which follows the reader's light or dark setting.
"""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

STYLE = """<style>
.plot{color-scheme:light dark;--ink:light-dark(#20242c,#f1ece2);--soft:light-dark(#6b6558,#a39d90)}
.plot{--line:light-dark(#e2d8c6,#3a404d);--paper:light-dark(#fffdf8,#1f2229);--mark:light-dark(#0b5d5a,#4cc4b5)}
.plot{--other:light-dark(#b4430f,#ff9d5c)}
.plot text{font-family:system-ui,sans-serif;font-size:13px;fill:var(--ink)}.plot .soft{fill:var(--soft)}
.plot text{paint-order:stroke;stroke:var(--paper);stroke-width:3px}
.plot .small{font-size:11.5px}.plot .title{font-size:15px;font-weight:650}
.plot .paper{fill:var(--paper)}.plot .grid{stroke:var(--line)}.plot .fair{stroke:var(--ink)}
.plot .mark{fill:var(--mark)}.plot .span{stroke:var(--mark)}
.plot .other .mark{fill:var(--other)}.plot .other .span{stroke:var(--other)}
</style>"""
COLOURS = ("#1f6fc4", "#ef8a17", "#0a9b73", "#c6418f", "#6c4ab6", "#57b4e6", "#d5451b", "#8a8f3c", "#6b7280", "#b88a00")
WIDTH, MARGIN = 400, 12
ROW = 38  # of a plot: the words above, the mark below
TOP = 34  # under the title


class Span(NamedTuple):
    """A value with its interval, and what it is."""

    label: str
    mean: float
    low: float
    high: float
    fair: float | None = None  # a value to compare it with
    other: bool = False  # whether it belongs to the second of two studies


def document(width: float, height: float, body: str, title: str, style: str = "") -> str:
    """Return a whole SVG document."""
    return (
        f'<svg class="plot" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" aria-label="{escape(title)}" style="{style}">{STYLE}'
        f'<rect class="paper" fill="#fffdf8" width="{width:g}" height="{height:g}"/>{body}</svg>'
    )


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    colour = "#6b6558" if "soft" in kind else "#20242c"
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}" fill="{colour}" '
        f'font-family="sans-serif" font-size="13">{escape(words)}</text>'
    )


def ticks(low: float, high: float) -> list[float]:
    """Return up to seven round numbers between two."""
    span = max(high - low, 1e-9)
    step = 10.0 ** int(f"{span:e}".split("e")[1])
    step = next(step * part for part in (0.1, 0.2, 0.25, 0.5, 1, 2) if span / (step * part) <= 6)
    first = -(-low // step)
    return [round((first + n) * step, 10) for n in range(int((high - first * step) / step + 1e-9) + 1)]


def percentage(part: float) -> str:
    return f"{part:.1%}".replace(".0%", "%")


def scale_of(rows: Sequence[Span], percent: bool) -> tuple[float, float]:
    """Return the least and the greatest value that a plot of these rows shows."""
    marks = [row.fair for row in rows if row.fair is not None]
    low, high = min([*(row.low for row in rows), *marks]), max([*(row.high for row in rows), *marks])
    pad = (high - low) * 0.08 or (0.005 if percent else abs(high) * 0.1 or 1.0)
    least = low - pad if low < 0 else max(low - pad, 0.0)
    return least, min(high + pad, 1.0) if percent else high + pad


def spans(title: str, axis: str, rows: Sequence[Span], percent: bool = False) -> str:
    """Return dots with their intervals, one row each, and an upright line at a fair value."""
    low, high = scale_of(rows, percent)
    bottom = TOP + ROW * len(rows) + 6

    def x(value: float) -> float:
        return MARGIN + 14 + (value - low) / (high - low) * (WIDTH - 2 * MARGIN - 28)

    body = text(MARGIN, 21, title, kind="title")
    for tick in ticks(low, high):
        shown = percentage(tick) if percent else f"{tick:g}"
        body += f'<path class="grid" stroke="#e2d8c6" d="M{x(tick):.1f} {TOP}V{bottom}"/>'
        body += text(x(tick), bottom + 15, shown, "middle", "soft small")
    body += text(WIDTH / 2, bottom + 32, axis, "middle", "soft small")
    for n, row in enumerate(rows):
        y = TOP + ROW * n + 28
        shown = f"{row.mean:.1%}" if percent else f"{row.mean:.3g}"
        kind, colour = (' class="other"', "#b4430f") if row.other else ("", "#0b5d5a")
        body += text(MARGIN, y - 12, row.label) + text(WIDTH - MARGIN, y - 12, shown, "end")
        if row.fair is not None:
            body += f'<path class="fair" stroke="#20242c" stroke-width="2" d="M{x(row.fair):.1f} {y - 8}v16"/>'
        body += f'<g{kind} fill="{colour}" stroke="{colour}"><path class="span" stroke-width="2.5" '
        body += f'd="M{x(row.low):.1f} {y}H{x(row.high):.1f}"/>'
        body += f'<circle class="mark" stroke="none" cx="{x(row.mean):.1f}" cy="{y}" r="5"/></g>'
    return document(WIDTH, bottom + 42, body, title)


def stacks(title: str, axis: str, rows: Sequence[tuple[str, Sequence[float]]], names: Sequence[str]) -> str:
    """Return bars cut in parts, one bar a row, with a legend."""
    used = [n for n in range(len(names)) if any(values[n] for _, values in rows)]
    most = max((sum(values) for _, values in rows), default=1.0) or 1.0
    bottom = TOP + (ROW + 4) * len(rows) + 4
    body = text(MARGIN, 21, title, kind="title")
    for place, (words, values) in enumerate(rows):
        x, y = float(MARGIN), TOP + (ROW + 4) * place + 20
        body += text(MARGIN, y - 4, words) + text(WIDTH - MARGIN, y - 4, f"{sum(values):.4g}", "end")
        for n in used:
            wide = values[n] / most * (WIDTH - 2 * MARGIN)
            tip = f"<title>{escape(names[n])}: {values[n]:.3g}</title>"
            colour = COLOURS[n % len(COLOURS)]
            body += f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="16" fill="{colour}">{tip}</rect>'
            x += wide
    body += text(WIDTH / 2, bottom + 12, axis, "middle", "soft small")
    for place, n in enumerate(used):
        y = bottom + 26 + 20 * place
        mean = sum(values[n] for _, values in rows) / max(sum(sum(values) for _, values in rows), 1e-9)
        body += f'<rect x="{MARGIN}" y="{y}" width="12" height="12" fill="{COLOURS[n % len(COLOURS)]}"/>'
        body += text(MARGIN + 20, y + 11, names[n]) + text(WIDTH - MARGIN, y + 11, f"{mean:.1%}", "end", "soft")
    return document(WIDTH, bottom + 34 + 20 * len(used), body, title)
