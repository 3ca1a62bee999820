"""VectorEnv: the matches of single environments, resets as Gymnasium defines them, arrays that may be kept."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import ludoteca.rl
from ludoteca.core import registry
from ludoteca.core.errors import UnknownBot
from ludoteca.core.kernel_game import KernelGame
from ludoteca.lab import VectorEnv
from ludoteca.rl.seating import BadSeating
from ludoteca.rl.vector import BadEnvironment

KERNELS = [key for key in registry.game_keys() if isinstance(registry.game(key), KernelGame)]


def played(env, steps, seed=0):
    """Everything that an environment answers along some random steps, copied."""
    observation, infos = env.reset(seed=seed)
    return [copied((observation, infos)), *(copied(env.step(env.sample())) for _ in range(steps))]


def copied(value):
    if isinstance(value, dict):
        return {name: copied(one) for name, one in value.items()}
    return tuple(map(copied, value)) if isinstance(value, tuple) else np.copy(value)


def same(one, other):
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    return one.dtype == other.dtype and np.array_equal(one, other)


@pytest.mark.kernels
@pytest.mark.parametrize("key", KERNELS)
def test_a_row_plays_the_matches_of_a_single_environment(key):
    many, seed = VectorEnv(key, 3, illegal="replace"), 11
    singles = [ludoteca.rl.aec(key, illegal="replace") for _ in range(3)]
    observation, infos = many.reset(seed=seed)
    for row, env in enumerate(singles):
        env.reset(seed=seed + row)
    over = [False] * 3
    for _ in range(150):
        for row, env in enumerate(singles):
            agent = env.agents[infos["seat"][row]]
            if not over[row]:
                assert env.agent_selection == agent
            alone = env.observe(agent)
            assert np.array_equal(alone["observation"], observation["observation"][row])
            assert np.array_equal(alone["action_mask"], observation["action_mask"][row])
        actions = many.sample()
        observation, rewards, terminated, _, infos = many.step(actions)
        for row, env in enumerate(singles):
            if over[row]:
                env.reset()
                assert not rewards[row].any()
            else:
                env.step(actions[row])
                assert list(env.rewards.values()) == rewards[row].tolist()
                assert all(env.terminations.values()) == terminated[row]
        over = terminated.tolist()


@pytest.mark.parametrize("key", KERNELS)
def test_shapes_and_types(key):
    env = VectorEnv(key, 5)
    observation, infos = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert infos["seat"].shape == (5,)
    observation, rewards, terminated, truncated, _ = env.step(env.sample())
    assert env.observation_space.contains(observation)
    assert observation["action_mask"].dtype == np.int8
    assert (rewards.shape, rewards.dtype) == ((5, 2), np.float32)
    assert terminated.dtype == truncated.dtype == np.bool_
    assert all(array.flags.c_contiguous for array in (*observation.values(), rewards, terminated, truncated))


def test_the_same_seed_gives_the_same_bytes_and_another_one_others():
    one, again, other = (played(VectorEnv("tictacmatch", 8), 60, seed) for seed in (1, 1, 2))
    assert same(one, again)
    assert not same(one, other)


def test_buffers_are_fresh_or_reused_on_request():
    assert same(played(VectorEnv("pinpoint", 4), 120), played(VectorEnv("pinpoint", 4, copy=False), 120))
    for copy in (True, False):
        env = VectorEnv("pinpoint", 4, copy=copy)
        first = env.reset(seed=1)[0]["observation"]
        kept = first.copy()
        second = env.step(env.sample())[0]["observation"]
        assert np.shares_memory(first, second) is not copy
        assert np.array_equal(first, kept) is copy


def test_next_step_ignores_the_action_after_the_end():
    env = VectorEnv("tictacmatch", 16, autoreset_mode="NextStep")
    assert env.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    env.reset(seed=1)
    seen = 0
    for _ in range(200):
        last, rewards, terminated, _, _ = env.step(env.sample())
        for row in np.flatnonzero(terminated):
            assert last["action_mask"][row].all()
            assert rewards[row].sum() == 0
        if terminated.any():
            seen += 1
            begun, rewards, again, _, infos = env.step(np.where(terminated, -5, env.sample()))
            assert not again[terminated].any()
            assert not rewards[terminated].any()
            assert not infos["illegal"][terminated].any()
            assert 0 < begun["action_mask"][terminated].sum(axis=1).min() < 100
    assert seen > 5


@pytest.mark.kernels
def test_same_step_begins_the_next_match_at_once_and_tells_the_last_observation():
    following, at_once = (VectorEnv("tictacmatch", 16, autoreset_mode=mode) for mode in ("NextStep", "SameStep"))
    following.reset(seed=1)
    at_once.reset(seed=1)
    seen = 0
    for _ in range(80):
        actions = at_once.sample()
        new, rewards, terminated, _, infos = at_once.step(actions)
        old, the_same, ended, _, _ = following.step(actions)
        assert np.array_equal(rewards, the_same)
        assert np.array_equal(terminated, ended)
        assert ("final_obs" in infos) == terminated.any()
        if terminated.any():
            seen += 1
            assert np.array_equal(infos["_final_obs"], terminated)
            assert np.array_equal(infos["final_obs"]["observation"][terminated], old["observation"][terminated])
            reset, *_ = following.reset(options={"reset_mask": terminated})
            old = reset
        assert np.array_equal(new["observation"], old["observation"])
        assert np.array_equal(new["action_mask"], old["action_mask"])
    assert seen > 5


@pytest.mark.kernels
def test_an_illegal_action_loses_or_is_replaced_and_is_told():
    actions = np.array([-1, 10**6, 0])
    for illegal in ("lose", "replace"):
        env = VectorEnv("pinpoint", 3, illegal=illegal, penalty=-0.5)
        observation, infos = env.reset(seed=1)
        actions[2] = np.flatnonzero(observation["action_mask"][2])[0]
        _, rewards, terminated, _, after = env.step(actions)
        assert after["illegal"].tolist() == [True, True, False]
        assert terminated.tolist() == [illegal == "lose"] * 2 + [False]
        for row in (0, 1):
            assert rewards[row, infos["seat"][row]] == (-0.5 if illegal == "lose" else 0)
            assert rewards[row, 1 - infos["seat"][row]] == 0


def test_steps_end_a_match_as_truncated():
    env = VectorEnv("aftaebr", 4, max_steps=7)
    env.reset(seed=1)
    for n in range(1, 20):
        _, _, terminated, truncated, _ = env.step(env.sample())
        assert not terminated.any()
        assert truncated.all() == (n in (7, 15))


def test_gymnasium_makes_it():
    env = gymnasium.make_vec(
        "ludoteca/tictacmatch-v0", num_envs=3, vectorization_mode="vector_entry_point", bots="random"
    )
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert env.step(env.unwrapped.sample())[1].shape == (3,)
    env.close()


def test_what_is_wrong_is_said():
    with pytest.raises(BadEnvironment, match="physics"):
        VectorEnv("kingbrick", 2)
    with pytest.raises(BadEnvironment, match="Disabled"):
        VectorEnv("pinpoint", 2, autoreset_mode="Disabled")
    with pytest.raises(BadSeating, match="seat 2"):
        VectorEnv("pinpoint", 2, bots="random", seat=2)
    with pytest.raises(BadSeating, match="2 bots for 1"):
        VectorEnv("pinpoint", 2, bots=["random", "club"])
    with pytest.raises(UnknownBot):
        VectorEnv("pinpoint", 2, bots="nobody")
    env = VectorEnv("pinpoint", 2)
    with pytest.raises(BadEnvironment, match="reset"):
        env.step([0, 0])
    env.reset(seed=1)
    with pytest.raises(BadEnvironment, match=r"\(3,\)"):
        env.step([1, 2, 3])
    with pytest.raises(BadEnvironment, match="3 seeds for 2"):
        env.reset(seed=[1, 2, 3])
