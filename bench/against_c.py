"""Pin Point against a plain C program of the same rules: one thread, the same random numbers, the same sums."""

import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from ludoteca.core import registry
from ludoteca.core.binding import bind
from ludoteca.core.kernel_game import KernelGame
from ludoteca.search import tree

MATCHES, SIMULATIONS, NODES, SEED = 60_000, 30_000, 4_000_000, 88172645463325252
ROUNDS = 5


def compiled_c(folder: Path) -> Path | None:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    program = folder / "pinpoint"
    source = Path(__file__).with_name("pinpoint.c")
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, source, "-lm"], check=True)
    return program


def c_rates(program: Path) -> tuple[float, float, float, int]:
    numbers = [str(number) for number in (MATCHES, SIMULATIONS, NODES, SEED)]
    shown = subprocess.run([program, *numbers], check=True, capture_output=True, text=True).stdout.split()
    return float(shown[0]), float(shown[1]), float(shown[2]), int(shown[3])


class Python:
    """The same two jobs, by the product's own code."""

    def __init__(self) -> None:
        game = registry.game("pinpoint")
        assert isinstance(game, KernelGame)
        self._bound, rules = bind(tree.FUNCTIONS, game.rules), game.rules
        self._by_lot = game.start(game.agree({}))
        self._begun = game.start(game.agree({"start": 1, "setup": "RYGB"}))
        self._pool = np.zeros(1, rules.State).view(np.recarray)
        self._tree = tree.new_tree(rules, NODES)
        self.rates(1, 1)

    def rates(self, matches: int = MATCHES, simulations: int = SIMULATIONS) -> tuple[float, float, float, int]:
        totals: Any = np.zeros(4)
        began = time.process_time()
        self._bound.playouts(self._by_lot, self._pool, matches, np.array([SEED], np.uint64), totals)
        playing = time.process_time() - began
        rng = np.array([SEED], np.uint64)
        began = time.process_time()
        used = self._bound.search(self._begun, self._pool, self._tree, simulations, np.float32(1.0), 0, rng)
        searching = time.process_time() - began
        return matches / playing, simulations / searching, float(totals[0]), int(used)


def measure() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        program = compiled_c(Path(folder))
        python = Python()
        if program is None:
            playing, searching, _, _ = python.rates()
            return [f"Pin Point: {playing:,.0f} random matches/s, {searching:,.0f} simulations/s (no C compiler here)"]
        rounds = [(python.rates(), c_rates(program)) for _ in range(ROUNDS)]  # turn about: the machine is shared
    assert len({mine[2:] for mine, _ in rounds} | {other[2:] for _, other in rounds}) == 1, "they play different games"
    lines = []
    for place, what in enumerate(("random matches/s", "tree search, simulations/s")):
        mine, other = (max(rates[side][place] for rates in rounds) for side in (0, 1))
        lines.append(f"Pin Point, {what}: {mine:,.0f}; C {other:,.0f}; ratio {mine / other:.2f} (wanted 0.8)")
    return lines


if __name__ == "__main__":
    print(*measure(), sep="\n")
