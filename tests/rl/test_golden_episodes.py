"""Golden episodes: observations, masks and rewards of a fixed match of every game, so that none changes by accident.

A change that shows here changed what the environments of a game return: raise VERSION in its encode.py, so that nobody
compares results of two versions unknowingly. `make golden` writes the files anew.
"""

import hashlib
from pathlib import Path

import example_games
import numpy as np
import pytest

import ludoteca.rl
from ludoteca.core import registry, tensors

GOLDEN = Path(__file__).parents[1] / "golden" / "episodes"
KEYS = [*registry.game_keys(), *example_games.KEYS]
DECIMALS = 3  # physics is the same to the bit on one platform only


def digest(observation):
    """Some numbers to compare, and one that stands for all of them."""
    rounded = np.round(observation.astype(np.float64), DECIMALS) + 0.0
    planes = rounded.reshape(len(rounded), -1).sum(axis=1)
    shown = " ".join(f"{plane}:{total:g}" for plane, total in enumerate(planes) if total)
    return f"{hashlib.sha256(rounded.tobytes()).hexdigest()[:12]} {shown}"


def episode(key):
    game = registry.game(key)
    env = ludoteca.rl.aec(key)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    yield f"{ludoteca.rl.environment_id(key)}, rules {game.rules_version}, observations {tensors.encoding(key).SHAPE}"
    yield f"action space {env.action_space('player_0')}"
    for turn, agent in enumerate(env.agent_iter()):
        observation, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            yield f"{turn} {agent} over, reward {reward:g}"
            env.step(None)
            continue
        numbers = observation["observation"] if isinstance(observation, dict) else observation
        yield f"{turn} {agent} sees {digest(numbers)}"
        if isinstance(observation, dict):
            legal = np.flatnonzero(observation["action_mask"])
            action = int(rng.choice(legal))
            listed = hashlib.sha256(observation["action_mask"].tobytes()).hexdigest()[:12]
            yield f"  {len(legal)} legal moves {listed}, plays {action}"
        else:
            action = np.round(rng.uniform(-1, 1, env.action_space(agent).shape), 2)
            yield f"  plays {' '.join(f'{part:g}' for part in action)}"
        env.step(action)


@pytest.mark.parametrize("key", KEYS)
def test_the_golden_episode_still_holds(key, request):
    path = GOLDEN / f"{key}.txt"
    text = "\n".join(episode(key)) + "\n"
    if request.config.getoption("golden"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert path.exists(), f"there is no golden episode of {key}: run make golden"
    assert text == path.read_text("utf-8"), f"what {key} returns has changed: raise VERSION in its encode.py"
