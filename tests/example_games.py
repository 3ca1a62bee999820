"""Adds the examples to the registry by their keys, but not to the shelf."""

from pathlib import Path

from ludoteca import games

EXAMPLES = Path(__file__).parents[1] / "examples"
KEYS = sorted(path.parent.name for path in EXAMPLES.glob("*/game.py"))

if str(EXAMPLES) not in games.__path__:
    games.__path__.append(str(EXAMPLES))
