"""Tic-Tac Match: random matches per second, and simulations per second of the search with hidden hands."""

import time

import numpy as np

from ludoteca.core import registry
from ludoteca.core.binding import bind
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.match import Match
from ludoteca.core.random import generator
from ludoteca.games.tictacmatch.guide import playout_move
from ludoteca.search import tree

ROUNDS = 3
MATCHES, SIMULATIONS = 20_000, 10_000


def rates(game: KernelGame, players: int) -> tuple[float, float]:
    """Return both rates by processor time: random matches from the deal on, simulations from the first move of one."""
    bound = bind(tree.FUNCTIONS, game.rules)
    guided = bind(tree.FUNCTIONS, game.rules, {"playout_move": playout_move})
    pool = np.zeros(1, game.rules.State).view(np.recarray)
    nodes = tree.new_tree(game.rules, SIMULATIONS * 4)
    start = game.start(game.agree({"players": players}))
    position = Match.new(game.key, {"players": players}).state
    seat, rng, totals = game.rules.actor(position), generator("rates"), np.zeros(game.rules.SEATS)
    playing, searching = [], []
    for times in (1, *[MATCHES] * ROUNDS):  # the first round compiles
        began = time.process_time()
        bound.playouts(start, pool, times, rng, totals)
        playing.append(times / (time.process_time() - began))
        began = time.process_time()
        guided.search(position, pool, nodes, min(times, SIMULATIONS), np.float32(1.0), seat, rng)
        searching.append(min(times, SIMULATIONS) / (time.process_time() - began))
    return max(playing[1:]), max(searching[1:])


def measure() -> list[str]:
    game = registry.game("tictacmatch")
    assert isinstance(game, KernelGame)
    lines = []
    for players in (2, 4):
        matches, simulations = rates(game, players)
        lines.append(
            f"{game.name}, {players} players: {matches:,.0f} random matches/s, {simulations:,.0f} simulations/s"
        )
    return lines


if __name__ == "__main__":
    print(*measure(), sep="\n")
