"""Three clients ask and read nothing: the server stops hearing them, keeps its memory, and serves the others."""

import json
import os
import socket
import struct
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from guests_at_tables import HANG, Person, Server

MOST_MESSAGES = 500_000  # more than the buffers of the system hold: 35 MB
BLOCKED = 3.0  # seconds in which not a byte can be sent any more
MOST_MEMORY = 64 * 1024  # kB that three of them may cost: each may have 8 MB waiting, and the system has buffers


def frame(message: dict[str, object]) -> bytes:
    """A text frame of a client, with a mask of zeros."""
    text = json.dumps(message).encode()
    size = struct.pack("!B", 0x80 | len(text)) if len(text) < 126 else struct.pack("!BH", 0x80 | 126, len(text))
    return b"\x81" + size + b"\0\0\0\0" + text


def opened(port: int) -> socket.socket:
    """A WebSocket with a small buffer for what it never reads."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(HANG)
    client.connect(("127.0.0.1", port))
    client.sendall(
        b"GET /api/socket HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    assert client.recv(12) == b"HTTP/1.1 101"
    return client


def sent_until_blocked(client: socket.socket, asked: bytes) -> int:
    """Ask until the server does not hear it any more, or cuts the client off. Return the number of messages."""
    client.settimeout(BLOCKED)
    sent = 0
    with suppress(TimeoutError, ConnectionError):
        while sent < MOST_MESSAGES:
            client.sendall(asked)
            sent += 50
    return sent


def memory(pid: int) -> int:
    """Resident kB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_three_clients_that_do_not_read(start: Callable[..., Server]) -> None:
    server = start(game="pinpoint")
    ada = Person(server.address)
    ada.watch(ada.create("me", "me", start=1))
    ada.sit(1, 2)
    ada.begin()
    before = memory(server.process.pid)
    asked = frame({"do": "watch", "id": 1, "table": ada.table, "have": 0}) * 50
    with ExitStack() as held, ThreadPoolExecutor() as threads:
        clients = [held.enter_context(opened(server.port)) for _ in range(3)]
        for sent in threads.map(lambda client: sent_until_blocked(client, asked), clients):
            assert sent < MOST_MESSAGES, "everything was heard, and the answers are kept somewhere"
        ada.move()
        assert memory(server.process.pid) - before < MOST_MEMORY
    ada.move()
    ada.close()
    assert os.path.exists(f"/proc/{server.process.pid}")
