"""How bots play KingBrick: they build by their level, try flicks out in the physics, and then their hands shake."""

from random import Random

from ludoteca.core.levels import Sampling
from ludoteca.games.kingbrick import bricks, formations
from ludoteca.games.kingbrick.bricks import FREEZE, STANDARD, army_read
from ludoteca.games.kingbrick.notation import Army, Move, Ready, Stand, written
from ludoteca.games.kingbrick.state import State
from ludoteca.games.kingbrick.thinking import Thought

LEVELS = {
    "novice": Sampling(samples=3, shake=14.0, force=0.4, foresight=0.0),
    "casual": Sampling(samples=12, shake=4.0, force=0.2, foresight=0.3),
    "club": Sampling(samples=24, finalists=3, repeats=2, shake=2.0, force=0.1),
    "expert": Sampling(samples=64, finalists=6, repeats=4, shake=0.4, force=0.03),
}

# Armies and formations, from those who build as it comes to those who know what shields a King.
OPEN = ("line", "scatter", "towers")
CLOSED = ("wall", "fortress")
SPECIAL = "K A N 16G 2F"
EXTRA = "K A N H O D 11G 2F"


def choose(state: State, seat: int, level: Sampling, rng: Random) -> str:
    """A move of a seat that is to move, as text."""
    if state.turn is None:
        return "\n".join(map(written, set_up(state, seat, level, rng)))
    return written(Thought(state, seat, level, rng).move())


def set_up(state: State, seat: int, level: Sampling, rng: Random) -> list[Move]:
    """Without a look at the other's (KB-10)."""
    letters = army_read(army(state, level))
    assert letters is not None
    keys = CLOSED if level.foresight >= 1 else OPEN
    spots = formations.spots(keys[int(len(keys) * rng.random())], seat)
    standing = [name for name, kind in bricks.named(letters, seat).items() if kind != FREEZE]
    stands = [Stand(name, *spot, 1) for name, spot in zip(standing, spots, strict=False)]
    return [Army(letters), *stands, Ready()]


def army(state: State, level: Sampling) -> str:
    if level.foresight < 1:
        return STANDARD
    return EXTRA if state.extra else SPECIAL
