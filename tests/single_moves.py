"""The two ways in which rules tell which moves are legal: the list, and an answer about a single move."""


def listed(rules, state):
    """Return the moves of the list, in order. An empty one if no player is to move."""
    return sorted(int(rules.move_at(state, k)) for k in range(rules.count(state))) if state.actor >= 0 else []


def allowed_one_by_one(rules, state):
    """Return the moves that the rules allow when they are asked about each single one, as environments do."""
    return [move for move in range(-2, rules.MAX_MOVES + 2) if rules.is_legal(state, move)]
