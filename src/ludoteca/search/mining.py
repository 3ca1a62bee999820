"""Mines puzzles from matches between strong bots, match by match; a stopped run goes on where it was."""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from ludoteca.core import registry
from ludoteca.core.chance import Seal
from ludoteca.core.errors import IllegalMove, LudotecaError, UnknownMove
from ludoteca.core.game import Game, OptionValue
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.levels import sparring_level
from ludoteca.core.match import Match
from ludoteca.core.puzzles import (
    Found,
    MinedMatch,
    Puzzle,
    Written,
    append_mined,
    begun,
    expectation,
    file_of,
    id_of,
    read_mined,
    write_mined,
)
from ludoteca.search import bots, reviewing
from ludoteca.search.judge import advice_of
from ludoteca.search.puzzling import PROMISING, Clear, acts_on, clear_move, glanced, is_same, kind_of, sure_move

MOST_IN_MATCH = 6
LONGEST_TURN = 4  # moves of a puzzle
LINE = 4  # entries of players that are kept of the line
TRIES = 4  # of each level, to grade a puzzle
RATINGS = (600, 1000, 1400, 1800)  # of the levels, weakest first
LEAST, MOST = 300, 2200  # of a puzzle
WARM_UP = 4  # decisions at the beginning of a match that are no puzzles
LOST, WON = 0.2, 0.85  # where even the best move loses, or the second best wins, no move is clearly the best
PAUSE = 3  # decisions for which such a position is not looked at again
BETWEEN = 4  # decisions after a puzzle: the next one is another position


class BadPuzzleFile(LudotecaError):
    code = "puzzle/file"

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} cannot be written: a file in a folder that exists is wanted")


def mine(key: str, path: Path, wanted: int, minutes: float | None) -> int:
    """Mine until a file has as many puzzles as wanted, or the minutes of processor time are over. Return how many."""
    game, mined = registry.game(key), read_mined(path)
    found, number = sum(len(one.puzzles) for one in mined), 1 + max((one.number for one in mined), default=0)
    began = time.process_time()
    while found < wanted and (minutes is None or time.process_time() - began < 60 * minutes):
        one = mined_match(game, number)
        append_mined(path, [one])
        found, number = found + len(one.puzzles), number + 1
        seconds = time.process_time() - began
        print(f"{game.name}: {found} puzzles in {number - 1} matches, {seconds:.0f} s", file=sys.stderr)
    return found


def mine_as_asked(key: str, path: Path | None, wanted: int, minutes: float | None, again: bool = False) -> int:
    """Mine as the command line asks, and say what there is. With `again`, first confirm what the file has."""
    game = registry.game(key)
    path = path or file_of(key)
    check_folder(path)
    try:
        if again:
            confirm(key, path)
        mine(key, path, wanted, minutes)
    except KeyboardInterrupt:
        print("stopped: the same command continues", file=sys.stderr)
    tidy(path)
    kinds = Counter(puzzle.kind for one in read_mined(path) for puzzle in one.puzzles)
    by_kind = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    print(f"{game.name}: {kinds.total()} puzzles in {path} ({by_kind})")
    return 0


def confirm(key: str, path: Path) -> int:
    """Judge every puzzle of a file again by the present verdicts and bots. Keep those that still are. Return how many.

    The file is written at the end: a run that is stopped changes nothing.
    """
    game, kept, looked = registry.game(key), list[MinedMatch](), 0
    for one in read_mined(path):
        again = tuple(found for puzzle in one.puzzles if (found := _confirmed(game, one, puzzle)) is not None)
        kept.append(MinedMatch(one.number, one.options, one.log[: again[-1].at if again else 0], again))
        looked += len(one.puzzles)
        left = sum(len(match.puzzles) for match in kept)
        print(f"{game.name}: {left} of {looked} puzzles still are", file=sys.stderr)
    write_mined(path, kept)
    return sum(len(match.puzzles) for match in kept)


def _confirmed(game: Game, mined: MinedMatch, puzzle: Puzzle) -> Puzzle | None:
    """Return a puzzle as it is judged and graded now, if it still is one with the same answer."""
    match, _ = begun(game.key, Found(id_of(mined, puzzle), mined, puzzle))
    again = _puzzle(game, match.state, puzzle.seat, puzzle.at)
    if (
        again is None
        or is_trivial(again)
        or not is_same(game, match.state, puzzle.seat, puzzle.moves[0], again.moves[0])
    ):
        return None
    return again


def check_folder(path: Path) -> None:
    if path.is_dir() or not path.parent.is_dir():
        raise BadPuzzleFile(path)


def tidy(path: Path) -> None:
    """Leave out the matches without a puzzle, except the last one: it tells a later run where to go on."""
    mined = read_mined(path)
    kept = [one for place, one in enumerate(mined, start=1) if one.puzzles or place == len(mined)]
    write_mined(path, kept)


def mined_match(game: Game, number: int) -> MinedMatch:
    """Let strong bots play the match of this number, and return it with the puzzles that came up."""
    advice = advice_of(game.key)
    options: dict[str, OptionValue] = getattr(advice, "PUZZLE_OPTIONS", {})
    agreed = game.agree(options)
    match = Match(game, agreed, seal=Seal.derived("mine", int(agreed["players"] or 2), game.key, number))
    match.begin()
    found: list[Puzzle] = []
    decisions, next_look = 0, WARM_UP
    while match.result is None and len(found) < MOST_IN_MATCH:
        seat = match.to_move[0]
        turn = _turn(game, match.state, seat, (number, len(match.log)))
        if len(turn) > 1 and not _is_early(game, match.state):
            turn = _key_last(game, match.state, seat, turn)
        for move in turn:
            state, decisions = match.state, decisions + 1
            if decisions > next_look and not _is_early(game, state) and not game.is_simultaneous(state):
                glance = glanced(game, state, seat)
                if glance is not None and (glance.chance < LOST or glance.second > WON):
                    next_look = decisions + (PAUSE if isinstance(game, KernelGame) else 0)
                elif (
                    glance is not None
                    and glance.gap >= PROMISING
                    and (puzzle := _puzzle(game, state, seat, len(match.log)))
                ):
                    if not _is_told_already(puzzle, found) and not is_trivial(puzzle):
                        found.append(puzzle)
                    next_look = decisions + BETWEEN
            match.play(move, seat)
    log = tuple(_written(game, entry.by, entry.move) for entry in match.log[: found[-1].at if found else 0])
    return MinedMatch(number, match.agreed, log, tuple(found))


def _is_told_already(puzzle: Puzzle, found: list[Puzzle]) -> bool:
    return any(one.moves == puzzle.moves and one.seat == puzzle.seat for one in found)


def is_trivial(puzzle: Puzzle) -> bool:
    """Return whether no level misses the move, and nothing happens by it."""
    return puzzle.kind == "plan" and all(solved == tries for solved, tries in puzzle.solved.values())


def _is_early(game: Game, state: Any) -> bool:
    """Return whether one move hardly ever decides a match at this point."""
    advice = advice_of(game.key)
    earliest = getattr(advice, "PUZZLES_FROM", 0.0)
    return bool(earliest and advice.progress(state) < earliest)


def _turn(game: Game, state: Any, seat: int, seed: tuple[int, int]) -> list[str]:
    """Return the moves of a bot's turn as far as nothing is drawn between them."""
    advice, moves, now = advice_of(game.key), list[str](), state
    level = getattr(advice, "PUZZLE_LEVEL", sparring_level(bots.names(game)))
    made = getattr(advice, "made_by_hand", None)
    while True:
        chosen = bots.choose(game, level, now, seat, ("mine", *seed, len(moves)))
        moves.append(made(now, seat, chosen, Random(f"mine {seed} {len(moves)}")) if made else chosen)
        if game.is_simultaneous(state):
            return moves
        after = game.play(now, seat, moves[-1]).state
        if not acts_on(game, now, after, seat) or len(moves) == LONGEST_TURN:
            return moves
        now = after


def _key_last(game: Game, state: Any, seat: int, moves: list[str]) -> list[str]:
    """Return a turn with its most important move last, if the order is free.

    While other moves of the turn are left, they are as good as the key move, which can follow; only the last move of a
    turn has no such company.
    """
    ways = [[*moves[:place], *moves[place + 1 :], moves[place]] for place in range(len(moves))]
    weighed = [(_last_gap(game, state, seat, way), way) for way in ways]
    gap, way = max(weighed, key=lambda one: one[0])
    return way if gap > 0 else moves


def _last_gap(game: Game, state: Any, seat: int, moves: list[str]) -> float:
    """Return how much better the last move of a turn is than the second best, at a glance; 0 if the turn is illegal."""
    try:
        for move in moves[:-1]:
            state = game.play(state, seat, move).state
            if game.to_move(state) != (seat,):
                return 0.0
        game.play(state, seat, moves[-1])
    except (IllegalMove, UnknownMove):
        return 0.0
    glance = glanced(game, state, seat)
    return glance.gap if glance is not None and glance.move == moves[-1] else 0.0


def _written(game: Game, by: int, move: str) -> Written:
    shortened = getattr(advice_of(game.key), "shortened", None)
    return by, shortened(move) if shortened and not by else move


def _puzzle(game: Game, state: Any, seat: int, at: int) -> Puzzle | None:
    first = sure_move(game, state, seat)
    if first is None:
        return None
    moves, after = [first.move], game.play(state, seat, first.move).state
    before = state
    while len(moves) < LONGEST_TURN and acts_on(game, before, after, seat):
        follows = clear_move(game, after, seat)
        if follows is None:
            break
        moves.append(follows.move)
        before, after = after, game.play(after, seat, follows.move).state
    return _graded(game, state, seat, at, first, moves)


def _graded(game: Game, state: Any, seat: int, at: int, first: Clear, moves: list[str]) -> Puzzle:
    solved = {name: _solved(game, state, seat, name, moves) for name in bots.guide(game.key).LEVELS}
    line = tuple(_line(game, state, seat, moves))
    return Puzzle(
        at=at,
        seat=seat,
        kind=kind_of(game, state, seat, moves, first.other, line),
        moves=tuple(moves),
        chance=round(first.chance, 3),
        second=round(first.second, 3),
        other=first.other,
        line=line,
        rating=rating_of(list(solved.values())),
        solved=solved,
    )


def _line(game: Game, state: Any, seat: int, moves: list[str]) -> Iterator[Written]:
    """Yield how it may go on after the moves of a puzzle."""
    if game.measures:
        return
    for move in moves[:-1]:
        state = game.play(state, seat, move).state
    players = 0
    for entry in list(reviewing.line_after(game, state, seat, moves[-1]))[1:]:
        players += entry.by > 0
        if players > LINE:
            return
        yield entry.by, entry.move


def _solved(game: Game, state: Any, seat: int, name: str, moves: list[str]) -> tuple[int, int]:
    """Return how often a level finds all the moves, and how often it tried."""
    tries = 1 if game.measures else TRIES
    return sum(_finds(game, state, seat, name, moves, attempt) for attempt in range(tries)), tries


def _finds(game: Game, state: Any, seat: int, name: str, moves: list[str], attempt: int) -> bool:
    for place, move in enumerate(moves):
        chosen = bots.choose(game, name, state, seat, ("grade", attempt, place))
        if not is_same(game, state, seat, move, chosen):
            return False
        state = game.play(state, seat, chosen).state
    return True


def rating_of(solved: list[tuple[int, int]]) -> int:
    """Return the rating at which levels of their ratings solve a puzzle as often as these did, by Elo's formula."""
    low, high = float(LEAST), float(MOST)
    levels = list(zip(RATINGS, solved, strict=False))  # stronger levels than these solve nearly all: they say nothing
    made = sum(count for _, (count, _) in levels)
    while high - low > 1:
        middle = (low + high) / 2
        expected = sum(tries * expectation(rating, middle) for rating, (_, tries) in levels)
        low, high = (middle, high) if expected > made else (low, middle)
    return round((low + high) / 2)
