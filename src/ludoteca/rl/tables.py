"""One match after the other for an environment: the same few calls for games with a kernel and for measured ones.

Seats count from 0 here, as everywhere in the environments.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from random import Random
from typing import Any, Protocol

import numpy as np

from ludoteca.core import registry, tensors
from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import Game, OptionValue
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.random import generator, word_at
from ludoteca.core.random import key_of as key_of_seed
from ludoteca.search import bots
from ludoteca.search.matches import REPLACE, Matches


class NotReset(LudotecaError):
    code = "environment/not_reset"


Names = Sequence[str | None]  # by seat: the bot that plays there; None for a learner


class Table(Protocol):
    players: int
    acts: int | None  # the learner who is to move; None when the match is over
    rewards: Any  # by seat: -1 to 1 when the match is over
    changed: bool  # whether the last action was not legal, and another move was made or the match ended

    def seed(self, seed: int) -> None:
        """The same seed gives the same matches, one after the other."""

    def reset(self, learner: int | None = None) -> None:
        """Begin a match. A seat that is given becomes the only one that learns."""

    def step(self, action: Any) -> None:
        """Make a move for the learner who acts; then the table and the bots go on until a learner is to move."""

    def observe(self, seat: int) -> Any:
        """Return what a seat sees, in an array of its own."""

    def mask(self, seat: int) -> Any:
        """Return 1 for each of a seat's legal moves; all of them once the match is over; none while others act."""

    def view(self, seat: int) -> dict[str, Any]:
        """Return what a seat sees as JSON."""


def table(
    key: str, options: Mapping[str, object], names: Names = (), illegal: str = REPLACE, penalty: float = -1.0
) -> Table:
    game = registry.game(key)
    agreed = game.agree(options)
    if isinstance(game, KernelGame):
        return KernelTable(game, agreed, names, illegal, penalty)
    return MeasuredTable(game, agreed, names)


class KernelTable:
    """The moves are numbers, and all that follows from one is compiled."""

    def __init__(
        self, game: KernelGame, agreed: Mapping[str, OptionValue], names: Names, illegal: str, penalty: float
    ) -> None:
        self.game, self.players, self._names = game, int(agreed["players"] or 0), names
        self._matches = Matches(game, agreed, 1, names, illegal=illegal, penalty=penalty)
        self._shape = tensors.encoding(game.key).SHAPE
        self._encode = tensors.encoding(game.key).encode
        self._state = self._matches.rows.states[0]
        self._moves = np.zeros(1, np.int64)
        self.acts: int | None = None
        self.rewards: Any = np.zeros(self.players, np.float32)
        self.changed = False

    def seed(self, seed: int) -> None:
        self._matches.seed([seed])

    def reset(self, learner: int | None = None) -> None:
        if learner is not None:
            self._matches.rows.learners[0] = 1 << learner
        self._read(self._matches.reset())

    def step(self, action: Any) -> None:
        self._moves[0] = action
        self._read(self._matches.step(self._moves))

    def _read(self, answers: Any) -> None:
        self.rewards, self.changed = answers.rewards[0], bool(answers.illegal[0])
        self.acts = None if answers.terminated[0] else int(self._matches.rows.seats[0])

    def observe(self, seat: int) -> Any:
        if seat == self._matches.rows.seats[0]:
            return self._matches.answers.observations[0].copy()
        out = np.empty(self._shape, np.float32)
        self._encode(self._state, seat, out)
        return out

    def mask(self, seat: int) -> Any:
        if self.acts is None or seat == self.acts:
            return self._matches.answers.masks[0].copy()
        return np.zeros(self.game.rules.MAX_MOVES, np.int8)

    def view(self, seat: int) -> dict[str, Any]:
        return self.game.view(self._state, seat + 1)


class MeasuredTable:
    """The moves are texts, which the game's encode.py makes of an agent's numbers, and physics says what follows."""

    def __init__(self, game: Game, agreed: Mapping[str, OptionValue], names: Names) -> None:
        self.game, self.players, self._agreed = game, int(agreed["players"] or 0), agreed
        self._code = tensors.encoding(game.key)
        self._names = [*names, *[None] * (self.players - len(names))]
        for name in filter(None, self._names):
            bots.check_name(game, name)
        self._learners = {seat for seat, name in enumerate(self._names) if not name}
        self._key, self._number = key_of_seed(0), 0
        self.acts: int | None = None
        self.rewards: Any = np.zeros(self.players, np.float32)
        self.changed = False

    def seed(self, seed: int) -> None:
        self._key, self._number = key_of_seed(seed), 0

    def reset(self, learner: int | None = None) -> None:
        if learner is not None:
            self._learners = {learner}
        self.acts = None
        while self.acts is None:  # a match that ends before a learner has moved is passed over
            self._number += 1
            key = int(word_at(self._key, self._number))
            self._chance, self._rng = Random(key), generator("bots", key)
            self._state = self.game.start(self._agreed)
            self.changed = False
            self._go_on()

    def step(self, action: Any) -> None:
        assert self.acts is not None
        move, self.changed = self._code.chosen(self._state, self.acts, action)
        self._play(self.acts + 1, move)
        self._go_on()

    def _play(self, by: int, move: str) -> None:
        for line in move.split("\n"):
            self._state = self.game.play(self._state, by, line).state

    def _go_on(self) -> None:
        game = self.game
        while (result := game.outcome(self._state, frozenset())) is None:
            drawn = game.chance(self._state, self._draw)
            if drawn is not None:
                self._play(0, drawn)
                continue
            seat = game.to_move(self._state)[0] - 1
            move = self._code.automatic(self._state, seat)
            if move is None and seat in self._learners:
                self.acts, self.rewards = seat, np.zeros(self.players, np.float32)
                return
            if move is None:
                name = self._names[seat] or bots.RANDOM
                move = bots.choose_with(game, name, self._state, seat + 1, self._rng)
            self._play(seat + 1, move)
        won = [seat in result.winners for seat in range(1, self.players + 1)]
        self.acts = None
        self.rewards = np.array([0.0 if not any(won) else 1.0 if one else -1.0 for one in won], np.float32)

    def _draw(self, weights: Sequence[int]) -> int:
        ticket = self._chance.randrange(sum(weights))
        return bisect_right(list(accumulate(weights)), ticket)

    def observe(self, seat: int) -> Any:
        out = np.empty(self._code.SHAPE, np.float32)
        self._code.encode(self._state, seat, out)
        return out

    def mask(self, seat: int) -> Any:
        return None

    def view(self, seat: int) -> dict[str, Any]:
        return self.game.view(self._state, seat + 1)
