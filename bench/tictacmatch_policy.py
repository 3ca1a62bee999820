"""Tic-Tac Match: fits WEIGHTS of games/tictacmatch/policy.py to matches between bots, and prints them.

`bench/tictacmatch_policy.py --matches 100 --simulations 2000` plays that many matches of each table (two players,
teams, everybody alone; `--tables` names some of them) and fits a conditional logit: the odds of a move are the
product of exp(weight) over its traits. A fifth of the decisions is held back; the mean logarithm of the chance of the
moves made there is printed.
"""

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np

from ludoteca.core import registry
from ludoteca.core.compiler import compiled
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.levels import TreeSearch
from ludoteca.core.random import key_of
from ludoteca.games.tictacmatch.plays import TARGETS
from ludoteca.games.tictacmatch.policy import (
    ALLY_NEXT,
    LEFT,
    MINE,
    MOST_TRAITS,
    OPPONENT_NEXT,
    THEIRS,
    TRAITS,
    follows,
    look,
)
from ludoteca.games.tictacmatch.rules import State, actor, identity, play, start
from ludoteca.games.tictacmatch.threats import ONE_CARD, completing
from ludoteca.search import bots
from ludoteca.search.workbench import Workbench

KEY, NAME = "tictacmatch", "fitted"
TABLES: dict[str, dict[str, Any]] = {
    "two": {"players": 2},
    "teams": {"players": 4, "teams": True},
    "alone": {"players": 4, "teams": False},
}
ROOM = MINE * THEIRS  # weights of the threats that a move leaves, for each answer to who is next
NO_TRAIT = TRAITS  # its weight stays 0
STEPS, BOLD_STEPS, HELD_BACK, PENALTY = 1500, 800, 5, 0.0002


@compiled
def collect(state, options, moves, traits, decisions, chosen, n, decision):  # type: ignore[no-untyped-def]
    """Write the traits of all legal moves of every decision of a match. Return the next row and decision."""
    start(state, options)
    for move in moves:
        seat = actor(state)
        if seat >= 0 and move < TARGETS and state.n_listed > 1:
            own, following, lines = identity(state, seat), follows(state, seat), completing(state, ONE_CARD)
            for k in range(state.n_listed):
                found = look(state, state.hand[seat], own, following, lines, int(state.listed[k]), traits[n])
                traits[n, found:] = NO_TRAIT
                decisions[n], chosen[n] = decision, state.listed[k] == move
                n += 1
            decision += 1
        play(state, move)
    return n, decision


def gathered(tables: Sequence[str], matches: int, simulations: int) -> tuple[Any, Any, Any]:
    """Play the matches. Return the traits of all legal moves, the decision of each, and whether it was made."""
    game = registry.game(KEY)
    assert isinstance(game, KernelGame)
    bots.guide(KEY).LEVELS[NAME] = TreeSearch(simulations)
    parts, decision = [], 0
    for table in tables:
        agreed = game.agree(TABLES[table])
        bench = Workbench(game, agreed, [NAME] * TABLES[table]["players"])
        book = bench.play(key_of("fit", agreed["players"], agreed["teams"]), np.arange(1, matches + 1))
        parts.append(collected(game, agreed, book.moves, book.ends, decision))
        decision = parts[-1][1][-1] + 1
    traits, decisions, chosen = (np.concatenate(part) for part in zip(*parts, strict=True))
    return traits, decisions, chosen


def collected(game: KernelGame, agreed: Any, moves: Any, ends: Any, decision: int) -> tuple[Any, Any, Any]:
    """Return the same for the moves of some matches. Decisions are numbered from `decision` on."""
    state, options = np.zeros(1, State).view(np.recarray)[0], game.options_record(agreed)
    room = len(moves) * game.rules.MAX_COUNT
    traits, decisions = np.zeros((room, MOST_TRAITS), np.int64), np.zeros(room, np.int64)
    chosen = np.zeros(room, bool)
    n, begin = 0, 0
    for end in ends:
        n, decision = collect(state, options, moves[begin:end], traits, decisions, chosen, n, decision)
        begin = end
    return traits[:n], decisions[:n], chosen[:n]


def chances(weights: Any, traits: Any, decisions: Any) -> Any:
    """Return the chance of every move within its decision."""
    odds = np.exp(weights[traits].sum(axis=1))
    return odds / np.bincount(decisions, odds)[decisions]


def fitted(traits: Any, decisions: Any, chosen: Any, learnt: Any) -> Any:
    """Return the weights, by steps of Adam."""
    weights, mean, square = np.zeros(TRAITS + 1), np.zeros(TRAITS + 1), np.zeros(TRAITS + 1)
    for step in range(1, STEPS + 1):
        missing = (chosen - chances(weights, traits, decisions)) * learnt
        slope = sum(np.bincount(traits[:, i], missing, TRAITS + 1) for i in range(MOST_TRAITS))
        slope = slope / (chosen & learnt).sum() - PENALTY * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        rate = 0.1 if step <= BOLD_STEPS else 0.02
        weights += rate * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        weights[NO_TRAIT] = 0
    opponent, ally = (slice(LEFT + next_ * ROOM, LEFT + (next_ + 1) * ROOM) for next_ in (OPPONENT_NEXT, ALLY_NEXT))
    if not np.isin(traits, np.arange(ally.start, ally.stop)).any():
        weights[ally] = weights[opponent]  # nothing is known about allies
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--simulations", type=int, default=2000)
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=list(TABLES))
    given = parser.parse_args()
    traits, decisions, chosen = gathered(given.tables, given.matches, given.simulations)
    learnt = decisions % HELD_BACK > 0
    weights = fitted(traits, decisions, chosen, learnt)
    found = np.log(chances(weights, traits, decisions)[chosen & ~learnt]).mean()
    equal = np.log(chances(np.zeros(TRAITS + 1), traits, decisions)[chosen & ~learnt]).mean()
    print(f"{decisions[-1] + 1} decisions; held back: {found:.3f}, with equal odds {equal:.3f}")
    print(weights[:TRAITS].round(2).tolist())


if __name__ == "__main__":
    main()
