"""Positions of Pin Point drawn as text: row 10 on top, `.` empty, R Y G B, K black."""

from ludoteca.games.pinpoint import rules
from ludoteca.games.pinpoint.game import BOARD_LETTERS, COLOURS, GAME, HOLE_NAMES

EMPTY_BOARD = "\n".join(["." * 10] * 10)


def started(**options):
    return GAME.start(GAME.agree({"start": 1, "setup": "RYGB", **options}))


def position(drawing, hand="RYGB", seat=1, jokers=None, **options):
    """Return the drawn position, with this hand for the seat to move."""
    state = started(**options)
    rows = drawing.split()
    assert [len(row) for row in rows] == [10] * 10, "ten rows of ten holes"
    letters = "".join(reversed(rows))
    state.board[:] = rules.EMPTY
    empty = [hole for hole, letter in enumerate(letters) if letter == "."]
    for hole, letter in enumerate(letters):
        state.board[rules.CELL[hole]] = BOARD_LETTERS.index(letter)
    state.n_empty = len(empty)
    state.empties[: len(empty)] = empty
    for place, hole in enumerate(empty):
        state.where[hole] = place
    state.hand = sum(1 << COLOURS.index(letter) for letter in hand)
    state.seat = state.actor = seat - 1
    if jokers is not None:
        state.jokers[:] = jokers
    return state


def pins(drawing_of_rows):
    """Return a board with some rows drawn, given as {row: ten letters}."""
    return "\n".join(drawing_of_rows.get(row, "." * 10) for row in range(10, 0, -1))


def put(state, move):
    """Return the state after a move of the seat to move, and its score."""
    step = GAME.play(state, int(state.actor) + 1, move)
    return step.state, step.score


def score(state, move):
    return put(state, move)[1]


def letter_at(state, hole):
    return BOARD_LETTERS[state.board[rules.CELL[HOLE_NAMES.index(hole)]]]


def letters_at(state, *holes):
    return "".join(letter_at(state, hole) for hole in holes)
