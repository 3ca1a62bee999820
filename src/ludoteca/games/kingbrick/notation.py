"""The moves of KingBrick (docs/notation.md): read into small values and written back."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from ludoteca.core.errors import UnknownMove
from ludoteca.core.words import message
from ludoteca.games.kingbrick.bricks import army_read, army_written
from ludoteca.games.kingbrick.physics import Flick, Rest


class Start(NamedTuple):
    seat: int


class Army(NamedTuple):
    letters: str  # the kinds of its bricks in the order of their numbers


class Stand(NamedTuple):
    """A brick in a formation."""

    brick: str
    x: float
    y: float
    yaw: float
    up: int


class Ready(NamedTuple):
    pass


class Place(NamedTuple):
    brick: str
    x: float
    y: float
    yaw: float
    up: int


class Freeze(NamedTuple):
    brick: str
    x: float
    y: float
    yaw: float


class Hide(NamedTuple):
    brick: str


class Strike(NamedTuple):
    brick: str
    target: str


class Heal(NamedTuple):
    medic: str
    bricks: tuple[str, ...]


class End(NamedTuple):
    pass


class Roll(NamedTuple):
    brick: str
    face: int


class Hand(NamedTuple):
    """How a flick was made by a hand that trembles (KB-52)."""

    direction: float
    speed: float
    height: float
    side: float


Move = Start | Army | Stand | Ready | Flick | Place | Freeze | Hide | Strike | Heal | End | Roll | Hand | Rest

BRICK = r"([rb][1-9][0-9]?)"
TENTHS = r"(-?[0-9]{1,3}(?:\.[0-9])?)"
HUNDREDTHS = r"([0-9]{1,3}(?:\.[0-9]{1,2})?)"
SPOT = rf"{BRICK} x={TENTHS} y={TENTHS} yaw={TENTHS}"


def _hand_read(*made: str) -> Hand:
    direction, speed, height, side = map(float, made)
    return Hand(direction, speed, height, side)


# How each move is read, by its first word: the pattern of what follows it, and what the groups make.
READERS: dict[str, tuple[re.Pattern[str], Callable[..., Move | None]]] = {
    "start": (re.compile(r"([12])"), lambda seat: Start(int(seat))),
    "army": (re.compile(r"(.+)"), lambda text: Army(letters) if (letters := army_read(text)) else None),
    "stand": (re.compile(rf"{SPOT} up=([1-6])"), lambda name, *spot: Stand(name, *_spot(spot[:3]), int(spot[3]))),
    "ready": (re.compile(""), Ready),
    "flick": (
        re.compile(rf"{BRICK} dir={TENTHS} speed={HUNDREDTHS} height={TENTHS} side={TENTHS} follow={TENTHS}"),
        lambda name, *how: Flick(name, *map(float, how)),
    ),
    "place": (re.compile(rf"{SPOT} up=([1-6])"), lambda name, *spot: Place(name, *_spot(spot[:3]), int(spot[3]))),
    "freeze": (re.compile(SPOT), lambda name, *spot: Freeze(name, *_spot(spot))),
    "hide": (re.compile(BRICK), Hide),
    "strike": (re.compile(f"{BRICK} {BRICK}"), Strike),
    "heal": (
        re.compile(f"{BRICK}((?: [rb][1-9][0-9]?)+)"),
        lambda medic, names: Heal(medic, tuple(names.split())),
    ),
    "end": (re.compile(""), End),
    "hand": (re.compile(rf"dir={TENTHS} speed={HUNDREDTHS} height={TENTHS} side={TENTHS}"), _hand_read),
    "roll": (re.compile(rf"{BRICK} ([1-6])"), lambda name, face: Roll(name, int(face))),
}
_rests = msgspec.json.Decoder(Rest)


def read(text: str) -> Move:
    """The move that a text is; UnknownMove if it is none."""
    verb, space, rest = text.partition(" ")
    if verb == "rest":
        return _rest_read(text, rest)
    if verb not in READERS:
        raise UnknownMove(text, message("kingbrick.unreadable"))
    pattern, made = READERS[verb]
    found = pattern.fullmatch(rest)
    move = made(*found.groups()) if found and bool(space) == bool(rest) else None
    if move is None:
        raise UnknownMove(text, message(f"kingbrick.unreadable.{verb}"))
    return move


def _rest_read(text: str, told: str) -> Rest:
    try:
        return _rests.decode(told)
    except msgspec.DecodeError as error:
        raise UnknownMove(text, message("kingbrick.unreadable.rest", why=str(error))) from None


def _spot(numbers: Any) -> tuple[float, float, float]:
    x, y, yaw = map(float, numbers)
    return x, y, yaw


def written(move: Move) -> str:
    """A move as text, with lengths and angles to 0.1, speeds to 0.01."""
    match move:
        case Start(seat):
            return f"start {seat}"
        case Army(letters):
            return f"army {army_written(letters)}"
        case Stand(name, x, y, yaw, up):
            return f"stand {_spot_written(name, x, y, yaw)} up={up}"
        case Place(name, x, y, yaw, up):
            return f"place {_spot_written(name, x, y, yaw)} up={up}"
        case Freeze(name, x, y, yaw):
            return f"freeze {_spot_written(name, x, y, yaw)}"
        case Flick(name, direction, speed, height, side, follow):
            how = f"height={number(height)} side={number(side)} follow={number(follow)}"
            return f"flick {name} dir={number(direction)} speed={number(speed, 2)} {how}"
        case Hand(direction, speed, height, side):
            how = f"height={number(height)} side={number(side)}"
            return f"hand dir={number(direction)} speed={number(speed, 2)} {how}"
        case Hide(name):
            return f"hide {name}"
        case Strike(name, target):
            return f"strike {name} {target}"
        case Heal(medic, names):
            return f"heal {medic} {' '.join(names)}"
        case Roll(name, face):
            return f"roll {name} {face}"
        case Rest():
            return "rest " + msgspec.json.encode(move, order="sorted").decode()
    return "ready" if isinstance(move, Ready) else "end"


def _spot_written(name: str, x: float, y: float, yaw: float) -> str:
    return f"{name} x={number(x)} y={number(y)} yaw={number(yaw)}"


def number(value: float, decimals: int = 1) -> str:
    """Without needless zeros, and never minus zero."""
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
