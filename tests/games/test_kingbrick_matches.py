"""What holds at every moment of a match of KingBrick, along matches rich in special bricks, measured for real."""

from random import Random

import pytest
from kingbrick_board import begun

from ludoteca.core.errors import IllegalMove
from ludoteca.core.match import Match
from ludoteca.games.kingbrick import aftermath
from ludoteca.games.kingbrick.game import GAME
from ludoteca.games.kingbrick.state import BOARD, HAND, ROLLING, is_captured

ARMY = "K 2N 2A M 2F 2G H O 2B 2D"
TURNS = 24


def a_move(state, seat, rng):
    """A flick towards the enemy more often than anything else."""
    offered = GAME.legal(state, seat)
    if "flick" not in offered or rng.random() < 0.4:
        return GAME.sample_moves(state, seat, rng, 1)[0]
    name = rng.choice([name for name in offered["flick"]["bricks"] if name[1:] != "1"] or offered["flick"]["bricks"])
    towards = (90 if seat == 1 else 270) + rng.uniform(-50, 50)
    how = f"height={rng.uniform(-4, 4):.1f} side={rng.uniform(-2, 2):.1f} follow=8"
    return f"flick {name} dir={towards:.1f} speed={rng.uniform(0.5, 2.2):.2f} {how}"


def where_they_are(state, where):
    return {name for name, brick in state.bricks.items() if brick.where == where}


def check(state):
    assert set(state.poses) == where_they_are(state, BOARD)
    assert {roll.brick for roll in state.rolls} == where_they_are(state, ROLLING)
    assert {owed.brick for owed in state.placements} <= where_they_are(state, HAND)
    is_drawn = GAME.chance(state, lambda weights: 0) is not None
    assert [bool(GAME.to_move(state)), is_drawn, state.is_over].count(True) == 1, "somebody acts, or it is over"
    if GAME.to_move(state) and not state.placements:
        assert GAME.legal(state, GAME.to_move(state)[0])
        assert not state.restorable
        assert not aftermath.loose_freezes(state)
        assert not [name for name, brick in state.bricks.items() if is_captured(state, brick)]


@pytest.mark.parametrize("seed", range(4))
def test_every_position_of_a_match_is_sound(seed):
    rng = Random(seed)
    match = begun(ARMY, ARMY, key=["line", "towers", "wall", "scatter"][seed], seed=seed, extra=True)
    while match.result is None and match.state.turn.number <= TURNS:
        seat, position, told = match.to_move[0], match.position, len(match.log)
        try:
            match.play(a_move(match.state, seat, rng), seat)
        except IllegalMove:
            continue  # the finger had no room
        for entry in match.log[told:]:
            position, _ = match.advanced(position, entry)
            check(position.state)
    assert len(match.log) > 40
    assert GAME.view(Match.load(match.record, match.seal).state, None) == GAME.view(match.state, None)
