"""The board of AFTAEBR, and sets of its squares as the bits of one number.

A square has bit 8 * row + column, so that a step to a neighbour is a shift by 1 or 8.
"""

import numpy as np

from ludoteca.core.compiler import inlined

SIZE = 6
SQUARES = SIZE * SIZE
STRIDE = 8  # bits from a square to the one above it
BITS = STRIDE * SIZE

BIT = np.array([row * STRIDE + column for row in range(SIZE) for column in range(SIZE)], np.int64)
BOARD = int(sum(1 << int(bit) for bit in BIT))
ROW = (1 << SIZE) - 1
N_BITS = np.array([bin(row).count("1") for row in range(1 << SIZE)], np.int64)
NTH_BIT = np.array(
    [([b for b in range(SIZE) if row >> b & 1] + [0] * SIZE)[:SIZE] for row in range(1 << SIZE)], np.int64
)


@inlined
def n_squares(squares):
    """Return the number of these squares."""
    x = np.uint64(squares)
    x = x - (x >> np.uint64(1) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + (x >> np.uint64(2) & np.uint64(0x3333333333333333))
    x = x + (x >> np.uint64(4)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64(x * np.uint64(0x0101010101010101) >> np.uint64(56))


@inlined
def lowest(squares):
    """Return the index of the lowest bit of these squares."""
    return n_squares((squares & -squares) - 1)


@inlined
def square_of(bit):
    return (bit >> 3) * SIZE + (bit & 7)


@inlined
def nth_square(squares, k):
    """Return the k-th of these squares."""
    square = 0
    row = squares & ROW
    while k >= N_BITS[row]:
        k -= N_BITS[row]
        squares >>= STRIDE
        square += SIZE
        row = squares & ROW
    return square + NTH_BIT[row, k]


@inlined
def completing(tops):
    """Return, by number, the squares on which a piece of that number completes a sequence."""
    a, b, c, d = missing(tops[1], tops[2], tops[3], tops[4], 1)
    e, f, g, h = missing(tops[1], tops[2], tops[3], tops[4], STRIDE)
    i, j, k, m = missing(tops[4], tops[3], tops[2], tops[1], 1)
    n, o, p, q = missing(tops[4], tops[3], tops[2], tops[1], STRIDE)
    return (a | e | m | q) & BOARD, (b | f | k | p) & BOARD, (c | g | j | o) & BOARD, (d | h | i | n) & BOARD


@inlined
def missing(first, second, third, fourth, step):
    """Return the squares that lack only the first, second, third or fourth piece of a sequence with this step."""
    return (
        second >> step & third >> 2 * step & fourth >> 3 * step,
        first << step & third >> step & fourth >> 2 * step,
        first << 2 * step & second << step & fourth >> step,
        first << 3 * step & second << 2 * step & third << step,
    )
