"""Why something may not be done, and bricks as words."""

from collections import Counter
from collections.abc import Iterable, Mapping

from ludoteca.core.words import Message, Value, message
from ludoteca.games.kingbrick.bricks import ALL_KINDS


class Refusal(Exception):
    """A move that can be read may not be made; the key names the reason in the words of this game."""

    def __init__(self, key: str, **params: Value) -> None:
        self.reason = message(f"kingbrick.{key}", **params)
        super().__init__(key)


def said(name: str, kind: str) -> Message:
    """A brick with its kind: `Champion r3`."""
    return message("kingbrick.brick", kind=message(f"kingbrick.{ALL_KINDS[kind].name}"), name=name)


def said_all(names: Iterable[str], kinds: Mapping[str, str]) -> Value:
    """Several bricks in a row; a word for none."""
    return [said(name, kinds[name]) for name in names] or message("kingbrick.none")


def said_army(letters: str) -> Value:
    """Return an army in words: `King, 4 x Champion, 12 x Guardian`."""
    counts = Counter(letters)
    kinds = {kind: message(f"kingbrick.{ALL_KINDS[kind].name}") for kind in counts}
    return [
        kinds[kind] if count == 1 else message("kingbrick.counted", n=count, kind=kinds[kind])
        for kind, count in counts.items()
    ]
