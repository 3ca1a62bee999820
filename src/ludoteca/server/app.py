"""The application: its routes, what opens and closes with it, and how a refusal looks over HTTP."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar
from litestar.datastructures import MutableScopeHeaders, State
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import Message, Scope

from ludoteca import __version__
from ludoteca.core.errors import LudotecaError
from ludoteca.core.signing import KEY_BYTES, Signer
from ludoteca.server import keys, review_routes
from ludoteca.server.database.contract import Storage
from ludoteca.server.draws import Draws
from ludoteca.server.http import errors, guest_routes, lesson_routes, match_routes, puzzle_routes, table_routes
from ludoteca.server.http.connection import admit
from ludoteca.server.messages import LARGEST
from ludoteca.server.metrics import Metrics
from ludoteca.server.metrics_page import metrics_page
from ludoteca.server.mistakes import Mistakes
from ludoteca.server.puzzles import Puzzles
from ludoteca.server.reviews import Reviews
from ludoteca.server.tables import Tables

SECURITY = {
    "content-security-policy": (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}

EMBEDDED = re.compile(r"(/[\w/-]*)?/t/[\w-]+/embed")  # a match in a page of another site: nothing can be done there
ANYWHERE = ("frame-ancestors 'none'", "frame-ancestors *")


def application(
    storage: Storage,
    network: str | None = None,
    workers: int | None = None,
    root: str = "",
    metrics_at: tuple[str, int] | None = None,
) -> Litestar:
    """Return the server on a storage.

    `network` is the address that others on the network reach it by, `root` the path that its own paths follow behind
    a proxy, and `metrics_at` host and port of the page with its figures.
    """
    metrics = Metrics()
    tables = Tables(storage, workers, metrics=metrics)
    reviews = Reviews(tables.storage, tables.workers, tables.kernels, tables.tasks)
    signer = Signer(storage.secret(keys.RECORDS, KEY_BYTES))

    @asynccontextmanager
    async def opened(_: Litestar) -> AsyncIterator[None]:
        await tables.open()
        try:
            if metrics_at is None:
                yield
            else:
                async with metrics_page(metrics, *metrics_at):
                    yield
        finally:
            await tables.close()

    return Litestar(
        [
            table_routes.health,
            table_routes.alive,
            table_routes.public_key,
            guest_routes.me,
            guest_routes.rename,
            guest_routes.renew,
            guest_routes.leave_everywhere,
            guest_routes.my_tables,
            table_routes.games,
            table_routes.create_table,
            table_routes.record,
            table_routes.draws,
            table_routes.picture,
            table_routes.delete_table,
            lesson_routes.course,
            lesson_routes.try_lesson,
            *review_routes.ROUTES,
            *match_routes.ROUTES,
            *puzzle_routes.ROUTES,
            table_routes.unknown_route,
            table_routes.socket,
            table_routes.front_page,
            table_routes.file,
        ],
        state=State(
            {
                "tables": tables,
                "limits": tables.limits,
                "network": network,
                "root": root,
                "draws": Draws(),
                "reviews": reviews,
                "puzzles": Puzzles(tables.storage, tables.workers, tables.kernels, tables.time),
                "mistakes": Mistakes(tables.storage, tables, reviews, tables.time),
                "signer": signer,
            }
        ),
        lifespan=[opened],
        before_request=admit,
        before_send=[_secure],
        exception_handlers={
            LudotecaError: errors.refused,
            ValidationException: errors.invalid,
            RecursionError: errors.too_deep,
            UnicodeDecodeError: errors.not_text,
            HTTPException: errors.http_error,
            Exception: errors.failed,
        },
        openapi_config=OpenAPIConfig(
            "Ludoteca", __version__, path="/schema", render_plugins=[JsonRenderPlugin()], use_handler_docstrings=True
        ),
        request_max_body_size=LARGEST,
        logging_config=None,
    )


async def _secure(message: Message, scope: Scope) -> None:
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        if EMBEDDED.fullmatch(scope["path"]):
            headers["content-security-policy"] = SECURITY["content-security-policy"].replace(*ANYWHERE)
        for name, value in SECURITY.items():
            headers.setdefault(name, value)
