"""The registry: every folder of ludoteca.games whose game.py has a GAME."""

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from ludoteca import games
from ludoteca.core.errors import UnfinishedGame, UnknownGame
from ludoteca.core.game import Game

DECLARED = ("key", "name", "rules_version", "can_draw")  # without a default


def game_keys() -> list[str]:
    """Return the keys of the games on the shelf."""
    return _keys(games.SHELF)


@cache
def game(key: str) -> Game:
    if key not in _keys(games.__path__):
        if key.isidentifier() and any(Path(folder, key, "game.py").exists() for folder in games.__path__):
            raise UnfinishedGame(f"games/{key} has no __init__.py: write an empty one, so that Python finds the game")
        raise UnknownGame(key, game_keys())
    found = getattr(importlib.import_module(f"ludoteca.games.{key}.game"), "GAME", None)
    if not isinstance(found, Game):
        raise UnfinishedGame(f"games/{key}/game.py has no GAME: end it with `GAME = YourGame()`, an instance of a Game")
    for name in DECLARED:
        if not hasattr(found, name):
            raise UnfinishedGame(f"games/{key}/game.py: {type(found).__name__} has no `{name}`: see core/game.py")
    if found.key != key:
        raise UnfinishedGame(f"games/{key}/game.py says `key = {found.key!r}`: the key is the folder's name")
    return found


def _keys(folders: Iterable[str]) -> list[str]:
    packages = (module.name for module in pkgutil.iter_modules(folders) if module.ispkg)
    return sorted(name for name in packages if find_spec(f"ludoteca.games.{name}.game"))
