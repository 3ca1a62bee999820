"""`python -m ludoteca.server`: the server without the rest of the command line."""

import argparse
import sys
from pathlib import Path

from ludoteca.server.serving import serve

if __name__ == "__main__":
    options = argparse.ArgumentParser(prog="python -m ludoteca.server")
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--port", type=int, default=8000)
    options.add_argument("--data", type=Path)
    given = options.parse_args()
    sys.exit(serve(given.host, given.port, given.data))
