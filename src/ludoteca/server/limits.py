"""Limits for each address. They are generous: a family or a school behind one address does not notice them."""

import ipaddress
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from ludoteca.server.refusals import TooManyFromThere
from ludoteca.server.timing import Time


class Allowance(NamedTuple):
    what: str
    a_second: float
    at_once: int


class TokenBucket:
    """The rest of an allowance. It refills slowly, up to the number that is allowed at once."""

    def __init__(self, allowance: Allowance, now: int) -> None:
        self._allowance, self._left = allowance, float(allowance.at_once)
        self.since = now

    def take(self, now: int) -> bool:
        """Take one, and return whether one was left. Times are in milliseconds."""
        _, a_second, at_once = self._allowance
        left = min(at_once, self._left + (now - self.since) / 1000 * a_second)
        self._left, self.since = max(0.0, left - 1), now
        return left >= 1

    def spend(self, number: int, now: int) -> None:
        """Take what was used up on another node, as far as the bucket has it."""
        for _ in range(min(number, self._allowance.at_once)):
            self.take(now)


REQUESTS = Allowance("requests", 50, 1000)
TABLES = Allowance("tables", 0.1, 100)
SOCKETS = Allowance("connections", 2, 200)
ALLOWANCES = {allowance.what: allowance for allowance in (REQUESTS, TABLES, SOCKETS)}
MOST_OPEN = 500  # connections of one address
MOST_REMEMBERED = 10_000  # addresses; with more, half of them are forgotten: see `_forget`


class Limits:
    def __init__(self, time: Time) -> None:
        self._time = time
        self._buckets: dict[tuple[str, str], TokenBucket] = {}  # by what is counted, and the address
        self._open: Counter[str] = Counter()
        self._used: Counter[str] = Counter()  # since the other nodes were last told
        self._elsewhere: dict[str, dict[str, int]] = {}  # connections of each address, on each other node
        self._told_open: dict[str, int] = {}

    def count(self, allowance: Allowance, address: str | None) -> None:
        """Raise TooManyFromThere when an address has used up its allowance. This machine itself may do anything."""
        network, now = network_of(address), self._time.now()
        if network is None:
            return
        if not self._bucket(allowance, network, now).take(now):
            raise TooManyFromThere(allowance.what)
        self._used[f"{allowance.what} {network}"] += 1
        if len(self._buckets) > MOST_REMEMBERED:
            self._forget()

    @contextmanager
    def connected(self, address: str | None) -> Iterator[None]:
        """Count a connection of an address as open while the body of `with` runs."""
        self.count(SOCKETS, address)
        network = network_of(address)
        if network is None:
            yield
            return
        if self._open[network] + self._open_elsewhere(network) >= MOST_OPEN:
            raise TooManyFromThere(SOCKETS.what)
        self._open[network] += 1
        try:
            yield
        finally:
            self._open[network] -= 1
            if not self._open[network]:
                del self._open[network]

    def _bucket(self, allowance: Allowance, network: str, now: int) -> TokenBucket:
        bucket = self._buckets.get((allowance.what, network))
        if bucket is None:
            bucket = self._buckets[allowance.what, network] = TokenBucket(allowance, now)
        return bucket

    # Other nodes: an address has one allowance, whichever node it asks

    def usage(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return what addresses used up since the last call, and the connections of those where that changed."""
        used, self._used = dict(self._used), Counter()
        opened = dict(self._open)
        changed = {network: number for network, number in opened.items() if self._told_open.get(network) != number}
        changed |= {network: 0 for network in self._told_open if network not in opened}
        self._told_open = opened
        return used, changed

    def note_elsewhere(self, node: str, used: dict[str, int], opened: dict[str, int]) -> None:
        """Count what addresses used up on another node."""
        now = self._time.now()
        for key, number in used.items():
            what, _, network = key.partition(" ")
            if allowance := ALLOWANCES.get(what):
                self._bucket(allowance, network, now).spend(number, now)
        counts = self._elsewhere.setdefault(node, {})
        counts.update(opened)
        if len(self._buckets) > MOST_REMEMBERED:
            self._forget()

    def forget_nodes(self, alive: Collection[str]) -> None:
        """Forget the connections on nodes that are gone."""
        for node in [node for node in self._elsewhere if node not in alive]:
            del self._elsewhere[node]

    def _open_elsewhere(self, network: str) -> int:
        return sum(counts.get(network, 0) for counts in self._elsewhere.values())

    def _forget(self) -> None:
        """Forget the addresses that asked longest ago: they have the most left."""
        oldest = sorted(self._buckets, key=lambda one: self._buckets[one].since)
        for one in oldest[: MOST_REMEMBERED // 2]:
            del self._buckets[one]


def network_of(address: str | None) -> str | None:
    """Return the network that counts as one address; None for this machine.

    For IPv6 this is the network that a provider gives to one household. A proxy may pass on any text as the address of
    its client: all texts that are no addresses count as one.
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
