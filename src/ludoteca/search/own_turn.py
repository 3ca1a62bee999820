"""Proves wins that a seat reaches by its own moves in a row, before anybody else acts and before chance draws.

Where cards are hidden no ending is proved (search/solver.py), but such a win needs nothing of what others hold. It must
hold in every deal that the seat thinks possible.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ludoteca.core.kernel import OVER, copied
from ludoteca.core.kernel_game import KernelGame

WON = 1.0  # the payoff


def wins_alone(game: KernelGame, deals: Sequence[Any], seat: int, move: int, limit: int) -> bool:
    """Return whether the seat wins with this move and more moves of its own, the same ones in all deals.

    It gives up after a number of positions.
    """
    line = _winning_line(game, deals[0], seat, move, limit)
    return line is not None and all(_is_won(game, deal, seat, line) for deal in deals[1:])


def _winning_line(game: KernelGame, state: Any, seat: int, first: int, limit: int) -> list[int] | None:
    """Return moves that win, beginning with `first`, or None if none are found."""
    rules, room = game.rules, np.empty(game.rules.MAX_COUNT, np.int32)
    left, lines = limit, [(state, [first])]
    while lines and left:
        before, line = lines.pop()
        after = copied(before)
        rules.play(after, line[-1])
        left -= 1
        actor = rules.actor(after)
        if actor == OVER and _payoff(game, after, seat) == WON:
            return line
        if actor == seat - 1:
            lines += [(after, [*line, move]) for move in room[: rules.moves(after, room)].tolist()]
    return None


def _is_won(game: KernelGame, state: Any, seat: int, line: Sequence[int]) -> bool:
    after = copied(state)
    for move in line:
        if game.rules.actor(after) != seat - 1 or not game.bound.played(after, move):
            return False
    return bool(game.rules.actor(after) == OVER) and _payoff(game, after, seat) == WON


def _payoff(game: KernelGame, state: Any, seat: int) -> float:
    payoffs = np.zeros(game.rules.SEATS, np.float32)
    game.rules.payoff(state, payoffs)
    return float(payoffs[seat - 1])
