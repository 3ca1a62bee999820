"""When a server was running: no clock runs while there is no server. Each server stores since and until when it runs.

Where several servers share a database, clocks also stand still while one of them is dead or the database is away.
"""

from bisect import bisect_right
from collections.abc import Collection, Sequence

NOTED_EVERY = 5000  # milliseconds; the time since the last note of a killed server is charged to nobody


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

    def add_outages(self, outages: Collection[tuple[int, int]]) -> bool:
        """Charge nobody for these times. Return whether any of them was new."""
        merged: list[tuple[int, int]] = []
        for start, end in sorted({*self._gaps, *outages}):
            if merged and start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            else:
                merged.append((start, end))
        changed, self._gaps = merged != self._gaps, merged
        return changed

    def downtime(self, since: int, until: int) -> int:
        """Return how much of the time between two moments is charged to nobody."""
        if not self._gaps or since >= self._gaps[-1][1]:
            return 0
        first = bisect_right(self._gaps, since, key=lambda gap: gap[1])
        return sum(max(0, min(until, end) - max(since, start)) for start, end in self._gaps[first:])
