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

from ludoteca.core.compiler import compiled
from ludoteca.core.kernel import FUNCTIONS, Rules

GenericFunction = Callable[..., Any]


def bind(functions: Sequence[GenericFunction], rules: Rules, also: Mapping[str, Any] | None = None) -> SimpleNamespace:
    """These functions, which may call each other, the rules' functions and what `also` names, compiled.

    What `also` names takes the place of a function of the same name.
    """
    given: dict[str, Any] = {name: getattr(rules, name) for name in FUNCTIONS}
    given |= {name: getattr(rules, name) for name in ("SEATS", "MAX_COUNT", "HIDDEN", "State")}
    given |= also or {}
    mark = _version_mark(rules, given)
    bound: dict[str, Any] = {}
    for function in functions:
        assert isinstance(function, FunctionType)
        if also and function.__name__ in also:
            continue
        names = {**function.__globals__, **given, **bound}
        clone = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        clone.__qualname__ = f"{function.__name__}_{mark}"
        clone.__module__ = function.__module__
        clone.__doc__ = function.__doc__
        bound[function.__name__] = names[function.__name__] = compiled(clone)  # in its own names: it may recur
    return SimpleNamespace(**bound)


def _version_mark(rules: Rules, given: Mapping[str, Any]) -> str:
    """Games outside the package are not in its digest: their sources are in the name."""
    files = {inspect.getfile(inspect.unwrap(value)) for value in given.values() if callable(value)}
    digest = hashlib.sha256(b"".join(Path(file).read_bytes() for file in sorted(files)))
    constants = sorted((name, repr(value)) for name, value in given.items() if isinstance(value, int | float | tuple))
    digest.update(repr(constants).encode())
    name = getattr(rules, "__name__", type(rules).__name__).replace(".", "_")
    return f"{name}_{digest.hexdigest()[:12]}"
