"""Learns the values that a tree search asks for (fitting.py), in rounds of matches: `ludoteca train`."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from ludoteca.core.compiler import sources_digest
from ludoteca.core.errors import BadOption
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.levels import TreeSearch
from ludoteca.core.random import key_of, word_at
from ludoteca.search import bots, fitting, learned
from ludoteca.search.workbench import Workbench

ROUNDS = 3  # the first one plays with playouts, the others with what was learned so far
ROWS_A_MATCH = 128
SURPRISES = 0.05
STEPS, BOLD_STEPS = 400, 250  # of a fit
PENALTY = 3e-5  # on the square of a weight
PASSES = 3  # fits to the values of later positions, each with the weights of the fit before


class FitPlan(msgspec.Struct, frozen=True):
    """What is learned: the same plan gives the same weights."""

    game: str
    matches: int  # at each of the guide's tables
    seed: str = "train"
    fade: float = 0.7


class Fitter:
    """Plays rounds of matches and fits the weights to all results so far."""

    def __init__(self, game: KernelGame, plan: FitPlan) -> None:
        self._game, self._advice, self._plan = game, bots.guide(game.key), plan
        self._play: TreeSearch = self._advice.SELF_PLAY
        if plan.matches < ROUNDS:
            raise BadOption("matches", plan.matches, f"{ROUNDS} are needed at least, one for each round")
        self._bound = bots.bound_informed(game.rules, self._advice, fitting.FUNCTIONS)
        self._tree = bots.tree_for(game.rules, self._play.simulations)
        self._pool = np.zeros(3 + self._play.deals, game.rules.State).view(np.recarray)
        self.weights = np.zeros(self._advice.WEIGHTS, np.float32)
        self.seconds, self.figures = 0.0, list[dict[str, float]]()

    def run(self, check_matches: int) -> Iterator[dict[str, float]]:
        """Train, and yield after each round how it went, also in matches against the same search with playouts."""
        parts: list[fitting.Rows] = []
        numbers = np.array_split(np.arange(1, self._plan.matches + 1), ROUNDS)
        for turn, part in enumerate(numbers):
            began = time.process_time()
            weights = self.weights if turn else learned.NO_WEIGHTS
            parts += [self._played(options, part, weights) for options in self._advice.SELF_PLAY_TABLES]
            rows = fitting.Rows(*map(np.concatenate, zip(*parts, strict=True)))
            fit = fitted(self._bound, rows, self._advice.WEIGHTS, self._plan.fade)
            self.weights = fit.astype(np.float16).astype(np.float32)  # as they are shipped
            self.seconds += time.process_time() - began
            figures: dict[str, float] = {"matches": int(part[-1]), "positions": len(rows.lengths)}
            if check_matches:
                share = self.strength(check_matches)
                figures |= {"share": round(share, 3), "of": check_matches}
            self.figures.append(figures)
            yield figures

    def _played(self, options: dict[str, Any], numbers: Any, weights: Any) -> fitting.Rows:
        """Return the positions of the matches with these numbers at one table."""
        agreed = self._game.agree(options)
        base = key_of("train", self._plan.seed, *agreed.values())
        keys = np.array([word_at(base, number) for number in numbers.tolist()], np.uint64)
        room, most = len(keys) * ROWS_A_MATCH, self._advice.MOST_FEATURES
        rows = fitting.Rows(
            np.zeros((room, most), np.int32),
            np.zeros((room, most), np.float32),
            np.zeros(room, np.int32),
            np.zeros(room, np.int8),
            np.zeros(room, np.bool_),
            np.zeros(room, np.bool_),
            np.zeros(room, np.float32),
            np.zeros(room, np.float32),
        )
        course = fitting.Course(self._play.simulations, np.float32(self._play.exploration), SURPRISES)
        deals = self._pool[3:]
        n = self._bound.play_and_remember(
            self._game.options_record(agreed), keys, course, weights, self._pool[:3], deals, self._tree, rows, 0
        )
        return fitting.Rows(*(array[:n] for array in rows))

    def strength(self, matches: int) -> float:
        """Return the share of matches that the learned value wins against playouts, with as many simulations."""
        own, other = (msgspec.structs.replace(self._play, learned=is_learned) for is_learned in (True, False))
        agreed, won = self._game.agree(self._advice.SELF_PLAY_TABLES[0]), 0.0
        numbers = np.arange(1, max(1, matches // 2) + 1)
        for seat, pair in enumerate(((own, other), (other, own))):
            book = Workbench(self._game, agreed, pair, self.weights).play(key_of("strength"), numbers, keep=False)
            for winners in book.winners.tolist():
                won += (winners >> seat & 1) / winners.bit_count() if winners else 0.5
        return won / (2 * len(numbers))

    def ship(self) -> Path:
        """Write the weights beside the game's guide.py, with what made them."""
        plan, path = self._plan, learned.weights_file(self._advice)
        made = {
            "command": f"ludoteca train {plan.game} --matches {plan.matches} --seed {plan.seed} --fade {plan.fade:g}",
            "plan": msgspec.to_builtins(plan),
            "sources": sources_digest(),
            "matches": plan.matches,
            "seconds": round(self.seconds),
            "figures": self.figures,
        }
        learned.write_weights(path, self.weights, made)
        return path


def fitted(bound: Any, rows: fitting.Rows, n_weights: int, fade: float) -> Any:
    """Return the weights that fit what followed the positions best."""
    rows.goals[:] = rows.results
    weights = _climbed(bound, rows, np.zeros(n_weights))
    for _ in range(PASSES if fade < 1 else 0):
        bound.set_goals(rows, weights, fade)
        weights = _climbed(bound, rows, weights)
    return weights


def _climbed(bound: Any, rows: fitting.Rows, weights: Any) -> Any:
    """Return better weights for the goals, by steps of Adam."""
    weights, mean, square, found = weights.copy(), *(np.zeros(len(weights)) for _ in range(3))
    for step in range(1, STEPS + 1):
        bound.slope(rows, weights, found)
        found -= PENALTY * weights
        mean, square = 0.9 * mean + 0.1 * found, 0.99 * square + 0.01 * found**2
        rate = 0.05 if step <= BOLD_STEPS else 0.01
        weights += rate * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-6)
    return weights
