"""The example that learns, with NumPy alone, beats random bots."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

FILE = Path(__file__).parents[2] / "examples" / "learn_tictacmatch.py"


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("learn_tictacmatch", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_learns_from_nothing_to_win_nine_matches_of_ten(example):
    """A fixed amount of work: 8 s of processor time. It ends at the same weights on every machine."""
    assert example.share_won(np.zeros(len(example.SAID))) < 0.6
    assert example.share_won(example.learn()) >= 0.9


def test_it_is_short_and_reads_only_the_observation(example):
    lines = FILE.read_text("utf-8").splitlines()
    assert len(lines) <= 150
    imported = [line for line in lines if line.startswith(("import ", "from "))]
    assert imported == ["from typing import Any", "import numpy as np", "from ludoteca.lab import VectorEnv"]


def test_it_names_the_planes_and_moves_that_the_game_has(example):
    from ludoteca.core import registry, tensors

    code, rules = tensors.encoding("tictacmatch"), registry.game("tictacmatch").rules
    assert code.PLANES[example.MINE_IS_X] == "identity of seat +0 is X"
    assert code.PLANES[0] == "X red on top"
    assert rules.MAX_MOVES == example.MOVES
