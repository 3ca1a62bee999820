"""A match: the options that were agreed, and an append-only log. The position is always the log replayed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from ludoteca.core import checking, registry
from ludoteca.core.chance import Drawing, Seal
from ludoteca.core.conduct import Conduct, Sides, after_event
from ludoteca.core.errors import BadRecord, IllegalMove, LudotecaError, StaleMatch
from ludoteca.core.events import ConductEvent, Event, Takeback, TimeOver, read_event
from ludoteca.core.game import WHOLE_MATCH, Game, OptionValue
from ludoteca.core.record import BEFORE_COMMITMENTS, FORMAT, Entry, Given, Record, Result, SealRecord, Seat
from ludoteca.core.words import message

KEPT_EVERY = 16  # a match keeps every 16th position
# What nobody may say in simultaneous play, and the refusal. An entry that follows a secret one is held back with it:
# the others could not answer.
_NOT_UNSEEN = {
    "offer draw": "core.no_draw_unseen",
    "hints on": "core.no_hints_unseen",
    "hints off": "core.no_hints_unseen",
}


class Position(NamedTuple):
    state: Any
    conduct: Conduct
    result: Result | None
    to_move: tuple[int, ...]  # the seats that may act


class Transition(NamedTuple):
    """One entry, and the positions before and after it."""

    entry: Entry
    event: Event | None  # None for a move or a draw of the game
    before: Position
    after: Position


class Append(NamedTuple):
    """A move and everything that follows from it. It is stored, or refused, as one."""

    log_length: int  # of the log that it was prepared for
    transitions: tuple[Transition, ...]
    position: Position  # after the last transition

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(transition.entry for transition in self.transitions)


class Match:
    """A match. `play` makes a move. A server calls `prepare`, stores the entries, then calls `commit`."""

    def __init__(
        self,
        game: Game,
        options: Mapping[str, object],
        seats: Sequence[Seat] | None = None,
        seal: Seal | None = None,
        given: Given | None = None,
    ) -> None:
        """Without a seal, chance is written down by hand: the match is played on a real table.

        Where a position is given, its entries have to follow before the match begins.
        """
        self.game = game
        self.agreed: dict[str, OptionValue] = game.agree(options)
        players = self.agreed["players"]
        assert isinstance(players, int)
        self.seats = tuple(seats) if seats is not None else tuple(Seat(f"Seat {n}") for n in range(1, players + 1))
        if len(self.seats) != players:
            raise BadRecord(0, f"{len(self.seats)} seats for {players} players")
        if seal is not None and len(seal.seat_bytes) != players:
            raise BadRecord(0, f"bytes of {len(seal.seat_bytes)} seats for {players} players")
        self.seal, self.given = seal, given
        self._published: SealRecord | None = None  # the public part, if the match was loaded without its secret
        self.log: list[Entry] = []
        self.events: list[Event | None] = []  # the same entries, parsed; None for a move or a draw
        self._drawn = 0  # number of draws in the log
        self.takebacks = 0  # number of takebacks in the log
        self._unseen: set[int] = set()  # numbers of the entries of simultaneous play
        self.position = self._first_position()
        self._kept = {0: self.position}  # positions by the number of the entry before them: see `at`

    @classmethod
    def new(cls, key: str, options: Mapping[str, object] | None = None, seats: Sequence[Seat] | None = None) -> "Match":
        """Return a match with a fresh seal, begun: the table has made its first draws."""
        game = registry.game(key)
        agreed = game.agree(options or {})
        match = cls(game, agreed, seats, Seal.fresh(int(agreed["players"] or 0)))
        match.begin()
        return match

    def begin(self, t: int | None = None) -> tuple[Entry, ...]:
        """Make the draws of the table that come before the first move. Return them."""
        return tuple(made.entry for made in self.draw(t))

    def draw(self, t: int | None = None) -> tuple[Transition, ...]:
        """Make the draws that the table owes now, and return what they did; without a seal nothing."""
        append = self._with_chance([], self.position, t)
        self.commit(append)
        return append.transitions

    @property
    def n_given(self) -> int:
        """The number of entries that come from another match: the position that this one began from."""
        return self.given.entries if self.given else 0

    @property
    def state(self) -> Any:
        return self.position.state

    @property
    def result(self) -> Result | None:
        return self.position.result

    @property
    def to_move(self) -> tuple[int, ...]:
        return self.position.to_move

    @property
    def record(self) -> Record:
        """Return the whole record. It contains the seed once there is a result."""
        shown = {
            option.name: self.agreed[option.name]
            for option in self.game.options
            if option.name == "players" or self.agreed[option.name] != option.default
        }
        seal = self.seal.published(reveal=self.result is not None) if self.seal else self._published
        rules = self.game.rules_version
        old = seal is not None and seal.commits is msgspec.UNSET
        form = BEFORE_COMMITMENTS if old else FORMAT
        given: Given | msgspec.UnsetType = msgspec.UNSET
        if self.given is not None:
            given = self.given if self.result else Given(self.n_given)
        return Record(form, self.game.key, rules, shown, self.seats, tuple(self.log), self.result, seal, given=given)

    def play(self, move: str, by: int | None = None, after: int | None = None) -> tuple[Entry, ...]:
        """Make a move for a seat, by default the seat to move. Return the appended entries."""
        append = self.prepare(move, by, after)
        self.commit(append)
        return append.entries

    def prepare(
        self, move: str, by: int | None = None, after: int | None = None, t: int | None = None, left: int | None = None
    ) -> Append:
        """Return what a move would append; change nothing. `after` is the length of the log that the mover saw."""
        together = self._check_open(after, move)
        if by is None:
            by = self.to_move[0]
        if by not in range(len(self.seats) + 1):
            raise IllegalMove(move, message("core.no_seat", seat=by, last=len(self.seats)))
        position, transitions = self.position, []
        for line in move.split("\n") if together else [move]:
            transition = self.transition(position, Entry(by, line, t, left))
            if together and isinstance(transition.event, ConductEvent) and transition.event.verb in _NOT_UNSEEN:
                raise IllegalMove(line, message(_NOT_UNSEEN[transition.event.verb]))
            if by and transition.event is None:
                self.game.admit(position.state, by, line)
            transitions.append(transition)
            position = transition.after
        if together and by and transition.event is None:
            self.game.admit_together(position.state, by, move)
        return self._with_chance(transitions, position, t)

    def prepare_event(self, event: Event, after: int | None = None, t: int | None = None) -> Append:
        """Return what an event would append; change nothing."""
        self._check_open(after, str(event))
        transition = self._transition(self.position, Entry(event.by, str(event), t), event)
        return self._with_chance([transition], transition.after, t)

    def _check_open(self, after: int | None, move: str) -> bool:
        """Raise StaleMatch or IllegalMove if nothing can follow. Return whether play is simultaneous."""
        together = self.game.is_simultaneous(self.state)
        if after is not None and after != len(self.log) and not (together and after < len(self.log)):
            raise StaleMatch(after, len(self.log))
        if self.result:
            raise IllegalMove(move, message("core.over"))
        return together

    def commit(self, append: Append) -> None:
        if append.log_length != len(self.log):
            raise StaleMatch(append.log_length, len(self.log))
        self._extend(append.transitions)
        self.position = append.position

    def follow(self, entries: Iterable[Entry]) -> list[Transition]:
        """Commit entries that were stored before. Return what each of them did."""
        transitions = []
        for entry in entries:
            transition = self.transition(self.position, entry)
            self._extend([transition])
            self.position = transition.after
            transitions.append(transition)
        return transitions

    def _extend(self, transitions: Sequence[Transition]) -> None:
        """Append entries to the log. Call it before the position changes: the position says how they were made."""
        together = self.game.is_simultaneous(self.state)
        for entry, event, _, after in transitions:
            self.log.append(entry)
            self.events.append(event)
            self._drawn += len(entry.picks or ())
            self.takebacks += isinstance(event, Takeback)
            if together and entry.by and event is None:
                self._unseen.add(len(self.log))
            if isinstance(event, Takeback) or len(self.log) % KEPT_EVERY == 0:
                self._kept[len(self.log)] = after

    def at(self, number: int) -> Position:
        """Return the position after the entry with this number; 0 is the start.

        The match keeps every KEPT_EVERY-th position and the position after every takeback. So at most
        KEPT_EVERY - 1 entries are replayed, none of them a takeback.
        """
        if number == len(self.log):
            return self.position
        start = number
        while start not in self._kept:
            start -= 1
        position = self._kept[start]
        for place in range(start, number):
            position = self._transition(position, self.log[place], self.events[place]).after
        return position

    def line(self, number: int) -> Iterator[int]:
        """Yield the numbers of the entries that led to the position after this one, last first.

        Entries that were taken back are left out.
        """
        while number > 0:
            event = self.events[number - 1]
            if isinstance(event, Takeback):
                number = event.target
            else:
                yield number
                number -= 1

    def _first_position(self) -> Position:
        state = self.game.start(self.agreed)
        return Position(state, Conduct(), None, self.game.to_move(state))

    def advanced(self, position: Position, entry: Entry) -> tuple[Position, int | None]:
        """Return the position after one entry, and the points of the entry."""
        transition = self.transition(position, entry)
        return transition.after, transition.entry.score

    def transition(self, position: Position, entry: Entry) -> Transition:
        """Return what an entry does from a position. The entry in it carries its points."""
        return self._transition(position, entry, read_event(entry.by, entry.move, range(1, len(self.seats) + 1)))

    def _transition(self, before: Position, entry: Entry, event: Event | None) -> Transition:
        after, score = self._played(before, entry) if event is None else (self._after_event(before, event), None)
        if score != entry.score:
            entry = msgspec.structs.replace(entry, score=score)
        return Transition(entry, event, before, after)

    def _played(self, position: Position, entry: Entry) -> tuple[Position, int | None]:
        """Return the position after a move or a draw of the game, and its points."""
        step = self.game.play(position.state, entry.by, entry.move)
        judged = self._judged(step.state, position.conduct)
        turn_over = entry.by not in judged.to_move
        conduct = position.conduct.after_move(entry.by if turn_over else 0)
        return judged if conduct is judged.conduct else judged._replace(conduct=conduct), step.score

    def _after_event(self, position: Position, event: Event) -> Position:
        state, conduct = position.state, position.conduct
        if isinstance(event, Takeback):
            self.check_takeback(event)
            return self._taken_back(position, self.at(event.target))
        if isinstance(event, TimeOver):
            ended = self.game.time_out(state, WHOLE_MATCH, self.agreed)
            if ended is None:
                raise IllegalMove(str(event), message("core.no_time_runs"))
            return self._judged(ended, conduct.after_move(0))
        if event.verb in ("timeout", "gone") and event.seat not in position.to_move:
            raise IllegalMove(str(event), message("core.has_no_turn", seat=event.seat))
        if event.verb == "timeout":
            timed_out = self.game.time_out(state, event.seat, self.agreed)
            if timed_out is not None:
                return self._judged(timed_out, conduct.after_move(0))
        return self._judged(state, after_event(conduct, event, self.sides(position)))

    def _taken_back(self, position: Position, back: Position) -> Position:
        """Return the position after a takeback.

        It takes back moves, not conduct: a seat that is out, late or away stays so.
        """
        return self._judged(back.state, position.conduct.after_move(0))

    @property
    def can_draw(self) -> bool:
        return self.game.can_draw and len(self.seats) > 1

    def sides(self, position: Position) -> Sides:
        """Return what conduct needs to know of a position."""
        state, seats = position.state, range(1, len(self.seats) + 1)
        return Sides(seats, lambda seat: self.game.side(state, seat), self.can_draw, self.game.eliminated(state))

    def _judged(self, state: Any, conduct: Conduct) -> Position:
        if conduct.ending is None:
            result = self.game.outcome(state, conduct.out)
            return Position(state, conduct, result, () if result else self.game.to_move(state))
        gone = conduct.out | self.game.eliminated(state)
        stay = tuple(seat for seat in range(1, len(self.seats) + 1) if seat not in gone)
        winners = () if conduct.ending == "agreed" else stay
        return Position(state, conduct, Result(winners, self.game.scores(state, winners), conduct.ending), ())

    def check_takeback(self, takeback: Takeback) -> None:
        """Raise IllegalMove unless the takeback goes to an entry of the current line, past no draw and no secret."""
        target, line, since = takeback.target, chain(self.line(len(self.log)), [0]), []
        while (number := next(line)) > target:
            since.append(number)
        if target >= len(self.log) or target != number:
            raise IllegalMove(str(takeback), message("core.not_in_line", entry=target))
        if target < self.n_given:
            raise IllegalMove(str(takeback), message("core.past_given", entry=self.n_given))
        bars = [(bar, number) for number in since if (bar := self.takeback_bar(number)) is not None]
        for bar, number in sorted(bars, key=lambda found: found[0] == "core.past_secret"):
            raise IllegalMove(str(takeback), message(bar, entry=number))

    def takeback_bar(self, number: int) -> str | None:
        """Return the message that says why no takeback goes past this entry; None if takebacks may."""
        event = self.events[number - 1]
        if isinstance(event, TimeOver):
            return "core.past_time"
        if event is None and self.log[number - 1].by == 0:
            return "core.past_chance"
        return "core.past_secret" if number in self._unseen else None

    def _with_chance(self, transitions: list[Transition], position: Position, t: int | None) -> Append:
        """Return the append of these transitions and of the table's draws after them."""
        if self.seal is not None:
            drawing = Drawing(self.seal, self._drawn)
            while not (position.result or position.to_move):
                move = self.game.chance(position.state, drawing)
                if move is None:
                    break
                entry = Entry(0, move, t, picks=drawing.take_picks() or None)
                transitions.append(self.transition(position, entry))
                position = transitions[-1].after
        return Append(len(self.log), tuple(transitions), position)

    @classmethod
    def load(cls, record: Record, seal: Seal | None = None, measure: bool = False) -> "Match":
        """Return the match of a record, replayed and checked entry by entry. BadRecord says which entry is wrong.

        A running match needs its seal, because its record does not contain the seed. With `measure`, physics is
        measured again.
        """
        try:
            game = registry.game(record.game)
            if record.rules != game.rules_version:
                raise BadRecord(0, f"rules {record.rules} of {game.name}; this knows {game.rules_version}")
            if seal is None and record.seal is not None and record.seal.seed is not None:
                seal = checking.opened_seal(record)
            given = None if record.given is msgspec.UNSET else record.given
            match = cls(game, record.options, record.seats, seal, given)
            match._published = record.seal
        except BadRecord:
            raise
        except LudotecaError as error:
            raise BadRecord(0, str(error)) from None
        if given is not None and not 1 <= given.entries <= len(record.log):
            raise BadRecord(0, f"{given.entries} given entries in a log of {len(record.log)}")
        for number, entry in enumerate(record.log, start=1):
            match._replay(number, entry, measure)
        if match.result != record.result:
            raise BadRecord(len(record.log), f"the result is {match.result}, the record has {record.result}")
        return match

    def _replay(self, number: int, entry: Entry, measure: bool) -> None:
        if self.result:
            raise BadRecord(number, f"{entry.move!r} comes after the end")
        if entry.by not in range(len(self.seats) + 1):
            raise BadRecord(number, f"there is no seat {entry.by}")
        try:
            event = read_event(entry.by, entry.move, range(1, len(self.seats) + 1))
            if number <= self.n_given:
                checking.check_given(number, entry, changes_state(self, number, event))
            elif self.seal is not None:
                checking.check_draw(self.game, self.state, Drawing(self.seal, self._drawn), number, entry, event)
            if measure:
                checking.check_measured(self.game, self.state, number, entry, event)
            transition = self._transition(self.position, entry, event)
        except BadRecord:
            raise
        except LudotecaError as error:
            raise BadRecord(number, str(error)) from None
        if transition.entry.score != entry.score:
            raise BadRecord(number, f"{entry.move!r} scores {transition.entry.score}, the record has {entry.score}")
        if transition.after.result and number <= self.n_given:
            raise BadRecord(number, "the match is over in the position that it was to begin from")
        self._extend([transition])
        self.position = transition.after


def changes_state(match: Match, number: int, event: Event | None) -> bool:
    """Return whether an entry changes the state of the game: a move, a draw, or a time that means something in it."""
    if event is None or isinstance(event, TimeOver):
        return True
    if isinstance(event, Takeback) or event.verb != "timeout":
        return False
    return match.game.time_out(match.at(number - 1).state, event.seat, match.agreed) is not None
