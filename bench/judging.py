"""How well positions are judged: of those that were given a chance from 0.6 to 0.7, how many were won?

python bench/judging.py [--fit] [--matches N] [--players N] [--workers N] [--kept FOLDER] [games]

Bots of one level play; some positions of every match are judged and compared with how the match ended. Where a strong
bot meets a weak one, an early lead also tells who is stronger, and a curve that is fitted to such matches is too sure
too early. Positions of one match end alike, so the noise (+-) is that of whole matches. With --fit the curve of each
game (`curve.json` in its folder) is fitted to other matches and written. With --kept the matches of a game in which
physics decides stay in a folder; the next run does not play them again.
"""

import argparse
import math
import os
import time
from collections.abc import Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from kept_matches import played, table_of

from ludoteca.core import registry
from ludoteca.core.game import Game
from ludoteca.core.kernel import copied
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.match import Match
from ludoteca.core.random import key_of
from ludoteca.lab.plan import planned, play_one
from ludoteca.lab.workers import in_order
from ludoteca.search import bots, curves
from ludoteca.search.judge import advice_of, judge
from ludoteca.search.reviewing import decisions, judge_decision
from ludoteca.search.workbench import Workbench

MATCHES = 2000
FEWER = 1000  # of a game in which physics decides: every flick that is thought of is made
POSITIONS = 3  # judged in every match
TENTHS = 10
FEWEST = 30  # matches in a tenth, for it to be compared
WANTED = 0.05
LIKE_PEOPLE = slice(2, 4)  # names of bots: casual and club play as most people do
LOSSES = ((0.0, 0.05), (0.05, 0.1), (0.1, 0.2), (0.2, 0.3), (0.3, 1.0))  # of a chance, by a move
MOVE = ("chance", "played", "won")
STEADY = 100  # matches in which moves are compared with the positions after them
JUMP = 0.1  # of a chance, between a move and the position after it
USUAL = 2  # the level whose match is reviewed
TRIES = 5  # matches, of which the one of middle length is reviewed


class Judged(NamedTuple):
    match: int
    chance: float  # that the seat on the move wins
    lead: float
    progress: float
    won: float  # 1, 0, or its share of a tie
    played: float | None = None  # the chance after the move that was made, where hands are hidden


class Chosen(NamedTuple):
    """A position where a seat has a choice, that seat, its move, and what it won in the end."""

    match: int
    state: Any
    seat: int
    move: str
    won: float


def judged_in(key: str, players: int, seed: str, kept: Path | None, numbers: range) -> tuple[list[Judged], float]:
    """Judge positions of the matches with these numbers. Return them, and the processor time that it took."""
    game, began = registry.game(key), time.process_time()
    levels = getattr(advice_of(key), "FITTED_TO", None) or bots.names(game)[LIKE_PEOPLE]
    by_table: dict[tuple[str, ...], list[int]] = {}
    for number in numbers:
        by_table.setdefault(table_of(levels, players, number), []).append(number)
    found = []
    for names, of_table in by_table.items():
        for match, state, seat, move, won in positions(game, names, of_table, seed, kept):
            is_hidden = isinstance(game, KernelGame) and game.rules.HIDDEN
            said = judge(game, state, seat, [move] if is_hidden else ())
            played = said.of(move).chance if is_hidden else None
            found.append(Judged(match, said.chances[seat - 1], said.lead, said.progress, won, played))
    return found, time.process_time() - began


def positions(
    game: Game, names: tuple[str, ...], numbers: list[int], seed: str, kept: Path | None = None
) -> Iterator[Chosen]:
    """Yield some positions of each of these matches between bots with these names."""
    all_ = (
        _by_kernel(game, names, numbers, seed)
        if isinstance(game, KernelGame)
        else _by_record(game, names, numbers, seed, kept)
    )
    for number, choices, shares in all_:
        for state, seat, move in Random(f"{seed} {number}").sample(choices, min(POSITIONS, len(choices))):
            yield Chosen(number, state, seat, move, shares[seat])


Played = tuple[int, list[tuple[Any, int, str]], dict[int, float]]  # a match, its choices, and what every seat won


def _by_kernel(game: KernelGame, names: tuple[str, ...], numbers: list[int], seed: str) -> Iterator[Played]:
    agreed, rules = game.agree({"players": len(names)}), game.rules
    book = _workbench(game, names).play(key_of(seed, *names), np.array(numbers))
    begin = 0
    for number, end in zip(numbers, book.ends.tolist(), strict=True):
        state, choices = game.start(agreed), []
        for move in book.moves[begin:end].tolist():
            if rules.actor(state) >= 0 and rules.count(state) > 1:
                choices.append((copied(state), int(rules.actor(state)) + 1, game.format(state, move)))
            rules.play(state, move)
        begin = end
        result = game.outcome(state, frozenset())
        assert result is not None
        yield number, choices, _shares(game, state, result.winners, len(names))


@cache
def _workbench(game: KernelGame, names: tuple[str, ...]) -> Workbench:
    return Workbench(game, game.agree({"players": len(names)}), names)


def _by_record(
    game: Game, names: tuple[str, ...], numbers: list[int], seed: str, kept: Path | None
) -> Iterator[Played]:
    for number in numbers:
        record = played(game.key, names, number, seed, kept)
        match, choices = Match(game, record.options, record.seats), []
        for entry in record.log:
            if entry.by and not game.is_simultaneous(match.state):
                choices.append((match.state, entry.by, entry.move))
            match.follow((entry,))
        assert record.result is not None
        yield number, choices, _shares(game, match.state, record.result.winners, len(names))


def _shares(game: Game, state: Any, winners: tuple[int, ...], players: int) -> dict[int, float]:
    """Return what a seat's side won: a tie is shared among the sides, a draw among all."""
    seats = range(1, players + 1)
    sides = {game.side(state, seat) for seat in winners or seats}
    alone = players == 1
    return {seat: float(game.side(state, seat) in sides and not (alone and not winners)) / len(sides) for seat in seats}


def judged(
    game: Game, players: int, matches: int, workers: int, seed: str, kept: Path | None = None
) -> tuple[list[Judged], float]:
    """Judge positions of so many matches. Return them, and the processor time that it took."""
    task = partial(judged_in, game.key, players, seed, kept)
    found, spent = [], 0.0
    for some, seconds in in_order(task, range(1, matches + 1), workers, game.key, in_python=True):
        found += some
        spent += seconds
    return found, spent


def fit(game: Game, players: int, matches: int, workers: int, kept: Path | None) -> str:
    found, spent = judged(game, players, matches, workers, "fit", kept)
    leads, progress, won = (np.array([getattr(one, name) for one in found]) for name in ("lead", "progress", "won"))
    sides = _sides(game, players)
    curve = curves.fitted(leads, progress, won, sides)
    path = curves.write(game.key, sides, curve)
    return (
        f"{game.name}, {players} players: {len(found)} positions of {matches} matches, {spent:.0f} s of processor "
        f"time; {path.name} for {sides} sides: {curve}"
    )


def moves_told(found: Iterable[Judged]) -> Iterator[str]:
    """Yield how often positions were won after moves that lose, by how much they are said to lose.

    Where hands are hidden, no look at the position after a move confirms that. Certain wins are left out.
    """
    chosen = [one for one in found if one.played and 0 < one.played <= one.chance < 1]
    for least, most in LOSSES:
        inside = [one for one in chosen if least <= one.chance - (one.played or 0.0) < most]
        if len(inside) >= FEWEST:
            best, played, won = (sum(getattr(one, name) for one in inside) / len(inside) for name in MOVE)
            noise = 2 * math.sqrt(won * (1 - won) / len(inside))
            yield (
                f"  moves said to lose {least} to {most}: from {best:.3f} to {played:.3f} on average, won {won:.3f} "
                f"of {len(inside)} (+- {noise:.3f})"
            )


def _sides(game: Game, players: int) -> int:
    state = Match.new(game.key, {"players": players}).state  # sides may be dealt
    return len({game.side(state, seat) for seat in range(1, players + 1)})


class Tenth(NamedTuple):
    said: float
    won: float
    noise: float  # twice the standard error of their difference
    positions: int
    matches: int


def tenth_of(inside: list[Judged]) -> Tenth:
    """Return what was said and what was won on average. For the noise, all positions of a match are one."""
    off = sum(one.chance - one.won for one in inside) / len(inside)
    by_match: dict[int, float] = {}
    for one in inside:
        by_match[one.match] = by_match.get(one.match, 0.0) + one.chance - one.won - off
    noise = 2 * math.sqrt(sum(sum_of * sum_of for sum_of in by_match.values())) / len(inside)
    said, won = (sum(getattr(one, name) for one in inside) / len(inside) for name in ("chance", "won"))
    return Tenth(said, won, noise, len(inside), len(by_match))


def calibration(found: Iterable[Judged]) -> Iterator[str]:
    tenths: dict[int, list[Judged]] = {}
    for one in found:
        tenths.setdefault(min(TENTHS - 1, int(one.chance * TENTHS)), []).append(one)
    compared = []
    for place in sorted(tenths):
        tenth = tenth_of(tenths[place])
        few = tenth.matches < FEWEST
        if not few:
            compared.append((abs(tenth.said - tenth.won), tenth.noise))
        yield (
            f"  judged {place / TENTHS:.1f} to {(place + 1) / TENTHS:.1f}: {tenth.said:.3f} on average, won "
            f"{tenth.won:.3f} of {tenth.positions} positions of {tenth.matches} matches: "
            f"{tenth.said - tenth.won:+.3f} off +- {tenth.noise:.3f}{' (too few to say)' if few else ''}"
        )
    if compared:
        off, noise = max(compared)
        beyond = sum(off > noise for off, noise in compared)
        yield (
            f"  worst tenth: {off:.3f} off +- {noise:.3f} (wanted: at most {WANTED}); "
            f"{beyond} of {len(compared)} tenths are off by more than their noise"
        )


def measure(game: Game, players: int, matches: int, workers: int, kept: Path | None) -> Iterator[str]:
    found, spent = judged(game, players, matches, workers, "bench", kept)
    yield (
        f"{game.name}, {players} players, judging {len(found)} positions of {matches} matches between bots of one "
        f"level: {spent:.0f} s of processor time in all"
    )
    yield from calibration(found)
    yield from moves_told(found)
    yield from steadiness(game, players)


def steadiness(game: Game, players: int) -> Iterator[str]:
    """Yield how often a position is told otherwise than the move that led to it, where chance decides nothing."""
    if not isinstance(game, KernelGame) or game.rules.HIDDEN:
        return
    jumps = []
    names = (bots.names(game)[USUAL],) * players
    for _, state, seat, move, _ in positions(game, names, list(range(1, STEADY + 1)), "steady"):
        after = game.play(state, seat, move).state
        if game.rules.actor(after) >= 0:
            told = judge(game, state, seat, [move]).of(move).chance
            jumps.append(abs(told - judge(game, after, game.to_move(after)[0]).chances[seat - 1]))
    if jumps:
        share = sum(jump > JUMP for jump in jumps) / len(jumps)
        yield f"  after {share:.1%} of {len(jumps)} moves the position is told more than {JUMP} otherwise than the move"


def reviewing(game: Game) -> str:
    """How long a review of a match of usual length between usual bots takes, with the lines that it suggests."""
    players = 2 if 2 in game.players else game.players[0]
    matches = []
    for number in range(1, 2 if game.measures else TRIES + 1):
        record = play_one(planned(game.key, {"players": players}, [bots.names(game)[USUAL]], 1, "review"), number)
        matches.append(Match(game, record.options, record.seats))
        matches[-1].follow(record.log)
    match = sorted(matches, key=lambda one: len(decisions(one)))[len(matches) // 2]
    spent, numbers = 0.0, decisions(match)
    for n in numbers:
        entry, state = match.log[n - 1], match.at(n - 1).state
        began = time.process_time()
        judge_decision(game.key, state, n, entry.by, entry.move)
        spent += time.process_time() - began
    wanted = 60 if game.measures else 10
    return (
        f"{game.name}, all {len(numbers)} decisions of a match reviewed in {spent:.1f} s of one core "
        f"(wanted: at most {wanted})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=registry.game_keys())
    parser.add_argument("--fit", action="store_true", help="fit the curves and write them")
    parser.add_argument("--matches", type=int, help="how many for each game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes that judge")
    parser.add_argument("--kept", type=Path, help="a folder of matches to go on with")
    given = parser.parse_args()
    for key in given.games:
        game = registry.game(key)
        matches = given.matches or (FEWER if game.measures else MATCHES)
        if given.fit:
            print(fit(game, given.players, matches, given.workers, given.kept), flush=True)
            continue
        for line in measure(game, given.players, matches, given.workers, given.kept):
            print(line, flush=True)
        print(reviewing(game), flush=True)


if __name__ == "__main__":
    main()
