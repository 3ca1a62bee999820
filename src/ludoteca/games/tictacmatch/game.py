"""Tic-Tac Match for people: options, notation, views and words. The rules are in rules.py."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import msgspec

from ludoteca.core.errors import BadOption, IllegalMove, UnknownMove
from ludoteca.core.game import Described, Option, OptionValue, start_option
from ludoteca.core.kernel import BY_LOT, Rules, new_record
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.record import Entry, Result
from ludoteca.core.words import Message, message
from ludoteca.games.tictacmatch import plays, rules
from ludoteca.games.tictacmatch.cards import CENTRE, DOUBLE, FITS, FLIP, LINES, SPACES, WIPE_OUT
from ludoteca.games.tictacmatch.reasons import reason_for

SYMBOLS = "XO"
CARD_NAMES = (*(symbol + colour for symbol in SYMBOLS for colour in "RBYG"), "F", "W", "D")
SPACE_NAMES = tuple(f"{column}{row}" for row in (1, 2, 3) for column in "abc")
PHASE_NAMES = ("dealer", "deal", "reveal", "draw", "shuffle", "redeal", "play", "first", "second", "target", "over")
UNSEEN = "?"

CARD = r"(?:[XO][RBYG]|[FWD])"
PUT = re.compile(r"([XO][RBYG]) ([abc][123])")
TARGET = re.compile(r"target ([1-4])")
DEALER = re.compile(r"dealer ([1-4])")
REDEAL = re.compile(r"redeal ([1-4])")
TAKEN = re.compile(rf"((?:deal|draw) [1-4]|reveal)((?: {CARD})+)")


class TicTacMatch(KernelGame):
    key = "tictacmatch"
    name = "Tic-Tac Match"
    rules_version = 1
    rules = cast(Rules, rules)
    statistics = ("cards", "covers", "flips", "wipe_outs", "doubles")
    can_draw = True
    players = (2, 4)
    options = (
        Option("teams", None, choices=(None, False, True)),  # None: teams if there are four players
        start_option(plays.SEATS),
    )

    def agree(self, given: Mapping[str, object]) -> dict[str, OptionValue]:
        agreed = super().agree(given)
        if agreed["teams"] is None:
            agreed["teams"] = agreed["players"] == 4  # TT-8
        return agreed

    def check_agreement(self, agreed: Mapping[str, OptionValue]) -> None:
        if agreed["teams"] and agreed["players"] != 4:
            raise BadOption("teams", True, f"teams need 4 players, not {agreed['players']}")

    def agreed_again(self, agreed: Mapping[str, OptionValue], state: Any, result: Result) -> dict[str, OptionValue]:
        """TT-7: the deal passes left.

        Everybody moves up by one seat, so the new dealer sits two seats after the old one.
        """
        again = super().agreed_again(agreed, state, result)
        if state.dealer != BY_LOT:
            again["start"] = (int(state.dealer) + 3) % int(state.players) + 1
        return again

    def options_record(self, agreed: Mapping[str, OptionValue]) -> Any:
        record = new_record(rules.Options)
        record.players, record.teams = agreed["players"], agreed["teams"]
        start = agreed["start"]  # TT-6: the dealer sits to the right
        record.dealer = BY_LOT if start == "lot" else (cast(int, start) - 2) % record.players
        return record

    # Notation

    def parse(self, state: Any, move: str) -> int:
        if found := PUT.fullmatch(move):
            return CARD_NAMES.index(found[1]) * SPACES + SPACE_NAMES.index(found[2])
        if found := TARGET.fullmatch(move):
            return plays.TARGETS + int(found[1]) - 1
        if move in CARD_NAMES[FLIP:]:
            return plays.PLAYS + CARD_NAMES.index(move)
        raise UnknownMove(move, message("tictacmatch.unreadable"))

    def format(self, state: Any, move: int) -> str:
        if move >= plays.TARGETS:
            return f"target {move - plays.TARGETS + 1}"
        if move >= plays.PLAYS + FLIP:
            return CARD_NAMES[move - plays.PLAYS]
        kind, space = divmod(move, SPACES)
        return f"{CARD_NAMES[kind]} {SPACE_NAMES[space]}"

    def parse_chance(self, state: Any, move: str) -> list[int]:
        if found := DEALER.fullmatch(move):
            return [plays.DEALERS + int(found[1]) - 1]
        if found := REDEAL.fullmatch(move):
            return [plays.REDEALS + int(found[1]) - 1]
        if move == "shuffle":
            return [plays.SHUFFLE]
        found = TAKEN.fullmatch(move)
        if not found:
            raise UnknownMove(move, message("tictacmatch.unreadable_chance"))
        due = _heading(state)
        if due is not None and found[1] != due:
            raise IllegalMove(move, message("tictacmatch.table_does", due=due))
        return [plays.CARDS + CARD_NAMES.index(card) for card in found[2].split()]

    def format_chance(self, state: Any, outcomes: Sequence[int]) -> str:
        first = outcomes[0]
        if first >= plays.REDEALS:
            return f"redeal {first - plays.REDEALS + 1}"
        if first == plays.SHUFFLE:
            return "shuffle"
        if first < plays.CARDS:
            return f"dealer {first - plays.DEALERS + 1}"
        return " ".join((_heading(state) or "", *(CARD_NAMES[outcome - plays.CARDS] for outcome in outcomes)))

    def refusal(self, state: Any, move: int) -> Message:
        """Return why a move is not allowed. Only the seat that tried it is told: it may mention that seat's hand."""
        if move >= plays.MAX_MOVES or rules.actor(state) < 0:
            return message("tictacmatch.not_this_outcome")
        if state.phase == plays.TARGET:
            return message("tictacmatch.name_another")
        if move >= plays.TARGETS:
            return message("tictacmatch.no_target_now")
        special = move >= plays.PLAYS + FLIP
        kind, space = (move - plays.PLAYS, 0) if special else divmod(move, SPACES)
        card = _card(CARD_NAMES[kind])
        if state.hand[state.seat, kind] == 0:
            return message("tictacmatch.not_in_hand", card=card, hand=_cards(_hand(state, state.seat)))
        if state.phase != plays.PLAY and kind in (WIPE_OUT, DOUBLE):
            return message("tictacmatch.not_in_double", card=card)
        if kind == DOUBLE:
            return message("tictacmatch.no_double")
        top = int(state.top[space])
        if special or FITS[kind, top]:
            return message("tictacmatch.no_second", card=card)
        key = "same_card" if top == kind + 1 else "nothing_in_common"
        return message(f"tictacmatch.{key}", card=card, space=SPACE_NAMES[space], top=_card(CARD_NAMES[top - 1]))

    def reason(self, state: Any) -> str:
        return "limit" if state.won == rules.NOBODY else "complete"

    # Visibility

    def view(self, state: Any, seat: int | None) -> dict[str, Any]:
        eye = rules.NOBODY if seat is None else seat - 1
        return {
            "grid": [_stack(state, space) for space in range(SPACES)],
            "hands": [_hand(state, n - 1) if rules.sees(state, eye, n - 1) else None for n in self.seats(state)],
            "sizes": [int(held) for held in state.held[: state.players]],
            "identities": _identities(state),
            "dealer": int(state.dealer) + 1 or None,
            "teams": bool(state.teams),
            "pile": int(state.left),
            "discards": _names(state.discards),
            "turn": int(state.seat) + 1 if rules.actor(state) >= 0 else None,
            "phase": PHASE_NAMES[state.phase],
            "turns_left": rules.LIMIT - int(state.turn),
            "line": _lines(state.top) if state.phase == plays.ENDED else [],
        }

    def legal(self, state: Any, seat: int) -> dict[str, Any]:
        cards: dict[str, list[str]] = {}
        targets = []
        for move in self.moves(state) if rules.actor(state) == seat - 1 else ():
            name, _, where = move.partition(" ")
            if name == "target":
                targets.append(int(where))
            else:
                cards.setdefault(name, []).extend([where] if where else [])
        return {"cards": cards, "targets": targets}

    def seen(self, entry: Entry, seat: int | None) -> Entry:
        """Hide the cards of others, and the tickets of all cards: they would reveal the order of the pile."""
        found = TAKEN.fullmatch(entry.move) if entry.by == 0 else None
        if not found:
            return entry
        heading, cards = found[1], found[2].split()
        if heading != "reveal" and (seat is None or heading[-1] != str(seat)):
            cards = [UNSEEN] * len(cards)
        return msgspec.structs.replace(entry, move=" ".join((heading, *cards)), picks=None)

    def hint_steps(self, described: Described, move: str) -> tuple[Message, ...]:
        verb = move.split()[0]
        marks = described.marks
        if "space" not in marks:
            return (message("tictacmatch.hint.special"),) if verb in ("F", "W", "D") else ()
        kind = "line" if marks.get("line") else marks.get("why") or ("cover" if marks.get("covered") else "put")
        return message(f"tictacmatch.hint.{kind}"), message("tictacmatch.hint.where", column=marks["space"][0])

    def counted(self, state: Any, entry: Entry, described: Described) -> Iterable[tuple[int, str]]:
        if entry.by:
            names = {"F": "flips", "W": "wipe_outs", "D": "doubles"}
            if name := names.get(entry.move.split()[0]):
                yield entry.by, name
            elif "space" in described.marks:
                yield entry.by, "cards"
                if described.marks.get("covered"):
                    yield entry.by, "covers"

    def describe(self, state: Any, entry: Entry) -> Described:
        """Describe an entry. It uses only what lies open, and a hand only when the entry lays it down."""
        verb, *rest = entry.move.split()
        match verb:
            case "deal" | "draw":
                return _describe_drawn(verb, int(rest[0]), rest[1:])
            case "reveal":
                return _describe_reveal(state, rest[0])
            case "dealer":
                return Described(message("tictacmatch.said.dealer", seat=int(rest[0])), {"dealer": int(rest[0])})
            case "shuffle":
                cards = int(state.discards.sum()) + int(state.n_under.sum())
                return Described(message("tictacmatch.said.shuffle", count=cards), {"shuffled": cards})
            case "target" | "redeal":
                seat = int(rest[0])
                hand = _hand(state, seat - 1)
                said = message(f"tictacmatch.said.{verb}", seat=seat, cards=_cards(hand))
                return Described(said, {"laid_down": {"seat": seat, "cards": hand}})
            case "F":
                identities = [SYMBOLS[1 - SYMBOLS.index(symbol)] for symbol in _identities(state)]
                return Described(message("tictacmatch.said.F"), {"card": "F", "identities": identities})
            case "W" | "D":
                return Described(message(f"tictacmatch.said.{verb}"), {"card": verb})
        return _describe_put(state, verb, rest[0])

    def describe_hint(self, known: Any, seat: int, move: str) -> Described:
        verb, _, named = move.partition(" ")
        if verb == "target":
            return _describe_target_hint(int(named))
        described = super().describe_hint(known, seat, move)
        why = None if described.marks.get("line") else reason_for(known, self.parse(known, move))
        if why is None:
            return described
        card = _card(CARD_NAMES[why.kind])
        told = message(f"tictacmatch.why.{why.what}", move=described.message, card=card)
        return Described(told, described.marks | {"why": why.what})


def _describe_target_hint(seat: int) -> Described:
    """Describe the hint to choose a target. The player does not know what the others hold."""
    return Described(message("tictacmatch.hint.target", seat=seat), {"target": seat})


def _describe_drawn(verb: str, seat: int, cards: list[str]) -> Described:
    hidden = UNSEEN in cards
    marks = {"drawn": {"seat": seat, "count": len(cards), "cards": None if hidden else cards}}
    if hidden:
        return Described(message(f"tictacmatch.said.{verb}_unseen", seat=seat, count=len(cards)), marks)
    return Described(message(f"tictacmatch.said.{verb}", seat=seat, cards=_cards(cards)), marks)


def _describe_reveal(state: Any, card: str) -> Described:
    if card[0] not in SYMBOLS:
        return Described(message("tictacmatch.said.reveal", card=_card(card)), {"card": card})
    held = [SYMBOLS.index(card[0]) ^ int(rules.side(state, seat)) for seat in range(int(state.players))]
    marks = {"card": card, "space": SPACE_NAMES[CENTRE], "identities": [SYMBOLS[symbol] for symbol in held]}
    return Described(message("tictacmatch.said.centre", card=_card(card), symbol=card[0]), marks)


def _describe_put(state: Any, card: str, space: str) -> Described:
    top, place = state.top.copy(), SPACE_NAMES.index(space)
    covered = CARD_NAMES[int(top[place]) - 1] if top[place] else None
    top[place] = CARD_NAMES.index(card) + 1
    line = _lines(top)
    key = "line" if line else "cover" if covered else "put"
    parts: dict[str, Any] = {"card": _card(card), "space": space}
    parts |= {"symbol": card[0]} if line else {"covered": _card(covered)} if covered else {}
    marks = {"card": card, "space": space, "covered": covered, "line": line}
    return Described(message(f"tictacmatch.said.{key}", **parts), marks)


def _heading(state: Any) -> str | None:
    """Return the beginning of the table's next entry, where it names cards."""
    if state["phase"] == plays.REVEAL:
        return "reveal"
    verbs = {plays.DEAL: "deal", plays.DRAW: "draw"}
    verb = verbs.get(int(state["phase"]))
    return f"{verb} {int(state['drawer']) + 1}" if verb else None


def _names(counts: Any) -> list[str]:
    return [name for name, count in zip(CARD_NAMES, counts.tolist(), strict=True) for _ in range(count)]


def _hand(state: Any, seat: int) -> list[str]:
    return _names(state.hand[seat])


def _stack(state: Any, space: int) -> list[str]:
    """Return the cards of a space, from the lowest to the top one."""
    cards = [*state.under[space, : state.n_under[space]].tolist(), int(state.top[space])]
    return [CARD_NAMES[card - 1] for card in cards if card]


def _identities(state: Any) -> list[str]:
    if state.symbol == rules.NOBODY:
        return []
    return [SYMBOLS[rules.identity(state, seat)] for seat in range(int(state.players))]


def _lines(top: Any) -> list[str]:
    """Return the spaces of all lines of three equal cards."""
    lines = [line for line in LINES if top[line[0]] and len({int(top[space]) for space in line}) == 1]
    return [name for space, name in enumerate(SPACE_NAMES) if any(space in line for line in lines)]


def _card(name: str) -> Message:
    return message(f"tictacmatch.card.{name}")


def _cards(names: Iterable[str]) -> list[Message]:
    return [_card(name) for name in names]


GAME = TicTacMatch()
