"""The lab beside the bare kernel: matches a processor-second, what is not search, and what a second core brings."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

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


def _played(numbers: range) -> int:
    return len(play_batch(PLAN, False, numbers))


def run(pool: Pool) -> tuple[float, float]:
    """Play the plan. Return the seconds that it took, and those of the processor."""
    began, processor = time.perf_counter(), time.process_time()
    for _ in spread(_played, range(1, PLAN.games + 1), pool):
        pass
    return time.perf_counter() - began, time.process_time() - processor


def cores() -> Iterator[str]:
    """Compare one thread, two threads and two processes, turn about: the best round of each is the least disturbed."""
    _played(range(1, 2))
    one: list[tuple[float, float]] = []
    two: list[tuple[float, float]] = []
    spawned: list[tuple[float, float]] = []
    with threads(1) as single, threads(2) as double, processes(2, PLAN.game) as apart:
        run(apart)  # they load the rules
        for _ in range(ROUNDS):
            for pool, times in ((single, one), (double, two), (apart, spawned)):
                times.append(run(pool))
    best = [min(times)[0] for times in (one, two, spawned)]
    spent = [min(processor for _, processor in times) for times in (one, two)]
    yield (
        f"simulate, two threads beside one: {best[0] / best[1]:.2f} times as fast (wanted {WANTED_CORES}), with "
        f"{spent[1] / spent[0]:.2f} times the processor time; other work on the machine lowers the first figure"
    )
    yield f"simulate, two processes beside one thread: {best[0] / best[2]:.2f} times as fast"
    yield (
        f"simulate, a million random matches of Pin Point on two cores: {5 * best[1]:.1f} s, "
        f"{5 * spent[1]:.1f} s of processor time (wanted: about 10)"
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
    began = time.process_time()
    play_batch(plan, False, range(1, 3))
    share = spent[0] / (time.process_time() - began)
    return f"KingBrick, casual: {share:.2f} of a simulated match is physics (wanted: at least {WANTED_PHYSICS})"


def measure() -> Iterator[str]:
    for game in kernel_games():
        yield random_play(game)
        for level in ("novice", "expert"):
            yield thinking(game, level)
    yield from cores()
    yield physics_share()


if __name__ == "__main__":
    for line in measure():
        print(line, flush=True)
