"""Serves an application below a path, such as /games: our own paths know nothing of it."""

from typing import Any

from litestar.types import ASGIApp, Receive, Scope, Send


class Rooted:
    """Takes the root away from what is asked for. A proxy may have taken it away already."""

    def __init__(self, app: ASGIApp, root: str) -> None:
        self._app, self._root = app, root

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            path = scope["path"]
            if path == self._root or path.startswith(f"{self._root}/"):
                rest = path[len(self._root) :] or "/"
                inner: Any = {**scope, "path": rest, "raw_path": rest.encode()}
                scope = inner
        await self._app(scope, receive, send)
