"""Writes docs/strength.md from the matches that were kept. What was not measured is called so."""

from collections.abc import Iterator
from itertools import pairwise
from statistics import median
from typing import NamedTuple

import pace
from ladder import Contest, Results, Score, Table, contest, score, starter_score, tables
from open_spiel_matches import WANTED, together

from ludoteca.core import registry
from ludoteca.core.game import Game
from ludoteca.core.kernel_game import KernelGame
from ludoteca.lab.rating import Rating, bradley_terry
from ludoteca.search import bots

STEP = 0.7  # of the matches of two that a level wins against the one below
STEP_OF_LUCK = 0.6  # where hidden hands decide more
MIRROR_LEVEL = "club"  # strong enough to mean something, and quick enough for many matches
NOT_MEASURED = "not measured"

HEAD = """# The strength of the levels

`make strength` plays what is missing and writes this page. Every finished chunk of matches is kept in
`bench/strength.jsonl`, so a stopped run goes on, also on another machine; `bench/strength.py --help` has the options. A
match follows from its seed (here `{seed}`) and its number. Matches of bots or rules that have changed since do not
count; without any it says "{none}".

- **Two players**: each level against the one below. The seats change, and both seatings have the same draws.
- **More players**: one side of a level, all others of the level below. A side is a player, or a team. It takes every
  seat, with the same draws. Its share must be more than its fair share. Where the seat decides nearly all matches, as
  for one player against three good ones, little is left to win.
- A tie is shared. The interval is Wilson's of 95 %, for as many independent matches as would tell as much: matches with
  the same draws are not independent. If the wanted figure lies inside it, the answer is "not clear".
- **Rating**: Elo points over `random`, which has 0, from all matches of two players (Bradley-Terry). If a level never
  lost to the one below, its lead is at least about that large.
- **Seconds a turn**: processor time on the machine that measured, in matches of two. A turn is all moves in a row.
"""
BEGINS = """
## Who begins

The level `{level}` against itself, two players; a draw is half. `ludoteca simulate` prints the same figure for any bots
and options. `bench/kingbrick_matches.py` prints it for KingBrick.

| game | matches | share of the player who begins | 95 % | drawn |
|---|---|---|---|---|"""


OPEN_SPIEL = """
## Against OpenSpiel

Our strongest level against OpenSpiel's tree search, which plays our games through its own interface: `MCTSBot`, or
`ISMCTSBot` where hands are hidden, both in Python; two players. Before each of its decisions our level is asked about
the same position, and OpenSpiel gets at least that time, and at least 8 simulations. Played by
`bench/matches_against_open_spiel.py 80 --kept bench/strength.jsonl`.

| game | level | matches | share | 95 % | wanted | reached | our ms a decision | its ms | its simulations |
|---|---|---|---|---|---|---|---|---|---|"""


class Pair(NamedTuple):
    level: str
    against: str


def pairs(game: Game) -> list[Pair]:
    """Return every level with the one below."""
    names = bots.names(game)
    return [Pair(level, below) for below, level in pairwise(names)]


def step_wanted(game: Game) -> float:
    """Return the share that a level must have against the one below."""
    return STEP_OF_LUCK if is_hidden(game) else STEP


def is_hidden(game: Game) -> bool:
    return bool(getattr(getattr(game, "rules", None), "HIDDEN", False))


def page(results: Results, seed: str) -> Iterator[str]:
    """Yield the lines of docs/strength.md."""
    yield HEAD.format(seed=seed, none=NOT_MEASURED)
    for key in registry.game_keys():
        yield from _of_game(registry.game(key), results, seed)
    yield BEGINS.format(level=MIRROR_LEVEL)
    for key in registry.game_keys():
        if not registry.game(key).measures:
            yield _begins(registry.game(key), results, seed)
    yield OPEN_SPIEL
    for game in map(registry.game, registry.game_keys()):
        if isinstance(game, KernelGame):
            yield _against_open_spiel(game, results)


def _of_game(game: Game, results: Results, seed: str) -> Iterator[str]:
    two, *more = tables(game)
    duels = _duels(game, two, results, seed)
    yield f"\n## {game.name}\n"
    yield from _levels(game, results, duels)
    yield "\n| level | against | matches | share | 95 % | wanted | reached |\n|---|---|---|---|---|---|---|"
    for pair, found in duels.items():
        wanted = step_wanted(game) if pair in pairs(game) else None
        if found or wanted:
            yield f"| {pair.level} | {pair.against} | {_measured(found, wanted)} |"
    if more:
        yield "\n| table | one | others | matches | share | 95 % | fair share | more |"
        yield "|---|---|---|---|---|---|---|---|"
    for table in more:
        for pair in pairs(game):
            found = score(table.sides, results.of(contest(game.key, table, *pair, seed)))
            yield f"| {table.name} | {pair.level} | {pair.against} | {_measured(found, table.fair)} |"


def _duels(game: Game, table: Table, results: Results, seed: str) -> dict[Pair, Score | None]:
    """Return the score of every pair of levels, the stronger one first."""
    names, found = bots.names(game), {}
    for place, level in enumerate(names):
        for against in reversed(names[:place]):
            asked: Contest = contest(game.key, table, level, against, seed)
            found[Pair(level, against)] = score(table.sides, results.of(asked))
    return found


def _measured(found: Score | None, wanted: float | None) -> str:
    """Return the cells of a score: matches, share, interval, what is wanted, and whether it is reached."""
    aim = "" if wanted is None else f"{wanted:.1%}" if wanted * 100 % 1 else f"{wanted:.0%}"
    if found is None:
        return f"0 | {NOT_MEASURED} | | {aim} |"
    low, high = found.interval
    held = "" if wanted is None else reached(found.share, low, high, wanted)
    return f"{found.matches} | {found.share:.1%} | {low:.1%} to {high:.1%} | {aim} | {held}"


def reached(share: float, low: float, high: float, wanted: float) -> str:
    """Return whether a share reaches what is wanted, and whether the interval makes that clear."""
    is_clear = not low < wanted < high
    return ("yes" if share >= wanted else "no") + ("" if is_clear else ", not clear")


def ratings(game: Game, duels: dict[Pair, Score | None]) -> dict[str, Rating]:
    """Return the ratings of the levels that matches connect with `random`, which has 0."""
    played = {pair: found for pair, found in duels.items() if found}
    linked, grows = {bots.RANDOM}, True
    while grows:
        grown = linked | {name for pair in played if linked & set(pair) for name in pair}
        grows, linked = grown != linked, grown
    points: dict[tuple[str, str], float] = {}
    for pair, found in played.items():
        if pair.level in linked:
            points[pair.level, pair.against] = found.points
            points[pair.against, pair.level] = found.matches - found.points
    names = [name for name in bots.names(game) if name in linked]
    return bradley_terry(names, points, zero=bots.RANDOM) if points else {}


def _levels(game: Game, results: Results, duels: dict[Pair, Score | None]) -> Iterator[str]:
    rated = ratings(game, duels)
    yield "| level | rating | 95 % | seconds a turn, median | most | turns | wanted, median | reached |"
    yield "|---|---|---|---|---|---|---|---|"
    for name in bots.names(game):
        rating, cells = rated.get(name), ["", ""]
        if name == bots.RANDOM:
            cells = ["0", ""]
        elif rating:
            cells = [f"{rating.value:.0f}", f"{rating.low:.0f} to {rating.high:.0f}"]
        else:
            cells = [NOT_MEASURED, ""]
        yield f"| {' | '.join([name, *cells, *_pace(game, name, results)])} |"


def _pace(game: Game, name: str, results: Results) -> list[str]:
    if name == bots.RANDOM:
        return [""] * 5
    seconds, wanted = results.pace(game.key, name), pace.wanted(game, name)
    if not seconds:
        return [NOT_MEASURED, "", "0", f"{wanted} s", ""]
    middle = median(seconds)
    held = "yes" if middle <= wanted else "no"
    return [f"{middle:.3f}", f"{max(seconds):.3f}", str(len(seconds)), f"{wanted} s", held]


def _against_open_spiel(game: Game, results: Results) -> str:
    level = bots.names(game)[-1]
    played = list(results.against_open_spiel(game.key, level, times=1.0).values())
    if not played:
        return f"| {game.name} | {level} | 0 | {NOT_MEASURED} | | {WANTED:.0%} | | | | |"
    found = together(played)
    held = reached(found.share, found.low, found.high, WANTED)
    cells = (game.name, level, str(found.matches), f"{found.share:.1%}", f"{found.low:.1%} to {found.high:.1%}")
    times = f"{found.ours * 1000:.0f} | {found.its * 1000:.0f} | {found.simulations:.0f}"
    return f"| {' | '.join(cells)} | {WANTED:.0%} | {held} | {times} |"


def _begins(game: Game, results: Results, seed: str) -> str:
    two = next(tables(game))
    found = starter_score(two.sides, results.of(contest(game.key, two, MIRROR_LEVEL, MIRROR_LEVEL, seed)))
    if found is None:
        return f"| {game.name} | 0 | {NOT_MEASURED} | | |"
    begun, drawn = found
    low, high = begun.interval
    cells = (game.name, str(begun.matches), f"{begun.share:.1%}", f"{low:.1%} to {high:.1%}")
    return f"| {' | '.join(cells)} | {drawn / begun.matches:.1%} |"
