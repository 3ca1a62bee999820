"""The table's chance: every draw follows from a sealed seed, so that nobody can choose it."""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Sequence
from itertools import accumulate

import msgspec

from ludoteca.core.record import SealRecord

Draw = Callable[[Sequence[int]], int]  # takes the weights of the outcomes, returns the index of one
WORDS = 1 << 64
SEED_BYTES, SEAT_BYTES = 32, 16


def commitment(seed: bytes) -> str:
    return hashlib.sha256(seed).hexdigest()


def seat_commitment(match: str, seat: int, given: bytes) -> str:
    """Return the commitment to a seat's bytes.

    Every seat publishes it before any seat shows its bytes: no seat can choose its bytes after it saw the others.
    """
    return hashlib.sha256(f"{match}:{seat}:{given.hex()}".encode()).hexdigest()


def bytes_of_seed(seed: bytes, match: str, seat: int) -> bytes:
    """Return the bytes of a seat that has no say, for instance a bot's. They are sealed together with the seed."""
    return hmac.digest(seed, f"{match}:seat:{seat}".encode(), "sha256")[:SEAT_BYTES]


class Seal(msgspec.Struct, frozen=True):
    """The source of a match's chance: a secret seed, published as its SHA-256, and bytes of every seat.

    Every seat commits to its bytes before any seat shows them. Where a commitment is None, the bytes follow from
    the seed. A seat that did not show its bytes in time has none. A seal without `commits` belongs to an old
    record, whose seats gave their bytes one after another.
    """

    match: str
    seed: bytes
    seat_bytes: tuple[bytes, ...]
    commits: tuple[str | None, ...] | None = None

    @classmethod
    def committed(cls, match: str, seed: bytes, parts: Sequence[bytes]) -> "Seal":
        """Return a seal in which every seat showed the bytes that it had committed to."""
        commits = tuple(seat_commitment(match, seat, part) for seat, part in enumerate(parts, start=1))
        return cls(match, seed, tuple(parts), commits)

    @classmethod
    def fresh(cls, seats: int) -> "Seal":
        parts = [secrets.token_bytes(SEAT_BYTES) for _ in range(seats)]
        return cls.committed(secrets.token_urlsafe(12), secrets.token_bytes(SEED_BYTES), parts)

    @classmethod
    def derived(cls, match: str, seats: int, *seed: object) -> "Seal":
        """Return the seal that these words name. The same words give the same seal: simulations can be repeated."""
        base = hashlib.sha256(repr((match, seed)).encode()).digest()
        parts = [hmac.digest(base, b"seat %d" % n, "sha256")[:SEAT_BYTES] for n in range(1, seats + 1)]
        return cls.committed(match, hmac.digest(base, b"seed", "sha256"), parts)

    @classmethod
    def opened(cls, record: SealRecord) -> "Seal":
        """Return the seal of a finished match from its record. ValueError says what is wrong with it."""
        parts = tuple(bytes.fromhex(part or "") for part in record.bytes)
        commits = None if record.commits is msgspec.UNSET else record.commits
        seal = cls(record.match, bytes.fromhex(record.seed or ""), parts, commits)
        if commitment(seal.seed) != record.commitment:
            raise ValueError("the seed is not the one that was sealed")
        seal.check_seats()
        if seal.published(reveal=True) != record:
            raise ValueError("the seal is not written in lower case, or has other than whole bytes")
        return seal

    def check_seats(self) -> None:
        """Raise ValueError if a seat's bytes are not the bytes that it committed to."""
        if self.commits is None:
            return
        if len(self.commits) != len(self.seat_bytes):
            raise ValueError(f"{len(self.commits)} commitments for the bytes of {len(self.seat_bytes)} seats")
        for seat, (commit, part) in enumerate(zip(self.commits, self.seat_bytes, strict=True), start=1):
            if commit is None and part != bytes_of_seed(self.seed, self.match, seat):
                raise ValueError(f"the bytes of seat {seat}, which has no say, do not follow from the seed")
            if commit is not None and part and commit != seat_commitment(self.match, seat, part):
                raise ValueError(f"the bytes of seat {seat} are not those that it committed itself to")

    def published(self, reveal: bool) -> SealRecord:
        commits = self.commits or ("",) * len(self.seat_bytes)
        parts = tuple(
            part.hex() if reveal or commit is not None else None
            for part, commit in zip(self.seat_bytes, commits, strict=True)
        )
        return SealRecord(
            self.match,
            commitment(self.seed),
            parts,
            self.seed.hex() if reveal else None,
            msgspec.UNSET if self.commits is None else self.commits,
        )

    def ticket(self, draw: int, total: int) -> int:
        """Return the ticket of a draw, 0 to total - 1. Draws are numbered from 1 over the whole record."""
        limit = WORDS - WORDS % total
        head = ":".join((self.match, *(part.hex() for part in self.seat_bytes)))
        attempt = 1
        while True:
            digest = hmac.digest(self.seed, f"{head}:{draw}:{attempt}".encode(), "sha256")
            word = int.from_bytes(digest[:8], "big")
            if word < limit:
                return word % total
            attempt += 1


def chosen(weights: Sequence[int], ticket: int) -> int:
    """Return the index of the outcome that a ticket falls on.

    Each outcome has as many tickets as its weight, in order.
    """
    for place, reached in enumerate(accumulate(weights)):
        if ticket < reached:
            return place
    raise ValueError(f"ticket {ticket} is not below the total of {list(weights)}")


class Drawing:
    """Draws outcomes by a seal and keeps the picks ([ticket, total]) of an entry."""

    def __init__(self, seal: Seal, drawn_before: int) -> None:
        self._seal, self._number = seal, drawn_before
        self._picks: list[tuple[int, int]] = []

    def __call__(self, weights: Sequence[int]) -> int:
        self._number += 1
        total = sum(weights)
        ticket = self._seal.ticket(self._number, total)
        self._picks.append((ticket, total))
        return chosen(weights, ticket)

    def take_picks(self) -> tuple[tuple[int, int], ...]:
        picks, self._picks = tuple(self._picks), []
        return picks


class Scripted:
    """Draws by the tickets of a record. Keeps the weights of every draw and the indices of the outcomes."""

    def __init__(self, tickets: Sequence[int]) -> None:
        self._tickets = tickets
        self.weights: list[tuple[int, ...]] = []
        self.places: list[int] = []

    def __call__(self, weights: Sequence[int]) -> int:
        self.weights.append(tuple(weights))
        self.places.append(chosen(weights, self._tickets[len(self.places)]))
        return self.places[-1]


class Placed:
    """Draws the outcomes at given indices. If a changed outcome leaves fewer outcomes later, it draws the last one."""

    def __init__(self, places: Sequence[int]) -> None:
        self._places = iter(places)

    def __call__(self, weights: Sequence[int]) -> int:
        return min(next(self._places), len(weights) - 1)
