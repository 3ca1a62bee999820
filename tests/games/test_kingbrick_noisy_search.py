"""KingBrick's search in reviews: it looks at flicks as a hand makes them, and judges positions by fitted chances."""

import math
from random import Random

import msgspec
import pytest
from kingbrick_board import position

from ludoteca.games.kingbrick import hand
from ludoteca.games.kingbrick.aiming import first_hit
from ludoteca.games.kingbrick.answers import Answers, fell
from ludoteca.games.kingbrick.fitted import BEST_AT, fitted, from_logit, logit, made_of_best
from ludoteca.games.kingbrick.hits import best_shot, shot, tries
from ludoteca.games.kingbrick.levels import Searching
from ludoteca.games.kingbrick.noisy_search import NoisySearch
from ludoteca.games.kingbrick.notation import End, Flick, Freeze, Place, Strike, read, written
from ludoteca.games.kingbrick.prospects import chance, features, next_up
from ludoteca.games.kingbrick.regression import Regression, Sample, kernel
from ludoteca.games.kingbrick.review import weigh
from ludoteca.games.kingbrick.state import king_of, other
from ludoteca.games.kingbrick.weighing import Weighing

rule = pytest.mark.rule
SEARCH = Searching(samples=36, flicks=100, finalists=3, replies=3)
QUICK = msgspec.structs.replace(SEARCH, samples=16, flicks=30)
AIM = Flick("r2", 90.0, 1.5, 0.0, 0.0, 8.0)

# A King on a bare side of the board, with guns near and far; the last line has bricks behind the King.
SHOOTING = (
    ("b1 K 150 250", "r2 G 60 200", "r3 G -150 -100", "r4 G 0 -100", "b2 G 0 260"),
    ("b1 K -120 270", "r2 G 30 120", "r3 G -120 150", "r4 G 100 -60", "b2 G 60 200", "b3 G 20 200"),
    ("b1 K 0 220", "r2 G 0 120", "r3 G 120 200", "r4 G -60 -60", "b2 G 0 240", "b3 G -30 250"),
)


def natural(*lines, **how):
    return position(*lines, hand="natural", **how)


def chosen(state):
    return NoisySearch(state, state.now.mover, SEARCH, Random(1)).move()


def hands(times, seed):
    rng = Random(seed)
    return [hand.Error(*(rng.gauss(0, 1) for _ in hand.Error._fields)) for _ in range(times)]


def falls(state, seat, flick, times, seed):
    """Return how often a flick brings the other King down without a foul."""
    return fell(state, king_of(other(seat), state), flick, hands(times, seed)) / times


# What is known of a position


def test_a_shot_is_likelier_near_and_free_and_with_nothing_behind_the_king():
    near = natural("b1 K 0 270", "r2 G 0 200")
    far = natural("b1 K 0 270", "r2 G 0 0")
    backed = natural("b1 K 0 200", "r2 G 0 130", "b2 G 0 217", "b3 G 0 234")
    bare = natural("b1 K 0 200", "r2 G 0 130")
    blocked = natural("b1 K 0 270", "r2 G 0 200", "b2 G 0 240")
    assert best_shot(near, 1) > 0.8 > best_shot(far, 1)
    assert best_shot(bare, 1) > 3 * best_shot(backed, 1)
    assert best_shot(blocked, 1) == 0.0
    assert best_shot(natural("b2 G 0 260"), 1) == 0.0  # nobody to flick but the King, far away


@pytest.mark.parametrize("lines", SHOOTING)
def test_the_chance_of_a_shot_is_what_the_physics_gives(lines):
    state = natural(*lines)
    rates = [falls(state, 1, one.flick, 8, "shots") for one in tries(state.poses, "r2", "b1")]
    assert max(rates) == pytest.approx(shot(state.poses, "r2", "b1"), abs=0.4)


def test_the_chances_of_the_two_seats_add_up():
    state = natural("r2 G 100 -60", "r3 C 60 -60", "b2 G -100 60")
    assert chance(state, 1) + chance(state, 2) == pytest.approx(1)
    assert features(state).army == pytest.approx(-features(natural(*state_lines(state), mover=2)).army)
    assert chance(state.but(loser=2), 1) == 1.0
    assert chance(state.but(loser=1), 1) == 0.0


def state_lines(state):
    return [f"{name} {b.kind} {b.pose.x:g} {b.pose.y:g}" for name, b in state.bricks.items()]


def test_more_bricks_a_shot_and_safety_are_worth_something():
    even = chance(natural("r2 G 100 -60", "b2 G -100 60", "b3 G 0 240", "r3 G 0 -240"), 1)
    assert chance(natural("r2 G 100 -60", "r4 C 60 -60", "b2 G -100 60", "b3 G 0 240", "r3 G 0 -240"), 1) > even
    assert chance(natural("b1 K 150 270", "r2 G 150 200", "b2 G -100 60", "r3 G 0 -240"), 1) > even + 0.2
    in_danger = natural("r1 K 150 -270", "b2 G 150 -200", "r2 G 100 60", "b3 G 0 240")
    assert chance(in_danger, 1) < even
    assert chance(in_danger.in_turn(flicks=0, acted=True), 1) < chance(in_danger, 1)  # the other one is next


@rule("KB-27")
def test_after_a_foul_the_other_seat_has_two_flicks():
    state = natural("r2 G 100 -60", "b2 G -100 60", acted=True, flicks=0)
    assert next_up(state) == (2, 1)
    fouled = state.in_turn(fouls=1)
    assert next_up(fouled) == (2, 2)
    assert chance(fouled, 1) < chance(state, 1)


# What the physics answers

# One Guardian stands between r11 and the King. It stops nobody: it is knocked into the King. From a match.
THROUGH = (
    "b1 K -14.3 191.2", "b6 G -0.1 172.8", "b7 G 16.4 173.4", "b8 G -16.4 172.8", "b9 G 4.8 197.7", "b12 G 34.6 92.1",
    "r11 G 21.5 205.9", "r6 G 0 -172.8", "r7 G -16.4 -172.8", "r8 G 16.4 -172.8", "r9 G -24.6 -190", "r10 G 24.6 -190",
)  # fmt: skip
GUARD = "b10 G -37 191.2"  # behind the King


def test_a_king_falls_by_a_shot_through_the_brick_before_it():
    state, answers = natural(*THROUGH), Answers(hands(6, "answers"), is_steady=False)
    assert best_shot(state, 1) < 0.1
    answer = answers.to(state, 1)
    assert answer.falls > 0.4
    assert answer.surprise > 0.3
    assert answer.bricks == ("r11",)
    assert answers.to(natural(*THROUGH, GUARD), 1).falls < answer.falls
    assert answers.to(state, 2) == answers.to(natural(), 1) == (0.0, 0.0, 0.0, ())


def test_a_shot_is_known_wherever_the_bricks_near_its_way_stand_alike():
    answers = Answers(hands(4, "answers"), is_steady=False)
    near, far = natural(*THROUGH[:-1], "r10 G 60 -200"), natural(*THROUGH)
    assert answers.to(near, 1, is_made=False).falls == 0
    made = answers.to(near, 1)
    assert made.surprise > 0
    assert answers.to(far, 1, is_made=False) == made
    assert answers.to(natural(*THROUGH, GUARD), 1, is_made=False).falls == 0


def test_a_steady_hand_is_not_guessed_about():
    answers = Answers([hand.Error(0.0, 0.0, 0.0, 0.0)], is_steady=True)
    assert answers.to(natural(*THROUGH), 1).falls == 1


# Kernel regression


def test_flicks_tell_about_their_neighbours_only():
    assert kernel(AIM, AIM) == 1
    assert 0.3 < kernel(AIM, AIM._replace(direction=91.0)) < 1
    assert kernel(AIM, AIM._replace(direction=100.0)) < 0.01
    assert kernel(AIM._replace(direction=359.8), AIM._replace(direction=0.2)) > 0.8
    hard = AIM._replace(speed=2.5)
    turned = {"direction": 93.0}
    assert kernel(hard, hard._replace(**turned)) > kernel(AIM, AIM._replace(**turned))  # the hand trembles more


def test_an_estimate_is_a_mean_that_starts_at_what_is_expected():
    known = Regression(expected=0.4)
    assert known.estimate(AIM).mean == 0.4
    for worth in (0.8, 0.9, 1.0):
        known.add(Sample(AIM, AIM, worth))
    found = known.estimate(AIM)
    assert 0.4 < found.mean < 0.9
    assert found.weight == 3
    assert known.estimate(AIM._replace(brick="r3")).mean == 0.4
    assert found.bound(10, -0.1) < found.mean < found.bound(10, 0.1)
    assert known.estimate(AIM._replace(direction=91.5)).bound(10, -0.1) < found.bound(10, -0.1)  # it is less sure


# What it plays


@pytest.mark.parametrize("mover", [1, 2])
def test_it_takes_a_shot_at_the_king(mover):
    side, enemy, y = ("r", "b", 1) if mover == 1 else ("b", "r", -1)
    guns = (f"{side}2 G 120 {190 * y}", f"{side}3 G -100 {-100 * y}")
    state = natural(
        f"{enemy}1 K 120 {270 * y}", *guns, f"{enemy}2 G 0 {100 * y}", f"{enemy}3 C 40 {100 * y}", mover=mover
    )
    flick = chosen(state)
    assert isinstance(flick, Flick)
    assert flick.brick == f"{side}2"
    assert falls(state, mover, flick, 6, "takes") > 0.6


@rule("KB-41")
def test_it_sets_a_freeze_on_what_threatens_its_king_after_its_flick():
    threat = ("r1 K 150 -270", "b2 G 150 -190", "b3 G -100 100", "r2 G -60 -60", "r4 F hand")
    freeze = chosen(natural(*threat, acted=True, flicks=0))
    assert isinstance(freeze, Freeze)
    assert (freeze.x, freeze.y) == (150.0, -190.0)
    harmless = natural("b2 G -100 60", "r2 G -60 -60", "r4 F hand", acted=True, flicks=0)
    assert chosen(harmless) == End()


@rule("KB-34")
def test_an_assassin_strikes_what_threatens_its_king():
    state = natural("r1 K 150 -270", "b2 G 150 -190", "b3 C -150 250", "r2 A 30 170", acted=True, flicks=0)
    assert chosen(state) == Strike("r2", "b2")


@rule("KB-30")
def test_a_king_in_danger_is_brought_to_safety_or_the_danger_is_removed():
    wall = [f"r{2 + n} G {-40 + 16.4 * n} -125" for n in range(6)]
    state = natural("r1 K 150 -280", *wall, "b12 G 150 -200", "b13 G 120 -210", "b1 K 0 200", "b2 G 0 175")
    search = NoisySearch(state, 1, QUICK, Random(1))
    places = [(worth, move) for worth, move in search._instead() if isinstance(move, Place)]
    assert places
    assert max(places)[0] > chance(state.in_turn(flicks=0, acted=True), 1) + 0.1


def test_an_answer_that_brings_the_king_down_lowers_the_worth():
    open_ = natural("r1 K 150 -280", "b2 G 150 -220", "b3 G 0 100", "r2 G -60 -60", mover=2)
    search = NoisySearch(open_.in_turn(mover=1), 1, QUICK, Random(1))
    assert search._answered_chance(open_) < 0.3
    safe = natural("r1 K 0 -200", "b2 G 0 200", "b3 G 50 200", "r2 G 0 -150", mover=2)
    assert search._answered_chance(safe) > 0.35


# Reviews


def test_a_far_threat_costs_little():
    """One brick far away has a free way to the King: that was judged as lost before."""
    far = natural("b2 G 0 60", "b3 G 40 200", "r2 G 100 -60", "r3 G 60 -60", acted=True, flicks=0)
    near = natural("b2 G 0 -120", "r1 K 0 -250", "b3 G 40 200", "r2 G 100 -60", "r3 G 60 -60", acted=True, flicks=0)
    assert 0.25 < chance(far, 1) < 0.6
    assert chance(near, 1) < chance(far, 1) - 0.1


def test_a_wasted_shot_loses_more_than_a_good_one():
    """The gun is flicked away from the King instead."""
    state = natural(*SHOOTING[0], "b3 C -60 100", "b4 G -100 100")
    wasted = written(Flick("r2", 270.0, 1.5, 0.0, 0.0, 8.0))
    weighed = weigh(state, 1, [wasted], 1, Random("judge"))
    by_move = {one.move: one.lead for one in weighed}
    assert weighed[0].move != wasted
    assert weighed[0].lead > by_move[wasted] + 1.0
    assert math.isfinite(by_move[wasted])


def test_ten_hits_of_ten_are_not_certain():
    """The best of some flicks was also lucky: a few hands cannot tell 0.9 from 1. A steady hand is what it is."""
    lines = ("b1 K 0 270", "r2 G 0 200", "b3 C -60 100", "b4 G -100 100", "b5 C 100 100")
    best = weigh(natural(*lines), 1, [], 1, Random(1))[0]
    assert 0.85 < from_logit(best.lead) < 0.97
    assert best.error > 0
    steady = weigh(position(*lines), 1, [], 1, Random(1))[0]
    assert from_logit(steady.lead) > 0.99
    assert steady.error == 0


def verdict(state, move):
    """Return the chance after the best move, that move, and the chance after another one."""
    weighed = weigh(state, state.now.mover, [move], 1, Random("judge"))
    return from_logit(weighed[0].lead), weighed[0].move, from_logit(next(o.lead for o in weighed if o.move == move))


def test_the_move_that_opens_the_king_to_a_shot_through_a_brick_is_a_mistake():
    """It was fine before: a way on which a brick stands counted as closed."""
    best, instead, left = verdict(
        natural(*THROUGH, GUARD, mover=2), "flick b10 dir=280 speed=0.8 height=0 side=0 follow=8"
    )
    assert not instead.startswith("flick b10")
    assert left < best - 0.2


@rule("KB-41")
def test_not_to_freeze_the_brick_that_wins_is_a_mistake():
    """The shot goes through a brick. From a match that ended by it."""
    best, instead, left = verdict(natural(*THROUGH, "b15 F hand", mover=2, acted=True, flicks=0), "end")
    assert instead.startswith("freeze b15 x=21.5 y=205.9")
    assert left < best - 0.2


def test_a_king_in_danger_may_move():
    wasted = "flick b12 dir=270 speed=1.5 height=0 side=0 follow=8"
    found = {
        one.move: from_logit(one.lead) for one in weigh(natural(*THROUGH, mover=2), 2, [wasted], 1, Random("judge"))
    }
    assert max(chance for move, chance in found.items() if move.startswith("place b1")) > found[wasted] + 0.15


def test_the_best_flicks_are_different_ideas():
    state = natural(*SHOOTING[0], "b3 C -60 100", "b4 G -100 100")
    found = [read(one.move) for one in weigh(state, 1, [], 1, Random("judge"))]
    flicks = [one for one in found if isinstance(one, Flick)]
    ideas = {(one.brick, first_hit(state.poses, one) or round(one.direction / 10)) for one in flicks}
    assert len(ideas) == len(flicks) > 1


def test_the_same_idea_aimed_a_little_differently_is_no_better_move():
    state = natural("b1 K 0 270", "r2 G 0 200", "b3 C -60 100", "b4 G -100 100", "b5 C 100 100")
    played = written(Flick("r2", 90.0, 2.0, 0.0, 0.0, 8.0))
    weighed = weigh(state, 1, [played], 1, Random(1))
    assert weighed[0].move == played
    others = [read(one.move) for one in weighed[1:] if one.move.startswith("flick r2")]
    assert all(first_hit(state.poses, flick) != "b1" for flick in others)
    soft = written(Flick("r2", 90.0, 0.7, 0.0, 0.0, 8.0))  # which does not come to the King: harder is good advice
    assert weigh(state, 1, [soft], 1, Random(1))[0].move != soft


def test_what_people_make_of_a_best_move_goes_through_the_fitted_numbers():
    numbers = fitted().best
    assert [made_of_best(logit, numbers) for logit in BEST_AT] == pytest.approx(numbers)
    assert list(numbers) == sorted(numbers)
    halfway = (BEST_AT[0] + BEST_AT[1]) / 2
    assert made_of_best(halfway, numbers) == pytest.approx((numbers[0] + numbers[1]) / 2)
    assert made_of_best(BEST_AT[-1] + 2, numbers) == pytest.approx(numbers[-1] + 2)
    assert made_of_best(BEST_AT[0] - 1, numbers) == pytest.approx(numbers[0] - 1)


def test_the_correction_moves_all_moves_by_the_same():
    state = natural(*SHOOTING[0], "r1 K 0 -250")
    search = Weighing(state, 1, 1, Random("judge"))
    raw = {written(move): logit(worth.chance) for move, worth in search.weighed([]).items()}
    told = {one.move: one.lead for one in Weighing(state, 1, 1, Random("judge")).moves([])}
    best = max(raw.values())
    assert {move: lead - raw[move] for move, lead in told.items()} == pytest.approx(
        dict.fromkeys(raw, made_of_best(best, fitted().best) - best)
    )


def test_after_the_flick_a_chance_stands_as_it_is():
    state = natural(*SHOOTING[0], "r1 K 0 -250")
    done = state.but(turn=msgspec.structs.replace(state.now, flicks=0, acted=True))
    raw = Weighing(done, 1, 1, Random("judge")).weighed([])
    told = Weighing(done, 1, 1, Random("judge")).moves([])
    assert told[0].lead == pytest.approx(max(logit(worth.chance) for worth in raw.values()))
