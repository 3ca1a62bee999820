"""Reviews a finished match: what each decision cost, which move was better, and how it could have gone on.

Every decision is judged by itself, so that a review can be worked out piece by piece, by any number of workers.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from random import Random
from typing import Any, Literal, get_args

import msgspec

from ludoteca.core import registry
from ludoteca.core.chance import chosen
from ludoteca.core.game import Game
from ludoteca.core.kernel import CHANCE
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.match import Match
from ludoteca.core.record import Entry
from ludoteca.core.words import Message
from ludoteca.search import bots
from ludoteca.search.dangers import Danger, danger_after
from ludoteca.search.further import judge_further, judge_on
from ludoteca.search.judge import Judgement, Valued, judge, judging_of, lighter

VERSION = 8  # of what is judged and how: a stored review of another one is made anew
Verdict = Literal["forced", "fine", "inaccurate", "mistake", "blunder"]
COSTS: tuple[tuple[float, Verdict], ...] = ((0.3, "blunder"), (0.2, "mistake"), (0.1, "inaccurate"))
NEARLY = 0.05  # a move that costs at most this much is as good as the best
EVEN = 0.005  # moves whose chances differ by less show the same number: none is better
BEST = 3  # moves that are shown
LINE = 6  # entries of players in the line that follows the best move
OPEN = 0.25  # of the usual simulations with all cards open: a search that deals nothing anew needs fewer
SHORT_LINE = 2  # of a game in which physics decides
STRONG = -2  # among the names of bots: the level that plays a line on, quick and nearly as strong as the judge


class Choice(msgspec.Struct, frozen=True):
    """A move, the chance to win that it leaves, and how it is told."""

    move: str
    chance: float
    message: Message
    marks: dict[str, Any]
    rest: tuple["LineEntry", ...] = ()  # of a better move: the rest of its turn, as the judge would play it
    draws: bool = False  # the move only lets chance draw for the seat, which then acts again


class LineEntry(msgspec.Struct, frozen=True):
    by: int
    move: str
    message: Message
    marks: dict[str, Any]


class Knowledge(msgspec.Struct, frozen=True):
    """A decision as it looks with what the seat could know, or with all cards open."""

    chances: tuple[float, ...]  # of winning, by seat, if the best move is made
    played: float  # the chance of the seat that acts, after the move that was made
    error: float  # how much that difference may err
    verdict: Verdict
    best: tuple[Choice, ...]

    @property
    def loss(self) -> float:
        return _rounded(max(0.0, self.best[0].chance - self.played)) if self.best else 0.0


class Decision(msgspec.Struct, frozen=True):
    n: int  # the number of the entry that was decided on
    seat: int
    known: Knowledge
    open: Knowledge | None = None  # where something is hidden
    line: tuple[LineEntry, ...] = ()  # how it could have gone on after the best move, which is the first
    message: Message | None = None  # where physics decides: the move in the words of a suggestion, with what it aims at
    danger: Danger | None = None  # of a bad move where hands are hidden


class TurnLoss(msgspec.Struct, frozen=True):
    """A turn that lost much in small steps: all its decisions together deserve a worse verdict than each alone."""

    n: int  # the decision that lost most
    seat: int
    first: int  # the first decision of the turn ...
    last: int  # ... and its last
    loss: float
    verdict: Verdict


def decisions(match: Match) -> list[int]:
    """Return the numbers of the entries in which a seat of a match decided something.

    Without what was taken back, and what was given from another match.
    """
    found = []
    for number in played(match):
        entry, state = match.log[number - 1], match.at(number - 1).state
        if entry.by and match.events[number - 1] is None and not match.game.is_simultaneous(state):
            found.append(number)
    return found[::-1]


def played(match: Match) -> Iterator[int]:
    """Yield the numbers of the entries of this match that stand, last first, without those that were given."""
    return (number for number in match.line(len(match.log)) if number > match.n_given)


def judge_decision(key: str, state: Any, n: int, seat: int, move: str, effort: int = 1) -> Decision:
    """Judge a move that was made from a state, and tell what was better. This is what a worker does."""
    game = registry.game(key)
    known = _with_rest(game, state, seat, judge_move(key, state, seat, move, effort), partial(judge_on, effort=effort))
    shown = None
    if game.has_secrets(state):
        judging = lighter(judging_of(key), OPEN) if isinstance(game, KernelGame) else None
        openly = partial(judge, is_open=True, effort=effort, judging=judging)
        shown = _knowledge(game, state, openly(game, state, seat, [move]), move)
        shown = _with_rest(game, state, seat, shown, openly)
    line, danger = tuple[LineEntry, ...](), None
    if is_bad(known.verdict):
        best = known.best[0]
        line = tuple(line_after(game, state, seat, best.move, [one.move for one in best.rest]))
        if shown and isinstance(game, KernelGame):
            danger = danger_after(game, state, seat, move)
    words = game.describe_hint(state, seat, move).message if game.measures else None
    return Decision(n, seat, known, shown, line, words, danger)


def as_it_ended(match: Match, decision: Decision) -> Decision:
    """Return the decision on a flick without blame, if the flick won the match: nobody calls a winning move bad.

    Elsewhere a move that wins has its exact chance anyway.
    """
    is_last = not any(entry.by for entry in match.log[decision.n :])
    if not (match.game.measures and is_last and match.result and decision.seat in match.result.winners):
        return decision
    known = decision.known
    best = msgspec.structs.replace(known, played=known.best[0].chance, verdict="fine")
    return msgspec.structs.replace(decision, known=best, line=())


def judge_move(key: str, state: Any, seat: int, move: str, effort: int = 1) -> Knowledge:
    """Judge a move with what the seat can know. This is what a worker does for a move that somebody tries."""
    game = registry.game(key)
    return _knowledge(game, state, judge_further(game, state, seat, move, effort), move)


def is_bad(verdict: Verdict) -> bool:
    return verdict not in ("forced", "fine")


def _knowledge(game: Game, state: Any, judged: Judgement, move: str) -> Knowledge:
    played = judged.of(move)
    forced = isinstance(game, KernelGame) and int(game.rules.count(state)) == 1
    error = math.hypot(played.error, judged.best.error) / 2
    ranked = _ranked(game, state, judged, move)
    best = ranked[:BEST]
    if played not in best and best[0].chance - played.chance < EVEN:
        best[-1] = played  # as good as the best, so it is one of them
    verdict = "forced" if forced else verdict_of(judged.best.chance - played.chance, error)
    return Knowledge(
        tuple(map(_rounded, judged.chances)),
        _rounded(played.chance),
        _rounded(error),
        verdict,
        tuple(_choice(game, state, judged.seat, valued) for valued in best),
    )


def _ranked(game: Game, state: Any, judged: Judgement, played: str | None = None) -> list[Valued]:
    """Return the moves, each once, the best first. Of even ones that which scores most now, then the one played."""
    moves = list({valued.move: valued for valued in judged.moves}.values())
    even = [one for one in moves if moves[0].chance - one.chance < EVEN]
    if len(even) > 1:
        first = max(even, key=lambda one: (game.play(state, judged.seat, one.move).score or 0, one.move == played))
        moves = [first, *(one for one in moves if one is not first)]
    return moves


def _choice(game: Game, state: Any, seat: int, valued: Valued) -> Choice:
    told = game.describe_hint(state, seat, valued.move)
    draws = _only_draws(game, state, seat, valued.move)
    return Choice(valued.move, _rounded(valued.chance), told.message, told.marks, draws=draws)


def _only_draws(game: Game, state: Any, seat: int, move: str) -> bool:
    """Return whether chance draws after a move, and the same seat acts again in the same turn."""
    after = game.play(state, seat, move).state
    if not isinstance(game, KernelGame) or game.actor(after) != CHANCE or len(game.seats(state)) == 1:
        return False
    drawn = game.chance(after, _drawing(Random("draws")))
    return drawn is not None and game.to_move(game.play(after, 0, drawn).state) == (seat,)


Judge = Callable[[Game, Any, int], Judgement]


def _with_rest(game: Game, state: Any, seat: int, known: Knowledge, judge_next: Judge) -> Knowledge:
    """Return the knowledge with the rest of the turn after its best move, if that move is worth telling."""
    if known.loss <= NEARLY:
        return known
    best, *others = known.best
    rest = tuple(rest_of_turn(game, state, seat, best.move, judge_next))
    return msgspec.structs.replace(known, best=(msgspec.structs.replace(best, rest=rest), *others))


def rest_of_turn(game: Game, state: Any, seat: int, move: str, judge_next: Judge) -> Iterator[LineEntry]:
    """Yield what the judge plays after a move until chance draws, another seat acts, or the turn ends."""
    turn = game.turn(state)
    for _ in range(LINE - 1):
        state = _measured(game, game.play(state, seat, move).state)
        if game.outcome(state, frozenset()) is not None or game.to_move(state) != (seat,) or game.turn(state) != turn:
            return
        move = _ranked(game, state, judge_next(game, state, seat))[0].move
        told = game.describe_hint(state, seat, move)
        yield LineEntry(seat, move, told.message, told.marks)


def _rounded(chance: float) -> float:
    return round(chance, 3)


def verdict_of(loss: float, error: float = 0.0) -> Verdict:
    """Return the verdict on a loss; a move is fine if the error may be what makes it look bad."""
    if loss - error < COSTS[-1][0]:
        return "fine"
    return next(verdict for cost, verdict in COSTS if loss >= cost)


def with_open_cards(decision: Decision) -> Decision:
    """Return a decision as if the seat had known all cards."""
    return msgspec.structs.replace(decision, known=decision.open) if decision.open else decision


def turn_losses(judged: Iterable[Decision]) -> Iterator[TurnLoss]:
    """Yield the turns that lost much in small steps. A turn is what a seat decides in a row.

    Where every decision was as good as the best, the sum is nothing but error. One seat alone has no turns.
    """
    for seat, group in groupby(judged, key=lambda decision: decision.seat):
        turn = list(group)
        worst = max(turn, key=lambda decision: decision.known.loss)
        loss = sum(decision.known.loss for decision in turn)
        verdict = verdict_of(loss, math.hypot(*(decision.known.error for decision in turn)))
        is_worse = all(_is_worse(verdict, decision.known.verdict) for decision in turn)
        if is_worse and is_bad(verdict) and worst.known.loss > NEARLY and len(worst.known.chances) > 1:
            yield TurnLoss(worst.n, seat, turn[0].n, turn[-1].n, _rounded(loss), verdict)


def _is_worse(verdict: Verdict, than: Verdict) -> bool:
    order = get_args(Verdict)
    return order.index(verdict) > order.index(than)


def accuracy(losses: Iterable[float]) -> float | None:
    """Return how accurate a player was, 0 to 100, by the formula of lichess.org; None without any decision."""
    found = [min(100.0, max(0.0, 103.1668 * math.exp(-4.354 * loss) - 3.1669)) for loss in losses]
    return round(sum(found) / len(found), 1) if found else None


def accuracies(judged: Iterable[Decision], seats: int) -> list[float | None]:
    by_seat: dict[int, list[float]] = {seat: [] for seat in range(1, seats + 1)}
    for decision in judged:
        if decision.known.verdict != "forced":
            by_seat[decision.seat].append(decision.known.loss)
    return [accuracy(losses) for losses in by_seat.values()]


def _measured(game: Game, state: Any) -> Any:
    """Return a state after all that the table measures and does not draw: how a brick lies that was set down."""

    def refuse(weights: Sequence[int]) -> int:
        raise _Drawn

    try:
        while game.measures and (entry := game.chance(state, refuse)) is not None:
            state = game.play(state, 0, entry).state
    except _Drawn:
        pass
    return state


class _Drawn(Exception):
    """Chance decides what follows."""


def line_after(game: Game, state: Any, seat: int, move: str, rest: Sequence[str] = ()) -> Iterator[LineEntry]:
    """Yield a move, the rest of its turn, and how the match could go on: bots play, chance draws.

    It is always the same for the same position.
    """
    rng, following = Random("line"), list(rest)
    left = SHORT_LINE if game.measures else LINE
    level = bots.names(game)[STRONG]
    while left:
        yield _line_entry(game, state, seat, move)
        left -= 1
        state = game.play(state, seat, move).state
        while game.outcome(state, frozenset()) is None and (drawn := game.chance(state, _drawing(rng))) is not None:
            yield _line_entry(game, state, 0, drawn)
            state = game.play(state, 0, drawn).state
        if not left or game.outcome(state, frozenset()) is not None:
            return
        if following:
            move = following.pop(0)
        else:
            seat = game.to_move(state)[0]
            move = bots.choose(game, level, state, seat, ("line", left)).partition("\n")[0]


def _line_entry(game: Game, state: Any, by: int, move: str) -> LineEntry:
    told = game.describe(state, Entry(by, move))
    return LineEntry(by, move, told.message, told.marks)


def _drawing(rng: Random) -> Any:
    return lambda weights: chosen(weights, rng.randrange(sum(weights)))


def chance_of(known: Knowledge, move: str, tried: Knowledge) -> float:
    """Return what another move would have been worth in the place of a decision, beside what is known of that decision.

    `tried` is the judgement of the same position with the other move. It may know another best move.
    """
    listed = (choice.chance for choice in known.best if choice.move == move)
    return next(listed, min(tried.played, known.best[0].chance) if known.best else tried.played)


def is_nearly_best(known: Knowledge, chance: float) -> bool:
    return bool(known.best) and known.best[0].chance - chance <= NEARLY


def statistics(match: Match) -> dict[str, list[int]]:
    """Return what a game counts of a match, by the names of its statistics: a number for each seat."""
    game = match.game
    counted: dict[str, list[int]] = {name: [0] * len(match.seats) for name in game.statistics}
    for number in played(match) if counted else ():
        entry, before = match.log[number - 1], match.at(number - 1).state
        if match.events[number - 1] is None:
            for seat, name in game.counted(before, entry, game.describe(before, entry)):
                counted[name][seat - 1] += 1
    return counted
