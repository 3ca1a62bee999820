"""Bind functions that are written once to the rules of one game, without losing Numba's disk cache.

Numba does not cache a closure over compiled functions. So the functions are cloned. The globals of a clone are the
game's functions, and its name says which game it belongs to and which version of the game's source.
"""

import hashlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

from ludoteca.core import defaults
from ludoteca.core.compiler import compiled, outside_digest
from ludoteca.core.errors import UnfinishedGame
from ludoteca.core.kernel import FUNCTIONS, Rules

GenericFunction = Callable[..., Any]
CONSTANTS = ("SEATS", "MAX_COUNT", "HIDDEN", "State")


def bind(functions: Sequence[GenericFunction], rules: Rules, also: Mapping[str, Any] | None = None) -> SimpleNamespace:
    """Return these functions, compiled for one game.

    They may call each other, the functions of the rules, and the functions in `also`, which replace functions of
    the same name.
    """
    complete(rules)
    given: dict[str, Any] = {name: getattr(rules, name) for name in (*CONSTANTS, *FUNCTIONS)}
    own = [function for function in functions if not also or _name(function) not in also]
    return SimpleNamespace(**_compiled_with(own, rules, given | dict(also or {})))


def complete(rules: Rules) -> None:
    """Add the functions of core/defaults.py that a rules.py leaves out."""
    file = getattr(rules, "__file__", None) or repr(rules)
    if getattr(rules, "HIDDEN", False) and not hasattr(rules, "conceal"):
        raise UnfinishedGame(f"{file} has HIDDEN, but no `conceal`: write one that deals anew what a seat cannot see")
    plain = (*defaults.FUNCTIONS, *(defaults.FROM_WINNERS if hasattr(rules, "winners") else ()))
    missing = [function for function in plain if not hasattr(rules, _name(function))]
    if not missing:
        return
    needed = {*CONSTANTS, *FUNCTIONS, "Options"} - {_name(function) for function in missing}
    if "payoff" not in needed or hasattr(rules, "winners"):
        needed.add("winners")
    for name in sorted(needed):
        if not hasattr(rules, name):
            raise UnfinishedGame(f"{file} has no `{name}`: write it as the contract in ludoteca/core/kernel.py says")
    if "actor" not in needed and "actor" not in (rules.State.names or ()):
        raise UnfinishedGame(f"{file} has no `actor`: write the function, or add a field `actor` to State")
    for name, function in _compiled_with(missing, rules, {name: getattr(rules, name) for name in needed}).items():
        setattr(rules, name, function)


def _name(function: GenericFunction) -> str:
    assert isinstance(function, FunctionType)
    return function.__name__


def _compiled_with(
    functions: Sequence[GenericFunction], rules: Rules, given: Mapping[str, Any]
) -> dict[str, Callable[..., Any]]:
    """Compile clones of these functions. Their globals are `given` and each other."""
    mark = _version_mark(rules, given)
    bound: dict[str, Any] = {}
    for function in functions:
        assert isinstance(function, FunctionType)
        names = {**function.__globals__, **given, **bound}
        clone = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        clone.__qualname__ = f"{function.__name__}_{mark}"
        clone.__module__ = function.__module__
        clone.__doc__ = function.__doc__
        bound[function.__name__] = names[function.__name__] = compiled(clone)  # it may call itself
    return bound


def _version_mark(rules: Rules, given: Mapping[str, Any]) -> str:
    """Return a mark of the game's sources. A game outside the package is not part of the package's digest.

    The mark also says which functions are given: one file may have several for the same purpose.
    """
    functions = {name: inspect.unwrap(value) for name, value in given.items() if callable(value)}
    files = sorted({inspect.getfile(function) for function in functions.values()})
    digest = hashlib.sha256(b"".join(Path(file).read_bytes() for file in files))
    digest.update("".join(map(outside_digest, files)).encode())
    constants = sorted((name, repr(value)) for name, value in given.items() if isinstance(value, int | float | tuple))
    digest.update(repr(constants).encode())
    digest.update(repr(sorted((name, function.__qualname__) for name, function in functions.items())).encode())
    name = getattr(rules, "__name__", type(rules).__name__).replace(".", "_")
    return f"{name}_{digest.hexdigest()[:12]}"
