"""Judges positions: the chance of winning for each seat, the best moves with their values, and how sure that is.

The work is fixed and its random numbers follow from nothing but the position's own search, so the same position always
gets the same verdict. The searches are those of the bots; where the result of an ending is proved, the chances are
exact. What a seat cannot see is dealt anew ("with what you could know"), unless the judgement is asked for with all
cards open.
"""

import importlib
import math
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import msgspec
import numpy as np

from ludoteca.core.binding import bind
from ludoteca.core.game import Game
from ludoteca.core.kernel import OVER, copied
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.levels import Judging, Level, Lookahead, TreeSearch, Weighed
from ludoteca.core.random import generator
from ludoteca.search import bots, tree
from ludoteca.search.curves import Curve, curve_of
from ludoteca.search.own_turn import wins_alone
from ludoteca.search.proving import Proof, Prover

DEALS = 8  # of hidden cards, for what does not deal by itself: a lookahead, and a win within one turn
CLOSE = 0.999  # the largest mean payoff that is turned into a lead


class Valued(NamedTuple):
    """A move with the chance of winning after it, and how much that may err."""

    move: str
    chance: float
    error: float


class Judgement(NamedTuple):
    seat: int  # the one that acts
    chances: tuple[float, ...]  # of winning, by seat, if the best move is made
    moves: tuple[Valued, ...]  # the best first, then those that were asked about
    lead: float  # what the best move is worth in the unit of the search: for fitting a curve
    progress: float
    is_proved: bool = False  # then the chances are exact, and those of moves without error

    @property
    def best(self) -> Valued:
        return self.moves[0]

    def of(self, move: str) -> Valued:
        """Return the value of a move that was weighed."""
        return next(valued for valued in self.moves if valued.move == move)


def judge(
    game: Game,
    state: Any,
    seat: int,
    also: Sequence[str] = (),
    *,
    is_open: bool = False,
    effort: int = 1,
    judging: Judging | None = None,
) -> Judgement:
    """Judge a position where the seat acts, and the moves of `also` besides the best ones.

    `effort` multiplies the work, and `judging` replaces what the game says about it. With `is_open` the search knows
    all hidden cards.
    """
    advice = advice_of(game.key)
    players = _players(game, state)
    n_sides = len({game.side(state, one) for one in players})
    proof = None
    if isinstance(game, KernelGame):
        judging = judging or judging_of(game.key)
        search = _search(game, is_open and game.rules.HIDDEN, judging)
        proof = _proof(game, state, seat, judging.proves * effort)
        proved = [proof.move] if proof and proof.move is not None else []
        asked = dict.fromkeys([game.parse(state, move) for move in also] + proved)
        weighed, others = search.weigh(state, seat, list(asked), effort)
    else:
        known = state if is_open else game.concealed(state, seat, generator("judge"))
        weighed = advice.weigh(known, seat, list(also), effort, Random("judge"))
        others = {}
    progress = float(advice.progress(state)) if hasattr(advice, "progress") else 0.0
    curve = curve_of(game.key, n_sides)
    moves = tuple(_valued(one, curve, progress, n_sides) for one in weighed)
    if isinstance(game, KernelGame):
        rng, n_deals = generator("judge"), DEALS if game.rules.HIDDEN and not is_open else 1
        deals = [state if is_open else game.concealed(state, seat, rng) for _ in range(n_deals)]
        moves = _with_endings(game, deals, seat, moves, judging.proves if judging and game.rules.HIDDEN else 0)
    if proof and isinstance(game, KernelGame) and judging:
        moves = _exact(game, state, seat, moves, proof, judging.proves * effort)
        return Judgement(seat, tuple(map(_chance, proof.values)), moves, weighed[0].lead, progress, is_proved=True)
    logits = {one: curve.logit(lead, progress, n_sides) for one, lead in others.items()}
    chances = _chances(game, state, seat, moves[0].chance, logits, players)
    return Judgement(seat, chances, moves, weighed[0].lead, progress)


def warm(game: Game) -> None:
    """Compile what judging needs."""
    if isinstance(game, KernelGame):
        state = bots.first_decision(game)
        for is_open in (False, True) if game.rules.HIDDEN else (False,):
            judge(game, state, game.to_move(state)[0], is_open=is_open)
        if judging_of(game.key).proves and not game.rules.HIDDEN:
            _prover(game).prove(state, 0, 1)  # the first decision is no ending


@cache
def _prover(game: KernelGame) -> Prover:
    return Prover(game.rules, bots.guide(game.key))


def _proof(game: KernelGame, state: Any, seat: int, limit: int) -> Proof | None:
    """Return what is proved for the seat, if this is an ending, all is open and the limit is not 0."""
    if limit == 0 or game.rules.HIDDEN or not _prover(game).is_ending(state):
        return None
    return _prover(game).prove(state, seat - 1, limit)


def _exact(
    game: KernelGame, state: Any, seat: int, moves: Sequence[Valued], proof: Proof, limit: int
) -> tuple[Valued, ...]:
    """Give the moves of a proved position their exact chances, the best first.

    Without a best move all moves are worth the same. A move that is not proved itself is worth no more than the best.
    """
    best = _chance(proof.value)
    if proof.move is None:
        return tuple(Valued(one.move, best, 0.0) for one in moves)
    first, found = game.format(state, proof.move), []
    for one in moves:
        if one.move != first:
            after = copied(state)
            game.rules.play(after, game.parse(state, one.move))
            worth = _prover(game).prove(after, seat - 1, limit)
            chance, error = (_chance(worth.value), 0.0) if worth else (one.chance, one.error)
            found.append(Valued(one.move, min(chance, best), error))
    return (Valued(first, best, 0.0), *sorted(found, key=lambda one: -one.chance))


def _with_endings(
    game: KernelGame, deals: Sequence[Any], seat: int, moves: Sequence[Valued], limit: int
) -> tuple[Valued, ...]:
    """Give the moves that end the match their exact chances, and sort all.

    Also those that win it within the seat's own turn, unless the limit is 0.
    """
    found, known = [], deals[0]
    for one in moves:
        after, move = copied(known), game.parse(known, one.move)
        game.rules.play(after, move)
        if game.rules.actor(after) == OVER:
            payoffs = np.zeros(game.rules.SEATS, np.float32)
            game.rules.payoff(after, payoffs)
            found.append(Valued(one.move, _chance(float(payoffs[seat - 1])), 0.0))
        elif limit and game.rules.actor(after) == seat - 1 and wins_alone(game, deals, seat, move, limit):
            found.append(Valued(one.move, 1.0, 0.0))
        else:
            found.append(one)
    return tuple(sorted(found, key=lambda one: -one.chance))


def _chance(payoff: float) -> float:
    """Return a payoff, -1 to 1, as a chance to win; a draw is half a win."""
    return (payoff + 1) / 2


def _players(game: Game, state: Any) -> range:
    return game.seats(state) if isinstance(game, KernelGame) else range(1, game.players[0] + 1)


def _valued(weighed: Weighed, curve: Curve, progress: float, sides: int) -> Valued:
    low, chance, high = (curve.chance(weighed.lead + by, progress, sides) for by in (-weighed.error, 0, weighed.error))
    return Valued(weighed.move, chance, (high - low) / 2)


def _chances(
    game: Game, state: Any, seat: int, chance: float, others: dict[int, float], players: range
) -> tuple[float, ...]:
    """Give the seat's side its chance, and share the rest among the other sides by how good their position is."""
    mine = game.side(state, seat)
    weights = {game.side(state, one): math.exp(others.get(one, 0.0)) for one in players}
    total = sum(weight for side, weight in weights.items() if side != mine)
    return tuple(
        chance if game.side(state, one) == mine else (1 - chance) * weights[game.side(state, one)] / total
        for one in players
    )


@cache
def advice_of(key: str) -> ModuleType:
    """Return a game's review.py, or else its guide.py. All that it may have is optional:

    - `JUDGING`, how much is looked at; without it, as much as the two strongest bots look at,
    - `progress(state)`, how much of the match is over, 0 to 1,
    - `FITTED_TO`, the bots whose matches bench/judging.py fits the curve to, and checks it with,
    - `weigh(state, seat, also, effort, rng)`, for a game without a kernel: the best moves and those of `also`,
    - for puzzles (search/puzzling.py): `KINDS`, the game's own words for kinds of puzzles, and `PUZZLES_FROM`, the
      progress from which positions are looked at,
    - for puzzles of a game without a kernel: `ideas(state, seat, effort, rng)`, the best move of each idea;
      `is_same_idea` and `is_near_idea` of `(state, seat, best, another)`; `puzzle_kind(state, seat, best)`;
      `PUZZLE_OPTIONS`, what the table agrees on; `PUZZLE_LEVEL`, which bots play; `made_by_hand(state, seat, move,
      rng)`, a bot's move as it is made; `shortened(move)`, an entry of the table as a file keeps it.
    """
    name = f"ludoteca.games.{key}.review"
    return importlib.import_module(name) if find_spec(name) else bots.guide(key)


def judging_of(key: str) -> Judging:
    if isinstance(found := getattr(advice_of(key), "JUDGING", None), Judging):
        return found
    levels = list(bots.guide(key).LEVELS.values())
    return Judging(levels[-2] if len(levels) > 1 else levels[-1], levels[-1])


def lighter(judging: Judging, share: float) -> Judging:
    """Return a judging with a share of its simulations. A lookahead stays as it is."""
    quick, deep = (
        TreeSearch(int(level.simulations * share), level.exploration) if isinstance(level, TreeSearch) else level
        for level in (judging.quick, judging.deep)
    )
    return Judging(quick, deep, judging.candidates, judging.proves)


@cache
def _search(game: KernelGame, is_open: bool, judging: Judging) -> "LookaheadJudge | TreeJudge":
    return (LookaheadJudge if isinstance(judging.deep, Lookahead) else TreeJudge)(game, judging, is_open)


class LookaheadJudge:
    """Ranks the moves by a quick lookahead, and weighs the best few by a deep one."""

    def __init__(self, game: KernelGame, judging: Judging, is_open: bool) -> None:
        assert isinstance(judging.quick, Lookahead)
        assert isinstance(judging.deep, Lookahead)
        self._game, self._judging, self._is_open = game, judging, is_open
        self._advice = bots.guide(game.key)
        self._bound = bots.bound_lookahead(game.rules, self._advice)
        self._quick, self._deep = judging.quick, judging.deep

    def weigh(self, state: Any, seat: int, also: Sequence[int], effort: int) -> tuple[list[Weighed], dict[int, float]]:
        deals = self._deals(state, seat, effort)
        quick, deep = (_desk(self._game, level, effort) for level in (self._quick, self._deep))
        room = np.empty(self._game.rules.MAX_COUNT, np.int32)
        n = int(self._bound.shortlisted(quick, deals[0], room))
        listed = np.unique(np.concatenate((room[:n], np.array(also, np.int32))))
        looked = self._mean(quick, self._quick, deals[:1], listed)
        order = sorted(range(len(listed)), key=lambda place: -looked[place])
        chosen = [int(listed[place]) for place in order[: self._judging.candidates * effort]]
        chosen += [move for move in also if move not in chosen]
        values = self._mean(deep, self._deep, deals, np.array(chosen, np.int32))
        first = dict(zip(listed.tolist(), looked, strict=True))
        found = [
            Weighed(self._game.format(state, move), float(value), abs(float(value) - float(first[move])) / 2)
            for move, value in zip(chosen, values, strict=True)
        ]
        found.sort(key=lambda one: -one.lead)
        return found, {one: float(self._advice.value(deals[0], one - 1)) for one in self._game.seats(state)}

    def _deals(self, state: Any, seat: int, effort: int) -> list[Any]:
        if self._is_open or not self._game.rules.HIDDEN:
            return [copied(state)]
        rng = generator("judge", "deals")
        return [self._game.concealed(state, seat, rng) for _ in range(DEALS * effort)]

    def _mean(self, desk: Any, level: Lookahead, deals: Sequence[Any], moves: Any) -> Any:
        total, values = np.zeros(len(moves)), np.zeros(len(moves))
        for deal in deals:
            self._bound.weigh_moves(desk, deal, level.turns, moves, values, generator("judge"))
            total += values
        return total / len(deals)


@cache
def _desk(game: KernelGame, level: Lookahead, effort: int) -> Any:
    """More effort looks at more moves after the first, and at more draws of chance."""
    widths = (level.widths[0], *(math.ceil(width * math.sqrt(effort)) for width in level.widths[1:]))
    more = msgspec.structs.replace(level, widths=widths, samples=level.samples * effort)
    return bots.desk_for(game.rules, bots.guide(game.key), more)


class TreeJudge:
    """Grows one tree to find the best moves, and then one from each of the positions that they lead to."""

    def __init__(self, game: KernelGame, judging: Judging, is_open: bool) -> None:
        assert isinstance(judging.quick, TreeSearch)
        assert isinstance(judging.deep, TreeSearch)
        self._game, self._judging = game, judging
        self._rules = game.rules
        advice = bots.guide(game.key)
        self._bound = bots.bound_tree(game.rules, advice) if not is_open else _bound_open(game, advice)
        self._is_open = is_open or not game.rules.HIDDEN
        self._pool = np.zeros(2, game.rules.State).view(np.recarray)

    def weigh(self, state: Any, seat: int, also: Sequence[int], effort: int) -> tuple[list[Weighed], dict[int, float]]:
        rules, judging = self._rules, self._judging
        nodes = self._nodes(max(_simulations(judging.quick), _simulations(judging.deep)) * effort)
        self._grown(nodes, state, judging.quick, seat, effort)
        moves, visits = np.empty(rules.MAX_MOVES, np.int32), np.empty(rules.MAX_MOVES, np.int32)
        n = int(self._bound.root_visits(nodes, moves, visits))
        order = np.argsort(-visits[:n], kind="stable")[: judging.candidates]
        legal = np.empty(rules.MAX_COUNT, np.int32)
        allowed = set(legal[: rules.moves(state, legal)].tolist())
        chosen = [move for move in moves[order].tolist() if move in allowed]
        chosen += [move for move in also if move not in chosen]
        found = []
        for move in chosen:
            after = copied(state)
            rules.play(after, move)
            totals = self._grown(nodes, after, judging.deep, seat, effort)
            mean = totals / (_simulations(judging.deep) * effort)
            found.append((self._weighed(state, move, float(mean[seat - 1]), effort), mean))
        found.sort(key=lambda one: -one[0].lead)
        best = found[0][1]
        return [one for one, _ in found], {one: _lead(float(best[one - 1])) for one in self._game.seats(state)}

    def _weighed(self, state: Any, move: int, mean: float, effort: int) -> Weighed:
        n = _simulations(self._judging.deep) * effort
        error = math.sqrt(max(1 - mean * mean, 1 / n) / n)
        return Weighed(self._game.format(state, move), _lead(mean), (_lead(mean + error) - _lead(mean - error)) / 2)

    def _grown(self, nodes: Any, state: Any, level: Level, seat: int, effort: int) -> Any:
        assert isinstance(level, TreeSearch)
        totals = np.zeros(self._rules.SEATS)
        exploration, rng = np.float32(level.exploration), generator("judge")
        self._bound.search_adding(
            state, self._pool[:1], nodes, level.simulations * effort, exploration, seat - 1, totals, rng
        )
        return totals

    def _nodes(self, simulations: int) -> Any:
        room = simulations * bots.NODES_A_SIMULATION + self._rules.MAX_COUNT + 1
        kind = tree.OpenNode if self._is_open else tree.HiddenNode
        return np.zeros(room, kind).view(np.recarray)


def _bound_open(game: KernelGame, advice: ModuleType) -> Any:
    """Return the tree search for a game with secrets, made to look at the cards as they lie."""
    known = {name: getattr(advice, name) for name in bots.PLAYOUT_FUNCTIONS if hasattr(advice, name)}
    return bind(tree.FUNCTIONS, game.rules, {**known, "HIDDEN": False})


def _simulations(level: Level) -> int:
    assert isinstance(level, TreeSearch)
    return level.simulations


def _lead(mean: float) -> float:
    """Return a mean payoff, -1 to 1, as the logit of a chance."""
    return 2 * math.atanh(min(max(mean, -CLOSE), CLOSE))
