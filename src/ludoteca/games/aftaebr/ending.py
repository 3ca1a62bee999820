"""Help to prove endings of AFTAEBR: which are short enough, and which positions are the same."""

import numpy as np

from ludoteca.core.compiler import compiled
from ludoteca.core.random import mixed
from ludoteca.games.aftaebr.rules import COLOURS, LONGEST, NOTHING, NUMBERS, PIECES, TURN
from ludoteca.games.aftaebr.squares import BIT, SQUARES

__all__ = ["exact_key", "is_ending"]

U = np.uint64
LAST_PIECES = 5  # of the poorest player: an ending is short if one more player will soon be out
NUMBER_BITS, WORD_BITS = 2, 64
NEAR_THE_LIMIT = LONGEST - 256  # AF-22: from here on the number of the turn belongs to the position


@compiled
def is_ending(state):
    """Return whether a player has few pieces left."""
    if state.phase != TURN:
        return False
    for seat in range(state.players):  # noqa: SIM110 - the compiler knows no generators
        if 0 < state.pieces[seat] <= LAST_PIECES:
            return True
    return False


@compiled
def exact_key(state):
    """Return a number that is equal for positions with the same future: the colours of pieces do not matter."""
    turn = state.turn if state.turn > NEAR_THE_LIMIT else 0
    start = state.first if state.closing else 0
    mark = mixed(
        U(((turn * 2 + state.closing) * 4 + start) * 4 + state.phase) * U(64) + U(state.passes * 4 + state.seat)
    )
    for square in range(SQUARES):
        stack, bits = U(1), 1
        place = int(state.top[BIT[square]])
        while place != NOTHING:
            stack = stack << U(NUMBER_BITS) | U(int(state.piece[place]) & 3)
            bits += NUMBER_BITS
            if bits > WORD_BITS - NUMBER_BITS:
                mark = mixed(mark ^ stack)
                stack, bits = U(1), 1
            place = int(state.under[place])
        mark = mixed(mark ^ stack)
    for seat in range(state.players):
        counts = U(0)
        for number in range(NUMBERS):
            of_number = 0
            for colour in range(COLOURS):
                of_number += int(state.stock[seat * PIECES + colour * NUMBERS + number])
            counts = counts << U(8) | U(of_number)
        mark = mixed(mark ^ counts)
    return mark
