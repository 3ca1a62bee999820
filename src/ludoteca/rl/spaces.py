"""The spaces of a game's environments: a tensor with a mask of the legal moves, or a tensor alone where moves have no
numbers."""

from typing import Any

import numpy as np
from gymnasium import spaces

from ludoteca.core import registry, tensors
from ludoteca.core.kernel_game import KernelGame


def tensor_space(key: str) -> spaces.Box:
    code = tensors.encoding(key)
    return spaces.Box(getattr(code, "LOWEST", 0.0), code.HIGHEST, code.SHAPE, np.float32)


def observation_space(key: str) -> spaces.Space[Any]:
    game = registry.game(key)
    if not isinstance(game, KernelGame):
        return tensor_space(key)
    mask = spaces.Box(0, 1, (game.rules.MAX_MOVES,), np.int8)
    return spaces.Dict({"observation": tensor_space(key), "action_mask": mask})


def action_space(key: str) -> spaces.Space[Any]:
    game = registry.game(key)
    if isinstance(game, KernelGame):
        return spaces.Discrete(game.rules.MAX_MOVES)
    return spaces.Box(-1.0, 1.0, (tensors.encoding(key).ACTIONS,), np.float32)


def observed(table: Any, seat: int) -> Any:
    """Return what a seat at a table sees, as its observation space has it."""
    mask = table.mask(seat)
    observation = table.observe(seat)
    return observation if mask is None else {"observation": observation, "action_mask": mask}
