"""Hints between nodes: gathered, sent as one notification, read again. A lost one is made good by catching up."""

from collections import Counter
from collections.abc import Iterator

import msgspec

MOST_ITEMS = 50  # of each kind in one notification: PostgreSQL takes 8000 bytes


class Hints(msgspec.Struct, omit_defaults=True):
    node: str
    tables: list[str] = []  # have changed in the database
    here: list[str] = []  # tables where somebody came or left
    revoked: list[tuple[str, int]] = []  # guests, and the moment before which cookies are worthless
    used: dict[str, int] = {}  # allowances that addresses used up since the last notification
    open: dict[str, int] = {}  # connections of each address on this node
    lobby: bool = False
    left: bool = False  # this node ends: its tables are free


_decoder = msgspec.json.Decoder(Hints)


class Gathered:
    """What the next notification will say."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.tables: set[str] = set()
        self.here: set[str] = set()
        self.revoked: dict[str, int] = {}
        self.used: Counter[str] = Counter()
        self.open: dict[str, int] = {}
        self.lobby = False

    def taken(self, node: str) -> Iterator[Hints]:
        """Yield notifications that are small enough, and gather anew."""
        tables, here = sorted(self.tables), sorted(self.here)
        revoked, used, opened = sorted(self.revoked.items()), sorted(self.used.items()), sorted(self.open.items())
        longest = max(len(tables), len(here), len(revoked), len(used), len(opened), int(self.lobby))
        lobby = self.lobby
        self.clear()
        for start in range(0, longest, MOST_ITEMS):
            part = slice(start, start + MOST_ITEMS)
            yield Hints(
                node, tables[part], here[part], revoked[part], dict(used[part]), dict(opened[part]), lobby and not start
            )


def text(hints: Hints) -> str:
    return msgspec.json.encode(hints).decode()


def read(text: str) -> Hints | None:
    """Return the hints in a notification; None if another program, or a later version, wrote it."""
    try:
        return _decoder.decode(text)
    except msgspec.DecodeError:
        return None
