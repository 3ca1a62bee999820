"""Serves: takes the port, says the address, opens a browser where there is a screen, stops when asked to."""

import asyncio
import errno
import gc
import os
import signal
import socket
import sys
import threading
import webbrowser
from contextlib import suppress

import uvicorn

from ludoteca.server.app import LOOPBACK, application
from ludoteca.server.connections import Complaints, Config, ConnectionLimits
from ludoteca.server.database.contract import DatabaseTrouble
from ludoteca.server.database.opening import open_storage

PING_EVERY = 10.0  # seconds; who does not answer for twice as long is gone
PATIENCE = 5  # seconds that connections have to end


class _Server(uvicorn.Server):
    """Says where it is once it is there."""

    def __init__(self, config: uvicorn.Config, here: str, network: str | None, open_browser: bool) -> None:
        super().__init__(config)
        self._here, self._network, self._open_browser = here, network, open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(Complaints())
        await super().startup(sockets)
        print(f"Ludoteca is at {self._here}", flush=True)
        if self._network is not None:
            print(f"On the network it is at {self._network}", flush=True)
        if self._open_browser:
            threading.Thread(target=webbrowser.open, args=(self._here,), daemon=True).start()


def serve(
    host: str, port: int, database: str, open_browser: bool = False, limits: ConnectionLimits | None = None
) -> int:
    """Serve until told to stop. `database` is the address of the storage. Return the exit code."""
    signal.signal(signal.SIGTERM, _interrupt)
    with suppress(KeyboardInterrupt):
        return _serve(host, port, database, open_browser and _has_screen(), limits or ConnectionLimits())
    return 0


def _interrupt(*_: object) -> None:
    """The server stops by itself and then raises the signal again, for a parent to see; to us it is a Ctrl-C."""
    raise KeyboardInterrupt


def _serve(host: str, port: int, database: str, open_browser: bool, limits: ConnectionLimits) -> int:
    try:
        listening = _listen(host, port)
    except OSError as error:
        print(f"ludoteca: {_port_trouble(host, port, error)}", file=sys.stderr)
        return 1
    port = listening.getsockname()[1]
    here = _address({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port)
    network = None if host in LOOPBACK else _address(_network_host(host), port)
    try:
        app = application(open_storage(database), network)
    except DatabaseTrouble as error:
        print(f"ludoteca: {error}", file=sys.stderr)
        return 1
    config = Config(
        app,
        limits,
        ws_ping_interval=PING_EVERY,
        ws_per_message_deflate=False,
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=PATIENCE,
    )
    # After every statement the writer waits for the interpreter: with the default of 5 ms, longer than for the disk.
    sys.setswitchinterval(0.00005)
    # While garbage is collected nobody is served: little at a time, seldom all, and never what was loaded and stays.
    gc.freeze()
    gc.set_threshold(500, 10, 200)
    _Server(config, here, network, open_browser).run(sockets=[listening])
    return 0


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With its protocol named, asyncio sends small messages at once; otherwise each second one waits 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name != "nt":  # there it would let two servers share a port
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
    """How others on the network call this machine, when it listens on all of its addresses."""
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
