"""Judges a decision, and once more by the positions one move further where the first look is in doubt.

A search may miss the answer to a move. Then the move looks fine, but the position after it is lost. Or the move looks
bad and is not. So the position after the move is judged too. If it is worse than the move seemed to be, or if the move
looks bad, the positions after the best other moves are judged as well, and all these moves are compared by them. So a
move is blamed only if another one stays better. If none does, the position was worse than it looked, and gets the
chance that is now known.
"""

import math
from collections.abc import Iterator
from functools import lru_cache
from statistics import fmean, pstdev
from typing import Any

import numpy as np

from ludoteca.core import registry
from ludoteca.core.chance import chosen
from ludoteca.core.game import Game
from ludoteca.core.kernel import CHANCE, OVER, copied
from ludoteca.core.kernel_game import KernelGame
from ludoteca.search.judge import Judgement, Valued, judge

DOUBT = 0.1  # a move is in doubt if it looks so much worse than the best, or so much better than the position after it
COMPARED = 3  # other moves, the best ones
LOOKS = 2  # further ones: what the first says of a doubtful move may be in doubt too
DRAWS = 8  # of chance after a move that are judged, at most
SPREAD = (math.sqrt(5) - 1) / 2  # from one draw to the next, if several follow each other
SHARE = 4  # of the work of the first look, where it has more than usual, a further one has this part: they are many
KEPT = 256  # judgements: the position after a move is mostly that of the next decision


def judge_further(game: Game, state: Any, seat: int, move: str, effort: int = 1) -> Judgement:
    """Judge a position and a move that was made there, by the positions after it where that is possible and needed."""
    if not isinstance(game, KernelGame) or not _compares(game, state):
        return judge(game, state, seat, [move], effort=effort)
    return _judged(game, state, seat, move, effort, LOOKS)


def judge_on(game: Game, state: Any, seat: int, effort: int = 1) -> Judgement:
    """Judge a position in the middle of a turn that was judged by `judge_further`, without a move that was made."""
    if not isinstance(game, KernelGame) or not _compares(game, state):
        return judge(game, state, seat, effort=effort)
    return _position(game.key, state.tobytes(), effort)


def _judged(game: KernelGame, state: Any, seat: int, move: str | None, effort: int, looks: int) -> Judgement:
    """Judge a position and a move, the best one if none is named. A doubtful one gets as many further looks."""
    judged = _position(game.key, state.tobytes(), effort)
    if move is not None and all(one.move != move for one in judged.moves):
        judged = judge(game, state, seat, [move], effort=effort)
    told = judged.best if move is None else judged.of(move)
    if not looks:
        return judged
    effort = max(1, effort // SHARE)
    doubt = judged.best.chance - told.chance
    if doubt < DOUBT:
        doubt = told.chance - _one_further(game, state, judged, told, effort, 0).chance
    if doubt < DOUBT:
        return judged
    moves = []
    for one in (told, *[one for one in judged.moves if one.move != told.move][:COMPARED]):
        later = _one_further(game, state, judged, one, effort, looks - 1)
        most = judged.best.chance if one is told else one.chance  # what a search overlooks makes a move worse
        moves.append(later._replace(chance=min(most, later.chance)))
    moves.sort(key=lambda one: -one.chance)
    mine, best = game.side(state, seat), moves[0].chance
    chances = tuple(best if game.side(state, one) == mine else 1 - best for one in game.seats(state))
    return judged._replace(chances=chances, moves=tuple(moves))


def _compares(game: KernelGame, state: Any) -> bool:
    """Return whether a position can be compared with the next one: everybody sees the same, and two sides play."""
    return not game.has_secrets(state) and len({game.side(state, one) for one in game.seats(state)}) == 2


def _one_further(game: KernelGame, state: Any, judged: Judgement, told: Valued, effort: int, looks: int) -> Valued:
    """Return what a move is worth by the position after it, or by the mean of some where chance is next.

    A move with an exact chance keeps it.
    """
    if judged.is_proved and not told.error:
        return told
    seat, after = judged.seat, game.play(state, judged.seat, told.move).state
    chances, errors = [], []
    for position in _drawn(game, after):
        if game.rules.actor(position) == OVER:
            return told  # the match ends
        found = _judged(game, position, game.to_move(position)[0], None, effort, looks)
        chances.append(found.chances[seat - 1])
        errors.append(found.best.error)
    unsure = pstdev(chances) / math.sqrt(len(chances)) if len(chances) == DRAWS else 0.0
    return Valued(told.move, fmean(chances), math.hypot(fmean(errors), unsure))


def _drawn(game: KernelGame, state: Any) -> Iterator[Any]:
    """Yield positions after draws of chance, evenly spread over the odds. Without chance, yield the position itself."""
    if game.rules.actor(state) != CHANCE:
        yield state
        return
    n = min(DRAWS, sum(_weights(game, state)))
    for k in range(n):
        position, share = copied(state), (k + 0.5) / n
        while game.rules.actor(position) == CHANCE:
            weights = _weights(game, position)
            place = chosen(weights, int(share * sum(weights)))
            game.rules.play(position, game.rules.move_at(position, place))
            share = (share + SPREAD) % 1
        yield position


def _weights(game: KernelGame, state: Any) -> list[int]:
    room = np.empty(game.rules.MAX_COUNT, np.int32)
    n = game.bound.weights(state, room)
    found: list[int] = room[:n].tolist()
    return found


@lru_cache(KEPT)
def _position(key: str, state: bytes, effort: int) -> Judgement:
    """Judge a position, without a move that was made there."""
    game = registry.game(key)
    assert isinstance(game, KernelGame)
    position = copied(np.frombuffer(state, game.rules.State)[0])
    return judge(game, position, game.to_move(position)[0], effort=effort)
