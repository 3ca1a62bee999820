"""AFTAEBR for people: options, notation, views and words. The rules are in rules.py."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from ludoteca.core.errors import BadOption, UnknownMove
from ludoteca.core.game import WHOLE_MATCH, Described, Option, OptionValue, TimeLimits, start_option
from ludoteca.core.kernel import Rules, copied, new_record
from ludoteca.core.kernel_game import KernelGame, first_place
from ludoteca.core.record import Entry
from ludoteca.core.words import Message, message
from ludoteca.games.aftaebr import rules
from ludoteca.games.aftaebr.reasons import CALM, PREPARES, STOPS, reason_for
from ludoteca.games.aftaebr.squares import BIT, SIZE, SQUARES

COLOURS = "GBFO"
COLOUR_NAMES = ("green", "light_blue", "fuchsia", "orange")
PIECES = tuple(f"{colour}{number}" for colour in COLOURS for number in range(1, rules.NUMBERS + 1))
NUMBERS = range(1, rules.NUMBERS + 1)
SQUARE_NAMES = tuple(f"{column}{row}" for row in range(1, SIZE + 1) for column in "abcdef")
NAMED_BITS = tuple(zip(SQUARE_NAMES, BIT.tolist(), strict=True))
PHASES = ("lots", "colours", "turns")
REASONS = {rules.COMPLETE: "complete", rules.LIMIT: "limit", rules.LATE: "time"}
PASS, TIME = "pass", "time"
TURN_SECONDS = 30  # AF-23

PUT = re.compile(r"([GBFO][1-4])([a-f][1-6])")
COLOUR = re.compile(r"colour ([GBFO])")
LOTS = re.compile(r"lots ([1-4](?: [1-4]){1,3})")


class Aftaebr(KernelGame):
    key = "aftaebr"
    name = "AFTAEBR"
    rules_version = 1
    rules = cast(Rules, rules)
    statistics = ("sequences", "pieces", "stacked", "passes")
    can_draw = True
    players = (2, 3, 4)
    options = (
        start_option(rules.SEATS),
        Option("minutes", None, choices=(None,), least=1, most=240),  # time of the match
        Option("turn_seconds", TURN_SECONDS, least=5, most=3600),  # time of a turn, if there are minutes
    )

    def check_agreement(self, agreed: Mapping[str, OptionValue]) -> None:
        if agreed["minutes"] is None and agreed["turn_seconds"] != TURN_SECONDS:
            raise BadOption(
                "turn_seconds", agreed["turn_seconds"], "a turn has a time only where the match has minutes"
            )

    def options_record(self, agreed: Mapping[str, OptionValue]) -> Any:
        record = new_record(rules.Options)
        record.players = agreed["players"]
        record.start = first_place(agreed)
        return record

    def parse(self, state: Any, move: str) -> int:
        if move == PASS:
            return rules.PASS
        if found := COLOUR.fullmatch(move):
            return rules.CHOOSES + COLOURS.index(found[1])
        if found := PUT.fullmatch(move):
            return PIECES.index(found[1]) * SQUARES + SQUARE_NAMES.index(found[2])
        raise UnknownMove(move, message("aftaebr.unreadable"))

    def format(self, state: Any, move: int) -> str:
        if move == rules.PASS:
            return PASS
        if move >= rules.CHOOSES:
            return f"colour {COLOURS[move - rules.CHOOSES]}"
        piece, square = divmod(move, SQUARES)
        return PIECES[piece] + SQUARE_NAMES[square]

    def refusal(self, state: Any, move: int) -> Message:
        if move >= rules.LOTS or state.actor < 0:
            return message("aftaebr.not_this_outcome")
        if state.phase == rules.CHOOSING:
            free = [_colour(colour) for colour in range(rules.COLOURS) if colour not in state.colour]
            return message("aftaebr.choose_a_colour" if move <= rules.PASS else "aftaebr.colour_taken", free=free)
        if move >= rules.CHOOSES:
            return message("aftaebr.colours_are_chosen")
        if move == rules.PASS:
            return message("aftaebr.can_put")
        return self._why_not_there(state, *divmod(move, SQUARES))

    def _why_not_there(self, state: Any, piece: int, square: int) -> Message:
        if not _stock(state, int(state.seat))[piece]:
            return message("aftaebr.not_in_stock", piece=_piece(piece))
        bit, name = int(BIT[square]), SQUARE_NAMES[square]
        fitting = [_number(number) for number in NUMBERS if int(state.fits[number]) >> bit & 1]
        if not fitting:
            return message("aftaebr.alone", square=name)
        return message("aftaebr.fits_no_neighbour", piece=_piece(piece), square=name, fitting=fitting)

    def parse_chance(self, state: Any, move: str) -> list[int]:
        if state.phase != rules.DRAWING:
            return [self.parse(state, move)]
        if found := LOTS.fullmatch(move):
            return [rules.LOTS + int(number) - 1 for number in found[1].split()]
        raise UnknownMove(move, message("aftaebr.unreadable_lots"))

    def format_chance(self, state: Any, outcomes: Sequence[int]) -> str:
        if state.phase != rules.DRAWING:
            return self.format(state, outcomes[0])
        return "lots " + " ".join(str(outcome - rules.LOTS + 1) for outcome in outcomes)

    def time_limits(self, agreed: Mapping[str, OptionValue]) -> TimeLimits | None:
        if agreed["minutes"] is None:
            return None
        return TimeLimits(turn=cast(int, agreed["turn_seconds"]), match=60 * cast(int, agreed["minutes"]))

    def is_match_timed(self, state: Any) -> bool:
        return bool(state.phase == rules.TURN and not state.closing)  # AF-23

    def turn(self, state: Any) -> int:
        return int(state.turn)  # AF-14: an extra turn is a new turn

    def time_out(self, state: Any, seat: int, agreed: Mapping[str, OptionValue]) -> Any | None:
        if agreed["minutes"] is None or (seat == WHOLE_MATCH and not self.is_match_timed(state)):
            return None
        return self.after_clock(state, rules.TIME if seat == WHOLE_MATCH else rules.TIMEOUT)  # AF-23

    def is_over(self, state: Any, out: frozenset[int]) -> bool:
        """AF-20: return whether the match is over, also when all seats but one have resigned or have no piece left."""
        left = {*self.seats(state)} - out - self.eliminated(state)
        return super().is_over(state, out) or len(left) == 1

    def reason(self, state: Any) -> str:
        return REASONS.get(int(state.ending), "complete")

    def eliminated(self, state: Any) -> frozenset[int]:
        if state.phase != rules.TURN:
            return frozenset()
        return frozenset(seat for seat in self.seats(state) if state.pieces[seat - 1] == 0)

    def scores(self, state: Any, winners: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(int(pieces) for pieces in state.pieces[: state.players])

    def view(self, state: Any, seat: int | None) -> dict[str, Any]:
        seats = range(state.players)
        return {
            "phase": PHASES[state.phase],
            "turn": int(state.seat) + 1 if state.actor >= 0 else None,
            "board": _stacks(state),
            "stocks": [_by_colour(_stock(state, place)) for place in seats],
            "pieces": list(self.scores(state, ())),
            "colours": [COLOURS[state.colour[place]] if state.colour[place] >= 0 else None for place in seats],
            "lots": [int(number) or None for number in state.lots[: state.players]],
            "out": sorted(self.eliminated(state)),
            "extra": bool(state.extra),
            "last_round": bool(state.closing),
            "passes": int(state.passes),
            "turn_number": int(state.turn) + 1,
            "turns_left": rules.LONGEST - int(state.turn),
        }

    def legal(self, state: Any, seat: int) -> dict[str, Any]:
        legal: dict[str, Any] = {"choose": [], "numbers": {}, "pass": False}
        if state.actor != seat - 1:
            return legal
        if state.phase == rules.CHOOSING:
            return legal | {"choose": [move.removeprefix("colour ") for move in self.moves(state)]}
        stock = _stock(state, seat - 1)
        for number in NUMBERS:
            colours = [COLOURS[colour] for colour in range(rules.COLOURS) if stock[colour * rules.NUMBERS + number - 1]]
            squares = _squares_for(state, number)
            if colours and squares:
                legal["numbers"][str(number)] = {"colours": colours, "squares": squares}
        return legal | {"pass": not legal["numbers"]}

    def hint_steps(self, described: Described, move: str) -> tuple[Message, ...]:
        put = described.marks.get("put")
        if not put:
            return ()
        why = described.marks.get("why")
        kind = "take" if described.marks["taken"] else why if why in (STOPS, PREPARES, CALM) else "put"
        return message(f"aftaebr.hint.{kind}", number=int(move[1])), message("aftaebr.hint.where", row=put[0][1:])

    def counted(self, state: Any, entry: Entry, described: Described) -> Iterable[tuple[int, str]]:
        seat = int(state.seat) + 1
        waves = described.marks.get("taken", ())
        yield from ((seat, "sequences") for _ in waves)
        yield from ((seat, "pieces") for wave in waves for _ in wave)
        if entry.by and _stacks(state).keys() & set(described.marks.get("put", ())):
            yield seat, "stacked"
        if entry.move == PASS:
            yield seat, "passes"

    def describe(self, state: Any, entry: Entry) -> Described:
        if found := LOTS.fullmatch(entry.move):
            drawn = [_number(int(number)) for number in found[1].split()]
            first = found[1].split().index(max(found[1].split())) + 1
            return Described(message("aftaebr.said.lots", drawn=drawn, seat=first), {"first": first})
        if found := COLOUR.fullmatch(entry.move):
            chosen = message("aftaebr.said.colour", seat=int(state.seat) + 1, colour=_colour(COLOURS.index(found[1])))
            return Described(_made_by(state, entry, chosen), {"colour": found[1], "set_up": True})
        if entry.move == TIME:
            return Described(message("aftaebr.said.time"))
        if entry.move == PASS:
            return Described(_made_by(state, entry, message("aftaebr.said.pass")))
        return self._describe_put(state, entry)

    def describe_hint(self, known: Any, seat: int, move: str) -> Described:
        described = super().describe_hint(known, seat, move)
        marks = described.marks
        is_quiet = "put" in marks and not marks["taken"] and not marks["out"]
        why = reason_for(known, self.parse(known, move)) if is_quiet else None
        if why is None:
            return described
        told = message(f"aftaebr.why.{why.what}", move=described.message, number=why.number)
        return Described(told, marks | {"why": why.what})

    def _describe_put(self, state: Any, entry: Entry) -> Described:
        seat = int(state.seat) + 1
        piece, square = divmod(self.parse(state, entry.move), SQUARES)
        name = SQUARE_NAMES[square]
        covered = _stacks(state).get(name)
        after, waves = copied(state), []
        rules.leave_stock(after, piece)
        rules.lay(after, piece, int(BIT[square]))
        taken = -1
        while taken:
            stacks, taken = _stacks(after), int(rules.sequences(after.tops))
            waves += [{named: stacks[named][-1] for named, bit in NAMED_BITS if taken >> bit & 1}] if taken else []
            rules.take(after, taken)
        out = [seat] if after.pieces[seat - 1] == 0 else []
        if covered:
            put = message("aftaebr.said.stacked", piece=_piece(piece), square=name, covered=_named_piece(covered[-1]))
        else:
            put = message("aftaebr.said.put", piece=_piece(piece), square=name)
        if waves:
            put = message("aftaebr.said.takes", put=put, count=sum(map(len, waves)))
        elif out:
            put = message("aftaebr.said.out", put=put, seat=seat)
        marks = {"put": [name], "piece": PIECES[piece], "taken": waves, "extra": bool(waves), "out": out}
        return Described(_made_by(state, entry, put), marks)


def _made_by(state: Any, entry: Entry, made: Message) -> Message:
    """Return the message of a move. Chance may have made it for the seat to move."""
    return made if entry.by else message("aftaebr.said.by_chance", seat=int(state.seat) + 1, made=made)


def _colour(colour: int) -> Message:
    return message("aftaebr." + COLOUR_NAMES[colour])


def _number(number: int) -> Message:
    return message("aftaebr.number", number=number)


def _piece(piece: int) -> Message:
    return message("aftaebr.piece", colour=_colour(piece // rules.NUMBERS), number=piece % rules.NUMBERS + 1)


def _named_piece(name: str) -> Message:
    return _piece(PIECES.index(name))


def _stock(state: Any, place: int) -> list[int]:
    stock: list[int] = state.stock[place * rules.PIECES : (place + 1) * rules.PIECES].tolist()
    return stock


def _by_colour(stock: Sequence[int]) -> dict[str, list[int]]:
    """Return, for each colour in the stock, how many pieces it has of the numbers 1 to 4."""
    trays = {letter: list(stock[n * rules.NUMBERS :][: rules.NUMBERS]) for n, letter in enumerate(COLOURS)}
    return {letter: tray for letter, tray in trays.items() if any(tray)}


def _stacks(state: Any) -> dict[str, list[str]]:
    """Return the occupied squares with their pieces, from the bottom to the top."""
    top, piece, under = state.top.tolist(), state.piece.tolist(), state.under.tolist()
    stacks = {}
    for name, bit in NAMED_BITS:
        stack, place = [], top[bit]
        while place != rules.NOTHING:
            stack.append(PIECES[piece[place]])
            place = under[place]
        if stack:
            stacks[name] = stack[::-1]
    return stacks


def _squares_for(state: Any, number: int) -> dict[str, list[str]]:
    """Return the squares that take this number, each with the neighbours that allow it (none for a lone square)."""
    fits, tops = int(state.fits[number]), state.tops.tolist()
    allowing = tops[number - 1] | tops[number + 1]
    squares = {}
    for name, bit in NAMED_BITS:
        if fits >> bit & 1:
            neighbours = int(rules.around(1 << bit)) & allowing
            squares[name] = [other for other, place in NAMED_BITS if neighbours >> place & 1]
    return squares


GAME = Aftaebr()
