"""Connections below the application: how many an address may open, and how long a request or handshake may take."""

import asyncio
import ipaddress
import logging
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import h11
import uvicorn
from uvicorn._types import ASGIReceiveEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.http11 import Request

from ludoteca.server.limits import network_of
from ludoteca.server.socket import ROUND_TRIP, SEND_TEXTS, TRY_AGAIN_LATER

TOO_MANY = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
OUT_OF_RESOURCE = "socket.accept() out of system resource"  # what asyncio says when there are no file descriptors
log = logging.getLogger("ludoteca.server.connections")


class ConnectionLimits(NamedTuple):
    """Times are in seconds."""

    headers: float = 15  # from the start of a connection, or the first byte of a request, to the last header
    body: float = 30  # until the body of a request is complete
    handshake: float = 15  # until a WebSocket is accepted
    first_message: float = 120  # until the first message on it
    most_open: int = 600  # connections of one address, whatever they do
    counts_loopback: bool = False  # this machine itself may do anything, unless a test says otherwise
    proxies: tuple[str, ...] = ()  # addresses and networks that pass on the connections of many
    largest_frame: int = 128 * 1024  # bytes; beyond messages.LARGEST a message is refused, beyond this cut off


class Config(uvicorn.Config):
    """The configuration of uvicorn with our own protocols, which share one count of connections."""

    def __init__(self, app: Any, limits: ConnectionLimits, **more: Any) -> None:
        super().__init__(app, http=HttpConnection, ws=SocketConnection, ws_max_size=limits.largest_frame, **more)
        self.limits = limits
        self.open = OpenConnections(limits)


class OpenConnections:
    """How many connections each address has, from the moment they are accepted."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits
        self._proxies = [ipaddress.ip_network(proxy, strict=False) for proxy in limits.proxies]
        self._open: Counter[str] = Counter()
        self._address: dict[Any, str] = {}  # of a transport

    def enter(self, transport: asyncio.Transport, host: str | None) -> bool:
        """Count a connection, unless its address has too many of them. Return whether it was counted and may stay."""
        network = network_of(host) or ("this machine" if self._limits.counts_loopback else None)
        if network is None or self._is_proxy(host):
            return True
        if self._open[network] >= self._limits.most_open:
            return False
        self._open[network] += 1
        self._address[transport] = network
        return True

    def _is_proxy(self, host: str | None) -> bool:
        try:
            address = ipaddress.ip_address(host or "")
        except ValueError:
            return False
        return any(address in network for network in self._proxies)

    def leave(self, transport: asyncio.Transport) -> None:
        network = self._address.pop(transport, None)
        if network is not None:
            self._open[network] -= 1
            if not self._open[network]:
                del self._open[network]


class HttpConnection(H11Protocol):
    """Closes connections whose request does not become complete in time."""

    config: Config

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._waits_for: str | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.config.open.enter(transport, self.client[0] if self.client else None):
            self._expect()
        else:
            transport.write(TOO_MANY)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_for(None)
        self.config.open.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        self._expect()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._expect()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._wait_for(None)
        super().handle_websocket_upgrade(event)

    def _expect(self) -> None:
        """Set the time limit of what must come next. Between two requests uvicorn's keep-alive timer runs."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            self._wait_for(None)
        elif self.conn.their_state is h11.SEND_BODY:
            self._wait_for("body")
        elif self.conn.their_state is h11.IDLE and self.timeout_keep_alive_task is None:
            self._wait_for("headers")
        else:
            self._wait_for(None)

    def _wait_for(self, what: str | None) -> None:
        if what == self._waits_for:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._waits_for = what
        limits = self.config.limits
        seconds = {None: None, "headers": limits.headers, "body": limits.body}[what]
        self._timer = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)


class SocketConnection(WebSocketsSansIOProtocol):
    """Closes WebSockets that are not accepted, or do not say anything, in time.

    Measures the time to the client and back, which clocks give back to the player. Uvicorn stops reading after every
    message until the application has received it, which costs more than the message itself. This class stops reading
    only while the message before is still waiting.
    """

    config: Config

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._timer = self.loop.call_later(self.config.limits.handshake, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self.config.open.leave(self.transport)
        super().connection_lost(exc)
        # Free the parts of an unfinished message now. The garbage collector would be late, because it counts objects
        # and not bytes, and this protocol, the application's task and the transport refer to one another.
        self.frames.clear()
        self.conn.reader.buffer.clear()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["state"][ROUND_TRIP] = lambda: self.last_ping_rtt
            self.scope["state"][SEND_TEXTS] = self.send_texts

    async def send_texts(self, messages: Sequence[bytes]) -> None:
        """Send messages to the client with one call of the system, which costs more than writing them."""
        await self.writable.wait()
        if self.disconnected or self.close_sent:
            raise ClientDisconnected
        try:
            for message in messages:
                self.conn.send_text(message)
        except InvalidState:  # the client is closing the connection
            raise ClientDisconnected from None
        self.transport.write(b"".join(self.conn.data_to_send()))

    async def receive(self) -> ASGIReceiveEvent:
        """Return what came next. Where many messages came at once, let other clients have their turn in between."""
        if not self.queue.empty():
            await asyncio.sleep(0)
        return await super().receive()

    def send_receive_event_to_app(self) -> None:
        self._stop_timer()
        if self.read_paused or not self.queue.empty():
            super().send_receive_event_to_app()
            return
        self.read_paused = True  # uvicorn does not pause what is paused
        super().send_receive_event_to_app()
        self.read_paused = False

    def start_keepalive(self) -> None:
        """The handshake is complete."""
        self._stop_timer()
        self._timer = self.loop.call_later(self.config.limits.first_message, self._end_silence)
        self.send_keepalive_ping()

    def _end_silence(self) -> None:
        self._timer = None
        if self.close_sent or self.transport.is_closing():
            return
        self.conn.fail(TRY_AGAIN_LATER, "nothing was said")
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Complaints:
    """Handles errors of the event loop: logs a lack of file descriptors once a second, not at every attempt."""

    def __init__(self) -> None:
        self._said, self._since = -1.0, 0

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if context.get("message") != OUT_OF_RESOURCE:
            loop.default_exception_handler(context)
            return
        self._since += 1
        if time.monotonic() - self._said >= 1:
            log.error("no connection can be accepted: %s (%d times)", context.get("exception"), self._since)
            self._said, self._since = time.monotonic(), 0
