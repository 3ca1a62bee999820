"""The games that the lab plays: those of the registry, and variants of them that somebody wrote in a file.

A variant is a Python file with a GAME: for instance a subclass of a game with other rules and options. It has the key
of the game that it varies, and so that game's bots and its tally. Only the lab loads such files, never the server.
"""

import importlib.util
import sys
import warnings
from functools import cache
from pathlib import Path

from numba.core.errors import NumbaExperimentalFeatureWarning

from ludoteca.core import registry
from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import Game


class BadVariant(LudotecaError):
    code = "variant/bad"


@cache
def game_named(name: str) -> Game:
    """Return a game by its key, or the variant in a file."""
    return _variant(Path(name)) if name.endswith(".py") else registry.game(name)


def _variant(path: Path) -> Game:
    if not path.is_file():
        raise BadVariant(f"No such file or directory: '{path}'")
    spec = importlib.util.spec_from_file_location(f"ludoteca_variant_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    # A variant's State may be the game's State and a field more. Numba compiles every function for both, and calls the
    # one that fits exactly; while it chooses, it warns at every call that the other one would be possible.
    warnings.filterwarnings("ignore", ".*considered a subtype of", NumbaExperimentalFeatureWarning)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BadVariant(f"{path} cannot be loaded: {type(error).__name__}: {error}") from None
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise BadVariant(f"{path} has no GAME")
    return game
