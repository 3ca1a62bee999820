"""Positions of AFTAEBR drawn as text: row 6 on top, `.` empty, a stack from its bottom to its top as in `2O31`.

A number without a letter is a green piece.
"""

import re

from ludoteca.games.aftaebr import rules
from ludoteca.games.aftaebr.game import COLOURS, GAME, PIECES, SQUARE_NAMES
from ludoteca.games.aftaebr.squares import BIT

EMPTY_BOARD = "\n".join([". . . . . ."] * 6)


def chosen(colours="GBFO", **options):
    """Return the state at the first turn. The players chose these colours; seat 1 begins unless the options differ."""
    state = GAME.start(GAME.agree({"start": 1, **options}))
    for colour in colours[: state.players]:
        state = put(state, f"colour {colour}")
    return state


def position(drawing, seat=1, stocks=None, **options):
    """Return the drawn position with this seat to move. Stocks are {seat: "G3 G3 O1"}, by default whole colours."""
    state = chosen(**options)
    rows = [row.split() for row in drawing.split("\n") if row.strip()]
    rows = [["."] * 6] * (6 - len(rows)) + rows
    assert [len(row) for row in rows] == [6] * 6, "rows of six squares"
    for square, stack in enumerate(cell for row in reversed(rows) for cell in row):
        for letter, number in re.findall(r"([GBFO]?)([1-4])", stack):
            rules.lay(state, PIECES.index(f"{letter or 'G'}{number}"), int(BIT[square]))
    assert rules.sequences(state.tops) == 0, "no finished sequence stays on the board"
    for owner, pieces in (stocks or {}).items():
        give(state, owner, pieces.split())
    state.left = sum(1 for pieces in state.pieces if pieces)
    state.seat = state.actor = seat - 1
    rules.look_round(state)
    return state


def give(state, seat, pieces):
    place = seat - 1
    kinds = [PIECES.index(piece) for piece in pieces]
    state.stock[place * 16 : place * 16 + 16] = [kinds.count(kind) for kind in range(16)]
    for number in range(1, 5):
        held = {kind // 4 for kind in kinds if kind % 4 + 1 == number}
        state.held[place * 5 + number] = sum(1 << colour for colour in held)
    state.pieces[place] = len(kinds)


def put(state, *moves):
    """Return the state after these moves of the seats to move."""
    for move in moves:
        state = GAME.play(state, int(state.actor) + 1, move).state
    return state


def numbers_for(state, square):
    """Return the numbers that may go to a square, in any colour, by the list of legal moves."""
    return "".join(sorted({move[1] for move in GAME.moves(state) if move[2:] == square}))


def squares_for(state, number):
    return {move[2:] for move in GAME.moves(state) if move[1] == str(number)}


def stack_at(state, square):
    return " ".join(GAME.view(state, None)["board"].get(square, []))


class Model:
    """A second implementation of the rules: squares by name, stacks and stocks as lists. It does not use rules.py."""

    def __init__(self, players):
        self.stacks = {square: [] for square in SQUARE_NAMES}
        self.stocks = {seat: [] for seat in range(1, players + 1)}
        self.windows = []
        for n in range(36):
            column, row = n % 6, n // 6
            if column < 3:
                self.windows.append([SQUARE_NAMES[n + i] for i in range(4)])
            if row < 3:
                self.windows.append([SQUARE_NAMES[n + 6 * i] for i in range(4)])

    def number(self, square):
        return int(self.stacks[square][-1][1]) if self.stacks[square] else 0

    def around(self, square):
        column, row = ord(square[0]), int(square[1])
        places = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
        return [f"{chr(c)}{r}" for c, r in places if f"{chr(c)}{r}" in self.stacks]

    def may(self, piece, square):
        shown = [self.number(other) for other in self.around(square) if self.number(other)]
        if not shown:
            return not self.stacks[square]
        return any(abs(number - int(piece[1])) == 1 for number in shown)

    def moves(self, seat):
        found = {
            piece + square for piece in set(self.stocks[seat]) for square in self.stacks if self.may(piece, square)
        }
        return found or {"pass"}

    def put(self, seat, move):
        """Put the piece and take what it completes. Return the number of pieces taken."""
        self.stocks[seat].remove(move[:2])
        self.stacks[move[2:]].append(move[:2])
        taken = 0
        while True:
            finished = {
                square
                for window in self.windows
                if [self.number(square) for square in window] in ([1, 2, 3, 4], [4, 3, 2, 1])
                for square in window
            }
            if not finished:
                return taken
            taken += len(finished)
            self.stocks[seat] += [self.stacks[square].pop() for square in finished]

    def stock(self, seat):
        """Return the stock as the view shows it."""
        trays = {c: [self.stocks[seat].count(f"{c}{number}") for number in range(1, 5)] for c in COLOURS}
        return {colour: tray for colour, tray in trays.items() if any(tray)}
