"""The routes of a review: what a finished match could have been."""

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody

from ludoteca.core.match import Match
from ludoteca.search.reviewing import Decision
from ludoteca.server import guests
from ludoteca.server.answers import refusing
from ludoteca.server.refusals import StillRunning
from ludoteca.server.reviews import Moment, Review, Reviews, Tried
from ludoteca.server.tables import Tables

LONGEST_MOVE = 4000
NO_STORE = {"cache-control": "no-store"}


class Try(msgspec.Struct, forbid_unknown_fields=True):
    move: Annotated[str, msgspec.Meta(max_length=LONGEST_MOVE)]


class Deeper(msgspec.Struct, forbid_unknown_fields=True):
    effort: Annotated[int, msgspec.Meta(ge=1, le=32)]


async def _finished(request: Request[Any, Any, Any], table: str) -> tuple[Match, str | None]:
    """Return a match that is over for the guest who asks, and the guest; raise StillRunning otherwise."""
    tables: Tables = request.app.state["tables"]
    guest = tables.guests.known(request.cookies.get(guests.COOKIE))
    found = await tables.table(table)
    if found.record(guest.id if guest else None).result is None:
        raise StillRunning(table)
    return found.match, guest.id if guest else None


def _reviews(request: Request[Any, Any, Any]) -> Reviews:
    reviews: Reviews = request.app.state["reviews"]
    return reviews


@get("/api/tables/{table:str}/review", responses=refusing(400, 404, 409))
async def review(request: Request[Any, Any, Any], table: FromPath[str], after: FromQuery[int] = 0) -> Response[Review]:
    """What every decision of a finished match cost, as far as it is worked out, without the first `after` decisions."""
    match, guest = await _finished(request, table)
    found = await _reviews(request).of(table, match, guest, max(0, after))
    return Response(found, headers=NO_STORE)


@get("/api/tables/{table:str}/review/{entry:int}", responses=refusing(400, 404, 409))
async def moment(request: Request[Any, Any, Any], table: FromPath[str], entry: FromPath[int]) -> Response[Moment]:
    """The position before a decision of a finished match, its legal moves, and the line that was suggested."""
    match, _ = await _finished(request, table)
    return Response(await _reviews(request).moment(table, match, entry), headers=NO_STORE)


@post("/api/tables/{table:str}/review/{entry:int}/try", status_code=200, responses=refusing(400, 403, 404, 409, 413))
async def try_move(
    request: Request[Any, Any, Any], table: FromPath[str], entry: FromPath[int], data: JSONBody[Try]
) -> Response[Tried]:
    """What another move would have been worth in the place of a decision of a finished match."""
    match, guest = await _finished(request, table)
    return Response(await _reviews(request).tried(table, match, entry, data.move, guest), headers=NO_STORE)


@post("/api/tables/{table:str}/review/{entry:int}/deeper", status_code=200, responses=refusing(400, 403, 404, 409, 413))
async def deeper(
    request: Request[Any, Any, Any], table: FromPath[str], entry: FromPath[int], data: JSONBody[Deeper]
) -> Response[Decision]:
    """A decision of a finished match, judged with several times the usual work."""
    match, guest = await _finished(request, table)
    return Response(await _reviews(request).deeper(match, entry, data.effort, guest), headers=NO_STORE)


ROUTES = (review, moment, try_move, deeper)
