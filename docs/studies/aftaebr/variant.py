"""AFTAEBR with small changes that may make it fair to begin. A variant for the lab, not a rule of the game.

`balance` says what is changed for the player who begins, or for the one who follows:
0 nothing; 1 the beginner has one more piece, a 1; 2 two more, a 1 and a 2; 3 the follower puts two pieces on the first
turn; 4 the beginner has four more, one of each number.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np

from ludoteca.core.compiler import compiled
from ludoteca.core.game import Option
from ludoteca.core.kernel import new_record
from ludoteca.games.aftaebr import rules
from ludoteca.games.aftaebr.game import Aftaebr
from ludoteca.games.aftaebr.rules import NUMBERS, PIECES, TURN, look_round
from ludoteca.games.aftaebr.rules import play as play_aftaebr
from ludoteca.games.aftaebr.rules import start as start_aftaebr

FOLLOWER_PUTS_TWO = 3


def extended(dtype: Any) -> Any:
    """Return the record with a field more, in front: were it the last, Numba would take one record for the other."""
    fields = dtype.fields or {}
    return np.dtype([("balance", np.int32), *((name, fields[name][0]) for name in dtype.names)], align=True)


Options, State = extended(rules.Options), extended(rules.State)


@compiled
def start(state, options):  # type: ignore[no-untyped-def]
    start_aftaebr(state, options)
    state.balance = options.balance


@compiled
def play(state, move):  # type: ignore[no-untyped-def]
    was_choosing, before, turn = state.phase != TURN, state.seat, state.turn
    play_aftaebr(state, move)
    if was_choosing and state.phase == TURN and state.balance != FOLLOWER_PUTS_TWO:
        seat = state.first
        for number in range(state.balance):  # 1 to 4, in order
            state.stock[seat * PIECES + state.colour[seat] * NUMBERS + number] += 1
            state.pieces[seat] += 1
    elif state.balance == FOLLOWER_PUTS_TWO and turn == 1 and state.actor >= 0 and state.seat != before:
        state.seat = before
        state.actor = before
        look_round(state)


changed = {"Options": Options, "State": State, "start": start, "play": play}
variant = SimpleNamespace(**{**vars(rules), **changed})


class Balanced(Aftaebr):
    name = "AFTAEBR, balanced"
    rules = variant  # type: ignore[assignment]
    options = (*Aftaebr.options, Option("balance", 0, least=0, most=4))

    def options_record(self, agreed: Any) -> Any:
        given, record = super().options_record(agreed), new_record(Options)
        for name in given.dtype.names:
            record[name] = given[name]
        record.balance = agreed["balance"]
        return record


GAME = Balanced()
