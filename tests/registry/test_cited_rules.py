"""Every refusal of a game names the section of the players' rules that it cites: cites.json in its browser's folder."""

import ast
import json
from pathlib import Path

import example_games
import pytest

from ludoteca.core import registry

ROOT = Path(__file__).parents[2]
KEYS = [*registry.game_keys(), *example_games.KEYS]


def python_folder(key: str) -> Path:
    return ROOT / ("examples" if key in example_games.KEYS else "src/ludoteca/games") / key


def web_folder(key: str) -> Path:
    return ROOT / "web/src" / ("examples" if key in example_games.KEYS else "games") / key


def words(key: str, language: str = "en") -> dict[str, str]:
    return json.loads((python_folder(key) / f"words/{language}.json").read_text("utf-8"))


def cites(key: str) -> dict[str, str | None]:
    path = web_folder(key) / "cites.json"
    assert path.exists(), f"{path.relative_to(ROOT)} is missing: name in it the section of the rules for each refusal"
    return json.loads(path.read_text("utf-8"))


def refusing(node: ast.AST) -> bool:
    """Return whether a function says why a move is refused."""
    if not isinstance(node, ast.FunctionDef):
        return False
    called = (call.func for call in ast.walk(node) if isinstance(call, ast.Call))
    return node.name == "refusal" or any(isinstance(name, ast.Name) and name.id == "Refusal" for name in called)


def refusals(key: str) -> set[str]:
    """Return the words of a game that its code names where it refuses a move."""
    known, found = words(key), set()
    for file in python_folder(key).glob("*.py"):
        for function in filter(refusing, ast.walk(ast.parse(file.read_text("utf-8")))):
            texts = {part.value for part in ast.walk(function) if isinstance(part, ast.Constant)}
            names = {text.removeprefix(f"{key}.") for text in texts if isinstance(text, str)}
            found |= {name for name in names if name in known and len(known[name].split()) > 2}
            found |= {name for name in known for start in names if start.endswith(".") and name.startswith(start)}
    return found


@pytest.mark.parametrize("key", KEYS)
def test_every_refusal_cites_a_rule(key: str) -> None:
    found = refusals(key)
    assert found, f"no function `refusal` of {key} names words of its words/en.json"
    assert found <= set(cites(key)), "write them in cites.json; null for what no player can meet"
    assert set(cites(key)) <= set(words(key))


@pytest.mark.parametrize("key", KEYS)
def test_every_cited_rule_is_a_section(key: str) -> None:
    folder = web_folder(key)
    page = (folder / "Rules.svelte").read_text("utf-8")
    for section in {section for section in cites(key).values() if section}:
        title = f'<h3>{{say("{section}.title")}}</h3>'
        assert title in page.replace("told(", "say("), f"write the section as {title} in Rules.svelte of {key}"
        for language in ("en", "it"):
            assert f"rules.{section}.title" in json.loads((folder / f"words/{language}.json").read_text("utf-8"))
