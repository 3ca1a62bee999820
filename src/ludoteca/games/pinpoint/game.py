"""Pin Point for people: options, notation, views and words. The rules are in rules.py."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress, permutations
from string import ascii_letters
from typing import Any, cast

import numpy as np

from ludoteca.core.errors import BadOption, UnknownMove
from ludoteca.core.game import WHOLE_MATCH, Described, Option, OptionValue, TimeLimits, start_option
from ludoteca.core.kernel import BY_LOT, Rules, new_record, plain
from ludoteca.core.kernel_game import KernelGame, first_place
from ludoteca.core.record import Entry
from ludoteca.core.words import Message, message
from ludoteca.games.pinpoint import rules

COLOURS = "RYGB"
COLOUR_NAMES = ("red", "yellow", "green", "blue")
BOARD_LETTERS = "." + COLOURS + "K"  # K: a black end
LETTER_OF_PIN = BOARD_LETTERS.ljust(256).encode()  # for bytes.translate
HOLE_NAMES = tuple(f"{column}{row}" for row in range(1, rules.SIZE + 1) for column in "abcdefghij")
HOLE_OF_CELL = {int(cell): hole for hole, cell in enumerate(rules.CELL)}

PIN = re.compile(r"([RYGB])(?:=([RYGB]))?([a-j](?:10|[1-9]))")
START = re.compile(r"start ([1-4])")
SETUP = re.compile("setup " + " ".join(f"([RYGB]){HOLE_NAMES[hole]}" for hole in rules.SETUP_HOLES))
# By kind and points; every other figure is a line.
FIGURE_NAMES = {
    (rules.SINGLE, 1): "single",
    (rules.LINE, 10): "long_line",
    (rules.SQUARE, 4): "square",
    (rules.SQUARE, 8): "square_inside",
    (rules.CROSS, 5): "cross",
    (rules.CROSS, 10): "cross_on_crossing",
}
# Figures of several pins by a letter: its place in the alphabet is what `rules.figures` writes, from the first line on.
FIRST_FIGURE = 16 * rules.LINE
FIGURES: dict[str, list[str | int]] = {
    letter: [FIGURE_NAMES.get((code // 16, code % 16), "line"), code % 16]
    for code, letter in zip(range(FIRST_FIGURE, 16 * rules.CROSS + 16), ascii_letters, strict=False)
}
LETTER_OF_FIGURE = ("." * FIRST_FIGURE + "".join(FIGURES)).ljust(256).encode()  # for bytes.translate
TAKEN = b"\0"  # what `rules.figures` writes for a hole with a pin


class PinPoint(KernelGame):
    key = "pinpoint"
    name = "Pin Point"
    rules_version = 1
    rules = cast(Rules, rules)
    statistics = ("lines", "squares", "crosses", "singles", "jokers")
    can_draw = True
    players = (2, 3, 4)
    options = (
        Option("teams", False, choices=(False, True)),
        start_option(rules.SEATS),
        Option("setup", "lot", choices=("lot", *map("".join, permutations(COLOURS)))),  # pins of d4 d7 g4 g7
        Option("turn_seconds", None, choices=(None,), least=5, most=3600),
    )

    def check_agreement(self, agreed: Mapping[str, OptionValue]) -> None:
        if agreed["teams"] and agreed["players"] != 4:
            raise BadOption("teams", True, f"teams need 4 players, not {agreed['players']}")

    def options_record(self, agreed: Mapping[str, OptionValue]) -> Any:
        record = new_record(rules.Options)
        record.players, record.teams = agreed["players"], agreed["teams"]
        record.start = first_place(agreed)
        setup = cast(str, agreed["setup"])
        record.setup = BY_LOT if setup == "lot" else [COLOURS.index(letter) for letter in setup]
        return record

    def parse(self, state: Any, move: str) -> int:
        found = PIN.fullmatch(move)
        if not found:
            raise UnknownMove(move, message("pinpoint.unreadable"))
        pin, announced, hole = found.groups()
        manner = 1 + COLOURS.index(announced) if announced else 0
        return (COLOURS.index(pin) * rules.MANNERS + manner) * rules.HOLES + HOLE_NAMES.index(hole)

    def format(self, state: Any, move: int) -> str:
        what, hole = divmod(move, rules.HOLES)
        pin, manner = divmod(what, rules.MANNERS)
        announced = "=" + COLOURS[manner - 1] if manner else ""
        return COLOURS[pin] + announced + HOLE_NAMES[hole]

    def refusal(self, state: Any, move: int) -> Message:
        if move >= rules.MAX_MOVES or state.actor < 0:
            return message("pinpoint.not_this_outcome")
        what, hole = divmod(move, rules.HOLES)
        pin = what // rules.MANNERS
        if not state.hand >> pin & 1:
            hand = [_colour(colour) for colour in range(4) if state.hand >> colour & 1]
            return message("pinpoint.not_in_hand", pin=_colour(pin), hand=hand)
        if state.board[rules.CELL[hole]] != rules.EMPTY:
            return message("pinpoint.taken", hole=HOLE_NAMES[hole])
        return message("pinpoint.no_jokers", pin=_colour(pin))

    def parse_chance(self, state: Any, move: str) -> list[int]:
        if state.phase == rules.CHOOSE_START:
            if found := START.fullmatch(move):
                return [rules.STARTS + int(found[1]) - 1]
            raise UnknownMove(move, message("pinpoint.unreadable_start"))
        if state.phase == rules.SET_UP:
            if found := SETUP.fullmatch(move):
                return [rules.SETS_UP + COLOURS.index(letter) for letter in found.groups()]
            raise UnknownMove(move, message("pinpoint.unreadable_setup"))
        return [self.parse(state, move)]

    def format_chance(self, state: Any, outcomes: Sequence[int]) -> str:
        if state.phase == rules.CHOOSE_START:
            return f"start {outcomes[0] - rules.STARTS + 1}"
        if state.phase == rules.SET_UP:
            pins = zip(outcomes, rules.SETUP_HOLES, strict=True)
            return "setup " + " ".join(COLOURS[pin - rules.SETS_UP] + HOLE_NAMES[hole] for pin, hole in pins)
        return self.format(state, outcomes[0])

    def score(self, before: Any, after: Any, by: int) -> int | None:
        if before["phase"] in (rules.CHOOSE_START, rules.SET_UP):
            return None
        seat = before["seat"]
        return int(after["score"][seat]) - int(before["score"][seat])

    def time_limits(self, agreed: Mapping[str, OptionValue]) -> TimeLimits | None:
        seconds = cast(int | None, agreed["turn_seconds"])
        return None if seconds is None else TimeLimits(turn=seconds)

    def time_out(self, state: Any, seat: int, agreed: Mapping[str, OptionValue]) -> Any | None:
        if agreed["turn_seconds"] is None or seat == WHOLE_MATCH:
            return None
        return self.after_clock(state, rules.TIMEOUT)  # PP-22

    def scores(self, state: Any, winners: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(map(int, rules.totals(state)[: state["players"]]))

    def view(self, state: Any, seat: int | None) -> dict[str, Any]:
        totals, state = list(self.scores(state, ())), plain(state)
        shown = state.jokers_shown[: state.n_shown].tolist()
        return {
            "board": state.board[rules.CELL].tobytes().translate(LETTER_OF_PIN).decode(),
            "jokers_shown": [HOLE_NAMES[HOLE_OF_CELL[cell]] for cell in shown if state.board[cell] != rules.BLACK],
            "turn": state.seat + 1 if state.actor >= 0 else None,
            "hand": _hand(state.hand),
            "points": state.score[: state.players].tolist(),
            "totals": totals,
            "jokers": state.jokers[: state.players].tolist(),
            "turns_left": (state.n_empty + 3) // 4,
        }

    def legal(self, state: Any, seat: int) -> dict[str, Any]:
        if state["actor"] != seat - 1:
            return {"pins": [], "holes": [], "joker": False, "figures": {}, "worth": {}}
        pins, joker = _hand(int(state["hand"])), bool(state["jokers"][state["seat"]] > 0)
        made = np.empty((rules.COLOURS, rules.HOLES), np.uint8)
        rules.figures(state, made)
        row = made[0].tobytes()  # of any colour: 0 where a hole is taken
        figures = {colour: _letters(made[COLOURS.index(colour)]) for colour in (COLOURS if joker else pins)}
        return {
            "pins": pins,
            "holes": list(compress(HOLE_NAMES, row)),
            "joker": joker,
            "figures": figures,
            "worth": {letter: FIGURES[letter] for letter in sorted(set("".join(figures.values())) - {"."})},
        }

    def hint_steps(self, described: Described, move: str) -> tuple[Message, ...]:
        figure = described.message.key.rpartition(".")[2].partition("_")[0].replace("long", "line")
        kind = "joker" if "=" in move else figure
        return message(f"pinpoint.hint.{kind}"), message("pinpoint.hint.where", column=move[-3:].lstrip("=RYGB")[0])

    def counted(self, state: Any, entry: Entry, described: Described) -> Iterable[tuple[int, str]]:
        kinds = {"line": "lines", "long_line": "lines", "square": "squares", "square_inside": "squares"}
        kinds |= {"cross": "crosses", "cross_on_crossing": "crosses", "single": "singles"}
        if entry.by and (kind := kinds.get(described.message.key.rpartition(".")[2])):
            yield entry.by, kind
            if "=" in entry.move:
                yield entry.by, "jokers"

    def describe(self, state: Any, entry: Entry) -> Described:
        if found := START.fullmatch(entry.move):
            return Described(message("pinpoint.said.start", seat=int(found[1])))
        if SETUP.fullmatch(entry.move):
            pins = entry.move.removeprefix("setup ")
            return Described(message("pinpoint.said.setup", pins=pins), {"put": [pin[1:] for pin in pins.split()]})
        return self._describe_pin(state, entry)

    def _describe_pin(self, state: Any, entry: Entry) -> Described:
        what, hole = divmod(self.parse(state, entry.move), rules.HOLES)
        pin, manner = divmod(what, rules.MANNERS)
        colour = manner - 1 if manner else pin
        board, cell = state["board"].copy(), int(rules.CELL[hole])
        board[cell] = colour + 1
        figure, turned = rules.best_figure(board, cell, colour + 1)
        board = board.tolist()  # single fields of a list are read faster
        lines = [_line(board, cell, step) for i, step in enumerate(rules.DIRECTIONS) if turned >> i & 1]
        points, kind, place = figure & 15, figure >> 4 & 3, figure >> 6
        cells = _figure_cells(board, cell, kind, place)
        name = FIGURE_NAMES.get((kind, points), "line")
        put = message("pinpoint.joker", pin=_colour(pin), colour=_colour(colour)) if manner else _colour(pin)
        key = "pinpoint.said.late" if entry.by == 0 else f"pinpoint.said.{name}"
        marks = {"put": [HOLE_NAMES[hole]], "figure": _names(cells)}
        if lines:
            marks["turned"] = _names({c for line in lines for c in line})
        return Described(message(key, pin=put, hole=HOLE_NAMES[hole], length=len(cells)), marks)


def _colour(colour: int) -> Message:
    return message("pinpoint." + COLOUR_NAMES[colour])


def _letters(figures: Any) -> str:
    """Return a letter of FIGURES for each empty hole: the figure that a pin would make. A dot is a single pin."""
    return str(figures.tobytes().translate(LETTER_OF_FIGURE, TAKEN), "ascii")


def _hand(hand: int) -> list[str]:
    return [letter for colour, letter in enumerate(COLOURS) if hand >> colour & 1]


def _names(cells: set[int]) -> list[str]:
    return [HOLE_NAMES[hole] for hole in sorted(HOLE_OF_CELL[cell] for cell in cells)]


def _line(board: Any, cell: int, step: int) -> set[int]:
    cells = {cell}
    for way in (-step, step):
        q = cell + way
        while board[q] == board[cell]:
            cells.add(q)
            q += way
    return cells


def _figure_cells(board: Any, cell: int, kind: int, place: int) -> set[int]:
    if kind == rules.LINE:
        return _line(board, cell, rules.DIRECTIONS[place])
    if kind == rules.SQUARE:
        return {place, place + 1, place + rules.WIDTH, place + rules.WIDTH + 1}
    if kind == rules.CROSS:
        return {place, place - 1, place + 1, place - rules.WIDTH, place + rules.WIDTH}
    return {cell}


GAME = PinPoint()
