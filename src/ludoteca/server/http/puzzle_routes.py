"""Routes about puzzles: the one of the day, those near a guest's strength, and the guest's own mistakes."""

from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, JSONBody

from ludoteca.core.puzzles import puzzle_of
from ludoteca.server.answers import refusing
from ludoteca.server.http.connection import HttpRequest, guest_of
from ludoteca.server.http.guest_routes import NO_STORE
from ludoteca.server.mistakes import Mistakes
from ludoteca.server.puzzles import PuzzleJudged, Puzzles, PuzzleShown, PuzzlesListed, Reply, puzzle_of_day
from ludoteca.server.refusals import NoPuzzle

LONGEST_MOVE, MOST_MOVES = 4096, 8
Text = Annotated[str, msgspec.Meta(max_length=LONGEST_MOVE)]


class PuzzleTry(msgspec.Struct, forbid_unknown_fields=True):
    """The right moves so far and the one that is tried now; `day` says that it is the puzzle of the day."""

    moves: Annotated[list[Text], msgspec.Meta(min_length=1, max_length=MOST_MOVES)]
    day: bool = False


class MistakeTry(msgspec.Struct, forbid_unknown_fields=True):
    move: Text


def _puzzles(request: HttpRequest) -> Puzzles:
    found: Puzzles = request.app.state["puzzles"]
    return found


def _mistakes(request: HttpRequest) -> Mistakes:
    found: Mistakes = request.app.state["mistakes"]
    return found


def _guest(request: HttpRequest) -> str | None:
    guest = guest_of(request)
    return guest.id if guest else None


@get("/api/puzzles", responses=refusing())
async def puzzles(request: HttpRequest) -> Response[PuzzlesListed]:
    """The games that have puzzles, how the guest stands in them, and the puzzle of the day."""
    guest = _guest(request)
    due = len(await _mistakes(request).due(guest))
    return Response(await _puzzles(request).listed(guest, due), headers=NO_STORE)


@get("/api/puzzles/day", responses=refusing(404))
async def puzzle_today(request: HttpRequest) -> Response[PuzzleShown]:
    """The puzzle of the day, the same for everybody."""
    today = _puzzles(request).today()
    if (found := puzzle_of_day(today)) is None:
        raise NoPuzzle("there are no puzzles here")
    return Response(await _puzzles(request).shown(*found, day=today), headers=NO_STORE)


@get("/api/puzzles/next/{game:str}", responses=refusing(404))
async def next_puzzle(request: HttpRequest, game: FromPath[str]) -> Response[PuzzleShown]:
    """A puzzle of a game near the guest's rating, not seen before if there is one."""
    found = await _puzzles(request).next_of(game, _guest(request))
    return Response(await _puzzles(request).shown(game, found), headers=NO_STORE)


@get("/api/puzzles/of/{game:str}/{puzzle:str}", responses=refusing(404))
async def one_puzzle(request: HttpRequest, game: FromPath[str], puzzle: FromPath[str]) -> Response[PuzzleShown]:
    """A puzzle by its id."""
    return Response(await _puzzles(request).shown(game, puzzle_of(game, puzzle)), headers=NO_STORE)


@post("/api/puzzles/of/{game:str}/{puzzle:str}", status_code=200, responses=refusing(400, 403, 404, 413))
async def try_puzzle(
    request: HttpRequest, game: FromPath[str], puzzle: FromPath[str], data: JSONBody[PuzzleTry]
) -> Response[PuzzleJudged]:
    """What the last of the moves leads to: right, nearly, wrong, or more to find. The first answer is kept."""
    found = puzzle_of(game, puzzle)
    judged = await _puzzles(request).judged(game, found, data.moves, _guest(request), data.day)
    return Response(judged, headers=NO_STORE)


@post("/api/puzzles/of/{game:str}/{puzzle:str}/reply", status_code=200, responses=refusing(400, 403, 404, 413))
async def reply(
    request: HttpRequest, game: FromPath[str], puzzle: FromPath[str], data: JSONBody[PuzzleTry]
) -> Response[Reply]:
    """What is wrong with a move: the chance that it leaves, and how it may go on."""
    replied = await _puzzles(request).replied(game, puzzle_of(game, puzzle), data.moves, _guest(request))
    return Response(replied, headers=NO_STORE)


@get("/api/mistakes", responses=refusing(404))
async def next_mistake(request: HttpRequest) -> Response[PuzzleShown]:
    """The guest's own mistake that is due first."""
    if not (due := await _mistakes(request).due(_guest(request))):
        raise NoPuzzle("no mistake of this guest is due")
    return Response(await _mistakes(request).shown(due[0]), headers=NO_STORE)


@post("/api/mistakes/{table:str}/{entry:int}", status_code=200, responses=refusing(400, 403, 404, 409, 413))
async def try_mistake(
    request: HttpRequest, table: FromPath[str], entry: FromPath[int], data: JSONBody[MistakeTry]
) -> Response[PuzzleJudged]:
    """What another move is worth where the guest made a mistake."""
    judged = await _mistakes(request).judged(table, entry, data.move, _guest(request))
    return Response(judged, headers=NO_STORE)


ROUTES = (puzzles, puzzle_today, next_puzzle, one_puzzle, try_puzzle, reply, next_mistake, try_mistake)
