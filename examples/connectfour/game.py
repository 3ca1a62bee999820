"""Connect Four for people: notation, views and words. The rules are in rules.py."""

from typing import Any, cast

from ludoteca.core.errors import UnknownMove
from ludoteca.core.game import Described
from ludoteca.core.kernel import Rules, copied
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.record import Entry
from ludoteca.core.words import Message, message
from ludoteca.games.connectfour import rules

COLUMNS = "abcdefg"
CELLS = tuple(f"{column}{row}" for row in range(1, rules.ROWS + 1) for column in COLUMNS)
WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))


class ConnectFour(KernelGame):
    key = "connectfour"
    name = "Connect Four"
    rules_version = 1
    rules = cast(Rules, rules)
    players = (2,)
    can_draw = True

    def parse(self, state: Any, move: str) -> int:
        if len(move) != 1 or move not in COLUMNS:
            raise UnknownMove(move, message("connectfour.unreadable"))
        return COLUMNS.index(move)

    def format(self, state: Any, move: int) -> str:
        return COLUMNS[move]

    def refusal(self, state: Any, move: int) -> Message:
        return message("connectfour.full", column=COLUMNS[move])

    def view(self, state: Any, seat: int | None) -> dict[str, Any]:
        board = _board(state)
        actor = int(rules.actor(state))
        return {
            "board": "".join(board[cell] for cell in CELLS),
            "turn": actor + 1 if actor >= 0 else None,
            "line": _line(board),
        }

    def legal(self, state: Any, seat: int) -> dict[str, Any]:
        return {"columns": self.moves(state) if rules.actor(state) == seat - 1 else []}

    def describe(self, state: Any, entry: Entry) -> Described:
        column = self.parse(state, entry.move)
        cell = f"{entry.move}{int(state.height[column]) + 1}"
        after = copied(state)
        rules.play(after, column)
        said = "wins" if after.winner != rules.NOBODY else "drops"
        return Described(message(f"connectfour.said.{said}", column=entry.move), {"cell": cell})

    def hint_steps(self, described: Described, move: str) -> tuple[Message, ...]:
        kind = described.message.key.rpartition(".")[2]
        part = "left" if move in "abc" else "right" if move in "efg" else "middle"
        return message(f"connectfour.hint.{kind}"), message(f"connectfour.hint.{part}")


def _board(state: Any) -> dict[str, str]:
    """Return who has a disc in each cell: 1, 2, or a dot where it is empty."""
    first, second = (int(stones) for stones in state.stones)
    board = {}
    for cell in CELLS:
        bit = (rules.ROWS + 1) * COLUMNS.index(cell[0]) + int(cell[1]) - 1
        board[cell] = "1" if first >> bit & 1 else "2" if second >> bit & 1 else "."
    return board


def _line(board: dict[str, str]) -> list[str]:
    """Return the cells of all lines of four."""
    found: set[str] = set()
    for cell in CELLS:
        column, row = COLUMNS.index(cell[0]), int(cell[1])
        for right, up in WAYS:
            ends = column + 3 * right, row + 3 * up
            if 0 <= ends[0] < rules.COLUMNS and 1 <= ends[1] <= rules.ROWS:
                line = [f"{COLUMNS[column + k * right]}{row + k * up}" for k in range(4)]
                if board[cell] != "." and {board[other] for other in line} == {board[cell]}:
                    found |= {*line}
    return [cell for cell in CELLS if cell in found]


GAME = ConnectFour()
