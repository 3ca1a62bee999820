"""AFTAEBR: positions per second of the lookahead, and the length of matches in random and in expert play."""

import time
from collections.abc import Sequence

import numpy as np

from ludoteca.core import registry
from ludoteca.core.kernel import CHANCE
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.levels import Lookahead
from ludoteca.core.random import generator
from ludoteca.lab.plan import planned, play_one
from ludoteca.search import bots

KEY = "aftaebr"
RANDOM_MATCHES, EXPERT_MATCHES = 500, 100


def turns(players: int, bot: str, matches: int) -> list[int]:
    """Return the turns of every match: its entries except lots and colours. Each is one put or pass."""
    plan = planned(KEY, {"players": players}, [bot], matches, "length")
    return [len(play_one(plan, number).log) - 1 - players for number in range(1, matches + 1)]


def told(players: int, bot: str, lengths: Sequence[int]) -> str:
    middle, long = np.quantile(lengths, (0.5, 0.99))
    return f"AFTAEBR, {players} players, {bot}: {middle:.0f} turns a match in the middle, {long:.0f} at 99 %"


def positions_a_second() -> float:
    """Return the rate over the moves of one expert match, by processor time."""
    game = registry.game(KEY)
    assert isinstance(game, KernelGame)
    level = bots.guide(KEY).LEVELS["expert"]
    assert isinstance(level, Lookahead)
    expert, rng = bots.LookaheadBot(game.rules, bots.guide(KEY), level), generator("positions")
    state = game.start(game.agree({"start": 1}))
    expert.warm(state, rng)
    looked, began = int(expert.desk.looked[0]), time.process_time()
    while game.rules.actor(state) > CHANCE:
        game.rules.play(state, expert.choose(state, rng))
    return (int(expert.desk.looked[0]) - looked) / (time.process_time() - began)


def measure() -> list[str]:
    lines = [f"AFTAEBR, lookahead: {positions_a_second():,.0f} positions/s"]
    lines += [told(players, "random", turns(players, "random", RANDOM_MATCHES)) for players in (2, 4)]
    return [*lines, told(2, "expert", turns(2, "expert", EXPERT_MATCHES))]


if __name__ == "__main__":
    print(*measure(), sep="\n")
