"""What docs/environments.md says of the observations is so."""

from pathlib import Path

import ludoteca.rl
from ludoteca.core import registry
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.tensors import encoding, symmetries

PAGE = (Path(__file__).parents[2] / "docs" / "environments.md").read_text("utf-8")


def test_the_table_tells_the_shapes():
    for key in registry.game_keys():
        game, code = registry.game(key), encoding(key)
        row = next((line for line in PAGE.splitlines() if line.startswith(f"| {game.name} |")), "")
        assert row, f"docs/environments.md has no line for {game.name} in its table of observations: write one"
        assert ludoteca.rl.environment_id(key) in PAGE
        if isinstance(game, KernelGame):
            planes, rows, columns = code.SHAPE
            assert f"| {planes} planes of {rows} x {columns} |" in row
            assert f"| {game.rules.MAX_MOVES}: " in row
            assert f"| {len(symmetries(key)) + 1}: " in row
        else:
            sides, bricks, numbers = code.SHAPE
            assert f"| {sides} sides x {bricks} bricks x {numbers} numbers | {code.ACTIONS} numbers" in row
