"""Describes entries: the move and its consequences, in words and as marks for a board."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ludoteca.core.game import Described
from ludoteca.core.words import Message, message
from ludoteca.games.kingbrick import aftermath, bricks
from ludoteca.games.kingbrick.bricks import HAPPY
from ludoteca.games.kingbrick.geometry import SPEED, top_face
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
)
from ludoteca.games.kingbrick.physics import Flick, Rest, set_down
from ludoteca.games.kingbrick.reasons import GUARDS, aim_of, is_for_safety, zone_of
from ludoteca.games.kingbrick.refusals import said, said_all, said_army
from ludoteca.games.kingbrick.rules import placeable, play_seat, play_table
from ludoteca.games.kingbrick.state import (
    BOARD,
    OUT,
    ROLLING,
    Brick,
    Opening,
    Shot,
    State,
    army_of,
    frozen,
    king_of,
)
from ludoteca.games.kingbrick.touching import rests_on

STRENGTHS = ("soft", "medium", "hard")


def described(state: State, seat: int, move: Move, after: State | None = None) -> Described:
    """Return the words and marks of a move that was made from this state, and led to `after` if that is known."""
    match move:
        case Start(starter):
            return Described(_said("start", seat=starter))
        case Army(letters):
            army = _said("army", seat=seat, army=said_army(letters), points=bricks.points(letters))
            return Described(army, {"set_up": True})
        case Stand(brick=name, up=up):
            kind = bricks.named(state.set_ups[seat - 1].army, seat)[name]
            stands = _said("stand", brick=said(name, kind), face=_face(kind, up))
            return Described(stands, {"quiet": True})
        case Ready():
            return Described(_said("ready", seat=seat), {"set_up": True})
        case Flick(name, direction, speed):
            marks = {"brick": name, "dir": direction, "speed": speed, "unmoved": True}
            return Described(_said("flick", brick=_brick(state, name), strength=_strength(speed)), marks)
        case Hand(direction, speed):
            return Described(_said("hand"), {"dir": direction, "speed": speed, "quiet": True, "unmoved": True})
        case Place(name):
            return Described(_placed(state, seat, move), {"brick": name})
        case Freeze(name):
            return Described(_said("freeze", brick=_brick(state, name)), {"brick": name})
        case Hide(name):
            return Described(_said("hide", brick=_brick(state, name)), {"brick": name})
        case Strike(name, target):
            words = _said("strike", brick=_brick(state, name), target=_brick(state, target))
            return Described(words, {"by": name, "target": target})
        case Heal(medic, names):
            words = _said("heal", brick=_brick(state, medic), bricks=_bricks(state, names))
            return Described(words, {"medic": medic, "bricks": list(names)})
        case End():
            return Described(_and_captures(state, after or play_seat(state, seat, move), _said("end", seat=seat)))
        case Roll():
            return _rolled(state, move, after or play_table(state, move))
    assert isinstance(move, Rest)
    return _rested(state, move, after or play_table(state, move))


def suggested(told: Described, state: State, seat: int, move: Move) -> Described:
    """Return what is told of a suggested move: of a flick also its aim, of a Freeze what it is set on.

    The words fit a move that was made too: a review tells both.
    """
    if isinstance(move, Flick):
        return _aimed(told, state, seat, move)
    params = told.message.params
    if isinstance(move, Freeze) and (under := _set_on(state, move)):
        return Described(_said("freeze_on", targets=_bricks(state, under), **params), told.marks)
    if isinstance(move, Place) and is_for_safety(state, seat, move):
        return Described(_said("place.king_safer", **params), told.marks)
    return told


def _aimed(told: Described, state: State, seat: int, flick: Flick) -> Described:
    """Return what a flick is aimed at, or else where it should come to rest, and why."""
    aim = aim_of(state, seat, flick)
    more = {"king": _brick(state, king_of(seat, state))} if aim.what == GUARDS else {}
    more |= {"target": _brick(state, aim.target)} if aim.target else {}
    more |= {"behind": _brick(state, aim.behind)} if aim.behind else {}
    if aim.end:
        brick = state.bricks[aim.target or flick.brick]
        more["where"] = _where(Brick(brick.kind, brick.side, BOARD, aim.end))
    return Described(_said(aim.what, **told.message.params, **more), told.marks | {"why": aim.what})


def _set_on(state: State, freeze: Freeze) -> list[str]:
    """Return the bricks on which a Freeze is set down."""
    there = {name: at for name, at in state.poses.items() if name != freeze.brick}
    poses = {**there, freeze.brick: set_down(there, *freeze, up=1)}
    return sorted(rests_on(poses, freeze.brick))


def _said(key: str, **params: Any) -> Message:
    return message(f"kingbrick.said.{key}", **params)


def _brick(state: State, name: str) -> Message:
    return said(name, state.bricks[name].kind)


def _bricks(state: State, names: Sequence[str]) -> Any:
    return said_all(names, {name: state.bricks[name].kind for name in names})


def _face(kind: str, up: int) -> Message:
    return message(f"kingbrick.{bricks.mood(kind, up)}")


def _strength(speed: float) -> Message:
    """Return the word for a speed: soft, medium or hard, a third of all speeds each."""
    place = min(int(len(STRENGTHS) * speed / SPEED[1]), len(STRENGTHS) - 1)
    return message(f"kingbrick.{STRENGTHS[place]}")


def _where(brick: Brick) -> Message:
    """Return where a brick on the board lies, as its owner sees it (KB-18)."""
    return message(f"kingbrick.at.{zone_of(brick)}")


def _placed(state: State, seat: int, place: Place) -> Message:
    if state.placements:
        why = state.placements[0].why
    else:
        why = next(why for name, why, _ in placeable(state, seat) if name == place.brick)
    face = _face(state.bricks[place.brick].kind, place.up)
    return _said(f"place.{why}", brick=_brick(state, place.brick), face=face)


def _rolled(state: State, roll: Roll, after: State) -> Described:
    kind = state.bricks[roll.brick].kind
    mood = bricks.mood(kind, roll.face)
    outcome = state.rolls[0].why if mood == HAPPY else "defeated"
    words = _said(f"roll.{outcome}", brick=_brick(state, roll.brick), face=_face(kind, roll.face))
    marks = {"brick": roll.brick, "face": roll.face, "mood": mood}
    return Described(_and_captures(state, after, words), marks)


def _and_captures(before: State, after: State, words: Message) -> Message:
    """Return the words with the captures and the draw that follow: no Assassin waits any longer (KB-38)."""
    caught = [name for name in before.poses if after.bricks[name].where == ROLLING]
    parts = [words, *_listed(after, {"captured": caught})]
    return _one_after_another([*parts, _said("drawn")] if after.is_over else parts)


def _rested(state: State, rest: Rest, after: State) -> Described:
    """Return what a measurement led to: falls, captures, desertions, fouls and the end."""
    flick = state.moving.made if isinstance(state.moving, Shot) else None
    foul = aftermath.infraction(flick, rest) if flick else None
    fell = [name for step in rest.fell for name in step]
    knocked = [name for name in fell if flick and name != flick.brick]
    taken = [name for name in rest.poses if after.bricks[name].where != BOARD]
    left = [name for name in taken if after.bricks[name].where == OUT]
    captured = [name for name in taken if name not in left]
    owed = [owed.brick for owed in after.placements if owed.why == aftermath.RESTORED]
    turned = [name for name in rest.poses if _changed_army(state, after, name)]
    deserted = [name for name in turned if army_of(after.bricks[name]) != after.bricks[name].side]
    parts = [
        *([_said("opened", seat=state.now.mover)] if isinstance(state.moving, Opening) else []),
        *(_flicked(state, flick, rest) if flick else []),
        *(
            [_said("knocked", by=_brick(state, flick.brick), bricks=_bricks(state, knocked))]
            if flick and knocked
            else []
        ),
        *_listed(
            after,
            {
                "fell": [name for name in fell if name not in knocked],
                "captured": captured,
                "restored": [name for name in owed if name in fell or name in captured],
                "deserted": deserted,
                "came_back": [name for name in turned if name not in deserted],
                "frozen": sorted(frozen(after) - frozen(state)),
                "left": left,
            },
        ),
    ]
    if after.loser:
        parts.append(_said("lost", seat=after.loser))
    elif after.is_over:
        parts.append(_said("drawn"))
    elif foul:
        parts.append(_said("owed"))
    marks = {
        "fell": [list(step) for step in rest.fell],
        "captured": captured,
        "deserted": deserted,
        "infraction": foul,
        "left": left,
        **({"begins_turn": True} if isinstance(state.moving, Opening) else {}),
        **({} if parts or rest.motion else {"quiet": True}),
    }
    return Described(_one_after_another(parts or [_said("still")]), marks)


def _flicked(state: State, flick: Flick, rest: Rest) -> Iterator[Message]:
    """Yield where the flicked brick lies, and what was wrong with the flick."""
    if (lies := rest.poses.get(flick.brick)) is not None:
        brick = state.bricks[flick.brick]
        where = _where(Brick(brick.kind, brick.side, BOARD, lies))
        yield _said("lies", brick=_brick(state, flick.brick), where=where, face=_face(brick.kind, top_face(lies)))
    match aftermath.infraction(flick, rest):
        case "misflick":
            yield _said("misflick", bricks=_bricks(state, [name for name in rest.touched if name != flick.brick]))
        case "push":
            yield _said("push")


def _listed(state: State, happened: Mapping[str, Sequence[str]]) -> Iterator[Message]:
    """Yield what happened to which bricks, if to any."""
    for key, names in happened.items():
        if names:
            yield _said(key, bricks=_bricks(state, names))


def _changed_army(before: State, after: State, name: str) -> bool:
    lay, lies = before.bricks[name], after.bricks[name]
    return lay.where == BOARD and lies.where == BOARD and army_of(lay) != army_of(lies)


def _one_after_another(parts: Sequence[Message]) -> Message:
    told = parts[0]
    for part in parts[1:]:
        told = _said("then", first=told, then=part)
    return told
