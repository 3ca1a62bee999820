"""The rules of Connect Four, the example of a complete game, one after the other."""

import example_games  # noqa: F401 (it makes the next imports possible)
import pytest

from ludoteca.cli import main
from ludoteca.core import registry
from ludoteca.core.errors import BadOption, IllegalMove, UnfinishedGame, UnknownGame, UnknownMove
from ludoteca.core.match import Match
from ludoteca.core.record import Entry
from ludoteca.core.words import say
from ludoteca.games.connectfour.game import CELLS, GAME
from ludoteca.search import bots
from ludoteca.search.workbench import tally

rule = pytest.mark.rule
DRAWN = "ddacfefgeccddffcceddbbcbffaeaeeggggabagabb"


def after(moves):
    match = Match.new("connectfour", {})
    for move in moves:
        match.play(move)
    return match


def board(match):
    """Return the rows, from the top."""
    letters = GAME.view(match.state, 1)["board"]
    return [letters[row * 7 : row * 7 + 7] for row in range(5, -1, -1)]


def test_the_example_is_known_but_not_on_the_shelf():
    assert registry.game("connectfour") is GAME
    assert "connectfour" not in registry.game_keys()
    with pytest.raises(UnknownGame, match="there are aftaebr"):
        registry.game("chess")


@rule("CF-1")
def test_two_players_on_seven_columns_and_six_rows():
    match = after("")
    assert len(match.seats) == 2
    assert len(CELLS) == len(GAME.view(match.state, None)["board"]) == 42
    assert GAME.legal(match.state, 1) == {"columns": list("abcdefg")}
    with pytest.raises(BadOption, match="players"):
        GAME.agree({"players": 3})


@rule("CF-2")
def test_seat_1_begins_and_they_take_turns():
    match = after("")
    for move, seat in (("d", 1), ("d", 2), ("a", 1)):
        assert match.to_move == (seat,)
        assert GAME.legal(match.state, 3 - seat) == {"columns": []}
        match.play(move)


@rule("CF-3")
def test_a_disc_falls_on_the_lowest_empty_cell_of_a_column_that_is_not_full():
    match = after("dde")
    assert board(match)[-2:] == ["...2...", "...11.."]
    full = after("aaaaaa")
    with pytest.raises(IllegalMove, match="column a is full"):
        full.play("a")
    for strange in ("", "h", "ab", "A", "1"):
        with pytest.raises(UnknownMove, match="a column from a to g"):
            full.play(strange)


@rule("CF-4")
@pytest.mark.parametrize(
    ("moves", "line"),
    [
        ("agagaga", "a1 a2 a3 a4"),
        ("agbgcgd", "a1 b1 c1 d1"),
        ("abbccdcddgd", "a1 b2 c3 d4"),
        ("gffeededdad", "g1 f2 e3 d4"),
    ],
)
def test_four_in_a_row_a_column_or_a_diagonal_win_at_once(moves, line):
    match = after(moves)
    assert (match.result.winners, match.result.scores, match.result.reason) == ((1,), (1, 0), "complete")
    assert set(GAME.view(match.state, None)["line"]) == set(line.split())
    assert after(moves[:-1]).result is None


@rule("CF-4")
def test_a_line_does_not_run_from_one_column_into_the_next():
    match = after("babdbbaaabada")
    letters = GAME.view(match.state, None)["board"]
    assert [letters[CELLS.index(cell)] for cell in ("a5", "a6", "b1", "b2")] == ["1"] * 4
    assert match.result is None


@rule("CF-5")
def test_a_full_board_without_a_line_is_a_draw():
    match = after(DRAWN)
    assert "." not in GAME.view(match.state, None)["board"]
    assert (match.result.winners, match.result.scores, match.result.reason) == ((), (0, 0), "complete")
    assert after(DRAWN[:-1]).result is None


def test_a_move_is_told():
    match = after("d")
    described = GAME.describe(match.state, Entry(2, "d"))
    assert (say(described.message), described.marks) == ("disc in column d", {"cell": "d2"})
    assert say(described.message, "it") == "disco nella colonna d"


def test_the_bots_take_a_win():
    assert bots.choose(GAME, "club", after("agagag").state, 1, ("win",)) == "a"


def test_it_is_simulated_and_verified_like_any_other(tmp_path, capsys):
    path = tmp_path / "matches.jsonl"
    assert main(["simulate", "connectfour", "--games", "20", "--out", str(path), "--workers", "1"]) == 0
    assert "20 matches" in capsys.readouterr().out
    assert main(["verify", str(path)]) == 0
    assert "20 good" in capsys.readouterr().out


def test_what_a_study_lacks_is_said():
    with pytest.raises(UnfinishedGame, match="connectfour has no tally"):
        _ = tally("connectfour").WIDTH
