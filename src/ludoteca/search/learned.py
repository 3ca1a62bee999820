# mypy: ignore-errors
# ruff: noqa: F821
"""Values that are learned by playing: a game's own value, corrected by weights of features.

A guide.py that learns has, beside `value`:

- `features(state, seat, places, amounts)`, compiled: writes which weights count in this position for that seat's side
  (int32) and how much each of them counts (float32), and returns their number. A table of n cells (an n-tuple) is one
  weight that counts 1: its place says which of all patterns the cells show. Symmetric patterns share a place. It is
  never asked when the match is over, and restores the state if it changes it.
- `WEIGHTS`, the number of weights, and `MOST_FEATURES`, the most that one position has.
- `final(state, seat)`, compiled: when the match is over, what is learned, in the unit of `value`.
- `SCALE`, in the same unit: a lead of this much is about 3 : 1. Differences between much larger leads hardly count.
- `SELF_PLAY`, the Lookahead that plays the matches from which `ludoteca train` learns: all seats, or one of them.

A game with secrets, whose bots grow trees (informed.py), needs of these only `features`, `WEIGHTS`, `MOST_FEATURES` and
`SELF_PLAY`, a TreeSearch with deals; and `SELF_PLAY_TABLES`, the options of the tables to play at (fitting.py).

The weights are in `weights.npz` beside guide.py, with the command, the seed, the time and the figures that made them.
A guide may also have

- `base(state, seat)`, compiled: the part of the value that is not learned, in place of `value`,
- `first_weights()`, which returns the weights to begin with (float32), in place of zeros: weights with which the
  learned value is the guide's own, or a better guess, save much learning.
"""

import json
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ludoteca.core.errors import UnfinishedGame

FILE = "weights.npz"
FUNCTION_NAMES = ("features", "final")
NO_WEIGHTS = np.zeros(0, np.float32)


def learned(state, seat, weights, places, amounts):
    """Return the value of a position that is not over, with what was learned."""
    total = np.float64(base(state, seat))
    for i in range(features(state, seat, places, amounts)):
        total += weights[places[i]] * amounts[i]
    return total


FUNCTIONS = (learned,)


def can_learn(advice: ModuleType) -> bool:
    """Return whether a game's guide.py describes features."""
    return hasattr(advice, "features")


def functions_of(advice: ModuleType) -> dict[str, Any]:
    """Return what the functions above call."""
    found = {name: getattr(advice, name) for name in FUNCTION_NAMES}
    return found | {"base": getattr(advice, "base", advice.value)}


def weights_file(advice: ModuleType) -> Path:
    return Path(advice.__file__ or "").with_name(FILE)


@cache
def weights_of(advice: ModuleType) -> Any:
    """Return the weights that are shipped with a game."""
    path = weights_file(advice)
    if not path.exists():
        raise UnfinishedGame(f"{path} is missing: `ludoteca train` makes it")
    weights, _ = read_weights(path)
    if len(weights) != advice.WEIGHTS:
        raise UnfinishedGame(
            f"{path} has {len(weights)} weights, guide.py describes {advice.WEIGHTS}: `ludoteca train` makes it anew"
        )
    return weights


def read_weights(path: Path) -> tuple[Any, dict[str, Any]]:
    """Return the weights of a file, and how they were made."""
    with np.load(path) as stored:
        return stored["weights"].astype(np.float32), json.loads(str(stored["made"]))


def write_weights(path: Path, weights: Any, made: dict[str, Any]) -> None:
    """Write weights with half precision, and how they were made."""
    with path.open("wb") as file:
        np.savez_compressed(file, weights=weights.astype(np.float16), made=json.dumps(made, indent=1))
