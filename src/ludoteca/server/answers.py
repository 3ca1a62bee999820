"""How a route refuses, for its description."""

from http import HTTPStatus

import msgspec
from litestar.openapi.datastructures import ResponseSpec

from ludoteca.core.words import Message


class Refused(msgspec.Struct, omit_defaults=True):
    code: str
    text: str
    reason: Message | None = None  # in words of the page's language, where there are more than those of the code


def refusing(*statuses: int) -> dict[int, ResponseSpec]:
    """Return the refusals that a route may answer with."""
    said = {status: HTTPStatus(status).phrase for status in (*statuses, 429)}
    return {status: ResponseSpec(Refused, False, description=phrase) for status, phrase in said.items()}
