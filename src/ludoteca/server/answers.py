"""How a route refuses, for its description."""

from http import HTTPStatus

import msgspec
from litestar.openapi.datastructures import ResponseSpec


class Refused(msgspec.Struct):
    code: str
    text: str


def refusing(*statuses: int) -> dict[int, ResponseSpec]:
    """Return the refusals that a route may answer with."""
    said = {status: HTTPStatus(status).phrase for status in (*statuses, 429)}
    return {status: ResponseSpec(Refused, False, description=phrase) for status, phrase in said.items()}
