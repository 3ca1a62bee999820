"""My mistakes: the worst moments of a guest's reviewed matches come back as puzzles, some days later."""

import asyncio
from functools import partial
from typing import NamedTuple

import msgspec

from ludoteca.core.errors import IllegalMove, UnknownMove, UnknownPuzzle
from ludoteca.core.match import Match
from ludoteca.search.reviewing import COSTS, Decision
from ludoteca.server import journal
from ludoteca.server.database.contract import Storage
from ludoteca.server.journal import EntryMessage
from ludoteca.server.ledger.puzzles import Answered, Reviewed, answers_of, keep_mistake, reviewed
from ludoteca.server.puzzles import DAY, RESULTS, SHOWN, EntryShown, PuzzleJudged, PuzzleShown, Verdict
from ludoteca.server.reviews import LineStep, Reviews
from ludoteca.server.tables import Tables
from ludoteca.server.timing import Time

REST = 3 * DAY  # after which a mistake comes back: after the match, and after it was not solved again
WORST = 2  # mistakes of one match
COST = COSTS[1][0]  # of the chance to win, that a mistake lost
INACCURATE = COSTS[-1][0]  # a move that loses less is nearly right
PREFIX = "mistake/"
KIND = "mistake"


class Mistake(NamedTuple):
    table: str
    game: str
    decision: Decision
    due: int

    @property
    def id(self) -> str:
        return f"{PREFIX}{self.table}/{self.decision.n}"


def worst(matches: list[Reviewed], answers: list[Answered]) -> list[Mistake]:
    """Return the mistakes that are not solved yet, those that are due first come first."""
    known = {one.puzzle: one for one in answers}
    found = []
    for match in matches:
        costly = sorted((one for one in match.decisions if one.known.loss >= COST), key=lambda one: -one.known.loss)
        for decision in costly[:WORST]:
            mistake = Mistake(match.table, match.game, decision, match.ended + REST)
            answered = known.get(mistake.id)
            if answered is None:
                found.append(mistake)
            elif answered.due is not None:
                found.append(mistake._replace(due=answered.due))
    return sorted(found, key=lambda one: (one.due, one.id))


class Mistakes:
    def __init__(self, storage: Storage, tables: Tables, reviews: Reviews, time: Time) -> None:
        self._storage, self._tables, self._reviews, self._time = storage, tables, reviews, time

    async def due(self, guest: str | None) -> list[Mistake]:
        """Return a guest's mistakes that come back now."""
        if guest is None:
            return []
        now = self._time.now()
        matches = await self._storage.read(partial(reviewed, guest=guest, before=now - REST))
        answers = await self._storage.read(partial(answers_of, guest=guest))
        return [one for one in worst(matches, answers) if one.due <= now]

    async def shown(self, mistake: Mistake) -> PuzzleShown:
        match = (await self._tables.table(mistake.table)).match
        return await asyncio.to_thread(_shown, match, mistake)

    async def judged(self, table: str, entry: int, move: str, guest: str | None) -> PuzzleJudged:
        """Return what another move is worth where the guest made a mistake, or why the rules refuse it.

        A refused move is no answer: the mistake stays due.
        """
        mistake = next((one for one in await self.due(guest) if (one.table, one.decision.n) == (table, entry)), None)
        if mistake is None or guest is None:
            raise UnknownPuzzle(f"{PREFIX}{table}/{entry}")
        match = (await self._tables.table(table)).match
        try:
            tried = await self._reviews.tried(table, match, entry, move, guest)
        except (IllegalMove, UnknownMove) as error:
            return PuzzleJudged(reason=error.reason)
        verdict: Verdict = "wrong"
        if tried.is_nearly_best:
            verdict = "right"
        elif tried.best - tried.chance < INACCURATE:
            verdict = "nearly"
        now = self._time.now()
        due = None if verdict == "right" else now + REST
        await self._storage.write(
            partial(
                keep_mistake, guest=guest, puzzle=mistake.id, game=mistake.game, at=now, result=RESULTS[verdict],
                due=due,
            )
        )  # fmt: skip
        moment = await self._reviews.moment(table, match, entry)
        seat = mistake.decision.seat
        made = EntryMessage(entry, seat, move, tried.message, marks=tried.marks)
        return PuzzleJudged(
            verdict=verdict,
            made=[EntryShown(msgspec.Raw(msgspec.json.encode(made)), tried.view)],
            best=tried.best,
            most=tried.chance,
            solution=[_step(step, entry + place) for place, step in enumerate(moment.line)],
        )


def _step(step: LineStep, number: int) -> EntryShown:
    told = EntryMessage(number, step.by, step.move, step.message, marks=step.marks)
    return EntryShown(msgspec.Raw(msgspec.json.encode(told)), step.view)


def _shown(match: Match, mistake: Mistake) -> PuzzleShown:
    number, seat = mistake.decision.n, mistake.decision.seat
    before = match.at(number - 1)
    first = max(0, number - 1 - SHOWN)
    entries = []
    for place in range(first + 1, number):
        transition = match.transition(match.at(place - 1), match.log[place - 1])
        entries.append(journal.written_for(seat, match, transition, place))
    game, played = match.game, match.log[number - 1]
    return PuzzleShown(
        game=game.key,
        id=f"{mistake.table}/{number}",
        seat=seat,
        kind=KIND,
        moves=1,
        played=game.describe(before.state, game.seen(played, seat)).message,
        options=match.agreed,
        entries=entries,
        view=game.view(before.state, seat),
        legal=game.legal(before.state, seat),
    )
