"""How much may come from one address: generous, so that a family or a school behind one address does not notice."""

import ipaddress
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from ludoteca.server.refusals import TooManyFromThere
from ludoteca.server.timing import Time


class Allowance(NamedTuple):
    what: str
    a_second: float
    at_once: int


class TokenBucket:
    """What is left of an allowance: it fills slowly up to what is allowed at once."""

    def __init__(self, allowance: Allowance, now: int) -> None:
        self._allowance, self._left = allowance, float(allowance.at_once)
        self.since = now

    def take(self, now: int) -> bool:
        """Take one, and return whether one was left. Times are in milliseconds."""
        _, a_second, at_once = self._allowance
        left = min(at_once, self._left + (now - self.since) / 1000 * a_second)
        self._left, self.since = max(0.0, left - 1), now
        return left >= 1


REQUESTS = Allowance("requests", 50, 1000)
TABLES = Allowance("tables", 0.1, 100)
SOCKETS = Allowance("connections", 2, 200)
MOST_OPEN = 500  # connections of one address
MOST_REMEMBERED = 10_000  # addresses; then those are forgotten that have not asked for much


class Limits:
    def __init__(self, time: Time) -> None:
        self._time = time
        self._buckets: dict[tuple[str, str], TokenBucket] = {}  # by what is counted, and the address
        self._open: Counter[str] = Counter()

    def count(self, allowance: Allowance, address: str | None) -> None:
        """Raise TooManyFromThere when an address has used up its allowance. This machine itself may do anything."""
        network, now = network_of(address), self._time.now()
        if network is None:
            return
        bucket = self._buckets.get((allowance.what, network))
        if bucket is None:
            bucket = self._buckets[allowance.what, network] = TokenBucket(allowance, now)
        if not bucket.take(now):
            raise TooManyFromThere(allowance.what)
        if len(self._buckets) > MOST_REMEMBERED:
            self._forget()

    @contextmanager
    def connected(self, address: str | None) -> Iterator[None]:
        """While a connection is open."""
        self.count(SOCKETS, address)
        network = network_of(address)
        if network is None:
            yield
            return
        if self._open[network] >= MOST_OPEN:
            raise TooManyFromThere(SOCKETS.what)
        self._open[network] += 1
        try:
            yield
        finally:
            self._open[network] -= 1
            if not self._open[network]:
                del self._open[network]

    def _forget(self) -> None:
        """Forget the addresses that asked longest ago: they have the most left."""
        oldest = sorted(self._buckets, key=lambda one: self._buckets[one].since)
        for one in oldest[: MOST_REMEMBERED // 2]:
            del self._buckets[one]


def network_of(address: str | None) -> str | None:
    """Return what counts as one address: of IPv6, what a provider gives to one household. None for this machine.

    A proxy may pass on anything as the address of its client: all that are no addresses count as one.
    """
    if not address:
        return None
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "no address"
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is None:
            return None if found.is_loopback else str(ipaddress.ip_network((found, 64), strict=False))
        found = found.ipv4_mapped
    return None if found.is_loopback else str(found)
