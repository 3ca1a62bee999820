"""How rules and searches are compiled: Numba, with a disk cache that is never older than the sources."""

import hashlib
import os
import re
import shutil
import time
from pathlib import Path

import numba
import numpy as np
from numba.core import config
from platformdirs import user_cache_path

PACKAGE = Path(__file__).resolve().parents[1]
COMPILES = re.compile(rb"^from ludoteca\.core\.compiler import|^FUNCTIONS\b", re.MULTILINE)
IMPORTS = re.compile(rb"^(?:from (ludoteca[\w.]*) import (\([^)]*\)|.*)|import (ludoteca[\w.]*))", re.MULTILINE)
KEPT_FOR = 30 * 24 * 3600  # seconds that the cache of an older version stays on the disk


def compiled_sources() -> dict[str, bytes]:
    """Return every source file, by its module, on which compiled code may depend.

    These are the files that compile functions, or hold functions to be bound and compiled, and all that they import.
    A change elsewhere, for instance in a view, compiles nothing anew.
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
    """Return the package's modules that a source may import: `from a import b` names `a` and perhaps `a.b`."""
    names = []
    for package, imported, module in IMPORTS.findall(source):
        names += [module.decode() or package.decode()]
        names += [f"{package.decode()}.{name}" for name in re.findall(r"\w+", imported.decode())]
    return names


def sources_digest() -> str:
    """Name the state of what is compiled: Numba itself does not notice a changed function in another file."""
    digest = hashlib.sha256()
    for module, source in sorted(compiled_sources().items()):
        digest.update(module.encode() + b"\0" + source + b"\0")
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Bounds-checked code has a folder of its own: from a shared one the unchecked code would be loaded."""
    root = Path(os.environ.get("LUDOTECA_CACHE") or user_cache_path("ludoteca")) / "kernels"
    checked = "-checked" if config.BOUNDSCHECK else ""
    return root / (sources_digest() + checked)


def _forget_old_folders(current: Path) -> None:
    for folder in current.parent.glob("*"):
        if folder != current and folder.stat().st_mtime < time.time() - KEPT_FOR:
            shutil.rmtree(folder, ignore_errors=True)


def _use_cache_folder() -> None:
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _forget_old_folders(folder)
    except OSError:
        return  # a read-only home: Numba falls back to its own places
    config.CACHE_DIR = str(folder)


if not os.environ.get("NUMBA_CACHE_DIR"):
    _use_cache_folder()

compiled = numba.njit(cache=True, nogil=True, error_model="numpy")
inlined = numba.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)  # for the few innermost ones


@inlined
def quotient(number, divisor):  # type: ignore[no-untyped-def]
    """Division of numbers that are not negative: Python's // costs twice as much for minding the others."""
    return np.int64(np.uint64(number) // np.uint64(divisor))
