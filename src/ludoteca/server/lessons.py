"""Lessons over HTTP: a game's steps, and what the rules say to a learner's moves. Nothing is kept here."""

from functools import cache
from typing import Annotated, Any

import msgspec

from ludoteca.core import lessons
from ludoteca.core.game import OptionValue
from ludoteca.core.lessons import Step
from ludoteca.core.match import Match, Transition
from ludoteca.core.words import Message
from ludoteca.server import journal

LONGEST_MOVE, MOST_MOVES = 4096, 16


class StepShown(msgspec.Struct):
    """A step as a page shows it."""

    id: str
    seat: int
    options: dict[str, OptionValue]
    entries: list[msgspec.Raw]  # what led to the position
    view: dict[str, Any]
    legal: dict[str, Any] | None
    shown: tuple[str, ...]  # a right move for each task, for somebody who asks


class CourseShown(msgspec.Struct):
    steps: list[StepShown]
    match: dict[str, OptionValue]  # what is agreed for the first match after the lessons


class MovesTried(msgspec.Struct):
    """The right moves so far, and the one that the learner makes now."""

    moves: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=LONGEST_MOVE)]], msgspec.Meta(min_length=1, max_length=MOST_MOVES)
    ]


class EntryShown(msgspec.Struct):
    entry: msgspec.Raw
    view: dict[str, Any]


class Judged(msgspec.Struct):
    right: bool
    reason: Message | None  # why the rules refuse the move; None for a move that is legal and not the one wanted
    made: list[EntryShown]  # what a legal move leads to, also where it is not the one wanted
    legal: dict[str, Any] | None


@cache
def course(key: str) -> CourseShown:
    """Return the lessons of a game."""
    found = lessons.course(key)
    return CourseShown([_shown(key, step) for step in found.step], found.match)


def judged(key: str, id_: str, moves: list[str]) -> Judged:
    """Return what the last of these moves leads to in a step."""
    step = lessons.step_of(key, id_)
    answer = lessons.answer(key, step, moves)
    match = answer.match
    first = len(match.log) + 1 - (len(answer.made) if answer.right else 0)
    made = [_made(match, one, number, step.seat) for number, one in enumerate(answer.made, start=first)]
    return Judged(answer.right, answer.reason, made, _legal(match, step) if answer.right else None)


def _shown(key: str, step: Step) -> StepShown:
    match, made = lessons.begun(key, step)
    entries = [_made(match, one, number, step.seat).entry for number, one in enumerate(made, start=1)]
    view = match.game.view(match.state, step.seat)
    shown = tuple(task.shown for task in step.do)
    return StepShown(step.id, step.seat, match.agreed, entries, view, _legal(match, step), shown)


def _made(match: Match, made: Transition, number: int, seat: int) -> EntryShown:
    entry = journal.written_for(seat, match, made, number)
    return EntryShown(entry, match.game.view(made.after.state, seat))


def _legal(match: Match, step: Step) -> dict[str, Any] | None:
    return match.game.legal(match.state, step.seat) if step.seat in match.to_move else None
