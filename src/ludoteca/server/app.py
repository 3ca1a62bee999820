"""The application: routes, what opens and closes with it, and how a refusal looks over HTTP."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from weakref import WeakSet

import msgspec
from litestar import Litestar, MediaType, Request, Response, WebSocket, delete, get, post, put, websocket
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, MutableScopeHeaders, State
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import FromPath, JSONBody
from litestar.types import Message as AsgiMessage
from litestar.types import Scope

from ludoteca import __version__
from ludoteca.core import registry
from ludoteca.core.draws import TableEntry
from ludoteca.core.errors import LudotecaError, UnknownGame, UnknownLesson
from ludoteca.core.game import Option
from ludoteca.core.lessons import course as found_course
from ludoteca.core.lessons import has_course
from ludoteca.core.record import Record, Result
from ludoteca.core.signing import KEY_BYTES, Signer
from ludoteca.server import bots, guests, keys, ledger, lessons, review_routes, serialize, web
from ludoteca.server.answers import Refused, refusing
from ludoteca.server.database.contract import Storage
from ludoteca.server.draws import Draws
from ludoteca.server.guests import Guest
from ludoteca.server.lessons import CourseShown, Judged, MovesTried
from ludoteca.server.limits import REQUESTS, TABLES, Limits, network_of
from ludoteca.server.messages import LARGEST
from ludoteca.server.new_table import TableWanted
from ludoteca.server.refusals import OtherOrigin, Refusal, StillRunning, TooManyFromThere
from ludoteca.server.reviews import Reviews
from ludoteca.server.rows import TableOfGuest
from ludoteca.server.socket import TRY_AGAIN_LATER, Client
from ludoteca.server.tables import Tables

LOOPBACK = {"localhost", "127.0.0.1", "::1"}
SECURITY = {
    "content-security-policy": (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
log = logging.getLogger("ludoteca.server.app")


class Health(msgspec.Struct):
    status: str
    version: str
    warm: list[str]  # the games that are compiled, rules and bots


class Me(msgspec.Struct):
    name: Annotated[str, msgspec.Meta(max_length=256)]


class Left(msgspec.Struct):
    left: bool  # whether there was a guest to leave


class GameListed(msgspec.Struct):
    key: str
    name: str
    options: tuple[Option, ...]
    bots: tuple[str, ...]
    usual_bot: str | None
    lessons: bool


class TableMade(msgspec.Struct):
    table: str
    link: str


class SeatOfMine(msgspec.Struct):
    seat: int
    name: str | None
    bot: str | None
    mine: bool


class TableOfMine(msgspec.Struct):
    table: str
    game: str
    options: dict[str, Any]
    seats: list[SeatOfMine]
    state: Literal["waiting", "running", "over"]
    your_turn: bool
    n: int
    result: Result | None
    changed: int  # milliseconds since 1970
    open: bool  # listed in the lobby while somebody waits there
    creator: bool  # this guest made it


class TablesOfMine(msgspec.Struct):
    tables: list[TableOfMine]


class PublicKey(msgspec.Struct):
    kind: str
    key: str  # in hex


class DrawsOfMatch(msgspec.Struct):
    entries: list[TableEntry]


def application(storage: Storage, network: str | None = None, workers: int | None = None) -> Litestar:
    """Return the server on a storage. `network` is the address that others on the network reach it by."""
    tables = Tables(storage, workers)
    signer = Signer(storage.secret(keys.RECORDS, KEY_BYTES))
    limits = Limits(tables.time)

    @asynccontextmanager
    async def opened(_: Litestar) -> AsyncIterator[None]:
        await tables.open()
        try:
            yield
        finally:
            await tables.close()

    return Litestar(
        [
            health,
            public_key,
            me,
            rename,
            renew,
            leave_everywhere,
            my_tables,
            games,
            create_table,
            record,
            draws,
            course,
            try_lesson,
            *review_routes.ROUTES,
            unknown_route,
            socket,
            front_page,
            file,
        ],
        state=State(
            {
                "tables": tables,
                "limits": limits,
                "network": network,
                "draws": Draws(),
                "reviews": Reviews(tables.storage, tables.bots, tables.kernels, tables.tasks),
                "signer": signer,
                "clients": WeakSet(),
            }
        ),
        lifespan=[opened],
        before_request=_admit,
        before_send=[_secure],
        exception_handlers={
            LudotecaError: _refused,
            ValidationException: _invalid,
            RecursionError: _too_deep,
            UnicodeDecodeError: _not_text,
            HTTPException: _http_error,
            Exception: _failed,
        },
        openapi_config=OpenAPIConfig(
            "Ludoteca", __version__, path="/schema", render_plugins=[JsonRenderPlugin()], use_handler_docstrings=True
        ),
        request_max_body_size=LARGEST,
        logging_config=None,
    )


def _tables(connection: ASGIConnection[Any, Any, Any, Any]) -> Tables:
    tables: Tables = connection.app.state["tables"]
    return tables


def _limits(connection: ASGIConnection[Any, Any, Any, Any]) -> Limits:
    limits: Limits = connection.app.state["limits"]
    return limits


def _peer(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """Where somebody calls from: behind a proxy on this machine, as that one says."""
    return connection.client.host if connection.client else None


def _is_of_our_page(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """A browser says which page asks; other programs say nothing."""
    origin = connection.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == connection.headers.get("host")


async def _admit(request: Request[Any, Any, Any]) -> None:
    """Before every request. A page of another site may read what everybody may, and change nothing."""
    _limits(request).count(REQUESTS, _peer(request))
    if request.method not in ("GET", "HEAD", "OPTIONS") and not _is_of_our_page(request):
        raise OtherOrigin(request.headers.get("origin", ""))


def _guest(connection: ASGIConnection[Any, Any, Any, Any]) -> Guest | None:
    return _tables(connection).guests.known(connection.cookies.get(guests.COOKIE))


def _address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The address for links: as the client calls us, unless a friend elsewhere could not call us so."""
    host = connection.headers.get("host", "")
    network: str | None = connection.app.state["network"]
    if network is not None and urlsplit(f"//{host}").hostname in LOOPBACK:
        return network
    scheme = "https" if connection.scope["scheme"] in ("https", "wss") else "http"
    return f"{scheme}://{host}"


def _cookie(request: Request[Any, Any, Any], guest: Guest) -> Cookie:
    return Cookie(
        guests.COOKIE,
        value=_tables(request).guests.cookie(guest, _tables(request).time.now()),
        max_age=guests.KEPT_FOR,
        path="/",
        httponly=True,
        samesite="lax",
        secure=request.scope["scheme"] == "https",
    )


@get("/api/health", responses=refusing())
async def health(request: Request[Any, Any, Any]) -> Response[Health]:
    """Whether the server is there, and can store what happens: 503 if not."""
    tables = _tables(request)
    status = "ok" if tables.storage.trouble is None else "storage"
    found = Health(status, __version__, tables.kernels.warm)
    return Response(found, status_code=200 if status == "ok" else 503, headers={"cache-control": "no-store"})


@get("/api/key", responses=refusing())
async def public_key(request: Request[Any, Any, Any]) -> PublicKey:
    """The public key of the signatures under this server's records."""
    signer: Signer = request.app.state["signer"]
    return PublicKey("Ed25519", signer.public)


@get("/api/me", responses=refusing())
async def me(request: Request[Any, Any, Any]) -> Response[Me]:
    """The guest; whoever has no cookie gets one, with a name to start with."""
    guest = _guest(request) or _tables(request).guests.new()
    return Response(Me(guest.name), cookies=[_cookie(request, guest)], headers={"cache-control": "no-store"})


@put("/api/me", responses=refusing(400, 403, 413))
async def rename(request: Request[Any, Any, Any], data: JSONBody[Me]) -> Response[Me]:
    """Another name for the guest."""
    before = _guest(request) or _tables(request).guests.new()
    guest = Guest(before.id, guests.clean_name(data.name))
    return Response(Me(guest.name), cookies=[_cookie(request, guest)], headers={"cache-control": "no-store"})


@post("/api/me/renew", status_code=200, responses=refusing(403))
async def renew(request: Request[Any, Any, Any]) -> Response[Me]:
    """A new cookie for the guest. All earlier ones are worth nothing from now on, wherever they are."""
    guest = _guest(request) or _tables(request).guests.new()
    await _revoke(request, guest)
    return Response(Me(guest.name), cookies=[_cookie(request, guest)], headers={"cache-control": "no-store"})


@delete("/api/me", status_code=200, responses=refusing(403))
async def leave_everywhere(request: Request[Any, Any, Any]) -> Response[Left]:
    """The guest leaves, here and everywhere: no cookie of theirs is worth anything any more."""
    if (guest := _guest(request)) is not None:
        await _revoke(request, guest)
    return Response(Left(guest is not None), cookies=[Cookie(guests.COOKIE, value="", max_age=0, path="/")])


async def _revoke(request: Request[Any, Any, Any], guest: Guest) -> None:
    """Refuse the cookies of a guest that were signed before now, and end the connections that they opened."""
    tables, clients = _tables(request), request.app.state["clients"]
    before = max(tables.time.now(), guest.since + 1)
    await tables.storage.write(partial(ledger.revoke, guest=guest.id, before=before))
    tables.guests.revoke(guest.id, before)
    for client in list(clients):
        if client.guest_id == guest.id:
            client.end()


@get("/api/me/tables", responses=refusing())
async def my_tables(request: Request[Any, Any, Any]) -> Response[TablesOfMine]:
    """The tables where the guest sits, or where a seat is kept for them: your turn first, then the newest."""
    guest = _guest(request)
    found = await _tables(request).tables_of(guest.id) if guest else []
    tables = [_mine(table, guest.id) for table in found if guest]
    tables.sort(key=lambda table: not table.your_turn)
    return Response(TablesOfMine(tables), headers={"cache-control": "no-store"})


def _mine(table: TableOfGuest, guest: str) -> TableOfMine:
    seats = [SeatOfMine(seat.seat, seat.name or None, seat.bot, seat.guest == guest) for seat in table.seats]
    your_turn = any(seat.mine and seat.seat in table.on_move for seat in seats)
    state: Literal["waiting", "running", "over"]
    state = "over" if table.ended else "running" if table.begun else "waiting"
    return TableOfMine(
        table.id,
        table.game,
        table.options,
        seats,
        state,
        your_turn,
        table.known,
        table.result,
        table.changed,
        table.open,
        table.creator,
    )


@get("/api/games", responses=refusing())
async def games() -> list[GameListed]:
    """The games there are, their options and their bots, weakest first."""
    listed = []
    for key in registry.game_keys():
        game = registry.game(key)
        listed.append(GameListed(key, game.name, game.options, bots.offered(key), bots.usual(key), has_course(key)))
    return listed


@post("/api/tables", responses=refusing(400, 403, 404, 413))
async def create_table(request: Request[Any, Any, Any], data: JSONBody[TableWanted]) -> Response[TableMade]:
    """A new table. Seats for "me" are kept for the guest who asks."""
    _limits(request).count(TABLES, _peer(request))
    known = _guest(request)
    guest = known or _tables(request).guests.new()
    table = await _tables(request).create(data, guest.id, network_of(_peer(request)))
    made = TableMade(table, f"{_address(request)}/t/{table}")
    return Response(made, status_code=201, cookies=[] if known else [_cookie(request, guest)])


@get("/api/tables/{table:str}/record", responses=refusing(400, 404, 409))
async def record(request: Request[Any, Any, Any], table: FromPath[str]) -> Response[Record]:
    """The match as docs/notation.md has it, signed; while it runs, as a stranger may read it, and not signed."""
    guest = _guest(request)
    found = (await _tables(request).table(table)).record(guest.id if guest else None)
    if found.result is not None:
        signer: Signer = request.app.state["signer"]
        found = await asyncio.to_thread(signer.signed, found)
    headers = {"content-disposition": f'attachment; filename="{table}.json"', "cache-control": "no-store"}
    return Response(found, headers=headers)


@get("/api/tables/{table:str}/draws", responses=refusing(400, 404, 409))
async def draws(request: Request[Any, Any, Any], table: FromPath[str]) -> Response[DrawsOfMatch]:
    """What every draw of a finished match chose from, so that a page without rules can check it."""
    guest, found = _guest(request), await _tables(request).table(table)
    if found.record(guest.id if guest else None).result is None:
        raise StillRunning(table)
    computed: Draws = request.app.state["draws"]
    return Response(DrawsOfMatch(await computed.of(table, found.playing())), headers={"cache-control": "no-store"})


@get("/api/lessons/{game:str}", responses=refusing(404))
async def course(request: Request[Any, Any, Any], game: FromPath[str]) -> Response[CourseShown]:
    """The lessons of a game: positions, what may be done there, and a right move for each task."""
    found_course(game)
    await _tables(request).kernels.rules_ready(game)
    return Response(await asyncio.to_thread(lessons.course, game), headers={"cache-control": "no-cache"})


@post("/api/lessons/{game:str}/{step:str}", status_code=200, responses=refusing(400, 403, 404, 413))
async def try_lesson(
    request: Request[Any, Any, Any], game: FromPath[str], step: FromPath[str], data: JSONBody[MovesTried]
) -> Judged:
    """What the rules say to a learner's move. It is played on a board of its own, which is then forgotten."""
    found_course(game)
    await _tables(request).kernels.rules_ready(game)
    return await asyncio.to_thread(lessons.judged, game, step, data.moves)


@get("/api/{path:path}", include_in_schema=False)
async def unknown_route(path: FromPath[str]) -> None:
    raise HTTPException(status_code=404, detail=f"there is no /api{path}")


@websocket("/api/socket")
async def socket(socket: WebSocket[Any, Any, Any]) -> None:
    """A page of another site may open a socket too, and the browser would send our cookie with it: it is refused."""
    if not _is_of_our_page(socket):
        await socket.close(4403)
        return
    try:
        with _limits(socket).connected(_peer(socket)):
            count_table = partial(_limits(socket).count, TABLES, _peer(socket))
            client = Client(socket, _tables(socket), _guest(socket), _address(socket), count_table)
            socket.app.state["clients"].add(client)
            await client.serve()
    except TooManyFromThere as refusal:
        await socket.accept()
        await socket.send_text(serialize.refusal(None, refusal).decode())
        await socket.close(TRY_AGAIN_LATER)


@get("/", include_in_schema=False)
async def front_page(request: Request[Any, Any, Any]) -> Response[bytes]:
    return _file(request, "")


@get("/{path:path}", include_in_schema=False)
async def file(request: Request[Any, Any, Any], path: FromPath[str]) -> Response[bytes]:
    return _file(request, path)


def _file(request: Request[Any, Any, Any], path: str) -> Response[bytes]:
    return web.page(path, {name.lower(): value for name, value in request.headers.items()})


async def _secure(message: AsgiMessage, scope: Scope) -> None:
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in SECURITY.items():
            headers.setdefault(name, value)


def _refused(_: Request[Any, Any, Any], error: LudotecaError) -> Response[Refused]:
    status = (
        error.status if isinstance(error, Refusal) else 404 if isinstance(error, UnknownGame | UnknownLesson) else 400
    )
    return _refusal(status, error.code, str(error))


def _invalid(_: Request[Any, Any, Any], error: ValidationException) -> Response[Refused]:
    extra = error.extra if isinstance(error.extra, list) else []
    said = [str(part.get("message", "")) for part in extra if isinstance(part, dict)]
    return _refusal(400, "message/malformed", "; ".join(said) or "the request is malformed")


def _too_deep(_: Request[Any, Any, Any], error: RecursionError) -> Response[Refused]:
    return _refusal(400, "message/malformed", "the request is nested too deep")


def _not_text(_: Request[Any, Any, Any], error: UnicodeDecodeError) -> Response[Refused]:
    return _refusal(400, "message/malformed", "the request is not UTF-8")


def _http_error(_: Request[Any, Any, Any], error: HTTPException) -> Response[Refused]:
    code = {404: "route/unknown", 405: "route/method", 413: "message/too-large", 400: "message/malformed"}
    return _refusal(error.status_code, code.get(error.status_code, f"http/{error.status_code}"), error.detail)


def _failed(_: Request[Any, Any, Any], error: Exception) -> Response[Refused]:
    log.error("a request could not be answered", exc_info=error)
    return _refusal(500, "server/error", "")


def _refusal(status: int, code: str, text: str) -> Response[Refused]:
    return Response(Refused(code, text), status_code=status, media_type=MediaType.JSON)
