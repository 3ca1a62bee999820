"""Gymnasium's own checks over every game, and one agent against bots."""

import warnings

import example_games
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ludoteca.rl
from ludoteca.core import registry
from ludoteca.core.kernel_game import KernelGame
from ludoteca.rl.seating import BadSeating
from ludoteca.rl.tables import NotReset

KEYS = registry.game_keys()
KERNELS = [key for key in KEYS if isinstance(registry.game(key), KernelGame)]

for _key in example_games.KEYS:
    ludoteca.rl.register(_key)


def made(key, **settings):
    return gymnasium.make(ludoteca.rl.environment_id(key), **settings)


def finished(env, seed=None, choose=None):
    """Plays to the end, at random by default; the reward and the infos."""
    observation, info = env.reset(seed=seed)
    rng, infos, is_over, reward = np.random.default_rng(seed or 0), [info], False, 0.0
    while not is_over:
        mask = observation["action_mask"] if isinstance(observation, dict) else None
        if choose:
            action = choose(observation)
        else:
            action = rng.choice(np.flatnonzero(mask)) if mask is not None else env.action_space.sample()
        observation, more, is_over, truncated, info = env.step(action)
        assert not truncated
        reward += more
        infos.append(info)
    return reward, infos


@pytest.mark.parametrize("key", [*KEYS, *example_games.KEYS])
def test_gymnasium_finds_nothing_to_complain_about(key, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(key).unwrapped)


def test_physics_has_bots_too():
    env = made("kingbrick", bots="novice", seat=1)
    env.reset(seed=1)
    observation, reward, is_over, _, info = env.step(np.zeros(5, np.float32))
    assert env.observation_space.contains(observation)
    assert (reward, is_over, info["seat"]) == (0.0, False, 1)


def test_an_illegal_action_ends_the_episode_with_a_penalty():
    env = made("pinpoint", illegal="lose", penalty=-3.0)
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(10**7)
    assert (reward, terminated, truncated) == (-3.0, True, False)
    assert info["illegal_action"] is True


def test_an_illegal_action_is_replaced_by_a_legal_one_and_reported():
    env = made("pinpoint", illegal="replace")
    before, info = env.reset(seed=1)
    assert "illegal_action" not in info
    after, reward, terminated, _, info = env.step(-1)
    assert (reward, terminated, info["illegal_action"]) == (0.0, False, True)
    assert not np.array_equal(after["observation"], before["observation"])
    assert "illegal_action" not in env.step(np.flatnonzero(after["action_mask"])[0])[4]


def test_a_step_needs_a_match():
    env = made("pinpoint", illegal="lose").unwrapped
    with pytest.raises(NotReset):
        env.step(0)
    env.reset(seed=1)
    env.step(-1)
    with pytest.raises(NotReset, match="no match is running"):
        env.step(0)


@pytest.mark.parametrize("key", KEYS)
def test_no_action_is_an_exception(key):
    for illegal in ("lose", "replace"):
        env = made(key, illegal=illegal)
        size = getattr(env.action_space, "shape", ())
        for seed, odd in enumerate((-1, 10**9, 0, 1.5, np.int8(3), np.inf if size else 2, np.nan if size else 7)):
            env.reset(seed=seed)
            env.step(np.full(size, odd) if size else odd)


def test_the_seat_is_one_or_by_lot():
    env = made("tictacmatch", players=4, seat=2)
    assert {info["seat"] for info in finished(env, 1)[1]} == {2}
    env = made("tictacmatch", seat=None)
    seats = [finished(env, seed)[1][0]["seat"] for seed in range(12)]
    assert set(seats) == {0, 1}
    assert seats == [finished(env, seed)[1][0]["seat"] for seed in range(12)]
    with pytest.raises(BadSeating, match="by lot"):
        made("pinpoint", players=3, seat=None, bots=["random", "novice"])


def test_episodes_of_a_seed_are_the_same_again():
    env = made("tictacmatch")

    def three(seed):
        return [finished(env, seed)[0], finished(env)[0], env.reset()[0]["observation"].tobytes()]

    assert three(4) == three(4) != three(5)


def test_masks_are_where_maskable_ppo_looks_for_them():
    env = made("pinpoint")
    observation, _ = env.reset(seed=1)
    assert np.array_equal(env.unwrapped.action_masks(), observation["action_mask"])
