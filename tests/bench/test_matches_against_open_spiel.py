"""The matches against OpenSpiel: its bot knows only what its seat may know, has its time, and shares are ours."""

import matches_against_open_spiel as against
import numpy as np
import pyspiel
import pytest
from ladder import Kept, Results, tidy
from matches_against_open_spiel import OpenSpielBot, play, play_all, told
from open_spiel_matches import OpenSpielMatch, Played
from strength_page import page

from ludoteca.core import registry
from ludoteca.core.kernel import copied
from ludoteca.rl import spiel
from ludoteca.search import bots

HIDDEN, OPEN = "tictacmatch", "pinpoint"
LEAST = 2


def position(key, moves=6):
    """Return a position some random moves after the beginning in which somebody decides."""
    game, rng = pyspiel.load_game(spiel.register(key)), np.random.RandomState(1)
    state = game.new_initial_state()
    while moves > 0 or state.is_chance_node():
        moves -= not state.is_chance_node()
        state.apply_action(int(rng.choice(state.legal_actions())))
    return game, state


def test_another_world_looks_the_same_to_the_player_and_only_to_it():
    game, state = position(HIDDEN)
    bot = OpenSpielBot(game, registry.game(HIDDEN), LEAST, 1)
    player = state.current_player()
    worlds = [bot._another_world(state, player) for _ in range(20)]
    assert {world.observation_string(player) for world in worlds} == {state.observation_string(player)}
    assert {world.information_state_string(player) for world in worlds} == {state.information_state_string(player)}
    assert len({world.observation_string(1 - player) for world in worlds}) > 1


def test_the_choice_does_not_depend_on_what_is_hidden():
    game, state = position(HIDDEN)
    player = state.current_player()
    other = OpenSpielBot(game, registry.game(HIDDEN), LEAST, 7)._another_world(state, player)
    assert other.observation_string(1 - player) != state.observation_string(1 - player)
    moves = {OpenSpielBot(game, registry.game(HIDDEN), 12, 3)._search(one, 12)[0] for one in (state, other)}
    assert len(moves) == 1


@pytest.mark.parametrize("key", [HIDDEN, OPEN])
def test_more_time_gives_more_simulations_and_never_fewer_than_the_least(key):
    game, state = position(key)
    before = copied(state.record)
    bot = OpenSpielBot(game, registry.game(key), LEAST, 1)
    bot._rate = 100.0
    move, seconds, simulations = bot.choose(state, 0.08)
    assert simulations == 10  # 0.08 s at 100 a second, and a quarter more
    assert seconds > 0
    assert move in state.legal_actions()
    assert bot._rate == pytest.approx(simulations / seconds)
    assert bot.choose(state, 0.0)[2] == LEAST
    assert state.record == before


def test_a_forced_move_says_nothing_of_the_rate(monkeypatch):
    """OpenSpiel makes it at once: by that rate the next search would take a hundred times its time."""
    game, state = position(OPEN)
    bot = OpenSpielBot(game, registry.game(OPEN), LEAST, 1)
    bot._rate = 100.0
    monkeypatch.setattr(type(state), "legal_actions", lambda state, player=None: [7])
    monkeypatch.setattr(bot, "_search", lambda state, simulations: (7, 1e-6))
    assert bot.choose(state, 0.08) == (7, 1e-6, 10)
    assert bot._rate == 100.0


def test_our_level_changes_seats_and_the_share_is_its_own(monkeypatch):
    seats = []
    real = OpenSpielBot.choose

    def noted(bot, state, seconds):
        seats.append(state.current_player())
        return state.legal_actions()[0], *real(bot, state, 0.0)[1:]

    monkeypatch.setattr(OpenSpielBot, "choose", noted)
    found = []
    for number in (1, 2):
        seats.clear()
        found.append(play(HIDDEN, "club", 1.0, LEAST, number))
        assert set(seats) == {number % 2}
        assert found[-1].its == len(seats)
    assert [one.share for one in found] == [1.0, 1.0]  # whoever always makes the first move that is listed loses


def test_the_line_says_who_won_and_at_which_cost():
    matches = [Played(1.0, 10, 0.1, 10, 0.3, 0.2, 80)] * 19 + [Played(0.0, 10, 0.1, 10, 0.3, 0.2, 80)]
    line = told(OPEN, "expert", matches)
    assert "Pin Point, expert" in line
    assert "95.0% of 20 matches, 95 % between 76.4% and 99.1% (wanted: 95%)" in line
    assert "10 ms for our decisions; 30 ms and 8 simulations for its decisions, where ours would take 20 ms" in line
    assert against.MARGIN > 1


def test_a_stopped_run_goes_on_and_the_page_has_its_matches(tmp_path, monkeypatch):
    made, file = [], tmp_path / "kept"

    def noted(key, level, times, least, number):
        made.append(number)
        return Played(float(number != 2), 10, 0.1, 10, 0.3, 0.2, 80)

    monkeypatch.setattr(against, "play", noted)
    level = bots.names(registry.game(OPEN))[-1]
    play_all(OPEN, level, 1.0, LEAST, file, range(1, 3))
    found = play_all(OPEN, level, 1.0, LEAST, file, range(1, 5))
    assert made == [1, 2, 3, 4]
    assert [one.share for one in found] == [1.0, 0.0, 1.0, 1.0]
    play_all(OPEN, level, 10.0, LEAST, file, range(1, 2))
    assert made == [1, 2, 3, 4, 1]
    Kept(file).add(OpenSpielMatch(OPEN, level, "of another bot", 1.0, LEAST, 9, found[0]))
    tidy(Kept(file))
    assert len(list(Kept(file).lines())) == 5
    lines = list(page(Results(Kept(file)), "s"))
    row = f"| Pin Point | {level} | 4 | 75.0% | 30.1% to 95.4% | 95% | no, not clear | 10 | 30 | 8 |"
    assert row in lines
    assert any(line.startswith("| AFTAEBR | ") and " | 0 | not measured | " in line for line in lines)
