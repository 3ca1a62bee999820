"""Matches of our strongest level against OpenSpiel's tree search, which plays our games through its own interface.

python bench/matches_against_open_spiel.py [matches a game] [--games pinpoint] [--times 1] [--least 8] [--kept FILE]

Two players; the seats change after every match. OpenSpiel's bot gets at least the processor time that our level takes:
before each of its decisions our level is asked about the same position, and what that took is the time for its search.
With --times 10 it gets ten times as much; it always has the simulations that --least names. The search is OpenSpiel's
MCTSBot or, where hands are hidden, its ISMCTSBot (information sets), which gets hidden hands dealt anew by `conceal`.
Both are its versions in Python: its MCTSBot in C++ crashes on games that are written in Python, also on its own.

With --kept every match is appended to the file when it is over, and a stopped run goes on. docs/strength.md has the
matches of bench/strength.jsonl that were played at equal time.
"""

import argparse
import importlib.util
import os
import time
from collections.abc import Sequence
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from bot_sources import digest
from ladder import Kept, Results
from open_spiel_matches import WANTED, OpenSpielMatch, Played, together

from ludoteca.core import registry
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.random import generator
from ludoteca.lab.workers import in_order
from ludoteca.search import bots

MATCHES = 20
UCT_C = 2.0  # as in OpenSpiel's own example
LEAST = 8  # simulations of a decision; the first search, which measures the rate, has them too
MARGIN = 1.25  # more simulations than the rate promises: the bot gets at least the time
SEED = "open_spiel"


class OpenSpielBot:
    """OpenSpiel's search for one match, with as many simulations as the time allows."""

    def __init__(self, game: Any, kernel: KernelGame, least: int, seed: int) -> None:
        from open_spiel.python.algorithms import mcts

        self._game, self._kernel, self._least = game, kernel, least
        self._random = np.random.RandomState(seed)
        self._evaluator = mcts.RandomRolloutEvaluator(1, self._random)
        self._rng = generator(SEED, "worlds", seed)
        self._rate = 0.0  # simulations per second

    def choose(self, state: Any, seconds: float) -> tuple[int, float, int]:
        """Return the move after a search of about so many seconds, the seconds that it took, and its simulations."""
        if not self._rate and len(state.legal_actions()) > 1:
            _, spent = self._search(state, self._least)
            self._rate = self._least / spent
        simulations = max(self._least, ceil(seconds * self._rate * MARGIN))
        move, spent = self._search(state, simulations)
        if len(state.legal_actions()) > 1:  # its bot makes a forced move at once, which says nothing of its rate
            self._rate = simulations / spent
        return move, spent, simulations

    def _search(self, state: Any, simulations: int) -> tuple[int, float]:
        bot = self._bot(simulations)
        began = time.process_time()
        move = int(bot.step(state))
        return move, time.process_time() - began

    def _bot(self, simulations: int) -> Any:
        from open_spiel.python.algorithms import ismcts, mcts

        if not self._kernel.rules.HIDDEN:
            return mcts.MCTSBot(self._game, UCT_C, simulations, self._evaluator, random_state=self._random)
        bot = ismcts.ISMCTSBot(
            self._game, self._evaluator, UCT_C, simulations, random_state=self._random, use_observation_string=True
        )
        bot.set_resampler(self._another_world)
        return bot

    def _another_world(self, state: Any, player: int) -> Any:
        """Return a state that looks the same to the player, with everything dealt anew that it cannot see."""
        return state.with_record(self._kernel.concealed(state.record, player + 1, self._rng))


def play(key: str, level: str, times: float, least: int, number: int) -> Played:
    """Play the match with this number, from 1. Our level sits in seat 1 in odd matches."""
    import pyspiel

    from ludoteca.rl import spiel

    kernel = registry.game(key)
    assert isinstance(kernel, KernelGame)
    bots.warm(kernel)
    game = pyspiel.load_game(spiel.register(key))
    own, state, draws = (number + 1) % 2, game.new_initial_state(), np.random.RandomState((number + 1) // 2)
    other, rng = OpenSpielBot(game, kernel, least, number), generator(SEED, key, number)
    ours = its = simulations = 0
    our_seconds = its_seconds = due = 0.0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(draws.choice(outcomes, p=odds)))
            continue
        seat = state.current_player()
        began = time.process_time()
        text = bots.choose_with(kernel, level, state.record, seat + 1, rng)
        spent = time.process_time() - began
        if seat == own:
            ours, our_seconds, move = ours + 1, our_seconds + spent, kernel.parse(state.record, text)
        else:
            move, took, tried = other.choose(state, spent * times)
            its, its_seconds, due, simulations = its + 1, its_seconds + took, due + spent, simulations + tried
        state.apply_action(int(move))
    return Played((1 + state.returns()[own]) / 2, ours, our_seconds, its, its_seconds, due, simulations)


def play_all(key: str, level: str, times: float, least: int, kept: Path | None, numbers: range) -> list[Played]:
    """Play the matches with these numbers that are not kept already."""
    known = Results(Kept(kept)).against_open_spiel(key, level, times, least) if kept else {}
    found = []
    for number in numbers:
        if number not in known:
            known[number] = play(key, level, times, least, number)
            if kept:
                Kept(kept).add(OpenSpielMatch(key, level, digest(key, (level,)), times, least, number, known[number]))
        found.append(known[number])
    return found


def told(key: str, level: str, all_: Sequence[Played]) -> str:
    """Return the line of a game."""
    found = together(all_)
    return (
        f"{registry.game(key).name}, {level} against OpenSpiel's tree search: {found.share:.1%} of {found.matches} "
        f"matches, 95 % between {found.low:.1%} and {found.high:.1%} (wanted: {WANTED:.0%}); "
        f"{found.ours * 1000:.0f} ms for our decisions; {found.its * 1000:.0f} ms and {found.simulations:.0f} "
        f"simulations for its decisions, where ours would take {found.due * 1000:.0f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matches", type=int, nargs="?", default=MATCHES, help="matches a game")
    parser.add_argument("--games", help="such as pinpoint,aftaebr (default: all with a kernel)")
    parser.add_argument("--times", type=float, default=1.0, help="the time of OpenSpiel's bot, in times of ours")
    parser.add_argument("--least", type=int, default=LEAST, help="simulations that it has at least")
    parser.add_argument("--kept", type=Path, help="a file of finished matches to go on with")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    if importlib.util.find_spec("pyspiel") is None:
        print("OpenSpiel is not installed: pip install 'ludoteca[bench]' to play against it")
        return
    for key in asked.games.split(",") if asked.games else registry.game_keys():
        game = registry.game(key)
        if isinstance(game, KernelGame):
            level, numbers = bots.names(game)[-1], range(1, asked.matches + 1)
            task = partial(play_all, key, level, asked.times, asked.least, asked.kept)
            found = [one for some in in_order(task, numbers, asked.workers, key, True) for one in some]
            print(told(key, level, found), flush=True)


if __name__ == "__main__":
    main()
