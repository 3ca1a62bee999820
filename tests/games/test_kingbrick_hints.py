"""The words of hints in KingBrick: what kind of move, which brick, at what, and why."""

import pytest
from kingbrick_board import flick, position

from ludoteca.core.words import say
from ludoteca.games.kingbrick.game import GAME


def told(state, move, language="en"):
    """Return the steps of a hint and the hint itself, as texts."""
    described = GAME.describe_hint(state, state.now.mover, move)
    return [say(step, language) for step in (*GAME.hint_steps(described, move), described.message)]


@pytest.mark.parametrize(
    ("direction", "speed", "said"),
    [
        (0, 2, "a hard flick of Champion r2 at Champion b2, to knock it off the board"),
        (0, 1.2, "a medium flick of Champion r2 at Champion b2"),  # too slow for that
        (0, 0.3, "a soft flick of Champion r2, to rest on the dividing line"),  # it stops before
        (60, 1.2, "a medium flick of Champion r2, to rest in enemy territory"),
        (90, 2.5, "a hard flick of Champion r2 at King b1, to knock it off the board"),
        (180, 2, "a hard flick of Champion r2"),  # off the board
        (270, 1.2, "a medium flick of Champion r2 at Guardian r4 of its own army"),
        (225, 2.5, "a hard flick of Champion r2 at Guardian r5 of its own army, to push it against Champion b3"),
    ],
)
def test_a_hint_says_what_a_flick_is_aimed_at_and_why(direction, speed, said):
    state = position("r2 C 0 0", "b2 C 100 0", "r3 C 60 150", "r4 G 0 -80", "r5 G -60 -60", "b3 C -120 -120")
    assert told(state, flick("r2", direction, speed))[-1] == said


def test_a_hint_says_more_step_by_step():
    state = position("r2 C 0 0", "b2 C 100 0")
    assert told(state, flick("r2", 0, 2)) == [
        "a brick of the opponent can be knocked off",
        "think of Champion r2",
        "a hard flick of Champion r2 at Champion b2, to knock it off the board",
    ]
    assert told(state, flick("r2", 0, 1.2))[0] == "flick a brick"


def test_a_brick_with_others_behind_it_is_not_said_to_fall():
    state = position("r2 C 0 0", "b2 C 100 0", "b3 C 150 0")
    assert told(state, flick("r2", 0, 2))[-1] == "a hard flick of Champion r2 at Champion b2"


def test_a_brick_of_the_own_army_is_pushed_over_the_line():
    state = position("r2 C 0 -80", "r3 G 0 -40")
    said = "a medium flick of Champion r2 at Guardian r3 of its own army, to bring it to rest in enemy territory"
    assert told(state, flick("r2", 90, 1.6))[-1] == said


def test_a_deserter_is_of_the_army_that_it_fights_for():
    """Grey Mercenaries on the other side of the line (KB-39)."""
    state = position("r2 C 0 -100", "b2 M 80 -100 up=6", "r3 M 0 30 up=6")
    assert told(state, flick("r2", 0, 1.2))[-1].startswith(
        "a medium flick of Champion r2 at Mercenary b2 of its own army"
    )
    assert told(state, flick("r2", 90, 1.5))[-1] == "a medium flick of Champion r2 at Mercenary r3"


def test_a_flick_may_make_the_king_safer():
    state = position("r1 K 0 -250", "b2 C 0 -100", "r2 C 100 -180")
    assert told(state, flick("r2", 180, 1.13)) == [
        "your King can be made safer",
        "think of Champion r2",
        "a medium flick of Champion r2, to rest at home, so that King r1 is safer",
    ]
    assert told(state, flick("r2", 0, 0.8))[-1] == "a soft flick of Champion r2, to rest at home"


def test_a_king_move_may_make_it_safer():
    danger = position("r1 K 0 -250", "b2 C 0 -100", "r2 C 40 -150")
    assert told(danger, "place r1 x=50 y=-190 yaw=0 up=1") == [
        "set a brick down instead of flicking",
        "think of King r1",
        "King Move: King r1 returns to the castle, where it is safer",
    ]
    peace = position("r1 K 0 -250", "b2 C 0 250")
    assert told(peace, "place r1 x=50 y=-190 yaw=0 up=1")[-1] == "King Move: King r1 returns to the castle"


def test_a_hint_says_what_a_freeze_is_set_on():
    state = position("r2 F hand", "b2 C 100 0", "b3 C 100 26")
    for y, on in ((0, "Champion b2"), (13, "Champion b2, Champion b3")):
        said = told(state, f"freeze r2 x=100 y={y} yaw=0")
        assert said[-1] == f"Freeze r2 on {on}, to stop a flick from there"
    assert told(state, "freeze r2 x=0 y=0 yaw=0")[-1] == "Freeze r2 is set down"


def test_the_reasons_in_italian():
    state = position("r2 C 0 0", "b2 C 100 0")
    assert told(state, flick("r2", 0, 2), "it") == [
        "si può buttare fuori un mattoncino avversario",
        "pensa a Campione r2",
        "schicchera di Campione r2 verso Campione b2, forte, per buttarlo fuori dalla plancia",
    ]
