"""Answers `GET /metrics` on an address of its own, so that no player can read it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from ludoteca.server.metrics import Metrics

LARGEST, PATIENCE = 8192, 5.0  # bytes of a request, and seconds until it is complete
TEXT = "text/plain; version=0.0.4; charset=utf-8"


class BadAddress(ValueError):
    def __init__(self, text: str) -> None:
        super().__init__(f"bad address {text!r}: PORT, or HOST:PORT")


def address_of(text: str) -> tuple[str, int]:
    """Return host and port. A port alone means this machine only: no other machine can reach it."""
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > 65535 or (":" in text and not host):
        raise BadAddress(text)
    return host.strip("[]") or "127.0.0.1", int(port)


@asynccontextmanager
async def metrics_page(metrics: Metrics, host: str, port: int) -> AsyncIterator[int]:
    """Serve the figures while the body of `async with` runs. Yield the port."""
    server = await asyncio.start_server(lambda reader, writer: _answer(metrics, reader, writer), host, port)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def _answer(metrics: Metrics, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        request = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
        method, path, *_ = request.split(b" ", 2)
        if method not in (b"GET", b"HEAD"):
            status, text = "405 Method Not Allowed", ""
        elif path.partition(b"?")[0] != b"/metrics":
            status, text = "404 Not Found", "the figures are at /metrics\n"
        else:
            status, text = "200 OK", metrics.text()
        body = text.encode()
        head = f"HTTP/1.1 {status}\r\nContent-Type: {TEXT}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode() + (b"" if method == b"HEAD" else body))
        await asyncio.wait_for(writer.drain(), PATIENCE)
    except (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        pass  # the request was not complete in time, or the client is gone
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
