"""A match: what was agreed, and an append-only log. The position is always the log replayed."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from ludoteca.core import registry
from ludoteca.core.chance import Drawing, Seal, commitment
from ludoteca.core.conduct import Conduct, Table, conducted, is_conduct, seat_named
from ludoteca.core.errors import BadRecord, IllegalMove, LudotecaError, StaleMatch, UnknownMove
from ludoteca.core.game import WHOLE_MATCH, Game, OptionValue
from ludoteca.core.record import FORMAT, Entry, Record, Result, SealRecord, Seat
from ludoteca.core.words import message

TIME, TIMEOUT = "time", "timeout"  # entries of the table: the time of the match, of a seat's turn, ran out


class Position(NamedTuple):
    state: Any
    conduct: Conduct
    result: Result | None
    to_move: tuple[int, ...]  # the seats that may act


class Append(NamedTuple):
    """A move and all that follows from it: what is stored, or refused, as one."""

    after: int
    entries: tuple[Entry, ...]
    position: Position
    between: tuple[Position, ...] = ()  # the positions after each of the entries, where they are known


class Match:
    """`play` makes a move. A server that must store first asks `prepare`, stores the entries, then `commit`s."""

    def __init__(
        self, game: Game, options: Mapping[str, object], seats: Sequence[Seat] | None = None, seal: Seal | None = None
    ) -> None:
        """A match without a seal has its chance written down by hand: a game on a real table."""
        self.game = game
        self.agreed: dict[str, OptionValue] = game.agree(options)
        players = self.agreed["players"]
        assert isinstance(players, int)
        self.seats = tuple(seats) if seats is not None else tuple(Seat(f"Seat {n}") for n in range(1, players + 1))
        if len(self.seats) != players:
            raise BadRecord(0, f"{len(self.seats)} seats for {players} players")
        if seal is not None and len(seal.seat_bytes) != players:
            raise BadRecord(0, f"bytes of {len(seal.seat_bytes)} seats for {players} players")
        self.seal = seal
        self._published: SealRecord | None = None  # of a running match that was loaded without the secret of its seal
        self.log: list[Entry] = []
        self._drawn = 0  # how many draws the log holds
        self._unseen: set[int] = set()  # the entries of seats that acted unseen by one another
        self.position = self._first_position()

    @classmethod
    def new(cls, key: str, options: Mapping[str, object] | None = None, seats: Sequence[Seat] | None = None) -> "Match":
        """A match with a fresh seal, begun: the table has drawn what there is to draw."""
        game = registry.game(key)
        agreed = game.agree(options or {})
        match = cls(game, agreed, seats, Seal.fresh(int(agreed["players"] or 0)))
        match.begin()
        return match

    def begin(self, t: int | None = None) -> tuple[Entry, ...]:
        """What the table has to draw before anybody can move."""
        append = self._with_chance([], [], self.position, t)
        self.commit(append)
        return append.entries

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
        """The whole record. The seed is in it once there is a result."""
        shown = {
            option.name: self.agreed[option.name]
            for option in self.game.options
            if option.name == "players" or self.agreed[option.name] != option.default
        }
        seal = self.seal.published(reveal=self.result is not None) if self.seal else self._published
        rules = self.game.rules_version
        return Record(FORMAT, self.game.key, rules, shown, self.seats, tuple(self.log), self.result, seal)

    def play(self, move: str, by: int | None = None, after: int | None = None) -> tuple[Entry, ...]:
        """Makes a move for a seat (by default the one whose turn it is) and answers with what was appended."""
        append = self.prepare(move, by, after)
        self.commit(append)
        return append.entries

    def prepare(
        self, move: str, by: int | None = None, after: int | None = None, t: int | None = None, left: int | None = None
    ) -> Append:
        """What a move would append; nothing is changed. `after` is the length of the log that the mover saw."""
        together = self.game.is_simultaneous(self.state)
        if after is not None and after != len(self.log) and not (together and after < len(self.log)):
            raise StaleMatch(after, len(self.log))
        if self.result:
            raise IllegalMove(move, message("core.over"))
        if by is None:
            by = self.to_move[0]
        if by not in range(len(self.seats) + 1):
            raise IllegalMove(move, message("core.no_seat", seat=by, last=len(self.seats)))
        position, entries, between = self.position, [], []
        for line in move.split("\n") if together else [move]:
            before, entry = position, Entry(by, line, t, left)
            position, score = self.advanced(before, entry)
            if by and not is_conduct(by, line):
                self.game.admit(before.state, by, line)
            entries.append(msgspec.structs.replace(entry, score=score))
            between.append(position)
        return self._with_chance(entries, between, position, t)

    def commit(self, append: Append) -> None:
        if append.after != len(self.log):
            raise StaleMatch(append.after, len(self.log))
        self._extend(append.entries)
        self.position = append.position

    def _extend(self, entries: Sequence[Entry]) -> None:
        """Before the position is changed: it says how the entries were made."""
        if self.game.is_simultaneous(self.state):
            made = enumerate(entries, start=len(self.log) + 1)
            self._unseen.update(n for n, entry in made if entry.by and not is_conduct(entry.by, entry.move))
        self.log.extend(entries)
        self._drawn += sum(len(entry.picks or ()) for entry in entries)

    def at(self, number: int) -> Position:
        """The position after the entry with this number; 0 is the start."""
        positions = [self._first_position()]
        for entry in self.log[:number]:
            if is_takeback(entry):
                positions.append(self._taken_back(positions[-1], positions[int(entry.move.split(" ")[1])]))
            else:
                positions.append(self.advanced(positions[-1], entry)[0])
        return positions[-1]

    def line(self, number: int) -> Iterator[int]:
        """The numbers of the entries that led to the position after this one, last first; none that were taken back."""
        while number > 0:
            entry = self.log[number - 1]
            if is_takeback(entry):
                number = int(entry.move.split(" ")[1])
            else:
                yield number
                number -= 1

    def _first_position(self) -> Position:
        state = self.game.start(self.agreed)
        return Position(state, Conduct(), None, self.game.to_move(state))

    def advanced(self, position: Position, entry: Entry) -> tuple[Position, int | None]:
        """The position after one entry, and the points that it made."""
        state, conduct = position.state, position.conduct
        if is_takeback(entry):
            return self._taken_back(position, self.at(self.takeback_target(entry.move))), None
        if entry.by == 0 and entry.move.partition(" ")[0] in (TIME, TIMEOUT):
            timed_out = self._timed_out(position, entry.move)
            if timed_out is not None:
                return self._judged(timed_out, conduct.after_move(0)), None
        if is_conduct(entry.by, entry.move):
            return self._judged(state, conducted(conduct, entry.by, entry.move, self.table(position))), None
        step = self.game.play(state, entry.by, entry.move)
        judged = self._judged(step.state, conduct)
        turn_over = entry.by not in judged.to_move
        return judged._replace(conduct=conduct.after_move(entry.by if turn_over else 0)), step.score

    def _timed_out(self, position: Position, move: str) -> Any | None:
        """The state after `timeout SEAT` or `time`, where the game's rules say what follows."""
        if move == TIME:
            after = self.game.time_out(position.state, WHOLE_MATCH, self.agreed)
            if after is None:
                raise IllegalMove(move, message("core.no_time_runs"))
            return after
        seat = seat_named(move, range(1, len(self.seats) + 1))
        if seat not in position.to_move:
            raise IllegalMove(move, message("core.has_no_turn", seat=seat))
        return self.game.time_out(position.state, seat, self.agreed)

    def _taken_back(self, position: Position, back: Position) -> Position:
        """Moves are taken back; conduct is not: who is out, late or away stays so."""
        return self._judged(back.state, position.conduct.after_move(0))

    @property
    def can_draw(self) -> bool:
        return self.game.can_draw and len(self.seats) > 1

    def table(self, position: Position) -> Table:
        """What conduct needs to know of a position."""
        state, seats = position.state, range(1, len(self.seats) + 1)
        return Table(seats, lambda seat: self.game.side(state, seat), self.can_draw, self.game.eliminated(state))

    def _judged(self, state: Any, conduct: Conduct) -> Position:
        if conduct.ending is None:
            result = self.game.outcome(state, conduct.out)
            return Position(state, conduct, result, () if result else self.game.to_move(state))
        gone = conduct.out | self.game.eliminated(state)
        stay = tuple(seat for seat in range(1, len(self.seats) + 1) if seat not in gone)
        winners = () if conduct.ending == "agreed" else stay
        return Position(state, conduct, Result(winners, self.game.scores(state, winners), conduct.ending), ())

    def takeback_target(self, move: str) -> int:
        """A takeback goes back to an entry of the present line, never past one that chance decided or past a secret."""
        word = move.partition(" ")[2]
        if not word.isdecimal():
            raise UnknownMove(move, message("core.names_no_entry"))
        target, line, since = int(word), chain(self.line(len(self.log)), [0]), []
        while (number := next(line)) > target:
            since.append(number)
        if target >= len(self.log) or target != number:
            raise IllegalMove(move, message("core.not_in_line", entry=target))
        for number in since:
            if self.log[number - 1].by == 0 and self.log[number - 1].move == TIME:
                raise IllegalMove(move, message("core.past_time", entry=number))
            if self.log[number - 1].by == 0 and not is_conduct(0, self.log[number - 1].move):
                raise IllegalMove(move, message("core.past_chance", entry=number))
        for number in since:
            if number in self._unseen:
                raise IllegalMove(move, message("core.past_secret", entry=number))
        return target

    def _with_chance(self, entries: list[Entry], between: list[Position], position: Position, t: int | None) -> Append:
        """The entries and what the table draws after them."""
        if self.seal is not None:
            drawing = Drawing(self.seal, self._drawn)
            while position.result is None and (move := self.game.chance(position.state, drawing)) is not None:
                entry = Entry(0, move, t)
                position, score = self.advanced(position, entry)
                entries.append(msgspec.structs.replace(entry, score=score, picks=drawing.take_picks() or None))
                between.append(position)
        return Append(len(self.log), tuple(entries), position, tuple(between))

    @classmethod
    def load(cls, record: Record, seal: Seal | None = None) -> "Match":
        """The match of a record, replayed and checked entry by entry; BadRecord says which one is wrong.

        A running match is given its seal, whose seed the record does not tell.
        """
        try:
            game = registry.game(record.game)
            if record.rules != game.rules_version:
                raise BadRecord(0, f"rules {record.rules} of {game.name}; this knows {game.rules_version}")
            if seal is None and record.seal is not None and record.seal.seed is not None:
                seal = _opened(record)
            match = cls(game, record.options, record.seats, seal)
            match._published = record.seal
        except BadRecord:
            raise
        except LudotecaError as error:
            raise BadRecord(0, str(error)) from None
        for number, entry in enumerate(record.log, start=1):
            match._replay(number, entry)
        if match.result != record.result:
            raise BadRecord(len(record.log), f"the result is {match.result}, the record has {record.result}")
        return match

    def _replay(self, number: int, entry: Entry) -> None:
        if self.result:
            raise BadRecord(number, f"{entry.move!r} comes after the end")
        if entry.by not in range(len(self.seats) + 1):
            raise BadRecord(number, f"there is no seat {entry.by}")
        if self.seal is not None:
            self._check_draw(number, entry)
        try:
            position, score = self.advanced(self.position, entry)
        except LudotecaError as error:
            raise BadRecord(number, str(error)) from None
        if score != entry.score:
            raise BadRecord(number, f"{entry.move!r} scores {score}, the record has {entry.score}")
        self._extend((entry,))
        self.position = position

    def _check_draw(self, number: int, entry: Entry) -> None:
        """Chance must have drawn what the seal says."""
        assert self.seal is not None
        if entry.by == 0 and entry.picks is None and self.game.is_measured(entry.move):
            return
        drawing = Drawing(self.seal, self._drawn)
        move = self.game.chance(self.position.state, drawing)
        picks = drawing.take_picks() or None
        if move is not None and (entry.by != 0 or is_conduct(0, entry.move)):
            return  # conduct goes on while the table draws; any other entry is refused by the rules
        if (move or entry.move) != entry.move or picks != entry.picks:
            raise BadRecord(number, f"the seal draws {move!r} {picks}, the record has {entry.move!r} {entry.picks}")


def is_takeback(entry: Entry) -> bool:
    return entry.by == 0 and entry.move.partition(" ")[0] == "takeback"


def _opened(record: Record) -> Seal:
    assert record.seal is not None
    try:
        seal = Seal.opened(record.seal)
    except ValueError as error:
        raise BadRecord(0, f"the seal cannot be read: {error}") from None
    if commitment(seal.seed) != record.seal.commitment:
        raise BadRecord(0, "the seed is not the one that was sealed")
    return seal
