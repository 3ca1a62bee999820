"""How often somebody may ask the others at a table for a draw, hints or a takeback."""

from ludoteca.core.events import ConductEvent
from ludoteca.core.match import Transition
from ludoteca.server.limits import Allowance, TokenBucket
from ludoteca.server.refusals import TooManyRequests

QUESTIONS = ("offer draw", "hints on")
ASKING = Allowance("questions", 1 / 30, 3)  # three at once, then one every 30 seconds


def asks(transition: Transition) -> bool:
    """Return whether an entry asks the others something: for a draw, or for hints that nobody has asked for."""
    event = transition.event
    if not isinstance(event, ConductEvent) or event.verb not in QUESTIONS:
        return False
    is_answer = event.verb == "hints on" and bool(transition.before.conduct.hints)
    return not is_answer


class Requests:
    def __init__(self) -> None:
        self._buckets: dict[str, TokenBucket] = {}  # of each guest at this table

    def count(self, guest: str | None, now: int) -> None:
        """Raise TooManyRequests when a guest asks too often."""
        if not self._bucket(guest, now).take(now):
            raise TooManyRequests(ASKING.at_once, round(1 / ASKING.a_second))

    def note(self, guest: str | None, now: int) -> None:
        """Count a question that a guest asked on another node."""
        self._bucket(guest, now).take(now)

    def _bucket(self, guest: str | None, now: int) -> TokenBucket:
        return self._buckets.setdefault(guest or "", TokenBucket(ASKING, now))
