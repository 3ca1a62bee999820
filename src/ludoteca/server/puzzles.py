"""Puzzles as the server gives them: the position as the seat may know it, never the answer before somebody tried.

The real rules play every move on a board of its own, which is then forgotten. What a guest answered is kept.
"""

import asyncio
from functools import cache, partial
from random import Random
from typing import Any, Literal, NamedTuple

import msgspec

from ludoteca.core import puzzles, registry
from ludoteca.core.errors import IllegalMove, UnknownMove, UnknownPuzzle
from ludoteca.core.game import OptionValue
from ludoteca.core.match import Match, Transition
from ludoteca.core.puzzles import FIRST_RATING, Found
from ludoteca.core.random import generator
from ludoteca.core.record import Entry
from ludoteca.core.words import Message
from ludoteca.search import puzzling
from ludoteca.search.puzzling import Refuted
from ludoteca.server import journal
from ludoteca.server.database.contract import Storage
from ludoteca.server.fair_queue import Asker
from ludoteca.server.journal import EntryMessage
from ludoteca.server.kernels import Kernels
from ludoteca.server.ledger.puzzles import DAY_PREFIX, NEARLY, RIGHT, WRONG, Answered, answers_of, keep_answer, keep_day
from ludoteca.server.refusals import NoPuzzle
from ludoteca.server.timing import Time
from ludoteca.server.workers import Workers

Verdict = Literal["right", "nearly", "wrong"]
RESULTS: dict[Verdict, int] = {"right": RIGHT, "nearly": NEARLY, "wrong": WRONG}
DAY = 86_400_000
SHOWN = 12  # the last entries before a position, which a board marks
NEAR = 8  # puzzles nearest to somebody's rating, of which one is offered


class EntryShown(msgspec.Struct):
    entry: msgspec.Raw
    view: dict[str, Any]


class PuzzleShown(msgspec.Struct, kw_only=True):
    """A puzzle as a page shows it, without its answer."""

    game: str
    id: str
    seat: int
    kind: str
    moves: int  # that it asks for
    rating: int | None = None  # None for a mistake of one's own
    day: int | None = None  # of the puzzle of the day: days since 1970
    played: Message | None = None  # what one did instead, in a match of one's own
    measured: bool = False  # physics decides: the chances are those of a shot to succeed
    options: dict[str, OptionValue]
    entries: list[msgspec.Raw]
    view: dict[str, Any]
    legal: dict[str, Any] | None


class Standing(msgspec.Struct):
    """How a guest stands in a game."""

    game: str
    puzzles: int
    rating: int
    tried: int
    solved: int


class DayShown(msgspec.Struct):
    day: int
    game: str
    id: str
    verdict: Verdict | None  # what the guest answered already


class PuzzlesListed(msgspec.Struct):
    games: list[Standing]
    day: DayShown | None
    streak: int  # days in a row on which the guest solved the puzzle of the day, until today or yesterday
    longest: int
    mistakes: int  # of the guest's own, that are due


class PuzzleJudged(msgspec.Struct, kw_only=True):
    """What a move leads to. Without a verdict it is refused, or there is more to find."""

    verdict: Verdict | None = None
    reason: Message | None = None  # why the rules refuse the move
    made: list[EntryShown] = []
    legal: dict[str, Any] | None = None  # what may follow, where there is more to find
    best: float | None = None  # the chance to win after the best move, or that of a shot to succeed
    most: float | None = None  # what any other move leaves at most, or how surely any other brick succeeds
    solution: list[EntryShown] = []  # the best moves and how it may go on, from the puzzle's position
    rating: int | None = None  # the guest's, afterwards
    streak: int | None = None


class Reply(msgspec.Struct):
    """What a move that is not the best one is worth, and how it may go on."""

    chance: float
    line: list[EntryShown]


class Tried(NamedTuple):
    match: Match
    made: list[Transition]
    verdict: Verdict | None
    reason: Message | None = None
    before: Any = None  # the state in which the last move was tried


class Puzzles:
    def __init__(self, storage: Storage, workers: Workers, kernels: Kernels, time: Time) -> None:
        self._storage, self._workers, self._kernels, self._time = storage, workers, kernels, time

    def today(self) -> int:
        return self._time.now() // DAY

    async def answers(self, guest: str | None) -> list[Answered]:
        return await self._storage.read(partial(answers_of, guest=guest)) if guest else []

    async def listed(self, guest: str | None, mistakes: int) -> PuzzlesListed:
        answers, today = await self.answers(guest), self.today()
        days = days_of(answers)
        daily = puzzle_of_day(today)
        shown = None
        if daily is not None:
            result = next((one.result for one in answers if one.puzzle == f"{DAY_PREFIX}{today}"), None)
            verdict = next((name for name, value in RESULTS.items() if value == result), None)
            shown = DayShown(today, daily[0], daily[1].id, verdict)
        games = [standing(key, answers) for key in games_with_puzzles()]
        return PuzzlesListed(games, shown, streak(days, today), longest(days), mistakes)

    async def shown(self, game: str, found: Found, day: int | None = None) -> PuzzleShown:
        await self._kernels.rules_ready(game)
        return await asyncio.to_thread(_shown, game, found, day)

    async def next_of(self, game: str, guest: str | None) -> Found:
        """Return a puzzle near a guest's rating that the guest has not seen; where all were seen, an old one."""
        if not (known := puzzles.puzzles_of(game)):
            raise UnknownPuzzle(game)
        answers = await self.answers(guest)
        seen = [one.puzzle.removeprefix(f"{game}/") for one in answers if one.puzzle.startswith(f"{game}/")]
        fresh = [found for id_, found in known.items() if id_ not in set(seen)]
        if not fresh:
            return next((known[id_] for id_ in seen if id_ in known), next(iter(known.values())))
        rating = standing(game, answers).rating
        fresh.sort(key=lambda found: abs(found.puzzle.rating - rating))
        return Random().choice(fresh[:NEAR])

    async def judged(self, game: str, found: Found, moves: list[str], guest: str | None, day: bool) -> PuzzleJudged:
        """Return what the last of these moves leads to, and keep the guest's first answer."""
        await self._kernels.rules_ready(game)
        tried = await asyncio.to_thread(_tried, game, found, moves)
        match, seat, puzzle = tried.match, found.puzzle.seat, found.puzzle
        made = await asyncio.to_thread(_made, match, tried.made, seat)
        if tried.verdict is None:
            legal = match.game.legal(match.state, seat) if tried.made else None
            return PuzzleJudged(reason=tried.reason, made=made, legal=legal)
        most = puzzle.second if len(moves) == 1 else None
        answer = PuzzleJudged(verdict=tried.verdict, made=made, best=puzzle.chance, most=most)
        answer.solution = await asyncio.to_thread(_solution, game, found)
        if guest is not None:
            answer.rating, answer.streak = await self._keep(game, found, guest, tried.verdict, day)
        return answer

    async def replied(self, game: str, found: Found, moves: list[str], guest: str | None) -> Reply:
        """Return what is wrong with the last of these moves. A worker thinks about it."""
        await self._kernels.bots_ready(game)
        tried = await asyncio.to_thread(_tried, game, found, moves)
        if tried.verdict not in ("nearly", "wrong") or tried.match.game.measures:
            raise NoPuzzle(f"there is nothing to say against {moves[-1]!r} in puzzle {game}/{found.id}")
        seat, asker = found.puzzle.seat, Asker(guest, people=False)
        refuted = await self._workers.think(asker, puzzling.refuted, game, tried.before, seat, moves[-1])
        line = await asyncio.to_thread(_replied, tried.match, tried.before, refuted, seat)
        return Reply(refuted.chance, line)

    async def _keep(self, game: str, found: Found, guest: str, verdict: Verdict, day: bool) -> tuple[int, int]:
        now, today, result = self._time.now(), self.today(), RESULTS[verdict]
        rating = await self._storage.write(
            partial(
                keep_answer, guest=guest, puzzle=f"{game}/{found.id}", game=game, at=now, result=result,
                of=found.puzzle.rating,
            )
        )  # fmt: skip
        if day and puzzle_of_day(today) == (game, found):
            await self._storage.write(partial(keep_day, guest=guest, day=today, game=game, at=now, result=result))
        return rating, streak(days_of(await self.answers(guest)), today)


@cache
def games_with_puzzles() -> tuple[str, ...]:
    return tuple(key for key in registry.game_keys() if puzzles.puzzles_of(key))


def puzzle_of_day(day: int) -> tuple[str, Found] | None:
    """Return the puzzle of a day, the same for everybody. The games take turns."""
    if not (games := games_with_puzzles()):
        return None
    round_, turn = divmod(day, len(games))
    order = _shuffled(games[turn])
    return games[turn], order[round_ % len(order)]


@cache
def _shuffled(game: str) -> list[Found]:
    found = list(puzzles.puzzles_of(game).values())
    Random(f"days of {game}").shuffle(found)
    return found


def standing(game: str, answers: list[Answered]) -> Standing:
    """Return how a guest stands in a game. The puzzle of the day counts once, and one's own mistakes do not count."""
    own = [one for one in answers if one.puzzle.startswith(f"{game}/")]
    rating = own[-1].rating if own else FIRST_RATING
    return Standing(game, len(puzzles.puzzles_of(game)), rating, len(own), sum(one.result == RIGHT for one in own))


def days_of(answers: list[Answered]) -> set[int]:
    """Return the days whose puzzle was solved."""
    daily = (one for one in answers if one.puzzle.startswith(DAY_PREFIX) and one.result == RIGHT)
    return {int(one.puzzle.removeprefix(DAY_PREFIX)) for one in daily}


def streak(days: set[int], today: int) -> int:
    """Return how many days in a row were solved, until today, or until yesterday while today's is still open."""
    day = today if today in days else today - 1
    length = 0
    while day - length in days:
        length += 1
    return length


def longest(days: set[int]) -> int:
    return max((streak(days, day) for day in days), default=0)


def _shown(game: str, found: Found, day: int | None) -> PuzzleShown:
    match, made = puzzles.begun(game, found)
    puzzle = found.puzzle
    first = max(0, len(made) - SHOWN)
    entries = [journal.written_for(puzzle.seat, match, one, first + place) for place, one in enumerate(made[first:], 1)]
    return PuzzleShown(
        game=game,
        id=found.id,
        seat=puzzle.seat,
        kind=puzzle.kind,
        moves=len(puzzle.moves),
        rating=puzzle.rating,
        day=day,
        measured=match.game.measures,
        options=match.agreed,
        entries=entries,
        view=match.game.view(match.state, puzzle.seat),
        legal=match.game.legal(match.state, puzzle.seat),
    )


def _tried(key: str, found: Found, moves: list[str]) -> Tried:
    """Play the moves by the rules. All but the last one must be right."""
    match, _ = puzzles.begun(key, found)
    puzzle, game = found.puzzle, match.game
    if len(moves) > len(puzzle.moves):
        raise UnknownPuzzle(f"{key}/{found.id}: {len(moves)} moves, it asks for {len(puzzle.moves)}")
    made: list[Transition] = []
    for place, (move, best) in enumerate(zip(moves, puzzle.moves, strict=False)):
        state = match.state
        try:
            append = match.prepare(move, puzzle.seat)
        except (IllegalMove, UnknownMove) as error:
            return Tried(match, [], None, error.reason)
        match.commit(append)
        made = list(append.transitions)
        if not puzzling.is_same(game, state, puzzle.seat, best, move):
            near = bool(place) or puzzling.is_near(game, state, puzzle.seat, best, puzzle.other, move)
            return Tried(match, made, "nearly" if near else "wrong", before=state)
    return Tried(match, made, "right" if len(moves) == len(puzzle.moves) else None)


def _made(match: Match, made: list[Transition], seat: int) -> list[EntryShown]:
    first = len(match.log) - len(made) + 1
    return [
        EntryShown(journal.written_for(seat, match, one, number), match.game.view(one.after.state, seat))
        for number, one in enumerate(made, first)
    ]


def _solution(key: str, found: Found) -> list[EntryShown]:
    """Return the best moves and the line that follows them."""
    match, _ = puzzles.begun(key, found)
    puzzle, made = found.puzzle, list[Transition]()
    if match.game.measures:
        for move in puzzle.moves:
            append = match.prepare(move, puzzle.seat)
            match.commit(append)
            made += append.transitions
    else:
        match.seal = None
        made = match.follow(Entry(puzzle.seat, move) for move in puzzle.moves)
        made += match.follow(puzzles.entries(puzzle.line))
    return _made(match, made, puzzle.seat)


def _replied(match: Match, state: Any, refuted: Refuted, seat: int) -> list[EntryShown]:
    """Return what may follow the move that was tried, with the views of the seat."""
    game, shown = match.game, list[EntryShown]()
    known = game.concealed(state, seat, generator(puzzling.REFUTED))
    for number, entry in enumerate(refuted.line, start=1):
        before, known = known, game.play(known, entry.by, entry.move).state
        if number > 1:
            seen = game.seen(Entry(entry.by, entry.move), seat)
            said = game.describe(before, seen)
            told = EntryMessage(len(match.log) + number, entry.by, seen.move, said.message, marks=said.marks)
            shown.append(EntryShown(msgspec.Raw(msgspec.json.encode(told)), game.view(known, seat)))
    return shown
