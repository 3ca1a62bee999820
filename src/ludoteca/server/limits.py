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


REQUESTS = Allowance("requests", 50, 1000)
TABLES = Allowance("tables", 0.1, 100)
SOCKETS = Allowance("connections", 2, 200)
MOST_OPEN = 500  # connections of one address
MOST_REMEMBERED = 10_000  # addresses; then those are forgotten that have not asked for much


class Limits:
    def __init__(self, time: Time) -> None:
        self._time = time
        self._left: dict[tuple[str, str], tuple[float, int]] = {}  # what is left of an allowance, and since when
        self._open: Counter[str] = Counter()

    def count(self, allowance: Allowance, address: str | None) -> None:
        """Raises TooManyFromThere when an address has used up its allowance. This machine itself may do anything."""
        network, now = _network(address), self._time.now()
        if network is None:
            return
        left, since = self._left.get((allowance.what, network), (float(allowance.at_once), now))
        left = min(allowance.at_once, left + (now - since) / 1000 * allowance.a_second)
        self._left[allowance.what, network] = (max(0.0, left - 1), now)
        if left < 1:
            raise TooManyFromThere(allowance.what)
        if len(self._left) > MOST_REMEMBERED:
            self._forget(now)

    @contextmanager
    def connected(self, address: str | None) -> Iterator[None]:
        """While a connection is open."""
        self.count(SOCKETS, address)
        network = _network(address)
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

    def _forget(self, now: int) -> None:
        """Those who asked longest ago have the most left."""
        oldest = sorted(self._left, key=lambda one: self._left[one][1])
        for one in oldest[: MOST_REMEMBERED // 2]:
            del self._left[one]


def _network(address: str | None) -> str | None:
    """What counts as one address: of IPv6, what a provider gives to one household. None for this machine."""
    try:
        found = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return None
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is None:
            return None if found.is_loopback else str(ipaddress.ip_network((found, 64), strict=False))
        found = found.ipv4_mapped
    return None if found.is_loopback else str(found)
