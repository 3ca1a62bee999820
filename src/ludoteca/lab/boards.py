"""A heat map drawn on a game's own board."""

from collections.abc import Sequence
from html import escape

from ludoteca.core.tallies import Board
from ludoteca.lab.svg import document, text

WIDTH, LEFT, TOP = 320, 30, 44
FULL = 0.92  # how strong the heat is on the hottest cell; on the coldest it is 0
STYLE = (
    "<style>.plot .ground{fill:var(--ground)}.plot .cell{fill:var(--cell)}.plot .heat{fill:var(--heat)}"
    ".plot .lines{stroke:var(--lines)}</style>"
)


def heat(title: str, board: Board, values: Sequence[float], scale: tuple[float, float]) -> str:
    """Return the board with every cell as strong as its value; `scale` has the coldest and the hottest value.

    A cell where nobody ever puts anything is crossed out.
    """
    drawing = _Drawing(board)
    body = STYLE + text(8, 20, title, kind="title") + drawing.ground()
    for cell, value in enumerate(values):
        body += drawing.cell(cell, value, scale)
    body += drawing.frames() + drawing.names() + drawing.legend(*scale)
    pairs = {"ground": board.ground, "cell": board.cell, "heat": board.heat, "lines": board.lined}
    style = "".join(f"--{name}:light-dark({light},{dark});" for name, (light, dark) in pairs.items())
    return document(WIDTH, drawing.bottom + 64, body, title, style)


class _Drawing:
    """The parts of a heat map, as SVG text."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.wide = (WIDTH - LEFT - 14) / board.columns
        self.tall = self.wide * board.tall
        self.right, self.bottom = LEFT + self.wide * board.columns, TOP + self.tall * board.rows
        self.line = f'class="lines" fill="none" stroke="{board.lined[0]}"'

    def point(self, column: float, row: float) -> tuple[float, float]:
        """Return where a place on the board is drawn, counted in cells from the lower left corner."""
        return LEFT + self.wide * column, self.bottom - self.tall * row

    def ground(self) -> str:
        board = self.board
        body = (
            f'<rect class="ground" fill="{board.ground[0]}" x="{LEFT - 5}" y="{TOP - 5}" rx="8" '
            f'width="{self.right - LEFT + 10:.1f}" height="{self.bottom - TOP + 10:.1f}"/>'
        )
        (left, low), (right, high) = self.point(0.5, 0.5), self.point(board.columns - 0.5, board.rows - 0.5)
        for line in board.lines:
            x, y = self.point(line + 0.5, line + 0.5)
            way = f"M{x:.1f} {low:.1f}V{high:.1f}M{left:.1f} {y:.1f}H{right:.1f}"
            body += f'<path {self.line} stroke-width="2" d="{way}"/>'
        return body

    def cell(self, cell: int, value: float, scale: tuple[float, float]) -> str:
        """Return a cell: its ground, and the heat above it."""
        board, (least, most) = self.board, scale
        row, column = divmod(cell, board.columns)
        x, y = self.point(column, row + 1)
        if board.is_round:
            radius = self.wide * 0.4
            shape = f'circle cx="{x + self.wide / 2:.1f}" cy="{y + self.tall / 2:.1f}" r="{radius:.1f}"'
        else:
            gap = board.gap
            size = f'width="{self.wide - 2 * gap:.1f}" height="{self.tall - 2 * gap:.1f}"'
            shape = f'rect x="{x + gap:.1f}" y="{y + gap:.1f}" {size} rx="{2 * gap:g}"'
        part = (value - least) / (most - least) if most > least else 0.5
        strength = FULL * max(part, 0.0) if value else 0.0
        return (
            f"<g><title>{escape(board.letters[column])}{row + 1}: {value:.4g} a match</title>"
            f'<{shape} class="cell" fill="{board.cell[0]}"/>'
            f'<{shape} class="heat" fill="{board.heat[0]}" fill-opacity="{strength:.3f}"/>'
            f"{'' if value else self.cross(column + 0.5, row + 0.5)}</g>"
        )

    def cross(self, column: float, row: float) -> str:
        (x, y), arm = self.point(column, row), self.wide * 0.14
        left, right, high, low = x - arm, x + arm, y - arm, y + arm
        way = f"M{left:.1f} {high:.1f}L{right:.1f} {low:.1f}M{right:.1f} {high:.1f}L{left:.1f} {low:.1f}"
        return f'<path {self.line} stroke-width="1.5" d="{way}"/>'

    def frames(self) -> str:
        body = ""
        for left, low, wide, high in self.board.frames:
            x, y = self.point(left, low + high)
            size = f'width="{self.wide * wide:.1f}" height="{self.tall * high:.1f}"'
            body += f'<rect {self.line} stroke-width="2" x="{x:.1f}" y="{y:.1f}" {size}/>'
        return body

    def names(self) -> str:
        board, body = self.board, ""
        for column in range(board.columns):
            x, _ = self.point(column + 0.5, 0)
            body += text(x, self.bottom + 20, board.letters[column], "middle", "soft small")
        for row in range(board.rows):
            _, y = self.point(0, row + 0.5)
            body += text(LEFT - 11, y + 4, str(row + 1), "end", "soft small")
        return body

    def legend(self, least: float, most: float) -> str:
        """Return the scale of the heat, in steps, with its least and greatest value."""
        board, y, left, wide, steps = self.board, self.bottom + 34, 70.0, 136.0, 8
        body = ""
        for n in range(steps):
            place = f'x="{left + n * wide / steps:.1f}" y="{y:.1f}" width="{wide / steps:.1f}" height="12"'
            strength = FULL * n / (steps - 1)
            body += f'<rect class="cell" fill="{board.cell[0]}" {place}/>'
            body += f'<rect class="heat" fill="{board.heat[0]}" fill-opacity="{strength:.3f}" {place}/>'
        body += text(left - 8, y + 11, f"{least:.3g}", "end", "soft small")
        return body + text(left + wide + 8, y + 11, f"{most:.3g} a match", "start", "soft small")
