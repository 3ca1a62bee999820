"""What a game is for the machine: a flat state and a handful of compiled functions on it."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Protocol

import numpy as np

CHANCE = -1  # nobody acts: the table draws
OVER = -2  # nobody acts: the match has ended
BY_LOT = -1  # of an option: chance decides


class Rules(Protocol):
    """A game's rules.py. Seats count from 0 here; everywhere else they count from 1.

    `State` holds everything, in a fixed size, so that a copy is a memcpy. Unless the match is over there
    is at least one move. Moves of players are dense integers below MAX_MOVES; outcomes of chance and what
    the clock does are numbered apart from them; the same number is the same move always. `play` trusts
    its caller: it is given what `moves` lists, or a move of the clock, which `moves` never lists.

    What core/defaults.py has may be left out: `actor` then is a field of the state, everybody is a side, outcomes
    of chance are equally likely, nothing is hidden, and the payoffs follow from the winners.
    """

    SEATS: int  # the most there can be
    MAX_MOVES: int
    MAX_COUNT: int  # the most that `count` answers: room for `moves` to write to
    HIDDEN: bool  # whether some seat cannot see everything
    State: np.dtype[np.void]
    Options: np.dtype[np.void]

    start: Callable[[Any, Any], None]  # (state, options): overwrites every field
    count: Callable[[Any], int]  # how many moves, or outcomes of chance, there are
    move_at: Callable[[Any, int], int]  # the k-th of them, in an order that the state fixes
    play: Callable[[Any, int], None]  # a player's move, an outcome or a move of the clock, in place
    winners: Callable[[Any, int], int]  # at the end: the seats that win, as bits; those in the given bits cannot

    actor: Callable[[Any], int]  # a seat from 0, CHANCE or OVER
    side: Callable[[Any, int], int]  # seats of one side win together
    moves: Callable[[Any, Any], int]  # all moves at once into an int32 array; returns how many
    weight_at: Callable[[Any, int], int]  # at CHANCE: how likely the k-th outcome is, as a count
    payoff: Callable[[Any, Any], None]  # when OVER: -1 to 1 for each seat, into a float32 array
    conceal: Callable[[Any, int, Any], None]  # (state, seat, rng): deal anew what that seat cannot see
    is_legal: Callable[[Any, int], bool]  # (state, move): whether `moves` would list this move of a player
    chance_run: Callable[[Any], int]  # at CHANCE: how many outcomes in a row are one entry of the record
    result: Callable[[Any, Any], tuple[int, int]]  # for a game without a tally.py: writes scores; winners and reason


FUNCTIONS = ("start", "actor", "side", "count", "move_at", "moves", "weight_at", "play", "payoff", "conceal")


# Python reads a state in three ways. `state.field` is the plain one. `state["field"]` takes a quarter of the time: it
# is used in what runs for every entry of a match. `plain(state)` reads all fields at once, for views that need many.


def new_record(dtype: np.dtype[np.void]) -> Any:
    """One zeroed record whose fields are attributes, compiled or not."""
    return np.zeros(1, dtype).view(np.recarray)[0]


def copied(state: Any) -> Any:
    fresh = np.zeros(1, state.dtype)  # faster than state.copy(), and what lies between the fields is zero too
    fresh[0] = state
    return fresh[0]


def plain(state: Any) -> Any:
    """The fields of a record read at once, as attributes: one by one from the record, each costs as much as all."""
    return SimpleNamespace(**dict(zip(state.dtype.names, state.item(), strict=True)))
