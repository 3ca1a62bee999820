"""A bot's level: a fixed amount of work, written as data in a game's guide.py."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec


class Lookahead(msgspec.Struct, frozen=True):
    """Depth-first search: `turns` deep, trying at each ply the number of moves that `widths` has for it."""

    turns: int
    widths: tuple[int, ...]
    noise: float = 0.01  # at most this much is added to a move's value: the bot overlooks more
    samples: int = 0  # where chance has more outcomes, look at this many, spread over its odds; 0: all
    learned: bool = False  # values positions by what was learned from matches (search/learned.py)
    proves: int = 0  # positions to look at, at most, to prove the result of an ending before anything else is searched
    among_many: "Lookahead | None" = None  # plays in its place where more than two players sit at the table


class TreeSearch(msgspec.Struct, frozen=True):
    """Tree search with playouts.

    With `deals`, which needs a game with secrets, it infers what the others hold: it weighs that many deals by what
    the others have played, and prefers the moves that a good player would choose (search/informed.py). It may then
    have `learned`, as in Lookahead: it asks for the value of a position where others begin a playout.
    """

    simulations: int
    exploration: float = 1.0
    proves: int = 0  # as in Lookahead
    deals: int = 0
    learned: bool = False


Level = Lookahead | TreeSearch


def level_at(level: Level, players: int) -> Level:
    """Return what plays for a level at a table of this many players."""
    if isinstance(level, Lookahead) and level.among_many and players > 2:
        return level.among_many
    return level


class Judging(msgspec.Struct, frozen=True):
    """How positions of a game are judged: a quick look at every move, then a deep one at the best few."""

    quick: Level
    deep: Level
    candidates: int = 4
    proves: int = 0  # positions to look at, at most, to prove an ending; with secrets, a win within one's own turn


class Weighed(NamedTuple):
    """A move, and what it is worth to the seat that makes it, in the unit of the game's search, with its error."""

    move: str
    lead: float
    error: float = 0.0


USUAL = "casual"
SPARRING = "club"


def usual_level(names: Sequence[str]) -> str | None:
    """Return the level that is offered first; it also stands in for an absent player. `names` has the weakest first."""
    if USUAL in names:
        return USUAL
    return names[len(names) // 2] if names else None


def sparring_level(names: Sequence[str]) -> str:
    """Return the level that plays on in puzzles: strong, but quick. `names` has the weakest first."""
    return SPARRING if SPARRING in names else names[-2]
