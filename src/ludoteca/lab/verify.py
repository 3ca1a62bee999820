"""Checks files of records: every entry by the rules, every draw by the seal."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ludoteca.core.errors import BadRecord
from ludoteca.core.match import Match
from ludoteca.core.record import from_json, lines_of


class Verdict(NamedTuple):
    line: int
    error: BadRecord | None
    sealed: bool = False  # whether every draw was recomputed from the seed


def verdicts(path: Path) -> Iterator[Verdict]:
    for number, line in lines_of(path):
        try:
            match = Match.load(from_json(line))
        except BadRecord as error:
            yield Verdict(number, error)
        else:
            yield Verdict(number, None, match.seal is not None)
