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
WHOLE_MATCH = 0  # in the place of a seat whose time runs out
Choice = tuple[str, int]  # a chance entry as it would read with one of the outcomes, and the weight of that outcome


class Option(msgspec.Struct, frozen=True):
    """Something that a table agrees on: one of some choices, a whole number between limits, or a text."""

    name: str
    default: OptionValue
    choices: tuple[OptionValue, ...] = ()
    least: int | None = None
    most: int | None = None
    text: str | None = None  # what any other text must be, in words; the game's check_agreement reads it

    def allowed(self) -> str:
        words = [str(choice) for choice in self.choices]
        if self.most is not None:
            words.append(f"{self.least} to {self.most}")
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
        """The value that a text on a command line means."""
        for choice in self.choices:
            if text.lower() == str(choice).lower():
                return choice
        return self.check(int(text) if text.lstrip("-").isdigit() else text)


def start_option(seats: int) -> Option:
    """Who begins: a lot decides, unless the table names a seat."""
    return Option("start", "lot", choices=("lot",), least=1, most=seats)


class Step(NamedTuple):
    """What a move led to: the state after it, and the points it made where a game scores moves."""

    state: Any
    score: int | None = None


class TimeLimits(NamedTuple):
    """The time that the rules of a game allow, in seconds: for each turn, for the whole match, or both."""

    turn: int | None = None
    match: int | None = None


class Described(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entry told: what to say, and what a board may show of it."""

    message: Message
    marks: dict[str, Any] = {}


class Game(ABC):
    """A state is opaque to everyone but its game, and never changed: `play` answers with another one."""

    key: ClassVar[str]
    name: ClassVar[str]
    rules_version: ClassVar[int]
    players: ClassVar[tuple[int, ...]] = (2,)  # how many can play: the first option of every game
    options: ClassVar[tuple[Option, ...]] = ()
    can_draw: ClassVar[bool]  # whether a match can end level, so that a draw can be agreed
    measures: ClassVar[bool] = False  # whether physics decides what follows from a move: that takes its time
    statistics: ClassVar[tuple[str, ...]] = ()  # what a review counts for each seat: `stat.<name>` in the game's words

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "players" not in (option.name for option in cls.options):
            usual = 2 if 2 in cls.players else cls.players[0]
            cls.options = (Option("players", usual, choices=cls.players), *cls.options)

    def agree(self, given: Mapping[str, object]) -> dict[str, OptionValue]:
        """All options with their values; those not given have their defaults."""
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

    def check_agreement(self, agreed: Mapping[str, OptionValue]) -> None:
        """Raises BadOption where two options do not go together, or a text is not what it must be."""

    def agreed_again(self, agreed: Mapping[str, OptionValue], state: Any, result: Result) -> dict[str, OptionValue]:
        """What is agreed for a rematch after a match that ended so, for which everybody moves up by one seat."""
        return dict(agreed)

    @abstractmethod
    def start(self, agreed: Mapping[str, OptionValue]) -> Any:
        """The state before anything has happened."""

    @abstractmethod
    def to_move(self, state: Any) -> tuple[int, ...]:
        """The seats that may act; none when the table draws or the match is over."""

    @abstractmethod
    def chance(self, state: Any, draw: Draw) -> str | None:
        """The table's next entry, drawn; None when it is not the table's turn."""

    def choices(self, state: Any, drawn: Scripted) -> tuple[tuple[Choice, ...], ...]:
        """Return, for each draw of an entry that `chance` drew so, the entry as it would read with each outcome."""
        found = []
        for draw, weights in enumerate(drawn.weights):
            before, after = drawn.places[:draw], drawn.places[draw + 1 :]
            texts = [self.chance(state, Placed((*before, place, *after))) or "" for place in range(len(weights))]
            found.append(tuple(zip(texts, weights, strict=True)))
        return tuple(found)

    @abstractmethod
    def play(self, state: Any, by: int, move: str) -> Step:
        """The state after a seat's move, or after a chance entry by 0; UnknownMove or IllegalMove otherwise."""

    # What time means in this game. The table keeps the clocks; only the game knows what they are for.

    def time_limits(self, agreed: Mapping[str, OptionValue]) -> TimeLimits | None:
        """The time that the rules of this game allow at a table that agreed so.

        Where there is none, the table may agree on a clock of its own, which no rule knows.
        """
        return None

    def is_match_timed(self, state: Any) -> bool:
        """Whether the time of the match runs in this state, where `time_limits` has one."""
        return True

    def turn(self, state: Any) -> int:
        """The number of the turn: when it changes, the time of a turn begins anew, also for the same seat.

        By default a turn lasts as long as the same seat is on the move.
        """
        return 0

    def acts_out(self, entry: Entry) -> int:
        """Return for how many milliseconds a board acts an entry out before it shows what came of it.

        The clock of the seat on the move starts after that. 0 for an entry that a board shows at once.
        """
        return 0

    def time_out(self, state: Any, seat: int, agreed: Mapping[str, OptionValue]) -> Any | None:
        """The state after the time of a seat's turn ran out, or with seat WHOLE_MATCH the time of the match.

        None where the rules of this game do not say what follows.
        """
        return None

    def starter(self, agreed: Mapping[str, OptionValue], log: Sequence[Entry]) -> int | None:
        """Return the seat that began, or None while no seat has moved."""
        return next((entry.by for entry in log if entry.by), None)

    def eliminated(self, state: Any) -> frozenset[int]:
        """The seats that the rules have put out of the match for good."""
        return frozenset()

    @abstractmethod
    def outcome(self, state: Any, out: frozenset[int]) -> Result | None:
        """How the match ended, or None. Seats that are out can no longer win."""

    @abstractmethod
    def scores(self, state: Any, winners: tuple[int, ...]) -> tuple[int, ...]:
        """The scores of a match that ends here with these winners."""

    def side(self, state: Any, seat: int) -> int:
        """Seats of one side win together."""
        return seat - 1

    def admit(self, state: Any, by: int, move: str) -> None:
        """Raises IllegalMove for a new move that `play` accepts and a measurement refuses. A replay never asks."""

    def admit_together(self, state: Any, by: int, move: str) -> None:
        """Raise IllegalMove for a new move of seats that act unseen by one another, if it stops half-way."""

    def is_measured(self, move: str) -> bool:
        """Whether an entry of the table was measured, not drawn: a replay takes the record's word for it."""
        return False

    def is_simultaneous(self, state: Any) -> bool:
        """Whether the seats that may act do so unseen by one another: then nobody is too late.

        A move may have several lines there, each an entry, which are made together or not at all.
        """
        return False

    def has_secrets(self, state: Any) -> bool:
        """Whether some seat cannot see everything."""
        return False

    def untold(self, state: Any, seat: int | None) -> int:
        """How many of the last entries a seat, or a stranger, may not even know of."""
        return 0

    def concealed(self, state: Any, seat: int, rng: Any) -> Any:
        """The state with what that seat cannot see dealt anew: all that whoever thinks for the seat is given."""
        return state

    @abstractmethod
    def view(self, state: Any, seat: int | None) -> dict[str, Any]:
        """What a seat, or a stranger, may see: built up from nothing, as JSON."""

    def is_seen_alike(self, state: Any) -> bool:
        """Whether `view` is the same for every seat and for strangers."""
        return False

    @abstractmethod
    def sample_moves(self, state: Any, seat: int, rng: Random, count: int) -> list[str]:
        """So many legal moves of a seat that may act, drawn at random: in some games there is no list of them all."""

    @abstractmethod
    def legal(self, state: Any, seat: int) -> dict[str, Any]:
        """The seat's legal moves, grouped as its board offers them, as JSON."""

    def seen(self, entry: Entry, seat: int | None) -> Entry:
        """A log entry of a running match as a seat, or a stranger, may read it."""
        return entry

    @abstractmethod
    def describe(self, state: Any, entry: Entry) -> Described:
        """Return an entry that was played from this state, in words and marks."""

    def counted(self, state: Any, entry: Entry, described: Described) -> Iterable[tuple[int, str]]:
        """Return what an entry, played from this state, adds to the statistics: a seat and one of their names each."""
        return ()

    def hint_steps(self, described: Described, move: str) -> tuple[Message, ...]:
        """Return what a hint tells before the suggested move: first what kind of move it is, then where to look."""
        return ()

    def describe_hint(self, known: Any, seat: int, move: str) -> Described:
        """Return a move that is suggested to a seat, in words and marks.

        `known` is a concealed state: what the seat cannot see is dealt at random, so it must not be described either.
        """
        return self.describe(known, Entry(seat, move.partition("\n")[0]))
