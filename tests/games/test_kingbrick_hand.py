"""KingBrick's hand that trembles: what is aimed and what is made are different things, by the table's sealed draw."""

import math
from collections import Counter
from random import Random

import msgspec
import pytest
from kingbrick_board import asked, begun, flick, flicked, play, position
from kingbrick_flicks import standing

from ludoteca.core.errors import BadOption, BadRecord, IllegalMove
from ludoteca.core.match import Match
from ludoteca.games.kingbrick import hand, physics
from ludoteca.games.kingbrick.flicking import room_to_start
from ludoteca.games.kingbrick.game import GAME
from ludoteca.games.kingbrick.geometry import HEIGHT, SIDE, SPEED
from ludoteca.games.kingbrick.notation import Hand, read
from ludoteca.games.kingbrick.physics import FingerBlocked, Flick

rule = pytest.mark.rule
FULL = SPEED[1]


def a_match(**options):
    match = begun("K 3G", "K 3G", **options)
    match.play(flick("r2", 90, 2), 1)
    return match


def deviations(speed, count=1500, seed="hand"):
    """Made flicks less the aimed one, in its four parts."""
    rng = Random(seed)
    aimed = Flick("r2", 90.0, speed, 0.0, 0.0, 8.0)
    draw = lambda weights: rng.choices(range(len(weights)), weights)[0]  # noqa: E731
    made = [hand.trembled(aimed, draw) for _ in range(count)]
    return [[getattr(one, part) - getattr(aimed, part) for one in made] for part in hand.Error._fields]


@rule("KB-52")
def test_a_natural_hand_is_the_default_and_a_table_may_agree_on_a_steady_one():
    assert GAME.agree({})["hand"] == "natural"
    with pytest.raises(BadOption, match="hand"):
        GAME.agree({"hand": "drunk"})
    verbs = {way: [entry.move.split()[0] for entry in a_match(hand=way).log[-3:]] for way in ("natural", "steady")}
    assert verbs["natural"] == ["flick", "hand", "rest"]
    assert verbs["steady"][1:] == ["flick", "rest"]


@rule("KB-52")
def test_the_flick_that_is_measured_is_the_one_that_the_hand_made():
    match = a_match(hand="natural")
    aimed, drawn, rest = (read(entry.move) for entry in match.log[-3:])
    assert isinstance(drawn, Hand)
    assert tuple(drawn) != tuple(aimed)[1:5]
    before = match.at(len(match.log) - 3).state.poses
    made = Flick(aimed.brick, *drawn, aimed.follow)
    assert physics.flicked(before, made).poses == rest.poses
    assert physics.flicked(before, aimed).poses != rest.poses


@rule("KB-52")
def test_the_draw_is_sealed_and_in_the_record_with_its_picks():
    match = a_match(hand="natural")
    drawn = match.log[-2]
    assert drawn.by == 0
    assert [total for _, total in drawn.picks] == [2**hand.COINS] * 4
    match.play("resign", 2)
    record = match.record
    Match.load(record)
    for change in ({"move": drawn.move.replace("dir=", "dir=1")}, {"picks": drawn.picks[::-1]}):
        log = tuple(msgspec.structs.replace(e, **change) if e is drawn else e for e in record.log)
        with pytest.raises(BadRecord, match="the seal draws"):
            Match.load(msgspec.structs.replace(record, log=log))


@rule("KB-52")
def test_without_a_seal_too_no_hand_errs_by_more_than_all_coins():
    state = play(position("r2 G 0 -100", hand="natural"), flick("r2", 90, 2))
    assert GAME.to_move(state) == ()
    for wrong in ("dir=120 speed=2", "dir=90 speed=0.5", "dir=91 speed=2 height=7 side=0"):
        words = f"{wrong} height=0 side=0" if "side" not in wrong else wrong
        with pytest.raises(IllegalMove, match=r"no hand that aims|is not possible"):
            play(state, f"hand {words}")
    with pytest.raises(IllegalMove, match="nothing of that kind"):
        play(state, 'rest {"poses":{}}')
    made = play(state, "hand dir=92.5 speed=1.9 height=0.5 side=-0.3")
    with pytest.raises(IllegalMove, match="nothing of that kind"):
        play(made, "hand dir=92.5 speed=1.9 height=0.5 side=-0.3")
    steady = play(position("r2 G 0 -100"), flick("r2", 90, 2))
    with pytest.raises(IllegalMove, match="nothing of that kind"):
        play(steady, "hand dir=92.5 speed=1.9 height=0.5 side=-0.3")


@rule("KB-52")
@pytest.mark.parametrize("speed", [0.2, FULL / 2, 0.8 * FULL])
def test_the_errors_are_as_large_as_they_are_said_to_be(speed):
    for values, deviation in zip(deviations(speed), hand.error(speed), strict=True):
        assert abs(sum(values) / len(values)) < 0.12 * deviation + 0.02
        measured = math.sqrt(sum(value**2 for value in values) / len(values))
        assert measured == pytest.approx(deviation, rel=0.12, abs=0.02)


@rule("KB-52")
def test_the_error_is_small_for_a_tap_and_a_few_degrees_at_full_power():
    errors = [hand.error(FULL * part / 10) for part in range(11)]
    for part in range(4):
        assert [one[part] for one in errors] == sorted(one[part] for one in errors)
    assert errors[1].direction < 0.5
    assert 1.5 < errors[10].direction < 6


@rule("KB-52", "KB-14")
def test_the_hand_never_makes_what_a_flick_may_not_be():
    lowest, highest = (lambda weights: 0), (lambda weights: len(weights) - 1)
    for draw in (lowest, highest):
        for aimed in (
            Flick("r2", 0.0, FULL, HEIGHT[1], SIDE[1], 8.0),
            Flick("r2", 359.9, SPEED[0], HEIGHT[0], SIDE[0], 8.0),
        ):
            made = hand.trembled(aimed, draw)
            assert 0 <= made.direction < 360
            for value, (least, most) in ((made.speed, SPEED), (made.height, HEIGHT), (made.side, SIDE)):
                assert least <= value <= most
            assert hand.is_possible(aimed, made)
            assert (made.brick, made.follow) == (aimed.brick, aimed.follow)


@rule("KB-52", "KB-14")
def test_a_hand_within_its_error_but_beyond_the_limits_is_refused():
    aimed = flick("r2", 90, FULL).replace("height=0", "height=6").replace("side=0", "side=7")
    state = play(position("r2 G 0 -100", hand="natural"), aimed)
    for made, words in (
        ("speed=2.6 height=6 side=7", "a speed of 2.6 m/s is not possible"),
        ("speed=2.5 height=6.5 side=7", "6.5 mm above the centre is not possible"),
        ("speed=2.5 height=6 side=7.5", "7.5 mm beside the centre is not possible"),
    ):
        with pytest.raises(IllegalMove, match=words):
            play(state, f"hand dir=91 {made}")
    assert play(state, "hand dir=91 speed=2.5 height=6 side=7").moving.made.speed == FULL


@rule("KB-52")
def test_outcomes_are_counted_from_all_tails_to_all_heads():
    """As docs/notation.md says, so that a stranger can check them."""
    counts = Counter()
    aimed = Flick("r2", 90.0, 2.0, 0.0, 0.0, 8.0)
    for heads in (0, 24, 48):
        made = hand.trembled(aimed, lambda weights, heads=heads: heads)
        counts[heads] = made.direction
    assert counts[0] < counts[24] == 90 < counts[48]
    assert hand.WEIGHTS[:3] == (1, 48, 1128)


@rule("KB-52", "KB-14")
def test_a_finger_that_finds_no_room_starts_where_it_was_aimed():
    poses = {"r1": standing(0, 0, 0, 1), "r2": standing(15.5, -34, 0, 1)}
    aimed = Flick("r1", 90.0, 1.0, 0.0, 0.0, 8.0)
    made = aimed._replace(side=-4.0)
    with pytest.raises(FingerBlocked):
        physics.flicked(poses, made)
    assert physics.flicked(poses, made, aimed=aimed) == physics.flicked(poses, aimed)
    turned = made._replace(direction=94.0)
    start, _ = physics.starting_point(poses["r1"], aimed)
    _, direction = physics.starting_point(poses["r1"], turned)
    assert room_to_start(poses, turned, aimed) == (start, direction), "it goes where the hand made it go"
    assert physics.flicked(poses, turned, aimed=aimed) != physics.flicked(poses, aimed)


@rule("KB-52", "KB-23")
def test_a_trembling_finger_may_touch_two_bricks():
    """r3 stands a little beside the finger's way: aimed straight it is passed, with a tremble it may be touched."""
    state = position("r2 G 0 -100", "r3 G 14.5 -116", hand="natural")
    assert physics.flicked(state.poses, read(flick("r2", 90, 2.4))).touched == ("r2",)
    rng, touched = Random(5), Counter()
    for _ in range(40):
        made = hand.trembled(read(flick("r2", 90, 2.4)), lambda weights: rng.choices(range(len(weights)), weights)[0])
        rest = physics.flicked(state.poses, made, is_filmed=False, aimed=read(flick("r2", 90, 2.4)))
        touched["r3" in rest.touched] += 1
    assert min(touched[True], touched[False]) > 4


@rule("KB-52")
def test_a_board_is_told_how_large_the_error_is():
    offered = GAME.legal(position(hand="natural"), 1)["flick"]
    assert offered["error"][0][0] == 0
    assert offered["error"][-1][:2] == [FULL, hand.error(FULL).direction]
    assert offered["finger"] == [6.0, 20.0]
    assert GAME.legal(position(), 1)["flick"]["error"] == []


@rule("KB-52")
def test_what_was_aimed_and_what_was_made_are_told():
    state = position("r2 G 0 -100", hand="natural")
    aimed = GAME.describe(state, msgspec.convert({"by": 1, "move": flick("r2", 90, 2)}, type=type(a_match().log[0])))
    assert aimed.marks["dir"] == 90
    moving = play(state, flick("r2", 90, 2))
    entry = msgspec.structs.replace(a_match().log[0], by=0, move="hand dir=92.5 speed=1.9 height=0.5 side=-0.3")
    made = GAME.describe(moving, entry)
    assert (made.marks["dir"], made.marks["speed"]) == (92.5, 1.9)
    assert asked(flicked(position("r2 G 0 -100"), "r2")) == (2, "turn")
