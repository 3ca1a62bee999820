"""Shots as puzzles: what a position asks for, and which shots answer it, by a hand that trembles."""

from random import Random

from kingbrick_board import flick, position

from ludoteca.games.kingbrick import hand, shots
from ludoteca.games.kingbrick.notation import read

# The blue King stands near the edge, and r2 is straight before it; r3 is behind a wall of its own bricks.
OPEN = position(
    "b1 K 0 185", "r2 G 0 120", "r3 G -100 -150", "r4 G -90 -120", "r5 G -110 -120", "r6 G -70 -130", "b2 G 120 60"
)


def test_a_king_in_the_open_asks_to_be_knocked_off():
    best = shots.ideas(OPEN, 1, 1, Random(1))[0].move
    assert shots.puzzle_kind(OPEN, 1, best) == "king"


def test_an_attacker_before_the_own_king_asks_for_a_defence():
    state = position("r1 K 0 -185", "b2 G 0 -120", "r2 G 100 -120", "r3 G -150 120", "b3 G 40 150", "b4 G -40 150")
    found = shots.ideas(state, 1, 1, Random(1))
    assert found[0].move.startswith("flick r2 ")  # it pushes the attacker away
    assert shots.puzzle_kind(state, 1, found[0].move) == "defend"


def test_nothing_is_asked_where_both_kings_are_safe():
    state = position("r2 G 120 -60", "b2 G -120 60", "r3 G 0 -160", "b3 G 0 160")
    for effort in (0, 1):
        assert shots.ideas(state, 1, effort, Random(1)) == []


def test_the_brick_with_the_free_way_is_the_best_idea():
    found = shots.ideas(OPEN, 1, 1, Random(1))
    assert found[0].move.startswith("flick r2 ")
    assert found[0].lead > found[1].lead + 2


def test_an_answer_is_right_by_its_aim_and_never_by_luck():
    best = shots.ideas(OPEN, 1, 1, Random(1))[0].move
    good, off = flick("r2", 90, 2.2), flick("r2", 60, 2.2)
    for _ in range(2):
        assert shots.is_same_idea(OPEN, 1, best, good)
        assert not shots.is_same_idea(OPEN, 1, best, off)
    assert shots.is_near_idea(OPEN, 1, best, off)
    assert not shots.is_near_idea(OPEN, 1, best, flick("r4", 90, 2.2))
    assert not shots.is_same_idea(OPEN, 1, best, "end")


def test_the_hand_trembles_although_the_match_agreed_on_a_steady_one():
    """So a shot that only just works is worth less than a safe one."""
    safe, narrow = (shots.answered(OPEN, 1, "king", read(flick("r2", direction, 2.2))) for direction in (90, 98))
    assert OPEN.hand == hand.STEADY
    assert safe > 0.6
    assert 0 < narrow < safe


def test_a_bots_flick_is_made_by_a_hand_that_trembles():
    aimed = flick("r2", 90, 2.2)
    made = {shots.made_by_hand(OPEN, 1, aimed, Random(seed)) for seed in range(5)}
    assert len(made) > 1
    assert all(hand.is_possible(read(aimed), read(one)) for one in made)
    assert shots.made_by_hand(OPEN, 1, aimed, Random(3)) == shots.made_by_hand(OPEN, 1, aimed, Random(3))
    assert shots.made_by_hand(OPEN, 1, "end", Random(3)) == "end"


def test_only_a_seat_that_may_flick_has_ideas():
    for state in (OPEN.but(turn=None), OPEN.in_turn(flicks=0)):
        assert shots.ideas(state, 1, 0, Random(1)) == []
