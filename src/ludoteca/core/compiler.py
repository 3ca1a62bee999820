"""How rules and searches are compiled: with Numba, and with a disk cache that is never older than the sources."""

import hashlib
import os
import re
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import config, types
from numba.core.caching import UserProvidedCacheLocator
from platformdirs import user_cache_path

PACKAGE = Path(__file__).resolve().parents[1]
COMPILES = re.compile(rb"^from ludoteca\.core\.compiler import|^FUNCTIONS\b", re.MULTILINE)
IMPORTS = re.compile(rb"^(?:from (ludoteca[\w.]*) import (\([^)]*\)|.*)|import (ludoteca[\w.]*))", re.MULTILINE)
SIGNED = {types.int8, types.int16, types.int32, types.int64}
KEPT_FOR = 30 * 24 * 3600  # seconds for which the cache of an older version is kept


def compiled_sources() -> dict[str, bytes]:
    """Return the source files that compiled code may depend on, by module.

    These are the files that compile functions, the files with functions that are bound and compiled, and every file
    that they import. A change in any other file, for instance in a view, compiles nothing again.
    """
    files = {_module(path): path for path in PACKAGE.rglob("*.py")}
    sources = {module: path.read_bytes() for module, path in files.items()}
    found: dict[str, bytes] = {}
    waiting = [module for module, source in sources.items() if COMPILES.search(source)]
    while waiting:
        module = waiting.pop()
        if module in sources and module not in found:
            found[module] = sources[module]
            waiting += _imported(sources[module])
    return found


def _module(path: Path) -> str:
    return ".".join((PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


def _imported(source: bytes) -> list[str]:
    """Return the modules of this package that a source may import: `from a import b` names `a` and perhaps `a.b`."""
    names = []
    for package, imported, module in IMPORTS.findall(source):
        names += [module.decode() or package.decode()]
        names += [f"{package.decode()}.{name}" for name in re.findall(r"\w+", imported.decode())]
    return names


def sources_digest() -> str:
    """Return a digest of the compiled sources. Numba does not notice when a function in another file changes."""
    digest = hashlib.sha256()
    for module, source in sorted(compiled_sources().items()):
        digest.update(module.encode() + b"\0" + source + b"\0")
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Return the folder of the disk cache.

    Bounds-checked code has its own folder: in a shared folder Numba would load the unchecked code.
    """
    root = Path(os.environ.get("LUDOTECA_CACHE") or user_cache_path("ludoteca")) / "kernels"
    checked = "-checked" if config.BOUNDSCHECK else ""
    return root / (sources_digest() + checked)


def _forget_old_folders(current: Path) -> None:
    for folder in current.parent.glob("*"):
        if folder != current and folder.stat().st_mtime < time.time() - KEPT_FOR:
            shutil.rmtree(folder, ignore_errors=True)


def _use_cache_folder() -> bool:
    """Let Numba use the folder; return whether it can."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return False
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _forget_old_folders(folder)
    except OSError:
        return False  # the home is read-only: Numba uses its own folders
    config.CACHE_DIR = str(folder)
    return True


IS_SHARED = _use_cache_folder()


def outside_digest(file: str) -> str:
    """Return a digest of all sources beside a file outside the package; "" for a file of the package."""
    folder = Path(file).resolve().parent
    if folder.is_relative_to(PACKAGE):
        return ""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function, with a disk cache."""
    return _cached(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a function into its callers. This is for the few innermost functions."""
    return _cached(function, forceinline=True)


class SharedCacheLocator(UserProvidedCacheLocator):  # type: ignore[misc]
    """Names a function's cache by its place in the package, so that all copies of the package share one cache.

    Numba itself names it by the absolute path, so every clone would compile anew, for two minutes. The digest in the
    name of the folder keeps apart copies whose sources differ.
    """

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        folder = Path(py_file).resolve().parent
        inside = folder.relative_to(PACKAGE.parent).parts if folder.is_relative_to(PACKAGE) else (folder.name,)
        return ".".join(inside)


LOCATORS = f"{__name__}.{SharedCacheLocator.__name__},InTreeCacheLocator,UserWideCacheLocator"


def _cached(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a function. A game outside the package has its own cache, renewed when any of its files changes."""
    shared, locators = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    if shared:  # Numba reads both settings now, and keeps them for this function
        config.CACHE_DIR = str(Path(shared) / outside_digest(function.__code__.co_filename))
    if IS_SHARED:
        config.CACHE_LOCATOR_CLASSES = LOCATORS
    try:
        return _general(numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function))
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = shared, locators


def _general(function: Any) -> Any:
    """Let all calls share one version of a function, whatever their constants and the widths of their integers.

    Numba compiles a function anew for every constant and every width of integer that compiled code calls it with: a
    third of all compiling.
    """
    if config.DISABLE_JIT:
        return function  # which Python runs
    resolve = function.get_call_template

    def resolve_general(args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        return resolve(tuple(map(_widest, args)), {name: _widest(kind) for name, kind in kws.items()})

    function.get_call_template = resolve_general
    return function


def _widest(kind: Any) -> Any:
    kind = getattr(kind, "literal_type", kind)  # a constant has a type of its own
    return types.int64 if kind in SIGNED else kind


@inlined
def quotient(number, divisor):  # type: ignore[no-untyped-def]
    """Divide two numbers that are not negative. Python's // takes twice the time, because it handles negative ones."""
    return np.int64(np.uint64(number) // np.uint64(divisor))
