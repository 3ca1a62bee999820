"""PettingZoo's own conformance suites over every game, without exclusions, and what they do not ask."""

import warnings

import example_games
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.test.seed_test import parallel_seed_test
from pettingzoo.test.state_test import state_test

import ludoteca.rl
from ludoteca.core import registry, tensors
from ludoteca.core.errors import BadOption
from ludoteca.core.kernel_game import KernelGame
from ludoteca.rl.rendering import BadRenderMode
from ludoteca.rl.tables import NotReset

KEYS = registry.game_keys()
KERNELS = [key for key in KEYS if isinstance(registry.game(key), KernelGame)]
CYCLES = 1000
# Every environment with a mask in a Dict observation causes these two.
ALWAYS = ("Observation is not a NumPy array", "Observation space for each agent probably should be")

for _key in example_games.KEYS:
    ludoteca.rl.register(_key)


def made(key, **settings):
    return pettingzoo.make("aec", ludoteca.rl.environment_id(key), **settings)


@pytest.fixture(autouse=True)
def _no_window(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture
def warned():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield lambda: [str(one.message) for one in caught if not str(one.message).startswith(ALWAYS)]


@pytest.mark.parametrize("key", [*KEYS, *example_games.KEYS])
def test_api(key, warned):
    api_test(made(key), CYCLES)
    assert warned() == []


@pytest.mark.parametrize("key", KEYS)
def test_parallel_api(key, warned):
    parallel_api_test(pettingzoo.make("parallel", ludoteca.rl.environment_id(key)), CYCLES)
    assert warned() == []


@pytest.mark.parametrize("key", KEYS)
def test_seeds(key):
    seed_test(lambda: made(key))
    parallel_seed_test(lambda: ludoteca.rl.parallel(key, illegal="replace"))


@pytest.mark.parametrize("key", KEYS)
def test_rendering(key):
    render_test(lambda render_mode: made(key, render_mode=render_mode))


@pytest.mark.parametrize("key", KEYS)
def test_states(key):
    state_test(made(key), ludoteca.rl.parallel(key))


@pytest.mark.parametrize("key", KERNELS)
def test_all_numbers_of_players_and_options(key):
    for players in registry.game(key).players:
        env = ludoteca.rl.aec(key, players=players)
        env.reset(seed=players)
        assert env.agents == [f"player_{seat}" for seat in range(players)]
        rewards = finished(env)
        assert len(rewards) == players
        assert set(rewards.values()) <= {-1.0, 0.0, 1.0} | {2 / n - 1 for n in range(1, players + 1)}


def finished(env, seed=1):
    """Plays at random to the end; everybody's rewards."""
    rng, rewards = np.random.default_rng(seed), dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        rewards[agent] += reward
        if terminated or truncated:
            env.step(None)
        elif isinstance(observation, dict):
            env.step(rng.choice(np.flatnonzero(observation["action_mask"])))
        else:
            env.step(rng.uniform(-1, 1, env.action_space(agent).shape))
    return rewards


def test_an_environment_is_known_with_and_without_its_version():
    assert made("pinpoint").metadata["name"] == "pinpoint_v0"
    assert pettingzoo.make("aec", "ludoteca/pinpoint").metadata["name"] == "pinpoint_v0"
    for key in KEYS:
        assert pettingzoo.spec("aec", ludoteca.rl.environment_id(key)).version == tensors.encoding(key).VERSION


def test_an_illegal_action_loses_as_pettingzoo_has_it():
    env = made("pinpoint")
    env.reset(seed=3)
    agent = env.agent_selection
    env.step(1e6)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {agent: -1.0, **{other: 0.0 for other in env.agents if other != agent}}
    assert env.infos[agent] == {"illegal_action": True}


def test_an_illegal_action_may_be_replaced():
    env = made("pinpoint", illegal="replace")
    env.reset(seed=3)
    agent = env.agent_selection
    for _ in range(9):
        env.step(-1)
    assert not any(env.terminations.values())
    assert env.infos[agent] == {"illegal_action": True}
    assert any(env.rewards.values()) is False


def test_matches_of_a_seed_follow_one_another():
    def matches(env, seed):
        env.reset(seed=seed)
        first = finished(env), env.state().tobytes()
        env.reset()
        return first, (finished(env), env.state().tobytes())

    env = made("tictacmatch")
    assert matches(env, 5) == matches(env, 5) == matches(made("tictacmatch"), 5)
    assert matches(env, 5) != matches(env, 6)
    assert matches(env, 5)[0] != matches(env, 5)[1]


def test_cycles_end_a_match_as_truncated():
    env = made("aftaebr", max_cycles=3)
    env.reset(seed=1)
    finished(env)
    env.reset(seed=1)
    turns = 0
    while not any(env.truncations.values()):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
        turns += 1
    assert turns == 6
    assert not any(env.terminations.values())


def test_those_who_wait_have_no_legal_moves():
    env = made("pinpoint")
    env.reset(seed=1)
    waits = next(agent for agent in env.agents if agent != env.agent_selection)
    assert not env.observe(waits)["action_mask"].any()
    assert env.observe(env.agent_selection)["action_mask"].any()


def test_bad_settings_are_refused_in_words():
    with pytest.raises(BadRenderMode, match="render_mode 'film'"):
        made("pinpoint", render_mode="film")
    with pytest.raises(BadOption, match="players"):
        made("pinpoint", players=9)
    with pytest.raises(NotReset):
        made("pinpoint").step(0)


def test_a_box_is_read_from_the_side_of_the_agent():
    """The same action means the same to both sides: straight ahead, with the brick in the middle."""
    env = ludoteca.rl.aec("kingbrick", start=1, hand="steady")
    ahead = np.array([0.0, 0.0, -0.5, 0.0, 0.0], np.float32)
    env.reset(seed=1)
    before = env.observe("player_0")
    assert np.allclose(before[0, :, :4], env.observe("player_1")[0, :, :4], atol=1e-5)
    env.step(ahead)
    red = env.observe("player_0")
    moved = np.flatnonzero(np.abs(red[0, :, 2] - before[0, :, 2]) > 0.01)
    assert len(moved)
    assert (red[0, moved, 2] > before[0, moved, 2]).all()
    env = ludoteca.rl.aec("kingbrick", start=2, hand="steady")
    env.reset(seed=1)
    env.step(ahead)
    blue = env.observe("player_1")
    assert np.allclose(red[0, :, 1:4], blue[0, :, 1:4], atol=0.05)
