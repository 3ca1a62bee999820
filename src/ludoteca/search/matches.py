"""Matches side by side for programs that learn: every call of `step` makes one decision in each, in compiled code."""

from collections.abc import Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from ludoteca.core import tensors
from ludoteca.core.binding import GenericFunction, bind
from ludoteca.core.game import Game, OptionValue
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.random import generator, key_of
from ludoteca.search import bots, playouts, stepping, whole
from ludoteca.search.stepping import ENDED, GOES_ON, Answers, Rows
from ludoteca.search.workbench import seated, thinkers

REPLACE, LOSE = "replace", "lose"  # what follows an illegal move
FOLLOWS = {REPLACE: GOES_ON, LOSE: ENDED}


@cache
def bound_steps(game: KernelGame, with_bots: bool) -> SimpleNamespace:
    """Return the functions of stepping.py, compiled for a game, with its thinking bots or without."""
    code, rules = tensors.encoding(game.key), game.rules
    also: dict[str, Any] = {"encode": code.encode, "is_legal": rules.is_legal, "BOTS": with_bots}
    if hasattr(code, "mask"):
        also["mask"] = code.mask
    functions: list[GenericFunction] = [*playouts.CHANCE_FUNCTIONS, whole.match_key, whole.start_bots]
    if with_bots:
        functions.append(whole.bot_move)
        also |= thinkers(game)
    bound = bind((*functions, *stepping.FUNCTIONS), rules, also)
    bound.mask = code.mask if hasattr(code, "mask") else bound.mask
    return bound


class Matches:
    """So many matches of a game with one agreement. For one thread at a time.

    The seats without a bot are the learners'. A match that ends is followed by another: at the next step, which then
    makes no move, or in the same step. `most` decisions of the learners end a match as truncated; 0: none do.
    """

    def __init__(
        self,
        game: KernelGame,
        agreed: Mapping[str, OptionValue],
        count: int,
        names: Sequence[str | None] = (),
        is_same_step: bool = False,
        illegal: str = REPLACE,
        penalty: float = -1.0,
        most: int = 0,
        is_fresh: bool = True,
    ) -> None:
        self.game, self.count, self.players = game, count, int(agreed["players"] or 0)
        self.is_fresh, self._most, self._penalty = is_fresh, most, np.float32(penalty)
        self._is_same_step, self._on_illegal = is_same_step, FOLLOWS[illegal]
        self._options = game.options_record(agreed)
        names = [*names, *[None] * (self.players - len(names))]
        for name in filter(None, names):
            bots.check_name(game, name)
        thinks = any(name not in (None, bots.RANDOM) for name in names)
        self._bound = bound_steps(game, thinks)
        self._company = seated(game, [name or bots.RANDOM for name in names]) if thinks else (None,) * 4
        rules = game.rules
        self.rows = Rows(
            states=np.zeros(count, rules.State).view(np.recarray),
            seeds=np.zeros(count, np.uint64),
            keys=np.zeros(count, np.uint64),
            numbers=np.zeros(count, np.int64),
            draws=np.zeros(count, np.int64),
            decisions=np.zeros(count, np.int64),
            rngs=np.ones((count, rules.SEATS + 1, 1), np.uint64),
            learners=np.full(count, sum(1 << seat for seat, name in enumerate(names) if not name), np.int64),
            seats=np.zeros(count, np.int64),
            waits=np.zeros(count, np.bool_),
        )
        self._final = np.zeros((count if is_same_step else 0, *tensors.encoding(game.key).SHAPE), np.float32)
        self.answers = self._new_answers()

    def _new_answers(self) -> Answers:
        n = self.count
        return Answers(
            observations=np.empty((n, *tensors.encoding(self.game.key).SHAPE), np.float32),
            masks=np.empty((n, self.game.rules.MAX_MOVES), np.int8),
            rewards=np.empty((n, self.players), np.float32),
            terminated=np.empty(n, np.bool_),
            truncated=np.empty(n, np.bool_),
            illegal=np.empty(n, np.bool_),
            final=self._final,
        )

    def seed(self, seeds: Sequence[int], chosen: Any = None) -> None:
        """Start every row's sequence of matches anew: the same seed gives the same matches in any row."""
        rows = range(self.count) if chosen is None else np.flatnonzero(chosen).tolist()
        for row in rows:
            self.rows.seeds[row] = key_of(int(seeds[row]))
            self.rows.numbers[row] = 0

    def reset(self, chosen: Any = None) -> Answers:
        """Begin a match in every row, or in those that are chosen."""
        if chosen is None:
            chosen = np.ones(self.count, np.bool_)
        if self.is_fresh:
            self.answers = Answers(*(field.copy() for field in self.answers))._replace(final=self._final)
        self._bound.reset_rows(self.rows, chosen, self._options, self.answers, *self._company)
        return self.answers

    def step(self, moves: Any) -> Answers:
        """Make these moves, an int64 array, one in each row."""
        if self.is_fresh:
            self.answers = self._new_answers()
        how = (self._is_same_step, self._on_illegal, self._penalty, self._most)
        self._bound.step_rows(self.rows, moves, self._options, self.answers, *how, *self._company)
        return self.answers

    def sample(self, rng: Any) -> Any:
        """Return a random legal move for every row."""
        moves = np.empty(self.count, np.int64)
        self._bound.sample_rows(self.answers.masks, rng, moves)
        return moves


def warm(game: Game) -> None:
    """Compile what environments of a game need."""
    if not isinstance(game, KernelGame):
        return
    matches = Matches(game, game.agree({}), 1)
    matches.seed([0])
    matches.reset()
    matches.step(matches.sample(generator("warm")))
