"""Matches between bots of a game without a kernel, kept in a folder: what is read off them can be read off again.

Every match is a file of its own, so that several processes may play, and a run that was stopped goes on. The folder's
name has a digest of the bots: matches of other bots are never used.
"""

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec
from bot_sources import level_text, meaning, sources

from ludoteca.core.record import Record
from ludoteca.lab.plan import planned, play_one
from ludoteca.search.judge import advice_of

DECODER = msgspec.json.Decoder(Record)


def table_of(levels: Sequence[str], players: int, number: int) -> tuple[str, ...]:
    """Return who plays the match with this number: players of one level, each level in its turn."""
    return (levels[number % len(levels)],) * players


def played(key: str, names: Sequence[str], number: int, seed: str, kept: Path | None) -> Record:
    """Return a match from the folder, or play it and keep it there."""
    path = kept / f"{key}-{seed}-{_bots(key, names)}" / f"{'-'.join(names)}-{number}.json" if kept else None
    if path and path.exists():
        return DECODER.decode(path.read_bytes())
    record = play_one(planned(key, {"players": len(names)}, names, 1, "-".join((seed, *names))), number)
    shortened = getattr(advice_of(key), "shortened", str)
    log = tuple(msgspec.structs.replace(entry, move=shortened(entry.move)) for entry in record.log)
    record = msgspec.structs.replace(record, log=log)
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = path.with_suffix(".part")
        whole.write_bytes(msgspec.json.encode(record))
        whole.replace(path)
    return record


@cache
def _bots(key: str, names: Sequence[str]) -> str:
    """Return a digest of the levels and of the sources by which they play. Numbers for reviews alone do not count."""
    found = hashlib.sha256("".join(level_text(key, name) for name in names).encode())
    for module, path in sorted(sources(key).items()):
        found.update(f"{module}\0{meaning(path.read_text('utf-8'))}\0".encode())
    return found.hexdigest()[:12]
