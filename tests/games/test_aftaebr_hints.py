"""The words of hints in AFTAEBR: what kind of move, where, and why."""

import pytest
from aftaebr_board import EMPTY_BOARD, position

from ludoteca.core.words import say
from ludoteca.games.aftaebr.game import GAME

THREE = "1 2 3 . . ."
TWO = "1 2 . . . ."


def told(state, move, language="en"):
    """Return the steps of a hint and the hint itself, as texts."""
    described = GAME.describe_hint(state, int(state.seat) + 1, move)
    return [say(step, language) for step in (*GAME.hint_steps(described, move), described.message)]


@pytest.mark.parametrize(
    ("drawing", "stocks", "move", "said"),
    [
        (
            THREE,
            {1: "G1 G1", 2: "B4 B4"},
            "G1c1",
            [
                "stop a sequence with a 1",
                "look at row 1",
                "green 1 in c1, on green 3; it stops a sequence that lacked only a 4",
            ],
        ),
        (
            TWO,
            {1: "G3 G4", 2: "B1 B2"},
            "G3c1",
            [
                "prepare a sequence with a 3",
                "look at row 1",
                "green 3 in c1; then a sequence lacks only a 4, and nobody else has one",
            ],
        ),
        (
            TWO,
            {},
            "G1f6",
            [
                "a 1 is the quiet move that gives the least away",
                "look at row 6",
                "green 1 in f6, which leaves the next player no sequence to complete",
            ],
        ),
        (
            EMPTY_BOARD,
            {},
            "G1f6",
            ["a 1 is a good quiet move", "look at row 6", "green 1 in f6; no move gives a sequence away now"],
        ),
        (
            THREE,
            {1: "G2 G2", 2: "B4 B4"},
            "G2a2",
            [
                "a 2 is the quiet move that gives the least away",
                "look at row 2",
                "green 2 in a2; every move leaves the next player a sequence",
            ],
        ),
        (
            THREE,
            {},
            "G4d1",
            ["a sequence can be completed", "look at row 1", "green 4 in d1: 4 pieces taken, and another turn"],
        ),
        (
            THREE,
            {1: "G2", 2: "B4 B4"},
            "G2a2",
            [
                "a 2 is the quiet move that gives the least away",
                "look at row 2",
                "green 2 in a2: that was the last piece, 1 is out",
            ],
        ),
    ],
)
def test_a_hint_says_more_step_by_step_and_at_last_why(drawing, stocks, move, said):
    assert told(position(drawing, stocks=stocks), move) == said


def test_a_sequence_is_not_prepared_for_others():
    held = {1: "G3 G4", 2: "B1 B2"}
    assert "prepare" in told(position(TWO, stocks=held | {3: "F1 F2"}, players=3), "G3c1")[0]
    gift = told(position(TWO, stocks=held | {3: "F1 F4"}, players=3), "G3c1")
    assert gift[-1] == "green 3 in c1, which leaves the next player no sequence to complete"


def test_a_move_that_gives_a_sequence_away_without_need_has_no_reason():
    assert told(position(TWO), "G3c1")[-1] == "green 3 in c1"


def test_a_colour_needs_no_reason():
    state = GAME.start(GAME.agree({"start": 1}))
    assert told(state, "colour G") == ["1 chooses green"]


def test_the_reasons_in_italian():
    assert told(position(THREE, stocks={1: "G1 G1", 2: "B4 B4"}), "G1c1", "it") == [
        "ferma una sequenza con un 1",
        "guarda la riga 1",
        "1 verde in c1, sopra 3 verde; ferma una sequenza a cui mancava solo un 4",
    ]
