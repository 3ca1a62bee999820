"""Every message that a game or the core can say has its words. A key that is composed must match some."""

import ast
import json
import re
from pathlib import Path

import example_games
import pytest

from ludoteca import core, games

PLACES = {
    "core": Path(core.__path__[0]),
    **{path.parent.name: path.parent for place in games.__path__ for path in sorted(Path(place).glob("*/game.py"))},
}


def pattern(node):
    """Return the text that an expression makes, as a regular expression, or None if it is not a text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.escape(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(pattern(part) if isinstance(part, ast.Constant) else ".+" for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return (pattern(node.left) or ".+") + (pattern(node.right) or ".+")
    return None


def keys_in_use(room):
    """Return the keys in a room's sources, as regular expressions with their places.

    A key is any text that begins with the name of the room and a dot, also one in a table or a variable.
    """
    begins = re.compile(rf"{room}\\\.[a-z]")
    for path in PLACES[room].rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            text = pattern(node) if isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp) else None
            if text and begins.match(text) and not text.endswith("\\."):
                yield text, f"{path.name}:{node.lineno}"


@pytest.mark.parametrize("room", PLACES)
def test_every_message_key_in_use_exists(room):
    known = [f"{room}.{key}" for key in json.loads((PLACES[room] / "words" / "en.json").read_text("utf-8"))]
    used = list(keys_in_use(room))
    assert used
    for text, place in used:
        assert any(re.fullmatch(text, key) for key in known), (
            f"{place} says {text}: write it in words/en.json of {room}"
        )


def test_the_example_is_one_of_them():
    assert set(example_games.KEYS) < set(PLACES)
