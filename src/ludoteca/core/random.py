"""The generator inside compiled code: fast, small, the same numbers on every machine. Not for the table's chance."""

import hashlib
from typing import Any

import numpy as np

from ludoteca.core.compiler import inlined

U = np.uint64


@inlined
def below(rng, n):  # type: ignore[no-untyped-def]
    """A random number from 0 to n-1; rng is a one-element uint64 array (xorshift64)."""
    x = rng[0]
    x ^= x << U(13)
    x ^= x >> U(7)
    x ^= x << U(17)
    rng[0] = x
    return np.int64(((x >> U(32)) * U(n)) >> U(32))


def generator(*seed: object) -> Any:
    """A generator named by its seed: the same words, the same numbers, in any process."""
    digest = hashlib.sha256(repr(seed).encode()).digest()
    return np.array([int.from_bytes(digest[:8], "big") | 1], np.uint64)
