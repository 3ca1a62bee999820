"""Environments for programs that learn, through the interfaces that they use already. This needs the extra `rl`.

Importing this package registers every game of the shelf with PettingZoo and with Gymnasium:

    import ludoteca.rl
    pettingzoo.make("aec", "ludoteca/pinpoint-v0")
    gymnasium.make("ludoteca/pinpoint-v0", bots="club")

`import ludoteca.rl.spiel` registers the games that have a kernel with OpenSpiel. docs/environments.md has the rest.
"""

import gymnasium
import pettingzoo

from ludoteca.core import registry, tensors
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.tensors import Symmetry, symmetries
from ludoteca.rl.single import SingleAgentEnv
from ludoteca.rl.vector import VectorEnv
from ludoteca.rl.zoo import aec, parallel

__all__ = ["SingleAgentEnv", "Symmetry", "VectorEnv", "aec", "environment_id", "parallel", "register", "symmetries"]


def environment_id(key: str) -> str:
    """Return the name of a game's environments, with their version."""
    return f"ludoteca/{key}-v{tensors.encoding(key).VERSION}"


def register(key: str) -> None:
    """Make the environments of a game known to PettingZoo and Gymnasium."""
    name, settings = environment_id(key), {"game": key}
    if name not in pettingzoo.aec_registry:
        pettingzoo.register("aec", name, "ludoteca.rl.zoo:aec", kwargs=settings)
        pettingzoo.register("parallel", name, "ludoteca.rl.zoo:parallel", kwargs=settings)
    if name not in gymnasium.registry:
        many = "ludoteca.rl.vector:against_bots" if _has_kernel(key) else None
        gymnasium.register(name, "ludoteca.rl.single:SingleAgentEnv", kwargs=settings, vector_entry_point=many)


def _has_kernel(key: str) -> bool:
    return isinstance(registry.game(key), KernelGame)


for _key in registry.game_keys():
    if tensors.has_encoding(_key):
        register(_key)
