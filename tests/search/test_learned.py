"""Learned values: features see both sides alike, training repeats and continues, and what is shipped plays better."""

import json

import msgspec
import numpy as np
import pytest
from pinpoint_board import pins, position

from ludoteca import cli
from ludoteca.core import registry
from ludoteca.core.errors import BadOption, UnfinishedGame
from ludoteca.core.kernel import CHANCE, OVER
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.levels import Lookahead, level_at
from ludoteca.core.random import below, generator, key_of
from ludoteca.games.aftaebr.features import OF_WAITING
from ludoteca.games.pinpoint.features import OF_JOKERS, ONE_VIEW
from ludoteca.games.pinpoint.rules import JOKERS
from ludoteca.search import bots, learned, training
from ludoteca.search.trainer import Plan, Trainer, bound_training
from ludoteca.search.workbench import Workbench

pytestmark = pytest.mark.kernels

MATCHES = np.arange(1, 6)  # between the master and the level below
ROUND = 6  # matches: shorter than the rounds of a real training
LEARNERS = [
    key
    for key in registry.game_keys()
    if isinstance(registry.game(key), KernelGame) and learned.can_learn(bots.guide(key))
]
LEARNS_THREE = "matchnlock"  # its values of three players were learned by themselves, and win most by far
WAITS_APART = "aftaebr"  # it values a position otherwise for a player who waits
AHEAD = [key for key in LEARNERS if isinstance(bots.guide(key).SELF_PLAY, Lookahead)]  # others: test_fitter.py


def positions(key, players, count):
    """Yield positions of random matches at the beginning of a turn, where a search asks for a value."""
    game, rng = registry.game(key), generator("positions", key, players)
    rules, found, last = game.rules, 0, OVER
    while found < count:
        if last == OVER:
            state, last = recorded(game.start(game.agree({"players": players}))), CHANCE
        who = rules.actor(state)
        if who >= 0 and who != last and below(rng, 4) == 0:
            found += 1
            yield state
        last = who if who != CHANCE else last
        if who != OVER:
            rules.play(state, rules.move_at(state, below(rng, rules.count(state))))


def recorded(state):
    """Return a copy whose fields are attributes."""
    return np.array([state]).view(np.recarray)[0]


def listed(advice, state, seat):
    places, amounts = np.zeros(advice.MOST_FEATURES, np.int32), np.zeros(advice.MOST_FEATURES, np.float32)
    n = advice.features(state, seat, places, amounts)
    return places[:n], amounts[:n]


def test_some_games_learn():
    assert LEARNERS


@pytest.mark.parametrize("key", LEARNERS)
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_features_have_weights_and_leave_the_state_alone(key, players):
    game, advice = registry.game(key), bots.guide(key)
    if players not in game.players:
        return
    for state in positions(key, players, 40):
        before = state.tobytes()
        for seat in range(players):
            places, amounts = listed(advice, state, seat)
            assert 0 < len(places) <= advice.MOST_FEATURES
            assert 0 <= places.min() <= places.max() < advice.WEIGHTS
            assert np.isfinite(amounts).all()
        assert state.tobytes() == before


@pytest.mark.parametrize("key", [key for key in LEARNERS if key != WAITS_APART])
def test_with_two_sides_what_one_gains_the_other_loses(key):
    advice = bots.guide(key)
    for state in positions(key, 2, 40):
        (places, amounts), (others, opposite) = listed(advice, state, 0), listed(advice, state, 1)
        assert places.tolist() == others.tolist()
        assert amounts.tolist() == (-opposite).tolist()


def test_a_player_of_aftaebr_who_waits_has_other_weights_than_one_to_move():
    advice = bots.guide(WAITS_APART)
    for state in positions(WAITS_APART, 2, 40):
        for seat in range(2):
            places, amounts = listed(advice, state, seat)
            if amounts.any():  # otherwise colours are still being chosen
                is_mover = seat == registry.game(WAITS_APART).rules.actor(state)
                assert ((places < OF_WAITING) == is_mover).all()
                assert set(amounts.tolist()) == {1 if is_mover else -1}


def test_partners_of_pin_point_count_their_jokers_by_their_own_turns():
    """Six turns are left, and seat 1 is to move: seats 1 and 2 have two of them, seats 3 and 4 have one."""
    advice = bots.guide("pinpoint")
    board = pins(dict.fromkeys(range(1, 8), "RYGBRYGBRY") | {8: "RYGBRY...."})
    mine, other = (position(board, jokers=held, players=4, teams=True) for held in ([2, 0, 1, 0], [0, 2, 0, 1]))
    (places, amounts), (others, opposite) = listed(advice, mine, 0), listed(advice, other, 0)
    columns = ((places[1:] - OF_JOKERS) // JOKERS).tolist()
    assert columns == [2, 2, 1]
    assert places.tolist() == others.tolist()
    assert amounts.tolist() == [1, 1, 1, 1]
    assert opposite.tolist() == [1, -1, -1, -1]
    assert listed(advice, mine, 2)[1].tolist() == [1, 1, 1, 1]
    assert listed(advice, mine, 1)[1].tolist() == [-1, -1, -1, -1]


@pytest.mark.parametrize("key", AHEAD)
def test_training_begins_near_the_guides_own_value(key):
    """Nearer than a lead that is about 3 : 1: whoever begins far off has much to learn before it plays well."""
    game, advice = registry.game(key), bots.guide(key)
    trainer = Trainer(game, Plan(key, 1))
    base = getattr(advice, "base", advice.value)
    for state in positions(key, 2, 40):
        seat = int(game.rules.actor(state))
        places, amounts = listed(advice, state, seat)
        value = base(state, seat) + float((trainer.weights[places] * amounts).sum())
        assert value == pytest.approx(advice.value(state, seat), abs=advice.SCALE / 2)


@pytest.mark.parametrize("key", AHEAD)
def test_the_same_seed_gives_the_same_weights_in_one_go_or_two(key, tmp_path, monkeypatch):
    monkeypatch.setattr("ludoteca.search.trainer.ROUND", ROUND)
    game, plan = registry.game(key), Plan(key, ROUND + 2)
    whole = Trainer(game, plan)
    assert [progress.matches for progress in whole.run(0, 0)] == [ROUND, ROUND + 2]
    assert whole.weights.any()
    begun = Trainer(game, plan, tmp_path / "a.npz")
    next(begun.run(0, 0))
    ended = Trainer(game, plan, tmp_path / "a.npz")
    assert ended.matches == ROUND
    list(ended.run(0, 0))
    assert (ended.weights == whole.weights).all()


@pytest.mark.parametrize("key", AHEAD)
def test_matches_against_a_rival_teach_other_weights_and_repeat(key):
    game = registry.game(key)
    rival = next(iter(bots.guide(key).LEVELS))
    twice = [Trainer(game, Plan(key, 4, against=rival)) for _ in range(2)]
    alone = Trainer(game, Plan(key, 4))
    for trainer in (*twice, alone):
        list(trainer.run(0, 0))
    assert (twice[0].weights == twice[1].weights).all()
    assert (twice[0].weights != alone.weights).any()


@pytest.mark.parametrize("key", AHEAD[:1])
def test_the_average_is_of_the_rounds_of_the_second_half_in_one_go_or_two(key, tmp_path, monkeypatch):
    monkeypatch.setattr("ludoteca.search.trainer.ROUND", 2)
    game, plan = registry.game(key), Plan(key, 8, average=True)
    whole = Trainer(game, plan)
    rounds = [whole.weights.copy() for _ in whole.run(0, 0)]
    assert (whole.weights == rounds[-1]).all()
    assert whole.result == pytest.approx((rounds[2] + rounds[3]) / 2)
    assert (whole.result != whole.weights).any()
    begun = Trainer(game, plan, tmp_path / "a.npz").run(0, 0)
    for _ in range(3):
        next(begun)
    ended = Trainer(game, plan, tmp_path / "a.npz")
    list(ended.run(0, 0))
    assert (ended.result == whole.result).all()


@pytest.mark.parametrize("key", AHEAD)
def test_learning_further_begins_with_the_shipped_weights_and_tells_their_story(key, tmp_path, monkeypatch):
    advice, file = bots.guide(key), tmp_path / "weights.npz"
    shipped, made = learned.read_weights(learned.weights_file(advice))
    trainer = Trainer(registry.game(key), Plan(key, 1, shipped=True))
    assert (trainer.weights == shipped).all()
    learned.write_weights(file, shipped[:-1], made)
    monkeypatch.setattr(learned, "weights_file", lambda advice: file)
    trainer = Trainer(registry.game(key), Plan(key, 1, shipped=True))  # the guide has gained a feature
    assert (trainer.weights[:-1] == shipped[:-1]).all()
    trainer.ship()
    assert learned.read_weights(file)[1]["before"] == made


@pytest.mark.parametrize("key", AHEAD)
def test_a_learner_that_takes_every_seat_learns_other_weights_and_repeats(key):
    game = registry.game(key)
    rival = next(iter(bots.guide(key).LEVELS))
    one, again, first = (Trainer(game, Plan(key, 4, against=rival, every_seat=seat)) for seat in (True, True, False))
    for trainer in (one, again, first):
        list(trainer.run(0, 0))
    assert (one.weights == again.weights).all()
    assert (one.weights != first.weights).any()


def at_desks(key: str, turns: int, every_seat: bool) -> tuple:
    """Return what training hands on: the desks of a learner that knows nothing and of its rival, and the course."""
    game, advice = registry.game(key), bots.guide(key)
    levels = [msgspec.structs.replace(advice.SELF_PLAY, learned=is_own) for is_own in (True, False)]
    desks = [bots.desk_for(game.rules, advice, level, np.zeros(advice.WEIGHTS, np.float32)) for level in levels]
    return *desks, training.Course(turns, 0.0, 0.0, 1, 0.1, 0.7, advice.SCALE, 1, 0.0, every_seat)


@pytest.mark.parametrize("key", AHEAD)
def test_a_learner_that_takes_every_seat_remembers_every_turn(key):
    """The same draws decide who begins; the learner sits as many places after that seat as it is told."""
    game, seats, learners = registry.game(key), 2, []
    options, memory = game.options_record(game.agree({"players": seats})), training.new_memory(game.rules)
    for place in range(seats):
        given = (options, np.uint64(11), place, *at_desks(key, 1, every_seat=True), memory)
        count, learner = bound_training(game).play_match(*given)
        movers = [int(game.rules.actor(state)) for state in memory.states[:count]]
        assert movers == [movers[turn % seats] for turn in range(count)]
        assert learner == movers[place]
        learners.append(learner)
    assert learners[1] == 1 - learners[0]


@pytest.mark.parametrize("key", AHEAD)
@pytest.mark.parametrize(("every_seat", "views"), [(True, 1), (False, 3)])
def test_a_learner_among_three_learns_its_own_point_of_view_alone(key, every_seat, views):
    """Every position that is remembered counts once for each point of view from which it is learned."""
    game, keys = registry.game(key), np.array([11], np.uint64)
    options, memory = game.options_record(game.agree({"players": 3})), training.new_memory(game.rules)
    desks = at_desks(key, 1, every_seat)
    nothing = np.zeros((3, bots.guide(key).WEIGHTS), np.float32)
    memory.rng[0] = keys[0] | np.uint64(1)  # as for the match below
    turns, _ = bound_training(game).play_match(options, keys[0], 0, *desks, memory)
    positions, _ = bound_training(game).train_matches(options, keys, *desks, memory, training.Lessons(*nothing))
    assert positions == views * turns > 0


def test_partners_learn_the_weights_of_two_sides():
    """In teams of Pin Point positions are seen as by two players: the weights of four single players stay."""
    game = registry.game("pinpoint")
    for rival in ("", next(iter(bots.guide("pinpoint").LEVELS))):
        trainer = Trainer(game, Plan("pinpoint", 2, players=(4,), options={"teams": True}, against=rival))
        before = trainer.weights.copy()
        list(trainer.run(0, 0))
        assert (trainer.weights[:ONE_VIEW] != before[:ONE_VIEW]).any()
        assert (trainer.weights[ONE_VIEW:] == before[ONE_VIEW:]).all()


def test_the_strength_is_measured_at_every_table_that_is_trained(tmp_path, monkeypatch):
    """The learned value takes every side in turn: 7 matches are 3 with each of two sides, 2 with each of three."""
    monkeypatch.setattr("ludoteca.search.trainer.ROUND", 1)
    game, file = registry.game("pinpoint"), tmp_path / "training.npz"
    *_, last = Trainer(game, Plan("pinpoint", 2, players=(2, 3)), file).run(1, 7)
    assert [(one.players, one.of) for one in last.strengths] == [(2, 6), (3, 6)]
    *_, teams = Trainer(game, Plan("pinpoint", 1, players=(4,), options={"teams": True})).run(1, 7)
    assert [(one.players, one.of) for one in teams.strengths] == [(4, 6)]
    assert all(0 <= one.share <= 1 for one in (*last.strengths, *teams.strengths))
    with np.load(file) as stored:
        figures = json.loads(str(stored["made"]))["figures"]
    assert figures == [{"matches": 2, **one._asdict()} for one in last.strengths]


def test_the_command_in_the_weights_names_the_options_of_the_tables(tmp_path, monkeypatch):
    file = tmp_path / "weights.npz"
    monkeypatch.setattr(learned, "weights_file", lambda advice: file)
    out = str(tmp_path / "training.npz")
    given = ["train", "pinpoint", "--matches", "1", "--players", "4", "--set", "teams=true", "--checks", "0"]
    assert cli.main([*given, "--out", out, "--ship"]) == 0
    assert " --players 4 --set teams=true " in learned.read_weights(file)[1]["command"]


def test_a_rival_is_a_level_that_looks_ahead():
    with pytest.raises(BadOption, match="against='nobody'"):
        Trainer(registry.game(AHEAD[0]), Plan(AHEAD[0], 1, against="nobody"))


def test_every_seat_needs_a_rival():
    with pytest.raises(BadOption, match="every-seat"):
        Trainer(registry.game(AHEAD[0]), Plan(AHEAD[0], 1, every_seat=True))


@pytest.mark.parametrize("key", AHEAD[:1])
def test_a_file_of_another_plan_is_not_continued(key, tmp_path):
    game, file = registry.game(key), tmp_path / "a.npz"
    list(Trainer(game, Plan(key, 2), file).run(0, 0))
    kept = file.read_bytes()
    with pytest.raises(BadOption, match="another command: ludoteca train"):
        Trainer(game, Plan(key, 3), file)
    assert file.read_bytes() == kept


def test_the_command_says_what_is_wrong(capsys):
    assert cli.main(["train", AHEAD[0], "--players", "two"]) == 2
    assert "players='two'" in capsys.readouterr().err
    assert cli.main(["train", AHEAD[0], "--matches", "0"]) == 2
    assert cli.main(["train", "nothing"]) == 2
    assert cli.main(["train", "pinpoint", "--players", "3", "--set", "teams=true"]) == 2
    assert "teams=True" in capsys.readouterr().err


def test_a_game_without_features_is_not_trained():
    keys = (key for key in registry.game_keys() if key not in LEARNERS)
    for key in keys:
        game = registry.game(key)
        if isinstance(game, KernelGame):
            with pytest.raises(UnfinishedGame, match="features"):
                Trainer(game, Plan(key, 1))


@pytest.mark.parametrize("key", LEARNERS)
def test_the_shipped_weights_say_what_made_them(key):
    path = learned.weights_file(bots.guide(key))
    weights, made = learned.read_weights(path)
    assert len(weights) == bots.guide(key).WEIGHTS
    assert np.isfinite(weights).all()
    assert path.stat().st_size <= 2_000_000
    assert made["command"].startswith(f"ludoteca train {key} ")
    assert made["matches"] == made["plan"]["matches"]
    assert json.dumps(made["figures"])


@pytest.mark.parametrize(("key", "players"), [*((key, 2) for key in AHEAD), (LEARNS_THREE, 3)])
def test_the_shipped_weights_beat_the_level_below(key, players):
    """On fixed seeds, in every seat: nothing here depends on the machine. Proofs, which take long, are left out."""
    game, levels = registry.game(key), bots.guide(key).LEVELS
    below, above = (level_at(level, players) for level in list(levels.values())[-2:])
    assert above.learned
    assert not below.learned
    above = msgspec.structs.replace(above, proves=0)
    won = 0.0
    for seat in range(players):
        seated = [above if place == seat else below for place in range(players)]
        book = Workbench(game, game.agree({"players": players}), seated).play(key_of("fixed"), MATCHES, keep=False)
        won += sum((winners >> seat & 1) / winners.bit_count() for winners in book.winners.tolist())
    assert won > len(MATCHES)  # that would be the fair share
