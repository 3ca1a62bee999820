"""Limits for each address, which pages may send requests, and what a cookie is worth."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from guests_at_tables import HANG, Person, Server
from litestar.testing import TestClient
from quiet_tables import SteppedTime
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ludoteca.server.app import application
from ludoteca.server.database.sqlite import SqliteStorage
from ludoteca.server.limits import MOST_OPEN, MOST_REMEMBERED, REQUESTS, TABLES, Limits
from ludoteca.server.refusals import TooManyFromThere

Comes = Callable[[], Person]
WANTED = {"game": "pinpoint", "seats": [{"for": "me"}, {"for": "anyone"}]}


def test_an_address_may_ask_for_much_at_once_and_then_steadily() -> None:
    time = SteppedTime()
    limits = Limits(time)
    for allowance in (TABLES, REQUESTS):
        for _ in range(allowance.at_once):
            limits.count(allowance, "192.0.2.1")
        with pytest.raises(TooManyFromThere, match=allowance.what):
            limits.count(allowance, "192.0.2.1")
        limits.count(allowance, "192.0.2.2")
        time.step(time.now() + round(1000 / allowance.a_second))
        limits.count(allowance, "192.0.2.1")
        with pytest.raises(TooManyFromThere):
            limits.count(allowance, "192.0.2.1")


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", None, ""])
def test_this_machine_may_do_anything(address: str | None) -> None:
    limits = Limits(SteppedTime())
    for _ in range(2 * TABLES.at_once):
        limits.count(TABLES, address)


@pytest.mark.parametrize(
    ("one", "other"),
    [("2001:db8::1", "2001:db8::ffff:1"), ("192.0.2.1", "::ffff:192.0.2.1"), ("fe80::1%eth0", "fe80::2")],
)
def test_what_counts_as_one_address(one: str, other: str) -> None:
    limits = Limits(SteppedTime())
    for _ in range(TABLES.at_once):
        limits.count(TABLES, one)
    with pytest.raises(TooManyFromThere):
        limits.count(TABLES, other)
    limits.count(TABLES, "2001:db8:0:1::1")


def test_what_is_no_address_does_not_escape() -> None:
    """A proxy passes on what its client wrote into X-Forwarded-For, and that may be no address."""
    limits = Limits(SteppedTime())
    for n in range(TABLES.at_once):
        limits.count(TABLES, ("unknown", "evil", f"999.{n}", "_hidden")[n % 4])
    with pytest.raises(TooManyFromThere):
        limits.count(TABLES, "another")


def test_connections_that_are_open_at_once() -> None:
    time = SteppedTime()
    limits = Limits(time)
    with ExitStack() as held:
        for _ in range(MOST_OPEN):
            time.step(time.now() + 1000)
            held.enter_context(limits.connected("192.0.2.1"))
        time.step(time.now() + 1000)
        with pytest.raises(TooManyFromThere), limits.connected("192.0.2.1"):
            pass
    time.step(time.now() + 1000)
    with limits.connected("192.0.2.1"):
        pass


def test_addresses_are_forgotten_in_time() -> None:
    limits = Limits(SteppedTime())
    for n in range(3 * MOST_REMEMBERED):
        limits.count(REQUESTS, f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}")
    assert len(limits._buckets) <= MOST_REMEMBERED


def test_too_many_requests_from_one_address(tmp_path: Path) -> None:
    app = application(SqliteStorage(tmp_path))
    app.state["limits"] = Limits(SteppedTime())

    async def ask(address: str, times: int) -> tuple[int, str]:
        caller = httpx.ASGITransport(app, client=(address, 1))
        async with httpx.AsyncClient(transport=caller, base_url="http://here") as http:
            for _ in range(times):
                answer = await http.get("/api/health")
        return answer.status_code, answer.json().get("code", "")

    async def visit() -> None:
        try:
            assert await ask("198.51.100.7", REQUESTS.at_once) == (200, "")
            assert await ask("198.51.100.7", 1) == (429, "address/too-many")
            assert await ask("198.51.100.8", 1) == (200, "")
        finally:
            await app.state["tables"].close()

    asyncio.run(visit())


def test_too_many_tables_and_connections_over_the_wire(server: Server) -> None:
    """Behind a proxy on the same machine, the address is the one that the proxy sends."""
    far = {"X-Forwarded-For": "198.51.100.7"}
    with httpx.Client(base_url=server.address, headers=far, timeout=HANG) as http:
        while (answer := http.post("/api/tables", json=WANTED)).status_code == 201:
            pass
        assert (answer.status_code, answer.json()["code"]) == (429, "address/too-many")
    assert httpx.post(f"{server.address}/api/tables", json=WANTED, timeout=HANG).status_code == 201
    url = server.address.replace("http", "ws") + "/api/socket"
    with ExitStack() as held:
        for _ in range(MOST_OPEN + 1):
            socket = held.enter_context(connect(url, additional_headers=far, open_timeout=HANG, ping_interval=None))
            with suppress(ConnectionClosed):
                socket.send('{"do": "ping", "id": 1}')
            if "address/too-many" in str(socket.recv(timeout=HANG)):
                break
        else:
            pytest.fail("all of them were let in")


def test_a_rematch_counts_as_a_table(tmp_path: Path) -> None:
    app, time = application(SqliteStorage(tmp_path), workers=1), SteppedTime()
    limits = app.state["limits"] = Limits(time)
    with TestClient(app) as http:
        http.get("/api/me")
        wanted = {"game": "pinpoint", "seats": [{"for": "me"}, {"for": "me"}]}
        table = http.post("/api/tables", json=wanted).json()["table"]
        with http.websocket_connect("/api/socket") as socket:

            def ask(do: str, **more: object) -> dict[str, Any]:
                socket.send_json({"do": do, "id": do, "table": table, **more})
                return receive(lambda told: told.get("id") == do)

            def receive(until: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
                told: dict[str, Any] = socket.receive_json()
                return told if until(told) else receive(until)

            ask("watch")
            ask("sit", seat=1, bytes="00" * 16)
            socket.send_json({"do": "sit", "id": 0, "table": table, "seat": 2, "bytes": "00" * 16})
            n = receive(lambda told: told.get("started"))["n"]
            assert ask("move", seat=1, move="resign", after=n)["type"] == "done"
            for _ in range(TABLES.at_once - 1):
                limits.count(TABLES, "testclient")
            assert ask("rematch")["code"] == "address/too-many"
            time.step(time.now() + round(1000 / TABLES.a_second))
            made = ask("rematch")
            assert made["type"] == "done"
            assert ask("rematch")["table"] == made["table"], "a table that is there already does not count"


def test_a_page_of_another_site_changes_nothing(server: Server) -> None:
    for origin in ("https://elsewhere.example", "null", "http://127.0.0.1:1"):
        for method, route, body in (("POST", "/api/tables", WANTED), ("PUT", "/api/me", {"name": "Eve"})):
            answer = httpx.request(method, server.address + route, json=body, headers={"Origin": origin}, timeout=HANG)
            assert (answer.status_code, answer.json()["code"]) == (403, "origin/refused")
            assert "set-cookie" not in answer.headers
            assert "access-control-allow-origin" not in answer.headers
    for headers in ({}, {"Origin": server.address}):
        answer = httpx.put(f"{server.address}/api/me", json={"name": "Eve"}, headers=headers, timeout=HANG)
        assert answer.status_code == 200


def test_cookies_are_for_http_alone_and_secure_where_that_is_possible(server: Server) -> None:
    for scheme, secure in (("http", False), ("https", True)):
        answer = httpx.get(f"{server.address}/api/me", headers={"X-Forwarded-Proto": scheme}, timeout=HANG)
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert "path=/" in cookie
        assert ("secure" in cookie) is secure
        assert answer.headers["cache-control"] == "no-store"


def test_no_inline_script_is_allowed(server: Server) -> None:
    policy = httpx.get(server.address, timeout=HANG).headers["content-security-policy"]
    rules = dict(part.split(" ", 1) for part in policy.split("; "))
    assert rules["default-src"] == rules["script-src"] == "'self'"
    assert rules["object-src"] == rules["base-uri"] == rules["frame-ancestors"] == "'none'"
    assert "unsafe-inline" not in rules["script-src"]


def test_nothing_secret_is_logged(start: Callable[..., Server]) -> None:
    """Even an error logs no identity, no chat and no seed."""
    server = start()
    ada = Person(server.address)
    ada.watch(ada.create("me", "me", game="tictacmatch"))
    ada.sit(1, 2)
    ada.begin()
    ada.done("say", seat=1, text="between us")
    ada.refused("move", seat=1, move="nonsense", after=ada.n)
    ada.socket.send('{"do": "watch", "id": 1, "table": "\\ud800"}')
    ada.http.post("/api/tables", content=b"\xff")
    ada.http.get("/api/tables/none/record")
    ada.close()
    code, complaints = server.stop()
    assert (code, complaints) == (0, "")
