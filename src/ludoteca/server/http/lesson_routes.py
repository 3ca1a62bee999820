"""Routes about lessons: a game's steps, and what the rules say to a learner's moves."""

import asyncio

from litestar import Response, get, post
from litestar.params import FromPath, JSONBody

from ludoteca.core.lessons import course as found_course
from ludoteca.server import lessons
from ludoteca.server.answers import refusing
from ludoteca.server.http.connection import HttpRequest, tables_of
from ludoteca.server.lessons import CourseShown, Judged, MovesTried


@get("/api/lessons/{game:str}", responses=refusing(404))
async def course(request: HttpRequest, game: FromPath[str]) -> Response[CourseShown]:
    """The lessons of a game: positions, what may be done there, and a right move for each task."""
    found_course(game)
    await tables_of(request).kernels.rules_ready(game)
    return Response(await asyncio.to_thread(lessons.course, game), headers={"cache-control": "no-cache"})


@post("/api/lessons/{game:str}/{step:str}", status_code=200, responses=refusing(400, 403, 404, 413))
async def try_lesson(
    request: HttpRequest, game: FromPath[str], step: FromPath[str], data: JSONBody[MovesTried]
) -> Judged:
    """What the rules say to a learner's move. It is played on a board of its own, which is then forgotten."""
    found_course(game)
    await tables_of(request).kernels.rules_ready(game)
    return await asyncio.to_thread(lessons.judged, game, step, data.moves)
