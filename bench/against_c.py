"""Every kernel against a plain C program of the same rules: one thread, the same random numbers, the same sums."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludoteca.core import registry
from ludoteca.core.binding import bind
from ludoteca.core.kernel_game import KernelGame
from ludoteca.search import tree

SEED = 88172645463325252
ROUNDS = 5
NODES = 4_000_000


class Race(NamedTuple):
    """A game, options that leave nothing to lots, and how much is played."""

    game: str
    players: int
    begun: Mapping[str, object]
    matches: int
    simulations: int
    wanted: float  # share of the speed of C


RACES = (
    Race("aftaebr", 2, {"start": 1}, 60_000, 30_000, 0.7),
    Race("aftaebr", 4, {"start": 1}, 30_000, 15_000, 0.7),
    Race("pinpoint", 2, {"start": 1, "setup": "RYGB"}, 60_000, 30_000, 0.8),
    Race("matchnlock", 2, {"start": 1}, 12_000, 8_000, 0.7),
    Race("matchnlock", 4, {"start": 1}, 6_000, 4_000, 0.7),
)


class Rates(NamedTuple):
    matches: float  # per second
    simulations: float
    sum: float  # of the first seat's payoffs; sum and nodes are equal if both played the same matches
    nodes: int


def compiled_c(game: str, folder: Path) -> Path | None:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    program = folder / game
    source = Path(__file__).with_name(f"{game}.c")
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, source, "-lm"], check=True)
    return program


def c_rates(program: Path, race: Race, given: str) -> Rates:
    numbers = [str(number) for number in (race.players, race.matches, race.simulations, NODES, SEED)]
    shown = subprocess.run([program, *numbers], input=given, check=True, capture_output=True, text=True).stdout.split()
    return Rates(float(shown[0]), float(shown[1]), float(shown[2]), int(shown[3]))


class Python:
    """The same two jobs by the product's own code."""

    def __init__(self, race: Race) -> None:
        game = registry.game(race.game)
        assert isinstance(game, KernelGame)
        self.name = game.name
        self._bound, rules = bind(tree.FUNCTIONS, game.rules), game.rules
        self.by_lot = game.start(game.agree({"players": race.players}))
        self._begun = game.start(game.agree({"players": race.players, **race.begun}))
        self._pool = np.zeros(1, rules.State).view(np.recarray)
        self._tree = tree.new_tree(rules, NODES)
        self.rates(1, 1)

    def rates(self, matches: int, simulations: int) -> Rates:
        totals: Any = np.zeros(4)
        began = time.process_time()
        self._bound.playouts(self.by_lot, self._pool, matches, np.array([SEED], np.uint64), totals)
        playing = time.process_time() - began
        rng = np.array([SEED], np.uint64)
        began = time.process_time()
        used = self._bound.search(self._begun, self._pool, self._tree, simulations, np.float32(1.0), 0, rng)
        searching = time.process_time() - began
        return Rates(matches / playing, simulations / searching, round(float(totals[0]), 2), int(used))


def token_set(state: Any) -> str:
    """Return the input of the program for Match'n Lock!; the other programs read nothing."""
    if "printed" not in state.dtype.names:
        return ""
    n = int(state.n_tokens)
    pairs = zip(state.printed[:n].tolist(), state.value[:n].tolist(), strict=True)
    return f"{n} " + " ".join(f"{wedges} {value}" for wedges, value in pairs)


def measured(race: Race) -> list[str]:
    python = Python(race)
    label = f"{python.name}, {race.players} players"
    with tempfile.TemporaryDirectory() as folder:
        program = compiled_c(race.game, Path(folder))
        if program is None:
            alone = python.rates(race.matches, race.simulations)
            shown = f"{alone.matches:,.0f} random matches/s, {alone.simulations:,.0f} simulations/s"
            return [f"{label}: {shown} (no C compiler here)"]
        given = token_set(python.by_lot)
        rounds = [  # in alternation, because the machine is shared
            (python.rates(race.matches, race.simulations), c_rates(program, race, given)) for _ in range(ROUNDS)
        ]
    played = {(rates.sum, rates.nodes) for pair in rounds for rates in pair}
    assert len(played) == 1, f"they play different games: {played}"
    lines = []
    for place, what in enumerate(("random matches/s", "tree search, simulations/s")):
        mine = max(ours[place] for ours, _ in rounds)
        other = max(theirs[place] for _, theirs in rounds)
        ratio = f"ratio {mine / other:.2f} (wanted {race.wanted})"
        lines.append(f"{label}, {what}: {mine:,.0f}; C {other:,.0f}; {ratio}")
    return lines


def measure() -> list[str]:
    return [line for race in RACES for line in measured(race)]


if __name__ == "__main__":
    print(*measure(), sep="\n")
