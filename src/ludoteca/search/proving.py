"""Proofs of endings for Python code: the solver, bound to a game, with room to work in."""

import importlib
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

from ludoteca.core.binding import bind
from ludoteca.core.kernel import Rules
from ludoteca.search import solver
from ludoteca.search.everyone import NO_MOVE

GUIDE_FUNCTIONS = ("value", "rank")  # of guide.py, each optional
ENDING_FUNCTIONS = ("is_ending", "bounds", "exact_key")  # of ending.py, each optional


class Proof(NamedTuple):
    """A proved result."""

    value: float  # the payoff of the seat that asks, -1 to 1; with chance, its mean
    values: tuple[float, ...]  # the payoffs of all seats
    move: int | None  # the best move, or None where no move is known to be better than the others
    looked: int  # positions that the proof needed


def bound_solver(rules: Rules, advice: ModuleType) -> SimpleNamespace:
    """Return the functions of solver.py, compiled for a game. `advice` is its guide.py; its ending.py is beside it."""
    known = {name: getattr(advice, name) for name in GUIDE_FUNCTIONS if hasattr(advice, name)}
    if ending := _ending_of(advice):
        known |= {name: getattr(ending, name) for name in ENDING_FUNCTIONS if hasattr(ending, name)}
    return bound_with(rules, known)


def bound_with(rules: Rules, known: dict[str, Any]) -> SimpleNamespace:
    """Return the functions of solver.py, compiled for these rules and functions of a guide.py and an ending.py."""
    has = {"HAS_RANK": "rank" in known, "HAS_VALUE": "value" in known, "HAS_KEY": "exact_key" in known}
    bound = bind(solver.FUNCTIONS, rules, known | has)
    return SimpleNamespace(**known | vars(bound))


def _ending_of(advice: ModuleType) -> ModuleType | None:
    name = f"{advice.__package__}.ending"
    return importlib.import_module(name) if find_spec(name) else None


class Prover:
    """Proves endings of one game within a number of positions. For one thread at a time."""

    def __init__(self, rules: Rules, advice: ModuleType) -> None:
        self._bound = bound_solver(rules, advice)
        self.desk = solver.new_desk(rules)

    def move(self, state: Any, limit: int) -> int | None:
        """Return the best move of the seat that acts. None: this is no ending, or no move is proved to be the best."""
        move = int(self._bound.proved_move(self.desk, state, limit))
        return None if move == NO_MOVE else move

    def is_ending(self, state: Any) -> bool:
        return bool(self._bound.is_ending(state))

    def prove(self, state: Any, seat: int, limit: int) -> Proof | None:
        """Return what is proved for a seat, counted from 0, or None."""
        proved, value, move = self._bound.solve(self.desk, state, seat, limit)
        if not proved:
            return None
        values = tuple(self.desk.worth[: int(state["players"])].tolist())
        return Proof(float(value), values, None if move == NO_MOVE else int(move), int(self.desk.looked[0]))
