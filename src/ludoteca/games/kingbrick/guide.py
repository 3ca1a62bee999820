"""How bots play KingBrick: they build by their level, try flicks out in the physics, and then their hands shake."""

from random import Random
from typing import NamedTuple

from ludoteca.core.levels import Sampling
from ludoteca.games.kingbrick import bricks
from ludoteca.games.kingbrick.bricks import FREEZE, STANDARD, army_read
from ludoteca.games.kingbrick.formations import FORMATIONS, KING, on_side
from ludoteca.games.kingbrick.geometry import Spot
from ludoteca.games.kingbrick.notation import Army, Move, Ready, Stand, written
from ludoteca.games.kingbrick.state import State
from ludoteca.games.kingbrick.thinking import Thought

LEVELS = {
    "novice": Sampling(samples=2, shake=20.0, force=0.5, foresight=0.0),
    "casual": Sampling(samples=8, shake=6.0, force=0.25, foresight=0.3),
    "club": Sampling(samples=28, finalists=4, repeats=2, shake=1.6, force=0.08),
    "expert": Sampling(samples=56, finalists=5, repeats=2, replies=4, shake=0.3, force=0.03),
}
CLOSE = 16.2  # mm between the centres of bricks that nearly touch


class Plan(NamedTuple):
    """What a bot builds: an army, one with the extra bricks, and formations to choose from."""

    army: str
    extra: str
    formations: tuple[tuple[Spot, ...], ...]


def bunker() -> tuple[Spot, ...]:
    """The King in a solid block that a hit goes through and past, and a row of soldiers before it."""
    x, y, _ = KING
    block = [(x + column * CLOSE, y + row * CLOSE, 0.0) for row in (1, 0, -1) for column in (0, -1, 1) if row or column]
    soldiers = [(15.0 * place, -90.0, 0.0) for step in range(1, 12, 2) for place in (-step, step)]
    return (KING, *block, *soldiers)


OPEN = tuple(FORMATIONS[key] for key in ("line", "scatter", "towers"))
CLOSED = tuple(FORMATIONS[key] for key in ("wall", "fortress"))
PLANS = {
    "novice": Plan(STANDARD, STANDARD, OPEN),
    "casual": Plan(STANDARD, STANDARD, OPEN),
    "club": Plan("K A N 16G 2F", "K A N H O D 11G 2F", CLOSED),
    "expert": Plan("K 8G A N 8G 2F", "K 8G A N H O D 3G 2F", (bunker(),)),
}


def choose(state: State, seat: int, name: str, rng: Random) -> str:
    """A move of a seat that is to move, as text."""
    if state.turn is None:
        return "\n".join(map(written, set_up(state, seat, PLANS[name], rng)))
    return written(Thought(state, seat, LEVELS[name], rng).move())


def set_up(state: State, seat: int, plan: Plan, rng: Random) -> list[Move]:
    """Without a look at the other's (KB-10). All faces up are happy, where there are any."""
    letters = army_read(plan.extra if state.extra else plan.army)
    assert letters is not None
    spots = on_side(plan.formations[int(len(plan.formations) * rng.random())], seat)
    standing = [name for name, kind in bricks.named(letters, seat).items() if kind != FREEZE]
    stands = [Stand(name, *spot, 1) for name, spot in zip(standing, spots, strict=False)]
    return [Army(letters), *stands, Ready()]
