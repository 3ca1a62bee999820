"""How often somebody may ask the others at a table for a draw or a takeback."""

from ludoteca.server.limits import Allowance, TokenBucket
from ludoteca.server.refusals import TooManyRequests

ASKING = Allowance("questions", 1 / 30, 3)  # three at once, then one every 30 seconds


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
