"""How often somebody may ask the others at a table for a draw or a takeback."""

from ludoteca.server.limits import Allowance, TokenBucket
from ludoteca.server.refusals import TooManyRequests

ASKING = Allowance("questions", 1 / 30, 3)  # three at once, then one every 30 seconds


class Requests:
    def __init__(self) -> None:
        self._buckets: dict[str, TokenBucket] = {}  # of each guest at this table

    def count(self, guest: str | None, now: int) -> None:
        """Raise TooManyRequests when a guest asks too often."""
        bucket = self._buckets.setdefault(guest or "", TokenBucket(ASKING, now))
        if not bucket.take(now):
            raise TooManyRequests(ASKING.at_once, round(1 / ASKING.a_second))
