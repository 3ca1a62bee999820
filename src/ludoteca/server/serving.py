"""Runs the server: opens the port, prints the address, opens a browser if there is a screen, stops on a signal."""

import asyncio
import errno
import gc
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from typing import Any

import uvicorn

from ludoteca.server import logs
from ludoteca.server.app import application
from ludoteca.server.connections import Complaints, Config
from ludoteca.server.database.contract import DatabaseTrouble
from ludoteca.server.database.opening import open_storage
from ludoteca.server.http.connection import LOOPBACK
from ludoteca.server.rooted import Rooted
from ludoteca.server.settings import Settings

log = logging.getLogger("ludoteca.server.serving")
PING_EVERY = 10.0  # seconds; a client that does not answer for twice as long is gone
PATIENCE = 5  # seconds that connections have to end


class _Server(uvicorn.Server):
    """Prints its address once it listens."""

    def __init__(self, config: uvicorn.Config, here: str, network: str | None, open_browser: bool) -> None:
        super().__init__(config)
        self._here, self._network, self._open_browser = here, network, open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(Complaints())
        await super().startup(sockets)
        log.info("serving at %s", self._here)
        print(f"Ludoteca is at {self._here}", flush=True)
        if self._network is not None:
            print(f"On the network it is at {self._network}", flush=True)
        if self._open_browser:
            threading.Thread(target=webbrowser.open, args=(self._here,), daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        told = set(self.server_state.connections)  # uvicorn tells these to end
        ending = asyncio.create_task(self._end_late_connections(told))
        try:
            await super().shutdown(sockets)
        finally:
            ending.cancel()

    async def _end_late_connections(self, told: set[Any]) -> None:
        """End connections that were accepted at the last moment, or became WebSockets after uvicorn had told them."""
        while True:
            await asyncio.sleep(0.05)
            for connection in self.server_state.connections - told:
                told.add(connection)
                connection.shutdown()


def serve(settings: Settings) -> int:
    """Serve until told to stop. Return the exit code."""
    logs.set_up(settings.log, settings.level)
    signal.signal(signal.SIGTERM, _interrupt)
    with suppress(KeyboardInterrupt):
        return _serve(settings)
    return 0


def _interrupt(*_: object) -> None:
    """Treat SIGTERM like Ctrl-C: uvicorn stops first, and then raises the signal again for the parent process."""
    raise KeyboardInterrupt


def _serve(settings: Settings) -> int:
    host = settings.host
    try:
        listening = _listen(host, settings.port)
    except OSError as error:
        print(f"ludoteca: {_port_trouble(host, settings.port, error)}", file=sys.stderr)
        return 1
    port = listening.getsockname()[1]
    here = _address({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port)
    network = None if host in LOOPBACK else _address(_network_host(host), port)
    if settings.metrics is not None and (trouble := _metrics_trouble(*settings.metrics)) is not None:
        print(f"ludoteca: {trouble}", file=sys.stderr)
        return 1
    try:
        storage = open_storage(settings.database)
    except DatabaseTrouble as error:
        print(f"ludoteca: {error}", file=sys.stderr)
        return 1
    app = application(storage, network, root=settings.root, metrics_at=settings.metrics)
    config = Config(
        Rooted(app, settings.root) if settings.root else app,
        settings.limits._replace(proxies=settings.proxies),
        ws_ping_interval=PING_EVERY,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        timeout_graceful_shutdown=PATIENCE,
    )
    # After every statement the thread that writes waits for the interpreter. With the default of 5 ms it would wait
    # longer than for the disk.
    sys.setswitchinterval(0.00005)
    # While garbage is collected nobody is served. So collect little at a time and seldom everything, and never look at
    # the modules, which stay.
    gc.freeze()
    gc.set_threshold(500, 10, 200)
    open_browser = settings.open_browser and _has_screen()
    shown = (here + settings.root, network + settings.root if network else None)
    _Server(config, *shown, open_browser).run(sockets=[listening])
    return 0


def _metrics_trouble(host: str, port: int) -> str | None:
    """Return why the page with the figures cannot be served, or None. Called before anything else starts."""
    try:
        _listen(host, port).close()
    except OSError as error:
        return _port_trouble(host, port, error).replace("--port", "--metrics")
    return None


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # If the protocol is named, asyncio sends small messages at once. Otherwise every second message waits for 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name != "nt":  # on Windows this option lets two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(2048)
    except (OSError, OverflowError) as error:
        listening.close()
        raise error if isinstance(error, OSError) else OSError(str(error)) from None
    return listening


def _port_trouble(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is taken on {host}; choose another with --port, or stop what uses it"
    if error.errno == errno.EACCES:
        return f"port {port} may not be used by this user; choose one above 1023 with --port"
    return f"cannot listen on {host}, port {port}: {error.strerror or error}"


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _network_host(host: str) -> str:
    """Return the address by which others on the network reach this machine, when it listens on all addresses."""
    if host not in ("0.0.0.0", "::"):
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: the system only says which of its addresses it would use
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def _has_screen() -> bool:
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
