"""A real server in its own process, and people who talk to it as browsers do."""

import json
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

HANG = 120.0  # seconds: only ends a test that hangs


# `ludoteca serve` with one game on its shelf: a server that a test starts has less to load, and is ready sooner.
WITH_ONE_GAME = """
import sys
from ludoteca import cli
from ludoteca.core import registry
registry.game_keys = lambda: [{!r}]
sys.exit(cli.main())
"""


class Server:
    """`ludoteca serve` on a free port, with a data folder or the address of a database."""

    def __init__(
        self, data: Path | str, *more: str, port: int = 0, program: Sequence[str] = (), game: str = ""
    ) -> None:
        """`game` is the only one on the shelf; without it, all games are."""
        self.data = Path(data)
        where = ["--database", data] if isinstance(data, str) else ["--data", str(data)]
        usual = ("-c", WITH_ONE_GAME.format(game)) if game else ("-m", "ludoteca.cli")
        serve = [*(program or usual), "serve", "--port", str(port), *where, *more]
        self.process = subprocess.Popen(
            [sys.executable, *serve],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline()
        self.address = self.said.split()[-1] if self.said else ""

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def kill(self) -> None:
        """Kill the server as a power cut would, without notice."""
        self.process.kill()
        self.process.wait(HANG)

    def stop(self) -> tuple[int, str]:
        """Ask the server to stop. Return its exit code and what it wrote to stderr."""
        self.process.send_signal(signal.SIGTERM)
        _, complaints = self.process.communicate(timeout=HANG)
        return self.process.returncode, complaints

    def close(self) -> None:
        if self.process.poll() is None:
            self.kill()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    def wait_until_warm(self) -> None:
        end = time.monotonic() + HANG
        while not httpx.get(f"{self.address}/api/health", timeout=HANG).json()["warm"]:
            assert time.monotonic() < end
            time.sleep(0.1)


class Person:
    """A guest with one browser window: a cookie, and a socket when they go to a table."""

    def __init__(self, address: str, cookies: httpx.Cookies | None = None) -> None:
        self.address = address
        self.http = httpx.Client(base_url=address, timeout=HANG, cookies=cookies)
        self.name = self.http.get("/api/me").json()["name"]
        self.table = ""
        self.said: dict[str, Any] = {}  # the last state of the table, with the whole log
        self.log: list[dict[str, Any]] = []
        self.listed: list[str] = []  # the tables in the lobby's last list
        self._number = 0
        self._open = ExitStack()
        self.socket = self._open.enter_context(self._connect())

    def _connect(self) -> AbstractContextManager[ClientConnection]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        url = self.address.replace("http", "ws") + "/api/socket"
        return connect(url, additional_headers={"Cookie": cookies}, compression=None, open_timeout=HANG, max_size=None)

    def again(self, address: str | None = None) -> "Person":
        """Return the same guest in another window."""
        return Person(address or self.address, self.http.cookies)

    def close(self) -> None:
        self._open.close()
        self.http.close()

    def create(self, *seats: str, game: str = "pinpoint", **options: Any) -> str:
        """Create a table with seats for "me", "anyone" or a named bot."""
        wanted = [{"for": seat} if seat in ("me", "anyone") else {"for": "bot", "bot": seat} for seat in seats]
        answer = self.http.post("/api/tables", json={"game": game, "options": options, "seats": wanted})
        assert answer.status_code == 201, answer.text
        table: str = answer.json()["table"]
        return table

    def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=HANG))
        if message["type"] in ("table", "entries"):
            start = message.get("have", message.get("after"))
            self.log = self.log[:start] + message["entries"]
            self.said = {**self.said, **message}
        if message["type"] == "lobby":
            self.listed = [table["table"] for table in message["tables"]]
        return message

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        """Send a request and return its answer."""
        self._number += 1
        self.socket.send(json.dumps({"do": do, "id": self._number, "table": self.table, **more}))
        return self.answer(self._number)

    def answer(self, number: int | str | None) -> dict[str, Any]:
        while True:
            message = self.receive()
            if message["type"] in ("done", "error") and message["id"] == number:
                return message

    def done(self, do: str, **more: Any) -> dict[str, Any]:
        answer = self.ask(do, **more)
        assert answer["type"] == "done", answer
        return answer

    def refused(self, do: str, **more: Any) -> str:
        answer = self.ask(do, **more)
        assert answer["type"] == "error", answer
        code: str = answer["code"]
        return code

    def watch(self, table: str, have: int = 0) -> None:
        self.table = table
        self.done("watch", have=have)

    def sit(self, *seats: int, name: str | None = None) -> None:
        for seat in seats:
            self.done("sit", seat=seat, bytes=secrets.token_hex(16), name=name)

    def wait(self, until: Callable[["Person"], Any]) -> None:
        """Receive messages until a condition holds."""
        while not until(self):
            self.receive()

    def begin(self) -> None:
        self.wait(lambda me: me.said.get("started"))

    @property
    def n(self) -> int:
        return int(self.said["n"])

    def a_move(self, seat: int | None = None) -> str:
        """Return a legal move of the seat to move."""
        legal = self.said["legal"][str(seat or self.said["to_move"][0])]
        return f"{legal['pins'][0]}{legal['holes'][0]}"

    def move(self, move: str | None = None, seat: int | None = None) -> None:
        seat = seat or self.said["to_move"][0]
        self.done("move", seat=seat, move=move or self.a_move(seat), after=self.n)
