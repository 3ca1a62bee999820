"""Small games to test the searches."""

import example_games  # noqa: F401 (Connect Four is one of them)

from kernels import die, high_card, tic_tac_toe
from ludoteca.core.binding import complete
from ludoteca.games.connectfour import rules as connect_four

for rules in (connect_four, die, high_card, tic_tac_toe):
    complete(rules)

__all__ = ["connect_four", "die", "high_card", "tic_tac_toe"]
