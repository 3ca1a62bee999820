"""The lab beside the bare kernel: matches a processor-second, what is not search, and what a second core brings."""

import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from ludoteca.cli import main
from ludoteca.core import registry
from ludoteca.core.binding import bind
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.random import generator, key_of
from ludoteca.games.kingbrick import measuring, physics
from ludoteca.lab.batch import play_batch
from ludoteca.lab.plan import planned
from ludoteca.lab.simulation import simulated
from ludoteca.lab.workers import Pool, processes, spread, threads
from ludoteca.search import playouts
from ludoteca.search.workbench import checked

ROUNDS, MATCHES = 5, 10_000
LEVEL_SECONDS = 2.0  # of every level
WANTED, WANTED_LEVELS, WANTED_CORES = 0.7, 0.1, 1.8
WANTED_PHYSICS = 0.9  # of the flick rate
MILLION = 1_000_000
SCHEDULER = Path("/proc/thread-self/schedstat")


def kernel_games() -> Iterator[KernelGame]:
    for key in registry.game_keys():
        game = registry.game(key)
        if isinstance(game, KernelGame):
            yield game


def random_play(game: KernelGame) -> str:
    """The bare kernel plays and forgets; the lab keeps every result, and its draws follow from the match's number."""
    plan = planned(game.key, {"players": 2}, ["random"], MATCHES, "bench")
    bound, state = bind(playouts.FUNCTIONS, game.rules), game.start(plan.options)
    pool, totals = np.zeros(1, game.rules.State).view(np.recarray), np.zeros(game.rules.SEATS)
    bound.playouts(state, pool, 1, generator("bench"), totals)
    play_batch(plan, True, range(1, 2))
    bare: list[float] = []
    kept: list[float] = []
    with_moves: list[float] = []
    for _ in range(ROUNDS):  # turn about: the machine is shared
        began = time.process_time()
        bound.playouts(state, pool, MATCHES, generator("bench"), totals)
        bare.append(time.process_time() - began)
        for keep, times in ((False, kept), (True, with_moves)):
            began = time.process_time()
            for _ in simulated(plan, 1, keep=keep):
                pass
            times.append(time.process_time() - began)
    rates = [MATCHES / min(times) for times in (bare, kept, with_moves)]
    return (
        f"{game.name}, random, 2 players: {rates[1]:,.0f} matches/s of simulate, {rates[2]:,.0f} with their moves; "
        f"the bare kernel {rates[0]:,.0f}: ratio {rates[1] / rates[0]:.2f} (wanted {WANTED})"
    )


def thinking(game: KernelGame, level: str) -> str:
    """Measure what a match takes besides its searches: replaying its moves by the rules takes that, and a little more.

    Many matches go into one call, as in `simulate`, so that the calls themselves do not count.
    """
    plan = planned(game.key, {"players": 2}, [level], 1, "bench")
    began = time.process_time()
    play_batch(plan, True, range(1, 2))
    size = max(1, int(LEVEL_SECONDS / 4 / (time.process_time() - began)))
    played, spent, replayed = 0, 0.0, 0.0
    while spent < LEVEL_SECONDS:
        began = time.process_time()
        batch = play_batch(plan, True, range(played + 1, played + size + 1))
        spent += time.process_time() - began
        checked(game, plan.options, key_of("bench"), batch.numbers, batch.moves, batch.ends)
        began = time.process_time()
        checked(game, plan.options, key_of("bench"), batch.numbers, batch.moves, batch.ends)
        replayed += time.process_time() - began
        played += size
    return (
        f"{game.name}, {level}, 2 players: {played / spent:,.1f} matches/s; "
        f"{replayed / spent:.1%} of the time is not search (wanted: at most {WANTED_LEVELS:.0%})"
    )


PLAN = planned("pinpoint", {"players": 2}, ["random"], MILLION // 5, "bench")


def _waited() -> float:
    """Return the seconds that this thread was ready to run while others had the processor. Only Linux knows them."""
    try:
        return int(SCHEDULER.read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


def _played(numbers: range) -> float:
    """Play matches. Return the seconds that it would have taken if nobody else had wanted the processor."""
    waited, began = _waited(), time.perf_counter()
    play_batch(PLAN, False, numbers)
    return time.perf_counter() - began - (_waited() - waited)


class Run(NamedTuple):
    clock: float
    undisturbed: float  # the same, without waiting for a processor that others had
    processor: float


def run(pool: Pool) -> Run:
    """Play the plan."""
    began, processor = time.perf_counter(), time.process_time()
    undisturbed = sum(spread(_played, range(1, PLAN.games + 1), pool)) / pool.workers
    return Run(time.perf_counter() - began, undisturbed, time.process_time() - processor)


def best(runs: list[Run]) -> Run:
    """Return the least value of each kind: other work on the machine only adds."""
    return Run(*(min(values) for values in zip(*runs, strict=True)))


def cores() -> Iterator[str]:
    """Compare one thread, two threads and two processes, turn about."""
    _played(range(1, 2))
    runs: list[list[Run]] = [[], [], []]
    with threads(1) as single, threads(2) as double, processes(2, PLAN.game) as apart:
        run(apart)  # they load the rules
        for _ in range(ROUNDS):
            for pool, done in zip((single, double, apart), runs, strict=True):
                done.append(run(pool))
    one, two, spawned = map(best, runs)
    for name, other in (("threads", two), ("processes", spawned)):
        yield (
            f"simulate, two {name} beside one thread: {one.undisturbed / other.undisturbed:.2f} times as fast without "
            f"the waits for a busy processor, {one.clock / other.clock:.2f} by the clock (wanted {WANTED_CORES})"
        )
    yield (
        f"simulate, a million random matches of Pin Point on two cores: {5 * two.undisturbed:.1f} s without the waits, "
        f"{5 * two.clock:.1f} s by the clock, {5 * two.processor:.1f} s of processor time (wanted: about 10)"
    )


def written() -> str:
    """Measure the whole command with a Parquet file of all moves."""
    with TemporaryDirectory() as folder, redirect_stdout(StringIO()):
        file = Path(folder) / "a.parquet"
        for games in (1, PLAN.games):  # the first run loads the rules and Arrow, and the second one continues its file
            began = time.process_time()
            main(["simulate", PLAN.game, "--games", str(games), "--out", str(file)])
        spent, size = time.process_time() - began, file.stat().st_size
    return (
        f"simulate, a million random matches of Pin Point with all moves in a Parquet file: "
        f"{5 * spent:.1f} s of processor time, {5 * size / 1e6:.0f} MB"
    )


def physics_share() -> str:
    """How much of a KingBrick match is physics: the rest of the time no flick is made."""
    spent = [0.0]

    def timed(work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any, **named: Any) -> Any:
            began = time.process_time()
            try:
                return work(*given, **named)
            finally:
                spent[0] += time.process_time() - began

        return run

    flicked, settled = timed(physics.flicked), timed(physics.settled)
    patches = [(place, name) for place in (physics, measuring) for name in ("flicked", "settled")]
    for place, name in patches:
        setattr(place, name, flicked if name == "flicked" else settled)
    plan = planned("kingbrick", {}, ["casual"], 2, "bench")
    play_batch(plan, False, range(1, 2))  # what is loaded once is not measured
    spent[0], began = 0.0, time.process_time()
    play_batch(plan, False, range(1, 3))
    share = spent[0] / (time.process_time() - began)
    return f"KingBrick, casual: {share:.2f} of a simulated match is physics (wanted: at least {WANTED_PHYSICS})"


def measure() -> Iterator[str]:
    for game in kernel_games():
        yield random_play(game)
        for level in ("novice", "expert"):
            yield thinking(game, level)
    yield from cores()
    yield written()
    yield physics_share()


if __name__ == "__main__":
    for line in measure():
        print(line, flush=True)
