"""The arena: bots against each other at every table that they can fill, seats rotated, with the same draws."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from ludoteca import __version__
from ludoteca.core.errors import LudotecaError
from ludoteca.lab.batch import play_batch
from ludoteca.lab.games import game_named
from ludoteca.lab.plan import BadPlan, Plan, planned
from ludoteca.lab.rating import Sprt
from ludoteca.lab.summary import drawn, shares, sides_of
from ludoteca.lab.workers import Workers, in_order

FORMAT = "ludoteca-arena/1"


class BadArena(LudotecaError):
    """A file that holds another arena than the one asked for."""

    code = "arena/bad"


class Entry(msgspec.Struct, frozen=True):
    """What is asked for: who plays what, and how often. The matches follow from it."""

    game: str
    options: dict[str, Any]
    bots: tuple[str, ...]
    games: int  # at each table
    seed: str
    sprt: tuple[float, float] | None = None


class Table(msgspec.Struct):
    """Some bots at one table. A round is one match in every seating, all with the same draws."""

    bots: tuple[str, ...]  # by side
    seatings: tuple[tuple[str, ...], ...]  # by seat
    winners: list[str]  # of each seating, one hexadecimal digit for each match: bits by seat
    verdict: str | None = None  # of the sequential test

    @property
    def rounds(self) -> int:
        return len(self.winners[0])


class Arena(msgspec.Struct):
    """An arena as it stands: it can be written, read again and continued."""

    entry: Entry
    sides: tuple[int, ...]  # of the seats
    tables: list[Table]
    version: str = __version__
    format: str = FORMAT


def entered(
    game: str,
    options: Mapping[str, object],
    bots: Sequence[str],
    games: int,
    seed: str,
    sprt: tuple[float, float] | None = None,
) -> Arena:
    """Return an arena in which nothing has been played yet; BadPlan says why there can be none."""
    if len(set(bots)) != len(bots) or len(bots) < 2:
        raise BadPlan(f"bots {', '.join(bots)}: at least two are wanted, each once")
    plans = [planned(game, options, [name], games, seed) for name in bots]
    sides = sides_of(plans[0])
    order = sorted(set(sides))
    if len(order) < 2:
        raise BadPlan(f"{game_named(game).name} with these options has one side: nobody to play against")
    if sprt is not None and (len(order) != 2 or not sprt[0] < sprt[1]):
        raise BadPlan(f"--sprt {sprt[0]:g},{sprt[1]:g}: two sides and a lower and a higher number of Elo are wanted")
    if len(bots) >= len(order):
        line_ups = list(combinations(bots, len(order)))
    else:
        chosen = combinations_with_replacement(bots, len(order))
        line_ups = [line_up for line_up in chosen if set(line_up) == set(bots)]
    tables = []
    for line_up in line_ups:
        turns = [line_up[turn:] + line_up[:turn] for turn in range(len(order))]
        seatings = tuple(tuple(turned[order.index(side)] for side in sides) for turned in turns)
        tables.append(Table(line_up, seatings, [""] * len(seatings)))
    return Arena(Entry(game, dict(plans[0].options), tuple(bots), games, seed, sprt), tuple(sides), tables)


def play_round(plans: Sequence[Plan], numbers: range) -> list[str]:
    """Play the matches with these numbers in every seating. Return the winners, one digit for each match."""
    batches = [play_batch(plan, False, numbers) for plan in plans]
    return ["".join(f"{bits:x}" for bits in batch.winners.tolist()) for batch in batches]


def played(arena: Arena, workers: Workers, save: Callable[[Arena], None] = lambda arena: None) -> Iterator[range]:
    """Play the missing matches, table by table. Yield a range as long as the number of matches that were added."""
    for table in arena.tables:
        yield from _play_table(arena, table, workers, save)
        save(arena)


def _play_table(arena: Arena, table: Table, workers: Workers, save: Callable[[Arena], None]) -> Iterator[range]:
    entry, seatings = arena.entry, table.seatings
    rounds = -(-entry.games // len(seatings))
    test = Sprt(*entry.sprt) if entry.sprt else None
    if test:
        for number in range(table.rounds):
            test.add(round_share(arena, table, number))
    plans = [Plan(entry.game, entry.options, seated, rounds, entry.seed) for seated in seatings]
    missing = range(table.rounds + 1, rounds + 1) if table.verdict is None else range(0)
    for added in in_order(partial(play_round, plans), missing, workers, entry.game):
        before = table.rounds
        for place, digits in enumerate(added):
            table.winners[place] += digits
        if test:
            _stop_when_clear(arena, table, test, before)
        save(arena)
        yield range((table.rounds - before) * len(seatings))
        if table.verdict:
            break


def _stop_when_clear(arena: Arena, table: Table, test: Sprt, first: int) -> None:
    """End the table after the round that decided the test. Drop the rounds after it."""
    for number in range(first, table.rounds):
        test.add(round_share(arena, table, number))
        if test.verdict:
            table.verdict = test.verdict
            table.winners = [digits[: number + 1] for digits in table.winners]
            return


def round_share(arena: Arena, table: Table, number: int) -> float:
    """Return the first bot's share of one round."""
    total = 0.0
    for seated, digits in zip(table.seatings, table.winners, strict=True):
        total += share_of(arena, seated, digits[number : number + 1], table.bots[0])[0]
    return total / len(table.seatings)


def share_of(arena: Arena, seated: Sequence[str], digits: str, name: str) -> tuple[float, int, int]:
    """Return a bot's points in some matches of a seating, and how many it won and drew."""
    winners = np.array([int(digit, 16) for digit in digits], np.uint8)
    places = [place for place, other in enumerate(seated) if other == name]
    parts = shares(winners, arena.sides)[:, places].mean(axis=1)
    level = drawn(winners, len(seated))
    return float(parts.sum()), int(((parts > 0) & ~level).sum()), int(level.sum())


def saved(arena: Arena, path: Path) -> None:
    half = path.with_name(path.name + ".half")
    half.write_bytes(msgspec.json.encode(arena))
    os.replace(half, path)


def continued(arena: Arena, path: Path) -> Arena:
    """Return the arena that a file holds, to go on with; BadArena if it is another one."""
    if not path.exists():
        return arena
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Arena)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadArena(f"{path} is not the file of an arena: {error}") from None
    for name in ("game", "options", "bots", "seed", "sprt"):
        is_, wanted = (msgspec.json.encode(getattr(entry, name)).decode() for entry in (found.entry, arena.entry))
        if is_ != wanted:
            raise BadArena(f"{path} was begun with {name} {is_}, not {wanted}: name another file")
    if (found.format, found.version) != (FORMAT, __version__):
        raise BadArena(f"{path} was begun by version {found.version}, this is {__version__}: name another file")
    found.entry = arena.entry  # more games may be asked for
    return found
