"""OpenSpiel's own suites over every game that has a kernel, and a committed playthrough of each."""

import hashlib
from collections import defaultdict
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.generate_playthrough import playthrough
from open_spiel.python.observation import make_observation

from ludoteca.core import registry
from ludoteca.core.kernel_game import KernelGame
from ludoteca.rl import spiel

PLAYTHROUGHS = Path(__file__).parents[1] / "golden" / "playthroughs"
KERNELS = [key for key in registry.game_keys() if isinstance(registry.game(key), KernelGame)]
SIMULATIONS = 25
WIDTH = 400  # of a line of a playthrough: a longer one, such as a tensor, is cut and ends with its digest


def name_of(key):
    """The game with the fewest players: random matches of more can take a thousand moves."""
    return f"ludoteca_{key}(players={min(registry.game(key).players)})"


@pytest.fixture(autouse=True, scope="module")
def _flags():
    """The playthroughs read a flag of absl, which nobody has parsed."""
    from absl import flags

    flags.FLAGS.mark_as_parsed()


def test_every_kernel_is_registered():
    assert set(spiel.names()) >= {f"ludoteca_{key}" for key in KERNELS}
    assert set(spiel.names()) <= set(pyspiel.registered_names())


@pytest.mark.parametrize("key", KERNELS)
def test_random_simulations_with_serialisation(key):
    game = pyspiel.load_game(name_of(key))
    pyspiel.random_sim_test(game, num_sims=SIMULATIONS, serialize=True, verbose=False)


@pytest.mark.parametrize("key", KERNELS)
def test_every_number_of_players(key):
    for players in registry.game(key).players:
        game = pyspiel.load_game(f"ludoteca_{key}(players={players})")
        assert game.num_players() == players
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
        is_zero_sum = game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
        assert is_zero_sum == (players == 2)


def walked(game, seed, steps):
    """The states of a random match."""
    rng, state = np.random.default_rng(seed), game.new_initial_state()
    for _ in range(steps):
        if state.is_terminal():
            return
        yield state
        if state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes(), strict=True)
            assert sum(odds) == pytest.approx(1)
            state.apply_action(int(rng.choice(actions, p=odds)))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))


@pytest.mark.parametrize("key", KERNELS)
def test_an_information_state_remembers_all_that_was_seen(key):
    """Equal strings mean equal histories of observations and of own moves, and equal choices."""
    game = pyspiel.load_game(f"ludoteca_{key}")
    observation = make_observation(game)
    known = defaultdict(set)
    for seed in range(30):
        past = [b"", b""]
        for state in walked(game, seed, 25):
            for player in range(2):
                observation.set_from(state, player)
                past[player] += observation.tensor.tobytes()[:: 4 * 7]
                legal = tuple(state.legal_actions()) if state.current_player() == player else ()
                known[player, state.information_state_string(player)].add((hash(past[player]), legal))
    assert all(len(found) == 1 for found in known.values())
    assert len(known) > 100


def test_a_hidden_card_is_not_told():
    game = pyspiel.load_game("ludoteca_tictacmatch")
    for state in walked(game, 3, 12):
        last = state.history()[-1] if state.history() else None
    told = [state.information_state_string(player) for player in range(2)]
    assert last is not None
    assert told[0] != told[1]
    assert "seat 1 draws a card" in told[0]
    assert "seat 1 draws a card" not in told[1]
    nobody, own = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER
    public = pyspiel.IIGObservationType(perfect_recall=False, public_info=True, private_info=nobody)
    assert '"hands":[null,null]' in make_observation(game, public).string_from(state, 0)
    private = pyspiel.IIGObservationType(perfect_recall=False, public_info=False, private_info=own)
    assert make_observation(game, private).string_from(state, 0).startswith('{"hands":[[')


def test_information_states_are_alike_when_only_the_others_cards_differ():
    """The same match, but another card for the other player: nothing of it shows."""
    game = pyspiel.load_game("ludoteca_tictacmatch(start=1)")
    one, other = game.new_initial_state(), game.new_initial_state()
    for n in range(8):  # four cards each, seat 0 first
        outcomes = [action for action, _ in one.chance_outcomes()]
        one.apply_action(outcomes[0])
        other.apply_action(outcomes[0] if n < 4 else outcomes[-1])
    assert one.information_state_string(0) == other.information_state_string(0)
    assert one.information_state_string(1) != other.information_state_string(1)
    assert one.observation_tensor(0) == other.observation_tensor(0)
    assert one.observation_tensor(1) != other.observation_tensor(1)


def test_options_are_parameters():
    teams = pyspiel.load_game("ludoteca_tictacmatch(players=4,teams=1)").new_initial_state()
    alone = pyspiel.load_game("ludoteca_tictacmatch(players=4,teams=0)").new_initial_state()
    usual = pyspiel.load_game("ludoteca_tictacmatch(players=4)").new_initial_state()
    assert [bool(state.record["teams"]) for state in (teams, alone, usual)] == [True, False, True]
    setup = pyspiel.load_game("ludoteca_pinpoint(setup=RYGB,start=2)").new_initial_state()
    assert setup.current_player() == 1


def shortened(line):
    digest = hashlib.sha256(line.encode()).hexdigest()[:12]
    return line if len(line) <= WIDTH else f"{line[:WIDTH]} ... {len(line)} characters, sha256 {digest}"


@pytest.mark.parametrize("key", KERNELS)
def test_the_playthrough_still_holds(key, request):
    """OpenSpiel's own transcript: every answer of the interface along a random match."""
    path = PLAYTHROUGHS / f"{key}.txt"
    text = "\n".join(map(shortened, playthrough(name_of(key), None, seed=1).splitlines())) + "\n"
    if request.config.getoption("golden"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert path.exists(), f"there is no playthrough of {key}: run make golden"
    assert path.read_text("utf-8") == text


def test_every_playthrough_is_of_a_game():
    assert {path.stem for path in PLAYTHROUGHS.iterdir()} == set(KERNELS)
