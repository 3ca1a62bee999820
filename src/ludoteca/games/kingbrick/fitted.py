"""Numbers that were fitted to matches and to flicks, in `prospects.json`; bench/kingbrick_prospects.py writes them."""

import math
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import msgspec

FILE = Path(__file__).with_name("prospects.json")
BEST_AT = (-0.2, 0.1, 0.6, 1.6, 3.5)  # from a best move that hardly helps to one that wins


class Fitted(msgspec.Struct, frozen=True):
    """The weights of logistic curves, one for each feature."""

    hit: tuple[float, ...]  # hits.py: whether a shot brings a King down
    position: tuple[float, ...]  # prospects.py: whether the seat that is next wins, as bots see it
    review: tuple[float, ...]  # the same as reviews see it, and last what the physics adds (answers.py)
    best: tuple[float, ...]  # weighing.py: what people make of a best move whose logit is one of BEST_AT


@cache
def fitted() -> Fitted:
    return msgspec.json.decode(FILE.read_bytes(), type=Fitted)


def write(found: Fitted) -> None:
    lines = (
        f' "{name}": {msgspec.json.encode(value).decode()}' for name, value in msgspec.structs.asdict(found).items()
    )
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    fitted.cache_clear()


def made_of_best(logit: float, numbers: Sequence[float]) -> float:
    """Return the logit of the chance that people have where this is the logit of the best move.

    Straight lines between the numbers, which belong to BEST_AT; beyond the outermost ones the difference stays.
    """
    inside = min(max(logit, BEST_AT[0]), BEST_AT[-1])
    k = next(k for k in range(1, len(BEST_AT)) if inside <= BEST_AT[k])
    part = (inside - BEST_AT[k - 1]) / (BEST_AT[k] - BEST_AT[k - 1])
    return numbers[k - 1] + part * (numbers[k] - numbers[k - 1]) + logit - inside


def rounded(numbers: Iterable[float]) -> tuple[float, ...]:
    return tuple(float(f"{number:.3g}") for number in numbers)


def weighted(features: Sequence[float], weights: Sequence[float]) -> float:
    return sum(feature * weight for feature, weight in zip(features, weights, strict=True))


def logit(chance: float) -> float:
    held = min(max(chance, 0.001), 0.999)
    return math.log(held / (1 - held))


def from_logit(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))
