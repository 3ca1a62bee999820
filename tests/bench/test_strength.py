"""`make strength`: which matches are played, what is kept of them, and what the page says."""

import shutil
from itertools import pairwise
from pathlib import Path

import bot_sources
import ladder
import msgspec
import pytest
import strength
from bot_sources import digest, meaning
from ladder import (
    Chunk,
    Kept,
    Match,
    Pace,
    Results,
    Table,
    contest,
    missing,
    play,
    points_of,
    score,
    seatings,
    tables,
    tidy,
)
from strength_page import Pair, page, pairs, ratings, reached

from ludoteca.core import registry
from ludoteca.search import bots

PINPOINT = registry.game("pinpoint")


def two_of(key="pinpoint"):
    return next(tables(registry.game(key)))


def asked(level="novice", against="random", seed="s", key="pinpoint"):
    return contest(key, two_of(key), level, against, seed)


def kept_lines(path):
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]


# Who plays


@pytest.mark.parametrize("key", registry.game_keys())
def test_every_number_of_players_has_its_table_and_two_come_first(key):
    game = registry.game(key)
    found = list(tables(game))
    assert len(found[0].sides) == 2
    assert {len(table.sides) for table in found} == {players for players in game.players if players > 1}
    assert all(len(set(table.sides)) > 1 for table in found)


def test_teams_are_tables_of_their_own():
    named = {table.name: table.fair for table in tables(PINPOINT)}
    assert named == {
        "2 players": 1 / 2,
        "3 players": 1 / 3,
        "4 players": 1 / 4,
        "4 players in teams": 1 / 2,
    }
    assert [table.name for table in tables(registry.game("tictacmatch"))] == [
        "2 players",
        "4 players in teams",
        "4 players, 1 against 3",
    ]


def test_the_level_takes_every_side_once():
    assert seatings((0, 1), "b", "a") == [("b", "a"), ("a", "b")]
    assert seatings((0, 1, 2), "b", "a") == [("b", "a", "a"), ("a", "b", "a"), ("a", "a", "b")]
    assert seatings((0, 1, 0, 1), "b", "a") == [("b", "a", "b", "a"), ("a", "b", "a", "b")]
    assert seatings((0, 1), "b", "b") == [("b", "b")]


def test_every_level_meets_the_one_below_however_many_there_are(monkeypatch):
    levels = bots.guide("pinpoint").LEVELS
    monkeypatch.setitem(levels, "master", levels["expert"])
    assert pairs(PINPOINT)[-1] == ("master", "expert")
    assert pairs(PINPOINT) == [(level, below) for below, level in pairwise(("random", *levels))]


# The share


def test_a_tie_is_shared_and_a_draw_is_a_tie_of_all():
    assert points_of(0b001, (0, 1, 2), 0) == 1
    assert points_of(0b001, (0, 1, 2), 1) == 0
    assert points_of(0b011, (0, 1, 2), 1) == 1 / 2
    assert points_of(0b000, (0, 1, 2), 2) == 1 / 3
    assert points_of(0b0101, (0, 1, 0, 1), 0) == 1  # both partners won: one side
    assert points_of(0b1111, (0, 1, 0, 1), 1) == 1 / 2


def test_equal_players_have_their_fair_share():
    """Whoever wins, the one side that is counted wins it in one of its seatings."""
    for sides in ((0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 1, 0, 1), (0, 0, 0, 1)):
        table = Table({}, sides)
        for winner in range(1 << len(sides)):
            matches = {n: Match(winner, 1) for n in range(1, len(set(sides)) + 1)}
            found = score(sides, matches)
            assert found.matches == len(set(sides))
            assert found.share == pytest.approx(table.fair)


def test_only_whole_rounds_count():
    matches = {1: Match(1, 1), 2: Match(2, 1), 3: Match(2, 1), 6: Match(1, 1)}
    assert score((0, 1), matches) == (2, 2.0, 2.0)
    assert score((0, 1), {2: Match(1, 1)}) is None
    assert score((0, 1), {}) is None


def test_rounds_count_as_the_independent_matches_that_tell_as_much():
    by_chance = [0.0, 1.0, 1.0, 2.0] * 50  # as two coins fall
    assert ladder.independent(by_chance, 2) == pytest.approx(400, rel=0.02)
    assert ladder.independent([0.0, 2.0] * 100, 2) == pytest.approx(200, rel=0.02)  # the draws decide
    assert ladder.independent([1.0] * 99 + [2.0], 2) > 2000  # the seat decides
    assert ladder.independent([2.0] * 100, 2) == 200  # nothing was lost: the matches say how sure that is
    assert ladder.independent([1.0], 2) == 2
    narrow, wide = (ladder.Score(200, 100.0, matches).interval for matches in (2000.0, 200.0))
    assert wide[0] < narrow[0] < 0.5 < narrow[1] < wide[1]


def test_a_level_is_seated_where_its_points_are_counted(tmp_path):
    """Novice wins nearly always, so the share shows whether the seats of the matches and of the count agree."""
    kept = Kept(tmp_path / "kept")
    for table in tables(PINPOINT):
        found = contest("pinpoint", table, "novice", "random", "s")
        play(found, 12, kept, 1)
        assert score(table.sides, Results(kept).of(found)).share > 0.8


# What is kept


def test_a_stopped_run_goes_on_and_plays_no_match_twice(tmp_path, monkeypatch):
    whole, halves = Kept(tmp_path / "whole"), Kept(tmp_path / "halves")
    play(asked(), 40, whole, 2)
    real, played = ladder.play_batch, []

    def counted(plan, keep, numbers):
        played.extend((plan.bots, number) for number in numbers)
        return real(plan, keep, numbers)

    class Stopped(Exception):
        pass

    def stop(added):
        if len(played) > 5:
            raise Stopped

    monkeypatch.setattr(ladder, "play_batch", counted)
    with pytest.raises(Stopped):
        play(asked(), 40, halves, 1, stop)
    done = Results(halves).of(asked())
    assert 5 < len(done) == len(played) < 40
    play(asked(), 40, halves, 2)
    assert Results(halves).of(asked()) == Results(whole).of(asked())
    assert len(played) == len(set(played)) == 40


def test_what_is_missing_are_the_holes():
    assert missing([], 3) == [range(1, 4)]
    assert missing([1, 2, 3, 7], 3) == []
    assert missing([2, 5], 6) == [range(1, 2), range(3, 5), range(6, 7)]


def test_a_line_cut_short_costs_only_itself(tmp_path):
    path = tmp_path / "kept"
    first = Chunk(asked(), 1, "12", "11")
    Kept(path).add(first)
    with path.open("ab") as file:
        file.write(msgspec.json.encode(Chunk(asked(), 3, "12", "11"))[:-9])
    again = Kept(path)
    again.add(Chunk(asked(), 5, "21", "22"))
    assert sorted(Results(again).of(asked())) == [1, 2, 5, 6]
    assert again.unreadable == 1


def test_a_tidy_file_has_what_still_counts_in_few_lines(tmp_path):
    kept = Kept(tmp_path / "kept")
    kept.add(Chunk(msgspec.structs.replace(asked(), digest="0"), 1, "12", "11"))
    kept.add(Chunk(msgspec.structs.replace(asked(), level="gone"), 1, "12", "11"))
    kept.add(Pace("pinpoint", "club", "0", [0.7]))
    kept.add(Pace("pinpoint", "club", digest("pinpoint", ("club",)), [0.5]))
    for first in (1, 3, 7):
        kept.add(Chunk(asked(), first, "12", "21"))
    before = Results(kept).of(asked())
    tidy(kept)
    chunks = [Chunk(asked(), 1, "1212", "2121"), Chunk(asked(), 7, "12", "21")]
    assert list(kept.lines()) == [Pace("pinpoint", "club", digest("pinpoint", ("club",)), [0.5]), *chunks]
    assert Results(kept).of(asked()) == before
    tidy(kept)
    assert len(list(kept.lines())) == 3


def test_other_contests_are_never_mixed_in(tmp_path):
    kept = Kept(tmp_path / "kept")
    kept.add(Chunk(asked(), 1, "12", "11"))
    kept.add(Pace("pinpoint", "club", digest("pinpoint", ("club",)), [0.5]))
    results = Results(kept)
    assert len(results.of(asked())) == 2
    assert results.pace("pinpoint", "club") == [0.5]
    three = list(tables(PINPOINT))[1]
    others = [
        asked(seed="t"),
        asked(level="casual"),
        asked(against="casual"),
        asked(key="aftaebr"),
        contest("pinpoint", three, "novice", "random", "s"),
        msgspec.structs.replace(asked(), digest="0"),
    ]
    assert [results.of(other) for other in others] == [{}] * len(others)
    assert results.pace("pinpoint", "expert") is None


# The digest


@pytest.fixture
def copied_sources(tmp_path, monkeypatch):
    """Return a function that writes a changed copy of a source and returns the digest with it in place."""
    real = bot_sources._file

    def changed(module, old, new):
        source = real(module).read_text("utf-8")
        assert old in source
        path = tmp_path / f"{module}.py"
        path.write_text(source.replace(old, new, 1), "utf-8")
        monkeypatch.setattr(bot_sources, "_file", lambda name: path if name == module else real(name))
        bot_sources.sources_digest.cache_clear()
        return digest("pinpoint", ("club", "casual"))

    yield changed
    bot_sources.sources_digest.cache_clear()


def test_a_change_of_the_rules_the_guide_or_the_search_changes_the_digest(copied_sources):
    found = {
        digest("pinpoint", ("club", "casual")),
        copied_sources("ludoteca.games.pinpoint.rules", "@compiled\ndef side", "HALF = 2\n\n\n@compiled\ndef side"),
        copied_sources("ludoteca.games.pinpoint.guide", "POTENTIAL = 0.8", "POTENTIAL = 0.7"),
        copied_sources("ludoteca.search.lookahead", "\nimport numpy as np", "\nimport numpy as np\nMORE = 1"),
        copied_sources("ludoteca.core.random", "\nimport numpy as np", "\nimport numpy as np\nMORE = 1"),
    }
    assert len(found) == 5


def test_comments_other_levels_and_other_games_change_nothing(copied_sources):
    now = digest("pinpoint", ("club", "casual"))
    assert copied_sources("ludoteca.games.pinpoint.guide", "POTENTIAL = 0.8 ", "POTENTIAL = 0.8  # about ") == now
    assert copied_sources("ludoteca.games.pinpoint.guide", '"""The guide of', '"""The good guide of') == now
    assert copied_sources("ludoteca.games.pinpoint.guide", "LEVELS = {", 'LEVELS = {\n    "master": 1,') == now
    assert copied_sources("ludoteca.games.aftaebr.guide", "VARIETY = 0.1", "VARIETY = 0.2") == now


def test_a_changed_level_changes_the_digest(monkeypatch):
    now, other = digest("pinpoint", ("club", "casual")), digest("pinpoint", ("expert", "club"))
    levels = bots.guide("pinpoint").LEVELS
    monkeypatch.setitem(levels, "casual", msgspec.structs.replace(levels["casual"], noise=9.5))
    assert digest("pinpoint", ("club", "casual")) != now
    assert digest("pinpoint", ("expert", "club")) == other


def test_learned_weights_count_and_words_do_not(tmp_path, monkeypatch):
    guide = Path(bots.guide("pinpoint").__file__)
    folder = tmp_path / "pinpoint"
    shutil.copytree(guide.parent, folder)
    monkeypatch.setattr(bots.guide("pinpoint"), "__file__", str(folder / "guide.py"))
    now = bot_sources.sources_digest.__wrapped__("pinpoint")
    (folder / "words" / "en.json").write_text("{}")
    (folder / "curve.json").write_text("{}")
    assert bot_sources.sources_digest.__wrapped__("pinpoint") == now
    (folder / "weights.bin").write_bytes(b"1")
    with_weights = bot_sources.sources_digest.__wrapped__("pinpoint")
    (folder / "weights.bin").write_bytes(b"2")
    assert len({now, with_weights, bot_sources.sources_digest.__wrapped__("pinpoint")}) == 3


def test_the_meaning_of_a_source_is_its_code():
    assert meaning("x = 1  # one") == meaning('"""Says x."""\n\nx = 1')
    assert meaning("x = 1") != meaning("x = 2")


# The page


def shown(kept, seed="s"):
    return list(page(Results(kept), seed))


def section(lines, name):
    text = "\n".join(lines)
    return text.partition(f"## {name}\n")[2].partition("\n## ")[0].splitlines()


def test_a_game_without_matches_is_not_measured_rather_than_missing(tmp_path):
    lines = shown(Kept(tmp_path / "kept"))
    for key in registry.game_keys():
        game = registry.game(key)
        own = section(lines, game.name)
        for pair in pairs(game):
            assert any(line.startswith(f"| {pair.level} | {pair.against} | 0 | not measured") for line in own)
        for level in bots.names(game)[1:]:
            assert any(line.startswith(f"| {level} | not measured |  | not measured") for line in own)


def test_the_page_says_what_was_kept(tmp_path):
    kept = Kept(tmp_path / "kept")
    kept.add(Chunk(asked(), 1, "12" * 50, "12" * 50))  # novice won all
    kept.add(Chunk(asked("casual", "novice"), 1, "12" * 22 + "11" * 22 + "21" * 6, "12" * 50))  # 66 of 100
    kept.add(Chunk(asked("club", "casual"), 1, "12" * 8 + "11" * 24 + "21" * 18, "12" * 50))  # 40 of 100
    kept.add(Chunk(asked("club", "club"), 1, "1" * 30 + "2" * 10, "2" * 40))
    kept.add(Pace("pinpoint", "casual", digest("pinpoint", ("casual",)), [0.25, 3.0, 0.5]))
    kept.add(Pace("pinpoint", "club", digest("pinpoint", ("club",)), [1.25]))
    own = section(shown(kept), "Pin Point")
    assert "| novice | random | 100 | 100.0% | 96.3% to 100.0% | 70% | yes |" in own
    assert "| casual | novice | 100 | 66.0% | 56.1% to 74.7% | 70% | no, not clear |" in own
    assert "| club | casual | 100 | 40.0% | 30.9% to 49.9% | 70% | no |" in own
    assert any(line.startswith("| casual |") and line.endswith("| 0.500 | 3.000 | 3 | 1 s | yes |") for line in own)
    assert any(line.startswith("| club |") and line.endswith("| 1.250 | 1.250 | 1 | 1 s | no |") for line in own)
    assert "| Pin Point | 40 | 25.0% | 14.2% to 40.2% | 0.0% |" in section(shown(kept), "Who begins")


def test_larger_tables_are_compared_with_the_fair_share(tmp_path):
    kept, three = Kept(tmp_path / "kept"), list(tables(PINPOINT))[1]
    found = contest("pinpoint", three, "club", "casual", "s")
    kept.add(Chunk(found, 1, "124" * 5 + "121" * 15 + "111" * 15 + "211" * 5, "1" * 120))  # 60 of 120
    own = section(shown(kept), "Pin Point")
    assert "| 3 players | club | casual | 120 | 50.0% | 41.1% to 58.9% | 33.3% | yes |" in own


@pytest.mark.parametrize(
    ("share", "low", "high", "said"),
    [
        (0.8, 0.71, 0.9, "yes"),
        (0.72, 0.65, 0.78, "yes, not clear"),
        (0.68, 0.6, 0.75, "no, not clear"),
        (0.5, 0.4, 0.6, "no"),
    ],
)
def test_an_interval_around_the_aim_is_not_clear(share, low, high, said):
    assert reached(share, low, high, 0.7) == said


def test_ratings_count_from_random_and_need_a_chain_to_it():
    won = ladder.Score(100, 75.0, 100.0)
    found = ratings(
        PINPOINT, {Pair("novice", "random"): won, Pair("casual", "novice"): won, Pair("expert", "club"): won}
    )
    assert set(found) == {"random", "novice", "casual"}
    assert found["random"] == (0, 0, 0)
    assert found["novice"].value == pytest.approx(190, abs=3)
    assert found["casual"].value == pytest.approx(380, abs=6)
    narrow, wide = (found[name].high - found[name].low for name in ("novice", "casual"))
    assert wide == pytest.approx(narrow * 2**0.5)  # the errors of two equal steps
    assert ratings(PINPOINT, {Pair("expert", "club"): won}) == {}


def test_the_command_measures_what_is_asked_and_goes_on(tmp_path, capsys):
    file, written = tmp_path / "kept", tmp_path / "strength.md"
    arguments = ["--kept", str(file), "--page", str(written), "--games", "pinpoint", "--pairs", "novice-random"]
    arguments += ["--workers", "1", "--parts", "duels,tables,pace", "--players", "2,3", "--matches"]
    strength.main([*arguments, "6"])
    out = capsys.readouterr().out
    assert out.count("6 matches") == 2
    assert "Pin Point, novice: " in out
    matches = [line for line in kept_lines(file) if line["type"] == "matches"]
    assert sum(len(line["winners"]) for line in matches) == 12
    strength.main([*arguments, "12"])
    assert capsys.readouterr().out.count("12 matches") == 2
    after = kept_lines(file)
    assert sum(len(line["winners"]) for line in after if line["type"] == "matches") == 24
    assert sum(line["type"] == "pace" for line in after) == 1
    assert "| novice | random | 12 | 100.0%" in written.read_text("utf-8")
    with pytest.raises(SystemExit):
        strength.main(["--parts", "duel", "--kept", str(file), "--page", str(written)])
    with pytest.raises(SystemExit):
        strength.main(["--pairs", "novice", "--kept", str(file), "--page", str(written)])
