"""VectorEnv: many matches at once, one compiled call a step, with the interface of Gymnasium's vector environments."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from ludoteca.core import registry, tensors
from ludoteca.core.errors import LudotecaError
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.random import generator
from ludoteca.rl import spaces
from ludoteca.rl.seating import opponents
from ludoteca.search.matches import LOSE, Matches


class BadEnvironment(LudotecaError):
    code = "environment/bad"


class VectorEnv(GymnasiumVectorEnv[Any, Any, Any]):
    """`num_envs` matches of a game with a kernel.

    Every step makes one decision in each match and returns what the seat that acts next observes; `infos["seat"]` names
    that seat, from 0. Without `bots` all seats are yours (self-play) and the rewards have a column for each seat. With
    `bots`, a name or one for each opponent, the agent has the seat `seat` and the rewards are its own, one a match.

    - `autoreset_mode`: NextStep (the step after the end begins the next match and ignores the action) or SameStep (the
      match begins at once; `infos["final_obs"]` has the last observations of the rows in `infos["_final_obs"]`).
    - `illegal`: "lose" ends a match with `penalty` for the one who made an illegal move, "replace" makes a random legal
      move. `infos["illegal"]` tells.
    - `copy=False` returns the same arrays every time, overwritten by the next step.
    - `max_steps` decisions end a match as truncated.

    Row i of a seed s plays the matches that a single environment with seed s + i plays.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        bots: str | Sequence[str] | None = None,
        seat: int = 0,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        illegal: str = LOSE,
        penalty: float = -1.0,
        max_steps: int = 0,
        copy: bool = True,
        **options: object,
    ) -> None:
        known = registry.game(game)
        if not isinstance(known, KernelGame):
            raise BadEnvironment(f"{known.name} is measured by physics: it has no kernel to step many matches with")
        mode = AutoresetMode(autoreset_mode)
        if mode == AutoresetMode.DISABLED:
            raise BadEnvironment(f"autoreset_mode {mode.value!r}: one of NextStep, SameStep is wanted")
        agreed = known.agree(options)
        players = int(agreed["players"] or 0)
        names = () if bots is None else opponents(known, bots, seat, players)
        self.num_envs = num_envs
        self._is_alone, self._seat, self._mode, self._copy = bots is not None, seat, mode, copy
        self._matches = Matches(
            known, agreed, num_envs, names, mode == AutoresetMode.SAME_STEP, illegal, penalty, max_steps, copy
        )
        self.metadata = {"autoreset_mode": mode, "name": f"{game}_v{tensors.encoding(game).VERSION}"}
        self.single_observation_space = spaces.observation_space(game)
        self.single_action_space = spaces.action_space(game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rng = generator("sample")
        self._is_seeded = False

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a match in every row, or in those of `options["reset_mask"]`. Row i has the seed `seed + i`."""
        chosen = (options or {}).get("reset_mask")
        if seed is None and not self._is_seeded:
            seed = np.random.SeedSequence().generate_state(self.num_envs).tolist()
        if seed is not None:
            seeds = range(seed, seed + self.num_envs) if isinstance(seed, int) else seed
            if len(seeds) != self.num_envs:
                raise BadEnvironment(f"{len(seeds)} seeds for {self.num_envs} matches")
            self._matches.seed(seeds, chosen)
            self._rng = generator("sample", *seeds)
            self._is_seeded = True
        answers = self._matches.reset(chosen)
        return self._observed(answers), self._infos(answers)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        moves = np.ascontiguousarray(actions, np.int64)
        if moves.shape != (self.num_envs,):
            raise BadEnvironment(f"actions of shape {moves.shape}: ({self.num_envs},) is wanted, a move for each match")
        if not self._is_seeded:
            raise BadEnvironment("call reset() before step()")
        answers = self._matches.step(moves)
        infos = self._infos(answers)
        if self._mode == AutoresetMode.SAME_STEP:
            ended = answers.terminated | answers.truncated
            if ended.any():
                last = answers.final
                if self._copy:
                    last = np.zeros_like(last)
                    last[ended] = answers.final[ended]
                anything = np.repeat(ended[:, None].astype(np.int8), answers.masks.shape[1], axis=1)
                infos["final_obs"] = {"observation": last, "action_mask": anything}
                infos["_final_obs"] = ended
        rewards = np.ascontiguousarray(answers.rewards[:, self._seat]) if self._is_alone else answers.rewards
        return self._observed(answers), rewards, answers.terminated, answers.truncated, infos

    def _observed(self, answers: Any) -> dict[str, Any]:
        return {"observation": answers.observations, "action_mask": answers.masks}

    def _infos(self, answers: Any) -> dict[str, Any]:
        seats = self._matches.rows.seats
        return {"seat": seats.copy() if self._copy else seats, "illegal": answers.illegal}

    def sample(self) -> Any:
        """Return a random legal action for every match."""
        return self._matches.sample(self._rng)

    def close_extras(self, **kwargs: Any) -> None:
        """There is nothing to close."""


def against_bots(game: str, num_envs: int, bots: str | Sequence[str] = "random", **settings: Any) -> VectorEnv:
    """Return the VectorEnv of one agent against bots: for `gymnasium.make_vec`."""
    return VectorEnv(game, num_envs, bots=bots, **settings)
