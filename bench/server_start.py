"""How long it takes from the command to a served page, and to a game that is ready: `python bench/server_start.py`."""

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from urllib.error import HTTPError

from server_load import wait_until_warm


def start(data: str, cache: str | None) -> tuple[float, float]:
    """Seconds until the page is there, and until the rules and the bots are loaded."""
    environment = dict(os.environ, LUDOTECA_CACHE=cache) if cache else dict(os.environ)
    began = time.perf_counter()
    command = [sys.executable, "-m", "ludoteca.cli", "serve", "--port", "0", "--data", data]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        try:
            urllib.request.urlopen(address).read()
        except HTTPError as error:  # the web is not built: the page that says so
            error.read()
        page = time.perf_counter() - began
        wait_until_warm(address)
        return page, time.perf_counter() - began
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    with tempfile.TemporaryDirectory() as cache:
        for name in ("cold", "warm"):
            with tempfile.TemporaryDirectory() as data:
                page, ready = start(data, cache)
            print(f"{name} start: a page after {page:.1f} s, all rules and bots ready after {ready:.1f} s")


if __name__ == "__main__":
    main()
