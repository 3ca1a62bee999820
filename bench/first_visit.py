"""The cost of a first visit: bytes of script and style on the wire, and the time from a click to the board."""

import time

from browsing import browser_at_server, chromium
from playwright.sync_api import Browser, Page
from served import wait_until_warm

VISITS = 5
BYTES = """() => performance.getEntriesByType("resource")
    .filter(entry => /\\.(js|css)$/.test(new URL(entry.name).pathname))
    .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""


def visit(browser: Browser, address: str) -> tuple[int, int, float]:
    """Return the bytes for the shelf and for the table, and the seconds from the click to the board."""
    page: Page = browser.new_page(reduced_motion="reduce", locale="en-GB")
    page.goto(address, wait_until="networkidle")
    shelf = int(page.evaluate(BYTES))
    began = time.perf_counter()
    page.get_by_role("button", name="Play the computer").first.click()
    page.get_by_role("grid").wait_for()
    seconds = time.perf_counter() - began
    page.wait_for_load_state("networkidle")
    both = int(page.evaluate(BYTES))
    page.close()
    return shelf, both - shelf, seconds


def measure() -> list[str]:
    if chromium() is None:
        return ["no Chromium here: a first visit is not measured"]
    with browser_at_server() as (browser, address):
        wait_until_warm(address)
        visits = [visit(browser, address) for _ in range(VISITS)]
    shelf, table, _ = visits[0]
    return [
        f"script and style on a first visit, compressed: {shelf / 1000:.1f} kB on the shelf,"
        f" {table / 1000:.1f} kB more at the table (wanted: below 90 kB)",
        f"from a click on 'Play the computer' to the board: {min(seconds for *_, seconds in visits) * 1000:.0f} ms",
    ]


if __name__ == "__main__":
    print(*measure(), sep="\n")
