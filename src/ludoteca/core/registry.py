"""The games there are: every folder of ludoteca.games that has a game.py with a GAME."""

import importlib
import pkgutil
from functools import cache
from importlib.util import find_spec

from ludoteca import games
from ludoteca.core.errors import UnknownGame
from ludoteca.core.game import Game


def game_keys() -> list[str]:
    folders = (module.name for module in pkgutil.iter_modules(games.__path__) if module.ispkg)
    return sorted(name for name in folders if find_spec(f"ludoteca.games.{name}.game"))


@cache
def game(key: str) -> Game:
    if key not in game_keys():
        raise UnknownGame(key, game_keys())
    found = importlib.import_module(f"ludoteca.games.{key}.game").GAME
    assert isinstance(found, Game)
    return found
