"""The cache of compiled code: which changes renew it, and which do not."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np

from ludoteca.core import compiler


def test_every_file_that_compiles_or_is_bound_renews_the_cache() -> None:
    modules = compiler.compiled_sources()
    assert {"ludoteca.core.kernel", "ludoteca.core.questions", "ludoteca.search.tree"} <= modules.keys()
    for file in (compiler.PACKAGE / "games").glob("*/*.py"):
        if "@compiled" in file.read_text(encoding="utf-8"):
            assert f"ludoteca.games.{file.parent.name}.{file.stem}" in modules


def test_a_file_that_nothing_compiled_imports_does_not_renew_the_cache() -> None:
    modules = compiler.compiled_sources()
    assert not {"ludoteca.core.match", "ludoteca.server.app", "ludoteca.cli"} & modules.keys()


OUTSIDE = {
    "tricks.py": "from ludoteca.core.compiler import compiled\n\n@compiled\ndef tricks():\n    return 13\n",
    "rules.py": "from tricks import tricks\nfrom ludoteca.core.compiler import compiled\n\n"
    "@compiled\ndef score():\n    return 2 * tricks()\n\nprint(score())\n",
}


def test_a_change_in_any_file_of_a_game_outside_the_package_compiles_it_anew(tmp_path: Path) -> None:
    """Numba alone would load the old score from the cache: the file of `score` has not changed."""
    for name, source in OUTSIDE.items():
        (tmp_path / name).write_text(source)

    def score() -> int:
        environment = os.environ | {"LUDOTECA_CACHE": str(tmp_path / "cache")}
        program = [sys.executable, str(tmp_path / "rules.py")]
        return int(subprocess.run(program, env=environment, capture_output=True, check=True).stdout)

    assert score() == 26
    (tmp_path / "tricks.py").write_text(OUTSIDE["tricks.py"].replace("13", "12"))
    assert score() == 24


def test_copies_of_the_same_sources_share_one_cache(tmp_path: Path) -> None:
    environment = os.environ | {"LUDOTECA_CACHE": str(tmp_path / "cache"), "NUMBA_DEBUG_CACHE": "1"}
    environment.pop("NUMBA_CACHE_DIR", None)
    program = "from ludoteca.core.compiler import quotient; assert quotient(7, 2) == 3"

    def reported(copy: str) -> str:
        package = shutil.copytree(compiler.PACKAGE, tmp_path / copy / "ludoteca", ignore=shutil.ignore_patterns("web"))
        run = [sys.executable, "-c", program]
        return subprocess.run(
            run, env=environment | {"PYTHONPATH": str(package.parent)}, capture_output=True, text=True, check=True
        ).stdout

    assert "data saved to" in reported("one")
    second = reported("two")
    assert "data loaded from" in second
    assert "data saved to" not in second


def test_imports_in_every_form_are_followed() -> None:
    source = b"import ludoteca.one\nfrom ludoteca import two\nfrom ludoteca.three import (\n    four,\n    five,\n)\n"
    assert set(compiler._imported(source)) >= {
        "ludoteca.one",
        "ludoteca.two",
        "ludoteca.three",
        "ludoteca.three.four",
        "ludoteca.three.five",
    }


@compiler.compiled
def doubled(number):  # type: ignore[no-untyped-def]
    return 2 * number


@numba.njit  # without a cache: a caller that is loaded from there asks for no version of what it calls
def doubled_in_many_ways(small):  # type: ignore[no-untyped-def]
    return doubled(3), doubled(5), doubled(small[0]), doubled(len(small)), doubled(0.5)


def test_a_function_is_compiled_once_for_all_constants_and_widths() -> None:
    assert doubled_in_many_ways(np.array([7], np.int8)) == (6, 10, 14, 2, 1.0)
    assert [str(kind) for (kind,) in doubled.signatures] == ["int64", "float64"]
