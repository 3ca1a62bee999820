"""Every puzzle of every game replays by the rules; a sample of each game is judged again by the search."""

import json
from pathlib import Path
from random import Random

import pytest

import ludoteca
from ludoteca.core import puzzles, registry
from ludoteca.core.errors import BadRecord, UnknownPuzzle
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.puzzles import GAP, rated
from ludoteca.search import mining, puzzling

WITH = [key for key in registry.game_keys() if puzzles.puzzles_of(key)]
LANGUAGES = ("en", "it")
COMMON = {"win", "score", "defend", "plan"}
SAMPLE = 2  # puzzles of each game that are confirmed again, with ten times the usual work
LARGEST = 300_000  # bytes of a game's puzzles in the package
WEB = Path(ludoteca.__file__).parents[2] / "web" / "src"


def words(path, language):
    return json.loads((path / "words" / f"{language}.json").read_text("utf-8"))


def test_there_are_puzzles():
    assert WITH


@pytest.mark.parametrize("key", WITH)
def test_every_puzzle_replays_by_the_rules(key):
    assert puzzles.file_of(key).stat().st_size < LARGEST
    found = puzzles.puzzles_of(key)
    assert list(found) == [one.id for one in sorted(found.values(), key=lambda one: (one.puzzle.rating, one.id))]
    assert len(found) == sum(len(one.puzzles) for one in puzzles.read_mined(puzzles.file_of(key)))  # ids are unique
    for one in found.values():
        match, _ = puzzles.begun(key, one)
        puzzle = one.puzzle
        assert (match.result, match.to_move) == (None, (puzzle.seat,))
        assert puzzle.chance - puzzle.second >= GAP - 0.001
        match.game.play(match.state, puzzle.seat, puzzle.other)
        state = match.state
        for move in puzzle.moves:
            assert match.game.to_move(state) == (puzzle.seat,)
            state = match.game.play(state, puzzle.seat, move).state
        for by, move in puzzle.line:
            state = match.game.play(state, by, move).state
        assert mining.rating_of(list(puzzle.solved.values())) == puzzle.rating


@pytest.mark.parametrize("key", WITH)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_has_its_words(key, language):
    own = words(WEB / "games" / key, language)
    for kind in {one.puzzle.kind for one in puzzles.puzzles_of(key).values()} - COMMON:
        assert {f"puzzle.{kind}", f"puzzle.ask.{kind}"} <= set(own)


@pytest.mark.parametrize("key", WITH)
def test_a_sample_is_confirmed_again_with_ten_times_the_work(key):
    found = list(puzzles.puzzles_of(key).values())
    for one in Random("sample").sample(found, min(SAMPLE, len(found))):
        match, _ = puzzles.begun(key, one)
        game, state, puzzle = match.game, match.state, one.puzzle
        confirmed = puzzling.compared(game, state, puzzle.seat, puzzling.CONFIRMED)
        assert confirmed is not None
        assert puzzling.is_same(game, state, puzzle.seat, confirmed.move, puzzle.moves[0])
        assert confirmed.gap >= GAP
        if isinstance(game, KernelGame):  # the judge is deterministic
            assert confirmed.chance == pytest.approx(puzzle.chance, abs=0.002)
        assert not puzzling.is_same(game, state, puzzle.seat, puzzle.moves[0], puzzle.other)
        assert puzzling.kind_of(game, state, puzzle.seat, puzzle.moves, puzzle.other, puzzle.line) == puzzle.kind


def test_the_rating_follows_from_how_often_the_levels_solve():
    never, always = [(0, 4)] * 4, [(4, 4)] * 4
    strong = [(0, 4), (1, 4), (3, 4), (4, 4)]
    weak = [(2, 4), (4, 4), (4, 4), (4, 4)]
    assert mining.LEAST <= mining.rating_of(always) < mining.rating_of(weak) < mining.rating_of(strong)
    assert mining.rating_of(strong) < mining.rating_of(never) <= mining.MOST
    assert mining.rating_of([*strong, (4, 4)]) == mining.rating_of(strong)  # a fifth level has no rating yet


def test_a_solver_gains_by_hard_puzzles_and_loses_by_easy_ones():
    assert rated(1000, 1400, 1, 0) - 1000 > rated(1000, 600, 1, 0) - 1000 > 0
    assert rated(1000, 600, 0, 0) < rated(1000, 1400, 0, 0) < 1000
    assert 1000 - rated(1000, 1000, 0, 50) < 1000 - rated(1000, 1000, 0, 0)  # later answers count less


def test_mining_goes_on_where_it_stopped(tmp_path, capsys):
    path = tmp_path / "mined.jsonl.gz"
    key = WITH[0]
    assert mining.mine(key, path, wanted=1, minutes=None) >= 1
    numbers = [one.number for one in puzzles.read_mined(path)]
    assert numbers == list(range(1, len(numbers) + 1))
    before = sum(len(one.puzzles) for one in puzzles.read_mined(path))
    mining.mine(key, path, wanted=before, minutes=None)  # it has as many already
    assert [one.number for one in puzzles.read_mined(path)] == numbers
    mining.tidy(path)
    kept = puzzles.read_mined(path)
    assert sum(len(one.puzzles) for one in kept) == before
    assert kept[-1].number == numbers[-1]
    mining.mine(key, path, wanted=before + 1, minutes=None)
    assert puzzles.read_mined(path)[len(kept)].number == numbers[-1] + 1
    assert "puzzles in" in capsys.readouterr().err


def test_puzzles_that_no_longer_hold_are_dropped(tmp_path, monkeypatch):
    path = tmp_path / "mined.jsonl.gz"
    key = WITH[0]
    mining.mine(key, path, wanted=1, minutes=None)
    before = puzzles.read_mined(path)
    found = [puzzle for one in before for puzzle in one.puzzles]
    assert mining.confirm(key, path) == len(found)  # the same verdicts give the same puzzles
    assert puzzles.read_mined(path) == before
    dropped = found[-1]
    monkeypatch.setattr(mining, "sure_move", lambda game, state, seat: _unless(dropped, game, state, seat))
    assert mining.confirm(key, path) == len(found) - 1
    after = puzzles.read_mined(path)
    assert [one.number for one in after] == [one.number for one in before]  # mining goes on where it was
    assert dropped not in [puzzle for one in after for puzzle in one.puzzles]
    assert all(len(one.log) == (one.puzzles[-1].at if one.puzzles else 0) for one in after)


def _unless(dropped, game, state, seat):
    """Confirm a puzzle unless it is the one to be dropped."""
    found = puzzling.sure_move(game, state, seat)
    return None if found is not None and round(found.chance, 3) == dropped.chance else found


def test_bad_files_and_ids_are_refused(tmp_path):
    bad = tmp_path / "mined.jsonl.gz"
    bad.write_bytes(b"no gzip")
    with pytest.raises(BadRecord, match=r"mined\.jsonl\.gz"):
        puzzles.read_mined(bad)
    with pytest.raises(UnknownPuzzle, match="there is no puzzle"):
        puzzles.puzzle_of(WITH[0], "0-0")
    with pytest.raises(mining.BadPuzzleFile, match="a file in a folder that exists is wanted"):
        mining.mine_as_asked(WITH[0], tmp_path / "nowhere" / "x.gz", 1, None)
