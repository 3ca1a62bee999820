"""The page behind nginx, below a path: it finds its files, its routes and its socket."""

from collections.abc import Callable
from pathlib import Path

from houses import House
from own_nginx import own_nginx
from players import Player
from playwright.sync_api import expect


def test_a_match_below_a_path_behind_nginx(built: None, tmp_path: Path, visit: Callable[..., Player]) -> None:
    house = House(tmp_path, "--root-path", "/games", "--proxy", "127.0.0.1")
    house.open()
    try:
        with own_nginx(house.port) as address:
            player = visit(f"{address}/")
            expect(player.on_box("Play the computer")).to_be_visible()
            links = player.page.eval_on_selector_all(
                "a[href]", "links => links.map((link) => link.getAttribute('href'))"
            )
            assert links
            assert all(link.startswith("/games/") for link in links)
            player.play_computer()
            assert player.page.url.startswith(f"{address}/t/")
            player.put_somewhere()
            player.page.reload()
            expect(player.log.first).to_be_visible()
            player.page.locator("header a.name").click()
            expect(player.page).to_have_url(f"{address}/")
    finally:
        house.close()
