"""The hand that trembles (KB-52): how a flick as it is made differs from the flick that was aimed."""

from collections.abc import Iterable
from itertools import groupby
from math import comb, sqrt
from operator import itemgetter
from typing import NamedTuple

from ludoteca.core.chance import Draw
from ludoteca.core.game import Choice
from ludoteca.games.kingbrick import geometry
from ludoteca.games.kingbrick.physics import Flick

NATURAL, STEADY = "natural", "steady"

# One error is as many heads as COINS coins show, less half of them: a bell whose weights are whole numbers.
COINS = 48
WEIGHTS = tuple(comb(COINS, heads) for heads in range(COINS + 1))
DEVIATION = sqrt(COINS) / 2  # the standard deviation of the number of heads
SPEEDS = 10  # steps in which a page is told how the error grows


class Error(NamedTuple):
    """The standard deviations of a flick."""

    direction: float  # degrees
    speed: float  # m/s
    height: float  # mm
    side: float


LEAST = Error(0.4, 0.0, 0.2, 0.2)  # of a flick without any speed
MOST = Error(5.0, 0.3, 1.2, 1.2)  # of the fastest one


def error(speed: float) -> Error:
    """Return the standard deviations at a speed. They grow with its square."""
    share = (speed / geometry.SPEED[1]) ** 2
    return Error(*(least + (most - least) * share for least, most in zip(LEAST, MOST, strict=True)))


def trembled(flick: Flick, draw: Draw) -> Flick:
    """Return the flick that the hand makes: four draws, for its direction, speed, height and side."""
    return shifted(flick, *((draw(WEIGHTS) - COINS // 2) / DEVIATION for _ in Error._fields))


def shifted(flick: Flick, direction: float, speed: float, height: float, side: float) -> Flick:
    """Return the flick with errors, given in standard deviations, within the limits of KB-14."""
    spread = error(flick.speed)
    return flick._replace(
        direction=round(flick.direction + direction * spread.direction, 1) % 360,
        speed=_within(geometry.SPEED, flick.speed + speed * spread.speed, 2),
        height=_within(geometry.HEIGHT, flick.height + height * spread.height, 1),
        side=_within(geometry.SIDE, flick.side + side * spread.side, 1),
    )


def is_possible(aimed: Flick, made: Flick) -> bool:
    """Return whether a hand that aimed so can have made this flick: the coins limit its error."""
    most = COINS // 2 / DEVIATION
    spread = error(aimed.speed)
    turn = abs((made.direction - aimed.direction + 180) % 360 - 180)
    errors = (turn, made.speed - aimed.speed, made.height - aimed.height, made.side - aimed.side)
    return all(abs(by) <= most * one + 0.1 for by, one in zip(errors, spread, strict=True))


def merged(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    """Return the choices with neighbours that read alike as one, which has the weight of both."""
    return tuple((text, sum(weight for _, weight in alike)) for text, alike in groupby(choices, key=itemgetter(0)))


def _within(limits: tuple[float, float], value: float, decimals: int) -> float:
    least, most = limits
    return round(min(max(value, least), most), decimals) + 0.0


def curve() -> list[list[float]]:
    """Return some speeds from zero to the fastest, each with the errors of direction, speed, height and side."""
    speeds = [geometry.SPEED[1] * step / SPEEDS for step in range(SPEEDS + 1)]
    return [[round(speed, 3), *(round(by, 3) for by in error(speed))] for speed in speeds]
