"""What one can do with a finished match: play on from a position, share it, embed it, and look at one from a file."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest
from players import Player
from playwright.sync_api import expect
from test_browser_everyone import findings
from test_browser_review import MOVES, finished, slider

from ludoteca.lab.verify import verdict

Visit = Callable[..., Player]
PNG = b"\x89PNG\r\n\x1a\n"


def table_of(player: Player) -> str:
    found = re.search(r"/t/(\w+)", player.page.url)
    assert found
    return found[1]


def replayed(player: Player, entry: int) -> Player:
    """Go to a moment of the match at this table."""
    player.page.goto(re.sub(r"(/t/\w+).*", rf"\1/replay#{entry}", player.page.url))
    expect(player.page.get_by_role("button", name="To the end")).to_be_visible()
    return player


def downloaded(player: Player, button: str) -> Path:
    with player.page.expect_download() as found:
        player.dialog.get_by_role("button", name=button).click()
    return Path(found.value.path())


def test_play_on_from_a_moment_and_the_record_is_verified(house, visit: Visit) -> None:
    player = finished(visit(house.url))
    before = table_of(player)
    replayed(player, 6)
    player.button("Play on from here").click()
    expect(player.dialog.get_by_label("Your seat")).to_be_visible()
    assert findings(player) == []
    player.dialog.get_by_text("Somebody at this device").click()
    player.dialog.get_by_role("button", name="Play on").click()
    expect(player.page.get_by_text("Played on from here")).to_be_visible()
    assert table_of(player) != before
    player.await_turn()
    player.button("Resign").click()
    player.dialog.get_by_role("button", name="Resign").click()
    expect(player.dialog.get_by_role("link", name="The match before")).to_have_attribute(
        "href", f"/t/{before}/replay#6"
    )
    player.dialog.get_by_text("Were the draws fair?").click()
    expect(player.dialog.get_by_text("The first 6 entries are from another match")).to_be_visible()
    line = httpx.get(f"{house.url}/api/tables/{table_of(player)}/record", timeout=60).content
    found = verdict(1, line)
    assert (found.rules.state, found.chance.state, found.signature.state, found.given) == ("holds",) * 3 + (6,)


def test_a_position_of_the_review_is_played_on_against_the_computer(house, visit: Visit) -> None:
    player = finished(visit(house.url))
    player.page.goto(re.sub(r"(/t/\w+).*", r"\1/review", player.page.url))
    expect(slider(player)).to_have_attribute("aria-valuemax", str(len(MOVES)))
    expect(player.page.get_by_role("progressbar")).to_have_count(0)  # worked out
    slider(player).focus()
    player.page.keyboard.press("Home")
    player.page.keyboard.press("ArrowRight")
    player.button("Play on from here").click()
    player.dialog.get_by_role("button", name="Play on").click()
    expect(player.page.get_by_text("Played on from here")).to_be_visible()
    player.await_turn()


def test_record_picture_and_film_are_downloaded(house, visit: Visit) -> None:
    player = replayed(finished(visit(house.url)), 6)
    player.button("Share").click()
    assert findings(player) == []
    assert downloaded(player, "A picture of this position").read_bytes().startswith(PNG)
    film = downloaded(player, "A film of the match").read_bytes()
    assert film.startswith(b"GIF89a")
    assert film.count(b"\x21\xf9\x04\x05") >= 2  # the turns of the match
    colours = player.page.evaluate(
        """async (bytes) => {
            const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/gif" }));
            const canvas = new OffscreenCanvas(image.width, image.height);
            const pen = canvas.getContext("2d");
            pen.drawImage(image, 0, 0);
            const { data } = pen.getImageData(0, 0, image.width, image.height);
            const pixel = (_, k) => data[4 * k] << 8 | data[4 * k + 1];
            return [image.width, new Set(Array.from({ length: data.length / 4 }, pixel)).size];
        }""",
        list(film),
    )
    assert colours[0] == 480
    assert colours[1] > 20  # a board, not an empty page
    with player.page.expect_download() as found:
        player.dialog.get_by_role("link", name="The record").click()
    record = json.loads(Path(found.value.path()).read_text("utf-8"))
    assert record["game"] == "pinpoint"


@pytest.fixture
def other_site() -> Iterator[Callable[[Path], str]]:
    """Return a function that serves a folder under another host name, and returns its address.

    It is a real server: Chromium lets a page without an address of this machine frame nothing from here.
    """
    with ExitStack() as opened:

        def serve(folder: Path) -> str:
            handler = partial(SimpleHTTPRequestHandler, directory=folder)
            server = opened.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), handler))
            Thread(target=server.serve_forever, daemon=True).start()
            opened.callback(server.shutdown)
            return f"http://localhost:{server.server_port}"

        yield serve


def test_an_embedded_match_is_replayed_in_a_page_of_another_site(
    house, visit: Visit, other_site: Callable[[Path], str], tmp_path: Path
) -> None:
    player = finished(visit(house.url))
    table = table_of(player)
    (tmp_path / "index.html").write_text(
        f'<iframe src="{house.url}/t/{table}/embed#6" width="480" height="600"></iframe>', "utf-8"
    )
    player.page.goto(other_site(tmp_path))
    frame = player.page.frame_locator("iframe")
    expect(frame.get_by_role("link", name="Pin Point")).to_have_attribute("href", f"/t/{table}/replay#6")
    expect(frame.get_by_role("grid")).to_be_visible()
    frame.get_by_role("button", name="One move forward").click()
    expect(frame.get_by_role("link", name="Pin Point")).to_have_attribute("href", f"/t/{table}/replay#7")
    for path, framed in ((f"/t/{table}/embed", "frame-ancestors *"), (f"/t/{table}", "frame-ancestors 'none'")):
        assert framed in httpx.get(house.url + path, timeout=60).headers["content-security-policy"]


@contextmanager
def answered(player: Player, refusal: dict[str, str]) -> Iterator[None]:
    """Refuse every upload like this. With the server's own status the browser would complain of a missing page."""
    player.page.route("**/api/records", lambda route: route.fulfill(status=400, json=refusal))
    yield
    player.page.unroute("**/api/records")


def test_a_record_is_uploaded_and_a_bad_one_is_refused_in_words(house, visit: Visit, tmp_path: Path) -> None:
    player = finished(visit(house.url))
    line = httpx.get(f"{house.url}/api/tables/{table_of(player)}/record", timeout=60).content
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(line)
    unsigned = {name: value for name, value in json.loads(line).items() if name != "signature"}
    bad.write_text(json.dumps(unsigned).replace("Ra1", "Rz9", 1))
    player.page.goto(f"{house.url}/matches")
    field = player.page.locator("input[type=file]")
    field.set_input_files(bad)
    alert = player.page.get_by_role("alert")
    expect(alert).to_have_text(re.compile(r"^The record was not accepted: move \d+ does not fit the rules"))
    with answered(player, {"code": "game/unknown", "text": "unknown game 'chess'"}):
        field.set_input_files(bad)
        expect(alert).to_have_text("The record was not accepted. This game is not known here.")
    player.page.get_by_label("Language").select_option("it")
    field.set_input_files(bad)
    expect(alert).to_have_text(re.compile(r"^Il file non è stato accettato: la mossa \d+ non corrisponde alle regole"))
    player.page.get_by_label("Lingua").select_option("en")
    field.set_input_files(good)
    expect(player.page).to_have_url(re.compile(r"/t/\w+/replay$"))
    expect(player.page.get_by_role("button", name="To the end")).to_be_visible()
    player.button("To the end").click()
    player.button("The result").click()
    expect(player.dialog.get_by_text("Played elsewhere")).to_be_visible()


PHONES = [{"viewport": {"width": 390, "height": 844}}, {"viewport": {"width": 844, "height": 390}}]


@pytest.mark.parametrize("settings", PHONES)
def test_on_a_phone_nothing_is_cut_off(house, visit: Visit, settings: dict) -> None:
    player = replayed(finished(visit(house.url, **settings)), 6)
    box = player.button("Play on from here").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= settings["viewport"]["width"]
    assert box["y"] + box["height"] <= max(settings["viewport"]["height"], 640)
    player.button("Share").click()
    expect(player.dialog.get_by_role("button", name="A picture of this position")).to_be_in_viewport()
