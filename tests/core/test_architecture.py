"""Imports go one way, words live in message files, and `--help` loads no compiler."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ludoteca

PACKAGE = Path(ludoteca.__file__).parent
MAY_IMPORT = {
    "core": {"core"},
    "games": {"core", "games"},
    "search": {"core", "search"},
    "lab": {"core", "games", "search", "lab", "rl"},
    "rl": {"core", "games", "search", "rl"},
    "server": {"core", "games", "search", "server"},
}


def imported_rooms(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] + [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "ludoteca" and len(parts) > 1 and (PACKAGE / parts[1]).is_dir():
                yield parts[1]


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_go_one_way(room):
    for path in (PACKAGE / room).rglob("*.py"):
        if path == PACKAGE / "core" / "registry.py":
            continue  # it finds the games by their folders and imports them by name
        assert set(imported_rooms(path)) <= MAY_IMPORT[room], path


def test_a_game_imports_no_other_game():
    for path in (PACKAGE / "games").rglob("*.py"):
        key = path.relative_to(PACKAGE / "games").parts[0]
        found = set(re.findall(r"ludoteca\.games\.(\w+)", path.read_text("utf-8")))
        assert found <= {key}, path


def test_the_rooms_of_a_table_do_not_know_the_table():
    """A table hands its rooms what they need; none of them can reach another one through it."""
    found = {path.name for path in (PACKAGE / "server").rglob("*.py") if "ludoteca.server.table " in path.read_text()}
    assert found == {"socket.py", "tables.py"}


@pytest.mark.parametrize("folder", sorted(PACKAGE.rglob("words")), ids=lambda path: path.parent.name)
def test_every_language_says_everything(folder):
    words = {path.stem: json.loads(path.read_text("utf-8")) for path in folder.glob("*.json")}
    assert {"en", "it"} <= set(words)
    for language, said in words.items():
        assert list(said) == list(words["en"]), language
        for key, text in said.items():
            assert sorted(re.findall(r"{\w+}", text)) == sorted(re.findall(r"{\w+}", words["en"][key])), (language, key)


def test_help_loads_no_compiler():
    program = (
        "import sys, ludoteca.cli as c\ntry: c.main(['--help'])\nexcept SystemExit: pass\nprint(sorted(sys.modules))"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    for heavy in ("numba", "numpy", "litestar"):
        assert f"'{heavy}'" not in shown


def test_environments_are_loaded_by_those_who_ask_for_them():
    """The libraries of the extra `rl` cost seconds and megabytes: nothing else of the package imports them."""
    program = (
        "import sys, ludoteca.cli, ludoteca.lab, ludoteca.server.app\n"
        "import ludoteca.search.compiling, ludoteca.search.matches\n"
        "from ludoteca.core import registry\n"
        "for key in registry.game_keys(): registry.game(key)\n"
        "print(sorted(sys.modules))"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    for library in ("gymnasium", "pettingzoo", "pyspiel", "pygame", "ludoteca.rl"):
        assert f"'{library}'" not in shown


def test_what_an_extra_brings_is_asked_for_in_words():
    program = (
        "import ludoteca.lab as lab\n"
        "import ludoteca.lab.extras as extras\n"
        "extras.find_spec = lambda name: None\n"
        "try: lab.VectorEnv\nexcept Exception as error: print(type(error).__name__, error)"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "MissingExtra" in shown
    assert "ludoteca[rl]" in shown
