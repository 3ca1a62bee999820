"""The bricks of KingBrick: kinds, faces and costs (KB-3, KB-4), and armies (KB-5, KB-6)."""

import re
from collections import Counter
from typing import NamedTuple

POINTS = 44  # KB-6
BRICKS = 20
FACES = 6
SIDE_LETTERS = "rb"
STANDARD = "K 4C 12G"  # KB-5

KING, GUARDIAN, CHAMPION, NINJA, ASSASSIN, MERCENARY, FREEZE = "KGCNAMF"
BLINK, KNIGHT, GHOST, MEDIC = "BHOD"
HAPPY, SAD, GREY, PLAIN = "happy", "sad", "grey", "plain"


class Kind(NamedTuple):
    name: str
    cost: int
    faces: tuple[str, ...]  # the mood of face 1 to 6: the happy ones come first (KB-3)


def _kind(name: str, cost: int, happy: int, otherwise: str = SAD) -> Kind:
    return Kind(name, cost, (HAPPY,) * happy + (otherwise,) * (FACES - happy))


KINDS = {
    KING: _kind("king", 0, 0, PLAIN),
    GUARDIAN: _kind("guardian", 2, 2),
    CHAMPION: _kind("champion", 5, 5),
    NINJA: _kind("ninja", 4, 3),
    ASSASSIN: _kind("assassin", 4, 3),
    MERCENARY: _kind("mercenary", 3, 4, GREY),
    FREEZE: _kind("freeze", 2, 0, PLAIN),
}
EXTRA_KINDS = {
    BLINK: _kind("blink", 1, 1),
    KNIGHT: _kind("knight", 3, 3),
    GHOST: _kind("ghost", 5, 5),
    MEDIC: _kind("medic", 2, 2),
}
ALL_KINDS = KINDS | EXTRA_KINDS

GROUP = re.compile(r"([1-9][0-9]?)?([A-Z])")


def kinds(extra: bool) -> dict[str, Kind]:
    """The kinds that a table plays with."""
    return ALL_KINDS if extra else KINDS


def army_read(text: str) -> str | None:
    """The letters of an army in the order of its bricks' numbers, from `K 4C 12G`; None if it cannot be read."""
    letters = ""
    for word in text.split(" "):
        found = GROUP.fullmatch(word)
        if not found or found[2] not in ALL_KINDS:
            return None
        letters += found[2] * int(found[1] or 1)
    return letters


def army_written(letters: str) -> str:
    """`KCCCCG` as `K 4C G`: bricks of a kind that follow one another are counted."""
    groups = [match[0] for match in re.finditer(r"(.)\1*", letters)]
    return " ".join((str(len(group)) if len(group) > 1 else "") + group[0] for group in groups)


def points(letters: str) -> int:
    return sum(ALL_KINDS[letter].cost for letter in letters)


def bricks(letters: str) -> int:
    """KB-6: the King does not count."""
    return len(letters) - Counter(letters)[KING]


def named(letters: str, seat: int) -> dict[str, str]:
    """The kinds of an army's bricks by their names, `r1` and so on."""
    return {f"{SIDE_LETTERS[seat - 1]}{number}": letter for number, letter in enumerate(letters, start=1)}


def side_of(name: str) -> int:
    """The seat whose side a brick's name tells."""
    return SIDE_LETTERS.index(name[0]) + 1


def number_of(name: str) -> int:
    return int(name[1:])


def mood(kind: str, face: int) -> str:
    return ALL_KINDS[kind].faces[face - 1]
