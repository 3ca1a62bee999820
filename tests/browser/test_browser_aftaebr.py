"""AFTAEBR in the browser: against the computer, three at one device, stacks, sequences, the clock, and for everyone."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from houses import House
from players import Player
from playwright.sync_api import Locator, expect
from test_browser_everyone import NARROW, PHONE, WIDE, findings, go_by_keys, play_computer_by_keys, tab_to

from ludoteca.games.aftaebr.game import GAME

COLOUR_NAMES = {"G": "Green", "B": "Light blue", "F": "Fuchsia", "O": "Orange"}
RAW_KEY = re.compile(r"\b(core|aftaebr|home|new|wait|seat|say|log|act|end|idle|table|level|square)\.[a-z_]+")
HURRIED = """
from ludoteca import cli
from ludoteca.games.aftaebr.game import Aftaebr
agreed = Aftaebr.time_limits
Aftaebr.time_limits = lambda *of: agreed(*of) and agreed(*of)._replace(match=agreed(*of).match // 20, turn=4)
cli.main()
"""
NOTHING_FITS = """
G4b2 B3a5 G4c4 B3e2 G4e5 B3f3 G4c6 B3f1 G4c1 B3f5 G4d2 B3e2 G4a4 B3f5 G4a1 B3e2 G3f5 B2a4 G3a5 B1a5 G1a5 B2f2 G1e2
B1f3 G1f1 B2e5 G1f5 B1f5 G2f6 B1a5 G1f3 B2e5 G1e6 B1e6 G2f6 B2d6 G1e2 B2e1 G1f1 B2e1 G2d2 B1e4 G2a6 B2e3 G2b5 B1c5
G2f4 B1b4 G2d5
"""  # after these moves seat 2 has only fours, and no three is on the board


class Aftaebr(Player):
    game, key = "AFTAEBR", "aftaebr"

    @property
    def trays(self) -> Locator:
        return self.page.get_by_role("group", name=re.compile("^(Stock|Riserva)$")).get_by_role("button")

    @property
    def chosen(self) -> Locator:
        return self.trays.and_(self.page.locator("[aria-pressed=true]"))

    @property
    def seats(self) -> Locator:
        return self.page.get_by_role("list", name="Players").locator(".seat")

    def square(self, name: str) -> Locator:
        return self.page.locator(f'[data-square="{name}"]')

    def squares_that_fit(self) -> list[str]:
        return self.page.locator("[data-square].fits").evaluate_all("cells => cells.map(cell => cell.dataset.square)")

    def choose_colour(self, colour: str) -> None:
        self.button(COLOUR_NAMES[colour]).click()

    def await_turn(self) -> None:
        colours = self.page.locator(".colours button:enabled")
        expect(self.chosen.or_(self.button("Pass")).or_(colours).first).to_be_visible()

    def play_computer(self, level: str = "novice") -> "Aftaebr":
        super().play_computer(level)
        self.page.locator(".colours button:enabled").first.click()
        expect(self.chosen).to_be_visible()
        return self

    def await_turn_or_end(self) -> bool:
        """Wait until it is the player's turn or the match is over. Return whether it is their turn."""
        turn = self.chosen.or_(self.button("Pass"))
        over = self.button("The result").or_(self.dialog)
        expect(turn.or_(over).first).to_be_visible()
        return turn.is_visible()

    def take(self, tray: Locator) -> None:
        if tray.get_attribute("aria-pressed") != "true":  # a second click would change the colour
            tray.click()

    def put(self, move: str) -> None:
        """Put a piece, named as in the notation, and wait until it is on the board."""
        expect(self.chosen).to_be_visible()
        known = self.entries()
        self.take(self.trays.nth(int(move[1]) - 1))
        colours = self.page.get_by_role("group", name="In which colour?")
        if colours.count():
            colours.get_by_role("button", name=f"{COLOUR_NAMES[move[0]]} {move[1]}").click()
        self.square(move[2:]).click()
        self.await_more_than(known)

    def pass_or_put(self, chance: random.Random) -> None:
        """Make any legal move."""
        if self.button("Pass").is_visible():
            self.button("Pass").click()
        else:
            self.take(chance.choice([tray for tray in self.trays.all() if tray.is_enabled()]))
            self.square(chance.choice(self.squares_that_fit())).click()


def new_table(player: Aftaebr, seats: int) -> Aftaebr:
    """Open a table for this many players at one device. The colours are chosen and seat 1 is to move."""
    lay_table(player, seats)
    expect(player.chosen).to_be_visible()
    return player


def lay_table(player: Aftaebr, seats: int, **options: Any) -> None:
    player.at_table(*["me"] * seats, start=1, **options)
    for colour in "GBFO"[:seats]:
        expect(player.button(COLOUR_NAMES[colour])).to_be_enabled()
        player.choose_colour(colour)
        expect(player.button(COLOUR_NAMES[colour])).to_have_count(0)


@pytest.fixture
def come(house, visit: Callable[..., Player]) -> Callable[..., Aftaebr]:
    return lambda **settings: Aftaebr(visit(house.url, **settings).page)


def test_a_whole_match(come: Callable[..., Aftaebr]) -> None:
    player, chance = come().play_computer(), random.Random(6)
    while player.await_turn_or_end():
        known = player.entries()
        player.pass_or_put(chance)
        player.await_more_than(known)
    dialog = player.dialog
    expect(dialog).to_be_visible()
    assert player.overlaps() == []
    mine, other = player.points()
    title = "You win!" if mine > other else "Pip wins." if mine < other else "It’s a draw."
    expect(dialog.get_by_role("heading", level=2)).to_have_text(title)
    if 0 in (mine, other):
        expect(dialog).to_contain_text("Nobody else has a piece left.")
        expect(player.seats.filter(has_text=re.compile(r"\bout\b"))).to_have_count(1)
    expect(dialog.get_by_role("heading", name="The score, move by move")).to_have_count(0)
    dialog.get_by_role("button", name="Rematch").click()
    expect(dialog).to_be_hidden()
    player.await_turn()


def test_three_at_one_device_until_one_is_left(come: Callable[..., Aftaebr]) -> None:
    player = come()
    player.new_table("On this device")
    player.dialog.get_by_text("3", exact=True).click()
    for seat, name in enumerate(("Lark", "Tern", "Ibis"), start=1):
        player.page.get_by_label(f"Name, seat {seat}").fill(name)
    player.page.get_by_label("Who begins").select_option(index=1)
    player.button("Start").click()
    for name, colour in (("Lark", "O"), ("Tern", "G"), ("Ibis", "F")):
        expect(player.status).to_contain_text(f"{name}’s turn. Choose a colour.")
        player.choose_colour(colour)
    expect(player.status).to_contain_text("Lark’s turn. Put a piece on the board.")
    record, out_at = match_with_one_out()
    player.skip_ahead(record[: out_at - 2])
    for seat, move in record[out_at - 2 : out_at + 4]:
        expect(player.status).to_contain_text(f"{('Lark', 'Tern', 'Ibis')[seat - 1]}’s turn.")
        player.put(move)
    lark = player.seats.filter(has_text="Lark")
    expect(lark).to_contain_text(re.compile(r"\bout\b"))
    expect(lark.locator(".points")).to_have_text("0")
    assert findings(player) == []
    expect(player.log.filter(has_text="that was the last piece, Lark is out")).to_have_count(1)
    player.skip_ahead(record[out_at + 4 : -1])
    player.put(record[-1][1])
    winner = "Tern" if player.points()[1] else "Ibis"
    expect(player.dialog.get_by_role("heading", level=2)).to_have_text(f"{winner} wins.")
    expect(player.dialog).to_contain_text("Nobody else has a piece left.")


def match_with_one_out() -> tuple[list[tuple[int, str]], int]:
    """Return a short match of three, colours O, G, F, in which seat 1 is out first; and the entry when it is out."""
    for seed in range(1000):
        chance, state = random.Random(seed), GAME.start(GAME.agree({"players": 3, "start": 1}))
        for colour in "OGF":
            state = GAME.play(state, int(state.actor) + 1, f"colour {colour}").state
        record: list[tuple[int, str]] = []
        out_at = 0
        while state.actor >= 0 and len(record) < 130:
            record.append((int(state.actor) + 1, chance.choice(GAME.moves(state))))
            state = GAME.play(state, *record[-1]).state
            if not out_at and state.pieces[0] == 0:
                out_at = len(record)
        if out_at and out_at + 6 < len(record) and state.actor < 0 and "pass" not in {move for _, move in record}:
            return record, out_at
    raise AssertionError("no such match among the first thousand")


def test_stacks_show_what_is_in_them(come: Callable[..., Aftaebr]) -> None:
    player = new_table(come(), 2)
    for move in ("G1a1", "B2b1", "G3a1", "B2a2", "G1a1"):
        player.put(move)
    contents = "a1, stack of 3, from the top: green 1, green 3, green 1"
    expect(player.square("a1")).to_have_attribute("aria-label", re.compile("^" + contents))
    expect(player.log.first).to_contain_text("Green 1 in a1, on green 3")
    player.page.mouse.move(1, 1)
    spread = player.page.get_by_text("a1, 3 pieces, from the top")
    expect(spread).to_have_count(0)
    player.square("a1").hover()
    expect(spread).to_be_visible()
    player.page.mouse.move(1, 1)
    expect(spread).to_have_count(0)
    player.square("b1").hover()  # one piece: there is no stack to spread out
    expect(player.page.get_by_text("from the top")).to_have_count(0)


def test_a_sequence_joins_the_stock_and_another_turn_follows(come: Callable[..., Aftaebr]) -> None:
    player = new_table(come(), 2)
    for move in ("G1b3", "B2c3", "G1d3", "B2d2"):
        player.put(move)
    player.put("G3d3")  # on a 1, which comes back into play when the 3 is taken
    player.put("B3e4")
    assert player.points() == [29, 29]
    player.put("G4e3")
    expect(player.log.first).to_contain_text("4 pieces taken, and another turn")
    expect(player.status).to_contain_text("Play again!")
    cut = "line => line.scrollHeight - line.clientHeight"
    assert player.status.locator(".just").evaluate(cut) <= 1  # the whole sentence is seen
    expect(player.page.locator("svg .won")).to_have_text("+4")
    expect(player.page.locator("[aria-live=polite]")).to_contain_text("another turn")
    assert player.points() == [32, 29]
    for square, held in (("b3", "empty"), ("c3", "empty"), ("d3", "green 1"), ("e3", "empty")):
        expect(player.square(square)).to_have_attribute("aria-label", re.compile(f"^{square}, {held}"))
    expect(player.trays.nth(1)).to_have_attribute("aria-label", "Number 2: 9 in stock, 8 green, 1 light blue")
    player.trays.nth(1).click()  # a taken piece is played like the player's own
    player.page.get_by_role("group", name="In which colour?").get_by_role("button", name="Light blue 2").click()
    player.square("a6").click()
    expect(player.square("a6")).to_have_attribute("aria-label", re.compile("^a6, light blue 2"))
    expect(player.status).not_to_contain_text("Play again!")


def test_what_fits_lights_up_and_what_does_not_explains_itself(come: Callable[..., Aftaebr]) -> None:
    player = new_table(come(viewport=WIDE), 2)
    player.put("G2c3")
    player.trays.nth(0).click()
    fitting = player.squares_that_fit()
    assert {"b3", "d3", "c2", "c4"} < set(fitting)
    assert "c3" not in fitting
    player.trays.nth(3).click()
    assert not {"b3", "d3", "c2", "c4"} & set(player.squares_that_fit())
    player.square("c4").click()
    alert = player.page.get_by_role("alert")
    expect(alert).to_contain_text("Light blue 4 is not one more or one less than a neighbour of c4")
    player.square("c3").click()
    expect(alert).to_contain_text("The piece in c3 has no neighbours")
    assert player.log.count() == 3
    player.trays.nth(2).click()
    player.square("c4").hover()
    expect(player.page.locator("svg .support")).to_have_count(1)  # the 2 that allows it
    expect(player.page.locator("svg .ghost")).to_have_count(1)


def test_a_hint_chooses_its_piece(come: Callable[..., Aftaebr]) -> None:
    player = new_table(come(), 2)
    hinted = re.compile("Hint: green ([1-4]) in ([a-f][1-6])")
    player.hear_whole_hint()
    expect(player.status).to_contain_text(hinted)
    number, square = hinted.search(player.status.inner_text()).groups()
    expect(player.trays.nth(int(number) - 1)).to_have_attribute("aria-pressed", "true")
    player.square(square).click()
    expect(player.log.first).to_contain_text(f"Green {number} in {square}")


def test_passing_is_offered_only_when_nothing_fits(come: Callable[..., Aftaebr]) -> None:
    player = new_table(come(**PHONE), 2)
    *before, last = NOTHING_FITS.split()
    player.skip_ahead([(n % 2 + 1, move) for n, move in enumerate(before)])
    expect(player.chosen).to_be_visible()
    expect(player.button("Pass")).to_have_count(0)
    player.put(last)
    expect(player.page.get_by_text("No piece of yours fits anywhere.")).to_be_visible()
    expect(player.status).to_contain_text("Nothing fits: pass.")
    assert_all_in_sight(player)
    expect(player.trays.nth(3)).to_be_disabled()
    player.square("a2").click()
    expect(player.page.get_by_role("alert")).to_have_text("No piece of yours fits anywhere.")
    player.button("Pass").click()
    expect(player.log.first).to_contain_text("No piece fits: passes")
    expect(player.chosen).to_be_visible()
    expect(player.button("Pass")).to_have_count(0)


@pytest.fixture
def hurried_house(built: None, tmp_path: Path) -> Iterator[House]:
    """Return a server on which an agreed minute lasts three seconds, and a turn four."""
    house = House(tmp_path)
    house.program = ["-c", HURRIED]
    house.open()
    yield house
    house.close()


def test_the_agreed_time_runs_out(hurried_house: House, visit: Callable[..., Player]) -> None:
    player = Aftaebr(visit(hurried_house.url).page)
    lay_table(player, 2, minutes=2)
    expect(player.status.or_(player.dialog).first).to_contain_text(re.compile(r"0:\d\d|draw|wins"))
    clocks = player.seats.locator(".clock")
    expect(clocks).to_have_count(1)  # the clock of the player to move, beside the time of the match
    expect(player.log.filter(has_text="The agreed time is over: this round is the last one")).to_have_count(1)
    expect(
        player.log.filter(has_text=re.compile("chance moves for .*: green [1-4] in [a-f][1-6]", re.IGNORECASE)).first
    ).to_be_visible()
    expect(player.dialog).to_contain_text("Time is up, and the last round is played: most pieces in stock win.")


def test_a_long_time_reads_as_minutes(come: Callable[..., Aftaebr]) -> None:
    player = come()
    player.new_table("On this device")
    player.page.get_by_label("Length of the match").select_option(label="20 minutes")
    player.button("Start").click()
    for _ in range(2):
        colour = player.page.locator(".colours button:enabled").first
        expect(colour).to_be_visible()  # by now the log shows the lots
        known = player.entries()
        colour.click()
        player.await_more_than(known)
    expect(player.status).to_contain_text(re.compile(r"1\d:\d\d"))


def test_keyboard_alone(come: Callable[..., Aftaebr]) -> None:
    player = come()
    keyboard = player.page.keyboard
    play_computer_by_keys(player)
    expect(player.page.locator(".colours button:enabled").first).to_be_visible()
    tab_to(player, ".colours button")
    keyboard.press("Enter")
    expect(player.chosen).to_be_visible()
    tab_to(player, "[role=gridcell]")
    keyboard.press("Home")
    keyboard.press("PageDown")
    expect(player.square("a1")).to_be_focused()
    keyboard.press("ArrowRight")
    keyboard.press("ArrowUp")
    expect(player.square("b2")).to_be_focused()
    keyboard.press("3")
    expect(player.trays.nth(2)).to_have_attribute("aria-pressed", "true")
    target = player.squares_that_fit()[0]
    go_by_keys(player, target)
    expect(player.square(target)).to_be_focused()
    keyboard.press("Enter")
    expect(player.log.filter(has_text=re.compile(f"3 in {target}"))).to_have_count(1)
    expect(player.square(target)).to_be_focused()


def test_a_narrow_screen(come: Callable[..., Aftaebr]) -> None:
    player = new_table(come(**PHONE), 2)
    assert_all_in_sight(player)
    assert player.square("c3").bounding_box()["width"] >= 44
    for move in ("G1c3", "B2c4", "G3c3"):
        player.trays.nth(int(move[1]) - 1).tap()
        player.square(move[2:]).tap()
        expect(player.square(move[2:])).not_to_have_attribute("aria-label", re.compile("empty"))
        expect(player.chosen).to_be_visible()
    hold(player, "c3")
    expect(player.page.get_by_text("c3, 2 pieces, from the top")).to_be_visible()
    expect(player.square("c3")).to_have_attribute("aria-label", re.compile("stack of 2"))  # no piece was put
    player.square("f1").tap()
    expect(player.page.get_by_text("from the top")).to_have_count(0)


def hold(player: Aftaebr, square: str) -> None:
    """Touch a square until the pieces under it show, then let go."""
    box = player.square(square).bounding_box()
    finger = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch = player.page.context.new_cdp_session(player.page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger]})
    expect(player.page.get_by_text("from the top")).to_be_visible()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("seats", [2, 4])
def test_everything_is_in_sight(come: Callable[..., Aftaebr], seats: int, viewport: dict[str, int]) -> None:
    player = new_table(come(viewport=viewport), seats)
    assert_all_in_sight(player)
    for seat in range(seats):
        expect(player.seats.nth(seat).get_by_role("list", name="Stock")).to_be_in_viewport(ratio=1)


def assert_all_in_sight(player: Aftaebr) -> None:
    sizes = player.page.evaluate(
        "[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]"
    )
    assert sizes == [0, 0]
    for part in (player.page.get_by_role("grid"), player.status, *player.trays.all(), player.button("Resign")):
        expect(part).to_be_in_viewport(ratio=1)


def test_italian(come: Callable[..., Aftaebr]) -> None:
    player = come(locale="it-IT")
    player.on_box("Sfida il computer").click()
    expect(player.page.get_by_role("heading", name="Che colore vuoi?")).to_be_visible()
    player.page.locator(".colours button:enabled").first.click()
    expect(player.status).to_contain_text("Tocca a te. Metti una pedina.")
    player.square(player.squares_that_fit()[0]).click()
    expect(player.log.filter(has_text=re.compile(r"1 \w+ in [a-f][1-6]"))).not_to_have_count(0)
    player.button("Regole").click()
    expect(player.dialog).to_contain_text("Ciò che stava sotto torna in gioco.")
    assert not RAW_KEY.search(player.page.locator("body").inner_text())


@pytest.mark.parametrize(("scheme", "viewport"), [("light", WIDE), ("dark", NARROW)], ids=["light-wide", "dark-narrow"])
def test_axe_finds_nothing(come: Callable[..., Aftaebr], scheme: str, viewport: dict[str, int]) -> None:
    player = come(color_scheme=scheme, viewport=viewport)
    player.on_box("Rules").click()
    expect(player.dialog).to_contain_text("What lay underneath is back in play.")
    found = {"rules": findings(player)}
    player.page.keyboard.press("Escape")
    player.on_box("Play the computer").click()
    expect(player.page.locator(".colours button:enabled").first).to_be_visible()
    found["colours"] = findings(player)
    player.page.get_by_role("link", name="Ludoteca, home").click()
    new_table(player, 3)
    for move in ("G1b3", "B2c3", "F1d3", "G2d2", "B3d3", "F3e4"):
        player.put(move)
    found["table"] = findings(player)
    player.square("d3").hover()
    expect(player.page.get_by_text("d3, 2 pieces, from the top")).to_be_visible()
    found["a stack"] = findings(player)
    player.put("G4e3")
    player.trays.nth(1).click()
    expect(player.page.get_by_role("group", name="In which colour?")).to_be_visible()
    found["a sequence"] = findings(player)
    assert_all_in_sight(player)
    player.button("Resign").click()
    player.dialog.get_by_role("button", name="Resign").click()
    expect(player.dialog).to_be_hidden()
    found["one has resigned"] = findings(player)
    assert {place: violations for place, violations in found.items() if violations} == {}
