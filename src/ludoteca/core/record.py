"""The record of a match, as docs/notation.md has it, and files of records."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ludoteca.core.errors import BadRecord

FORMAT = "ludoteca/1"


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
    """The fairness seal as everybody may see it; the seed is there once the match has a result."""

    match: str
    commitment: str
    bytes: tuple[str, ...]
    seed: str | None = None


class Record(msgspec.Struct, frozen=True):
    format: str
    game: str
    rules: int
    options: dict[str, Any]
    seats: tuple[Seat, ...]
    log: tuple[Entry, ...]
    result: Result | None
    seal: SealRecord | None = None


_decoder = msgspec.json.Decoder(Record)


def to_json(record: Record) -> bytes:
    return msgspec.json.encode(record)


def from_json(line: bytes | str) -> Record:
    try:
        record = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(0, f"not a record: {error}") from None
    if record.format != FORMAT:
        raise BadRecord(0, f"unknown format {record.format!r}, this reads {FORMAT!r}")
    return record


def lines_of(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that hold something, with their numbers."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield number, line
