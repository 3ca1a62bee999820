"""What a game is for people: options, notation, views, refusals. Seats count from 1."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, NamedTuple

import msgspec

from ludoteca.core.chance import Draw, Placed, Scripted
from ludoteca.core.errors import BadOption
from ludoteca.core.record import Entry, Result
from ludoteca.core.words import Message

OptionValue = int | str | bool | None
WHOLE_MATCH = 0  # instead of a seat: the time of the match ran out
Choice = tuple[str, int]  # a chance entry with one possible outcome, and the weight of that outcome


class Option(msgspec.Struct, frozen=True):
    """Something that a table agrees on: one of several choices, a whole number between limits, or a text."""

    name: str
    default: OptionValue
    choices: tuple[OptionValue, ...] = ()
    least: int | None = None
    most: int | None = None
    text: str | None = None  # describes the texts that check_agreement accepts

    def allowed(self) -> str:
        words = [str(choice) for choice in self.choices]
        if self.most is not None:
            span = f"{self.least} to {self.most}"
            if not words and self.text is None:
                return span
            words.append(span)
        if self.text is not None:
            words.append(self.text)
        return "one of " + ", ".join(words)

    def check(self, value: object) -> OptionValue:
        for choice in self.choices:
            if type(choice) is type(value) and choice == value:
                return choice
        if type(value) is int and self.least is not None and self.most is not None and self.least <= value <= self.most:
            return value
        if type(value) is str and self.text is not None:
            return value
        raise BadOption(self.name, value, self.allowed())

    def read(self, text: str) -> OptionValue:
        """Return the value that a text on the command line stands for."""
        for choice in self.choices:
            if text.lower() == str(choice).lower():
                return choice
        return self.check(int(text) if text.lstrip("-").isdigit() else text)


def start_option(seats: int) -> Option:
    """Return the option that says who begins: by lot, unless the table names a seat."""
    return Option("start", "lot", choices=("lot",), least=1, most=seats)


class Step(NamedTuple):
    """The result of a move: the state after it, and its points where a game scores moves."""

    state: Any
    score: int | None = None


class TimeLimits(NamedTuple):
    """The time that the rules of a game allow, in seconds: for each turn, for the whole match, or both."""

    turn: int | None = None
    match: int | None = None


class Described(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entry for people: a message, and the marks that a board shows."""

    message: Message
    marks: dict[str, Any] = {}


class Game(ABC):
    """A game for people. Its states are opaque to all other code and never change: `play` returns a new state."""

    key: ClassVar[str]
    name: ClassVar[str]
    rules_version: ClassVar[int]
    players: ClassVar[tuple[int, ...]] = (2,)  # the possible numbers of players: the first option of every game
    options: ClassVar[tuple[Option, ...]] = ()
    can_draw: ClassVar[bool]  # whether a match can end in a draw, so that players can agree on one
    measures: ClassVar[bool] = False  # whether moves are simulated by physics, which takes long
    statistics: ClassVar[tuple[str, ...]] = ()  # what a review counts for each seat: `stat.<name>` in the game's words

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "players" not in (option.name for option in cls.options):
            usual = 2 if 2 in cls.players else cls.players[0]
            cls.options = (Option("players", usual, choices=cls.players), *cls.options)

    def agree(self, given: Mapping[str, object]) -> dict[str, OptionValue]:
        """Return all options with their values. An option that is not given has its default."""
        known = {option.name: option for option in self.options}
        for name, value in given.items():
            if name not in known:
                raise BadOption(name, value, f"{self.name} knows {', '.join(known)}")
        agreed = {name: o.check(given[name]) if name in given else o.default for name, o in known.items()}
        players, start = agreed["players"], agreed.get("start")
        if isinstance(players, int) and isinstance(start, int) and start > players:
            raise BadOption("start", start, f"there are {players} players")
        self.check_agreement(agreed)
        return agreed

    def read_option(self, pair: str) -> tuple[str, OptionValue]:
        """Return the name and the value that KEY=VALUE on the command line stands for."""
        known = {option.name: option for option in self.options}
        name, equals, text = pair.partition("=")
        if not equals or name not in known:
            raise BadOption(name, text, f"{self.name} knows {', '.join(known)}, each as KEY=VALUE")
        return name, known[name].read(text)

    def check_agreement(self, agreed: Mapping[str, OptionValue]) -> None:
        """Raise BadOption if two options contradict each other, or if a text is not valid."""

    def agreed_again(self, agreed: Mapping[str, OptionValue], state: Any, result: Result) -> dict[str, OptionValue]:
        """Return the options of a rematch. Everybody moves up by one seat for it."""
        return dict(agreed)

    @abstractmethod
    def start(self, agreed: Mapping[str, OptionValue]) -> Any:
        """Return the state at the very beginning."""

    @abstractmethod
    def to_move(self, state: Any) -> tuple[int, ...]:
        """Return the seats that may act: none when the table draws or the match is over."""

    @abstractmethod
    def chance(self, state: Any, draw: Draw) -> str | None:
        """Draw the table's next entry and return it; None when it is not the table's turn."""

    def choices(self, state: Any, drawn: Scripted) -> tuple[tuple[Choice, ...], ...]:
        """Return, for each draw of an entry that `chance` drew, all possible entries with their weights."""
        found = []
        for draw, weights in enumerate(drawn.weights):
            before, after = drawn.places[:draw], drawn.places[draw + 1 :]
            texts = [self.chance(state, Placed((*before, place, *after))) or "" for place in range(len(weights))]
            found.append(tuple(zip(texts, weights, strict=True)))
        return tuple(found)

    @abstractmethod
    def play(self, state: Any, by: int, move: str) -> Step:
        """Return the state after a seat's move, or after a chance entry (by 0). Raise UnknownMove or IllegalMove."""

    # What time means in this game. The table keeps the clocks; only the game knows what they mean.

    def time_limits(self, agreed: Mapping[str, OptionValue]) -> TimeLimits | None:
        """Return the times that the rules of this game set at a table that agreed on these options.

        Where the rules set none (None), the table may agree on a clock of its own.
        """
        return None

    def is_match_timed(self, state: Any) -> bool:
        """Return whether the time of the match runs in this state, where `time_limits` has one."""
        return True

    def turn(self, state: Any) -> int:
        """Return the number of the turn. When it changes, the time of a turn starts again, also for the same seat.

        By default a turn lasts as long as the same seat is to move.
        """
        return 0

    def acts_out(self, state: Any, entry: Entry) -> int:
        """Return for how many milliseconds a board acts out an entry of this state before it shows what came of it.

        The clock of the seat on the move starts after that. 0 for an entry that a board shows at once.
        """
        return 0

    def time_out(self, state: Any, seat: int, agreed: Mapping[str, OptionValue]) -> Any | None:
        """Return the state after the time ran out: of a seat's turn, or of the match (seat WHOLE_MATCH).

        Return None where the rules of this game do not say what follows.
        """
        return None

    def starter(self, agreed: Mapping[str, OptionValue], log: Sequence[Entry]) -> int | None:
        """Return the seat that began, or None while no seat has moved."""
        return next((entry.by for entry in log if entry.by), None)

    def eliminated(self, state: Any) -> frozenset[int]:
        """Return the seats that the rules have eliminated from the match."""
        return frozenset()

    @abstractmethod
    def outcome(self, state: Any, out: frozenset[int]) -> Result | None:
        """Return how the match ended, or None. Seats in `out` can no longer win."""

    @abstractmethod
    def scores(self, state: Any, winners: tuple[int, ...]) -> tuple[int, ...]:
        """Return the scores of a match that ends here with these winners."""

    def side(self, state: Any, seat: int) -> int:
        """Return the side of a seat. Seats of one side win together."""
        return seat - 1

    def admit(self, state: Any, by: int, move: str) -> None:
        """Raise IllegalMove for a new move that `play` accepts but a measurement refuses. A replay never asks."""

    def admit_together(self, state: Any, by: int, move: str) -> None:
        """Raise IllegalMove if a new move of simultaneous play (`is_simultaneous`) stops half-way."""

    def is_measured(self, move: str) -> bool:
        """Return whether an entry of the table was measured, not drawn.

        A replay trusts the record for such an entry.
        """
        return False

    def is_simultaneous(self, state: Any) -> bool:
        """Return whether the seats that may act do so without seeing each other's moves. Then no move is stale.

        There a move may have several lines. Each line is an entry, and they are made all together or not at
        all.
        """
        return False

    def has_secrets(self, state: Any) -> bool:
        """Return whether something is hidden from some seat."""
        return False

    def untold(self, state: Any, seat: int | None) -> int:
        """Return how many of the last entries a seat, or a spectator (None), must not even know about."""
        return 0

    @property
    def has_untold(self) -> bool:
        """Whether there may be such entries: only in a game that has an `untold` of its own."""
        return type(self).untold is not Game.untold

    def concealed(self, state: Any, seat: int, rng: Any) -> Any:
        """Return the state with everything that the seat cannot see dealt anew.

        Bots and hints are given nothing else.
        """
        return state

    @abstractmethod
    def view(self, state: Any, seat: int | None) -> dict[str, Any]:
        """Return what a seat, or a spectator (None), may see, as JSON: built up from nothing, not stripped down."""

    def is_seen_alike(self, state: Any) -> bool:
        """Return whether `view` is the same for every seat and for spectators."""
        return False

    @abstractmethod
    def sample_moves(self, state: Any, seat: int, rng: Random, count: int) -> list[str]:
        """Return `count` random legal moves of a seat that may act. Some games have no list of all moves."""

    @abstractmethod
    def legal(self, state: Any, seat: int) -> dict[str, Any]:
        """Return the seat's legal moves, grouped as its board offers them, as JSON."""

    def seen(self, entry: Entry, seat: int | None) -> Entry:
        """Return a log entry of a running match as a seat, or a spectator (None), may read it.

        Replace every hidden word by `?`, and leave out the picks: the tickets would tell the outcomes.
        """
        return entry

    @abstractmethod
    def describe(self, state: Any, entry: Entry) -> Described:
        """Return words and marks for an entry that was played from this state.

        The entry may come from `seen`, with `?` for hidden words, and its readers may not know the whole state: use
        only what the entry names and what everybody sees. The page knows four marks: `quiet` (not in the log),
        `unmoved` (the board does not change), `begins_turn` (this draw belongs to the next player's turn) and `set_up`
        (this entry is before the first turn, so that it has no turn's number).
        """

    def counted(self, state: Any, entry: Entry, described: Described) -> Iterable[tuple[int, str]]:
        """Return what an entry, played from this state, adds to the statistics: a seat and one of their names each."""
        return ()

    def hint_steps(self, described: Described, move: str) -> tuple[Message, ...]:
        """Return what a hint tells before the suggested move: first what kind of move it is, then where to look."""
        return ()

    def describe_hint(self, known: Any, seat: int, move: str) -> Described:
        """Return words and marks for a move that is suggested to a seat.

        `known` is a concealed state: what the seat cannot see is dealt at random, so it must not be described.
        """
        return self.describe(known, Entry(seat, move.partition("\n")[0]))
