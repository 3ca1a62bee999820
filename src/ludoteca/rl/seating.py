"""Who sits where when one agent plays bots."""

from collections.abc import Sequence

from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import Game
from ludoteca.search import bots


class BadSeating(LudotecaError):
    code = "environment/seating"


def opponents(game: Game, names: str | Sequence[str], seat: int, players: int) -> list[str | None]:
    """Return the bot of each seat, from 0; None on the agent's. Several names go clockwise from the agent on."""
    if not 0 <= seat < players:
        raise BadSeating(f"seat {seat}: one from 0 to {players - 1} is wanted, as there are {players} players")
    around = [names] * (players - 1) if isinstance(names, str) else list(names)
    if len(around) != players - 1:
        raise BadSeating(f"{len(around)} bots for {players - 1} opponents")
    for name in around:
        bots.check_name(game, name)
    seats: list[str | None] = [None] * players
    for step, name in enumerate(around, start=1):
        seats[(seat + step) % players] = name
    return seats
