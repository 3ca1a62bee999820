"""The table's chance: every draw follows from a sealed seed, so that neither side can choose it."""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Sequence
from itertools import accumulate

import msgspec

from ludoteca.core.record import SealRecord

Draw = Callable[[Sequence[int]], int]  # weights of the outcomes -> the place of the one drawn
WORDS = 1 << 64
SEED_BYTES, SEAT_BYTES = 32, 16


def commitment(seed: bytes) -> str:
    return hashlib.sha256(seed).hexdigest()


def seat_commitment(match: str, seat: int, given: bytes) -> str:
    """Return what a seat promises before anybody shows bytes: nobody can choose after having seen those of others."""
    return hashlib.sha256(f"{match}:{seat}:{given.hex()}".encode()).hexdigest()


def bytes_of_seed(seed: bytes, match: str, seat: int) -> bytes:
    """Return the bytes of a seat without a say, such as a bot's: they are sealed together with the seed."""
    return hmac.digest(seed, f"{match}:seat:{seat}".encode(), "sha256")[:SEAT_BYTES]


class Seal(msgspec.Struct, frozen=True):
    """What a match's chance is made of: a secret seed, published as its SHA-256, and bytes of every seat.

    Every seat has committed itself to its bytes before anybody showed theirs. Where a commitment is None the bytes
    follow from the seed. A seat that did not show its bytes in time has none. Without `commits` the seal is of an
    old record, whose seats gave their bytes one after another.
    """

    match: str
    seed: bytes
    seat_bytes: tuple[bytes, ...]
    commits: tuple[str | None, ...] | None = None

    @classmethod
    def committed(cls, match: str, seed: bytes, parts: Sequence[bytes]) -> "Seal":
        """A seal whose seats all showed the bytes that they had committed themselves to."""
        commits = tuple(seat_commitment(match, seat, part) for seat, part in enumerate(parts, start=1))
        return cls(match, seed, tuple(parts), commits)

    @classmethod
    def fresh(cls, seats: int) -> "Seal":
        parts = [secrets.token_bytes(SEAT_BYTES) for _ in range(seats)]
        return cls.committed(secrets.token_urlsafe(12), secrets.token_bytes(SEED_BYTES), parts)

    @classmethod
    def derived(cls, match: str, seats: int, *seed: object) -> "Seal":
        """The same words, the same seal: for simulations that can be repeated."""
        base = hashlib.sha256(repr((match, seed)).encode()).digest()
        parts = [hmac.digest(base, b"seat %d" % n, "sha256")[:SEAT_BYTES] for n in range(1, seats + 1)]
        return cls.committed(match, hmac.digest(base, b"seed", "sha256"), parts)

    @classmethod
    def opened(cls, record: SealRecord) -> "Seal":
        """Return the seal of a finished match, from its record; ValueError says what is wrong with it."""
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
        """Raise ValueError where a seat's bytes are not those that it committed itself to."""
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
        """The ticket, below the total, of the draw with this number in the record, counted from 1."""
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
    """The outcome that a ticket falls on when each has as many tickets as its weight, in order."""
    for place, reached in enumerate(accumulate(weights)):
        if ticket < reached:
            return place
    raise ValueError(f"ticket {ticket} is not below the total of {list(weights)}")


class Drawing:
    """Draws outcomes by a seal and keeps the picks, [ticket, total], of an entry."""

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
    """Draws by the tickets of a record, and keeps the weights of every draw and the places of the outcomes."""

    def __init__(self, tickets: Sequence[int]) -> None:
        self._tickets = tickets
        self.weights: list[tuple[int, ...]] = []
        self.places: list[int] = []

    def __call__(self, weights: Sequence[int]) -> int:
        self.weights.append(tuple(weights))
        self.places.append(chosen(weights, self._tickets[len(self.places)]))
        return self.places[-1]


class Placed:
    """Draws the outcomes at given places. After another outcome there may be fewer: then the last one is taken."""

    def __init__(self, places: Sequence[int]) -> None:
        self._places = iter(places)

    def __call__(self, weights: Sequence[int]) -> int:
        return min(next(self._places), len(weights) - 1)
