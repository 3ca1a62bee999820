"""Binds code that is written once to one game's rules, without losing Numba's disk cache.

A closure over compiled functions is not cached. So the functions are cloned with the game's own as their
globals, under a name that says which game, and which version of its source, they belong to.
"""

import hashlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

from ludoteca.core import defaults
from ludoteca.core.compiler import compiled
from ludoteca.core.errors import UnfinishedGame
from ludoteca.core.kernel import FUNCTIONS, Rules

GenericFunction = Callable[..., Any]
CONSTANTS = ("SEATS", "MAX_COUNT", "HIDDEN", "State")


def bind(functions: Sequence[GenericFunction], rules: Rules, also: Mapping[str, Any] | None = None) -> SimpleNamespace:
    """These functions, which may call each other, the rules' functions and what `also` names, compiled.

    What `also` names takes the place of a function of the same name.
    """
    complete(rules)
    given: dict[str, Any] = {name: getattr(rules, name) for name in (*CONSTANTS, *FUNCTIONS)}
    own = [function for function in functions if not also or _name(function) not in also]
    return SimpleNamespace(**_compiled_with(own, rules, given | dict(also or {})))


def complete(rules: Rules) -> None:
    """Give a game's rules the functions of core/defaults.py that it does not have of its own."""
    plain = (*defaults.FUNCTIONS, *(defaults.FROM_WINNERS if hasattr(rules, "winners") else ()))
    missing = [function for function in plain if not hasattr(rules, _name(function))]
    if not missing:
        return
    needed = {*CONSTANTS, *FUNCTIONS, "Options"} - {_name(function) for function in missing}
    if "payoff" not in needed or hasattr(rules, "winners"):
        needed.add("winners")
    for name in sorted(needed):
        if not hasattr(rules, name):
            file = getattr(rules, "__file__", None) or repr(rules)
            raise UnfinishedGame(f"{file} has no `{name}`: write it as the contract in ludoteca/core/kernel.py says")
    for name, function in _compiled_with(missing, rules, {name: getattr(rules, name) for name in needed}).items():
        setattr(rules, name, function)


def _name(function: GenericFunction) -> str:
    assert isinstance(function, FunctionType)
    return function.__name__


def _compiled_with(
    functions: Sequence[GenericFunction], rules: Rules, given: Mapping[str, Any]
) -> dict[str, Callable[..., Any]]:
    """Compile clones of these functions, whose globals are the given ones and each other."""
    mark = _version_mark(rules, given)
    bound: dict[str, Any] = {}
    for function in functions:
        assert isinstance(function, FunctionType)
        names = {**function.__globals__, **given, **bound}
        clone = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        clone.__qualname__ = f"{function.__name__}_{mark}"
        clone.__module__ = function.__module__
        clone.__doc__ = function.__doc__
        bound[function.__name__] = names[function.__name__] = compiled(clone)  # in its own names: it may recur
    return bound


def _version_mark(rules: Rules, given: Mapping[str, Any]) -> str:
    """Games outside the package are not in its digest: their sources are in the name."""
    files = {inspect.getfile(inspect.unwrap(value)) for value in given.values() if callable(value)}
    digest = hashlib.sha256(b"".join(Path(file).read_bytes() for file in sorted(files)))
    constants = sorted((name, repr(value)) for name, value in given.items() if isinstance(value, int | float | tuple))
    digest.update(repr(constants).encode())
    name = getattr(rules, "__name__", type(rules).__name__).replace(".", "_")
    return f"{name}_{digest.hexdigest()[:12]}"
