"""Serves an application below a path, such as /games. The application itself does not know that path."""

from typing import Any

from litestar.types import ASGIApp, Receive, Scope, Send


class Rooted:
    """Removes the root from the path of a request. A proxy may have removed it already."""

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
