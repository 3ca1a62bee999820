"""The words of hints in Match'n Lock!: what kind of move, where, and why."""

import pytest
from matchnlock_board import do, drawn, holding, position

from ludoteca.core.words import say
from ludoteca.games.matchnlock.game import GAME

# The circle in the middle wants c4 and d4 turned clockwise.
TWO_TURNS = """
    RBYR
    RYYB
    YBBY
    RRRR
"""
ONE_TURN = """
    RYYR
    RBYB
    YBBY
    RRRR
"""
THREE_TOKENS = """
    RY..
    RB..
    YBBY
    RRRR
"""
TOKEN_AND_TURN = """
    RB..
    RY..
    YBBY
    RRRR
"""
GREEN_TURN, GREEN_TOKENS = ONE_TURN.replace("B", "G"), THREE_TOKENS.replace("B", "G")
LOWER_ROW = """
    YBBY
    RRRR
"""


def told(state, move, language="en"):
    """Return the steps of a hint and the hint itself, as texts."""
    described = GAME.describe_hint(state, int(state.seat) + 1, move)
    return [say(step, language) for step in (*GAME.hint_steps(described, move), described.message)]


@pytest.mark.parametrize(
    ("drawing", "move", "said"),
    [
        (
            TWO_TURNS,
            "c4+",
            [
                "bring a circle of your colour nearer",
                "look at row 4",
                "the token in c4 turns clockwise; then a blue circle for 40 lacks only one turn",
            ],
        ),
        (
            GREEN_TURN,
            "d4-",
            [
                "stop a circle of another colour",
                "look at row 4",
                "the token in d4 turns anticlockwise, so that a green circle for 40 lacks more than one turn",
            ],
        ),
        (
            ONE_TURN,
            "d4+",
            [
                "a circle can be closed",
                "look at row 4",
                "the token in d4 turns clockwise: a blue circle for 40",
            ],
        ),
        (
            GREEN_TURN,
            "d4+",
            [
                "a circle can be closed",
                "look at row 4",
                "the token in d4 turns clockwise: a green circle for 40",
            ],
        ),
        (TWO_TURNS, "draw", ["look at the bag", "a token from the bag, because no turn closes a blue circle"]),
        (ONE_TURN, "draw", ["look at the bag", "a token from the bag"]),
    ],
)
def test_a_hint_says_more_step_by_step_and_at_last_why(drawing, move, said):
    assert told(position(drawn("c3", drawing)), move) == said


@pytest.mark.parametrize(
    ("drawing", "wedges", "hole", "said"),
    [
        (THREE_TOKENS, "RBYR", "d4", "a token in d4; then a blue circle for 40 lacks only one turn"),
        (TOKEN_AND_TURN, "RBYR", "d4", "a token in d4; then a blue circle for 40 lacks only two turns"),
        (LOWER_ROW, "RBRR", "c4", "a token in c4; then a blue circle lacks only one token"),
        (LOWER_ROW, "BRRR", "c4", "a token in c4; then a blue circle lacks only one token and one turn"),
        (GREEN_TOKENS, "RRRY", "d4", "a token in d4, in the way of a green circle"),
        (GREEN_TOKENS, "RRRY", "h8", "a token in h8, where no other colour gets near a circle"),
        (GREEN_TOKENS, "RGRY", "d4", "a token in d4"),
    ],
)
def test_a_placement_says_which_circle_it_brings_nearer_or_stops(drawing, wedges, hole, said):
    assert told(holding(position(drawn("c3", drawing)), wedges), hole)[-1] == said


def test_a_player_alone_turns_nothing():
    def alone(drawing, wedges):
        return holding(position(drawn("c3", drawing), players=1), wedges)

    assert told(alone(LOWER_ROW, "RBRR"), "c4")[-1] == "a token in c4; then a blue circle lacks only one token"
    assert told(alone(LOWER_ROW, "BRRR"), "c4")[-1] == "a token in c4, where no other colour gets near a circle"
    assert told(alone(GREEN_TOKENS, "RRRY"), "d4")[-1] == "a token in d4, in the way of a green circle"
    assert told(position(drawn("c3", ONE_TURN), players=1), "draw")[-1] == "a token from the bag"


def test_only_the_colours_of_players_count():
    state = position(drawn("c3", ONE_TURN.replace("B", "Y").replace("YYY", "YRY")), seat=2, players=2)
    assert "yellow" not in " ".join(told(state, "d4-"))
    three = position(drawn("c3", GREEN_TURN), seat=3, players=3)
    assert told(three, "d4-")[-1].endswith("so that a green circle for 40 lacks more than one turn")


def test_a_stalemate_says_what_follows():
    state, _ = do(position(drawn("c3", TWO_TURNS)), "c3+", "c3-", "c3+", "c3-")
    assert told(state, "c3!")[-1] == "stalemate declared in c3: a new token takes its place"


def test_the_reasons_in_italian():
    assert told(position(drawn("c3", TWO_TURNS)), "c4+", "it") == [
        "porta avanti un cerchio del tuo colore",
        "guarda la riga 4",
        "la pedina in c4 ruota in senso orario; poi a un cerchio blu da 40 manca solo una rotazione",
    ]
