"""Numbers that were fitted to matches and to flicks, in `prospects.json`; bench/kingbrick_prospects.py writes them."""

import math
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import msgspec

FILE = Path(__file__).with_name("prospects.json")


class Fitted(msgspec.Struct, frozen=True):
    """The weights of two logistic curves, one for each feature, and of what the physics adds to the second."""

    hit: tuple[float, ...]  # hits.py: whether a shot brings a King down
    position: tuple[float, ...]  # prospects.py: whether the seat that is next wins
    surprise: float  # answers.py: what it adds to that if a shot fells a King more often than `hit` says


@cache
def fitted() -> Fitted:
    return msgspec.json.decode(FILE.read_bytes(), type=Fitted)


def write(found: Fitted) -> None:
    lines = (
        f' "{name}": {msgspec.json.encode(value).decode()}' for name, value in msgspec.structs.asdict(found).items()
    )
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    fitted.cache_clear()


def rounded(numbers: Iterable[float]) -> tuple[float, ...]:
    return tuple(float(f"{number:.3g}") for number in numbers)


def weighted(features: Sequence[float], weights: Sequence[float]) -> float:
    return sum(feature * weight for feature, weight in zip(features, weights, strict=True))


def logit(chance: float) -> float:
    held = min(max(chance, 0.001), 0.999)
    return math.log(held / (1 - held))


def from_logit(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))
