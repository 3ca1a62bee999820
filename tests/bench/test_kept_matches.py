"""Matches that are kept: they are played once, by the bots that the folder names."""

import kept_matches
import pytest
from kept_matches import played, table_of

KEY, NAMES = "aftaebr", ("random", "novice")


def test_a_kept_match_is_not_played_again(tmp_path, monkeypatch):
    first = played(KEY, NAMES, 3, "test", tmp_path)
    assert [seat.bot for seat in first.seats] == list(NAMES)
    assert played(KEY, NAMES, 3, "test", None).log == first.log
    monkeypatch.setattr(kept_matches, "play_one", lambda plan, number: pytest.fail("it is played again"))
    assert played(KEY, NAMES, 3, "test", tmp_path) == first


def test_a_match_of_other_bots_is_not_used(tmp_path, monkeypatch):
    played(KEY, NAMES, 3, "test", tmp_path)
    monkeypatch.setattr(kept_matches, "_bots", lambda key, names: "other")
    played(KEY, NAMES, 3, "test", tmp_path)
    assert len(list(tmp_path.glob("*/*.json"))) == 2


def test_players_of_a_match_are_equals_and_the_levels_take_turns():
    assert [table_of(("a", "b"), 3, number) for number in range(4)] == [("a",) * 3, ("b",) * 3] * 2
