"""The real server, for the browsers of the tests."""

import os
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import httpx
from players import HANG_GUARD

ON_A_DAY = """
import os
from ludoteca import cli
from ludoteca.server.timing import Time
now = Time.now
ahead = 86_400_000 * int(os.environ["DAY"]) + 43_200_000 - Time().now()
Time.now = lambda time: now(time) + ahead
cli.main()
"""


class House:
    """A server that can be killed and started again on the same port and the same data."""

    def __init__(self, data: Path, *more: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.data, self.more = data, more
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        self.program = ["-m", "ludoteca.cli"]
        self.environment: dict[str, str] = {}  # added to the environment of the tests

    def open(self) -> None:
        where = ["--port", str(self.port), "--data", str(self.data)]
        program = [sys.executable, *self.program, "serve", *where, *self.more]
        self.process = subprocess.Popen(program, env=os.environ | self.environment)
        started = time.monotonic()
        while True:
            with suppress(httpx.TransportError):
                if httpx.get(self.url + "/api/health").is_success:
                    return
            assert self.process.poll() is None, f"the server ended with {self.process.returncode}"
            assert time.monotonic() < started + HANG_GUARD / 1000, "the server does not answer"
            time.sleep(0.1)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def close(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait()
            self.process = None

    def open_on(self, day: int) -> None:
        """Open the house at noon of a day, counted from 1970. If it is open already, it is closed first."""
        self.close()
        self.program, self.environment["DAY"] = ["-c", ON_A_DAY], str(day)
        self.open()
