"""Reviews of finished matches: worked out by the workers, decision by decision, and kept beside the record."""

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from ludoteca.core.match import Match
from ludoteca.core.record import Entry
from ludoteca.core.words import Message
from ludoteca.search import reviewing
from ludoteca.search.reviewing import Decision, TurnLoss
from ludoteca.server.database.contract import Storage
from ludoteca.server.fair_queue import Asker
from ludoteca.server.kernels import Kernels
from ludoteca.server.ledger.reviews import find_review, keep_review
from ludoteca.server.refusals import NotStored, Refusal, UnknownEntry
from ludoteca.server.tasks import Tasks
from ludoteca.server.workers import Workers

MOST_WORKING = 64  # reviews that are worked out or waited for at a time
MOST_OF_ONE = 4  # of them for one guest
DEEPEST = 32  # times the usual work, when somebody asks to think longer
ATTEMPTS = 2  # at a decision, one after the other: a worker may be too busy to judge it in time
REST = 60.0  # seconds until decisions that could not be judged are tried again, if somebody asks
T = TypeVar("T")
log = logging.getLogger("ludoteca.server.reviews")


class TooManyReviews(Refusal):
    code = "review/too-many"
    status = 429

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} reviews are being worked out already; try again when one is done")


class NotDecided(Refusal):
    code = "review/no-decision"
    status = 404

    def __init__(self, entry: int) -> None:
        super().__init__(f"nobody decided anything in entry {entry}")


class Review(msgspec.Struct):
    """What a page is told of a review, all of it or what came after the decisions that it has."""

    state: Literal["working", "done"]
    of: int  # decisions in the match
    done: int  # of them judged
    decisions: list[Decision]  # in the order in which they were judged
    turns: list[TurnLoss]  # that lost much in small steps, of what is judged so far
    accuracy: list[float | None]  # by seat, of what is judged so far
    open: "Opened | None"  # turns and accuracy with all cards open, where something is hidden
    statistics: dict[str, list[int]]  # by the game's own names: a number for each seat


class Opened(msgspec.Struct):
    """What changes in a review if all cards are open."""

    turns: list[TurnLoss]
    accuracy: list[float | None]


class Moment(msgspec.Struct):
    """The position before a decision, to try another move in, the one after it, and the line that was suggested."""

    n: int
    seat: int
    view: dict[str, Any]
    legal: dict[str, Any]
    after: dict[str, Any]  # the position after the move, when all is at rest
    line: list["LineStep"]


class LineStep(msgspec.Struct):
    by: int
    move: str
    message: Message
    marks: dict[str, Any]
    view: dict[str, Any]


class Tried(msgspec.Struct):
    """What a move is worth that somebody tried instead."""

    chance: float
    best: float
    is_nearly_best: bool
    message: Message
    marks: dict[str, Any]
    view: dict[str, Any]  # the position after it


class Work(NamedTuple):
    numbers: list[int]
    decisions: list[Decision]
    guest: str | None


class Reviews:
    def __init__(
        self,
        storage: Storage,
        workers: Workers,
        kernels: Kernels,
        tasks: Tasks,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._storage, self._workers, self._kernels, self._tasks, self._now = storage, workers, kernels, tasks, now
        self._working: dict[str, Work] = {}
        self._incomplete: dict[str, float] = {}  # reviews that lack decisions, and when they were last tried
        self._beginning = asyncio.Lock()

    async def of(self, table: str, match: Match, guest: str | None, after: int = 0) -> Review:
        """Return what there is of a review, and begin to work it out if nobody has. The match must be over."""
        work = self._working.get(table)
        if work is None:
            numbers = await asyncio.to_thread(reviewing.decisions, match)
            async with self._beginning:  # two windows ask at the same time: only the first one begins
                work = self._working.get(table) or await self._kept_or_begun(table, match, guest, numbers)
        return await _told(match, work.numbers, list(work.decisions), after)

    async def _kept_or_begun(self, table: str, match: Match, guest: str | None, numbers: list[int]) -> Work:
        kept = await self._storage.read(partial(find_review, table=table)) or []
        judged = [decision.n for decision in kept]
        if set(numbers) <= set(judged):
            return Work(judged, kept, guest)
        if self._now() < self._incomplete.get(table, -REST) + REST:
            return Work(judged, kept, guest)  # the others could not be judged a moment ago
        return self._begin(table, match, guest, Work(numbers, kept, guest))

    def _begin(self, table: str, match: Match, guest: str | None, work: Work) -> Work:
        mine = sum(work.guest == guest for work in self._working.values())
        if mine >= MOST_OF_ONE or len(self._working) >= MOST_WORKING:
            raise TooManyReviews(min(mine, MOST_WORKING))
        self._working[table] = work
        self._tasks.start(self._work_out(table, match, work))
        return work

    async def _work_out(self, table: str, match: Match, work: Work) -> None:
        """Judge every decision in turn: each one waits for its place among all that think."""
        try:
            for _ in range(ATTEMPTS):
                judged = {decision.n for decision in work.decisions}
                for number in (number for number in work.numbers if number not in judged):
                    try:
                        work.decisions.append(await self._judge(match, number, match.log[number - 1].move, work.guest))
                    except Exception:
                        log.exception("table %s: entry %d could not be judged", table, number)
            self._incomplete.pop(table, None)
            if len(work.decisions) < len(work.numbers):
                self._incomplete[table] = self._now()
            try:
                await self._storage.write(partial(keep_review, table=table, decisions=work.decisions), table)
            except NotStored as error:  # it is made again when somebody asks again
                log.error("%s", error)
        finally:
            del self._working[table]

    async def _judge(self, match: Match, number: int, move: str, guest: str | None, effort: int = 1) -> Decision:
        state, seat = match.at(number - 1).state, match.log[number - 1].by
        judged = await self._think(match, guest, reviewing.judge_decision, state, number, seat, move, effort)
        return reviewing.as_it_ended(match, judged)

    async def _think(self, match: Match, guest: str | None, task: Callable[..., T], *given: Any) -> T:
        await self._kernels.bots_ready(match.game.key)
        asker = Asker(guest, people=False)  # bots at tables where people wait come first
        return await self._workers.think(asker, task, match.game.key, *given)

    async def moment(self, table: str, match: Match, number: int) -> Moment:
        """Return the positions before and after a decision, and the suggested line with its positions."""
        check_decided(match, number)
        decision = await self._decision(table, number)
        return await asyncio.to_thread(_moment, match, number, decision)

    async def _decision(self, table: str, number: int) -> Decision | None:
        work = self._working.get(table)
        kept = None if work else await self._storage.read(partial(find_review, table=table))
        known = work.decisions if work else kept or []
        return next((decision for decision in known if decision.n == number), None)

    async def tried(self, table: str, match: Match, number: int, move: str, guest: str | None) -> Tried:
        """Return what another move would have been worth; raise IllegalMove or UnknownMove if it is none."""
        check_decided(match, number)
        game, state, seat = match.game, match.at(number - 1).state, match.log[number - 1].by
        after = game.play(state, seat, move).state
        game.admit(state, seat, move)
        judged = await self._think(match, guest, reviewing.judge_move, state, seat, move)
        decision = await self._decision(table, number)
        known = decision.known if decision else judged
        chance = reviewing.chance_of(known, move, judged)
        told, nearly = game.describe_hint(state, seat, move), reviewing.is_nearly_best(known, chance)
        return Tried(chance, known.best[0].chance, nearly, told.message, told.marks, game.view(after, seat))

    async def deeper(self, match: Match, number: int, effort: int, guest: str | None) -> Decision:
        """Return a decision judged with so many times the usual work."""
        check_decided(match, number)
        return await self._judge(match, number, match.log[number - 1].move, guest, min(max(1, effort), DEEPEST))


async def _told(match: Match, numbers: list[int], decisions: list[Decision], after: int) -> Review:
    statistics = await asyncio.to_thread(reviewing.statistics, match)
    state: Literal["working", "done"] = "done" if len(decisions) == len(numbers) else "working"
    ordered, seats = sorted(decisions, key=lambda decision: decision.n), len(match.seats)
    opened = [reviewing.with_open_cards(decision) for decision in ordered]
    shown = Opened(list(reviewing.turn_losses(opened)), reviewing.accuracies(opened, seats))
    return Review(
        state=state,
        of=len(numbers),
        done=len(decisions),
        decisions=decisions[after:],
        turns=list(reviewing.turn_losses(ordered)),
        accuracy=reviewing.accuracies(ordered, seats),
        open=shown if any(decision.open for decision in ordered) else None,
        statistics=statistics,
    )


def check_decided(match: Match, number: int) -> None:
    """Raise UnknownEntry or NotDecided unless a seat decided something in this entry of a finished match."""
    if not 1 <= number <= len(match.log):
        raise UnknownEntry(number, len(match.log))
    if not match.log[number - 1].by or match.events[number - 1] is not None:
        raise NotDecided(number)
    if match.game.is_simultaneous(match.at(number - 1).state):
        raise NotDecided(number)


def _moment(match: Match, number: int, decision: Decision | None) -> Moment:
    """Return a moment as the seat that decided saw it."""
    game, seat = match.game, match.log[number - 1].by
    before, after = match.at(number - 1).state, match.at(_at_rest(match, number)).state
    line = _steps(match, before, seat, decision)
    return Moment(number, seat, game.view(before, seat), game.legal(before, seat), game.view(after, seat), line)


def _at_rest(match: Match, number: int) -> int:
    """Return the entry after which the board shows what a move led to: a flick is at rest some entries later."""
    for at in range(number, len(match.log) + 1):
        if not match.game.describe(match.at(at - 1).state, match.log[at - 1]).marks.get("unmoved"):
            return at
    return number


def _steps(match: Match, state: Any, seat: int, decision: Decision | None) -> list[LineStep]:
    """Return the suggested line with its positions, seen with the eyes of the seat that decided."""
    found, game = [], match.game
    for entry in decision.line if decision else ():
        told = game.describe(state, Entry(entry.by, entry.move))
        state = game.play(state, entry.by, entry.move).state
        found.append(LineStep(entry.by, entry.move, told.message, told.marks, game.view(state, seat)))
    return found
