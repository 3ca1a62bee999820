"""The ids of the numbered rules."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
RULES = ROOT / "docs" / "rules"
RULE_ID = re.compile(r"^- \*\*([A-Z]{2}-\d+)\*\*", re.MULTILINE)


def rule_ids(game):
    """Return the ids in a game's numbered rules; an example has them in its own folder."""
    path = RULES / f"{game}.md"
    return RULE_ID.findall((path if path.exists() else ROOT / "examples" / game / "rules.md").read_text("utf-8"))
