"""Routes that make a table from a match: play on from a position, and upload a record."""

from litestar import Response, post
from litestar.params import FromPath, JSONBody

from ludoteca.server.answers import refusing
from ludoteca.server.guests import Guest
from ludoteca.server.http.answers import TableMade
from ludoteca.server.http.connection import HttpRequest, address_of, cookie_for, guest_of, limits_of, peer, tables_of
from ludoteca.server.limits import TABLES
from ludoteca.server.new_table import PlayOn
from ludoteca.server.refusals import StillRunning
from ludoteca.server.uploads import LARGEST


@post("/api/tables/{table:str}/on", responses=refusing(400, 403, 404, 409, 413))
async def play_on(request: HttpRequest, table: FromPath[str], data: JSONBody[PlayOn]) -> Response[TableMade]:
    """A new table whose match goes on from a position of a finished one."""
    limits_of(request).count(TABLES, peer(request))
    known, found = guest_of(request), await tables_of(request).table(table)
    if found.record(known.id if known else None).result is None:
        raise StillRunning(table)
    guest = known or tables_of(request).guests.new()
    return _made(request, await tables_of(request).play_on(table, found.match, data, guest.id), known, guest)


@post("/api/records", responses=refusing(400, 403, 404, 413), request_max_body_size=LARGEST)
async def upload(request: HttpRequest) -> Response[TableMade]:
    """A table that shows a record of a finished match, which is the body of the request."""
    limits_of(request).count(TABLES, peer(request))
    known = guest_of(request)
    guest = known or tables_of(request).guests.new()
    return _made(request, await tables_of(request).upload(await request.body(), guest.id), known, guest)


def _made(request: HttpRequest, table: str, known: Guest | None, guest: Guest) -> Response[TableMade]:
    made = TableMade(table, f"{address_of(request)}/t/{table}")
    return Response(made, status_code=201, cookies=[] if known else [cookie_for(request, guest)])


ROUTES = (play_on, upload)
