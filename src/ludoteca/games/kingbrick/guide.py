"""What helps a bot in KingBrick."""

from ludoteca.core.levels import Level

LEVELS: dict[str, Level] = {}
