"""How long a fresh process takes until a bot's first move, cold (compiling) and warm, and its memory then."""

import os
import subprocess
import sys
import tempfile

PROGRAM = """
import resource, time
began = time.perf_counter()
from ludoteca.core.match import Match
from ludoteca.search import bots
match = Match.new("pinpoint")
bots.choose(match.game, "expert", match.state, match.to_move[0], (1,))
print(time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def first_move(cache: str) -> tuple[float, float]:
    environment = {**os.environ, "LUDOTECA_CACHE": cache}
    shown = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, check=True, capture_output=True, text=True)
    seconds, megabytes = map(float, shown.stdout.split())
    return seconds, megabytes


def measure() -> list[str]:
    with tempfile.TemporaryDirectory() as cache:
        cold, compiling = first_move(cache)
        warm, resting = min(first_move(cache) for _ in range(3))
    return [
        f"Pin Point, expert's first move in a fresh process: cold {cold:.1f} s, warm {warm:.1f} s",
        f"memory with Pin Point compiled: {compiling:.0f} MB after compiling, {resting:.0f} MB from the cache",
    ]


if __name__ == "__main__":
    print(*measure(), sep="\n")
