"""Tokens as text: BGY*/5 stands for the wedges NE SE SW NW and a value. A set is its tokens separated by spaces."""

import re
import tomllib
from functools import cache
from importlib import resources
from typing import NamedTuple

from ludoteca.core.errors import BadOption
from ludoteca.games.matchnlock import circles, rules

COLOURS = "BGYR"
WEDGES = COLOURS + "*"
STANDARD = "standard"
TOKEN = re.compile(r"([BGYR*]{4})/([0-9]{1,2})")
A_SET = f"a set of {rules.LEAST_TOKENS} to {rules.MOST_TOKENS} tokens such as 'BGYR/20 B*G*/5 ...'"


class Token(NamedTuple):
    wedges: str  # NE SE SW NW
    value: int

    def __str__(self) -> str:
        return f"{self.wedges}/{self.value}"

    @property
    def bits(self) -> int:
        """Return the wedges as the rules store them."""
        return sum(wedge_bits(wedge) << shift for wedge, shift in zip(self.wedges, SHIFTS, strict=True))


SHIFTS = (circles.NE, circles.SE, circles.SW, circles.NW)


def wedge_bits(wedge: str) -> int:
    return circles.WILD if wedge == "*" else 1 << COLOURS.index(wedge)


LETTER_OF = {wedge_bits(wedge): wedge for wedge in WEDGES}


@cache
def wedges_of(bits: int) -> str:
    return "".join(LETTER_OF[bits >> shift & circles.WILD] for shift in SHIFTS)


@cache
def token_set(text: str) -> tuple[Token, ...]:
    """Return the tokens of an agreed set. BadOption says what is wrong with it."""
    if text == STANDARD:
        file = resources.files(__package__).joinpath("tokens.toml").read_text("utf-8")
        return tuple(map(_token, tomllib.loads(file)["tokens"]))
    words = text.split()
    for number, word in enumerate(words, start=1):
        if not TOKEN.fullmatch(word):
            wanted = "four wedges of B G Y R *, a slash and a value from 0 to 99 are wanted, as in BGY*/5"
            raise BadOption("tokens", word, f"token {number} cannot be read: {wanted}")
    if not rules.LEAST_TOKENS <= len(words) <= rules.MOST_TOKENS:
        raise BadOption("tokens", f"{' '.join(words[:2])} ...", f"{len(words)} tokens, but {A_SET} is wanted")
    return tuple(map(_token, words))


def _token(word: str) -> Token:
    wedges, value = word.split("/")
    return Token(wedges, int(value))
