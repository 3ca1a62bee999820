"""Real sockets: connections that never finish, too many of them, no file descriptors, and clients that do not read."""

import asyncio
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import httpx
import pytest
from guests_at_tables import HANG, Person, Server
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ludoteca.server.socket import MOST_BYTES_WAITING, Client

# `ludoteca serve` with shorter limits, to keep the tests short. Nothing here fails on a slow machine.
PROGRAM = """
import sys
from pathlib import Path
from ludoteca.server import connections, serving
from ludoteca.server.kernels import Kernels
from ludoteca.server.settings import Settings
{before}
async def nothing(self): pass
Kernels.warm_up = nothing  # no match is played here
limits = connections.ConnectionLimits({limits})
sys.exit(serving.serve(Settings(sys.argv[sys.argv.index("--data") + 1], port=0, limits=limits)))
"""
UPGRADE = "GET /api/socket HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
POST = "POST /api/tables HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"

Limited = Callable[..., Server]


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[Limited]:
    servers: list[Server] = []

    def started(limits: str, before: str = "") -> Server:
        program = PROGRAM.format(limits=limits, before=before)
        servers.append(Server(tmp_path / "data", program=("-c", program)))
        return servers[-1]

    yield started
    for server in servers:
        server.close()


def opened(server: Server, begun: str = "") -> socket.socket:
    found = socket.create_connection(("127.0.0.1", server.port), timeout=HANG)
    if begun:
        found.sendall(begun.encode())
    return found


def is_ended(connection: socket.socket) -> bool:
    """Return whether the other side ends the connection, no matter what it sends before."""
    try:
        while connection.recv(4096):
            pass
    except ConnectionResetError:
        pass
    except TimeoutError:
        return False
    return True


UNFINISHED = {
    "nothing": "",
    "half a request": "GET / HT",
    "headers without end": "GET / HTTP/1.1\r\nHost: here\r\n",
    "half a body": POST + "Content-Length: 1000\r\n\r\n{",
    "a chunked body without end": POST + "Transfer-Encoding: chunked\r\n\r\n5\r\n{    \r\n",
    "half an upgrade": UPGRADE,
    "an upgrade with 200 headers": UPGRADE + KEY + "".join(f"X-{n}: x\r\n" for n in range(200)) + "\r\n",
    "a socket that says nothing": UPGRADE + KEY + "\r\n",
    "half a first message": UPGRADE + KEY + "\r\n" + "\x01\x05abc",
}


def test_what_is_never_finished_is_ended(limited: Limited) -> None:
    server = limited("headers=2, body=2, handshake=2, first_message=2")
    with ExitStack() as held:
        connections = {what: held.enter_context(opened(server, begun)) for what, begun in UNFINISHED.items()}
        for what, connection in connections.items():
            assert is_ended(connection), what
    assert httpx.get(f"{server.address}/api/health", timeout=HANG).status_code == 200
    assert server.stop() == (0, "")


def test_a_header_now_and_then_does_not_buy_time(limited: Limited) -> None:
    server = limited("headers=2")
    with opened(server, "GET / HTTP/1.1\r\n") as connection:
        connection.settimeout(0.05)
        for n in range(10_000):
            try:
                connection.sendall(f"X-{n % 60}: x\r\n".encode() if n < 60 else b"X")
                if not connection.recv(4096):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        else:
            pytest.fail("it goes on for ever")


def test_connections_are_counted_from_the_first_moment(limited: Limited) -> None:
    server = limited("headers=600, most_open=20, counts_loopback=True")
    with ExitStack() as held:
        for _ in range(20):
            held.enter_context(opened(server))
        with opened(server, "GET /api/health HTTP/1.1\r\nHost: here\r\n\r\n") as refused:
            assert refused.recv(4096).startswith(b"HTTP/1.1 503")
            assert is_ended(refused)
    end = time.monotonic() + HANG
    while time.monotonic() < end:  # until the server notices that they are gone
        try:
            if httpx.get(f"{server.address}/api/health", timeout=HANG).status_code == 200:
                break
        except httpx.TransportError:
            pass
    else:
        pytest.fail("those that are gone are still counted")
    with connect(server.address.replace("http", "ws") + "/api/socket", open_timeout=HANG) as one:
        one.send('{"do": "ping", "id": 1}')
        assert '"done"' in str(one.recv(timeout=HANG))


def test_running_out_of_file_descriptors_is_logged_once_a_second(limited: Limited) -> None:
    pytest.importorskip("resource")
    before = "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (80, 80))"
    server = limited("headers=600", before)
    began = time.monotonic()
    with ExitStack() as held:
        for _ in range(120):
            held.enter_context(opened(server))
        time.sleep(3)
    answer = httpx.get(f"{server.address}/api/health", timeout=HANG)
    assert answer.status_code == 200, "it serves again when there is room"
    _, complaints = server.stop()
    seconds = time.monotonic() - began
    said = complaints.count("no connection can be accepted")
    assert 1 <= said <= seconds + 1
    assert "out of system resource" not in complaints


def test_a_large_message_is_cut_off_before_it_is_gathered(limited: Limited) -> None:
    server = limited("")
    with opened(server, UPGRADE + KEY + "\r\n") as one:
        answer = one.recv(4096)
        assert answer.startswith(b"HTTP/1.1 101")
        one.sendall(b"\x81\xff" + (15 * 1024 * 1024).to_bytes(8, "big") + b"mask" + b"x" * 100)
        assert is_ended(one), "it is not waited for the rest"
    url = server.address.replace("http", "ws") + "/api/socket"
    with connect(url, open_timeout=HANG) as two, pytest.raises(ConnectionClosed):
        two.send("x" * 60_000 for _ in range(1000))  # in pieces


def memory(server: Server) -> int:
    """Return the memory of the server's process, in bytes."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) * 1024


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only there the memory of a process can be read")
def test_waves_of_unfinished_messages_leave_nothing_behind(limited: Limited) -> None:
    server = limited("")

    def wave() -> None:
        with ExitStack() as held:
            for _ in range(20):
                one = held.enter_context(opened(server, UPGRADE + KEY + "\r\n"))
                assert one.recv(4096).startswith(b"HTTP/1.1 101")
                one.sendall(b"\x81\xff" + (120 * 1024).to_bytes(8, "big") + b"mask" + b"x" * 110 * 1024)
        Person(server.address).close()

    for _ in range(3):
        wave()
    before = memory(server)
    for _ in range(15):  # 15 * 20 * 110 kB would be 33 MB
        wave()
    assert memory(server) - before < 12_000_000


class DeafSocket:
    """A WebSocket whose other side never reads."""

    scope: ClassVar[dict[str, Any]] = {"state": {}}

    async def send(self, message: object) -> None:
        await asyncio.Event().wait()


def deaf_client() -> Client:
    return Client(DeafSocket(), SimpleNamespace(clients=set()), None, "http://here")  # type: ignore[arg-type]


def test_what_waits_for_a_client_that_does_not_read_is_bounded() -> None:
    async def what() -> None:
        client = deaf_client()
        sending = asyncio.create_task(client._send_all())
        message = b"x" * 100_000
        for _ in range(1000):  # 100 MB
            client.send(message)
        await asyncio.sleep(0)
        assert client.is_cut_off, "it is cut off, and may come back"
        assert client._bytes_waiting <= MOST_BYTES_WAITING
        assert not client.has_room, "it is not heard until it reads"
        sending.cancel()

    asyncio.run(what())


def test_a_single_message_may_be_large() -> None:
    async def what() -> None:
        client = deaf_client()
        client.send(b"x" * 2 * MOST_BYTES_WAITING)
        assert not client.is_cut_off

    asyncio.run(what())
