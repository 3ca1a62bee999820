"""Routes about the server, its games and its tables, and the socket."""

import asyncio
from functools import partial
from typing import Any

import msgspec
from litestar import Response, WebSocket, delete, get, post, websocket
from litestar.exceptions import HTTPException
from litestar.params import FromPath, JSONBody

from ludoteca import __version__
from ludoteca.core import registry
from ludoteca.core.drawing import drawing, svg
from ludoteca.core.lessons import has_course
from ludoteca.core.match import Match
from ludoteca.core.record import Record
from ludoteca.core.signing import Signer
from ludoteca.server import bots, serialize, web
from ludoteca.server.answers import refusing
from ludoteca.server.draws import Draws
from ludoteca.server.http.answers import Deleted, DrawsOfMatch, GameListed, Health, PublicKey, TableMade
from ludoteca.server.http.connection import (
    HttpRequest,
    address_of,
    cookie_for,
    guest_of,
    is_of_our_page,
    limits_of,
    peer,
    root_of,
    tables_of,
)
from ludoteca.server.http.guest_routes import NO_STORE
from ludoteca.server.limits import TABLES, network_of
from ludoteca.server.new_table import TableWanted
from ludoteca.server.refusals import StillRunning, TooManyFromThere
from ludoteca.server.socket import TRY_AGAIN_LATER, Client


@get("/api/health", responses=refusing())
async def health(request: HttpRequest) -> Response[Health]:
    """Whether the server is ready: it can store what happens. 503 if not."""
    tables = tables_of(request)
    ready = await tables.is_ready()
    found = Health("ok" if ready else "storage", __version__, tables.kernels.warm, True, ready)
    return Response(found, status_code=200 if ready else 503, headers=NO_STORE)


@get("/api/health/alive", responses=refusing())
async def alive(request: HttpRequest) -> Response[Health]:
    """Whether the server is there at all, even if it can store nothing now: no reason to start it again."""
    tables = tables_of(request)
    ready = tables.storage.trouble is None
    found = Health("ok" if ready else "storage", __version__, tables.kernels.warm, True, ready)
    return Response(found, headers=NO_STORE)


@get("/api/key", responses=refusing())
async def public_key(request: HttpRequest) -> PublicKey:
    """The public key of the signatures under this server's records."""
    signer: Signer = request.app.state["signer"]
    return PublicKey("Ed25519", signer.public)


@get("/api/games", responses=refusing())
async def games() -> list[GameListed]:
    """The games there are, their options and their bots, weakest first."""
    listed = []
    for key in registry.game_keys():
        game = registry.game(key)
        listed.append(GameListed(key, game.name, game.options, bots.offered(key), bots.usual(key), has_course(key)))
    return listed


@post("/api/tables", responses=refusing(400, 403, 404, 413))
async def create_table(request: HttpRequest, data: JSONBody[TableWanted]) -> Response[TableMade]:
    """A new table. Seats for "me" are kept for the guest who asks."""
    limits_of(request).count(TABLES, peer(request))
    known = guest_of(request)
    guest = known or tables_of(request).guests.new()
    table = await tables_of(request).create(data, guest.id, network_of(peer(request)))
    made = TableMade(table, f"{address_of(request)}/t/{table}")
    return Response(made, status_code=201, cookies=[] if known else [cookie_for(request, guest)])


@get("/api/tables/{table:str}/record", responses=refusing(400, 404, 409))
async def record(request: HttpRequest, table: FromPath[str]) -> Response[Record]:
    """The match as docs/notation.md has it, signed; while it runs, as a stranger may read it, and not signed."""
    guest = guest_of(request)
    found = (await tables_of(request).table(table)).record(guest.id if guest else None)
    if uploaded := (await tables_of(request).table(table)).row.uploaded:  # another server may have signed it
        found = msgspec.structs.replace(found, signature=uploaded.signature)
    elif found.result is not None:
        signer: Signer = request.app.state["signer"]
        found = await asyncio.to_thread(signer.signed, found)
    return Response(found, headers={"content-disposition": f'attachment; filename="{table}.json"', **NO_STORE})


@get("/api/tables/{table:str}/draws", responses=refusing(400, 404, 409))
async def draws(request: HttpRequest, table: FromPath[str]) -> Response[DrawsOfMatch]:
    """What every draw of a finished match chose from, so that a page without rules can check it."""
    guest, found = guest_of(request), await tables_of(request).table(table)
    if found.record(guest.id if guest else None).result is None:
        raise StillRunning(table)
    computed: Draws = request.app.state["draws"]
    return Response(DrawsOfMatch(await computed.of(table, found.match)), headers=NO_STORE)


@get("/api/tables/{table:str}/picture", media_type="image/svg+xml", responses=refusing(400, 404, 409))
async def picture(request: HttpRequest, table: FromPath[str]) -> Response[str]:
    """The last position of a finished match as a small picture, as a stranger may see it."""
    guest, found = guest_of(request), await tables_of(request).table(table)
    if found.record(guest.id if guest else None).result is None:
        raise StillRunning(table)
    drawn = await asyncio.to_thread(_drawn, found.match)
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "private, max-age=86400"})


def _drawn(match: Match) -> str:
    return svg(drawing(match.game.key).picture(match.game.view(match.state, None)))


@delete("/api/tables/{table:str}", status_code=200, responses=refusing(400, 403, 404, 409))
async def delete_table(request: HttpRequest, table: FromPath[str]) -> Deleted:
    """Removes a table that waits, for its creator, or a match that is not over, for the only person there."""
    guest, found = guest_of(request), await tables_of(request).table(table)
    await tables_of(request).delete(found, guest.id if guest else None)
    return Deleted(table)


@get("/api/{path:path}", include_in_schema=False)
async def unknown_route(path: FromPath[str]) -> None:
    raise HTTPException(status_code=404, detail=f"there is no /api{path}")


@websocket("/api/socket")
async def socket(socket: WebSocket[Any, Any, Any]) -> None:
    """A page of another site may open a socket too, and the browser would send our cookie with it: it is refused."""
    if not is_of_our_page(socket):
        await socket.close(4403)
        return
    try:
        with limits_of(socket).connected(peer(socket)):
            count_table = partial(limits_of(socket).count, TABLES, peer(socket))
            client = Client(socket, tables_of(socket), guest_of(socket), address_of(socket), count_table)
            await client.serve()
    except TooManyFromThere as refusal:
        await socket.accept()
        await socket.send_text(serialize.refusal(None, refusal).decode())
        await socket.close(TRY_AGAIN_LATER)


@get("/", include_in_schema=False)
async def front_page(request: HttpRequest) -> Response[bytes]:
    return _file(request, "")


@get("/{path:path}", include_in_schema=False)
async def file(request: HttpRequest, path: FromPath[str]) -> Response[bytes]:
    return _file(request, path)


def _file(request: HttpRequest, path: str) -> Response[bytes]:
    return web.page(path, {name.lower(): value for name, value in request.headers.items()}, root_of(request))
