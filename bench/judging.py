"""How well positions are judged: of those that were given a chance from 0.6 to 0.7, how many were won?

python bench/judging.py [--fit] [--matches N] [--players N] [games]

Bots of mixed levels play; some positions of every match are judged and compared with how the match ended. With --fit
the curve of each game (`curve.json` in its folder) is fitted to other matches and written.
"""

import argparse
import math
import time
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any, NamedTuple

import numpy as np

from ludoteca.core import registry
from ludoteca.core.game import Game
from ludoteca.core.kernel import copied
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.levels import Lookahead
from ludoteca.core.match import Match
from ludoteca.core.random import key_of
from ludoteca.lab.plan import planned, play_one
from ludoteca.search import bots, curves
from ludoteca.search.judge import judge, judging_of
from ludoteca.search.workbench import Workbench

MATCHES = 1000
FEWER = 60  # of a game in which physics decides: every flick that is thought of is made
POSITIONS, MORE_POSITIONS = 3, 5  # judged in every match; more where a match takes longer than its judgement
MANY = 200  # matches: for fewer it is not worth while to compile the loop that plays them
TENTHS = 10
FEWEST = 30  # positions in a tenth, for it to be compared
WANTED = 0.05
STRONGEST = -1  # the level that is left out: the others play a match in a fraction of its time
MOST_LEAD = 4.0  # times the usual lead in points, beyond which it counts no more
MOST_LOGIT = 10.0  # the same where a search gives a chance


class Judged(NamedTuple):
    chance: float  # that the seat on the move wins
    lead: float
    progress: float
    won: float  # 1, 0, or its share of a tie


def positions(game: Game, players: int, matches: int, seed: str) -> Iterator[tuple[Any, int, dict[int, float]]]:
    """Yield positions where a seat has a choice, that seat, and what every seat won in the end."""
    levels = bots.names(game)[1:STRONGEST]
    tables = list(product(levels, repeat=players))
    Random(seed).shuffle(tables)
    tables = tables[: max(1, min(len(tables), matches // 8))]
    for place, names in enumerate(tables):
        n = matches // len(tables) + (place < matches % len(tables))
        if n and isinstance(game, KernelGame) and matches >= MANY:
            yield from _of_kernel(game, players, names, n, seed)
        elif n:
            for number in range(1, n + 1):
                yield from _of_record(game, players, names, number, seed)


def _of_kernel(
    game: KernelGame, players: int, names: tuple[str, ...], matches: int, seed: str
) -> Iterator[tuple[Any, int, dict[int, float]]]:
    agreed, rules = game.agree({"players": players}), game.rules
    book = Workbench(game, agreed, names).play(key_of(seed, *names), np.arange(1, matches + 1))
    begin = 0
    for number in range(matches):
        state, choices = game.start(agreed), []
        for move in book.moves[begin : book.ends[number]].tolist():
            if rules.actor(state) >= 0 and rules.count(state) > 1:
                choices.append(copied(state))
            rules.play(state, move)
        begin = int(book.ends[number])
        result = game.outcome(state, frozenset())
        assert result is not None
        shares = _shares(game, state, result.winners, players)
        for chosen in _sample(choices, POSITIONS, (seed, names, number)):
            yield chosen, int(rules.actor(chosen)) + 1, shares


def _of_record(
    game: Game, players: int, names: tuple[str, ...], number: int, seed: str
) -> Iterator[tuple[Any, int, dict[int, float]]]:
    record = play_one(planned(game.key, {"players": players}, names, 1, "-".join((seed, *names))), number)
    match, choices = Match(game, record.options, record.seats), []
    for entry in record.log:
        if entry.by and not game.is_simultaneous(match.state):
            choices.append((match.state, entry.by))
        match.follow((entry,))
    assert record.result is not None
    shares = _shares(game, match.state, record.result.winners, len(names))
    for state, seat in _sample(choices, MORE_POSITIONS, (seed, names, number)):
        yield state, seat, shares


def _sample(choices: list[Any], most: int, seed: tuple[object, ...]) -> list[Any]:
    return Random(repr(seed)).sample(choices, min(most, len(choices)))


def _shares(game: Game, state: Any, winners: tuple[int, ...], players: int) -> dict[int, float]:
    """Return what a seat's side won: a tie is shared among the sides, a draw among all."""
    seats = range(1, players + 1)
    sides = {game.side(state, seat) for seat in winners or seats}
    alone = players == 1
    return {seat: float(game.side(state, seat) in sides and not (alone and not winners)) / len(sides) for seat in seats}


def judged(game: Game, players: int, matches: int, seed: str) -> Iterator[Judged]:
    for state, seat, shares in positions(game, players, matches, seed):
        found = judge(game, state, seat)
        yield Judged(found.chances[seat - 1], found.lead, found.progress, shares[seat])


def fit(game: Game, players: int, matches: int) -> str:
    found = list(judged(game, players, matches, "fit"))
    leads = np.array([one.lead for one in found])
    most = float(f"{MOST_LEAD * np.median(np.abs(leads)):.3g}") if _counts_points(game) else MOST_LOGIT
    progress, won = (np.array([getattr(one, name) for one in found]) for name in ("progress", "won"))
    powers, tempo = (3, 2) if progress.any() else (1, 1)
    curve = curves.fitted(leads, progress, won, players, most, powers, tempo)
    path = curves.write(game.key, players, curve)
    return f"{game.name}, {players} players: {len(found)} positions of {matches} matches; {path.name}: {curve}"


def _counts_points(game: Game) -> bool:
    """Whether a lead is in the game's own unit: a lookahead's is, while a tree search gives the logit of a chance."""
    return isinstance(game, KernelGame) and isinstance(judging_of(game.key).deep, Lookahead)


def measure(game: Game, players: int, matches: int) -> Iterator[str]:
    began = time.process_time()
    found = list(judged(game, players, matches, "bench"))
    spent = time.process_time() - began
    yield (
        f"{game.name}, {players} players, judging {len(found)} positions of {matches} matches between bots of mixed "
        f"levels: {spent:.0f} s in all"
    )
    worst = 0.0
    for tenth in range(TENTHS):
        inside = [one for one in found if min(TENTHS - 1, int(one.chance * TENTHS)) == tenth]
        if not inside:
            continue
        said, won = (sum(getattr(one, name) for one in inside) / len(inside) for name in ("chance", "won"))
        noise = 2 * math.sqrt(max(won * (1 - won), 0.01) / len(inside))
        rare = len(inside) < FEWEST
        worst = worst if rare else max(worst, abs(said - won))
        few = " (too few to say)" if rare else ""
        yield (
            f"  judged {tenth / TENTHS:.1f} to {(tenth + 1) / TENTHS:.1f}: {said:.3f} on average, won {won:.3f} "
            f"+- {noise:.3f} of {len(inside)}{few}"
        )
    yield f"  worst tenth: {worst:.3f} off (wanted: at most {WANTED})"


def reviewing(game: Game) -> str:
    """How long it takes to judge every decision of one match between usual bots."""
    players = 2 if 2 in game.players else game.players[0]
    record = play_one(planned(game.key, {"players": players}, [bots.names(game)[2]], 1, "review"), 1)
    match, n, began = Match(game, record.options, record.seats), 0, time.process_time()
    spent = 0.0
    for entry in record.log:
        if entry.by and not game.is_simultaneous(match.state):
            began = time.process_time()
            judge(game, match.state, entry.by, [entry.move])
            spent, n = spent + time.process_time() - began, n + 1
        match.follow((entry,))
    wanted = 60 if game.measures else 10
    return f"{game.name}, all {n} decisions of a match judged in {spent:.1f} s of one core (wanted: at most {wanted})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=registry.game_keys())
    parser.add_argument("--fit", action="store_true", help="fit the curves and write them")
    parser.add_argument("--matches", type=int, help="how many for each game")
    parser.add_argument("--players", type=int, default=2)
    given = parser.parse_args()
    for key in given.games:
        game = registry.game(key)
        matches = given.matches or (FEWER if game.measures else MATCHES)
        if given.fit:
            print(fit(game, given.players, matches), flush=True)
            continue
        for line in measure(game, given.players, matches):
            print(line, flush=True)
        print(reviewing(game), flush=True)


if __name__ == "__main__":
    main()
