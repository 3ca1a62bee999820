"""A server for a measurement."""

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def own_server(**environment: str) -> Iterator[tuple[int, str]]:
    """Yield the server's process id and its address. Its data folder is deleted with it."""
    with tempfile.TemporaryDirectory() as data, serving("--data", data, **environment) as served:
        yield served


@contextmanager
def serving(*options: str, **environment: str) -> Iterator[tuple[int, str]]:
    """Run `ludoteca serve` with these options. Yield the server's process id and its address."""
    command = [sys.executable, "-m", "ludoteca.cli", "serve", "--port", "0", *options]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | environment)
    try:
        assert server.stdout is not None
        yield server.pid, server.stdout.readline().split()[-1]
    finally:
        server.terminate()
        server.wait()


def wait_until_warm(address: str) -> None:
    """Wait until every game is compiled."""
    with urllib.request.urlopen(f"{address}/api/games") as answer:
        games = len(json.load(answer))
    while True:
        with urllib.request.urlopen(f"{address}/api/health") as answer:
            if len(json.load(answer)["warm"]) == games:
                return
        time.sleep(0.1)
