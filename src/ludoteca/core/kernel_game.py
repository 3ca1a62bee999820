"""The base of every game with a kernel: it fulfils the contract for people by the compiled rules."""

import inspect
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from types import SimpleNamespace
from typing import Any, ClassVar, cast

import numpy as np

from ludoteca.core import defaults, questions
from ludoteca.core.binding import bind, complete
from ludoteca.core.chance import Draw, Scripted
from ludoteca.core.errors import IllegalMove, UnfinishedGame, UnknownMove
from ludoteca.core.game import Choice, Game, OptionValue, Step
from ludoteca.core.kernel import BY_LOT, CHANCE, OVER, Rules, copied, new_record
from ludoteca.core.record import Result
from ludoteca.core.words import Message, message


class KernelGame(Game):
    """A game whose rules.py is a kernel. The game itself adds options, notation, views and words."""

    rules: ClassVar[Rules]

    @cached_property
    def bound(self) -> SimpleNamespace:
        return bind(questions.FUNCTIONS, self.rules)

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if hasattr(cls, "rules"):
            complete(cls.rules)
            if "players" not in (cls.rules.State.names or ()):
                raise UnfinishedGame(f"State of {cls.__name__} has no field `players`, the number of seats: add it")

    @cached_property
    def _has_field_actor(self) -> bool:
        return getattr(inspect.unwrap(self.rules.actor), "__code__", None) is defaults.actor.__code__

    def actor(self, state: Any) -> int:
        """Return who acts: a seat from 0, CHANCE or OVER. A compiled call would cost four times as much as a field."""
        return int(state["actor"]) if self._has_field_actor else int(self.rules.actor(state))

    def options_record(self, agreed: Mapping[str, OptionValue]) -> Any:
        """Return the options as the flat record that the kernel takes. Its fields are options of the same names.

        The option `start` becomes a seat from 0, or BY_LOT.
        """
        record = new_record(self.rules.Options)
        for field in record.dtype.names:
            if field not in agreed:
                raise UnfinishedGame(
                    f"the field {field!r} of Options in the rules of {self.key} is no option: "
                    f"list it in `options` in game.py, or write `options_record` there"
                )
            record[field] = first_place(agreed) if field == "start" else agreed[field]
        return record

    @abstractmethod
    def parse(self, state: Any, move: str) -> int:
        """Return a player's move as the kernel's number, legal or not. Raise UnknownMove if it cannot be read."""

    @abstractmethod
    def format(self, state: Any, move: int) -> str:
        """Return a player's move as text."""

    @abstractmethod
    def refusal(self, state: Any, move: int) -> Message:
        """Return why a move that can be read is not allowed."""

    def chance_run(self, state: Any) -> int:
        """Return how many outcomes make up the table's next entry."""
        return int(self.rules.chance_run(state))

    # Chance: a game without chance leaves these out.

    def parse_chance(self, state: Any, move: str) -> list[int]:
        """Return the outcomes that a chance entry names. Raise UnknownMove if it cannot be read."""
        if self.actor(state) == CHANCE:
            raise self._lacks_chance()
        raise UnknownMove(move, message("core.not_chance"))

    def format_chance(self, state: Any, outcomes: Sequence[int]) -> str:
        """Return the entry that names these outcomes."""
        raise self._lacks_chance()

    def _lacks_chance(self) -> UnfinishedGame:
        return UnfinishedGame(
            f"the rules of {self.key} let the table draw: write `parse_chance` and `format_chance` in game.py"
        )

    def score(self, before: Any, after: Any, by: int) -> int | None:
        """Return the points of the move between two states, where this game scores moves."""
        return None

    def start(self, agreed: Mapping[str, OptionValue]) -> Any:
        state = new_record(self.rules.State)
        self.rules.start(state, self.options_record(agreed))
        return state

    def seats(self, state: Any) -> range:
        return range(1, int(state["players"]) + 1)

    def side(self, state: Any, seat: int) -> int:
        return int(self.rules.side(state, seat - 1))

    def scores(self, state: Any, winners: tuple[int, ...]) -> tuple[int, ...]:
        """Return 1 for a win, unless a game counts points."""
        return tuple(int(seat in winners) for seat in self.seats(state))

    # The end of a match: only `winners` in the rules decides who wins.

    def outcome(self, state: Any, out: frozenset[int]) -> Result | None:
        if not self.is_over(state, out):
            return None
        won = int(self.rules.winners(state, sum(1 << seat - 1 for seat in out)))
        winners = tuple(seat for seat in self.seats(state) if won >> seat - 1 & 1)
        return Result(winners, self.scores(state, winners), self.reason(state))

    def is_over(self, state: Any, out: frozenset[int]) -> bool:
        """Return whether the match has ended. Seats that are out may end it sooner."""
        return self.actor(state) == OVER

    def reason(self, state: Any) -> str:
        """Return why a finished match ended."""
        return "complete"

    def has_secrets(self, state: Any) -> bool:
        return self.rules.HIDDEN

    def is_seen_alike(self, state: Any) -> bool:
        return not self.rules.HIDDEN

    def concealed(self, state: Any, seat: int, rng: Any) -> Any:
        if self.rules.HIDDEN:
            state = copied(state)
            self.rules.conceal(state, seat - 1, rng)
        return state

    def to_move(self, state: Any) -> tuple[int, ...]:
        actor = self.actor(state)
        return (actor + 1,) if actor >= 0 else ()

    def chance(self, state: Any, draw: Draw) -> str | None:
        if self.actor(state) != CHANCE:
            return None
        after, room, outcomes = copied(state), np.empty(self.rules.MAX_COUNT, np.int32), []
        for _ in range(self.chance_run(state)):
            n = self.bound.weights(after, room)
            outcomes.append(int(self.rules.move_at(after, draw(room[:n].tolist()))))
            self.rules.play(after, outcomes[-1])
        return self.format_chance(state, outcomes)

    def choices(self, state: Any, drawn: Scripted) -> tuple[tuple[Choice, ...], ...]:
        after, listed, outcomes = copied(state), [], []
        for weights, place in zip(drawn.weights, drawn.places, strict=True):
            listed.append([int(self.rules.move_at(after, k)) for k in range(len(weights))])
            outcomes.append(listed[-1][place])
            self.rules.play(after, outcomes[-1])
        return tuple(
            tuple(
                (self.format_chance(state, [*outcomes[:draw], other, *outcomes[draw + 1 :]]), weight)
                for other, weight in zip(listed[draw], weights, strict=True)
            )
            for draw, weights in enumerate(drawn.weights)
        )

    def play(self, state: Any, by: int, move: str) -> Step:
        outcomes = self.parse_chance(state, move) if by == 0 else [self.parse(state, move)]
        actor = self.actor(state)
        if by == 0 and actor != CHANCE:
            raise IllegalMove(move, message("core.not_chance"))
        if by != 0 and actor != by - 1:
            raise IllegalMove(move, not_your_turn(actor))
        if by == 0 and len(outcomes) != self.chance_run(state):
            raise IllegalMove(move, message("core.draws", due=self.chance_run(state), drawn=len(outcomes)))
        after = copied(state)
        for number in outcomes:
            if not self.bound.played(after, number):
                raise IllegalMove(move, self.refusal(after, number))
        return Step(after, self.score(state, after, by))

    def after_clock(self, state: Any, move: int) -> Any:
        """Return the state after a move of the clock, which `moves` never lists."""
        after = copied(state)
        self.rules.play(after, move)
        return after

    def moves(self, state: Any) -> list[str]:
        """Return all legal moves of the seat that acts."""
        room = np.empty(self.rules.MAX_COUNT, np.int32)
        n = self.rules.moves(state, room) if self.actor(state) >= 0 else 0
        return [self.format(state, move) for move in room[:n].tolist()]

    def sample_moves(self, state: Any, seat: int, rng: Random, count: int) -> list[str]:
        return rng.choices(self.moves(state), k=count)


def first_place(agreed: Mapping[str, OptionValue]) -> int:
    """Return who begins, as the kernel counts: a seat from 0, or BY_LOT."""
    return BY_LOT if agreed["start"] == "lot" else cast(int, agreed["start"]) - 1


def not_your_turn(actor: int) -> Message:
    return message("core.not_your_turn", seat=actor + 1) if actor >= 0 else message("core.table_draws")
