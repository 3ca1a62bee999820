"""The bots of Tic-Tac Match: they know only what their seat sees, take a win, and play for their partner."""

import pytest
from tictacmatch_board import BLOCKED, CENTRE_ONLY, PLAIN, after_draws, play, position, to_move

from ludoteca.core.random import generator
from ludoteca.games.tictacmatch import rules
from ludoteca.games.tictacmatch.game import GAME
from ludoteca.lab.plan import planned, play_one
from ludoteca.search import bots

LEVELS = ("novice", "casual", "club", "expert")
TWO_RED_X = "XR XR ..  .. .. ..  .. .. .."


def chosen(state, level, seed=1):
    return bots.choose(GAME, level, state, to_move(state), (seed,))


@pytest.mark.rule("TT-21")
@pytest.mark.parametrize("level", ["random", *LEVELS])
@pytest.mark.parametrize(
    "state",
    [
        position(CENTRE_ONLY, "XR OB F W", "XR XR D F"),
        position(BLOCKED, "D XY OY W", PLAIN, "OB OB OR OR", "W W F D"),
        play(position(CENTRE_ONLY, "D XR OB F", PLAIN), "D"),
        play(position(CENTRE_ONLY, "W XR OB F", PLAIN, PLAIN, PLAIN), "W", "draw 1 D"),
    ],
    ids=["turn", "four players", "double play", "target"],
)
def test_a_move_depends_only_on_what_the_seat_sees(state, level):
    seat = to_move(state)
    for deal in range(3):
        other = GAME.concealed(state, seat, generator("another deal", deal))
        assert other.tobytes() != state.tobytes()
        assert chosen(other, level) == chosen(state, level)


@pytest.mark.parametrize("level", LEVELS[1:])
def test_it_takes_a_line_of_its_own_and_makes_none_for_the_others(level):
    mine = position(TWO_RED_X, "XR XB OY OG", PLAIN, dealer=1, symbol="X")
    assert chosen(mine, level) == "XR c3"
    theirs = position(TWO_RED_X, "XR XB OY OG", PLAIN, dealer=2, symbol="X")
    assert chosen(theirs, level) != "XR c3"


@pytest.mark.parametrize("level", LEVELS[2:])
def test_it_flips_first_and_wins_with_a_double_play(level):
    state = position(TWO_RED_X, "XR F D OG", PLAIN, dealer=2, symbol="X")
    for move in ("D", "F", "XR c3"):
        assert chosen(state, level) == move
        state = play(state, move)
    assert GAME.outcome(state, frozenset()).winners == (1,)


@pytest.mark.parametrize("level", LEVELS[2:])
def test_a_line_that_makes_the_partner_win_wins(level):
    """Seat 3 deals: seat 1 is on its side."""
    state = position(TWO_RED_X, "XR XB OY OG", PLAIN, PLAIN, PLAIN, dealer=3, symbol="X")
    assert chosen(state, level) == "XR c3"
    alone = position(TWO_RED_X, "XR XB OY OG", PLAIN, PLAIN, PLAIN, dealer=3, symbol="X", teams=False)
    assert chosen(alone, level) != "XR c3"


@pytest.mark.parametrize("options", [{"players": 4}, {"players": 4, "teams": False}], ids=str)
def test_partners_win_together_against_random_ones(options):
    wins = 0
    for number in range(1, 13):
        names = ["casual", "random", "casual", "random"] if "teams" not in options else ["casual", *["random"] * 3]
        record = play_one(planned("tictacmatch", options | {"start": 2}, names, 12, "partners"), number)
        wins += 1 in record.result.winners
    assert wins >= 9


def test_whole_matches_of_bots_end():
    state = position(CENTRE_ONLY, PLAIN, PLAIN)
    for n in range(600):
        if rules.actor(state) < 0:
            break
        state = after_draws(state, chosen(state, "novice", n))
    assert GAME.outcome(state, frozenset())
