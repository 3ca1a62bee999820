"""Lessons: small positions with one thing to do, played by the real rules.

A game's lessons are data in its folder: lessons/steps.toml, with the texts beside it in one file for each language.
docs/lessons.md says how to write them.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import msgspec

from ludoteca.core import registry
from ludoteca.core.chance import Seal
from ludoteca.core.errors import BadLesson, IllegalMove, UnknownLesson, UnknownMove
from ludoteca.core.game import OptionValue
from ludoteca.core.match import Match, Transition
from ludoteca.core.record import Entry
from ludoteca.core.words import Message, Value

FOLDER, STEPS = "lessons", "steps.toml"


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move to find. It is right if it has one of the texts in `wants` and leads to what the other fields ask for."""

    wants: tuple[str, ...]  # texts of moves, in which * and [ab] stand for what they do in file names
    show: str = ""  # the move that is shown to somebody who asks; by default the first one wanted
    score: int | None = None
    marks: dict[str, Any] = {}  # what one of the entries must have among its marks
    told: tuple[str, ...] = ()  # keys of messages that the words of the entries must have
    not_told: tuple[str, ...] = ()  # and keys that they must not have
    then: tuple[str, ...] = ()  # the entries that follow, as in `log`; where there are none, the table draws

    @property
    def shown(self) -> str:
        return self.show or self.wants[0]

    def is_met(self, match: Match, made: Sequence[Transition]) -> bool:
        entry = made[0].entry
        if not any(fnmatchcase(entry.move, text) for text in self.wants):
            return False
        if self.score is not None and (entry.score or 0) < self.score:
            return False
        described = [match.game.describe(one.before.state, one.entry) for one in made]
        if self.marks and not any(self._is_marked(one.marks) for one in described):
            return False
        told = {key for one in described for key in _keys(one.message)}
        return told.issuperset(self.told) and told.isdisjoint(self.not_told)

    def _is_marked(self, marks: Mapping[str, Any]) -> bool:
        return all(_has(marks.get(name), value) for name, value in self.marks.items())


def _has(marked: Any, wanted: Any) -> bool:
    """Return whether a mark is the wanted one. A list must have every part of the wanted one, or lists that have it."""
    if not isinstance(wanted, list) or not isinstance(marked, list):
        return bool(marked == wanted)
    flat = [part for one in marked for part in (one if isinstance(one, list) else [one])]
    return all(part in flat or part in marked for part in wanted)


def _keys(told: Value) -> Iterator[str]:
    """Yield the keys of a message and of the messages in it."""
    if isinstance(told, Message):
        yield told.key
        for part in told.params.values():
            yield from _keys(part)
    elif isinstance(told, (list, tuple)):
        for part in told:
            yield from _keys(part)


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position, and what the learner is asked to do there; nothing, where there is only something to read."""

    id: str
    options: dict[str, OptionValue] = {}
    seat: int = 1
    log: tuple[str, ...] = ()  # entries: "1: Re4; Yj1" are two moves of seat 1; seat 0 is the table
    do: tuple[Task, ...] = ()


class Course(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lessons of a game, and what is agreed for the first match after them."""

    step: tuple[Step, ...]
    match: dict[str, OptionValue] = {}


class Answer(NamedTuple):
    """What the last move of a learner led to."""

    match: Match
    right: bool
    made: tuple[Transition, ...] = ()  # what a legal move leads to; the match has it only if it was right
    reason: Message | None = None  # why the rules refuse the move, if they do


def has_course(key: str) -> bool:
    return resources.files(f"ludoteca.games.{key}").joinpath(FOLDER, STEPS).is_file()


@cache
def course(key: str) -> Course:
    """Return the lessons of a game."""
    registry.game(key)
    if not has_course(key):
        raise UnknownLesson(key)
    text = resources.files(f"ludoteca.games.{key}").joinpath(FOLDER, STEPS).read_text("utf-8")
    try:
        return msgspec.convert(tomllib.loads(text), Course)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadLesson(f"{STEPS} of {key}: {error}") from None


def step_of(key: str, id_: str) -> Step:
    for step in course(key).step:
        if step.id == id_:
            return step
    raise UnknownLesson(f"{key}/{id_}")


def begun(key: str, step: Step) -> tuple[Match, list[Transition]]:
    """Return a match that stands where a step begins, and what led there."""
    match = Match(registry.game(key), step.options)
    match.seal = _seal(match, step)
    return match, _followed(match, step.log)


def answer(key: str, step: Step, moves: Sequence[str]) -> Answer:
    """Return what the last of these moves leads to; those before it must be right."""
    match, _ = begun(key, step)
    if not 1 <= len(moves) <= len(step.do):
        raise UnknownLesson(f"{key}/{step.id}: {len(moves)} moves, it asks for {len(step.do)}")
    for move, task in zip(moves, step.do, strict=False):
        says_draw = any(not entry.by for entry in _entries(task.then)[:1])
        match.seal = None if says_draw else _seal(match, step)
        try:
            append = match.prepare(move, step.seat)
        except (IllegalMove, UnknownMove) as error:
            return Answer(match, False, reason=error.reason)
        if not task.is_met(match, append.transitions):
            return Answer(match, False, append.transitions)
        match.commit(append)
        match.seal = _seal(match, step)
        made = (*append.transitions, *_followed(match, task.then))
    return Answer(match, True, made)


def _followed(match: Match, lines: Iterable[str]) -> list[Transition]:
    """Follow the entries of a lesson. Where they do not say what the table draws, the table draws."""
    made: list[Transition] = []
    for entry in _entries(lines):
        if entry.by:
            made += match.draw()
        made += match.follow([entry])
    return [*made, *match.draw()]


def _seal(match: Match, step: Step) -> Seal:
    """Return a seal that draws the same for the same step."""
    return Seal.derived("lesson", len(match.seats), match.game.key, step.id)


def _entries(lines: Iterable[str]) -> list[Entry]:
    """Read "1: Re4; Yj1": a seat, and its moves."""
    entries = []
    for line in lines:
        seat, _, moves = line.partition(": ")
        if not seat.isdigit():
            raise BadLesson(f"{line!r} does not begin with a seat, as in '1: Re4; Yj1'")
        entries += [Entry(int(seat), move) for move in moves.split("; ")]
    return entries
