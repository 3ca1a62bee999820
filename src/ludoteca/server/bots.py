"""The bots of each game by name, and what a worker process calls to let one of them think."""

from functools import cache
from typing import Any

from ludoteca.core import registry
from ludoteca.core.levels import usual_level


def levels(key: str) -> tuple[str, ...]:
    """Return all the bots of a game, weakest first."""
    from ludoteca.search import bots

    return bots.names(registry.game(key))


def offered(key: str) -> tuple[str, ...]:
    """Return the bots that people are offered, weakest first. The one that plays at random is for studies."""
    return tuple(name for name in levels(key) if name != "random")


@cache
def usual(key: str) -> str | None:
    """Return the level that is offered first, and that stands in for an absent player. None where no bot plays."""
    return usual_level(offered(key))


def choose(key: str, name: str, state: Any, seat: int, seed: tuple[object, ...]) -> str:
    """Return the move of a bot. Called in a worker."""
    from ludoteca.search import bots

    return bots.choose(registry.game(key), name, state, seat, seed)


def warm(key: str) -> None:
    """Compile the searches of this game. Called in a worker."""
    from ludoteca.search import bots

    bots.warm(registry.game(key))
