# mypy: ignore-errors
# ruff: noqa: F821
"""The functions that a rules.py may leave out. core/binding.py binds them to the functions that it has."""


def actor(state):
    """Return the field `actor` of the state."""
    return state.actor


def side(state, seat):
    """Return the seat: everybody plays for themselves."""
    return seat


def weight_at(state, k):
    """Return 1: all outcomes of chance are equally likely."""
    return 1


def conceal(state, seat, rng):
    """Do nothing: nothing is hidden."""


def moves(state, out):
    n = count(state)
    for k in range(n):
        out[k] = move_at(state, k)
    return n


def is_legal(state, move):
    """Return whether `move_at` lists this move of a player."""
    if actor(state) >= 0:
        for k in range(count(state)):
            if move_at(state, k) == move:
                return True
    return False


def chance_run(state):
    """Return 1: every outcome is an entry of its own."""
    return 1


def payoff(state, out):
    """Write 1 for a win and -1 for a defeat.

    Seats that tie for the win share it, as if they drew lots for it. A draw without winners is 0.
    """
    won = winners(state, 0)
    sides, n = 0, 0
    for seat in range(state.players):
        mine = 1 << side(state, seat)
        if won >> seat & 1 and not sides & mine:
            sides |= mine
            n += 1
    nobody = 0.0 if state.players > 1 else -1.0  # a match of one player is won or lost
    for seat in range(state.players):
        out[seat] = nobody if won == 0 else 2.0 / n - 1.0 if won >> seat & 1 else -1.0


def result(state, scores):
    """Write every seat's score, 1 for a win. Return the winners as bits, and the ending: always "complete"."""
    won = winners(state, 0)
    for seat in range(state.players):
        scores[seat] = won >> seat & 1
    return won, 0


FUNCTIONS = (actor, side, weight_at, conceal, moves, is_legal, chance_run, payoff)
FROM_WINNERS = (result,)  # bound only if the rules.py has `winners`
