"""What follows when everything is at rest: the order of KB-51, and whose turn it is then."""

from collections.abc import Iterable

from ludoteca.games.kingbrick.bricks import FREEZE, GHOST, HAPPY, KING, mood, number_of
from ludoteca.games.kingbrick.notation import Place
from ludoteca.games.kingbrick.physics import Flick, Rest
from ludoteca.games.kingbrick.state import (
    BOARD,
    HAND,
    OUT,
    ROLLING,
    Brick,
    Opening,
    Placement,
    Release,
    Settling,
    Shot,
    State,
    Turn,
    army,
    by_number,
    freezes,
    hiders,
    is_captured,
    other,
    second_flick,
    settable_freezes,
    strikers,
)
from ludoteca.games.kingbrick.touching import rests_on

PUSH = 20.0  # KB-24: mm
ESCAPED, RESTORED, RETURNED = "escaped", "restored", "returned"


def measured(state: State) -> set[str]:
    """The bricks that a measurement has to tell of."""
    match state.moving:
        case Opening():
            return {name for name, brick in state.bricks.items() if brick.kind != FREEZE}
        case Place(brick=brick):
            return {*state.poses, brick}
    return set(state.poses)


def infraction(flick: Flick, rest: Rest) -> str | None:
    """KB-23, KB-24."""
    if set(rest.touched) - {flick.brick}:
        return "misflick"
    return "push" if rest.push > PUSH else None


def rested(state: State, rest: Rest) -> State:
    """The state after a measurement: steps 1 to 4 of KB-51 begin."""
    shot, mover = state.moving, state.now.mover
    if isinstance(shot, Shot) and infraction(shot.aimed, rest):
        given_back = frozenset(army(state, other(mover)))  # KB-26: as it stood before the flick
        state = state.but(restorable=given_back).in_turn(fouls=state.now.fouls + 1, knight=None)
    known = state.bricks
    lying = {name: Brick(known[name].kind, known[name].side, BOARD, at) for name, at in rest.poses.items()}
    state = state.but(bricks={**known, **lying}, moving=None, loser=_loser(state, rest))
    return settled(defeated(state, [name for step in rest.fell for name in step]))


def _loser(state: State, rest: Rest) -> int:
    """KB-17, KB-28: the seat that loses by a King that left the board, or 0."""
    for step in rest.fell:
        kings = [state.bricks[name].side for name in step if state.bricks[name].kind == KING]
        if kings:
            return state.now.mover if len(kings) == 2 or state.restorable else kings[0]
    return 0


def defeated(state: State, names: Iterable[str]) -> State:
    """KB-16; an infraction gives back (KB-26), and a Ghost rolls (KB-47)."""
    for name in by_number(names):
        kind = state.bricks[name].kind
        if name in state.restorable and kind not in (FREEZE, KING):
            state = _restored(state, name)
        elif kind == GHOST:
            state = rolling(state, name, RETURNED)
        else:
            state = state.with_bricks([name], OUT)
    return state


def captured(state: State, names: Iterable[str]) -> State:
    """KB-20: lifted together; the release rolls come later."""
    for name in by_number(names):
        state = _restored(state, name) if name in state.restorable else rolling(state, name, ESCAPED)
    return state


def _restored(state: State, name: str) -> State:
    """KB-26: the army that lost the brick sets it down in its castle, also a brick of the other owner."""
    owed = Placement(name, other(state.now.mover), RESTORED)
    return state.with_bricks([name], HAND).but(placements=(*state.placements, owed))


def rolling(state: State, name: str, why: str) -> State:
    """KB-51: the mover's rolls come first, then the lowest numbers."""
    rolls = sorted(
        (*state.rolls, Release(name, why)),
        key=lambda roll: (state.bricks[roll.brick].side != state.now.mover, number_of(roll.brick)),
    )
    return state.with_bricks([name], ROLLING).but(rolls=tuple(rolls))


def rolled(state: State, face: int) -> State:
    """KB-21: happy, and its owner places it; grey counts as sad (KB-48)."""
    (name, why), *left = state.rolls
    brick = state.bricks[name]
    state = state.but(rolls=tuple(left))
    if mood(brick.kind, face) == HAPPY:
        return to_castle(state, name, why)
    return settled(state.with_bricks([name], OUT))


def to_castle(state: State, name: str, why: str) -> State:
    """Its owner has to set it down in the castle before anything else."""
    owed = Placement(name, state.bricks[name].side, why)
    return state.with_bricks([name], HAND).but(placements=(owed, *state.placements))


def lifted(state: State) -> State:
    """Something was taken off the board: let the other bricks settle."""
    return state.but(moving=Settling())


def settled(state: State) -> State:
    """Steps 2 to 6 of KB-51, up to the next thing that somebody or the table has to do."""
    if state.is_over:
        return state
    loose = loose_freezes(state)
    taken = [name for name, brick in state.bricks.items() if is_captured(state, brick)]
    if loose or taken:
        return lifted(captured(state.with_bricks(loose, OUT), taken))
    state = state.but(restorable=frozenset())
    if state.placements or state.rolls:
        return state
    return _turn_goes_on(state)


def loose_freezes(state: State) -> list[str]:
    """Return the Freezes that rest on no brick (KB-44)."""
    return [name for name in freezes(state) if not rests_on(state.poses, name)]


def _turn_goes_on(state: State) -> State:
    turn = state.now
    if not turn.acted or turn.flicks or (not turn.ending and may_finish(state)):
        return state
    if not turn.ending:
        return settled(state.in_turn(ending=True))  # KB-38: Assassins wait no longer
    # KB-27: an additional flick for every flick with an infraction
    return state.but(turn=Turn(turn.number + 1, other(turn.mover), flicks=1 + turn.fouls))


def may_finish(state: State) -> bool:
    """Whether there is something that the mover may still do at the end of the turn."""
    mover = state.now.mover
    return bool(second_flick(state) or hiders(state, mover) or strikers(state, mover) or settable_freezes(state, mover))


def ended(state: State) -> State:
    """The mover does nothing more; unused flicks lapse (KB-27)."""
    return settled(state.in_turn(flicks=0, knight=None, ending=True))
