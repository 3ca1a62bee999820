"""Measures the levels of every game against each other and writes docs/strength.md: `make strength`.

Every finished chunk of matches is appended to a file of the repository. A stopped run goes on where it was, also on
another machine, and results of other bots, rules, options or seeds are never mixed in. For example:

  bench/strength.py --games pinpoint --pairs master-expert --players 2 --matches 400
  bench/strength.py --parts tables --matches 24      the order of the levels with three and four players, roughly
  bench/strength.py --parts ""                       plays nothing and writes the page from the file
"""

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pace
from bot_sources import digest
from ladder import Contest, Kept, Pace, Results, contest, play, score, starter_score, tables, tidy
from strength_page import MIRROR_LEVEL, Pair, is_hidden, page, pairs
from tqdm import tqdm

from ludoteca.core import registry
from ludoteca.core.game import Game
from ludoteca.search import bots

PAGE = Path(__file__).parents[1] / "docs" / "strength.md"
KEPT = Path(__file__).with_name("strength.jsonl")  # in the repository: measured on one machine, continued on another
SEED = "strength"
DUELS, TABLES, BEGINS, PACE = PARTS = ("duels", "tables", "begins", "pace")
MATCHES = 200  # of two players, a pair
MATCHES_OF_LUCK = 400  # where hidden hands decide more
MATCHES_OF_PHYSICS = 60  # a match takes minutes
MATCHES_AT_TABLES = 240  # of more players, a pair


class Asked(NamedTuple):
    """What a run measures."""

    games: Sequence[str]
    pairs: Sequence[Pair] | None  # None: every level and the one below
    players: Sequence[int] | None  # None: every number
    parts: Sequence[str]
    matches: int | None  # None: as many as usual
    seed: str


def usual_matches(game: Game, is_duel: bool) -> int:
    if game.measures:
        return MATCHES_OF_PHYSICS
    if not is_duel:
        return MATCHES_AT_TABLES
    return MATCHES_OF_LUCK if is_hidden(game) else MATCHES


def contests(asked: Asked) -> Iterator[tuple[str, Contest, int]]:
    """Yield the contests with a name and the number of matches: first all of two players, then larger tables."""
    for is_duel, part in ((True, DUELS), (False, TABLES)):
        for game in map(registry.game, asked.games if part in asked.parts else ()):
            for table in tables(game):
                is_wanted = asked.players is None or len(table.sides) in asked.players
                if (len(table.sides) == 2) != is_duel or not is_wanted:
                    continue
                for pair in chosen_pairs(game, asked.pairs):
                    name = f"{game.name}, {table.name}, {pair.level} - {pair.against}"
                    matches = asked.matches or usual_matches(game, is_duel)
                    yield name, contest(game.key, table, *pair, asked.seed), matches
    for game in map(registry.game, asked.games if BEGINS in asked.parts else ()):
        if not game.measures:
            found = contest(game.key, next(tables(game)), MIRROR_LEVEL, MIRROR_LEVEL, asked.seed)
            yield f"{game.name}, {MIRROR_LEVEL} - {MIRROR_LEVEL}", found, asked.matches or usual_matches(game, True)


def chosen_pairs(game: Game, chosen: Sequence[Pair] | None) -> list[Pair]:
    """Return the pairs that are measured, of levels that the game has."""
    if chosen is None:
        return pairs(game)
    names = bots.names(game)
    return [pair for pair in chosen if pair.level in names and pair.against in names]


def measure(asked: Asked, kept: Kept, workers: int) -> Iterator[str]:
    """Play what is missing. Yield a line for each result."""
    if PACE in asked.parts:
        for key in asked.games:
            yield from _paces(key, asked.pairs, kept)
    for name, found, matches in contests(asked):
        done = len(Results(kept).of(found))
        with tqdm(total=max(matches, done), initial=done, desc=name, unit="matches", leave=False, disable=None) as bar:
            play(found, matches, kept, workers, lambda added, bar=bar: bar.update(added))  # type: ignore[misc]
        yield f"{name}: {_told(found, Results(kept))}"


def _told(found: Contest, results: Results) -> str:
    table = next(one for one in tables(registry.game(found.game)) if one.options == found.options)
    matches = results.of(found)
    if found.level == found.against:
        begun = starter_score(table.sides, matches)
        counted, who = begun[0] if begun else None, " for the player who begins"
    else:
        counted, who = score(table.sides, matches), f" (fair: {table.fair:.1%})"
    if counted is None:
        return "no whole round"
    low, high = counted.interval
    return f"{counted.share:.1%}{who}, 95 % between {low:.1%} and {high:.1%}, {counted.matches} matches"


def _paces(key: str, chosen: Sequence[Pair] | None, kept: Kept) -> Iterator[str]:
    game, results = registry.game(key), Results(kept)
    named = {name for pair in chosen_pairs(game, chosen) for name in pair} - {bots.RANDOM}
    for level in (name for name in bots.names(game) if name in named):
        if results.pace(key, level) is None:
            bots.warm(game)
            seconds = [round(spent, 6) for spent in pace.seconds_a_turn(game, level)]
            kept.add(Pace(key, level, digest(key, (level,)), seconds))
            yield f"{game.name}, {level}: {sorted(seconds)[len(seconds) // 2]:.3f} s a turn in the middle"


def _listed(text: str) -> list[str]:
    return [part for part in text.split(",") if part]


def _pairs(text: str) -> list[Pair]:
    found = [Pair(*part.split("-")) for part in _listed(text) if part.count("-") == 1]
    if len(found) != len(_listed(text)):
        raise argparse.ArgumentTypeError(f"{text!r}: pairs such as master-expert,expert-club are wanted")
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--games", type=_listed, default=registry.game_keys(), help="such as pinpoint,aftaebr (default: all)")
    add("--pairs", type=_pairs, help="such as master-expert,expert-club (default: each level and the one below)")
    add("--players", type=lambda text: [int(part) for part in _listed(text)], help="such as 2,3 (default: all)")
    add("--parts", type=_listed, default=list(PARTS), help=f"of {','.join(PARTS)} (default: all)")
    add("--matches", type=int, help="of each contest (default: as the game needs)")
    add("--seed", default=SEED)
    add("--workers", type=int, default=os.cpu_count() or 1)
    add("--kept", type=Path, default=KEPT, help=f"the file of finished matches (default: {KEPT})")
    add("--tidy", action="store_true", help="first drop results of bots that have changed (no other run may go on)")
    add("--page", type=Path, default=PAGE, help="the page that is written (default: docs/strength.md)")
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    parser = _parser()
    given = parser.parse_args(arguments)
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"unknown parts {', '.join(sorted(unknown))}: {', '.join(PARTS)} are known")
    asked = Asked(given.games, given.pairs, given.players, given.parts, given.matches, given.seed)
    kept = Kept(given.kept)
    if given.tidy:
        tidy(kept)
    print(f"kept in {kept.path}", flush=True)
    try:
        for line in measure(asked, kept, given.workers):
            print(line, flush=True)
    except KeyboardInterrupt:
        print("stopped: the same command goes on")
    finally:
        write(kept, given.seed, given.page)


def write(kept: Kept, seed: str, path: Path) -> None:
    """Write the page from what is kept, also after a run that was stopped."""
    results = Results(kept)
    if kept.unreadable:
        print(f"{kept.unreadable} lines of {kept.path} cannot be read and were left out")
    path.write_text("\n".join(page(results, seed)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
