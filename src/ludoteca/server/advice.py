"""Hints: what the strongest bot would do in the position of a person."""

import secrets
from typing import Any

from ludoteca.core.random import generator
from ludoteca.server import hint_consent, serialize, thinking
from ludoteca.server.fair_queue import Asker
from ludoteca.server.refusals import NoHint
from ludoteca.server.stored_table import StoredTable
from ludoteca.server.takebacks import other_players
from ludoteca.server.thinking import Thinking


class Adviser:
    """Gives the hints at one table. It thinks about one position at a time."""

    def __init__(self, bots: Thinking) -> None:
        self._bots, self._is_busy = bots, False

    async def hint(
        self, stored: StoredTable, guest: str | None, seat: int, eye: int | None, asker: Asker
    ) -> dict[str, Any]:
        """Return a hint for a seat of this guest, whose client sees with the eyes of `eye`; or raise NoHint.

        The bot and the words of the hint are given nothing that the seat cannot see.
        """
        row, match, game = stored.row, stored.match, stored.match.game
        row.check_held(guest, seat)
        held = row.held_by(guest)
        if not hint_consent.are_on(row, match.position.conduct, held, other_players(match, row, held)):
            raise NoHint("other people play here, and not all of them have agreed to hints")
        if seat not in match.to_move:
            raise NoHint(f"seat {seat} is not on the move")
        if eye != seat:
            raise NoHint(f"seat {seat} has not said that it is ready")
        if self._is_busy:
            raise NoHint("one is being thought of")
        level, seed = thinking.hint_level(row.game), (secrets.token_hex(16),)
        after = stored.running.known_to([seat], stored.elapsed())
        known = game.concealed(match.state, seat, generator(*seed, "hint"))
        self._is_busy = True
        try:
            move = await self._bots.think(row.game, level, known, seat, seed, asker)
        finally:
            self._is_busy = False
        return serialize.hint(game, known, seat, move, after)
