# mypy: ignore-errors
# ruff: noqa: F821
"""What is asked of every kernel, compiled: is this move legal, and how likely are the outcomes of chance."""


def is_legal(state, move):
    for k in range(count(state)):  # noqa: SIM110
        if move_at(state, k) == move:
            return True
    return False


def played(state, move):
    """Plays a move if it is legal; whether it was."""
    if not is_legal(state, move):
        return False
    play(state, move)
    return True


def weights(state, out):
    """Writes down the weights of all outcomes; how many."""
    n = count(state)
    for k in range(n):
        out[k] = weight_at(state, k)
    return n


FUNCTIONS = (is_legal, played, weights)
