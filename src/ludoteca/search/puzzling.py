"""Puzzles and the search: which move is clearly the best one, how sure that is, and which answers are right.

A position is a puzzle if its best move leaves at least GAP more of the chance to win than the second best. Three looks
decide that, each dearer than the one before, so that most positions cost little.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice, takewhile
from random import Random
from typing import Any, NamedTuple

import msgspec

from ludoteca.core import registry
from ludoteca.core.game import Game
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.levels import Judging, Lookahead, sparring_level
from ludoteca.core.puzzles import GAP, Written
from ludoteca.core.random import generator
from ludoteca.search import bots
from ludoteca.search.curves import curve_of
from ludoteca.search.judge import advice_of, judge, judging_of, lighter
from ludoteca.search.reviewing import LineEntry, line_after

CONFIRMED = 10  # times the usual work confirms a puzzle
SHOTS = (1, 3)  # times the usual work before that, where moves cannot be listed: a first look misses many of them
PROMISING = 0.2  # the gap at a first glance, and
LIKELY = 0.28  # with the usual work, that are worth a longer look
REFUTED = "refuted"  # the seed of what is dealt anew to show what is wrong with a move
LINE = 5  # entries that show what is wrong with a move
GLANCE = 0.1  # of the usual work, by a tree search


class Clear(NamedTuple):
    """A move that is clearly the best one, and the second best."""

    move: str
    chance: float
    other: str
    second: float

    @property
    def gap(self) -> float:
        return self.chance - self.second


def clear_move(game: Game, state: Any, seat: int) -> Clear | None:
    """Return the best move of a position if it is clear, confirmed with ten times the usual work."""
    found = glanced(game, state, seat)
    return sure_move(game, state, seat) if found is not None and found.gap >= PROMISING else None


def sure_move(game: Game, state: Any, seat: int) -> Clear | None:
    """Return the best move of a position that looks promising, if it is clear indeed."""
    judged = None
    for effort in (1,) if isinstance(game, KernelGame) else SHOTS:
        judged = compared(game, state, seat, effort)
        if judged is None or judged.gap < LIKELY:
            return None
    assert judged is not None
    confirmed = compared(game, state, seat, CONFIRMED)
    if confirmed is None or confirmed.gap < GAP or not is_same(game, state, seat, judged.move, confirmed.move):
        return None
    return None if is_same(game, state, seat, confirmed.move, confirmed.other) else confirmed


def glanced(game: Game, state: Any, seat: int) -> Clear | None:
    """Compare the best two moves with little work."""
    if isinstance(game, KernelGame):
        if int(game.rules.count(state)) < 2:
            return None
        return _first_two(game, state, seat, 1, _glance(game.key))
    return _first_two_ideas(game, state, seat, 0)


def compared(game: Game, state: Any, seat: int, effort: int) -> Clear | None:
    """Compare the best two moves with so many times the usual work; None where there are not two."""
    if isinstance(game, KernelGame):
        return _first_two(game, state, seat, effort, _without_proofs(game.key))
    return _first_two_ideas(game, state, seat, effort)


def _first_two(game: KernelGame, state: Any, seat: int, effort: int, judging: Judging | None) -> Clear | None:
    judged = judge(game, state, seat, effort=effort, judging=judging)
    best = judged.best
    if len(judged.moves) == 1:  # a search that sees a win looks at nothing else
        others = [move for move in game.moves(state) if move != best.move]
        glance = judge(game, state, seat, others, judging=_glance(game.key))
        likely = [one.move for one in glance.moves if one.move != best.move][: judging_of(game.key).candidates]
        judged = judge(game, state, seat, likely, effort=effort, judging=judging)
    for other in judged.moves[1:]:
        if not is_same(game, state, seat, best.move, other.move):
            return Clear(best.move, best.chance, other.move, other.chance)
    return None


def _first_two_ideas(game: Game, state: Any, seat: int, effort: int) -> Clear | None:
    """Compare the best move with the best one of another idea, in a game whose moves cannot be listed."""
    ideas = getattr(advice_of(game.key), "ideas", None)
    weighed = ideas(state, seat, effort, Random("judge")) if ideas else []
    if len(weighed) < 2:
        return None
    curve = curve_of(game.key, 2)
    best, other = ((one.move, curve.chance(one.lead, 0.0, 2)) for one in weighed[:2])
    return Clear(*best, *other)


@cache
def _without_proofs(key: str) -> Judging:
    """Return the usual judging without proofs: the chances of the mined puzzles were found without them."""
    return msgspec.structs.replace(judging_of(key), proves=0)


@cache
def _glance(key: str) -> Judging:
    usual = judging_of(key)
    if isinstance(usual.quick, Lookahead):
        return Judging(usual.quick, usual.quick, usual.candidates)
    return lighter(_without_proofs(key), GLANCE)


def is_same(game: Game, state: Any, seat: int, one: str, other: str) -> bool:
    """Return whether two moves are the same answer: they lead to positions that the game calls equal."""
    if one == other:
        return True
    advice = advice_of(game.key)
    if not isinstance(game, KernelGame):
        solves = getattr(advice, "is_same_idea", None)
        return bool(solves and solves(state, seat, one, other))
    key = getattr(bots.guide(game.key), "key", None)
    if key is None:
        return False
    return bool(key(game.play(state, seat, one).state) == key(game.play(state, seat, other).state))


def acts_on(game: Game, before: Any, after: Any, seat: int) -> bool:
    """Return whether a seat's turn goes on: no draw of the table, no other seat, no other turn came between."""
    over = game.outcome(after, frozenset()) is not None
    return not over and game.to_move(after) == (seat,) and game.turn(before) == game.turn(after)


def lead(game: Game, state: Any, seat: int) -> int:
    """Return by how much a seat's score is above the best other side's."""
    scores = game.scores(state, ())
    mine = game.side(state, seat)
    others = [score for one, score in enumerate(scores, start=1) if game.side(state, one) != mine]
    return scores[seat - 1] - max(others, default=0)


def kind_of(game: Game, state: Any, seat: int, moves: Sequence[str], other: str, line: Iterable[Written] = ()) -> str:
    """Return what a puzzle asks for: win, score, defend or plan, or the game's own word for one of them.

    The line says how the turn may go on.
    """
    advice = advice_of(game.key)
    if not isinstance(game, KernelGame):
        return str(advice.puzzle_kind(state, seat, moves[0]))
    own: dict[str, str] = getattr(advice, "KINDS", {})
    rest = [move for _, move in takewhile(lambda entry: entry[0] == seat, line)]
    kind = _plain_kind(game, state, seat, moves, other, rest)
    return own.get(kind, kind)


def _plain_kind(game: KernelGame, state: Any, seat: int, moves: Sequence[str], other: str, rest: Sequence[str]) -> str:
    after = state
    for move in moves:
        after = settled(game, game.play(after, seat, move).state)
    if _wins(game, state, seat, [*moves, *rest]):
        return "win"
    first, instead = (settled(game, game.play(state, seat, move).state) for move in (moves[0], other))
    if lead(game, first, seat) > max(lead(game, instead, seat), lead(game, state, seat)):
        return "score"
    return "defend" if _answered(game, instead, seat) < _answered(game, after, seat) else "plan"


def _wins(game: Game, state: Any, seat: int, moves: Sequence[str]) -> bool:
    """Return whether moves of one turn end the match and win it."""
    for move in moves:
        if game.to_move(state) != (seat,):
            return False
        state = game.play(state, seat, move).state
    result = game.outcome(settled(game, state), frozenset())
    return result is not None and seat in result.winners


def _answered(game: Game, state: Any, seat: int) -> float:
    """Return a seat's lead after the others' turn; a lost match is the least."""
    for ply in range(8):
        result = game.outcome(state, frozenset())
        if result is not None:
            return float("inf") if seat in result.winners else float("-inf")
        if game.to_move(state) == (seat,) and ply:
            break
        mover = game.to_move(state)[0]
        if mover == seat:
            break
        move = bots.choose(game, sparring_level(bots.names(game)), state, mover, ("answer", ply))
        state = settled(game, game.play(state, mover, move).state)
    return float(lead(game, state, seat))


def settled(game: Game, state: Any) -> Any:
    """Return the state after what the table does next, its likeliest draws: a look ahead, not a match."""
    while game.outcome(state, frozenset()) is None:
        drawn = game.chance(state, lambda weights: max(range(len(weights)), key=weights.__getitem__))
        if drawn is None:
            break
        state = game.play(state, 0, drawn).state
    return state


def is_near(game: Game, state: Any, seat: int, best: str, other: str, tried: str) -> bool:
    """Return whether a move that is not the best one is nearly right: the second best, or the same idea."""
    near = getattr(advice_of(game.key), "is_near_idea", None)
    return bool(near(state, seat, best, tried)) if near else is_same(game, state, seat, other, tried)


class Refuted(msgspec.Struct, frozen=True):
    """What a move that was tried is worth, and how it may go on."""

    chance: float
    line: tuple[LineEntry, ...]


def refuted(key: str, state: Any, seat: int, move: str) -> Refuted:
    """Return what follows a move that is not the best one. This is what a worker does.

    What the seat cannot see is dealt anew, so that the line tells nothing.
    """
    game = registry.game(key)
    known = game.concealed(state, seat, generator(REFUTED))
    chance = judge(game, state, seat, [move]).of(move).chance
    return Refuted(round(chance, 3), tuple(islice(line_after(game, known, seat, move), LINE)))
