"""KingBrick in the browser: from letting a brick go to the first frame that moves, and what a frame costs.

Chromium draws in software where there is no graphics card. Draw calls do not depend on that, and script is counted
as processor time of the page alone.
"""

import re
from statistics import median
from typing import Any, NamedTuple

from browsing import browser_at_server, chromium
from playwright.sync_api import Browser, CDPSession, Page
from served import wait_until_warm

from ludoteca.games.kingbrick.formations import spots

# Bricks of the second row, flicked at those of the first: two bricks move, and all stay on their own side.
COLUMNS = (0, -30, 30)  # mm
SECOND_ROW = 115  # mm from the middle
ARMY = "K 18G 2F"  # 21 bricks: all but those that freeze stand on the board
PULL = 32  # pixels: about 0.8 m/s
BRICK = 20  # pixels, about
PATIENCE = 20_000  # milliseconds

# Counts the calls of every frame. A frame has moved when bricks are drawn elsewhere than when one was let go, and has
# been seen when the next one begins.
WATCH = """
window.seen = {calls: 0, frames: 0, most: 0, moved: []};
const gl = WebGL2RenderingContext.prototype;
for (const name of ["drawElements", "drawArrays", "drawElementsInstanced", "drawArraysInstanced"]) {
    const draw = gl[name];
    gl[name] = function (...how) { seen.calls++; return draw.apply(this, how); };
}
const MATRICES = 64 * 16;
const places = new Map();
let released = 0, hasMoved = false;
for (const name of ["bufferData", "bufferSubData"]) {
    const write = gl[name];
    gl[name] = function (...how) {
        const written = how.find(ArrayBuffer.isView);
        if (written?.length === MATRICES) {
            const before = places.get(written);
            if (released) hasMoved ||= before.some((value, k) => Math.abs(value - written[k]) > 0.1);
            else places.set(written, written.slice());
        }
        return write.apply(this, how);
    };
}
(function frame() {
    if (seen.calls) { seen.frames++; seen.most = Math.max(seen.most, seen.calls); seen.calls = 0; }
    if (hasMoved) {
        seen.moved.push(performance.now() - released);
        released = 0;
        hasMoved = false;
    }
    requestAnimationFrame(frame);
})();
addEventListener("pointerup", event => {
    if (event.target.closest("[role=application]")) released = performance.now();
}, true);
"""

# Says on the console when a film has ended: to ask again and again would be script of ours.
TELL_REST = """() => {
    const board = document.querySelector("[role=application]");
    new MutationObserver(() => board.dataset.moving || console.log("at rest"))
        .observe(board, {attributeFilter: ["data-moving"]});
}"""

SET_UP = """async ([table, formations]) => {
    const socket = new WebSocket(location.origin.replace("http", "ws") + "/api/socket");
    const told = kind => new Promise((known, failed) => socket.addEventListener("message", ({data}) => {
        const message = JSON.parse(data);
        if (kind(message)) known();
        else if (message.type === "error") failed(Error(data));
    }));
    const ask = message => {
        const answered = told(({type}) => type === "done");
        socket.send(JSON.stringify({...message, table, id: 1}));
        return answered;
    };
    await new Promise(open => (socket.onopen = open));
    const begun = told(({started}) => started);
    await ask({do: "watch", have: 0});
    for (const seat of [1, 2]) await ask({do: "sit", seat, bytes: "ab".repeat(16)});
    await begun;
    for (const seat of [1, 2]) await ask({do: "move", seat, move: formations[seat - 1], after: 0});
    socket.close();
}"""


class Costs(NamedTuple):
    moved: list[float]  # milliseconds to the first frame that moves, of every flick
    calls: int  # draw calls of a frame
    script: list[float]  # milliseconds a frame, of several films


def set_up(seat: int) -> str:
    """A full army in line, as the move that it is."""
    names = ["rb"[seat - 1] + str(number) for number in range(1, 20)]
    places = zip(names, spots("line", seat), strict=False)
    stands = [f"stand {name} x={x:g} y={y:g} yaw={yaw:g} up=1" for name, (x, y, yaw) in places]
    return "\n".join([f"army {ARMY}", *stands, "ready"])


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
    page.evaluate(SET_UP, [table["table"], [set_up(1), set_up(2)]])
    page.goto(f"{address}/t/{table['table']}")


def until_still(page: Page) -> None:
    """Until somebody may flick and nothing is drawn any more: the camera has gone round the table."""
    page.get_by_role("button", name="Flick", exact=True, disabled=False).wait_for()
    frames = -1
    while frames != (frames := page.evaluate("seen.frames")) or not frames:
        page.wait_for_timeout(300)


def find(page: Page, column: int) -> tuple[float, float]:
    """Where in the picture a brick of the second row is, of whoever sits at the near end: found by hovering."""
    box: Any = page.get_by_role("application").bounding_box()
    own = page.get_by_label("Brick to flick").input_value()[0]
    turned = 1 if own == "r" else -1
    wanted = re.compile(rf" {own}[0-9]+,.* at {turned * column}, {-turned * SECOND_ROW}$")
    label = page.locator(".label")
    middle_x, middle_y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for down in range(40, 280, 20):
        for right in sorted(range(-200, 201, 20), key=lambda right: abs(right - 1.2 * column)):
            if abs(right - 1.2 * column) > 60:
                break
            page.mouse.move(middle_x + right, middle_y + down)
            if label.count() and wanted.search(label.inner_text()):
                right, down = label.evaluate("label => [label.offsetLeft, label.offsetTop]")
                return box["x"] + right, box["y"] + down + BRICK / 2  # it is written at the upper face
    raise LookupError(f"no brick of the second row is at {column} mm")


def flick(page: Page, column: int) -> None:
    """A brick is pulled back and let go."""
    x, y = find(page, column)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + PULL, steps=4)
    with page.expect_console_message(lambda message: message.text == "at rest"):
        page.mouse.up()


def script_a_frame(page: Page, session: CDPSession) -> float:
    """Milliseconds while the last flick is seen again, slowly: that makes many frames, whatever draws them."""
    button = page.get_by_role("button", name="Slowly")
    button.focus()
    before = measured(session, page)
    with page.expect_console_message(lambda message: message.text == "at rest"):
        button.press("Enter")
    after = measured(session, page)
    return (after[0] - before[0]) * 1000 / (after[1] - before[1])


def measured(session: CDPSession, page: Page) -> tuple[float, int]:
    metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    return metrics["ScriptDuration"], page.evaluate("seen.frames")


def costs(page: Page, address: str) -> Costs:
    begin(page, address)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    until_still(page)
    page.evaluate(TELL_REST)
    script = []
    for column in COLUMNS:
        for _ in range(2):  # red, then blue
            flick(page, column)
            until_still(page)
        script.append(script_a_frame(page, session))
        until_still(page)
    return Costs(page.evaluate("seen.moved"), page.evaluate("seen.most"), script)


def visit(browser: Browser, address: str) -> Costs:
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
        f"KingBrick, from letting a brick go to the first frame that moves: {median(moved):.0f} ms,"
        f" at worst {max(moved):.0f} ms in {len(moved)} flicks (wanted: below 250 ms)",
        f"KingBrick, a frame with 42 bricks: {calls} draw calls (wanted: at most 60),"
        f" {median(script):.1f} ms of script, at worst {max(script):.1f} ms (wanted: at most 4 ms)",
    ]


if __name__ == "__main__":
    print(*measure(), sep="\n")
