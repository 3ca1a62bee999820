"""PettingZoo environments of every game: agents in turn (AEC), or all at once where all but one of them only watch."""

from typing import Any

import numpy as np
from gymnasium import spaces as gymnasium_spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from ludoteca.core import tensors
from ludoteca.rl import rendering, spaces
from ludoteca.rl.tables import NotReset, table
from ludoteca.search.matches import LOSE


class TurnEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A game whose agents act in turn, `player_0` on the first seat.

    An illegal action is punished as PettingZoo does: the match ends with -1 for that agent and 0 for the others; with
    `illegal="replace"` a random legal move is made instead. Both are told in `infos`.
    """

    def __init__(
        self,
        game: str,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        illegal: str = LOSE,
        **options: object,
    ) -> None:
        super().__init__()
        self.metadata = {
            "name": f"{game}_v{tensors.encoding(game).VERSION}",
            "render_modes": list(rendering.MODES),
            "render_fps": rendering.FRAMES_A_SECOND,
            "is_parallelizable": False,
        }
        self._table = table(game, options, illegal=illegal)
        self._seats = {f"player_{seat}": seat for seat in range(self._table.players)}
        self.possible_agents = list(self._seats)
        self.agents: list[str] = []
        self.max_cycles = max_cycles
        self.render_mode = rendering.checked(render_mode)
        self._screen = rendering.Screen(game, render_mode)
        self._observation_spaces = {agent: spaces.observation_space(game) for agent in self._seats}
        self._action_spaces = {agent: spaces.action_space(game) for agent in self._seats}
        one = spaces.tensor_space(game)
        several = (len(self._seats), *one.shape)
        self.state_space = gymnasium_spaces.Box(float(one.low.min()), float(one.high.max()), several, np.float32)
        self._is_seeded = False

    def observation_space(self, agent: str) -> gymnasium_spaces.Space[Any]:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium_spaces.Space[Any]:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next match of the current seed, or the first of a new one."""
        if seed is not None or not self._is_seeded:
            self._table.seed(seed if seed is not None else int(np.random.SeedSequence().generate_state(1)[0]))
            self._is_seeded = True
        self._table.reset()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._acting()
        self._skip_agent_selection = None
        self._turns = 0

    def _acting(self) -> str:
        assert self._table.acts is not None
        return self.possible_agents[self._table.acts]

    def step(self, action: Any) -> None:
        if not self._is_seeded:
            raise NotReset("call reset() before step()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._table.step(action)
        self._turns += 1
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, self._table.rewards.tolist(), strict=True))
        self.infos = {other: {} for other in self.agents}
        if self._table.changed:
            self.infos[agent]["illegal_action"] = True
        if self._table.acts is None:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self._acting()
            if self.max_cycles is not None and self._turns >= self.max_cycles * len(self.agents):
                self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        if self.render_mode == rendering.HUMAN:
            self.render()

    def observe(self, agent: str) -> Any:
        return spaces.observed(self._table, self._seats[agent])

    def state(self) -> Any:
        """Return what all seats see, one after the other: for training that may look at everything."""
        return np.stack([self._table.observe(seat) for seat in self._seats.values()])

    def render(self) -> Any:
        """Show the board as the agent that is to move sees it."""
        return self._screen.shown(self._table.view(self._seats[self.agent_selection]))

    def close(self) -> None:
        self._screen.close()


def aec(game: str, **settings: Any) -> TurnEnv:
    """Return the AEC environment of a game. Further settings are the options of the game, such as `players=3`."""
    return TurnEnv(game, **settings)


def parallel(game: str, **settings: Any) -> ParallelEnv[str, Any, Any]:
    """Return the same as a parallel environment: the actions of agents that are not to move are ignored."""
    env: ParallelEnv[str, Any, Any] = turn_based_aec_to_parallel(TurnEnv(game, **settings))
    return env
