# mypy: ignore-errors
# ruff: noqa: F821
"""Questions to every kernel, compiled: is this move or outcome possible, and how likely is each outcome?"""


def is_listed(state, move):
    """Return whether a player's move, or an outcome of chance, is possible now."""
    for k in range(count(state)):  # noqa: SIM110
        if move_at(state, k) == move:
            return True
    return False


def played(state, move):
    """Play the move if it is legal. Return whether it was."""
    if not is_listed(state, move):
        return False
    play(state, move)
    return True


def weights(state, out):
    """Write the weights of all outcomes to `out`. Return how many there are."""
    n = count(state)
    for k in range(n):
        out[k] = weight_at(state, k)
    return n


FUNCTIONS = (is_listed, played, weights)
