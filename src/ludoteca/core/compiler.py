"""How rules and searches are compiled: Numba, with a disk cache that is never older than the sources."""

import hashlib
import os
import shutil
import time
from pathlib import Path

import numba
import numpy as np
from numba.core import config
from platformdirs import user_cache_path

PACKAGE = Path(__file__).resolve().parents[1]
COMPILED_IN = ("core", "search", "games")
KEPT_FOR = 30 * 24 * 3600  # seconds that the cache of an older version stays on the disk


def sources_digest() -> str:
    """Names the state of what is compiled: Numba itself does not notice a changed function in another file."""
    digest = hashlib.sha256()
    for path in sorted(path for room in COMPILED_IN for path in (PACKAGE / room).rglob("*.py")):
        digest.update(str(path.relative_to(PACKAGE)).encode() + b"\0" + path.read_bytes() + b"\0")
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
