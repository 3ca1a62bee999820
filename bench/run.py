"""Print every figure that Ludoteca claims: `make bench`. Engines are compared by processor time, in one run."""

import platform
import subprocess
import sys
from pathlib import Path

SCRIPTS = (
    "against_c.py",
    "against_open_spiel.py",
    "matches_against_open_spiel.py",
    "first_move.py",
    "pace.py",
    "lab.py",
    "environments.py",
    "lookahead.py",
    "endings.py",
    "judging.py",
    "tictacmatch.py",
    "kingbrick.py",
    "kingbrick_matches.py",
    "kingbrick_prospects.py",
    "server_load.py",
    "scale.py",
    "server_start.py",
    "first_visit.py",
    "kingbrick_page.py",
)


def main() -> int:
    print(f"Python {platform.python_version()} on {platform.machine()}", flush=True)
    folder = Path(__file__).parent
    return max(subprocess.run([sys.executable, folder / script], check=False).returncode for script in SCRIPTS)


if __name__ == "__main__":
    sys.exit(main())
