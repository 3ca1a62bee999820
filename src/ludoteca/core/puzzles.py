"""Puzzles: positions of matches with one clearly best move or turn. They are data in a game's folder.

`puzzles.jsonl.gz` has a match on each line, as far as its last puzzle, and the puzzles in it. `ludoteca puzzles GAME`
mines them (search/mining.py); docs/puzzles.md says what the fields mean.
"""

import gzip
import zlib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import msgspec

from ludoteca.core import registry
from ludoteca.core.chance import Seal
from ludoteca.core.errors import BadRecord, UnknownPuzzle
from ludoteca.core.game import OptionValue
from ludoteca.core.match import Match, Transition
from ludoteca.core.record import Entry

FILE = "puzzles.jsonl.gz"
GAP = 0.3  # the best move leaves at least this much more of the chance to win than the second
FIRST_RATING = 1000  # of somebody who solved none yet
EARLY, EARLY_STEP, STEP = 20, 48, 20  # the first answers move a rating more than the later ones
Written = tuple[int, str]  # a seat, 0 for the table, and its move


class Puzzle(msgspec.Struct, frozen=True):
    """A position, and the moves that solve it. More than one move is a whole turn."""

    at: int  # entries of the log that lead to the position
    seat: int
    kind: str  # win, score, defend or plan, or the game's own word
    moves: tuple[str, ...]
    chance: float  # to win, after the best move
    second: float  # the same after the second best one
    other: str  # that move
    line: tuple[Written, ...]  # how it may go on after the last of the moves
    rating: int
    solved: dict[str, tuple[int, int]]  # by level: how often it solved the puzzle, and how often it tried


class MinedMatch(msgspec.Struct, frozen=True):
    number: int  # its seed
    options: dict[str, OptionValue]
    log: tuple[Written, ...]
    puzzles: tuple[Puzzle, ...]


class Found(NamedTuple):
    """A puzzle with the match that it comes from."""

    id: str
    mined: MinedMatch
    puzzle: Puzzle


_decoder = msgspec.json.Decoder(MinedMatch)


def file_of(key: str) -> Path:
    return Path(str(resources.files(f"ludoteca.games.{key}").joinpath(FILE)))


def read_mined(path: Path) -> list[MinedMatch]:
    """Return the matches of a file of puzzles, also those without any."""
    if not path.is_file():
        return []
    try:
        return [_decoder.decode(line) for line in gzip.decompress(path.read_bytes()).splitlines() if line]
    except (msgspec.DecodeError, EOFError, OSError, zlib.error) as error:
        raise BadRecord(0, f"{path.name}: {error}") from None


def append_mined(path: Path, mined: Iterable[MinedMatch]) -> None:
    """Write matches behind those that a file has."""
    with path.open("ab") as file:
        file.write(_packed(mined))


def write_mined(path: Path, mined: Iterable[MinedMatch]) -> None:
    path.write_bytes(_packed(mined))


def _packed(mined: Iterable[MinedMatch]) -> bytes:
    """Return matches as they are in a file: the same matches give the same bytes."""
    return gzip.compress(b"".join(msgspec.json.encode(one) + b"\n" for one in mined), mtime=0)


@cache
def puzzles_of(key: str) -> dict[str, Found]:
    """Return the puzzles of a game by their ids, the easiest first."""
    registry.game(key)
    found = [Found(id_of(one, puzzle), one, puzzle) for one in read_mined(file_of(key)) for puzzle in one.puzzles]
    return {one.id: one for one in sorted(found, key=lambda one: (one.puzzle.rating, one.id))}


def id_of(mined: MinedMatch, puzzle: Puzzle) -> str:
    return f"{mined.number}-{puzzle.at}"


def puzzle_of(key: str, id_: str) -> Found:
    if (found := puzzles_of(key).get(id_)) is None:
        raise UnknownPuzzle(f"{key}/{id_}")
    return found


def begun(key: str, found: Found) -> tuple[Match, list[Transition]]:
    """Return a match that stands where a puzzle begins, and what led there. It draws the same for the same puzzle."""
    match = Match(registry.game(key), found.mined.options)
    made = match.follow(entries(found.mined.log[: found.puzzle.at]))
    match.seal = Seal.derived("puzzle", len(match.seats), key, found.id)
    return match, made


def entries(written: Iterable[Written]) -> list[Entry]:
    return [Entry(by, move) for by, move in written]


def expectation(rating: float, of: float) -> float:
    """Return how often a solver of one rating solves a puzzle of another, by Elo's formula."""
    return float(1 / (1 + 10 ** ((of - rating) / 400)))


def rated(rating: int, of: int, share: float, tried: int) -> int:
    """Return a solver's rating after a puzzle of some rating: solved (1), nearly (0.5) or not (0), `tried` before."""
    step = EARLY_STEP if tried < EARLY else STEP
    return round(rating + step * (share - expectation(rating, of)))
