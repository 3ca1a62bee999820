"""Measures the levels of every game against each other and writes the table: `make strength`.

`bench/strength.py --begins` measures only the last section, in which equal bots meet, and keeps the rest.
"""

import argparse
import os
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

from tqdm import tqdm

from ludoteca.core import registry
from ludoteca.lab.plan import planned
from ludoteca.lab.rating import interval
from ludoteca.lab.simulation import simulated
from ludoteca.lab.standings import duel
from ludoteca.lab.summary import Summary
from ludoteca.search import bots

TABLE = Path(__file__).parents[1] / "docs" / "strength.md"
GAMES = 200
OTHERWISE = {"tictacmatch": 400, "kingbrick": 60}  # luck has a larger share in the one, physics takes its time
SEED = "strength"
HEAD = """# The strength of the levels

Written by `make strength`: each level against the one below, two players, {games} matches a pair where
nothing else is said, seats alternating with the same draws in both, a tie half. The interval is Wilson's of 95 %.
"""
BEGINS = """
## Who begins

The level `club` against itself, two players; a draw is half. `bench/strength.py --begins` measures only this table, and
`ludoteca simulate` prints the same figure for any bots and options.
"""
MIRROR_LEVEL = "club"  # strong enough to mean something, and quick enough for many matches
MIRRORS = 200
NOT_MIRRORED = {"kingbrick"}  # a match takes minutes


def ladder(key: str) -> Iterator[str]:
    game = registry.game(key)
    names, games = bots.names(game), OTHERWISE.get(key, GAMES)
    yield f"\n## {game.name}\n"
    if key in OTHERWISE:
        yield f"{games} matches a pair.\n"
    yield "| level | against | share | 95 % |"
    yield "|---|---|---|---|"
    for below, name in pairwise(names):
        label = f"{key}: {name} - {below}"
        result = duel(key, {"players": 2}, (name, below), games, SEED, os.cpu_count() or 1, partial(tqdm, desc=label))
        yield f"| {name} | {below} | {result.share:.1%} | {result.low:.1%} to {result.high:.1%} |"


def who_begins() -> Iterator[str]:
    """Yield the lines of the table: the share of the player who begins when a level plays against itself."""
    yield BEGINS
    yield "| game | matches | share of the player who begins | 95 % | drawn |"
    yield "|---|---|---|---|---|"
    for key in registry.game_keys():
        if key in NOT_MIRRORED:
            continue
        game = registry.game(key)
        plan = planned(key, {"players": 2}, (MIRROR_LEVEL,), MIRRORS, SEED)
        summary = Summary(plan)
        for batch in tqdm(simulated(plan, os.cpu_count() or 1, None), f"{key}: mirror"):
            summary.add(batch)
        share = summary.starter.points / plan.games
        low, high = interval(share, plan.games)
        cells = (game.name, plan.games, f"{share:.1%}", f"{low:.1%} to {high:.1%}")
        yield f"| {' | '.join(map(str, cells))} | {summary.drawn / plan.games:.1%} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--begins", action="store_true", help="measure who begins alone, and keep the rest")
    lines = []
    if parser.parse_args().begins:
        lines.append(TABLE.read_text("utf-8").partition(BEGINS)[0].rstrip())
    else:
        lines.append(HEAD.format(games=GAMES))
        for key in registry.game_keys():
            lines += _shown(ladder(key))
    lines += _shown(who_begins())
    TABLE.write_text("\n".join(lines) + "\n", "utf-8")


def _shown(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        print(line, flush=True)
        yield line


if __name__ == "__main__":
    main()
