"""Figures of a running server, in the text format of Prometheus."""

import resource
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)  # bounds of histograms
HELP = {
    "ludoteca_append_seconds": "From asking the storage to store a move until it is on the disk.",
    "ludoteca_sockets": "Connections of clients that are open.",
    "ludoteca_tables_in_memory": "Tables that this server has in memory.",
    "ludoteca_bots_waiting": "Bots that wait for a worker.",
    "ludoteca_bots_thinking": "Bots that think in a worker.",
    "ludoteca_bots_longest_wait_seconds": "How long the bot that has waited longest waits now.",
    "ludoteca_bot_wait_seconds": "How long bots waited for a worker.",
    "ludoteca_bot_thinking_seconds": "How long bots thought.",
    "ludoteca_bots_shortened_total": "Moves that a bot thought about for a part of its usual budget only.",
    "ludoteca_refusals_total": "Messages and requests that were refused, by the code of the refusal.",
    "ludoteca_errors_total": "Messages, requests and background tasks that failed.",
    "ludoteca_storage_ready": "1 while everything can be stored.",
    "ludoteca_node_leases": "Tables whose bots and clocks this node minds.",
    "ludoteca_node_takeovers_total": "Tables that this node took over from another one.",
    "ludoteca_node_wakes_total": "Hints from other nodes that a table has changed.",
    "ludoteca_node_catch_ups_total": "Tables that had changed without a hint.",
    "process_cpu_seconds_total": "Processor time of the server, without its workers.",
    "process_resident_memory_bytes": "Memory of the server at its largest, without its workers.",
}


class Histogram:
    def __init__(self) -> None:
        self._counts = [0] * (len(SECONDS) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        self._counts[bisect_left(SECONDS, seconds)] += 1
        self._sum += seconds

    def lines(self, name: str) -> Iterator[str]:
        total = 0
        for bound, count in zip((*map(str, SECONDS), "+Inf"), self._counts, strict=True):
            total += count
            yield f'{name}_bucket{{le="{bound}"}} {total}'
        yield f"{name}_sum {self._sum:.6f}"
        yield f"{name}_count {total}"


class Metrics:
    """Counters and histograms, which are updated when something happens, and gauges, which are read on request."""

    def __init__(self) -> None:
        self._counters: Counter[tuple[str, str]] = Counter()
        self._histograms: dict[str, Histogram] = {}
        self._gauges: dict[str, Callable[[], float]] = {}

    def count(self, name: str, code: str = "", by: int = 1) -> None:
        """Count something that happened. `code` is the value of its one label."""
        self._counters[name, code] += by

    def observe(self, name: str, seconds: float) -> None:
        self._histograms.setdefault(name, Histogram()).observe(seconds)

    def gauge(self, name: str, read: Callable[[], float]) -> None:
        """Add a gauge: `read` is called whenever somebody reads the figures."""
        self._gauges[name] = read

    def text(self) -> str:
        """Return all figures, as Prometheus reads them."""
        lines: list[str] = []
        for name in sorted({name for name, _ in self._counters}):
            lines += [*_head(name, "counter")]
            for (found, code), number in sorted(self._counters.items()):
                if found == name:
                    lines.append(f'{name}{{code="{_escaped(code)}"}} {number}' if code else f"{name} {number}")
        for name, histogram in sorted(self._histograms.items()):
            lines += [*_head(name, "histogram"), *histogram.lines(name)]
        for name, read in sorted(self._gauges.items()):
            lines += [*_head(name, "gauge"), f"{name} {read():g}"]
        return "\n".join([*lines, *_process()]) + "\n"


def _head(name: str, kind: str) -> Iterator[str]:
    yield f"# HELP {name} {HELP[name]}"
    yield f"# TYPE {name} {kind}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _process() -> Iterator[str]:
    used = resource.getrusage(resource.RUSAGE_SELF)
    yield from _head("process_cpu_seconds_total", "counter")
    yield f"process_cpu_seconds_total {used.ru_utime + used.ru_stime:.3f}"
    yield from _head("process_resident_memory_bytes", "gauge")
    yield f"process_resident_memory_bytes {used.ru_maxrss * (1 if sys.platform == 'darwin' else 1024)}"
