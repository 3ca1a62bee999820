"""A game for the machine: a flat state, and a few compiled functions on it."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Protocol

import numpy as np

CHANCE = -1  # nobody acts: the table draws
OVER = -2  # nobody acts: the match has ended
BY_LOT = -1  # value of an option that chance decides


class Rules(Protocol):
    """The contract of a game's rules.py. Seats count from 0 here; everywhere else they count from 1.

    `State` holds everything in a fixed size, so that a copy is a memcpy; the field `players` is the number of seats.
    Unless the match is over, there is at least one move. Moves of players are dense integers below MAX_MOVES. Outcomes
    of chance and moves of the clock have numbers from MAX_MOVES on. The same number always means the same move. `play`
    trusts its caller to pass a move that `moves` lists, or a move of the clock, which `moves` never lists.

    Chance draws one object at a time: `actor` is CHANCE, `count` and `move_at` list the outcomes, `weight_at` has their
    odds, and `play` takes one of them. Where several draws in a row make one entry of the record (a hand of four
    cards), `chance_run` says how many.

    A rules.py may leave out the functions of core/defaults.py: then `actor` is a field of the state, every seat is
    a side of its own, outcomes of chance are equally likely, nothing is hidden, and the payoffs follow from the
    winners.
    """

    SEATS: int  # the largest number of players
    MAX_MOVES: int
    MAX_COUNT: int  # the largest `count`: the size of the array for `moves`
    HIDDEN: bool  # whether something is hidden from some seat
    State: np.dtype[np.void]
    Options: np.dtype[np.void]

    start: Callable[[Any, Any], None]  # (state, options): overwrites every field
    count: Callable[[Any], int]  # the number of moves, or of outcomes of chance
    move_at: Callable[[Any, int], int]  # the k-th of them, in an order that depends on the state only
    play: Callable[[Any, int], None]  # plays a move, an outcome or a move of the clock in place
    winners: Callable[[Any, int], int]  # when OVER: the winning seats as bits; seats in the given bits cannot win

    actor: Callable[[Any], int]  # a seat from 0, CHANCE or OVER
    side: Callable[[Any, int], int]  # seats of one side win together
    moves: Callable[[Any, Any], int]  # writes all moves to an int32 array; returns their number
    weight_at: Callable[[Any, int], int]  # at CHANCE: the weight of the k-th outcome
    payoff: Callable[[Any, Any], None]  # when OVER: writes -1 to 1 for each seat to a float32 array
    conceal: Callable[[Any, int, Any], None]  # (state, seat, rng): deals anew what that seat cannot see
    is_legal: Callable[[Any, int], bool]  # (state, move): whether `moves` would list this move of a player
    chance_run: Callable[[Any], int]  # at CHANCE: the number of outcomes that form the next entry
    result: Callable[[Any, Any], tuple[int, int]]  # always from core/defaults.py; a game writes its own in tally.py


FUNCTIONS = ("start", "actor", "side", "count", "move_at", "moves", "weight_at", "play", "payoff", "conceal")


# Python code reads a state in three ways. `state.field` is the usual one. `state["field"]` takes a quarter of the time:
# code that runs for every entry of a match uses it. `plain(state)` reads all fields at once, for views that need many.


def new_record(dtype: np.dtype[np.void]) -> Any:
    """Return a zeroed record whose fields are attributes, in compiled and in plain code."""
    return np.zeros(1, dtype).view(np.recarray)[0]


def copied(state: Any) -> Any:
    fresh = np.zeros(1, state.dtype)  # faster than state.copy(); the padding between fields is zero too
    fresh[0] = state
    return fresh[0]


def plain(state: Any) -> Any:
    """Return all fields of a record as attributes. Reading one field of the record costs as much as reading all."""
    return SimpleNamespace(**dict(zip(state.dtype.names, state.item(), strict=True)))
