"""A finished match against OpenSpiel's tree search as it is kept, and what several of them say together."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from ludoteca.lab.rating import interval

WANTED = 0.95


class Played(NamedTuple):
    """One match: our share of the win, and what both took."""

    share: float
    ours: int  # our decisions
    our_seconds: float
    its: int  # OpenSpiel's decisions
    its_seconds: float
    due_seconds: float  # what our level took in the positions that OpenSpiel decided
    simulations: int


class OpenSpielMatch(msgspec.Struct, frozen=True, tag="open_spiel"):
    """A match of a level. OpenSpiel's bot had so many `times` its time, and at least so many simulations."""

    game: str
    level: str
    digest: str
    times: float
    least: int
    number: int
    played: Played


class Together(NamedTuple):
    """What some matches say. Times are seconds of processor time for a decision."""

    matches: int
    share: float
    low: float
    high: float
    ours: float
    its: float
    due: float
    simulations: float


def together(all_: Sequence[Played]) -> Together:
    share = sum(one.share for one in all_) / len(all_)
    ours, its = sum(one.ours for one in all_), sum(one.its for one in all_)
    return Together(
        len(all_),
        share,
        *interval(share, len(all_)),
        sum(one.our_seconds for one in all_) / ours,
        sum(one.its_seconds for one in all_) / its,
        sum(one.due_seconds for one in all_) / its,
        sum(one.simulations for one in all_) / its,
    )
