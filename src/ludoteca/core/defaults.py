# mypy: ignore-errors
# ruff: noqa: F821
"""What a rules.py may leave out: the plain answers. core/binding.py binds them to the functions that it does have."""


def actor(state):
    """The state keeps it in a field of that name."""
    return state.actor


def side(state, seat):
    """Everybody plays for themselves."""
    return seat


def weight_at(state, k):
    """All outcomes of chance are equally likely."""
    return 1


def conceal(state, seat, rng):
    """Nothing is hidden."""


def moves(state, out):
    n = count(state)
    for k in range(n):
        out[k] = move_at(state, k)
    return n


def is_legal(state, move):
    """Whether a player's move is listed."""
    if actor(state) >= 0:
        for k in range(count(state)):
            if move_at(state, k) == move:
                return True
    return False


def chance_run(state):
    """Every outcome is an entry of its own."""
    return 1


def payoff(state, out):
    """1 for a win, -1 for a defeat; a tie is worth what drawing lots for the win would be, a draw without winners 0."""
    won = winners(state, 0)
    sides, n = 0, 0
    for seat in range(state.players):
        mine = 1 << side(state, seat)
        if won >> seat & 1 and not sides & mine:
            sides |= mine
            n += 1
    nobody = 0.0 if state.players > 1 else -1.0  # alone a match is won or lost
    for seat in range(state.players):
        out[seat] = nobody if won == 0 else 2.0 / n - 1.0 if won >> seat & 1 else -1.0


def result(state, scores):
    """Write every seat's score, 1 for a win. Return the winners, as bits, and why the match ended: it is complete."""
    won = winners(state, 0)
    for seat in range(state.players):
        scores[seat] = won >> seat & 1
    return won, 0


FUNCTIONS = (actor, side, weight_at, conceal, moves, is_legal, chance_run, payoff)
FROM_WINNERS = (result,)  # only where a rules.py has `winners`
