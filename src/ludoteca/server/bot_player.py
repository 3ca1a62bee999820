"""Plays for the bots at a table. A move for a position that is gone meanwhile is dropped."""

import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from ludoteca.core.errors import StaleMatch
from ludoteca.core.match import Append, Match
from ludoteca.server.fair_queue import Asker
from ludoteca.server.presence import Presence, bot_of
from ludoteca.server.refusals import LeaseLost, NotStored
from ludoteca.server.services import Services
from ludoteca.server.stored_table import StoredTable
from ludoteca.server.tasks import Alarms

TRY_AGAIN_IN = 5000  # milliseconds after a bot could not move
STORE_AGAIN_IN = 1000  # the same, where the move could not be stored: a match goes on soon after the database is back
log = logging.getLogger("ludoteca.server.bot_player")


class BotTurn(NamedTuple):
    """A bot thinks about its move after an entry."""

    seat: int
    level: str
    after: int


class BotPlayer:
    def __init__(
        self,
        services: Services,
        stored: StoredTable,
        presence: Presence,
        alarms: Alarms,
        append: Callable[[Callable[[int], Append], int], Awaitable[None]],
    ) -> None:
        """`append` stores and publishes what is prepared after an entry, if this node still minds the table."""
        self._services, self._stored, self._presence, self._alarms = services, stored, presence, alarms
        self._append = append
        self._turn: BotTurn | None = None  # that a bot thinks about now
        self.hurried: tuple[int, str] | None = None  # the seat of a bot that thinks at a weaker level, and that level

    @property
    def is_thinking(self) -> bool:
        return self._turn is not None

    @property
    def asker(self) -> Asker:
        """Who wants a bot to think: tables where people are come first."""
        row = self._stored.row
        return Asker(row.creator, self._presence.is_a_player_here(row))

    def call(self) -> None:
        """Let the bot that is to move think, if this node minds the table and no bot thinks about this turn yet."""
        if not self._stored.has_begun or not self._stored.is_minded_here:
            return
        match = self._stored.match
        if (turn := self._next_turn(match)) is not None:
            self._turn = turn
            level = self._services.thinking.level_now(match.game.key, turn.level)
            self.hurried = None if level == turn.level else (turn.seat, level)
            self._services.tasks.start(self._play(match, turn, level))

    def _next_turn(self, match: Match) -> BotTurn | None:
        """Return the turn that a bot has to start thinking about; None if it is no bot's turn or one thinks already."""
        levels = ((seat, bot_of(match, match.position, seat)) for seat in match.to_move)
        seat, level = next(((seat, level) for seat, level in levels if level is not None), (0, None))
        if level is None:
            return None
        now = self._turn
        if now is not None and now.seat == seat:
            if now.after == len(match.log):
                return None
            if match.game.is_simultaneous(match.state):
                return None  # what the others do meanwhile does not concern it
        return BotTurn(seat, level, len(match.log))

    async def _play(self, match: Match, turn: BotTurn, level: str) -> None:
        if level != turn.level:
            self._services.metrics.count("ludoteca_bots_shortened_total")
        seat, after, seed = turn.seat, turn.after, (secrets.token_hex(16),)  # never the seed of the seal
        try:
            move = await self._services.thinking.think(match.game.key, level, match.state, seat, seed, self.asker)
            if self._turn is turn:
                await self._append(lambda t: match.prepare(move, seat, after, t), after)
        except StaleMatch:
            pass
        except (LeaseLost, NotStored):
            self._alarms.set("bot", STORE_AGAIN_IN, self.call)
        except Exception:
            log.exception("table %s: the bot %s made no move", self._stored.id, turn.level)
            self._alarms.set("bot", TRY_AGAIN_IN, self.call)
        finally:
            if self._turn is turn:
                self._turn = None
