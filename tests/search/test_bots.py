"""The bots: they exist in every game, are reproducible, and play sensibly with any number of players."""

import msgspec
import pytest

from ludoteca.core import registry
from ludoteca.core.errors import UnknownBot
from ludoteca.core.match import Match
from ludoteca.lab.batch import play_batch
from ludoteca.lab.plan import planned, play_one
from ludoteca.search import bots

LEVELS = ("novice", "casual", "club", "expert")
ALL = ("random", *LEVELS, "master")  # the page has words and a face for each of them


@pytest.mark.parametrize("key", registry.game_keys())
def test_every_game_has_random_and_four_levels_or_five(key):
    names = bots.names(registry.game(key))
    assert len(names) > len(LEVELS)
    assert names == ALL[: len(names)]


@pytest.mark.parametrize(
    ("key", "name"), [(key, name) for key in registry.game_keys() for name in bots.names(registry.game(key))]
)
def test_the_same_seed_gives_the_same_move_and_it_is_legal(key, name):
    match = Match.new(key)
    seat = match.to_move[0]
    chosen = {bots.choose(match.game, name, match.state, seat, ("seed", 1)) for _ in range(2)}
    assert len(chosen) == 1
    match.play(chosen.pop(), seat)


def test_a_bot_that_is_not_there_is_named():
    game = registry.game("pinpoint")
    with pytest.raises(UnknownBot, match="unknown bot 'genius'; there are random, novice"):
        bots.choose(game, "genius", Match.new("pinpoint").state, 1, (1,))


def test_thinking_changes_nothing():
    match = Match.new("pinpoint")
    before = match.state.tobytes()
    bots.choose(match.game, "club", match.state, match.to_move[0], (1,))
    assert match.state.tobytes() == before


@pytest.mark.parametrize(("players", "alike", "unlike"), [(2, "casual", "novice"), (3, "novice", "casual")])
def test_a_level_may_search_otherwise_among_more_than_two(players, alike, unlike, monkeypatch):
    """In the compiled loop; tests/registry/test_whole_matches.py plays the same matches move by move."""
    levels = bots.guide("pinpoint").LEVELS
    monkeypatch.setitem(levels, "expert", msgspec.structs.replace(levels["casual"], among_many=levels["novice"]))
    moves = {}
    for name in ("expert", alike, unlike):
        plan = planned("pinpoint", {"players": players}, [name] * players, 1, "many")
        moves[name] = play_batch(plan, True, range(1, 2)).moves.tolist()
    assert moves["expert"] == moves[alike]
    assert moves["expert"] != moves[unlike]


@pytest.mark.parametrize("level", ["novice", "casual", "club"])
@pytest.mark.parametrize("options", [{"players": 3}, {"players": 4}, {"players": 4, "teams": True}], ids=str)
def test_every_level_beats_random_with_three_four_and_in_teams(options, level):
    """One bot, or one team of bots, wins far more matches against random bots than chance would give."""
    players = options["players"]
    mine = {1, 3} if options.get("teams") else {1}
    names = [level if seat in mine else "random" for seat in range(1, players + 1)]
    plan = planned("pinpoint", options, names, 4, "sensible")
    for number in range(1, plan.games + 1):
        result = play_one(plan, number).result
        assert set(result.winners) == mine
