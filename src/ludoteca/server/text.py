"""Text that people type and others read."""

import unicodedata
from collections.abc import Iterator

MOST_MARKS = 3  # accents and other marks on one letter: Thai and Hebrew need two or three
# Characters that count as printable but show nothing: fillers, a blank braille cell, selectors of variants.
INVISIBLE = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2800, 0x2800), (0x3164, 0x3164),
        (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0x16FE4, 0x16FE4), (0x1D159, 0x1D159), (0xE0000, 0xE0FFF),
    )
    for code in range(first, last + 1)
)  # fmt: skip


def clean_line(text: str) -> str:
    """Return one line of visible characters with single spaces.

    It contains nothing that could hide the text beside it or change its direction, and at most MOST_MARKS accents on
    one letter, so that they do not reach into the lines above and below.
    """
    shown = (char for char in text if (char.isprintable() or char.isspace()) and char not in INVISIBLE)
    return " ".join("".join(_without_stacks(unicodedata.normalize("NFC", "".join(shown)))).split())


def _without_stacks(text: str) -> Iterator[str]:
    """Yield the text without marks that belong to no letter, and with at most MOST_MARKS marks on one letter."""
    marks = MOST_MARKS
    for char in text:
        if unicodedata.category(char) in ("Mn", "Me"):
            marks += 1
        else:
            marks = MOST_MARKS if char.isspace() else 0
        if marks <= MOST_MARKS:
            yield char
