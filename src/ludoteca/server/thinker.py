"""Calls the bot whose move it is, and asks the strongest one for a hint. What was thought for a position that is gone
is dropped."""

import logging
import secrets
from typing import TYPE_CHECKING, Any

from ludoteca.core.errors import StaleMatch
from ludoteca.core.match import Match
from ludoteca.server import telling
from ludoteca.server.presence import bot_of
from ludoteca.server.refusals import NoHint

if TYPE_CHECKING:
    from ludoteca.server.tables import Table, Watcher

BOT_TRIES_AGAIN = 5000  # milliseconds after it could not move
log = logging.getLogger("ludoteca.server.thinker")


class Thinker:
    def __init__(self, table: "Table") -> None:
        self._table = table
        self._thought: tuple[int, int] | None = None  # the seat and the length of the log that a bot thinks about
        self._advising = False

    @property
    def is_thinking(self) -> bool:
        return self._thought is not None

    def go_on(self, match: Match) -> None:
        """Calls the bot that is to move."""
        seat = next((seat for seat in match.to_move if bot_of(match, match.position, seat)), None)
        if seat is None or self._thought == (seat, len(match.log)):
            return
        if self._thought and self._thought[0] == seat and match.game.is_simultaneous(match.state):
            return  # what the others do meanwhile does not concern it
        self._thought = (seat, len(match.log))
        self._table.house.go_on(self._think(match, seat, len(match.log)))

    async def _think(self, match: Match, seat: int, after: int) -> None:
        name = bot_of(match, match.position, seat)
        assert name is not None
        house, row, seed = self._table.house, self._table.row, (secrets.token_hex(16),)  # never the seed of the seal
        try:
            move = await house.think(row.game, name, match.state, seat, seed)
            if self._thought == (seat, after):
                await self._table.append(match, move, seat, after)
        except StaleMatch:
            pass
        except Exception:
            log.exception("table %s: the bot %s made no move", row.id, name)
            house.time.later(BOT_TRIES_AGAIN, self._table.go_on)
        finally:
            if self._thought == (seat, after):
                self._thought = None

    async def hint(self, watcher: "Watcher", seat: int) -> dict[str, Any]:
        """What the strongest bot would do; it thinks about one position of a table at a time."""
        table, match = self._table, self._table.playing()
        table.check_held(watcher.guest_id, seat)
        if not table.is_private(table.held_by(watcher.guest_id)):
            raise NoHint("a hint is for those who play against nobody but bots")
        if seat not in match.to_move:
            raise NoHint(f"seat {seat} is not on the move")
        if table.teller.eye(watcher) != seat:
            raise NoHint(f"seat {seat} has not said that it is ready")
        if self._advising:
            raise NoHint("one is being thought of")
        position, after = match.position, len(match.log)
        self._advising = True
        try:
            move = await table.house.advise(table.row.game, position.state, seat, (secrets.token_hex(16),))
        finally:
            self._advising = False
        return telling.hint_told(match, position, seat, move, after)
