"""The games that the lab plays: those of the registry, and variants of them that somebody wrote in a file.

A variant is a Python file with a GAME: for instance a subclass of a game with other rules and options. It has the key
of the game that it varies, and so that game's bots and its tally. Only the lab loads such files, never the server.
"""

import importlib.util
import sys
import warnings
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from numba.core.errors import NumbaExperimentalFeatureWarning

from ludoteca.core import registry
from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import Game
from ludoteca.core.kernel import Rules


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
    _check_replaced(path, game)
    return game


def _check_replaced(path: Path, game: Game) -> None:
    """Refuse a variant that replaces a name which nobody outside the game's rules.py reads.

    The compiled functions of rules.py read their own module. Such a variant would be studied as the unchanged game.
    """
    given = vars(getattr(game, "rules", None) or SimpleNamespace())
    original = sys.modules.get(str(given.get("__name__")))
    if original is None or vars(original) is given:
        return
    replaced = {name for name, value in vars(original).items() if given.get(name, value) is not value}
    vain = sorted(name for name in replaced - set(Rules.__annotations__) if not name.startswith("__"))
    if vain:
        can = ", ".join(sorted(name for name in Rules.__annotations__ if callable(given.get(name))))
        raise BadVariant(f"{path} replaces {', '.join(vain)}, which changes nothing: replace a function among {can}")
