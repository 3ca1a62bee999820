"""Matches between levels: which ones are played, and the file that keeps every finished chunk of them.

A match is a pure function of its contest and its number. So a stopped run goes on, several runs may share a file, and
the number of workers changes nothing.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
from bot_sources import digest
from open_spiel_matches import OpenSpielMatch, Played

from ludoteca.core import registry
from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import Game, OptionValue
from ludoteca.lab.batch import play_batch
from ludoteca.lab.plan import Plan, planned
from ludoteca.lab.rating import interval
from ludoteca.lab.summary import sides_of
from ludoteca.lab.workers import in_order
from ludoteca.search import bots

TEAMS, START = "teams", "start"  # options that a game may have: whether there are teams, and who begins


class Table(NamedTuple):
    """A way to sit down to a game: what is agreed, and the side of every seat."""

    options: dict[str, OptionValue]
    sides: tuple[int, ...]

    @property
    def fair(self) -> float:
        """The share of a side among equals."""
        return 1 / len(set(self.sides))

    @property
    def name(self) -> str:
        sizes = sorted(Counter(self.sides).values())
        teams = "" if sizes[-1] == 1 else " in teams" if sizes[0] > 1 else f", {' against '.join(map(str, sizes))}"
        return f"{len(self.sides)} players{teams}"


def tables(game: Game) -> Iterator[Table]:
    """Yield the tables of a game, two players first: each number of players, and teams where the game has them.

    If a lot decides who plays with whom, seat 1 begins instead.
    """
    for players in game.players:
        seen = set[tuple[int, ...]]()
        for teams in _choices(game, TEAMS):
            for start in ({}, {START: 1}):
                table = _table(game, {"players": players, **teams, **start})
                if table and len(set(table.sides)) > 1:
                    if table.sides not in seen:
                        yield table
                    seen.add(table.sides)
                    break


def _choices(game: Game, name: str) -> list[dict[str, OptionValue]]:
    """Return the values of an option, or nothing to agree on if the game does not have it."""
    return [{name: value} for option in game.options if option.name == name for value in option.choices] or [{}]


def _table(game: Game, given: dict[str, OptionValue]) -> Table | None:
    try:
        plan = planned(game.key, given, [bots.RANDOM], 1, "")
    except LudotecaError:  # teams of three
        return None
    return Table(plan.options, tuple(sides_of(plan)))


class Contest(msgspec.Struct, frozen=True):
    """One side of a level against others of another level. Its matches are numbered from 1."""

    game: str
    options: dict[str, OptionValue]
    level: str
    against: str
    seed: str
    digest: str

    @property
    def key(self) -> bytes:
        return msgspec.json.encode(self, order="deterministic")


def contest(game: str, table: Table, level: str, against: str, seed: str) -> Contest:
    return Contest(game, table.options, level, against, seed, digest(game, (level, against)))


def seatings(sides: Sequence[int], level: str, against: str) -> list[tuple[str, ...]]:
    """Return who sits where: the level takes every side once. A level against itself has one seating."""
    turns = [tuple(level if side == own else against for side in sides) for own in sorted(set(sides))]
    return turns if level != against else turns[:1]


class Chunk(msgspec.Struct, frozen=True, tag="matches"):
    """Some finished matches of a contest, one hexadecimal digit each: the winners as bits by seat, and who began."""

    contest: Contest
    first: int
    winners: str
    starters: str  # a seat from 1; 0 if nobody began


class Pace(msgspec.Struct, frozen=True, tag="pace"):
    """The processor time of a level for each turn."""

    game: str
    level: str
    digest: str
    seconds: list[float]


Line = Chunk | Pace | OpenSpielMatch  # of the file of finished work


class Match(NamedTuple):
    winners: int  # bits by seat
    starter: int  # a seat from 1


class Kept:
    """The file of finished work: one line for each chunk. Runs only append; `tidy` alone writes it anew."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.unreadable = 0
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and (content := path.read_bytes()) and not content.endswith(b"\n"):
            self._write(b"\n")  # the last writer was killed while it wrote: its line is lost, the next one is not

    def add(self, line: Line) -> None:
        self._write(msgspec.json.encode(line) + b"\n")

    def _write(self, content: bytes) -> None:
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(file, content)  # one call: lines of several writers never mix
        finally:
            os.close(file)

    def replace(self, lines: Iterable[Line]) -> None:
        whole = self.path.with_suffix(".new")
        whole.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
        whole.replace(self.path)

    def lines(self) -> Iterator[Line]:
        decoder = msgspec.json.Decoder(Line)
        self.unreadable = 0
        for line in self.path.read_bytes().splitlines() if self.path.exists() else ():
            try:
                yield decoder.decode(line)
            except msgspec.DecodeError:
                self.unreadable += bool(line)


class Results:
    """What a file has about the bots as they are now."""

    def __init__(self, kept: Kept) -> None:
        self._matches: dict[bytes, dict[int, Match]] = {}
        self._paces: dict[tuple[str, str, str], list[float]] = {}
        self._open_spiel: list[OpenSpielMatch] = []
        for line in kept.lines():
            if isinstance(line, Pace):
                self._paces[line.game, line.level, line.digest] = line.seconds
                continue
            if isinstance(line, OpenSpielMatch):
                self._open_spiel.append(line)
                continue
            matches = self._matches.setdefault(line.contest.key, {})
            for place, (winners, starter) in enumerate(zip(line.winners, line.starters, strict=True)):
                matches[line.first + place] = Match(int(winners, 16), int(starter, 16))

    def of(self, asked: Contest) -> dict[int, Match]:
        """Return the finished matches of a contest by number."""
        return self._matches.get(asked.key, {})

    def pace(self, game: str, level: str) -> list[float] | None:
        """Return the seconds of each turn, or None if they were not measured."""
        return self._paces.get((game, level, digest(game, (level,))))

    def against_open_spiel(self, game: str, level: str, times: float, least: int | None = None) -> dict[int, Played]:
        """Return the matches of a level against OpenSpiel's search by number; `least` None: whatever it was."""
        asked = (game, level, digest(game, (level,)), times)
        return {
            one.number: one.played
            for one in self._open_spiel
            if (one.game, one.level, one.digest, one.times) == asked and least in (None, one.least)
        }


def play_chunk(asked: Contest, path: Path, numbers: range) -> int:
    """Play the matches with these numbers and append them to the file. Return how many they are."""
    plan = Plan(asked.game, asked.options, (asked.level,) * int(asked.options["players"] or 0), 1, asked.seed)
    seated = seatings(sides_of(plan), asked.level, asked.against)
    played: dict[int, Match] = {}
    for place, names in enumerate(seated):
        own = [number for number in numbers if (number - 1) % len(seated) == place]
        if own:
            rounds = range((own[0] - 1) // len(seated) + 1, (own[-1] - 1) // len(seated) + 2)
            batch = play_batch(Plan(asked.game, asked.options, names, len(rounds), asked.seed), False, rounds)
            for number, winners, starter in zip(own, batch.winners.tolist(), batch.starters.tolist(), strict=True):
                played[number] = Match(winners, starter)
    Kept(path).add(chunk_of(asked, numbers, played))
    return len(numbers)


def chunk_of(asked: Contest, numbers: range, played: dict[int, Match]) -> Chunk:
    winners = "".join(f"{played[number].winners:x}" for number in numbers)
    starters = "".join(f"{played[number].starter:x}" for number in numbers)
    return Chunk(asked, numbers.start, winners, starters)


def is_current(key: str, names: Sequence[str], known: str) -> bool:
    """Return whether a digest is that of these bots as they are now."""
    is_there = key in registry.game_keys() and set(names) <= set(bots.names(registry.game(key)))
    return is_there and digest(key, names) == known


def tidy(kept: Kept) -> None:
    """Write the file anew without results of bots that have changed, and with as few lines as possible."""
    results, lines = Results(kept), dict[bytes, Line]()
    for line in kept.lines():
        if isinstance(line, Pace):
            if is_current(line.game, (line.level,), line.digest):
                lines[f"{line.game} {line.level}".encode()] = line
        elif isinstance(line, OpenSpielMatch):
            if is_current(line.game, (line.level,), line.digest):
                lines[f"{line.game} {line.level} {line.times} {line.least} {line.number}".encode()] = line
        elif is_current(line.contest.game, (line.contest.level, line.contest.against), line.contest.digest):
            played = results.of(line.contest)
            absent = set(range(1, max(played) + 1)) - set(played)
            for numbers in missing(absent, max(played)):
                lines[line.contest.key + str(numbers.start).encode()] = chunk_of(line.contest, numbers, played)
    kept.replace(lines.values())


def missing(done: Iterable[int], matches: int) -> list[range]:
    """Return the numbers from 1 to `matches` that are not done, as ranges."""
    found, first, known = [], 1, set(done)
    for number in range(1, matches + 2):
        if number in known or number > matches:
            if first < number:
                found.append(range(first, number))
            first = number + 1
    return found


def play(
    asked: Contest, matches: int, kept: Kept, workers: int, watch: Callable[[int], None] = lambda added: None
) -> None:
    """Play what is missing of so many matches of a contest."""
    for numbers in missing(Results(kept).of(asked), matches):
        for added in in_order(partial(play_chunk, asked, kept.path), numbers, workers, asked.game):
            watch(added)


class Score(NamedTuple):
    """The share of a level in a contest."""

    matches: int
    points: float
    independent: float  # matches, each for itself, that would tell as much

    @property
    def share(self) -> float:
        return self.points / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        return interval(self.share, self.independent)


def points_of(winners: int, sides: Sequence[int], side: int) -> float:
    """Return a side's part of a win, which tied sides share. Without a winner all sides tie."""
    won = {own for place, own in enumerate(sides) if winners >> place & 1} or set(sides)
    return 1 / len(won) if side in won else 0.0


def score(sides: Sequence[int], matches: dict[int, Match]) -> Score | None:
    """Return the share of a contest's level. Only whole rounds count: a match in every seating, with the same draws."""
    order = sorted(set(sides))
    rounds = [
        sum(points_of(matches[first + k].winners, sides, side) for k, side in enumerate(order))
        for first in range(1, max(matches, default=0) + 1, len(order))
        if all(first + place in matches for place in range(len(order)))
    ]
    return Score(len(rounds) * len(order), sum(rounds), independent(rounds, len(order))) if rounds else None


def independent(rounds: Sequence[float], size: int) -> float:
    """Return how many matches, each for itself, would tell as much as rounds of this size with these points.

    Matches of a round are not independent. Where the seat decides, a round nearly always brings the same points, and
    some rounds tell as much as many matches; where the draws decide, the matches of a round end alike. One more round,
    with the variance of independent matches, keeps a few rounds from telling too much.
    """
    mean = sum(rounds) / len(rounds)
    by_chance = mean * (1 - mean / size)  # the variance of a round's points, if its matches were independent
    variance = (sum((points - mean) ** 2 for points in rounds) + by_chance) / len(rounds)
    return len(rounds) * size * by_chance / variance if variance else float(len(rounds) * size)


def starter_score(sides: Sequence[int], matches: dict[int, Match]) -> tuple[Score, int] | None:
    """Return the share of the player who began, and how many matches were drawn."""
    began = [match for match in matches.values() if match.starter]
    if not began:
        return None
    parts = [points_of(match.winners, sides, sides[match.starter - 1]) for match in began]
    return Score(len(parts), sum(parts), len(parts)), sum(0 < part < 1 for part in parts)
