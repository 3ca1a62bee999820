"""The ids of the numbered rules."""

import re
from pathlib import Path

RULES = Path(__file__).parents[1] / "docs" / "rules"
RULE_ID = re.compile(r"^- \*\*([A-Z]{2}-\d+)\*\*", re.MULTILINE)


def rule_ids(game):
    """The ids in a game's numbered rules."""
    return RULE_ID.findall((RULES / f"{game}.md").read_text("utf-8"))
