"""How bots play KingBrick: they build by their level, try flicks out in the physics, and then their hands shake."""

from random import Random
from typing import NamedTuple

from ludoteca.games.kingbrick import bricks
from ludoteca.games.kingbrick.bricks import FREEZE, STANDARD, army_read
from ludoteca.games.kingbrick.formations import COMPANIES, spots
from ludoteca.games.kingbrick.levels import Sampling, Searching
from ludoteca.games.kingbrick.notation import Army, Move, Ready, Stand, written
from ludoteca.games.kingbrick.racing import Race
from ludoteca.games.kingbrick.state import State
from ludoteca.games.kingbrick.thinking import Thought

LEVELS = {
    "novice": Sampling(samples=1, shake=25.0, force=0.6, foresight=0.0),
    "casual": Sampling(samples=12, shake=2.5, force=0.12, foresight=0.5),
    "club": Sampling(samples=36, finalists=6, repeats=3, shake=1.3, force=0.075),
    "expert": Searching(samples=6, flicks=11, finalists=3, shake=1.2, force=0.07),
    "master": Searching(samples=38, flicks=84, finalists=3, replies=9),
}


class Plan(NamedTuple):
    """The armies and formations that a bot chooses from, and its army where the extra bricks are agreed."""

    armies: tuple[str, ...]
    extra: str
    formations: tuple[str, ...]


ARMIES = tuple(company.army for company in COMPANIES)
PLANS = {
    "novice": Plan((STANDARD,), STANDARD, ("line", "scatter", "towers")),
    "casual": Plan(ARMIES, "K 2C 11G H O D", ("wall", "fortress")),
    "club": Plan(ARMIES, "K A N H O D 11G 2F", ("line", "towers", "scatter", "bunker")),
    "expert": Plan(("K 8G A N 8G 2F",), "K 8G A N H O D 3G 2F", ("bunker",)),
    "master": Plan(("K 8G A N 8G 2F",), "K 8G A N H O D 3G 2F", ("bunker",)),
}


def choose(state: State, seat: int, name: str, rng: Random) -> str:
    """Return a move of a seat that is to move, as text."""
    if state.turn is None:
        return "\n".join(map(written, set_up(state, seat, PLANS[name], rng)))
    level = LEVELS[name]
    thinks = Race if isinstance(level, Searching) else Thought
    return written(thinks(state, seat, level, rng).move())


def set_up(state: State, seat: int, plan: Plan, rng: Random) -> list[Move]:
    """Return a set-up. It does not depend on the other one's (KB-10). Happy faces are up, where a brick has some."""
    letters = army_read(plan.extra if state.extra else _one(plan.armies, rng))
    assert letters is not None
    places = spots(_one(plan.formations, rng), seat)
    standing = [name for name, kind in bricks.named(letters, seat).items() if kind != FREEZE]
    stands = [Stand(name, *spot, 1) for name, spot in zip(standing, places, strict=False)]
    return [Army(letters), *stands, Ready()]


def _one(choices: tuple[str, ...], rng: Random) -> str:
    return choices[int(len(choices) * rng.random())]
