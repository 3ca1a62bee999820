"""Cookies are renewed and revoked: a stolen cookie can be made worthless, and a guest can log out everywhere."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
from litestar import Litestar

from ludoteca.server.app import application
from ludoteca.server.database.sqlite import SqliteStorage
from ludoteca.server.guests import COOKIE


def visit(folder: Path, what: Callable[[Litestar, Callable[[], httpx.AsyncClient]], Awaitable[None]]) -> None:
    async def visited() -> None:
        app = application(SqliteStorage(folder), workers=1)

        def browser() -> httpx.AsyncClient:
            return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here")

        try:
            await what(app, browser)
        finally:
            await app.state["tables"].close()

    asyncio.run(visited())


async def who(browser: httpx.AsyncClient) -> str:
    """Return the id of the guest that the server recognizes in this browser, without giving it a new cookie."""
    made = await browser.post("/api/tables", json={"game": "pinpoint", "seats": [{"for": "me"}, {"for": "anyone"}]})
    assert made.status_code == 201
    return "known" if "set-cookie" not in made.headers else "new"


def test_a_renewed_cookie_makes_the_earlier_ones_worthless(tmp_path: Path) -> None:
    async def what(app: Litestar, browser: Callable[[], httpx.AsyncClient]) -> None:
        async with browser() as ada, browser() as thief:
            name = (await ada.get("/api/me")).json()["name"]
            thief.cookies.set(COOKIE, ada.cookies[COOKIE])
            assert await who(thief) == "known"
            before = app.state["tables"].guests.known(ada.cookies[COOKIE])
            assert (await ada.post("/api/me/renew")).json() == {"name": name}
            assert app.state["tables"].guests.known(ada.cookies[COOKIE]).id == before.id, "she is still the same guest"
            assert await who(ada) == "known"
            assert await who(thief) == "new"
            renamed = await ada.put("/api/me", json={"name": "Ada"})
            assert renamed.status_code == 200
            assert await who(ada) == "known"

    visit(tmp_path, what)


def test_leaving_everywhere_is_remembered(tmp_path: Path) -> None:
    cookies = httpx.Cookies()

    async def leave(app: Litestar, browser: Callable[[], httpx.AsyncClient]) -> None:
        async with browser() as ada, browser() as phone:
            await ada.get("/api/me")
            cookies.set(COOKIE, ada.cookies[COOKIE])
            phone.cookies.set(COOKIE, ada.cookies[COOKIE])
            ended = []

            class Open:
                guest_id = app.state["tables"].guests.known(ada.cookies[COOKIE]).id

                def end(self) -> None:
                    ended.append(self.guest_id)

            connection = Open()
            app.state["tables"].clients.add(connection)
            left = await ada.delete("/api/me")
            assert (left.status_code, left.json()) == (200, {"left": True})
            assert ended == [connection.guest_id], "and the connections are closed"
            assert COOKIE not in ada.cookies
            assert await who(phone) == "new"

    async def come_back(app: Litestar, browser: Callable[[], httpx.AsyncClient]) -> None:
        async with browser() as thief:
            thief.cookies.set(COOKIE, cookies[COOKIE])
            assert await who(thief) == "new"

    visit(tmp_path, leave)
    visit(tmp_path, come_back)
