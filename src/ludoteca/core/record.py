"""The record of a match, as docs/notation.md defines it, and files of records."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ludoteca.core.errors import BadRecord

FORMAT = "ludoteca/2"
FORMATS = (BEFORE_COMMITMENTS := "ludoteca/1", FORMAT)  # in the first format seats gave their bytes one after another


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    by: int
    move: str
    t: int | None = None
    left: int | None = None
    score: int | None = None
    picks: tuple[tuple[int, int], ...] | None = None


class Seat(msgspec.Struct, frozen=True, omit_defaults=True):
    name: str
    bot: str | None = None


class Result(msgspec.Struct, frozen=True):
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str


class SealRecord(msgspec.Struct, frozen=True):
    """The public part of the fairness seal. The seed is in it once the match has a result."""

    match: str
    commitment: str
    bytes: tuple[str | None, ...]  # None: they follow from the seed and are revealed with it
    seed: str | None = None
    commits: tuple[str | None, ...] | msgspec.UnsetType = msgspec.UNSET


class Signature(msgspec.Struct, frozen=True):
    """A public key and its signature of the record, in hex (core/signing.py)."""

    key: str
    value: str


class Given(msgspec.Struct, frozen=True):
    """The position that a match began from: the first entries of its log come from another match.

    The seal of this match did not draw them. The other match is named once this one has a result.
    """

    entries: int  # how many
    match: str | None = None
    entry: int | None = None  # the position is the one after this entry of the other match


class Record(msgspec.Struct, frozen=True):
    format: str
    game: str
    rules: int
    options: dict[str, Any]
    seats: tuple[Seat, ...]
    log: tuple[Entry, ...]
    result: Result | None
    seal: SealRecord | None = None
    signature: Signature | msgspec.UnsetType = msgspec.UNSET
    given: Given | msgspec.UnsetType = msgspec.UNSET


_decoder = msgspec.json.Decoder(Record)


def to_json(record: Record) -> bytes:
    return msgspec.json.encode(record)


def from_json(line: bytes | str) -> Record:
    try:
        record = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(0, f"not a record: {error}") from None
    except RecursionError:
        raise BadRecord(0, "not a record: nested too deep") from None
    if record.format not in FORMATS:
        raise BadRecord(0, f"unknown format {record.format[:40]!r}, this reads {' and '.join(map(repr, FORMATS))}")
    if record.seal is not None and (record.seal.commits is msgspec.UNSET) != (record.format == BEFORE_COMMITMENTS):
        raise BadRecord(0, f"the seal is not of format {record.format!r}")
    return record


def lines_of(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file that are not empty, with their numbers."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield number, line
