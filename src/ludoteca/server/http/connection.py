"""Who asks, from where, and by which address: what routes want to know of a connection."""

from typing import Any
from urllib.parse import urlsplit

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

from ludoteca.server import guests
from ludoteca.server.guests import Guest
from ludoteca.server.limits import REQUESTS, Limits
from ludoteca.server.refusals import OtherOrigin
from ludoteca.server.tables import Tables

LOOPBACK = {"localhost", "127.0.0.1", "::1"}
Connection = ASGIConnection[Any, Any, Any, Any]
HttpRequest = Request[Any, Any, Any]


def tables_of(connection: Connection) -> Tables:
    tables: Tables = connection.app.state["tables"]
    return tables


def limits_of(connection: Connection) -> Limits:
    limits: Limits = connection.app.state["limits"]
    return limits


def root_of(connection: Connection) -> str:
    """Return the path that our own paths follow: "" or "/games"."""
    root: str = connection.app.state["root"]
    return root


def peer(connection: Connection) -> str | None:
    """Return where somebody calls from: behind a proxy that we trust, as the proxy says."""
    return connection.client.host if connection.client else None


def is_of_our_page(connection: Connection) -> bool:
    """Return whether one of our own pages asks. A browser says which page asks; other programs say nothing."""
    origin = connection.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == connection.headers.get("host")


async def admit(request: HttpRequest) -> None:
    """Before every request. A page of another site may read what everybody may, and change nothing."""
    limits_of(request).count(REQUESTS, peer(request))
    if request.method not in ("GET", "HEAD", "OPTIONS") and not is_of_our_page(request):
        raise OtherOrigin(request.headers.get("origin", ""))


def guest_of(connection: Connection) -> Guest | None:
    return tables_of(connection).guests.known(connection.cookies.get(guests.COOKIE))


def address_of(connection: Connection) -> str:
    """Return the address for links: as the client calls us, unless a friend elsewhere could not call us so."""
    host, root = connection.headers.get("host", ""), root_of(connection)
    network: str | None = connection.app.state["network"]
    if network is not None and urlsplit(f"//{host}").hostname in LOOPBACK:
        return network + root
    scheme = "https" if connection.scope["scheme"] in ("https", "wss") else "http"
    return f"{scheme}://{host}{root}"


def cookie_for(request: HttpRequest, guest: Guest) -> Cookie:
    return Cookie(
        guests.COOKIE,
        value=tables_of(request).guests.cookie(guest, tables_of(request).time.now()),
        max_age=guests.KEPT_FOR,
        path=root_of(request) or "/",
        httponly=True,
        samesite="lax",
        secure=request.scope["scheme"] == "https",
    )


def no_cookie(request: HttpRequest) -> Cookie:
    """Return a cookie that takes the guest's away."""
    return Cookie(guests.COOKIE, value="", max_age=0, path=root_of(request) or "/")
