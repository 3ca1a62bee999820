"""What a person does at a table in a browser."""

import re
from collections.abc import Sequence
from typing import Any, Self

from playwright.sync_api import Locator, Page, expect

HANG_GUARD = 90_000  # milliseconds; a working page is far quicker
expect.set_options(timeout=HANG_GUARD)

EMPTY = re.compile("empty|vuoto")

PLAY_BY_SOCKET = """async ([table, moves]) => {
    const socket = new WebSocket(`ws://${location.host}/api/socket`);
    const heard = [];
    let wake = () => {};
    socket.onmessage = ({data}) => { heard.push(JSON.parse(data)); wake(); };
    const next = async wanted => {
        for (;;) {
            const found = heard.findIndex(wanted);
            if (found >= 0) return heard.splice(found, 1)[0];
            await new Promise(go => wake = go);
        }
    };
    await new Promise(go => socket.onopen = go);
    socket.send(JSON.stringify({do: "watch", id: 0, table, have: 0}));
    let {n} = await next(told => told.type === "table");
    let shown = 0;
    for (const [seat, move] of moves) {
        for (;;) {
            const id = n + 1;
            socket.send(JSON.stringify({do: "move", id, table, seat, move, after: n}));
            const answer = await next(told => told.id === id);
            if (answer.type === "done") break;
            if (answer.code !== "match/stale") throw new Error(JSON.stringify(answer));
            ({n} = await next(told => told.type === "entries" && told.n > n));  // somebody moved meanwhile
        }
        const told = await next(told => told.type === "entries" && told.n > n);
        n = told.n;
        shown = told.entries.findLast(entry => !entry.marks?.quiet)?.n ?? shown;
    }
    socket.close();
    return shown;
}"""


class Player:
    game, key = "Pin Point", "pinpoint"  # the game whose box is opened

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def box(self) -> Locator:
        heading = self.page.get_by_role("heading", name=self.game, exact=True)
        return self.page.get_by_role("article").filter(has=heading)

    def on_box(self, name: str) -> Locator:
        return self.box.get_by_role("button", name=name, exact=True)

    @property
    def level(self) -> Locator:
        return self.box.get_by_label("Level of the computer")

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name, exact=isinstance(name, str))

    def play_computer(self, level: str = "novice") -> "Player":
        self.level.select_option(level)
        self.on_box("Play the computer").click()
        self.await_turn()
        return self

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    def overlaps(self) -> list[str]:
        """The parts of the open dialog that reach into the next part below."""
        return self.dialog.locator(".body").evaluate(
            """body => [...body.children].filter((part, k, parts) => {
                const next = parts[k + 1];
                return next && part.getBoundingClientRect().bottom > next.getBoundingClientRect().top + 1;
            }).map(part => part.outerHTML.slice(0, 80))"""
        )

    @property
    def status(self) -> Locator:
        return self.page.get_by_role("region", name=re.compile("What is going on|A che punto siamo"))

    @property
    def log_region(self) -> Locator:
        return self.page.get_by_role("region", name=re.compile("What happened|Che cosa è successo"))

    @property
    def log(self) -> Locator:
        """Return the lines of the log, one for each turn, the last first."""
        return self.log_region.get_by_role("button")

    def entries(self) -> int:
        """Return how many entries the page has shown."""
        return int(self.log_region.get_attribute("data-entries") or 0)

    def await_more_than(self, entries: int) -> None:
        expect(self.log_region).not_to_have_attribute("data-entries", str(entries))

    @property
    def pins(self) -> Locator:
        return self.page.get_by_role("group", name=re.compile("Pins in hand|Chiodini in mano")).get_by_role("button")

    def hole(self, name: str) -> Locator:
        return self.page.locator(f'[data-hole="{name}"]')

    def board(self) -> list[str]:
        """Return the label of every hole."""
        return self.page.get_by_role("gridcell").evaluate_all("cells => cells.map(cell => cell.ariaLabel)")

    def empty_holes(self) -> list[str]:
        return [label.split(",")[0] for label in self.board() if EMPTY.search(label)]

    def points(self) -> list[int]:
        seats = self.page.get_by_role("list", name="Players").locator(".points")
        return [int(text) for text in seats.all_inner_texts()]

    def await_turn(self) -> None:
        expect(self.pins.and_(self.page.locator("[aria-pressed=true]"))).to_be_visible()

    def await_turn_or_end(self) -> bool:
        """Wait until it is the player's turn or the match is over. Return whether it is their turn."""
        turn = self.pins.and_(self.page.locator("[aria-pressed=true]"))
        over = self.button("The result").or_(self.dialog)
        expect(turn.or_(over).first).to_be_visible()
        return turn.is_visible()

    def put(self, hole: str) -> None:
        """Click a hole and wait until the pin is in it."""
        self.hole(hole).click()
        expect(self.hole(hole)).not_to_have_attribute("aria-label", EMPTY)

    def hear_whole_hint(self) -> None:
        """Asks for a hint, and for more of it until the move is told."""
        self.button("Hint").click()
        more = self.button("Say more")
        expect(more).to_be_visible()
        while more.is_enabled():
            more.click()

    def put_somewhere(self) -> str:
        hole = self.empty_holes()[0]
        self.put(hole)
        return hole

    def make_table(self, game: str = "pinpoint", **wanted: Any) -> str:
        """Return the address of a new table of this guest: by default for a friend, seat 1 begins."""
        expect(self.page.get_by_role("article").first).to_be_visible()  # now the page has the cookie of its guest
        table = {"game": game, "options": {"players": 2, "start": 1}, "seats": [{"for": "me"}, {"for": "anyone"}]}
        made = self.page.evaluate(
            """table => fetch("/api/tables", {
                method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(table)
            }).then(answer => answer.json())""",
            table | wanted,
        )
        return str(made["link"])

    def at_table(self, *seats: str, **options: Any) -> Self:
        """Go to a new table of this game, with seats for "me" or the named bot."""
        wanted = [{"for": "me"} if seat == "me" else {"for": "bot", "bot": seat} for seat in seats]
        self.page.goto(self.make_table(self.key, options=options, seats=wanted))
        return self

    def play_by_socket(self, moves: Sequence[tuple[int, str]]) -> int:
        """Make moves as the same guest from another window. Return the number of the last entry in the log."""
        return int(self.page.evaluate(PLAY_BY_SOCKET, [self.page.url.rsplit("/", 1)[1], moves]))

    def skip_ahead(self, moves: Sequence[tuple[int, str]]) -> None:
        """Make moves that the test need not see. The page is reloaded: otherwise it would show them one by one."""
        last = self.play_by_socket(moves)
        self.page.reload()
        expect(self.log_region.locator(f'[data-last="{last}"]')).to_be_visible()

    def sit_down(self, name: str) -> None:
        self.page.get_by_label(re.compile("Your name|Il tuo nome")).fill(name)
        self.button(re.compile("^(Sit down|Siediti)$")).click()

    @property
    def seats(self) -> Locator:
        return self.page.get_by_role("list", name=re.compile("Players|Giocatori")).get_by_role("listitem")

    def rename(self, name: str) -> None:
        self.button(re.compile("Change your name|Cambia nome")).click()
        self.page.get_by_role("textbox", name=re.compile("Your name|Il tuo nome")).fill(name)
        self.page.keyboard.press("Enter")
        expect(self.dialog).to_be_hidden()

    def new_table(self, where: str) -> None:
        self.on_box("With people").click()
        self.dialog.get_by_text(where).click()
