"""What a game's encode.py offers to programs that learn: a position as numbers, and which positions are alike.

The encode.py of a game with a kernel has:

    VERSION      of the game's environments: it rises when what they return changes
    PLANES       what each plane of an observation shows
    SHAPE        of an observation: planes, rows and columns
    HIGHEST      no number in an observation is below 0 or above this
    OUTCOMES     outcomes of chance have numbers from MAX_MOVES to MAX_MOVES + OUTCOMES - 1
    LONGEST      no match has more decisions than this
    encode(state, seat, out)   compiled: writes what a seat sees, every number of it, into a float32 array of this shape
    mask(state, out)           compiled, may be left out: writes 1 for every legal move, 0 for the others, as int8
    outcome(number)            an outcome of chance in words, where there are any
    told(state, seat, number)  may be left out where nothing is hidden: a move or an outcome in the words that a seat is
                               told; None where its name says it all
    symmetries(players)        may be left out: the ways in which the game looks the same, for data augmentation

`encode` is built up from what the seat may see: two states that look alike to a seat give equal bytes. Planes of seats
begin with the seat that looks and go on clockwise. A number that is no place on the board fills its plane.

A game without a kernel has LOWEST and ACTIONS (the length of an action, each part of it from -1 to 1), but no PLANES,
OUTCOMES and LONGEST. Its `encode` is plain Python, and besides it has:

    chosen(state, seat, action)   the move, as text, that comes nearest to an action, and whether it had to be changed
    automatic(state, seat)        the move that the environment makes for a seat, or None where the agent decides
"""

import importlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ludoteca.core.compiler import inlined
from ludoteca.core.errors import UnfinishedGame


class Symmetry(NamedTuple):
    """One way in which a game looks the same: what a seat observes, and its image, which a seat could observe as well.

    Number i of the image is number `observation[i]` of the original, both flattened, and move m of the original is move
    `moves[m]` of the image. Whoever sits on seat n of the original sits so many `seats` further in the image.
    """

    name: str
    observation: Any
    moves: Any
    seats: int = 0

    def observed(self, observation: Any) -> Any:
        """Return the image of one observation, or of many in a row."""
        flat = observation.reshape(*observation.shape[:-3], -1)
        return flat[..., self.observation].reshape(observation.shape)

    def masked(self, mask: Any) -> Any:
        """Return the image of a mask, or of any numbers by move, such as the probabilities of a policy."""
        image = np.empty_like(mask)
        image[..., self.moves[: mask.shape[-1]]] = mask
        return image


@cache
def encoding(key: str) -> ModuleType:
    """Return a game's encode.py."""
    name = f"ludoteca.games.{key}.encode"
    if find_spec(name) is None:
        raise UnfinishedGame(f"games/{key} has no encode.py: ludoteca/core/tensors.py says what an environment needs")
    found = importlib.import_module(name)
    own = ("LOWEST",) if hasattr(found, "ACTIONS") else ("PLANES", "OUTCOMES", "LONGEST")  # without, with a kernel
    for wanted in ("VERSION", "SHAPE", "HIGHEST", *own, "encode"):
        if not hasattr(found, wanted):
            raise UnfinishedGame(f"games/{key}/encode.py has no `{wanted}`: ludoteca/core/tensors.py says what it is")
    return found


def has_encoding(key: str) -> bool:
    return find_spec(f"ludoteca.games.{key}.encode") is not None


def symmetries(key: str, players: int = 2) -> tuple[Symmetry, ...]:
    """Return the symmetries of a game for so many players, the identity not among them."""
    found = getattr(encoding(key), "symmetries", None)
    return tuple(found(players)) if found else ()


def square_images(size: int) -> Iterator[tuple[str, Any]]:
    """Yield the eight ways to lay a square board, each with the image of every cell, counted row by row."""
    cells = np.arange(size * size).reshape(size, size)
    for is_mirrored in (False, True):
        for quarters in range(4):
            laid = np.rot90(cells.T if is_mirrored else cells, quarters)
            image = np.empty(size * size, np.int64)
            image[laid.ravel()] = np.arange(size * size)
            yield f"{'mirrored, ' if is_mirrored else ''}turned by {90 * quarters}", image


@inlined
def fill(flat, plane, size, value):  # type: ignore[no-untyped-def]
    """Write one number all over a plane of so many cells; `flat` are all planes in a row."""
    cells = flat[plane * size : (plane + 1) * size]
    number = np.float32(value)
    for cell in range(size):
        cells[cell] = number


def gathered(planes: Sequence[int], cells: Sequence[int]) -> Any:
    """Return a Symmetry's `observation`: plane p of the original is plane planes[p] of the image, and so are cells."""
    size = len(cells)
    found = np.empty(len(planes) * size, np.int64)
    for plane, image in enumerate(planes):
        found[image * size + np.asarray(cells)] = plane * size + np.arange(size)
    return found
