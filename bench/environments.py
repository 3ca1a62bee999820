"""Environments: VectorEnv beside pgx and OpenSpiel on connect four, and turns/s through PettingZoo and Gymnasium.

All by processor time of one thread, turn about, best of several rounds.
"""

import importlib.util
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import example_games
import gymnasium
import numpy as np
import pettingzoo

import ludoteca.rl
from ludoteca.core import registry
from ludoteca.core.kernel_game import KernelGame
from ludoteca.lab import VectorEnv

MATCHES, STEPS, ROUNDS = 1024, 60, 7
WANTED, WANTED_TURNS = 1_000_000, 20_000
TURNS = 4000
EXAMPLE = "connectfour"


def vector_rates(key: str, copy: bool) -> tuple[float, float]:
    """Steps a second with given moves, and with random moves chosen in compiled code as well."""
    env = VectorEnv(key, MATCHES, copy=copy)
    env.reset(seed=1)
    env.step(env.sample())
    steps, both = [], []
    for _ in range(ROUNDS):
        stepping = choosing = 0.0
        for _ in range(STEPS):
            began = time.process_time()
            moves = env.sample()
            chosen = time.process_time()
            env.step(moves)
            stepping += time.process_time() - chosen
            choosing += chosen - began
        steps.append(MATCHES * STEPS / stepping)
        both.append(MATCHES * STEPS / (stepping + choosing))
    return max(steps), max(both)


def vectors() -> Iterator[str]:
    for key in [*registry.game_keys(), *example_games.KEYS]:
        game = registry.game(key)
        if isinstance(game, KernelGame):
            (reused, chosen), (fresh, _) = vector_rates(key, False), vector_rates(key, True)
            wanted = f" (wanted {WANTED:,})" if key == "pinpoint" else ""
            yield (
                f"VectorEnv, {game.name}, {MATCHES:,} matches: {reused:,.0f} steps/s{wanted}, "
                f"{chosen:,.0f} with random moves chosen too; fresh arrays {fresh:,.0f}"
            )


def pgx_rate() -> float:
    """The same work: step, reset what ended, observation and mask, with random moves chosen too, compiled as one."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("connect_four")
    step, begin = jax.vmap(auto_reset(env.step, env.init)), jax.jit(jax.vmap(env.init))

    def turn(state: Any, key: Any) -> tuple[Any, Any]:
        choosing, resetting = jax.random.split(key)
        odds = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        moves = jax.random.categorical(choosing, odds, axis=-1)
        return step(state, moves, jax.random.split(resetting, MATCHES)), None

    turns = jax.jit(lambda state, keys: jax.lax.scan(turn, state, keys)[0])
    state = begin(jax.random.split(jax.random.PRNGKey(0), MATCHES))
    rates = []
    for n in range(ROUNDS + 1):
        keys = jax.random.split(jax.random.PRNGKey(n), STEPS)
        began = time.process_time()
        state = jax.block_until_ready(turns(state, keys))
        rates.append(MATCHES * STEPS / (time.process_time() - began))
    return max(rates[1:])


def spiel_rate() -> float:
    """OpenSpiel's C++ connect four driven from Python: the observation, the legal moves and a random one of them."""
    import pyspiel

    game, rng, rates = pyspiel.load_game("connect_four"), np.random.default_rng(1), []
    for _ in range(ROUNDS):
        moves, began = 0, time.process_time()
        while moves < TURNS * 3:
            state = game.new_initial_state()
            while not state.is_terminal():
                state.observation_tensor()
                legal = state.legal_actions()
                state.apply_action(legal[rng.integers(len(legal))])
                moves += 1
        rates.append(moves / (time.process_time() - began))
    return max(rates)


def equal_work() -> Iterator[str]:
    ours = vector_rates(EXAMPLE, True)[1]
    for name, module, rate in (("pgx on CPU", "pgx", pgx_rate), ("OpenSpiel C++ from Python", "pyspiel", spiel_rate)):
        if importlib.util.find_spec(module) is None:
            yield f"{name} is not installed: pip install 'ludoteca[bench]' to compare with it"
        else:
            its = rate()
            yield f"connect four, random moves: {ours:,.0f} steps/s; {name} {its:,.0f}; ratio {ours / its:.1f}"


def best(turns: Callable[[int], None]) -> float:
    turns(200)
    rates = []
    for _ in range(ROUNDS):
        began = time.process_time()
        turns(TURNS)
        rates.append(TURNS / (time.process_time() - began))
    return max(rates)


def zoo_turns(key: str) -> Callable[[int], None]:
    """Turns as everybody writes them: `last`, a legal action, `step`. The actions are chosen beforehand."""
    env = pettingzoo.make("aec", ludoteca.rl.environment_id(key), illegal="replace")
    actions = np.random.default_rng(1).integers(env.action_space("player_0").n, size=TURNS)

    def turns(count: int) -> None:
        done = 0
        env.reset(seed=1)
        while done < count:
            for _ in env.agent_iter():
                _, _, terminated, truncated, _ = env.last()
                env.step(None if terminated or truncated else actions[done])
                done += 1
                if done == count:
                    return
            env.reset()

    return turns


def single_turns(key: str) -> Callable[[int], None]:
    env = gymnasium.make(ludoteca.rl.environment_id(key), disable_env_checker=True)
    actions = np.random.default_rng(1).integers(env.action_space.n, size=TURNS)  # type: ignore[attr-defined]

    def turns(count: int) -> None:
        env.reset(seed=1)
        for done in range(count):
            _, _, terminated, _, _ = env.step(actions[done])
            if terminated:
                env.reset()

    return turns


def measure() -> Iterator[str]:
    yield from vectors()
    yield from equal_work()
    for key in registry.game_keys():
        game = registry.game(key)
        if isinstance(game, KernelGame):
            yield f"PettingZoo, {game.name}: {best(zoo_turns(key)):,.0f} turns/s (wanted {WANTED_TURNS:,})"
            yield f"Gymnasium, {game.name}, against a random bot: {best(single_turns(key)):,.0f} steps/s"


if __name__ == "__main__":
    for line in measure():
        print(line, flush=True)
