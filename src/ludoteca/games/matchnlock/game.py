"""Match'n Lock! for people: options, notation, views and words. The rules are in rules.py."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any, cast

import numpy as np

from ludoteca.core.errors import BadOption, UnknownMove
from ludoteca.core.game import Described, Option, OptionValue, start_option
from ludoteca.core.kernel import Rules, copied, new_record, plain
from ludoteca.core.kernel_game import KernelGame, first_place
from ludoteca.core.record import Entry
from ludoteca.core.words import Message, message
from ludoteca.games.matchnlock import circles, preview, rules
from ludoteca.games.matchnlock.reasons import HELPS_NOBODY, PREPARES, STOPS, Reason, reason_for
from ludoteca.games.matchnlock.tokens import A_SET, COLOURS, STANDARD, WEDGES, token_set, wedges_of

COLOUR_NAMES = ("blue", "green", "yellow", "red")
WEDGE_NAMES = dict(zip(WEDGES, (*COLOUR_NAMES, "any_colour"), strict=True))
SIDES = ("south", "west", "north", "east")
HOLE_NAMES = tuple(f"{column}{row}" for row in range(1, circles.SIZE + 1) for column in "abcdefgh")

DRAW = "draw"
MANNERS = {"": rules.PLACES, "+": rules.CLOCKWISE, "-": rules.ANTICLOCKWISE, "!": rules.DECLARES}
MOVE = re.compile(r"([a-h][1-8])([+!-]?)")
TOKEN = re.compile(r"t([1-9][0-9]?):([BGYR*]{4}/[0-9]{1,2})")
LOT = re.compile(r"([1-4])=(t.+)")


class MatchnLock(KernelGame):
    key = "matchnlock"
    name = "Match'n Lock!"
    rules_version = 1
    rules = cast(Rules, rules)
    statistics = ("circles", "others", "rotations", "placements")
    can_draw = True
    players = (1, 2, 3, 4)
    options = (
        start_option(rules.SEATS),
        Option(
            "colours", COLOURS, choices=tuple("".join(p) for n in range(4, 0, -1) for p in permutations(COLOURS, n))
        ),
        Option("tokens", STANDARD, choices=(STANDARD,), text=A_SET),
    )

    def check_agreement(self, agreed: Mapping[str, OptionValue]) -> None:
        players, colours = cast(int, agreed["players"]), cast(str, agreed["colours"])
        if len(colours) < players:
            raise BadOption("colours", colours, f"a letter for each of {players} players is wanted")
        values = {token.value for token in token_set(cast(str, agreed["tokens"]))}
        if len(values) == 1 and agreed["start"] == "lot" and players > 1:
            raise BadOption(
                "tokens", STANDARD, "all have one value, so lots cannot decide who begins: agree on a start"
            )

    def options_record(self, agreed: Mapping[str, OptionValue]) -> Any:
        record = new_record(rules.Options)
        record.players = agreed["players"]
        record.start = first_place(agreed)
        chosen = cast(str, agreed["colours"])
        spare = [letter for letter in COLOURS if letter not in chosen]
        record.colour = [COLOURS.index(letter) for letter in (*chosen, *spare)]
        tokens = token_set(cast(str, agreed["tokens"]))
        record.n_tokens = len(tokens)
        record.printed[: len(tokens)] = [token.bits for token in tokens]
        record.value[: len(tokens)] = [token.value for token in tokens]
        return record

    def parse(self, state: Any, move: str) -> int:
        if move == DRAW:
            return rules.DRAW
        found = MOVE.fullmatch(move)
        if not found:
            raise UnknownMove(move, message("matchnlock.unreadable"))
        return MANNERS[found[2]] + HOLE_NAMES.index(found[1])

    def format(self, state: Any, move: int) -> str:
        if move == rules.DRAW:
            return DRAW
        manner, hole = divmod(move, circles.HOLES)
        return HOLE_NAMES[hole] + list(MANNERS)[manner]

    def refusal(self, state: Any, move: int) -> Message:
        if move >= rules.TOKENS:
            return message("matchnlock.not_in_bag", token=_token_text(state, move - rules.TOKENS))
        if state.actor < 0:
            return message("core.table_draws")
        manner, hole = move - move % circles.HOLES, move % circles.HOLES
        if state.phase == rules.PLACING:
            key = "taken" if manner == rules.PLACES else "must_place"
        elif state.players == 1:
            key = "alone"
        elif rules.must_draw(state):
            key = "must_draw"
        elif manner == rules.PLACES:
            key = "draw_first"
        elif not state.board[circles.CELL[hole]]:
            key = "no_token"
        elif circles.is_locked(state, hole):
            key = "locked"
        else:
            key = "no_stalemate"
        return message(f"matchnlock.{key}", hole=HOLE_NAMES[hole])

    def parse_chance(self, state: Any, move: str) -> list[int]:
        if state.phase != rules.DRAW_LOTS:
            return [rules.TOKENS + _token_named(state, move, move)]
        head, *lots = move.split(" ")
        found = [LOT.fullmatch(lot) for lot in lots]
        if head != "lots" or not all(found):
            raise UnknownMove(move, message("matchnlock.unreadable_lots"))
        pairs = [(int(lot[1]), _token_named(state, move, lot[2])) for lot in found if lot]
        if [seat for seat, _ in pairs] != _tied(state):
            raise UnknownMove(move, message("matchnlock.wrong_lots", seats=", ".join(map(str, _tied(state)))))
        return [rules.TOKENS + token for _, token in pairs]

    def format_chance(self, state: Any, outcomes: Sequence[int]) -> str:
        tokens = [_token_text(state, outcome - rules.TOKENS) for outcome in outcomes]
        if state.phase != rules.DRAW_LOTS:
            return tokens[0]
        return "lots " + " ".join(f"{seat}={token}" for seat, token in zip(_tied(state), tokens, strict=True))

    def score(self, before: Any, after: Any, by: int) -> int | None:
        """Return the points of all circles that the move closed, for any owner."""
        if after["phase"] != rules.TURN or before["phase"] == rules.DRAW_LOTS:
            return None
        return int(after["points"].sum()) - int(before["points"].sum())

    def scores(self, state: Any, winners: tuple[int, ...]) -> tuple[int, ...]:
        points, colour = state["points"].tolist(), state["colour"].tolist()
        return tuple(points[colour[seat - 1]] for seat in self.seats(state))

    def view(self, state: Any, seat: int | None) -> dict[str, Any]:
        record, state = state, plain(state)
        locked = set(state.holes[state.n_empty + state.n_loose :].tolist())
        return {
            "board": {HOLE_NAMES[hole]: {**_lying(state, hole), "locked": hole in locked} for hole in _filled(state)},
            "locks": {
                _circle_name(circle): COLOURS[state.lock[circle] - 1] for circle in np.flatnonzero(state.lock).tolist()
            },
            "points": {letter: int(state.points[colour]) for colour, letter in enumerate(COLOURS)},
            "locks_left": {letter: int(state.locks[colour]) for colour, letter in enumerate(COLOURS)},
            "totals": list(self.scores(record, ())),
            "seats": [_place_of(record, seat) for seat in self.seats(record)],
            "turn": int(state.seat) + 1 if state.actor >= 0 else None,
            "in_hand": _in_hand(record),
            "bag": [_token_text(state, token) for token in sorted(state.bag[: state.n_bag].tolist())],
            "stalemate": _stalemate(record),
            "must_draw": bool(state.actor >= 0 and state.phase == rules.TURN and rules.must_draw(record)),
            "idle_turns_left": _idle_turns_left(record),
            "holes_left": int(state.n_empty),
        }

    def legal(self, state: Any, seat: int) -> dict[str, Any]:
        offered: dict[str, Any] = {"draw": False, "place": [], "rotate": [], "stalemate": [], "closes": {}}
        if state.actor != seat - 1:
            return offered
        if state.phase == rules.PLACING:
            offered["place"] = _names(state.holes[: state.n_empty])
        else:
            offered["draw"] = True
            if not rules.must_draw(state):
                offered["rotate"] = _names(state.holes[state.n_empty : state.n_empty + state.n_loose])
                stalemate = int(rules.stalemate_hole(state))
                offered["stalemate"] = [HOLE_NAMES[stalemate]] if stalemate != rules.NOTHING else []
        for move, *closed in _closings(state):
            offered["closes"].setdefault(self.format(state, move), []).append(_circle(*closed))
        return offered

    def hint_steps(self, described: Described, move: str) -> tuple[Message, ...]:
        if move == DRAW:
            return (message("matchnlock.hint.draw"),)
        why = described.marks.get("why")
        kind = "declare" if move.endswith("!") else "turn" if move[-1] in "+-" else "place"
        kind = "close" if described.marks.get("closed") else why if why in (STOPS, PREPARES, HELPS_NOBODY) else kind
        return message(f"matchnlock.hint.{kind}"), message("matchnlock.hint.where", row=move[1])

    def counted(self, state: Any, entry: Entry, described: Described) -> Iterable[tuple[int, str]]:
        did = described.marks.get("did")
        seat = entry.by or int(state.seat) + 1
        own = COLOURS[state.colour[seat - 1]]
        for circle in described.marks.get("closed", ()):
            yield seat, "circles" if circle["colour"] == own else "others"
        if did in ("clockwise", "anticlockwise"):
            yield seat, "rotations"
        elif did in ("place", "replace"):
            yield seat, "placements"

    def describe(self, state: Any, entry: Entry) -> Described:
        if entry.by and entry.move == DRAW:
            return Described(message("matchnlock.said.draw"))
        if entry.by == 0 and state.phase != rules.REPLACING:
            return self._describe_draw(state, entry)
        after = self.play(state, entry.by, entry.move).state
        if entry.by == 0:
            hole, name = int(state.target), "replace"
        else:
            move = self.parse(state, entry.move)
            hole, name = move % circles.HOLES, ("place", "clockwise", "anticlockwise", "declare")[move // circles.HOLES]
        closed = [_circle(*row[1:]) for row in _newly_closed(state, after, hole)]
        said = message(f"matchnlock.said.{name}", hole=HOLE_NAMES[hole])
        if closed:
            said = message("matchnlock.said.closes", what=said, circles=[_circle_said(circle) for circle in closed])
        return Described(said, {"hole": HOLE_NAMES[hole], "did": name, "closed": closed})

    def describe_hint(self, known: Any, seat: int, move: str) -> Described:
        described = super().describe_hint(known, seat, move)
        why = None if described.marks.get("closed") else reason_for(known, self.parse(known, move))
        return Described(_why_said(why, described.message), described.marks | {"why": why.what}) if why else described

    def _describe_draw(self, state: Any, entry: Entry) -> Described:
        outcomes = self.parse_chance(state, entry.move)
        if state.phase != rules.DRAW_LOTS:
            token = outcomes[0] - rules.TOKENS
            drawn = _token(state, token, int(state.printed[token]))
            return Described(_drawn_said(drawn), {"did": "drawn", "token": drawn})
        after = copied(state)
        for outcome in outcomes:
            rules.play(after, outcome)
        lots = [
            message("matchnlock.lot", seat=seat, value=int(state.value[outcome - rules.TOKENS]))
            for seat, outcome in zip(_tied(state), outcomes, strict=True)
        ]
        if after.phase == rules.DRAW_LOTS:
            return Described(message("matchnlock.said.lots_again", lots=lots), {"did": "lots"})
        return Described(message("matchnlock.said.lots", lots=lots, seat=int(after.seat) + 1), {"did": "lots"})


def _tied(state: Any) -> list[int]:
    return [seat + 1 for seat in range(rules.SEATS) if state["tied"] >> seat & 1]


def _names(holes: Any) -> list[str]:
    return [HOLE_NAMES[hole] for hole in sorted(holes.tolist())]


def _filled(state: Any) -> list[int]:
    return sorted(state.holes[state.n_empty :].tolist())


def _token_text(state: Any, token: int) -> str:
    return f"t{token + 1}:{wedges_of(int(state.printed[token]))}/{state.value[token]}"


def _token_named(state: Any, move: str, text: str) -> int:
    """Return the token of the set that a text names. The text must give its wedges and its value."""
    found = TOKEN.fullmatch(text)
    if not found:
        raise UnknownMove(move, message("matchnlock.unreadable_token"))
    token = int(found[1]) - 1
    if token >= state.n_tokens or _token_text(state, token) != text:
        raise UnknownMove(move, message("matchnlock.no_such_token", token=text))
    return token


def _token(state: Any, token: int, lies: int) -> dict[str, Any]:
    return {"token": token + 1, "wedges": wedges_of(lies), "value": int(state.value[token])}


def _lying(state: Any, hole: int) -> dict[str, Any]:
    return _token(state, int(state.token[hole]), int(state.board[circles.CELL[hole]]))


def _in_hand(state: Any) -> dict[str, Any] | None:
    """Return the drawn token as it will lie when it is placed."""
    if state.in_hand == rules.NOTHING:
        return None
    printed = int(state.printed[state.in_hand])
    return _token(state, int(state.in_hand), int(circles.turned(printed, rules.quarters(state, state.seat))))


def _place_of(state: Any, seat: int) -> dict[str, str]:
    side = SIDES[rules.quarters(state, seat - 1)]
    return {"side": side, "colour": COLOURS[state.colour[seat - 1]]}


def _stalemate(state: Any) -> dict[str, Any] | None:
    """Return which stalemate the seat to move may declare, and why: which seats turned the token twice, and how."""
    if state.actor < 0 or state.phase != rules.TURN or rules.must_draw(state):
        return None
    hole = int(rules.stalemate_hole(state))
    if hole == rules.NOTHING:
        return None
    turning = {seat: int(rules.insistence(state, seat - 1)) for seat in range(1, int(state.players) + 1)}
    return {
        "hole": HOLE_NAMES[hole],
        "clockwise": [seat for seat, move in turning.items() if move == rules.CLOCKWISE + hole],
        "anticlockwise": [seat for seat, move in turning.items() if move == rules.ANTICLOCKWISE + hole],
    }


def _idle_turns_left(state: Any) -> int | None:
    """Return how many turns without a placement or a circle are left until a seat must draw.

    None where nobody may rotate.
    """
    return max(0, rules.IDLE_ROUNDS * int(state.players) - int(state.idle)) if state.players > 1 else None


def _circle_name(circle: int) -> str:
    """Return the name of a circle: its lower left hole."""
    return HOLE_NAMES[int(circles.HOLE_AT[circle])]


def _circle(circle: int, colour: int, points: int) -> dict[str, Any]:
    holes = [HOLE_NAMES[circles.HOLE_AT[circle + offset]] for offset in circles.TOKENS_ROUND]
    return {"circle": holes[0], "holes": holes, "colour": COLOURS[colour], "points": points}


def _drawn_said(token: Mapping[str, Any]) -> Message:
    wedges = [message("matchnlock." + WEDGE_NAMES[letter]) for letter in token["wedges"]]
    return message("matchnlock.said.drawn", wedges=wedges, value=token["value"])


def _circle_said(circle: Mapping[str, Any]) -> Message:
    colour = message("matchnlock." + COLOUR_NAMES[COLOURS.index(circle["colour"])])
    return message("matchnlock.circle", colour=colour, points=circle["points"])


def _why_said(why: Reason, move: Message) -> Message:
    colour = message("matchnlock." + COLOUR_NAMES[why.colour])
    circle = message("matchnlock.some_circle", colour=colour)
    if why.points is not None:
        circle = message("matchnlock.circle", colour=colour, points=why.points)
    return message(f"matchnlock.why.{why.key}", move=move, circle=circle)


def _closings(state: Any) -> list[list[int]]:
    pool, out = np.zeros(1, rules.State).view(np.recarray), np.zeros((4 * rules.MAX_COUNT, 4), np.int32)
    n = preview.closings(state, pool, out)
    return cast(list[list[int]], out[:n].tolist())


def _newly_closed(before: Any, after: Any, hole: int) -> list[list[int]]:
    out = np.zeros((4, 4), np.int32)
    n = preview.newly_closed(before, after, hole, out, 0)
    return cast(list[list[int]], out[:n].tolist())


GAME = MatchnLock()
