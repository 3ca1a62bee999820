"""Gymnasium environments of every game: one agent against bots of any level."""

from collections.abc import Sequence
from typing import Any

import gymnasium

from ludoteca.core import registry
from ludoteca.rl import rendering, spaces
from ludoteca.rl.seating import BadSeating, opponents
from ludoteca.rl.tables import NotReset, table
from ludoteca.search.matches import REPLACE

SEEDS = 1 << 62


class SingleAgentEnv(gymnasium.Env[Any, Any]):
    """One agent on seat `seat`, from 0, or with `seat=None` on one that lots decide, match by match.

    An action that is not legal is never an exception. With `illegal="replace"` a random legal move is made, with "lose"
    the match ends with `penalty`; `info["illegal_action"]` tells in both cases. Where actions are not numbered
    moves the nearest possible one is always made, and the info tells as well.
    """

    metadata = {"render_modes": list(rendering.MODES), "render_fps": rendering.FRAMES_A_SECOND}

    def __init__(
        self,
        game: str,
        bots: str | Sequence[str] = "random",
        seat: int | None = 0,
        illegal: str = REPLACE,
        penalty: float = -1.0,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        players = int(registry.game(game).agree(options)["players"] or 0)
        if seat is None and not isinstance(bots, str):
            raise BadSeating("several bots and a seat by lot: name one bot, or a seat")
        names = opponents(registry.game(game), bots, seat or 0, players)
        if seat is None:
            names[0] = names[-1]  # every seat has its bot, but the one that the agent takes
        self._table = table(game, options, names, illegal, penalty)
        self._chosen, self._players = seat, players
        self._seat = seat or 0
        self.observation_space = spaces.observation_space(game)
        self.action_space = spaces.action_space(game)
        self.render_mode = rendering.checked(render_mode)
        self._screen = rendering.Screen(game, render_mode)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._table.seed(seed if seed is not None else int(self.np_random.integers(SEEDS)))
        if self._chosen is None:
            self._seat = int(self.np_random.integers(self._players))
        self._table.reset(self._seat)
        return self._observed(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self._table.acts is None:
            raise NotReset("no match is running: call reset() before step()")
        self._table.step(action)
        is_over = self._table.acts is None
        reward = float(self._table.rewards[self._seat])
        if self.render_mode == rendering.HUMAN:
            self.render()
        return self._observed(), reward, is_over, False, self._info()

    def _observed(self) -> Any:
        return spaces.observed(self._table, self._seat)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"seat": self._seat}
        if self._table.changed:
            info["illegal_action"] = True
        return info

    def action_masks(self) -> Any:
        """Return the mask of the legal actions, as MaskablePPO of sb3-contrib asks for it."""
        return self._table.mask(self._seat)

    def render(self) -> Any:
        """Show the board as the agent sees it."""
        return self._screen.shown(self._table.view(self._seat))

    def close(self) -> None:
        self._screen.close()
