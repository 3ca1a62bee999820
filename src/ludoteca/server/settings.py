"""The settings of a server, and how they are read from the command line."""

import ipaddress
import re
from typing import NamedTuple

from ludoteca.server.connections import ConnectionLimits
from ludoteca.server.metrics_page import BadAddress, address_of


class BadSetting(ValueError):
    """A setting cannot be used. The text says what was given and what is possible."""


class Settings(NamedTuple):
    database: str  # the address of the storage: a folder, or postgresql://...
    host: str = "127.0.0.1"
    port: int = 8000
    open_browser: bool = False
    root: str = ""  # the path that our own paths follow, behind a proxy
    proxies: tuple[str, ...] = ()  # addresses and networks whose forwarded headers are trusted
    metrics: tuple[str, int] | None = None  # host and port of the page with the figures
    log: str = "text"
    level: str = "warning"
    limits: ConnectionLimits = ConnectionLimits()


def root_path(text: str) -> str:
    """Return a path that begins with a slash and does not end with one."""
    if not re.fullmatch(r"(/[A-Za-z0-9_~.-]+)*/?", text):
        raise BadSetting(f"bad path {text!r}: like /games, of letters, digits and - _ ~ .")
    return text.rstrip("/")


def proxy(text: str) -> str:
    """Return the address of a proxy, or a network of proxies."""
    try:
        return str(ipaddress.ip_network(text, strict=False)) if "/" in text else str(ipaddress.ip_address(text))
    except ValueError:
        raise BadSetting(f"bad address {text!r}: like 10.0.0.5 or 10.0.0.0/24") from None


def metrics_address(text: str) -> tuple[str, int]:
    """Return host and port of the page with the figures."""
    try:
        return address_of(text)
    except BadAddress as error:
        raise BadSetting(str(error)) from None
