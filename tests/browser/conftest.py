"""The real server with the built web, and Chromium to visit it.

No test is skipped: it fails if something is missing.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browsers import Browsers
from houses import House
from players import Player
from playwright.sync_api import Browser, ConsoleMessage, sync_playwright

from ludoteca.core import registry

BUILT = Path(__file__).parents[2] / "src" / "ludoteca" / "server" / "web" / "index.html"
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HERE = Path(__file__).parent
FIRST_TURNS_ARE_TOLD = f"""try {{
    for (const game of {json.dumps(registry.game_keys())}) localStorage.setItem("ludoteca.told.first." + game, "yes");
}} catch {{}}  // a frame without storage"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def built() -> None:
    if not BUILT.exists():
        pytest.fail(f"the web is not built: there is no {BUILT}", pytrace=False)


@pytest.fixture(scope="session")
def house(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house"))
    house.open()
    yield house
    house.close()


@pytest.fixture
def frail_house(built: None, tmp_path: Path) -> Iterator[House]:
    """Return a server of the test's own, which it may kill."""
    house = House(tmp_path)
    house.open()
    yield house
    house.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    program = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if not program:
        pytest.fail("no Chromium: install Debian's chromium-headless-shell, or let CHROMIUM name one", pytrace=False)
    sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*FLAGS, *sandbox])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def browsers(chromium: Browser, house: House) -> Browsers:
    return Browsers(chromium, house.url)


@pytest.fixture
def visit(browsers: Browsers) -> Iterator[Callable[..., Player]]:
    """Return a function that opens a browser for one person. The test fails if a page reports an error.

    Only a newcomer is told what to do in the first turn: that bubble lies over a part of the log.
    """
    errors: list[str] = []
    lent = []

    def come(url: str, newcomer: bool = False, **settings: Any) -> Player:
        settings = {"reduced_motion": "reduce", "locale": "en-GB"} | settings
        context = browsers.lend(settings)
        lent.append((context, settings))
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.extend(_complaint(message)))
        if not newcomer:
            page.add_init_script(FIRST_TURNS_ARE_TOLD)
        page.goto(url)
        return Player(page)

    yield come
    for context, settings in lent:
        browsers.take_back(context, settings)
    assert not errors


def _complaint(message: ConsoleMessage) -> list[str]:
    """Return a page's error message.

    Failed connections do not count: the browser notes them, and some tests break them. Nor do refusals of bad input,
    which a page tells in words.
    """
    broken = any(said in message.text for said in ("net::ERR", "WebSocket connection", "a status of 400"))
    return [message.text] if message.type == "error" and not broken else []
