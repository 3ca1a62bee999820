"""Match'n Lock! in the browser: placing, turning, circles, the stalemate, the turned board, and playing alone."""

import re
from collections.abc import Callable

import pytest
from players import Player
from playwright.sync_api import Locator, expect
from test_browser_everyone import NARROW, PHONE, WIDE, findings, tab_to

# All wedges are blue: four of these tokens close a circle wherever they meet, in any rotation.
ALL_BLUE = " ".join(["BBBB/5"] * 64)
# Two kinds of tokens that never close a circle when they are placed from one side.
TWO_SORTS = " ".join(["BGYR/20", "BGYR/10"] * 32)


class Locker(Player):
    """A player of Match'n Lock!."""

    game, key = "Match'n Lock!", "matchnlock"

    @property
    def draw_button(self) -> Locator:
        return self.button(re.compile("^(Draw a token|Pesca una pedina)$"))

    @property
    def in_hand(self) -> Locator:
        return self.page.get_by_role("img", name=re.compile("The token drawn|La pedina pescata"))

    def draw(self) -> None:
        self.draw_button.click()
        expect(self.in_hand).to_be_visible()
        expect(self.page.locator(".hit.may").first).to_be_attached()

    def place(self, hole: str) -> None:
        self.draw()
        self.hole(hole).click()
        expect(self.hole(hole)).not_to_have_attribute("aria-label", re.compile("empty"))

    def choose_colour(self, seat: int, colour: str) -> None:
        self.page.get_by_role("radiogroup", name=f"Seat {seat}").get_by_role("radio", name=colour).check()

    def rotate(self, hole: str, way: str) -> None:
        expect(self.draw_button).to_be_visible()
        entries = self.entries()
        self.hole(hole).click()
        self.button(f"Turn {hole} {way}").click()
        self.await_more_than(entries)

    def colour_points(self) -> dict[str, int]:
        chips = self.page.locator("[data-points]")
        return dict(
            zip(chips.evaluate_all("all => all.map(chip => chip.dataset.points)"), self._sums(chips), strict=True)
        )

    def _sums(self, chips: Locator) -> list[int]:
        return [int(text) for text in chips.locator("b").all_inner_texts()]

    def label(self, hole: str) -> str:
        return self.hole(hole).get_attribute("aria-label") or ""


Visits = Callable[..., Locker]


@pytest.fixture
def come(visit: Callable[..., Player], house) -> Visits:
    return lambda **settings: Locker(visit(house.url, **settings).page)


def test_two_at_one_device_close_a_circle(come: Visits) -> None:
    player = come()
    player.on_box("With people").click()
    player.page.get_by_label("Name, seat 1").fill("Heron")
    player.page.get_by_label("Name, seat 2").fill("Wren")
    player.choose_colour(1, "Green")
    player.choose_colour(2, "Red")
    player.page.get_by_label("Who begins").select_option(index=2)
    player.button("Start").click()
    expect(player.status).to_contain_text("Wren’s turn. Draw a token.")
    seats = player.page.get_by_role("list", name="Players")
    expect(seats).to_contain_text("has green")
    expect(seats).to_contain_text("has red")
    player.hole("d4").click()
    expect(player.page.get_by_role("alert")).to_contain_text("Draw a token before you place one in d4")
    expect(player.in_hand).to_have_count(0)  # it is not visible before it is drawn
    for hole in ("d4", "e4", "d5"):
        player.place(hole)
    player.draw()
    player.hole("d4").click()
    expect(player.page.get_by_role("alert")).to_contain_text("There is already a token in d4; choose an empty hole")
    player.hole("e5").hover()
    expect(player.page.locator("svg .ghost")).to_have_count(1)


def test_a_closed_circle_is_locked_and_goes_to_its_owner(come: Visits) -> None:
    player = come().at_table("me", "me", start=1, colours="GB", tokens=ALL_BLUE)
    for hole in ("d4", "e4", "d5"):
        player.place(hole)
    player.draw()
    assert "would close a blue circle for 20" in player.label("e5")
    player.hole("e5").hover()
    expect(player.page.locator("svg .would")).to_have_text("+20")
    player.hole("e5").click()
    expect(player.page.locator("svg .score")).to_have_text("+20")
    expect(player.page.locator("svg .lock")).to_have_count(1)
    assert player.colour_points() == {"G": 0, "B": 20, "Y": 0, "R": 0}
    assert player.points() == [0, 20]  # seat 2 closed it and owns it
    expect(player.log.first).to_contain_text("A token in e5: a blue circle for 20 +20")
    chips = player.page.get_by_role("list", name="Points of the colours")
    expect(chips).to_contain_text("locks left: 19")
    for hole in ("f4", "a1", "f5"):
        player.place(hole)
    expect(player.log.first).to_have_text(re.compile("A token in f5: a blue circle for 20 *$"))  # for the other
    assert player.points() == [0, 40]
    player.hole("d4").click()
    expect(player.page.get_by_role("alert")).to_contain_text("never turns again")
    assert player.label("d4").endswith("locked")
    player.page.keyboard.press("d")
    expect(player.in_hand).to_be_visible()


def test_alone_to_the_end(come: Visits) -> None:
    player = come()
    player.on_box("Play alone").click()
    player.choose_colour(1, "Red")
    player.button("Start").click()  # the second click
    expect(player.draw_button).to_be_visible()
    *most, last_but_one, last = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"]
    player.skip_ahead([(1, move) for hole in most for move in ("draw", hole)])
    player.place(last_but_one)
    player.place(last)
    dialog = player.dialog
    expect(dialog).to_be_visible()
    assert player.overlaps() == []
    points = player.colour_points()
    others = points["B"] + points["G"] + points["Y"]
    won = points["R"] > others
    expect(dialog.get_by_role("heading", level=2)).to_have_text("You win!" if won else "You lose.")
    told = f"Your {points['R']} points are {'' if won else 'not '}more than the {others} of the three other colours"
    expect(dialog).to_contain_text(told)
    dialog.get_by_role("button", name="Play again").click()
    expect(player.draw_button).to_be_visible()
    assert all("empty" in label for label in player.board())


def test_a_hint(come: Visits) -> None:
    player = come().at_table("me", tokens=ALL_BLUE)
    player.button("Hint").click()
    expect(player.status).to_contain_text("Hint: look at the bag")
    expect(player.page.locator(".draw.hinted")).to_have_count(0)
    player.button("Say more").click()
    expect(player.status).to_contain_text("Hint: a token from the bag")
    expect(player.page.locator(".draw.hinted")).to_be_visible()
    player.draw()
    player.page.mouse.move(0, 0)
    player.button("Hint").click()
    expect(player.status).to_contain_text("Hint: find a hole where your token helps nobody else")
    player.button("Say more").click()
    expect(player.status).to_contain_text(re.compile("Hint: look at row [1-8]"))
    player.button("Say more").click()
    expect(player.status).to_contain_text(re.compile("Hint: a token in [a-h][1-8]"))
    expect(player.page.locator(".act")).to_contain_text("keeps this position. The goal: more points than")
    hole = re.search("Hint: a token in ([a-h][1-8])", player.status.inner_text())[1]
    expect(player.page.locator("svg .ghost.sure")).to_have_count(1)
    player.hole(hole).click()
    expect(player.log.first).to_contain_text(f"A token in {hole}")
    expect(player.status).not_to_contain_text("Hint")


def test_rotation_and_stalemate(come: Visits) -> None:
    player = come().at_table("me", "me", start=1, tokens=TWO_SORTS)
    player.place("d4")  # from the south: blue, green, yellow, red
    player.place("a8")
    assert "blue, green, yellow, red" in player.label("d4")
    player.hole("d4").click()
    player.button("Turn d4 clockwise").hover()
    assert "blue, green, yellow, red" in player.label("d4")  # the turn was only previewed
    player.page.keyboard.press("Escape")
    expect(player.button("Turn d4 clockwise")).to_have_count(0)
    declare = player.button("Declare a stalemate in d4")
    for way in ("clockwise", "anticlockwise", "clockwise"):
        player.rotate("d4", way)
        expect(declare).to_have_count(0)
    player.rotate("d4", "anticlockwise")
    expect(declare).to_be_visible()
    expect(player.page.get_by_text("keep turning d4 back and forth.")).to_be_visible()
    bag = player.button(re.compile("Look into the bag"))
    expect(bag).to_have_text("62")
    declare.click()
    expect(player.log.first).to_contain_text(re.compile("a new token in d4", re.IGNORECASE))
    expect(declare).to_have_count(0)
    expect(bag).to_have_text("62")
    bag.click()
    expect(player.dialog.get_by_role("heading", level=2)).to_have_text("In the bag: 62 tokens")


def test_a_swipe_turns(come: Visits) -> None:
    player = come().at_table("me", "me", start=1, tokens=TWO_SORTS)
    player.place("d4")
    player.place("a8")
    box = player.hole("d4").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = player.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + box["width"] * 0.2, y, steps=3)
    mouse.up()  # not far enough
    expect(player.log.first).to_contain_text("A token in a8")
    mouse.move(x, y)
    mouse.down()
    mouse.move(x - box["width"] * 0.9, y, steps=5)
    mouse.up()
    expect(player.log.first).to_contain_text("The token in d4 turns anticlockwise")


def test_the_board_turns_to_whoever_plays(come: Visits) -> None:
    player = come().at_table("me", "me", start=1, tokens=TWO_SORTS)
    corner = player.page.get_by_role("gridcell").first
    grid = player.page.get_by_role("grid")
    expect(corner).to_have_attribute("data-hole", "a8")
    player.place("b2")
    expect(corner).to_have_attribute("data-hole", "h1")  # seat 2 sits in the north
    assert re.search("b2, .0: yellow, red, blue, green$", player.label("b2"))
    player.place("g7")
    expect(corner).to_have_attribute("data-hole", "a8")
    # A token placed upright by the north is upside down for the south.
    assert re.search("b2, .0: blue, green, yellow, red$", player.label("b2"))
    assert re.search("g7, .0: yellow, red, blue, green$", player.label("g7"))
    player.page.get_by_role("switch", name="Turn the board towards the player on the move").click()
    player.place("c3")
    expect(player.draw_button).to_be_visible()
    expect(grid).to_have_attribute("data-side", "0")
    player.page.reload()
    expect(player.draw_button).to_be_visible()
    expect(grid).to_have_attribute("data-side", "0")  # it is remembered
    player.page.get_by_role("switch", name="Turn the board towards the player on the move").click()
    expect(grid).to_have_attribute("data-side", "2")


def test_the_sides_of_four(come: Visits) -> None:
    player = come().at_table("me", "me", "me", "me", start=1, tokens=TWO_SORTS)
    corner = player.page.get_by_role("gridcell").first
    for top_left, hole in (("a8", "d4"), ("h8", "e5"), ("h1", "d5"), ("a1", "e4")):
        expect(corner).to_have_attribute("data-hole", top_left)
        player.draw()
        player.hole(hole).click()
        expect(player.in_hand).to_have_count(0)
    labels = [player.label(hole).split(": ")[1] for hole in ("d4", "e5", "d5", "e4")]
    assert labels == [
        "blue, green, yellow, red",
        "red, blue, green, yellow",  # a quarter clockwise from the west
        "yellow, red, blue, green",
        "green, yellow, red, blue",
    ]


def test_keyboard_alone(come: Visits) -> None:
    player = come().at_table("me", "me", start=1, tokens=TWO_SORTS)
    keyboard = player.page.keyboard
    expect(player.draw_button).to_be_visible()
    tab_to(player, "button.draw")
    keyboard.press("Enter")
    expect(player.in_hand).to_be_visible()
    expect(player.page.locator("[role=gridcell]:focus")).to_have_count(1)  # the button is gone
    keyboard.press("Home")
    keyboard.press("PageDown")
    expect(player.hole("a1")).to_be_focused()
    keyboard.press("ArrowRight")
    keyboard.press("ArrowUp")
    expect(player.hole("b2")).to_be_focused()
    keyboard.press("Enter")
    expect(player.log.first).to_contain_text("A token in b2")
    expect(player.hole("g7")).to_be_focused()  # the board has turned under it
    keyboard.press("d")
    expect(player.in_hand).to_be_visible()
    keyboard.press("Space")
    expect(player.log.first).to_contain_text("A token in g7")
    expect(player.hole("b2")).to_be_focused()
    keyboard.press("+")
    expect(player.log.first).to_contain_text("The token in b2 turns clockwise")
    expect(player.hole("g7")).to_be_focused()
    keyboard.press(",")
    expect(player.log.first).to_contain_text("The token in g7 turns anticlockwise")
    keyboard.press("Enter")
    expect(player.button("Turn b2 anticlockwise")).to_be_visible()
    tab_to(player, "[aria-label='Turn b2 anticlockwise']")
    keyboard.press("Enter")
    expect(player.log.first).to_contain_text("The token in b2 turns anticlockwise")


def test_against_the_computer(come: Visits) -> None:
    player = come()
    player.level.select_option("novice")
    player.on_box("Play the computer").click()
    expect(player.draw_button).to_be_visible()
    player.place(player.empty_holes()[0])  # the computer may have begun
    player.draw()
    expect(player.page.get_by_role("grid")).to_have_attribute("data-side", "0")  # the board stays turned to the person


def test_a_narrow_screen(come: Visits) -> None:
    player = come(**PHONE).at_table("me", "me", start=1, tokens=ALL_BLUE)
    expect(player.draw_button).to_be_visible()
    assert_fits(player)
    for hole in ("d4", "e4", "d5"):
        player.draw()
        player.hole(hole).tap()
        player.button("Place it here").tap()
        expect(player.hole(hole)).not_to_have_attribute("aria-label", re.compile("empty"))
    player.draw()
    player.hole("e5").tap()
    preview = player.page.get_by_role("region", name="The hole you tapped, magnified")
    expect(preview).to_contain_text("A blue circle for 20")
    assert "empty" in player.label("e5")
    player.button("Not here").tap()
    expect(preview).to_be_hidden()
    player.hole("a1").tap()
    expect(preview).to_contain_text("In a1?")
    player.hole("a1").tap()  # a second tap confirms too
    expect(player.log.first).to_contain_text("A token in a1")
    for way in ("clockwise", "anticlockwise", "clockwise", "anticlockwise"):
        player.rotate("a1", way)
    expect(player.button("Declare a stalemate in a1")).to_be_visible()
    assert_fits(player)


def test_a_wide_screen(come: Visits) -> None:
    player = come(viewport=WIDE).at_table("me", "me", "me", "me", start=1)
    expect(player.draw_button).to_be_visible()
    assert_fits(player)


def assert_fits(player: Locker) -> None:
    assert player.page.evaluate(
        "[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]"
    ) == [0, 0]
    chips = player.page.get_by_role("list", name="Points of the colours")
    for part in (player.page.get_by_role("grid"), player.status, player.draw_button, chips, player.button("Resign")):
        expect(part).to_be_in_viewport(ratio=1)


def test_italian(come: Visits) -> None:
    player = come(locale="it-IT").at_table("me", "me", start=1, tokens=ALL_BLUE)
    player.draw()
    player.hole("d4").click()
    expect(player.log.first).to_contain_text(re.compile("una pedina in d4", re.IGNORECASE))
    player.button("Regole").click()
    expect(player.dialog).to_contain_text("Lo stallo")
    assert not re.search(r"\bmatchnlock\.[a-z_]+|\brules\.[a-z_]+", player.page.locator("body").inner_text())


@pytest.mark.parametrize(("scheme", "viewport"), [("light", WIDE), ("dark", NARROW)], ids=["light-wide", "dark-narrow"])
def test_axe_finds_nothing(come: Visits, scheme: str, viewport: dict[str, int]) -> None:
    player = come(color_scheme=scheme, viewport=viewport)
    player.on_box("Rules").click()
    expect(player.dialog).to_contain_text("Stalemate")
    found = {"rules": findings(player)}
    player.page.keyboard.press("Escape")
    player.on_box("Play alone").click()
    found["alone"] = findings(player)
    player.at_table("me", "me", start=1, tokens=ALL_BLUE)
    expect(player.draw_button).to_be_visible()
    found["turn"] = findings(player)
    for hole in ("d4", "e4", "d5", "e5"):
        player.draw()
        player.hole(hole).click()
        if viewport == NARROW:
            expect(player.button("Place it here")).to_be_visible()
            if hole == "e5":
                found["preview"] = findings(player)
            player.button("Place it here").click()
        elif hole == "e5":
            found["in hand"] = findings(player)
        expect(player.in_hand).to_have_count(0)
    found["a circle"] = findings(player)
    player.draw()
    player.hole("a1").dblclick()
    expect(player.in_hand).to_have_count(0)
    for way in ("clockwise", "anticlockwise", "clockwise", "anticlockwise"):
        player.rotate("a1", way)
    expect(player.button("Declare a stalemate in a1")).to_be_visible()
    player.hole("a1").click()
    expect(player.button("Turn a1 clockwise")).to_be_visible()
    found["stalemate"] = findings(player)
    player.button(re.compile("Look into the bag")).click()
    found["bag"] = findings(player)
    player.page.keyboard.press("Escape")
    player.button("Resign").click()
    player.dialog.get_by_role("button", name="Resign").click()
    expect(player.button("Rematch").first).to_be_visible()
    expect(player.dialog).to_be_visible()
    found["the end"] = findings(player)
    assert {place: violations for place, violations in found.items() if violations} == {}
