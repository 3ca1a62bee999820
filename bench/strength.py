"""Measures the levels of every game against each other and writes the table: `make strength`."""

import os
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

from tqdm import tqdm

from ludoteca.core import registry
from ludoteca.core.record import Record
from ludoteca.lab.arena import duel
from ludoteca.search import bots

TABLE = Path(__file__).parents[1] / "docs" / "strength.md"
GAMES = 200
OTHERWISE = {"tictacmatch": 400, "kingbrick": 60}  # luck has a larger share in the one, physics takes its time
SEED = "strength"
HEAD = """# The strength of the levels

Written by `make strength`: each level against the one below, two players, {games} matches a pair where
nothing else is said, seats alternating with the same draws in both, a tie half. The interval is Wilson's of 95 %.
"""


def ladder(key: str) -> Iterator[str]:
    game = registry.game(key)
    names, games = bots.names(game), OTHERWISE.get(key, GAMES)
    yield f"\n## {game.name}\n"
    if key in OTHERWISE:
        yield f"{games} matches a pair.\n"
    yield "| level | against | share | 95 % |"
    yield "|---|---|---|---|"
    for below, name in pairwise(names):

        def watch(records: Iterable[Record], label: str = f"{key}: {name} - {below}") -> Iterable[Record]:
            return tqdm(records, label, games // 2, unit="match")  # type: ignore[no-any-return]

        result = duel(key, {"players": 2}, (name, below), games, SEED, os.cpu_count() or 1, watch)
        low, high = result.interval()
        yield f"| {name} | {below} | {result.share:.1%} | {low:.1%} to {high:.1%} |"


def main() -> None:
    lines = [HEAD.format(games=GAMES)]
    for key in registry.game_keys():
        for line in ladder(key):
            print(line, flush=True)
            lines.append(line)
    TABLE.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
