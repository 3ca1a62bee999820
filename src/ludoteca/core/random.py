"""The random numbers of compiled code: fast, and the same on every machine. The table's chance is core/chance.py."""

import hashlib
from typing import Any

import numpy as np

from ludoteca.core.compiler import inlined

U = np.uint64
GOLDEN = U(0x9E3779B97F4A7C15)  # the step of splitmix64: 2**64 divided by the golden ratio


@inlined
def below(rng, n):  # type: ignore[no-untyped-def]
    """Return a random number from 0 to n-1. `rng` is a one-element uint64 array (xorshift64)."""
    x = rng[0]
    x ^= x << U(13)
    x ^= x >> U(7)
    x ^= x << U(17)
    rng[0] = x
    return np.int64(((x >> U(32)) * U(n)) >> U(32))


@inlined
def mixed(word):  # type: ignore[no-untyped-def]
    """Scramble 64 bits: the output function of splitmix64. It turns a counter into noise."""
    word = (word ^ (word >> U(30))) * U(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> U(27))) * U(0x94D049BB133111EB)
    return word ^ (word >> U(31))


@inlined
def word_at(key, n):  # type: ignore[no-untyped-def]
    """Return the n-th word of the sequence that a key names. It does not depend on computing the others."""
    return mixed(key + U(n) * GOLDEN)


@inlined
def ticket_at(key, n, total):  # type: ignore[no-untyped-def]
    """Return the n-th word of a key's sequence as a number from 0 to total-1."""
    return np.int64(((word_at(key, n) >> U(32)) * U(total)) >> U(32))


def key_of(*seed: object) -> Any:
    """Return the key that these words name. The same words give the same key in any process."""
    return U(_first_word(*seed))


def _first_word(*seed: object) -> int:
    return int.from_bytes(hashlib.sha256(repr(seed).encode()).digest()[:8], "big")


@inlined
def marked(mark, number):  # type: ignore[no-untyped-def]
    """Return the mark of a position with one more number in it. Equal numbers in equal order give equal marks."""
    mark ^= number
    mark ^= mark << U(13)
    mark ^= mark >> U(7)
    mark ^= mark << U(17)
    return mark


def generator(*seed: object) -> Any:
    """Return a generator seeded by these words. The same words give the same numbers in any process."""
    return np.array([_first_word(*seed) | 1], np.uint64)
