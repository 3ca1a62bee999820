"""Routes about the guest who asks: name, cookie, tables."""

from functools import partial

from litestar import Response, delete, get, post, put
from litestar.params import JSONBody

from ludoteca.server import guests, ledger
from ludoteca.server.answers import refusing
from ludoteca.server.guests import Guest
from ludoteca.server.http.answers import Left, Me, TablesOfMine, table_of_mine
from ludoteca.server.http.connection import HttpRequest, cookie_for, guest_of, no_cookie, tables_of

NO_STORE = {"cache-control": "no-store"}


@get("/api/me", responses=refusing())
async def me(request: HttpRequest) -> Response[Me]:
    """The guest; whoever has no cookie gets one, with a name to start with."""
    guest = guest_of(request) or tables_of(request).guests.new()
    return Response(Me(guest.name), cookies=[cookie_for(request, guest)], headers=NO_STORE)


@put("/api/me", responses=refusing(400, 403, 413))
async def rename(request: HttpRequest, data: JSONBody[Me]) -> Response[Me]:
    """Another name for the guest."""
    before = guest_of(request) or tables_of(request).guests.new()
    guest = Guest(before.id, guests.clean_name(data.name))
    return Response(Me(guest.name), cookies=[cookie_for(request, guest)], headers=NO_STORE)


@post("/api/me/renew", status_code=200, responses=refusing(403))
async def renew(request: HttpRequest) -> Response[Me]:
    """A new cookie for the guest. All earlier ones are worth nothing from now on, wherever they are."""
    guest = guest_of(request) or tables_of(request).guests.new()
    await _revoke(request, guest)
    return Response(Me(guest.name), cookies=[cookie_for(request, guest)], headers=NO_STORE)


@delete("/api/me", status_code=200, responses=refusing(403))
async def leave_everywhere(request: HttpRequest) -> Response[Left]:
    """The guest leaves, here and everywhere: no cookie of theirs is worth anything any more."""
    if (guest := guest_of(request)) is not None:
        await _revoke(request, guest)
    return Response(Left(guest is not None), cookies=[no_cookie(request)])


async def _revoke(request: HttpRequest, guest: Guest) -> None:
    """Refuse the cookies of a guest that were signed before now, and end the connections that they opened."""
    tables = tables_of(request)
    before = max(tables.time.now(), guest.since + 1)
    await tables.storage.write(partial(ledger.revoke, guest=guest.id, before=before))
    tables.revoke(guest.id, before)


@get("/api/me/tables", responses=refusing())
async def my_tables(request: HttpRequest) -> Response[TablesOfMine]:
    """The tables where the guest sits, or where a seat is kept for them: your turn first, then the newest."""
    guest = guest_of(request)
    found = await tables_of(request).tables_of(guest.id) if guest else []
    tables = [table_of_mine(table, guest.id) for table in found if guest]
    tables.sort(key=lambda table: not table.your_turn)
    return Response(TablesOfMine(tables), headers=NO_STORE)
