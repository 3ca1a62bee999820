"""The view of a match for a seat or a stranger, and the legal moves of a seat, as JSON for a board."""

from typing import Any

from ludoteca.games.kingbrick import bricks, geometry
from ludoteca.games.kingbrick.bricks import MEDIC
from ludoteca.games.kingbrick.formations import COMPANIES, FORMATIONS, spots
from ludoteca.games.kingbrick.geometry import top_face
from ludoteca.games.kingbrick.hand import STEADY, curve
from ludoteca.games.kingbrick.measuring import formation
from ludoteca.games.kingbrick.offering import place_offered
from ludoteca.games.kingbrick.rules import CASTLE, HEALING, healable, placeable, to_move
from ludoteca.games.kingbrick.state import (
    HAND,
    TURNS,
    Brick,
    State,
    army_of,
    flickable,
    frozen,
    hiders,
    of_kind,
    second_flick,
    settable_freezes,
    strikers,
    targets,
)


def view(state: State, eye: int | None) -> dict[str, Any]:
    turn = state.turn
    return {
        "stage": "setup" if turn is None else "play",
        "extra": state.extra,
        "turn": 0 if turn is None else min(turn.number, TURNS),
        "turns": TURNS,
        "mover": None if turn is None or state.is_over else turn.mover,
        "flicks": 0 if turn is None else turn.flicks,
        "kinds": {
            letter: {"cost": kind.cost, "faces": list(kind.faces)} for letter, kind in bricks.kinds(state.extra).items()
        },
        "sides": [_side(state, seat, eye) for seat in (1, 2)],
        "bricks": _set_up_seen(state, eye) if turn is None else _bricks(state),
        "asked": asked(state, eye),
        "board": {
            "width": int(geometry.WIDTH),
            "length": int(geometry.LENGTH),
            "brick": int(geometry.BRICK),
            "castles": [[int(edge) for edge in geometry.castle(seat)] for seat in (1, 2)],
        },
    }


def _side(state: State, seat: int, eye: int | None) -> dict[str, Any]:
    """KB-10: the other's army is not known before both are ready; that it is ready is."""
    set_up = state.set_ups[seat - 1]
    knows = state.turn is not None or (seat == eye and bool(set_up.army))
    return {
        "ready": set_up.ready,
        "points": bricks.points(set_up.army) if knows else None,
        "bricks": bricks.bricks(set_up.army) if knows else None,
    }


def _set_up_seen(state: State, eye: int | None) -> list[dict[str, Any]]:
    """One's own army, as far as it stands."""
    if eye is None:
        return []
    mine = state.set_ups[eye - 1]
    poses = formation(mine.stands)
    return [
        _brick(name, Brick(kind, eye, "board" if name in poses else HAND, poses.get(name)), False)
        for name, kind in bricks.named(mine.army, eye).items()
    ]


def _bricks(state: State) -> list[dict[str, Any]]:
    held = frozen(state)
    return [_brick(name, brick, name in held) for name, brick in state.bricks.items()]


def _brick(name: str, brick: Brick, is_frozen: bool) -> dict[str, Any]:
    up = None if brick.pose is None else top_face(brick.pose)
    return {
        "name": name,
        "kind": brick.kind,
        "side": brick.side,
        "army": army_of(brick),
        "where": brick.where,
        "pose": None if brick.pose is None else list(brick.pose),
        "up": up,
        "mood": None if up is None else bricks.mood(brick.kind, up),
        "frozen": is_frozen,
    }


def asked(state: State, eye: int | None) -> dict[str, Any] | None:
    """Return which seat is asked for which action. In the set-up each seat is asked on its own."""
    seats = to_move(state)
    if not seats:
        return None
    if state.turn is None:
        return {"seat": eye if eye in seats else seats[0], "what": "setup"}
    if state.placements:
        owed = state.placements[0]
        return {"seat": owed.seat, "what": "place", "brick": owed.brick, "why": owed.why}
    return {"seat": seats[0], "what": "turn" if state.turn.flicks else "finish"}


def legal(state: State, seat: int) -> dict[str, Any]:
    if seat not in to_move(state):
        return {}
    if state.turn is None:
        return {"setup": _set_up_offered(seat)}
    if state.placements:
        owed = state.placements[0]
        return {"place": [place_offered(state, seat, owed.brick, owed.why, CASTLE)]}
    offered: dict[str, Any] = {}
    again = second_flick(state)
    if names := flickable(state, seat) if state.turn.flicks else [again] if again else []:
        offered["flick"] = {
            "bricks": names,
            "speed": list(geometry.SPEED),
            "height": list(geometry.HEIGHT),
            "side": list(geometry.SIDE),
            "follow": list(geometry.FOLLOW),
            "finger": [geometry.FINGER, geometry.APPROACH],
            "slows": geometry.SLOWS,
            "error": [] if state.hand == STEADY else curve(),
        }
    if places := placeable(state, seat):
        offered["place"] = [place_offered(state, seat, name, why, where) for name, why, where in places]
    if unused := settable_freezes(state, seat):
        offered["freeze"] = unused
    if state.turn.flicks:
        offered |= _healing(state, seat)
    if state.turn.acted:
        offered |= _at_the_end(state, seat)
    return offered


def _set_up_offered(seat: int) -> dict[str, Any]:
    return {
        "points": bricks.POINTS,
        "bricks": bricks.BRICKS,
        "standard": bricks.STANDARD,
        "armies": [company._asdict() for company in COMPANIES],
        "formations": [{"key": key, "spots": [list(spot) for spot in spots(key, seat)]} for key in FORMATIONS],
    }


def _healing(state: State, seat: int) -> dict[str, Any]:
    medics, hurt = of_kind(state, MEDIC, seat), healable(state, seat)
    if not medics or not hurt:
        return {}
    cured = [{"name": name, "cost": bricks.ALL_KINDS[state.bricks[name].kind].cost} for name in hurt]
    return {"heal": [{"medic": medic, "points": HEALING, "bricks": cured} for medic in medics]}


def _at_the_end(state: State, seat: int) -> dict[str, Any]:
    offered: dict[str, Any] = {"end": True}
    if names := hiders(state, seat):
        offered["hide"] = names
    if names := strikers(state, seat):
        offered["strike"] = [{"by": name, "targets": targets(state, seat)} for name in names]
    return offered
