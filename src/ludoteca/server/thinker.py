"""Which bot has to think next. What was thought for a position that is gone is dropped."""

from typing import NamedTuple

from ludoteca.core.match import Match
from ludoteca.server.presence import bot_of


class Thought(NamedTuple):
    """A bot thinks about its move after so many entries."""

    seat: int
    name: str
    after: int


class Thinker:
    def __init__(self) -> None:
        self._thought: Thought | None = None

    @property
    def is_thinking(self) -> bool:
        return self._thought is not None

    def next(self, match: Match) -> Thought | None:
        """Return what a bot has to start thinking about now; None if it is nobody's turn or one thinks already."""
        seat = next((seat for seat in match.to_move if bot_of(match, match.position, seat)), None)
        name = bot_of(match, match.position, seat) if seat else None
        if seat is None or name is None:
            return None
        before = self._thought
        if before and before.seat == seat:
            if before.after == len(match.log):
                return None
            if match.game.is_simultaneous(match.state):
                return None  # what the others do meanwhile does not concern it
        self._thought = Thought(seat, name, len(match.log))
        return self._thought

    def is_wanted(self, thought: Thought) -> bool:
        return self._thought is thought

    def finish(self, thought: Thought) -> None:
        if self._thought is thought:
            self._thought = None
