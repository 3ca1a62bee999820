"""Random legal moves, for a bot without any knowledge."""

from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

from ludoteca.games.kingbrick import bricks, formations, geometry, measuring
from ludoteca.games.kingbrick.bricks import FACES, FREEZE, KING
from ludoteca.games.kingbrick.notation import (
    Army,
    End,
    Freeze,
    Heal,
    Hide,
    Move,
    Place,
    Ready,
    Stand,
    Strike,
    written,
)
from ludoteca.games.kingbrick.physics import Flick
from ludoteca.games.kingbrick.refusals import Refusal
from ludoteca.games.kingbrick.rules import CASTLE, ENEMY, play_seat
from ludoteca.games.kingbrick.state import State, other
from ludoteca.games.kingbrick.view import legal

T = TypeVar("T")
TRIES = 20
FLICKS = 4  # how much likelier a flick is than anything else
ENOUGH = 0.08  # the chance that an army gets no further brick


def sampled(state: State, seat: int, rng: Random, count: int) -> list[str]:
    """Return `count` random legal moves of a seat that is to move."""
    if state.turn is None:
        return [set_up(state, seat, rng) for _ in range(count)]
    return [written(drawn(state, seat, rng)) for _ in range(count)]


def set_up(state: State, seat: int, rng: Random) -> str:
    """Return a random army in one of the ready-made formations, a line for each entry."""
    army = KING + _rank_and_file(state.extra, rng)
    spots = formations.spots(_one(list(formations.FORMATIONS), rng), seat)
    standing = [name for name, kind in bricks.named(army, seat).items() if kind != FREEZE]
    stands = [Stand(name, *spot, _face(rng)) for name, spot in zip(standing, spots, strict=False)]
    lines: list[Move] = [Army(army), *stands, Ready()]
    return "\n".join(map(written, lines))


def _rank_and_file(extra: bool, rng: Random) -> str:
    letters = ""
    kinds = [letter for letter in bricks.kinds(extra) if letter != KING]
    while rng.random() > ENOUGH:
        more = letters + _one(kinds, rng)
        if bricks.points(more) > bricks.POINTS or bricks.bricks(more) > bricks.BRICKS:
            break
        letters = more
    return letters


def drawn(state: State, seat: int, rng: Random) -> Move:
    offered = legal(state, seat)
    for _ in range(TRIES):
        verb = _one([verb for verb in offered for _ in range(FLICKS if verb == "flick" else 1)], rng)
        move = _drawn_of(state, seat, verb, offered[verb], rng)
        try:
            play_seat(state, seat, move)
            measuring.admit(state, seat, move)
        except Refusal:
            continue
        return move
    if "end" in offered:
        return End()
    castle = next(place for place in offered["place"] if place["where"] == CASTLE)  # the King can always move (KB-13)
    return _at_nearest_spot(state, seat, castle["brick"], rng)


def _drawn_of(state: State, seat: int, verb: str, offered: Any, rng: Random) -> Move:
    match verb:
        case "flick":
            how = [_between(offered[name], rng) for name in ("height", "side", "follow")]
            least, most = offered["speed"]
            speed = _between((least, least + (most - least) * rng.random()), rng, 2)  # gentle more often than hard
            return Flick(_one(offered["bricks"], rng), _between((0.0, 359.9), rng), speed, *how)
        case "place":
            place = _one(offered, rng)
            return Place(place["brick"], *_spot(place["where"], seat, rng), _face(rng))
        case "freeze":
            target = _one(list(state.poses.values()), rng)
            return Freeze(_one(offered, rng), round(target.x, 1), round(target.y, 1), 0.0)
        case "hide":
            return Hide(_one(offered, rng))
        case "strike":
            strike = _one(offered, rng)
            return Strike(strike["by"], _one(strike["targets"], rng))
        case "heal":
            heal = _one(offered, rng)
            return Heal(heal["medic"], (_one(heal["bricks"], rng)["name"],))
    return End()


def _at_nearest_spot(state: State, seat: int, name: str, rng: Random) -> Place:
    there = {other: lies for other, lies in state.poses.items() if other != name}
    return Place(name, *measuring.nearest_spot(there, name, seat), 0.0, _face(rng))


def _spot(where: str, seat: int, rng: Random) -> tuple[float, float, float]:
    """Return a random spot in the castle, at home or in the enemy's territory."""
    if where == CASTLE:
        x, y, width, length = geometry.castle(seat)
    else:
        end = -1 if (other(seat) if where == ENEMY else seat) == 1 else 1
        width, length = geometry.WIDTH, geometry.LENGTH / 2
        x, y = -width / 2, min(0.0, end * length)
    return _between((x, x + width), rng), _between((y, y + length), rng), _between((0.0, 89.9), rng)


def _between(limits: Sequence[float], rng: Random, decimals: int = 1) -> float:
    least, most = limits[:2]
    return round(least + (most - least) * rng.random(), decimals)


def _face(rng: Random) -> int:
    return 1 + int(FACES * rng.random())


def _one(choices: Sequence[T], rng: Random) -> T:
    return choices[int(len(choices) * rng.random())]
