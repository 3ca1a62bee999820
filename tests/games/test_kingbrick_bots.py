"""The bots of KingBrick: they build what stands, hit what they can, defend their King, and foul only by accident."""

from itertools import cycle
from random import Random

import msgspec
import pytest
from kingbrick_board import position

from ludoteca.core.match import Match
from ludoteca.games.kingbrick import aiming, guide, physics
from ludoteca.games.kingbrick.aftermath import infraction
from ludoteca.games.kingbrick.formations import FORMATIONS
from ludoteca.games.kingbrick.game import GAME
from ludoteca.games.kingbrick.judging import threat
from ludoteca.games.kingbrick.notation import Flick, Freeze, Heal, Hide, Place, Strike, read
from ludoteca.games.kingbrick.rules import play_seat
from ludoteca.games.kingbrick.state import SetUp
from ludoteca.games.kingbrick.thinking import Thought
from ludoteca.lab.plan import planned, play_one
from ludoteca.search import bots

rule = pytest.mark.rule
LEVELS = ("novice", "casual", "club", "expert", "master")
CLUB = guide.LEVELS["club"]
STEADY = msgspec.structs.replace(CLUB, shake=0.0, force=0.0)


def bunker_of_blue():
    """Bricks about the King, who is then out of reach."""
    return [f"b{2 + n} G {-x} {-y}" for n, (x, y, _) in enumerate(FORMATIONS["bunker"][1:9])]


def chosen(state, level, seed=1):
    return read(bots.choose(GAME, level, state, GAME.to_move(state)[0], (seed,)))


def thought(state, level, seed=1):
    return Thought(state, GAME.to_move(state)[0], level, Random(seed)).move()


@rule("KB-6", "KB-9")
@pytest.mark.parametrize("extra", [False, True])
@pytest.mark.parametrize("level", LEVELS)
def test_every_formation_of_a_level_is_admitted(level, extra):
    """On both sides, whichever the lot gives."""
    plan = guide.PLANS[level]
    armies = (plan.extra,) if extra else plan.armies
    for army, formation in zip(cycle(armies), plan.formations, strict=False):
        match = Match.new("kingbrick", {"extra": extra})
        for seat in (1, 2):
            moves = guide.set_up(match.state, seat, guide.Plan((army,), army, (formation,)), Random(1))
            match.play("\n".join(map(guide.written, moves)), seat)
        assert match.state.turn is not None


@rule("KB-10")
@pytest.mark.parametrize("level", LEVELS)
def test_a_set_up_is_built_without_a_look_at_the_other(level):
    state = Match.new("kingbrick").state
    seen = state.but(set_ups=(SetUp(), SetUp(army="K", ready=True, entries=3)))
    assert bots.choose(GAME, level, seen, 1, (4,)) == bots.choose(GAME, level, state, 1, (4,))


@pytest.mark.parametrize(("level", "seeds"), [("club", 1), ("expert", 4), ("master", 1)])
@pytest.mark.parametrize("mover", [1, 2])
def test_it_takes_a_free_way_to_the_king(level, seeds, mover):
    """At a table with a steady hand the expert tries every aim once, as it trembles itself: luck has a say."""
    side, far = ("r", -60) if mover == 1 else ("b", 60)
    state = position(f"{side}2 G 20 {far}", "r3 G -120 -100", "b3 G 120 100", mover=mover)
    moves = [chosen(state, level, seed) for seed in range(1, seeds + 1)]
    flick = next(move for move in moves if move.brick == f"{side}2")
    if level == "master":  # the others have a tremble of their own
        assert ("b1" if mover == 1 else "r1") in physics.flicked(state.poses, flick).fell[0]


@rule("KB-23", "KB-24")
def test_it_never_means_to_foul():
    """Bricks so close together that many flicks would touch two: what a steady hand makes touches one."""
    crowd = [f"r{2 + n} G {(n % 4 - 1.5) * 40} {-60 - 40 * (n // 4)}" for n in range(12)]
    guards = [f"b{2 + n} G {(n - 2) * 18} 120" for n in range(5)]
    state = position(*crowd, *guards)
    for seed in range(2):
        flick = thought(state, STEADY, seed)
        assert isinstance(flick, Flick)
        assert infraction(flick, physics.flicked(state.poses, flick)) is None


def test_a_hand_shakes_less_the_higher_the_level():
    levels = [guide.LEVELS[name] for name in LEVELS]
    for measure in ("shake", "force"):
        amounts = [getattr(level, measure) for level in levels]
        assert amounts == sorted(set(amounts), reverse=True)
    flick = Flick("r2", 90.0, 2.0, 0.0, 0.0, 8.0)
    state = position("r2 G 0 -60")
    spread = []
    for level in levels:
        shaken = [Thought(state, 1, level, Random(seed))._shaken(flick).direction for seed in range(40)]
        spread.append(sum(abs(direction - 90) for direction in shaken))
    assert spread == sorted(spread, reverse=True)


@rule("KB-13")
@pytest.mark.parametrize("level", LEVELS)
def test_a_king_stays_at_home_while_it_has_soldiers(level):
    state = position("r2 G 100 -60", "b2 G -100 60")
    made = chosen(state, level)
    assert made.brick == "r2" or (isinstance(made, Place) and made.brick == "r1")


def test_danger_is_a_free_way_to_the_king():
    state = position("b2 G 0 60", "r2 G 100 -100")
    assert threat(state, 2) > 0.25
    shielded = position("b2 G 0 60", "r2 G 0 -100")
    assert threat(shielded, 2) == 0
    assert aiming.in_the_way(shielded.poses, "b2", "r1") == 1


@rule("KB-30")
def test_a_king_in_danger_moves_behind_its_bricks():
    """It stands beside its wall, before two guns; the other King is out of reach."""
    wall = [f"r{2 + n} G {-40 + 16.4 * n} -125" for n in range(6)]
    state = position("r1 K 150 -190", *wall, *bunker_of_blue(), "b12 G 150 60", "b13 G 120 70")
    move = thought(state, STEADY)
    assert isinstance(move, Place)
    assert move.brick == "r1"
    assert abs(move.x) < 60


@rule("KB-41")
def test_it_freezes_the_brick_that_threatens_its_king():
    state = position("b2 G 0 60", "b3 G 0 100", "r2 G 100 -60", "r4 F hand")
    freeze = thought(state, STEADY)
    assert isinstance(freeze, Freeze)
    assert (freeze.brick, freeze.x, freeze.y) == ("r4", 0.0, 60.0)


@rule("KB-34")
def test_an_assassin_strikes():
    """What threatens its King, if anything does."""
    state = position("r2 A 30 170", "b2 G 0 60", "b3 C -150 250", "r3 G -75 30", acted=True, flicks=0)
    strike = thought(state, STEADY)
    assert strike == Strike("r2", "b2")


@rule("KB-31")
def test_a_ninja_that_sees_no_king_hides():
    state = position("r2 N 100 60", "b2 G 50 125", "r3 G 90 -20", acted=True, flicks=0)
    assert thought(state, STEADY) == Hide("r2")


@rule("KB-48")
def test_a_medic_heals_the_dearest():
    state = position("r2 D -45 -225", "r3 C out", "r4 G out", "r5 G 0 -165", *bunker_of_blue(), extra=True)
    mind = Thought(state, 1, STEADY, Random(1))
    weighed = {move: value for value, move in mind._instead()}
    assert weighed[Heal("r2", ("r3",))] > mind._worth(state)


@rule("KB-22")
@pytest.mark.parametrize("level", LEVELS)
def test_what_is_due_is_placed_in_the_castle(level):
    state = play_seat(position("r2 A 30 170", "b2 G 0 60", acted=True, flicks=0), 1, Strike("r2", "b2"))
    match = GAME.play(state, 0, GAME.chance(state, lambda weights: 0)).state
    assert GAME.to_move(match) == (1,)
    place = chosen(match, level)
    assert place.brick == "r2"
    GAME.admit(match, 1, guide.written(place))


@pytest.mark.parametrize(("extra", "levels"), [(False, ("casual", "club")), (True, ("novice", "casual"))])
def test_bots_play_to_the_end(extra, levels):
    """With a King on the floor, long before the turns run out."""
    record = play_one(planned("kingbrick", {"extra": extra}, levels, 2, "ends"), 1)
    assert record.result.reason == "complete"
    assert sum(entry.move.startswith("flick") for entry in record.log) < 100
