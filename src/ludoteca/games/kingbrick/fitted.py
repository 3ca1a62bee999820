"""Numbers that were fitted to matches and to flicks, in `prospects.json`; bench/kingbrick_prospects.py writes them."""

import math
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import msgspec

FILE = Path(__file__).with_name("prospects.json")


class Fitted(msgspec.Struct, frozen=True):
    """The weights of logistic curves, one for each feature."""

    hit: tuple[float, ...]  # hits.py: whether a shot brings a King down
    position: tuple[float, ...]  # prospects.py: whether the seat that is next wins, as bots see it
    review: tuple[float, ...]  # the same as reviews see it, and last what the physics adds (answers.py)
    best: tuple[float, float]  # weighing.py: how much the logit of a move counts, and what is added to it


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
