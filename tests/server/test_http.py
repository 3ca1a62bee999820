"""The HTTP interface: guests, games, tables, the page and its security headers."""

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from guests_at_tables import Person, Server

from ludoteca.core import registry
from ludoteca.server import web

Comes = Callable[[], Person]


def test_health(server: Server) -> None:
    server.wait_until_warm()
    told = httpx.get(f"{server.address}/api/health").json()
    assert told["status"] == "ok"
    assert set(told["warm"]) <= set(registry.game_keys())


def test_openapi(server: Server) -> None:
    told = httpx.get(f"{server.address}/schema/openapi.json")
    assert told.status_code == 200
    assert {"/api/health", "/api/me", "/api/games", "/api/tables", "/api/tables/{table}/record"} <= set(
        told.json()["paths"]
    )


def test_a_guest_has_a_name_and_may_change_it(server: Server) -> None:
    with httpx.Client(base_url=server.address) as http:
        first = http.get("/api/me")
        cookie = first.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=lax" in cookie.lower()
        assert http.get("/api/me").json() == first.json()
        assert http.put("/api/me", json={"name": " Ada  Lovelace\u200b "}).json() == {"name": "Ada Lovelace"}
        assert http.get("/api/me").json() == {"name": "Ada Lovelace"}
        for bad in ("", "   ", "x" * 25, "\x00\x01", "\u3164\u2800\u034f", "\u0301" * 9):
            answer = http.put("/api/me", json={"name": bad})
            assert (answer.status_code, answer.json()["code"]) == (400, "name/bad")


def test_a_forged_cookie_is_nobody(server: Server, person: Comes) -> None:
    ada = person()
    ada.watch(ada.create("me", "me", start=1))
    ada.sit(1, 2)
    ada.begin()
    (name, value), *_ = ada.http.cookies.items()
    told, _, signature = value.partition(".")
    for forged in (f"{told}.", f"{told}.{altered(signature)}", f"{altered(told)}.{signature}", told, ".", "é.é"):
        answer = httpx.get(f"{server.address}/api/me", headers=[(b"Cookie", f"{name}={forged}".encode())])
        assert "set-cookie" in answer.headers
        assert answer.headers["set-cookie"].partition("=")[2].partition(";")[0] != value


def altered(text: str) -> str:
    return text[:-1] + ("B" if text.endswith("A") else "A")


def test_games(server: Server) -> None:
    games = {game["key"]: game for game in httpx.get(f"{server.address}/api/games").json()}
    assert list(games) == registry.game_keys()
    pinpoint = games["pinpoint"]
    assert pinpoint["name"] == "Pin Point"
    assert [option["name"] for option in pinpoint["options"]] == ["players", "teams", "start", "setup", "turn_seconds"]
    assert pinpoint["bots"]
    assert "random" not in pinpoint["bots"]
    assert pinpoint["usual_bot"] in pinpoint["bots"]


@pytest.mark.parametrize(
    ("wanted", "status", "code"),
    [
        ({"game": "chess", "seats": [{"for": "me"}] * 2}, 404, "game/unknown"),
        ({"game": "pinpoint", "seats": [{"for": "me"}] * 5}, 400, "option/bad"),
        ({"game": "pinpoint", "options": {"players": 3}, "seats": [{"for": "me"}] * 2}, 400, "seats/bad"),
        ({"game": "pinpoint", "options": {"colour": 3}, "seats": [{"for": "me"}] * 2}, 400, "option/bad"),
        ({"game": "pinpoint", "seats": [{"for": "me"}, {"for": "bot", "bot": "oracle"}]}, 400, "bot/unknown"),
        ({"game": "pinpoint", "seats": [{"for": "me"}, {"for": "bot"}]}, 400, "bot/unknown"),
        ({"game": "pinpoint", "seats": [{"for": "you"}] * 2}, 400, "message/malformed"),
        ({"game": "pinpoint", "seats": []}, 400, "message/malformed"),
        ({"game": "pinpoint"}, 400, "message/malformed"),
        ({"game": "pinpoint", "options": {"players": [2]}, "seats": [{"for": "me"}] * 2}, 400, "message/malformed"),
        ([], 400, "message/malformed"),
        ("pinpoint", 400, "message/malformed"),
        ({"game": "p" * 70_000, "seats": [{"for": "me"}] * 2}, 413, "message/too-large"),
    ],
)
def test_tables_that_cannot_be(server: Server, wanted: object, status: int, code: str) -> None:
    answer = httpx.post(f"{server.address}/api/tables", json=wanted)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_body_that_is_not_json(server: Server) -> None:
    for body in (b"", b"{", b"\xff\xfe", b"[" * 10_000, b'{"game": "\xff", "seats": [{"for": "me"}]}'):
        answer = httpx.post(f"{server.address}/api/tables", content=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "message/malformed"), body[:10]


def test_links_are_as_the_client_calls_the_server(server: Server, person: Comes) -> None:
    wanted = {"game": "pinpoint", "seats": [{"for": "me"}, {"for": "anyone"}]}
    answer = httpx.post(f"{server.address}/api/tables", json=wanted, headers={"Host": "games.example:8080"}).json()
    assert answer["link"] == f"http://games.example:8080/t/{answer['table']}"


def test_routes_that_are_not_there(server: Server) -> None:
    for route in ("/api/nothing", "/api/tables/x/y/z", "/api/"):
        answer = httpx.get(server.address + route)
        assert (answer.status_code, answer.json()["code"]) == (404, "route/unknown"), route
    answer = httpx.delete(f"{server.address}/api/games")
    assert (answer.status_code, answer.json()["code"]) == (405, "route/method")


@pytest.mark.parametrize("route", ["/", "/t/abc", "/api/health", "/api/nothing", "/schema/openapi.json", "/none.js"])
def test_headers_that_guard(server: Server, route: str) -> None:
    headers = httpx.get(server.address + route).headers
    policy = headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe-eval" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


@pytest.fixture
def built(tmp_path: Path) -> Path:
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>page")
    (folder / "assets" / "index-1a2b.js").write_text("plain")
    (folder / "assets" / "index-1a2b.js.gz").write_bytes(b"gzipped")
    (folder / "assets" / "index-1a2b.js.br").write_bytes(b"brotli")
    (folder / "icon.svg").write_text("<svg/>")
    (tmp_path / "secret.txt").write_text("secret")
    return folder


@pytest.mark.parametrize("path", ["/", "", "/t/k3j9x2aa", "/rules/pinpoint", "/t/"])
def test_every_address_of_the_page_is_the_page(built: Path, path: str) -> None:
    answer = web.page(path, {}, folder=built)
    assert (answer.status_code, answer.content) == (200, b"<!doctype html>page")
    assert answer.headers["cache-control"] == "no-cache"


def test_files_named_by_their_content_are_kept_for_ever(built: Path) -> None:
    answer = web.page("/assets/index-1a2b.js", {}, folder=built)
    assert answer.content == b"plain"
    assert answer.media_type == "text/javascript"
    assert "immutable" in answer.headers["cache-control"]
    assert web.page("/icon.svg", {}, folder=built).headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("accepted", "content", "encoding"),
    [
        ("gzip, deflate, br", b"brotli", "br"),
        ("gzip", b"gzipped", "gzip"),
        ("br;q=0.9", b"brotli", "br"),
        ("identity", b"plain", None),
    ],
)
def test_compressed_copies(built: Path, accepted: str, content: bytes, encoding: str | None) -> None:
    answer = web.page("/assets/index-1a2b.js", {"accept-encoding": accepted}, folder=built)
    assert answer.content == content
    assert answer.headers.get("content-encoding") == encoding


def test_an_unchanged_file_is_not_sent_again(built: Path) -> None:
    tag = web.page("/", {}, folder=built).headers["etag"]
    answer = web.page("/", {"if-none-match": tag}, folder=built)
    assert (answer.status_code, answer.content) == (304, b"")


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/assets/../../secret.txt", "//etc/passwd.txt", "/assets/none", "/x.js", "/\0.js"]
)
def test_nothing_else_is_served(built: Path, path: str) -> None:
    assert web.page(path, {}, folder=built).status_code == 404


def test_a_web_that_is_not_built(tmp_path: Path) -> None:
    answer = web.page("/", {}, folder=tmp_path)
    assert answer.status_code == 503
    assert b"not built" in answer.content
