"""The words of hints in Tic-Tac Match: what kind of move, where, and why; never what another hand holds."""

import pytest
from tictacmatch_board import position

from ludoteca.core.words import say
from ludoteca.games.tictacmatch.game import GAME

THREAT = "OR OR ..  .. XB ..  .. .. .."  # seat 1 is O, seat 2 is X
FOR_X = "XR .. XR  .. OB ..  .. .. .."


def told(state, move):
    """Return the steps of a hint and the hint itself, as texts."""
    described = GAME.describe_hint(state, 1, move)
    return [say(step) for step in (*GAME.hint_steps(described, move), described.message)]


@pytest.mark.parametrize(
    ("drawing", "hand", "move", "said"),
    [
        (
            FOR_X,
            "XG OR OB OY",
            "OR a3",
            [
                "stop a line of the other side",
                "look at column a",
                "red O on a3, covering red X, so that red X no longer completes a line",
            ],
        ),
        (
            "OR .. ..  .. XB ..  .. .. ..",
            "XG OR OB OY",
            "OR b3",
            [
                "prepare a line of your own",
                "look at column b",
                "red O on b3, and red O would complete a line next",
            ],
        ),
        (
            THREAT,
            "XG OR OB OY",
            "OR c3",
            [
                "three in a row are there to be made",
                "look at column c",
                "red O on c3: three in a row, O wins",
            ],
        ),
        (
            FOR_X,
            "F OR OB OY",
            "F",
            [
                "one of your special cards helps now",
                "Flip: everybody changes sides; the line that lacks only red X changes sides too",
            ],
        ),
        (
            FOR_X,
            "W OR OB OY",
            "W",
            [
                "one of your special cards helps now",
                "Wipe-Out, before somebody completes a line with red X",
            ],
        ),
        (
            "OR .. ..  .. XB ..  .. .. ..",
            "D OR OR OY",
            "D",
            [
                "one of your special cards helps now",
                "Double Play: red O twice completes a line",
            ],
        ),
        (
            "XB .. ..  .. XB ..  .. .. OG",
            "W OY OB OY",
            "W",
            ["one of your special cards helps now", "Wipe-Out"],
        ),
    ],
)
def test_a_hint_says_more_step_by_step_and_at_last_why(drawing, hand, move, said):
    assert told(position(drawing, hand, "XG XG XG XG"), move) == said


def test_the_words_do_not_depend_on_the_hand_of_another():
    one, other = (position(FOR_X, "F OR OB OY", hand) for hand in ("XR XR XR XG", "OG OG OB F"))
    for move in ("F", "OR a3", "OB b1"):
        assert told(one, move) == told(other, move)
