"""A test with its id proves every rule of every game."""

import ast
from functools import cache
from pathlib import Path

import example_games
import pytest
from numbered_rules import rule_ids

from ludoteca.core import registry


@cache
def marked_rules():
    """Read the ids from the sources: running a part of the suite must not hide the other part."""
    marked = set()
    for path in Path(__file__).parent.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("rule", "pytest.mark.rule"):
                marked |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
    return marked


@pytest.mark.parametrize("game", [*registry.game_keys(), *example_games.KEYS])
def test_every_rule_has_a_test(game):
    ids, marked = rule_ids(game), marked_rules()
    assert ids
    assert [rule for rule in ids if rule not in marked] == []
