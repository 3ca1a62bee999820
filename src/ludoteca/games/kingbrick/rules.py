"""The rules of KingBrick, docs/rules/kingbrick.md: moves of seats, and their consequences.

All of it is arithmetic on a position. The motion of bricks is measured elsewhere and comes in as the table's entries.
"""

from collections.abc import Iterable

from ludoteca.core.words import Message, Value
from ludoteca.games.kingbrick import geometry
from ludoteca.games.kingbrick.aftermath import (
    ESCAPED,
    RETURNED,
    defeated,
    ended,
    lifted,
    rested,
    rolled,
    rolling,
    to_castle,
)
from ludoteca.games.kingbrick.bricks import ALL_KINDS, BLINK, FREEZE, HAPPY, KING, KNIGHT, MEDIC, NINJA
from ludoteca.games.kingbrick.checking import can_be_full, check_rest
from ludoteca.games.kingbrick.geometry import Pose, do_touch, in_castle, is_beyond_line, is_home, outline, standing
from ludoteca.games.kingbrick.hand import STEADY, is_possible
from ludoteca.games.kingbrick.notation import (
    Army,
    End,
    Freeze,
    Hand,
    Heal,
    Hide,
    Move,
    Place,
    Ready,
    Roll,
    Stand,
    Start,
    Strike,
    number,
    written,
)
from ludoteca.games.kingbrick.physics import Flick, Rest
from ludoteca.games.kingbrick.refusals import Refusal, said, said_all
from ludoteca.games.kingbrick.setup import castle_said, set_up
from ludoteca.games.kingbrick.state import (
    BOARD,
    HAND,
    HIDDEN,
    OUT,
    Shot,
    State,
    army,
    flickable,
    hiders,
    mood_up,
    of_kind,
    other,
    second_flick,
    settable_freezes,
    strikers,
    targets,
)

HEALING = 6  # KB-48: points
KING_MOVE, REVEAL, BLINKS = "king", "reveal", "blink"  # why a brick is placed as the turn's action
CASTLE, OWN, ENEMY = "castle", "own", "enemy"  # where it may be placed


def to_move(state: State) -> tuple[int, ...]:
    if state.is_over or not state.starter:
        return ()
    if state.turn is None:
        begun = [seat for seat in (1, 2) if state.set_ups[seat - 1].is_begun]
        return tuple(begun or [seat for seat in (1, 2) if not state.set_ups[seat - 1].ready])
    if state.moving is not None:
        return ()
    if state.placements:
        return (state.placements[0].seat,)
    return () if state.rolls else (state.turn.mover,)


def play_seat(state: State, seat: int, move: Move) -> State:
    """Return the state after the move of a seat that is to move; Refusal if it may not be made."""
    if state.turn is None:
        return set_up(state, seat, move)
    if state.placements:
        return _set_down(state, move)
    match move:
        case Flick():
            return _flick(state, seat, move)
        case Place():
            return _place(state, seat, move)
        case Freeze():
            return _freeze(state, seat, move)
        case Hide(name):
            return _hide(state, seat, name)
        case Strike(name, target):
            return _strike(state, seat, name, target)
        case Heal(medic, names):
            return _heal(state, seat, medic, names)
        case End():
            if not state.now.acted:
                raise Refusal("no_passing")  # KB-13
            return ended(state)
        case Army() | Stand() | Ready():
            raise Refusal("set_up_is_over")
    raise Refusal("for_the_table")


def play_table(state: State, move: Move) -> State:
    """Return the state after the table's entry; Refusal if another entry is due."""
    match move:
        case Start(seat) if not state.starter:
            return state.but(starter=seat)  # KB-11; before the set-up, so both know it alike
        case Hand() if isinstance(state.moving, Shot) and state.moving.made is None:
            return state.but(moving=_made(state.moving.aimed, move))
        case Rest() if state.moving is not None and not (isinstance(state.moving, Shot) and state.moving.made is None):
            check_rest(state, move)
            return rested(state, move)
        case Roll(name, face) if state.moving is None and not state.placements and state.rolls:
            if name != state.rolls[0].brick:
                raise Refusal("another_rolls", brick=_said(state, state.rolls[0].brick))
            return rolled(state, face)
    raise Refusal("not_due")


def _made(aimed: Flick, hand: Hand) -> Shot:
    """KB-52."""
    made = Flick(aimed.brick, *hand, aimed.follow)
    _check_limits(made)
    if not is_possible(aimed, made):
        raise Refusal("too_far_off", aimed=written(aimed))
    return Shot(aimed, made)


# The turn's action


def _flick(state: State, seat: int, flick: Flick) -> State:
    """KB-13, KB-14."""
    turn = state.now
    again = second_flick(state)
    if not turn.flicks and flick.brick != again:
        raise Refusal("no_flicks_left", may=_what_is_left(state, seat))
    if flick.brick not in flickable(state, seat):
        raise _not_flickable(state, seat, flick.brick)
    _check_limits(flick)
    # KB-46: the second flick of a Knight comes at once or not at all, and costs no other
    is_second = flick.brick == again
    knight = flick.brick if state.bricks[flick.brick].kind == KNIGHT and not is_second else None
    flicks = turn.flicks if is_second else turn.flicks - 1
    return state.in_turn(flicks=flicks, acted=True, knight=knight).but(
        moving=Shot(flick, flick if state.hand == STEADY else None)
    )


def _check_limits(flick: Flick) -> None:
    """KB-14."""
    limits = {"speed": geometry.SPEED, "height": geometry.HEIGHT, "side": geometry.SIDE, "follow": geometry.FOLLOW[:2]}
    for name, (least, most) in limits.items():
        value = getattr(flick, name)
        if not least <= value <= most:
            raise Refusal(f"limits.{name}", value=number(value, 2), least=number(least, 2), most=number(most, 2))


def _not_flickable(state: State, seat: int, name: str) -> Refusal:
    may = _said_all(state, flickable(state, seat))
    if name not in state.bricks:
        return Refusal("no_such_brick", brick=name, may=may)
    brick = state.bricks[name]
    if brick.where != BOARD:
        key = "not_on_board"
    elif brick.kind == FREEZE:
        key = "freezes_are_not_flicked"
    elif name not in army(state, seat):
        key = "deserted" if brick.side == seat else "not_your_army"
    else:
        key = "frozen"
    return Refusal(key, brick=_said(state, name), may=may)


def _place(state: State, seat: int, place: Place) -> State:
    """The King Move, revealing a Ninja, or a Blink: instead of flicking (KB-12)."""
    found = {name: why for name, why, _ in placeable(state, seat)}
    why = found.get(place.brick)
    if why is None:
        _check_action_left(state, seat)
        raise Refusal("not_to_be_placed", brick=place.brick, may=_said_all(state, found))
    at = standing(place.x, place.y, place.yaw, place.up)
    if why == KING_MOVE:
        _check_castle(state, seat, place, at)
    else:
        _check_free_spot(state, seat, place.brick, at, why)
    revealed = place.brick if why == REVEAL else None
    # KB-27: it takes the place of one flick and ends the turn
    return (
        state.in_turn(flicks=0, knight=None, acted=True, revealed=revealed)
        .with_bricks([place.brick], HAND)
        .but(moving=place)
    )


def placeable(state: State, seat: int) -> list[tuple[str, str, str]]:
    """Return the bricks that a seat may place as the turn's action, why, and where (KB-30, KB-33, KB-45)."""
    if not state.now.flicks:
        return []
    return [
        *((name, KING_MOVE, CASTLE) for name in of_kind(state, KING, seat)),
        *((name, REVEAL, ENEMY) for name in of_kind(state, NINJA, seat, HIDDEN)),
        *((name, BLINKS, OWN) for name in of_kind(state, BLINK, seat)),
    ]


def _check_castle(state: State, seat: int, place: Place, at: Pose) -> None:
    """KB-7. Where the castle may be full, the measurement judges a spot beside it (KB-22)."""
    there = {name: lies for name, lies in state.poses.items() if name != place.brick}
    if not in_castle(at, seat) and not (is_home(at, seat) and can_be_full(there, seat)):
        raise Refusal("not_in_castle", brick=_said(state, place.brick), **castle_said(seat))


def _check_free_spot(state: State, seat: int, name: str, at: Pose, why: str) -> None:
    """KB-33: wholly in the enemy's territory, off the castle. KB-45: at home, as KB-18 has it. Both touch no brick.

    As everywhere, outlines seen from above are judged, at any height (KB-7).
    """
    brick = _said(state, name)
    if why == REVEAL:
        if not is_home(at, other(seat)):
            raise Refusal("reveal_beyond", brick=brick)
        if in_castle(at, other(seat)):
            raise Refusal("reveal_off_castle", brick=brick, **castle_said(other(seat)))
    elif is_beyond_line(at, seat) or abs(at.x) > geometry.WIDTH / 2 or abs(at.y) > geometry.LENGTH / 2:
        raise Refusal("blink_at_home", brick=brick)
    near = [
        there
        for there, lies in state.poses.items()
        if there != name and abs(lies.x - at.x) < 2 * geometry.BRICK and abs(lies.y - at.y) < 2 * geometry.BRICK
        if do_touch(outline(at), outline(lies))
    ]
    if near:
        raise Refusal("touches", brick=brick, others=_said_all(state, near))


def is_free_spot(state: State, seat: int, name: str, at: Pose, why: str) -> bool:
    """Return whether a Ninja or a Blink may be set down there (KB-33, KB-45)."""
    try:
        _check_free_spot(state, seat, name, at, why)
    except Refusal:
        return False
    return True


def _heal(state: State, seat: int, medic: str, names: tuple[str, ...]) -> State:
    """KB-48."""
    _check_action_left(state, seat)
    if medic not in of_kind(state, MEDIC, seat):
        raise Refusal("no_medic", brick=medic, may=_said_all(state, of_kind(state, MEDIC, seat)))
    may = healable(state, seat)
    for name in names:
        if name not in may or names.count(name) > 1:
            raise Refusal("not_to_be_healed", brick=name, may=_said_all(state, may))
    points = sum(ALL_KINDS[state.bricks[name].kind].cost for name in names)
    if points > HEALING:
        raise Refusal("heals_less", points=points, most=HEALING)
    state = state.in_turn(flicks=0, knight=None, acted=True).with_bricks([medic], OUT)
    state = state.but(spent=state.spent | {medic})
    for name in names:
        state = rolling(state, name, RETURNED)
    return lifted(state)


def healable(state: State, seat: int) -> list[str]:
    """Return a seat's own defeated bricks that a Medic can heal: no Freeze, and no Medic that has healed.

    A Ghost is among them: that a failed roll is final (KB-47) speaks of the Ghost's own roll.
    """
    return [
        name
        for name, brick in state.bricks.items()
        if brick.side == seat and brick.where == OUT and brick.kind != FREEZE and name not in state.spent
    ]


# Before and after it


def _freeze(state: State, seat: int, freeze: Freeze) -> State:
    """KB-41: before or after the action. The measurement judges which bricks it rests on (KB-43)."""
    if state.now.froze:
        raise Refusal("one_freeze")
    unused = of_kind(state, FREEZE, seat, HAND)
    if freeze.brick not in unused:
        raise Refusal("no_freeze", brick=freeze.brick, may=_said_all(state, unused))
    return state.in_turn(froze=True).but(moving=Place(*freeze, up=1))


def _hide(state: State, seat: int, name: str) -> State:
    """KB-31, KB-32."""
    _check_acted(state)
    if name not in hiders(state, seat):
        raise _not_hiding(state, seat, name)
    state = state.in_turn(hid=True, flicks=0, knight=None)
    return lifted(state.with_bricks([name], HIDDEN))


def _not_hiding(state: State, seat: int, name: str) -> Refusal:
    may = _said_all(state, hiders(state, seat))
    if state.now.hid:
        return Refusal("one_hides")
    if name == state.now.revealed:
        return Refusal("just_revealed", brick=_said(state, name), may=may)
    return Refusal("cannot_hide", brick=name, may=may)


def _strike(state: State, seat: int, name: str, target: str) -> State:
    """KB-34 to KB-38."""
    _check_acted(state)
    if name not in strikers(state, seat):
        key = "struck_already" if name in state.now.struck else "cannot_strike"
        raise Refusal(key, brick=name, may=_said_all(state, strikers(state, seat)))
    if target not in targets(state, seat):
        raise Refusal("no_target", brick=target, may=_said_all(state, targets(state, seat)))
    is_happy = mood_up(state.bricks[name]) == HAPPY
    state = state.in_turn(struck=state.now.struck | {name}, flicks=0, knight=None)
    state = defeated(state, [target])
    return lifted(to_castle(state, name, ESCAPED) if is_happy else state)


def _set_down(state: State, move: Move) -> State:
    """A brick that is due in a castle (KB-21, KB-26, KB-37)."""
    owed = state.placements[0]
    if not isinstance(move, Place) or move.brick != owed.brick:
        raise Refusal("place_first", brick=_said(state, owed.brick), **castle_said(owed.seat))
    _check_castle(state, owed.seat, move, standing(move.x, move.y, move.yaw, move.up))
    return state.but(placements=state.placements[1:], moving=move)


def _check_action_left(state: State, seat: int) -> None:
    if not state.now.flicks:
        raise Refusal("no_flicks_left", may=_what_is_left(state, seat))


def _check_acted(state: State) -> None:
    if not state.now.acted:
        raise Refusal("at_the_end")


def _what_is_left(state: State, seat: int) -> Value:
    """Return the bricks that may still do something at the end of the turn."""
    again = second_flick(state)
    left = [*([again] if again else []), *hiders(state, seat), *strikers(state, seat), *settable_freezes(state, seat)]
    return _said_all(state, left)


def _said(state: State, name: str) -> Message:
    return said(name, state.bricks[name].kind)


def _said_all(state: State, names: Iterable[str]) -> Value:
    return said_all(names, {name: brick.kind for name, brick in state.bricks.items()})
