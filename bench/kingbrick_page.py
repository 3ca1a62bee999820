"""KingBrick in the browser: from letting a brick go to the first frame that moves, and what a frame costs.

Chromium draws in software where there is no graphics card; draw calls and script do not depend on that.
"""

import re
from typing import Any

from browsing import browser_at_server, chromium
from playwright.sync_api import Browser, Page
from served import wait_until_warm

FLICKS = 5
FULL_ARMY = {"Guardian": 18, "Champion": 0, "Freeze": 2}  # 20 bricks and the King
PATIENCE = 60_000  # milliseconds

# Counts the calls of every frame, and notes when a brick was let go and when the first frame moved.
WATCH = """
window.seen = {calls: 0, frames: 0, most: 0, released: 0, moved: []};
for (const name of ["drawElements", "drawArrays", "drawElementsInstanced", "drawArraysInstanced"]) {
    const draw = WebGL2RenderingContext.prototype[name];
    WebGL2RenderingContext.prototype[name] = function (...how) { seen.calls++; return draw.apply(this, how); };
}
let still = 0;
(function frame() {
    if (seen.calls) { seen.frames++; seen.most = Math.max(seen.most, seen.calls); seen.calls = 0; }
    // the playback shows where all lay first; then it moves
    still = document.querySelector("[data-moving]") ? still + 1 : 0;
    if (still === 2 && seen.released) { seen.moved.push(performance.now() - seen.released); seen.released = 0; }
    requestAnimationFrame(frame);
})();
addEventListener("pointerup", event => {
    if (event.target.closest("[role=application]")) seen.released = performance.now();
}, true);
"""


def begin(page: Page, address: str) -> None:
    """Two full armies at one device."""
    page.goto(address)
    page.get_by_role("article").first.wait_for()
    table = page.evaluate(
        """table => fetch("/api/tables", {
            method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(table)
        }).then(answer => answer.json())""",
        {"game": "kingbrick", "options": {"start": 1}, "seats": [{"for": "me"}, {"for": "me"}]},
    )
    page.goto(f"{address}/t/{table['table']}")
    for _ in range(2):
        page.get_by_role("button", name=re.compile("^I am ")).click()
        page.get_by_role("tab", name="Army").click()
        for kind, count in sorted(FULL_ARMY.items(), key=lambda wanted: wanted[1]):
            now = int(page.locator(f"[data-kind={kind[0]}] .count b").inner_text())
            button = page.get_by_role("button", name=f"One {kind} {'more' if count > now else 'fewer'}")
            for _ in range(abs(count - now)):
                button.click()
        page.get_by_role("button", name="Line", exact=True).click()
        page.get_by_role("button", name="Ready", exact=True).click()


def pull(page: Page) -> None:
    """A brick of whoever is on the move is found by hovering, pulled back and let go."""
    board = page.get_by_role("application")
    box: Any = board.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.75
    label = page.locator(".label")
    for step in range(60):
        page.mouse.move(x + 7 * (step // 20), y - 6 * (step % 20))
        if label.count() and re.search("King", label.inner_text()):
            break
    page.mouse.down()
    page.mouse.move(x + 60, y + 30, steps=4)
    page.mouse.up()


def costs(page: Page, address: str) -> tuple[float, int, float]:
    """Milliseconds to the first frame that moves, draw calls a frame, and milliseconds of script a frame."""
    begin(page, address)
    page.get_by_role("button", name="Flick", exact=True).wait_for()
    page.wait_for_function("seen.frames > 0")
    page.wait_for_timeout(1500)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    script, frames = 0.0, 0
    for _ in range(FLICKS):
        known = page.evaluate("seen.moved.length")
        before = measured(session, page)
        pull(page)
        page.wait_for_function(f"seen.moved.length > {known} && !document.querySelector('[data-moving]')")
        after = measured(session, page)
        script, frames = script + after[0] - before[0], frames + after[1] - before[1]
        page.get_by_role("button", name="Flick", exact=True).wait_for()
        page.wait_for_timeout(800)
    moved = sorted(page.evaluate("seen.moved"))
    return moved[len(moved) // 2], page.evaluate("seen.most"), script * 1000 / frames


def measured(session: Any, page: Page) -> tuple[float, int]:
    metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    return metrics["ScriptDuration"], page.evaluate("seen.frames")


def visit(browser: Browser, address: str) -> tuple[float, int, float]:
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800}, bypass_csp=True)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.add_init_script(WATCH)
    found = costs(page, address)
    context.close()
    return found


def measure() -> list[str]:
    if chromium() is None:
        return ["no Chromium here: KingBrick's page is not measured"]
    with browser_at_server("--enable-unsafe-swiftshader") as (browser, address):
        wait_until_warm(address)  # of all games: compiling would take the processor from the page
        moved, calls, script = visit(browser, address)
    return [
        f"KingBrick, from letting a brick go to the first frame that moves: {moved:.0f} ms (wanted: below 250 ms)",
        f"KingBrick, a frame with 42 bricks: {calls} draw calls (wanted: at most 60),"
        f" {script:.1f} ms of script (wanted: at most 4 ms)",
    ]


if __name__ == "__main__":
    print(*measure(), sep="\n")
