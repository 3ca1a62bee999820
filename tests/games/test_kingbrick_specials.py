"""The rules of KingBrick's special bricks: Ninja, Assassin, Mercenary, Freeze."""

import pytest
from kingbrick_board import asked, flick, flicked, offered_places, placed, play, position, rested, where

from ludoteca.core.errors import IllegalMove
from ludoteca.core.record import Entry
from ludoteca.games.kingbrick.game import GAME

rule = pytest.mark.rule

# Ninja


@rule("KB-31")
def test_a_happy_ninja_in_enemy_territory_may_hide_at_the_end_of_its_owners_turn():
    state = position("r2 N 60 100 up=1", "r3 G 0 -100", "b2 G 0 100")
    with pytest.raises(IllegalMove, match="that comes at the end of the turn"):
        play(state, "hide r2")
    state = flicked(state, "r3", r3="0 -90")
    assert asked(state) == (1, "finish")
    assert GAME.legal(state, 1) == {"end": True, "hide": ["r2"]}
    hidden = rested(play(state, "hide r2"))
    assert where(hidden, "r2") == ["hidden"]
    assert asked(hidden) == (2, "turn")
    stays = play(state, "end")
    assert where(stays, "r2") == ["board"]
    assert asked(stays) == (2, "turn")


@rule("KB-31")
def test_a_ninja_does_not_hide_at_home_or_sad_or_in_the_others_turn():
    state = flicked(position("r2 N 60 -100 up=1", "r3 G 0 -100"), "r3", r3="0 -90")
    assert asked(state) == (2, "turn"), "the turn ends by itself when there is nothing more to do"
    state = rested(flicked(position("r2 N 60 100 up=1", "r3 G 0 -100"), "r3", r2="60 100 up=6"))
    assert where(state, "r2") == ["rolling"]
    state = flicked(position("r2 N 60 100 up=1", "b2 G 0 100", mover=2), "b2", b2="0 90")
    assert asked(state) == (1, "turn")
    with pytest.raises(IllegalMove, match="r3 cannot hide; a Ninja does, happy in the enemy's territory; these may: N"):
        play(flicked(position("r2 N 60 100", "r3 G 0 -100"), "r3"), "hide r3")


@rule("KB-32")
def test_one_ninja_a_turn_hides():
    state = flicked(position("r2 N 60 100", "r3 N 90 100", "r4 G 0 -100", "r5 A 20 190"), "r4")
    assert GAME.legal(state, 1)["hide"] == ["r2", "r3"]
    state = rested(play(state, "hide r3"))
    assert where(state, "r2", "r3") == ["board", "hidden"]
    assert asked(state) == (2, "turn")
    state = flicked(position("r2 N 60 100", "r3 N 90 100", "r4 A 20 190", "b2 G 0 100"), "r1")
    state = rested(play(state, "hide r3"))
    with pytest.raises(IllegalMove, match="one Ninja a turn hides, and one did"):
        play(state, "hide r2")


@rule("KB-32")
def test_a_ninja_revealed_this_turn_cannot_hide_in_it():
    state = placed(position("r2 N hidden", "r3 N 90 100"), "r2", -100, 100)
    assert GAME.legal(state, 1)["hide"] == ["r3"]
    with pytest.raises(IllegalMove, match="Ninja r2 was revealed in this turn; these may hide: Ninja r3"):
        play(state, "hide r2")
    assert asked(placed(position("r2 N hidden"), "r2", -100, 100)) == (2, "turn")


@rule("KB-33", "KB-12")
def test_a_hidden_ninja_is_revealed_anywhere_in_enemy_territory():
    state = position("r2 N hidden", "r3 N hidden", "b2 G 0 100")
    assert offered_places(state, 1)[1:] == [("r2", "reveal", "enemy"), ("r3", "reveal", "enemy")]
    for spot in ("x=0 y=8.1", "x=58.1 y=190", "x=192 y=292", "x=16.1 y=100"):
        revealed = rested(play(state, f"place r2 {spot} yaw=0 up=1"))
        assert where(revealed, "r2", "r3") == ["board", "hidden"]
        assert asked(revealed) == (2, "turn")


@rule("KB-33")
@pytest.mark.parametrize(
    ("spot", "words"),
    [
        ("x=0 y=-100", "Ninja r2 reappears wholly in the enemy's territory"),
        ("x=0 y=8", "wholly in the enemy's territory"),
        ("x=195 y=100", "on the board"),
        ("x=58 y=190", r"may not touch the castle when it reappears: x from -50 to 50, y from 140 to 240"),
        ("x=16 y=100", "Ninja r2 must touch no brick and would touch Guardian b2"),
        ("x=0 y=100", "must touch no brick"),
    ],
)
def test_a_reveal_elsewhere_is_refused(spot, words):
    with pytest.raises(IllegalMove, match=words):
        play(position("r2 N hidden", "b2 G 0 100"), f"place r2 {spot} yaw=0 up=1")


@rule("KB-33")
def test_only_ones_own_ninja_is_revealed():
    state = position("r2 N hidden", "b2 N hidden", mover=2)
    assert offered_places(state, 2)[1:] == [("b2", "reveal", "enemy")]
    with pytest.raises(IllegalMove, match="r2 cannot be placed now"):
        play(state, "place r2 x=100 y=-100 yaw=0 up=1")


@rule("KB-33", "KB-20")
def test_a_ninja_revealed_sad_is_captured():
    state = placed(position("r2 N hidden"), "r2", -100, 100, up=6)
    assert where(state, "r2") == ["rolling"]


# Assassin


@rule("KB-34")
def test_an_assassin_in_the_enemy_castle_may_strike_at_the_end_of_its_owners_turn():
    state = flicked(position("r2 A 0 0", "b2 G 0 100", "b3 C 90 100"), "r2", r2="50 148")
    assert asked(state) == (1, "finish")
    assert GAME.legal(state, 1) == {"end": True, "strike": [{"by": "r2", "targets": ["b2", "b3"]}]}
    struck = rested(play(state, "strike r2 b3"))
    assert where(struck, "b2", "b3") == ["board", "out"]
    entry = Entry(1, "strike r2 b3")
    assert list(GAME.counted(state, entry, GAME.describe(state, entry))) == [(1, "strikes")]


@rule("KB-34")
def test_it_strikes_in_the_castle_only_and_not_in_the_others_turn():
    assert asked(flicked(position("r2 A 0 0", "b2 G 0 100"), "r2", r2="0 131.9")) == (2, "turn")
    assert asked(flicked(position("r2 A 0 0", "b2 G 0 100"), "r2", r2="0 132")) == (1, "finish")
    assert asked(flicked(position("r2 A 20 -190", "b2 G 0 100"), "r1")) == (2, "turn"), "in its own castle it does not"
    assert asked(flicked(position("r2 A 20 190", "b2 G 0 100", mover=2), "b2", b2="0 90")) == (1, "turn")
    with pytest.raises(IllegalMove, match="that comes at the end of the turn"):
        play(position("r2 A 20 190", "b2 G 0 100"), "strike r2 b2")


@rule("KB-34", "KB-36")
def test_the_king_a_hidden_ninja_and_an_unused_freeze_cannot_be_struck_a_freeze_on_the_board_can():
    lines = ("r2 A 40 190", "r3 G 0 -100", "b2 N hidden", "b3 F hand", "b4 F 0 -100 z=24", "b5 G out")
    state = flicked(position(*lines), "r2", r2="40 190")
    assert GAME.legal(state, 1)["strike"] == [{"by": "r2", "targets": ["b4"]}]
    for target in ("b1", "b2", "b3", "b5", "r3", "b9"):
        with pytest.raises(IllegalMove, match=f"{target} cannot be struck; these can: Freeze b4"):
            play(state, f"strike r2 {target}")
    struck = placed(rested(play(state, "strike r2 b4")), "r2", 30, -190)
    assert where(struck, "b4") == ["out"]
    moved = play(rested(play(struck, "place b1 x=0 y=190 yaw=0 up=1")), "end")  # blue has a Freeze to set, and does not
    assert "r3" in GAME.legal(moved, 1)["flick"]["bricks"]


@rule("KB-35")
def test_every_assassin_strikes_once_and_striking_is_optional():
    lines = ("r2 A 40 190", "r3 A -40 190", "r4 A 0 230 up=6", "b2 G 0 100", "b3 G 50 100", "b4 G 90 100")
    state = flicked(position(*lines), "r1")
    state = placed(rested(play(state, "strike r2 b2")), "r2", 30, -190)
    state = rested(play(state, "strike r4 b3"))
    with pytest.raises(IllegalMove, match="r4 has struck in this turn; these may still: Assassin r3"):
        play(state, "strike r4 b4")
    assert where(state, "b2", "b3", "b4") == ["out", "out", "board"]
    state = play(state, "end")
    assert where(state, "r2", "r3", "r4") == ["board", "board", "rolling"]


@rule("KB-35")
def test_strikes_and_hiding_come_in_any_order():
    lines = ("r2 A 40 190", "r3 N 100 100", "b2 G 0 100")
    state = flicked(position(*lines), "r1")
    assert set(GAME.legal(state, 1)) == {"end", "hide", "strike"}
    one = placed(rested(play(rested(play(state, "hide r3")), "strike r2 b2")), "r2", 30, -190)
    other = rested(play(placed(rested(play(state, "strike r2 b2")), "r2", 30, -190), "hide r3"))
    for after in (one, other):
        assert where(after, "r2", "r3", "b2") == ["board", "hidden", "out"]
        assert asked(after) == (2, "turn")


@rule("KB-35")
def test_each_strike_is_judged_on_the_position_then():
    """The strike takes away what the second Assassin lay on: it tumbles out of the castle and strikes no more."""
    lines = ("r2 A 40 190", "r3 A 50 152 z=24", "b2 G 50 152", "b3 G 90 100")
    state = play(flicked(position(*lines), "r1"), "strike r2 b2")
    state = placed(rested(state, r3="70 152"), "r2", 30, -190)
    assert asked(state) == (2, "turn")


@rule("KB-35")
def test_an_assassin_strikes_also_after_a_foul_of_its_owner():
    state = flicked(position("r2 A 40 190", "b2 G 0 100"), "r1", push=30)
    assert GAME.legal(state, 1) == {"end": True, "strike": [{"by": "r2", "targets": ["b2"]}]}
    struck = placed(rested(play(state, "strike r2 b2")), "r2", 30, -190)
    assert where(struck, "b2") == ["out"], "what an Assassin strikes is not given back"
    assert (asked(struck), GAME.view(struck, None)["flicks"]) == ((2, "turn"), 2)


@rule("KB-37")
def test_happy_it_escapes_after_striking():
    state = play(flicked(position("r2 A 40 190 up=3", "b2 G 0 100"), "r1"), "strike r2 b2")
    assert where(state, "r2", "b2") == ["hand", "out"]
    state = rested(state)
    assert asked(state) == (1, "place", "r2")
    state = placed(state, "r2", 30, -190)
    assert where(state, "r2") == ["board"]
    assert asked(state) == (2, "turn")


@rule("KB-38")
def test_sad_in_its_owners_turn_it_may_strike_and_is_captured_at_the_end_either_way():
    state = flicked(position("r2 A 0 0", "b2 G 0 100"), "r2", r2="40 190 up=4")
    assert where(state, "r2") == ["board"]
    struck = rested(play(state, "strike r2 b2"))
    assert where(struck, "r2", "b2") == ["rolling", "out"]
    assert GAME.chance(rested(struck), lambda weights: 0) == "roll r2 1"
    idle = play(state, "end")
    assert where(idle, "r2", "b2") == ["rolling", "board"]
    after = play(rested(idle), "roll r2 2")
    assert asked(after) == (1, "place", "r2")
    assert asked(placed(after, "r2", 0, -150)) == (2, "turn")
    nothing_to_strike = flicked(position("r2 A 0 0"), "r2", r2="40 190 up=4")
    assert where(nothing_to_strike, "r2") == ["rolling"]


@rule("KB-38")
def test_sad_outside_the_castle_or_in_the_opponents_turn_it_is_captured_at_once():
    state = flicked(position("r2 A 0 0", "b2 G 0 100"), "r2", r2="90 100 up=4")
    assert where(state, "r2") == ["rolling"]
    state = flicked(position("r2 A 40 190", "b2 G 0 100", mover=2), "b2", r2="40 190 up=4")
    assert where(state, "r2") == ["rolling"]
    state = flicked(position("r2 A 40 190", "b2 G 0 100", mover=2, flicks=2), "b2", r2="40 190 up=4")
    assert where(state, "r2") == ["rolling"], "it does not wait for the end of the opponent's turn"


@rule("KB-38", "KB-27")
def test_with_additional_flicks_it_waits_for_the_last():
    state = flicked(position("r2 A 0 0", "b2 G 0 100", flicks=2), "r2", r2="40 190 up=4")
    assert asked(state) == (1, "turn")
    assert where(state, "r2") == ["board"]
    state = flicked(state, "r1")
    assert asked(state) == (1, "finish")
    assert where(play(state, "end"), "r2") == ["rolling"]


@rule("KB-27", "KB-34")
def test_striking_or_hiding_lets_unused_flicks_lapse():
    state = flicked(position("r2 A 40 190", "r3 N 90 100", "b2 G 0 100", flicks=2), "r1")
    assert {"flick", "strike", "hide", "end"} <= set(GAME.legal(state, 1))
    state = rested(play(state, "hide r3"))
    assert "flick" not in GAME.legal(state, 1)
    with pytest.raises(IllegalMove, match="the action of this turn is done; what may still act: Assassin r2"):
        play(state, flick("r1"))
    state = flicked(position("r2 A 40 190", "b2 G 0 100", flicks=2), "r1")
    assert asked(placed(rested(play(state, "strike r2 b2")), "r2", 30, -190)) == (2, "turn")


@rule("KB-20", "KB-38", "KB-27")
def test_a_sad_assassin_outside_the_castle_does_not_wait_for_the_last_flick():
    state = flicked(position("r2 A 0 0", "b2 G 0 100", flicks=2), "r2", r2="90 100 up=4")
    assert where(state, "r2") == ["rolling"]


@rule("KB-32", "KB-35", "KB-41")
def test_in_the_next_turn_one_more_ninja_assassin_and_freeze_may_act():
    lines = ("r2 N 60 100", "r3 A 40 190", "r4 F hand", "b2 N 60 -100", "b3 G 0 100", "b4 F hand", "b5 G 90 100")
    state = rested(play(flicked(position(*lines), "r1"), "hide r2"))
    state = placed(rested(play(state, "strike r3 b3")), "r3", 30, -190)
    state = rested(play(state, "freeze r4 x=90 y=100 yaw=0"), r4="90 100 z=24")
    state = flicked(state, "b1")
    assert GAME.legal(state, 2) == {"end": True, "hide": ["b2"], "freeze": ["b4"]}
    state = placed(play(state, "end"), "r2", 100, 60)
    state = flicked(play(state, "end") if asked(state)[0] == 1 else state, "b1")
    state = flicked(play(state, "end"), "r3", r3="40 190")
    assert GAME.legal(state, 1)["hide"] == ["r2"], "it was revealed in an earlier turn"
    assert [strike["by"] for strike in GAME.legal(state, 1)["strike"]] == ["r3"], "it struck in an earlier turn"


# Mercenary


@rule("KB-39")
def test_grey_in_enemy_territory_it_fights_for_the_opponent_and_is_never_captured():
    state = flicked(position("r2 M 0 -60", "b2 G 0 100"), "r2", r2="0 60 up=5")
    assert where(state, "r2") == ["board"]
    brick = next(brick for brick in GAME.view(state, None)["bricks"] if brick["name"] == "r2")
    assert (brick["side"], brick["army"], brick["mood"]) == (1, 2, "grey")
    assert GAME.legal(state, 2)["flick"]["bricks"] == ["r2", "b1", "b2"]
    back = flicked(state, "b2", b2="0 90")
    assert "r2" not in GAME.legal(back, 1)["flick"]["bricks"]
    with pytest.raises(IllegalMove, match="Mercenary r2 has deserted to the other army; flick one of King r1"):
        play(back, flick("r2"))


@rule("KB-39")
def test_its_army_decides_freezing_and_striking():
    lines = ("r2 M 0 60 up=6", "r3 A 40 190", "b2 M 0 -60 up=6", "b3 G 90 100")
    state = flicked(position(*lines), "r1")
    assert GAME.legal(state, 1)["strike"][0]["targets"] == ["r2", "b3"]
    frozen = position("r2 M 0 60 up=6", "r3 F 0 60 z=24", "b3 F 60 -60 z=24", "b4 M 60 -60 up=6", mover=2)
    held = [brick["name"] for brick in GAME.view(frozen, None)["bricks"] if brick["frozen"]]
    assert held == ["r2", "b4"]
    assert "r2" not in GAME.legal(frozen, 2)["flick"]["bricks"]


@rule("KB-40")
def test_at_home_or_happy_it_is_its_owners():
    for spot, army in (
        ("0 -60 up=6", 1),
        ("0 8 up=6", 1),
        ("0 60 up=4", 1),
        ("0 60 up=1", 1),
        ("0 8.1 up=5", 2),
    ):
        state = flicked(position("r2 M 0 -60"), "r2", r2=spot)
        assert next(b for b in GAME.view(state, 1)["bricks"] if b["name"] == "r2")["army"] == army, spot
    deserter = position("r2 M 0 60 up=6", mover=2)
    for spot, owners in (("0 60 up=3", True), ("0 -60 up=6", True), ("0 90 up=5", False)):
        state = flicked(deserter, "r2", r2=spot)
        assert ("r2" in GAME.legal(state, 1)["flick"]["bricks"]) is owners


# Freeze


@rule("KB-41")
def test_a_freeze_is_set_before_the_action_once_a_turn():
    state = position("r2 F hand", "r3 F hand", "r4 G 0 -100", "b2 G 0 100", "b3 C 50 100")
    assert GAME.legal(state, 1)["freeze"] == ["r2", "r3"]
    state = rested(play(state, "freeze r2 x=0 y=100 yaw=0"), r2="0 100 z=24")
    assert asked(state) == (1, "turn")
    assert "freeze" not in GAME.legal(state, 1)
    with pytest.raises(IllegalMove, match="one Freeze a turn"):
        play(state, "freeze r3 x=50 y=100 yaw=0")
    state = flicked(state, "r4")
    assert asked(state) == (2, "turn")
    assert GAME.legal(state, 2)["flick"]["bricks"] == ["b1", "b3"]


@rule("KB-41", "KB-13")
def test_a_freeze_is_not_the_action():
    state = position("r2 F hand", "r4 G 0 -100", "b2 G 0 100")
    state = rested(play(state, "freeze r2 x=0 y=100 yaw=0"), r2="0 100 z=24")
    assert {"flick", "place"} == set(GAME.legal(state, 1))
    with pytest.raises(IllegalMove, match="there is no passing"):
        play(state, "end")


@rule("KB-41")
def test_a_freeze_may_be_set_after_the_action_too_but_once_a_turn():
    state = flicked(position("r2 F hand", "r3 F hand", "b2 G 0 100", "b3 C 50 100"), "r1")
    assert asked(state) == (1, "finish")
    assert GAME.legal(state, 1) == {"end": True, "freeze": ["r2", "r3"]}
    assert asked(play(state, "end")) == (2, "turn"), "it is never forced"
    state = rested(play(state, "freeze r2 x=0 y=100 yaw=0"), r2="0 100 z=24")
    assert asked(state) == (2, "turn")
    assert GAME.legal(state, 2)["flick"]["bricks"] == ["b1", "b3"]
    before = rested(
        play(position("r2 F hand", "r3 F hand", "b2 G 0 100"), "freeze r2 x=0 y=100 yaw=0"), r2="0 100 z=24"
    )
    assert asked(flicked(before, "r1")) == (2, "turn"), "one was set before the action"


@rule("KB-41", "KB-43")
def test_with_nothing_to_freeze_the_turn_ends_by_itself():
    assert asked(flicked(position("r2 F hand", "b2 F hand"), "r1")) == (2, "turn")


@rule("KB-41")
def test_a_freeze_is_ones_own_unused_one():
    lines = ("r2 F out", "r3 F hand", "r4 G 0 -100", "r5 F 50 100 z=24", "b2 F hand", "b3 G 0 100", "b4 G 50 100")
    for name in ("r2", "r4", "r5", "b2", "r9"):
        with pytest.raises(IllegalMove, match=f"{name} is not a Freeze of yours that waits; these are: Freeze r3"):
            play(position(*lines), f"freeze {name} x=0 y=100 yaw=0")


@rule("KB-42", "KB-43")
def test_what_a_freeze_of_the_other_army_rests_on_cannot_be_flicked():
    """It lies across r2 and r3, beside r4 and below r5; under it lie neither its own bricks nor a King in effect."""
    lines = (
        "r1 K -100 -190",
        "r2 G 0 -100",
        "r3 C 16 -100",
        "r4 G 40 -100",
        "r5 G 8 -100 z=40",
        "b2 F 8 -100 z=24",
        "b3 F -100 -190 z=24",
        "b4 F 60 100 z=24",
        "b5 G 60 100",
    )
    state = position(*lines)
    assert GAME.legal(state, 1)["flick"]["bricks"] == ["r1", "r4", "r5"]
    assert GAME.legal(position(*lines, mover=2), 2)["flick"]["bricks"] == ["b1", "b5"]


@rule("KB-42")
def test_a_freeze_acts_only_from_above():
    """It lies on r3, and touches r4 from the side, which lies a little lower."""
    state = position("r2 G 0 -100", "r3 G 20 -100", "b2 F 16 -100 z=24", "r4 G 0 -100 z=23")
    assert GAME.legal(state, 1)["flick"]["bricks"] == ["r1", "r2", "r4"]
    beside = position("r2 G 0 -100", "b2 F 16 -100 z=12")
    assert GAME.legal(beside, 1)["flick"]["bricks"] == ["r1", "r2"]


@rule("KB-44")
def test_a_freeze_that_rests_on_no_brick_is_out_whoever_moved_it():
    lines = ("r2 G 0 -100", "r3 G 50 -100", "b2 F 0 -100 z=24", "b3 F 50 -100 z=24", "b4 G 0 100")
    state = flicked(position(*lines), "r1", b2="0 -60")
    assert where(state, "b2", "b3") == ["out", "board"]
    assert asked(rested(state)) == (2, "turn")
    slid_onto_its_own = flicked(position(*lines), "r1", b2="0 100 z=24")
    assert where(slid_onto_its_own, "b2") == ["board"]
    assert GAME.legal(slid_onto_its_own, 2)["flick"]["bricks"] == ["b1", "b4"]


@rule("KB-44")
def test_a_freeze_that_slid_onto_another_freeze_rests_on_a_brick():
    lines = ("r2 G 0 -100", "r3 G 50 -100", "b2 F 0 -100 z=24", "b3 F 50 -100 z=24")
    state = flicked(position(*lines), "r1", b2="50 -100 z=40")
    assert where(state, "b2", "b3") == ["board", "board"]
    assert asked(state) == (2, "turn")


@rule("KB-44", "KB-51")
def test_a_freeze_on_a_captured_brick_comes_down_and_is_out():
    state = flicked(position("r2 G 0 -100", "r3 F 60 -60 z=24", "b2 G 60 -60"), "r2", b2="60 -60 up=6")
    assert where(state, "b2", "r3") == ["rolling", "board"]
    state = rested(state, r3="60 -60")
    assert where(state, "b2", "r3") == ["rolling", "out"]
    assert GAME.chance(rested(state), lambda weights: 0) == "roll b2 1"


@rule("KB-44")
def test_a_freeze_stops_flicks_only_and_is_never_captured():
    lines = ("r2 N 100 100", "r3 A 40 190", "b2 F 100 100 z=24", "b3 F 40 190 z=24", "b4 G 0 100", "r4 F 0 100 z=24")
    state = flicked(position(*lines), "r1")
    assert where(state, "b2", "b3", "r4") == ["board", "board", "board"]
    offered = GAME.legal(state, 1)
    assert (offered["hide"], offered["strike"][0]["by"]) == (["r2"], "r3")
