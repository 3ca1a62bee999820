"""When a server was running: no clock runs while none is. Each server keeps a note of its own time and renews it."""

from bisect import bisect_right
from collections.abc import Sequence

NOTED_EVERY = 5000  # milliseconds; what is lost of that when a server is killed is charged to nobody


class Uptime:
    """Intervals in milliseconds since 1970; the last one is still open."""

    def __init__(self, before: Sequence[tuple[int, int]], since: int) -> None:
        self.since = since
        self._gaps: list[tuple[int, int]] = []
        reached = None
        for start, end in sorted((*before, (since, since))):
            if reached is not None and start > reached:
                self._gaps.append((reached, start))
            reached = end if reached is None else max(reached, end)

    def downtime(self, since: int, until: int) -> int:
        """Return how much of the time between two moments no server was running."""
        if not self._gaps or since >= self._gaps[-1][1]:
            return 0
        first = bisect_right(self._gaps, since, key=lambda gap: gap[1])
        return sum(max(0, min(until, end) - max(since, start)) for start, end in self._gaps[first:])
