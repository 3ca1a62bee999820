"""How refusals and failures look over HTTP."""

import logging

from litestar import MediaType, Response
from litestar.exceptions import HTTPException, ValidationException

from ludoteca.core.errors import IllegalMove, LudotecaError, UnknownGame, UnknownLesson, UnknownMove, UnknownPuzzle
from ludoteca.core.words import Message
from ludoteca.server.answers import Refused
from ludoteca.server.http.connection import HttpRequest, tables_of
from ludoteca.server.refusals import BadUpload, Refusal

UNKNOWN = (UnknownGame, UnknownLesson, UnknownPuzzle)
CODES = {404: "route/unknown", 405: "route/method", 413: "message/too-large", 400: "message/malformed"}
log = logging.getLogger("ludoteca.server.http")


def refused(request: HttpRequest, error: LudotecaError) -> Response[Refused]:
    status = error.status if isinstance(error, Refusal) else 404 if isinstance(error, UNKNOWN) else 400
    reason = error.reason if isinstance(error, BadUpload | IllegalMove | UnknownMove) else None
    return _refusal(request, status, error.code, str(error), reason)


def invalid(request: HttpRequest, error: ValidationException) -> Response[Refused]:
    extra = error.extra if isinstance(error.extra, list) else []
    said = [str(part.get("message", "")) for part in extra if isinstance(part, dict)]
    return _refusal(request, 400, "message/malformed", "; ".join(said) or "the request is malformed")


def too_deep(request: HttpRequest, error: RecursionError) -> Response[Refused]:
    return _refusal(request, 400, "message/malformed", "the request is nested too deep")


def not_text(request: HttpRequest, error: UnicodeDecodeError) -> Response[Refused]:
    return _refusal(request, 400, "message/malformed", "the request is not UTF-8")


def http_error(request: HttpRequest, error: HTTPException) -> Response[Refused]:
    return _refusal(request, error.status_code, CODES.get(error.status_code, f"http/{error.status_code}"), error.detail)


def failed(request: HttpRequest, error: Exception) -> Response[Refused]:
    tables_of(request).metrics.count("ludoteca_errors_total")
    log.error("a request could not be answered", exc_info=error)
    return _refusal(request, 500, "server/error", "")


def _refusal(
    request: HttpRequest, status: int, code: str, text: str, reason: Message | None = None
) -> Response[Refused]:
    tables_of(request).metrics.count("ludoteca_refusals_total", code)
    return Response(Refused(code, text, reason), status_code=status, media_type=MediaType.JSON)
