"""KingBrick in the browser: armies, formations, flicks by pointer, keys and numbers, in space and flat."""

import json
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from players import Player
from playwright.sync_api import Locator, expect
from test_browser_everyone import NARROW, PHONE, WIDE, findings, tab_to

NUMBERS = "localStorage.setItem('ludoteca.kingbrick.numbers', 'yes')"
FLAT = f"localStorage.setItem('ludoteca.kingbrick.flat', 'yes');{NUMBERS}"
STRAIGHT_AHEAD = re.compile(r"Champion r2 is flicked, (soft|medium|hard)")
COUNT_PLAYS = """() => {
    window.plays = 0;
    const board = document.querySelector("[role=application]");
    new MutationObserver(() => (window.plays += board.dataset.moving ? 1 : 0))
        .observe(board, {attributeFilter: ["data-moving"]});
}"""
NO_WEBGL = """
const asked = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...how) {
    return kind.startsWith("webgl") ? null : asked.call(this, kind, ...how);
};
"""


class Flicker(Player):
    """Somebody who plays KingBrick."""

    game, key = "KingBrick", "kingbrick"

    def at_table(self, *seats: Any, **options: Any) -> "Flicker":
        """With a steady hand, unless a test is about the other."""
        super().at_table(*seats, **{"hand": "steady", **options})
        return self

    @property
    def ready_button(self) -> Locator:
        return self.button(re.compile("^(Ready|Pronto)$"))

    @property
    def cover(self) -> Locator:
        return self.page.locator(".ready").get_by_role("button")

    @property
    def flick_button(self) -> Locator:
        return self.button(re.compile("^(Flick|Schicchera)$"))

    @property
    def board(self) -> Locator:
        return self.page.get_by_role("application")

    @property
    def alert(self) -> Locator:
        return self.page.get_by_role("alert")

    def uncover(self) -> None:
        """On one device: the next player is there."""
        self.cover.click()
        expect(self.ready_button).to_be_visible()

    def set_up(self, formation: str = "Line") -> None:
        self.button(formation).click()
        self.ready_button.click()

    def both_set_up(self) -> "Flicker":
        for _ in range(2):
            self.uncover()
            self.set_up()
        expect(self.button("King Move")).to_be_visible()
        return self

    def brick(self, name: str) -> Locator:
        """In a flat drawing."""
        return self.page.locator(f"svg [data-brick={name}]")

    def middle(self, name: str) -> tuple[float, float]:
        box = self.brick(name).bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def number(self, label: str) -> Locator:
        return self.page.get_by_role("spinbutton", name=label)

    def flick(self, brick: str, direction: float, speed: float, height: float = 0) -> None:
        self.page.get_by_label("Brick to flick").select_option(brick)
        self.number("Direction, °").fill(str(direction))
        self.number("Speed, m/s").fill(str(speed))
        self.number("Height, mm").fill(str(height))
        self.flick_button.click()

    def move_brick(self, name: str, x: float, y: float) -> None:
        """In the formation, by numbers."""
        self.brick(name).click()
        self.number("x, mm").fill(str(x))
        self.number("y, mm").fill(str(y))

    def both_stand(self) -> "Flicker":
        """Red and blue set up what is kept on the device."""
        for side in ("Red", "Blue"):
            self.uncover()
            self.set_up(side)
        expect(self.button("King Move")).to_be_visible()
        return self

    def set_down(self, x: float | None = None, y: float | None = None) -> None:
        """Where it is offered, or there."""
        if x is not None:
            self.number("x, mm").fill(str(x))
            self.number("y, mm").fill(str(y))
        self.button("Set it down").click()

    def offered(self) -> list[str]:
        """The bricks that may be flicked."""
        bricks = self.page.get_by_label("Brick to flick").locator("option")
        return sorted(bricks.evaluate_all("all => all.map(one => one.value)"))

    @property
    def lying(self) -> Locator:
        return self.page.get_by_role("list", name="Bricks on the board")

    @property
    def happened(self) -> Locator:
        return self.page.locator(".happened")

    def logged(self, text: str | re.Pattern[str]) -> None:
        expect(self.log.filter(has_text=text).first).to_be_visible()


Visits = Callable[..., Flicker]
Stands = list[list[float]]


@pytest.fixture
def come(visit: Callable[..., Player], house) -> Visits:
    """Somebody who looks at the board from above; `script` is run before every page."""

    def arrive(script: str = FLAT, **settings: Any) -> Flicker:
        player = Flicker(visit(house.url, **settings).page)
        player.page.add_init_script(script)
        player.page.reload()
        return player

    return arrive


# Special bricks: what each side keeps is its army, and each brick's number, x, y, turn and face as red would set it up


def kept(red: tuple[str, Stands], blue: tuple[str, Stands]) -> str:
    """A script that puts two formations among those that the device keeps."""
    formations = [
        {"name": name, "army": army, "stands": stands} for name, (army, stands) in (("Red", red), ("Blue", blue))
    ]
    return FLAT + f";localStorage.setItem('ludoteca.kingbrick.formations', {json.dumps(json.dumps(formations))})"


TWO_GUARDIANS = ("K 2G", [[1, 30, -190, 0, 1], [2, 100, -100, 0, 1], [3, -100, -100, 0, 1]])


def test_an_army_has_limits(come: Visits) -> None:
    player = come().at_table("me", "me", start=1)
    player.uncover()
    player.page.get_by_role("tab", name="Army").click()
    meter = player.page.get_by_role("meter", name="Points of the army")
    expect(meter).to_have_attribute("aria-valuenow", "44")
    for kind in ("Champion", "Guardian", "Ninja", "Assassin", "Mercenary", "Freeze"):
        expect(player.button(f"One {kind} more")).to_be_disabled()
    expect(player.button("One King more")).to_have_count(0)
    for _ in range(4):
        player.button("One Champion fewer").click()
    expect(meter).to_have_attribute("aria-valuenow", "24")
    for _ in range(8):
        player.button("One Guardian more").click()
    hand = player.page.get_by_role("region", name="What you can do")
    expect(hand).to_contain_text("40 of 44 points")
    expect(hand).to_contain_text("20 of 20 bricks")
    expect(player.button("One Freeze more")).to_be_disabled()  # there are points, and no bricks
    expect(player.ready_button).to_be_disabled()
    expect(hand).to_contain_text("8 bricks still wait beside the plan.")
    player.button("The standard army").click()
    expect(meter).to_have_attribute("aria-valuenow", "44")


def test_a_formation_that_falls_is_refused_and_can_be_mended(come: Visits) -> None:
    player = come().at_table("me", "me", start=1)
    player.uncover()
    player.button("Line").click()
    player.move_brick("r3", 10, -65)  # its middle is beyond the edge of r2
    expect(player.brick("r3").locator("text")).to_have_text("2")
    player.ready_button.click()
    expect(player.alert).to_contain_text("The formation does not stand; these fall: Champion r3")
    expect(player.number("x, mm")).to_have_value("10")  # all is as it was
    player.number("x, mm").fill("0")
    player.ready_button.click()
    expect(player.cover).to_be_visible()


def test_a_formation_by_pointer_and_keys(come: Visits) -> None:
    player = come(viewport=WIDE).at_table("me", "me", start=1)
    player.uncover()
    player.button("Line").click()
    mouse, keyboard = player.page.mouse, player.page.keyboard
    mouse.move(*player.middle("r6"))
    mouse.down()
    mouse.move(*player.middle("r2"), steps=6)
    mouse.up()
    expect(player.brick("r6").locator("text")).to_have_text("2")  # it stands on the other, in line with it
    expect(player.number("x, mm")).to_have_value("0")
    expect(player.number("y, mm")).to_have_value("-65")
    keyboard.press("r")
    expect(player.number("Turned, °")).to_have_value("15")
    keyboard.press("u")
    expect(player.page.get_by_label("Face up", exact=True)).to_have_value("2")
    keyboard.press("ArrowLeft")
    expect(player.number("x, mm")).to_have_value("-4")
    keyboard.press("n")
    expect(player.page.get_by_text("Guardian r7", exact=True)).to_be_visible()
    keyboard.press("Delete")
    expect(player.ready_button).to_be_disabled()
    bring = player.button("Bring Guardian r7")
    bring.focus()
    keyboard.press("Enter")
    expect(bring).to_have_count(0)
    expect(player.ready_button).to_be_enabled()


def test_formations_are_kept_on_the_device(come: Visits) -> None:
    player = come().at_table("me", "me", start=1)
    player.uncover()
    player.button("Line").click()
    player.move_brick("r6", 120, -200)
    player.button("Save this formation").click()
    player.page.get_by_label("Name of the formation").fill("Long arm")
    player.button("Save").click()
    expect(player.button("Long arm")).to_be_visible()
    player.set_up("Towers")
    player.uncover()  # blue stands the other way round
    player.button("Long arm").click()
    player.brick("b6").click()
    expect(player.number("x, mm")).to_have_value("-120")
    expect(player.number("y, mm")).to_have_value("200")
    player.button("Throw Long arm away").click()
    expect(player.button("Long arm")).to_have_count(0)


def test_both_sides_at_one_device_set_up_behind_the_screen(come: Visits) -> None:
    player = come()
    player.on_box("With people").click()
    player.page.get_by_label("Name, seat 1").fill("Heron")
    player.page.get_by_label("Name, seat 2").fill("Wren")
    player.page.get_by_label("Who begins").select_option(index=2)
    player.button("Start").click()
    player.button("I’m Heron, ready").click()
    player.set_up("Fortress")
    expect(player.button("I’m Wren, ready")).to_be_visible()
    expect(player.brick("r1")).to_have_count(0)  # red's army is not shown
    player.uncover()
    expect(player.brick("r1")).to_have_count(0)
    player.set_up("Scatter")
    expect(player.status).to_contain_text("Wren’s turn. Pull a brick back and let go.")
    player.logged("The screen is lifted")
    expect(player.brick("r1")).to_have_count(1)
    expect(player.brick("b17")).to_have_count(1)
    assert player.points() == [17, 17]


def test_a_rematch_keeps_army_and_formation(come: Visits) -> None:
    """Players change sides. Who sets up second at a device sees nothing of what the first one has just set up."""
    three = ("K 2G C", [[1, 30, -190, 0, 1], [2, 100, -100, 0, 1], [3, -100, -100, 0, 1], [4, 60, -240, 15, 5]])
    player = come(kept(TWO_GUARDIANS, three)).at_table("me", "me", start=1)
    player.uncover()
    player.set_up("Red")
    player.uncover()
    expect(player.brick("b17")).to_have_count(1)  # the usual army
    player.set_up("Blue")
    expect(player.button("King Move")).to_be_visible()
    player.flick("r1", 270, 2.5)
    player.dialog.get_by_role("button", name="Rematch").click()
    player.uncover()
    expect(player.brick("r4")).to_have_count(1)
    expect(player.brick("r5")).to_have_count(0)
    player.brick("r4").click()
    expect(player.number("x, mm")).to_have_value("60")
    expect(player.page.get_by_label("Face up", exact=True)).to_have_value("5")
    player.ready_button.click()
    player.uncover()
    expect(player.brick("b3")).to_have_count(1)
    expect(player.brick("b4")).to_have_count(0)
    player.ready_button.click()
    expect(player.button("King Move")).to_be_visible()


def test_a_flick_in_numbers(come: Visits) -> None:
    player = come().at_table("me", "me", start=1).both_set_up()
    player.flick("r3", 95, 1.25, 1.5)
    player.logged("Champion r3 is flicked, medium")
    expect(player.page.get_by_label("Brick to flick")).to_have_value(re.compile("b"))
    expect(player.number("Direction, °")).to_have_value("270")  # blue looks the other way
    player.number("Speed, m/s").fill("99")
    player.number("Speed, m/s").blur()
    expect(player.number("Speed, m/s")).to_have_value("2.5")
    player.page.get_by_label("Aim at a brick").select_option("r1")
    expect(player.number("Direction, °")).to_have_value(re.compile("^2[67]"))


def test_off_the_board(come: Visits) -> None:
    player = come(kept(TWO_GUARDIANS, TWO_GUARDIANS)).at_table("me", "me", start=1).both_stand()
    player.flick("r2", 270, 2.5)  # nothing stands behind it
    player.logged("Off the board: Guardian r2")
    expect(player.page.locator(".happened")).to_have_text("Guardian r2 fell off")
    assert player.points() == [2, 3]
    player.flick("b1", 90, 2.5)  # a King of one's own
    expect(player.dialog).to_contain_text("A King is off the board.")
    rows = player.dialog.get_by_role("row")
    expect(rows.filter(has_text="Bricks lost").get_by_role("cell")).to_have_text(["1", "1"])
    expect(rows.filter(has_text="Fouls").get_by_role("cell")).to_have_text(["0", "0"])


def test_a_capture_and_its_release_roll(come: Visits) -> None:
    player = come().at_table("me", "me", start=1)
    player.uncover()
    player.button("Line").click()
    player.move_brick("r17", 170, -12)
    player.page.get_by_label("Face up", exact=True).select_option("4")  # sad
    player.ready_button.click()
    player.uncover()
    player.set_up()
    player.flick("r17", 90, 0.8)  # in the middle: it slides over the line as it stands
    player.logged("Captured: Guardian r17")
    player.logged("Release roll of Guardian r17")
    expect(player.happened).to_contain_text(re.compile("Guardian r17 captured.*Guardian r17 (escaped|is out)", re.S))
    expect(player.button("Again")).to_be_visible()  # of the flick, with its release roll
    expect(player.page.locator("polyline.trace").first).to_be_attached()
    escaped = player.log.filter(has_text="it escapes").count()
    if escaped:
        expect(player.status).to_contain_text("Set down Guardian r17.")
        player.button("Set it down").click()
        player.logged("Guardian r17 is back in the castle")
    assert player.points() == [17 if escaped else 16, 17]


def test_on_a_phone_nothing_covers_an_assassins_strike(come: Visits) -> None:
    red = ("K A", [[1, 0, -190, 0, 1], [2, 0, -12, 0, 1]])
    player = come(kept(red, TWO_GUARDIANS), **PHONE).at_table("me", "me", start=1).both_stand()
    player.button("In numbers").click()
    player.flick("r2", 90, 1.5)  # into the other castle
    strike = player.button("Strike with Assassin r2").bounding_box()
    end = player.button(re.compile("^End the turn")).bounding_box()
    assert strike
    assert end
    assert strike["x"] >= 0
    assert strike["x"] + strike["width"] <= NARROW["width"]
    assert strike["y"] + strike["height"] <= end["y"]
    assert end["y"] + end["height"] <= NARROW["height"]


def test_an_assassin_strikes_and_a_ninja_hides(come: Visits) -> None:
    red = ("K N A", [[1, 0, -190, 0, 1], [2, 170, -12, 0, 1], [3, 0, -12, 0, 1]])
    player = come(kept(red, TWO_GUARDIANS)).at_table("me", "me", start=1).both_stand()
    player.flick("r3", 90, 1.5)  # into the other castle
    expect(player.status).to_contain_text("Strike or end the turn.")
    player.page.get_by_label("Whom does Assassin r3 strike?").select_option("b3")
    player.button("Strike with Assassin r3").click()
    player.logged("Assassin r3 strikes Guardian b3")
    expect(player.status).to_contain_text("Set down Assassin r3.")
    expect(player.lying).not_to_contain_text("Guardian b3")
    assert player.points() == [3, 2]
    player.set_down(40, -190)
    player.logged("Assassin r3 is back in the castle")
    player.flick("b2", 0, 0.4)
    player.flick("r2", 90, 0.8)
    player.button("Hide Ninja r2").click()
    player.logged("Ninja r2 hides")
    player.flick("b2", 180, 0.4)
    expect(player.lying).not_to_contain_text("Ninja r2")
    player.button("Reveal Ninja r2").click()
    player.set_down(0, 190)
    expect(player.alert).to_contain_text("Ninja r2 may not touch the castle")
    player.set_down(-150, 280)
    player.logged("Ninja r2 reappears, happy side up")
    expect(player.lying).to_contain_text("Ninja r2, happy, at -150, 280")


def test_a_knight_goes_twice_a_medic_heals_it_and_a_blink_jumps(come: Visits) -> None:
    red = ("K B H D", [[1, 0, -190, 0, 1], [2, 60, -60, 0, 1], [3, 100, -200, 0, 1], [4, -100, -200, 0, 1]])
    player = come(kept(red, TWO_GUARDIANS)).at_table("me", "me", start=1, extra=True).both_stand()
    expect(player.button("Heal")).to_have_count(0)  # nobody is defeated yet
    player.flick("r3", 270, 0.6)
    expect(player.status).to_contain_text("Knight again, or end the turn.")
    assert player.offered() == ["r3"]
    player.flick("r3", 270, 2.5)
    player.logged("Off the board: Knight r3")
    player.flick("b2", 0, 0.4)
    player.button("Heal").click()
    player.dialog.get_by_label("Knight r3, 3 points").check()
    player.button("Heal them").click()
    player.logged("Medic r4 leaves to heal Knight r3")
    player.logged("Release roll of Knight r3")
    is_back = player.log.filter(has_text="it returns").count()
    if is_back:
        player.set_down(40, -190)
        player.logged("Knight r3 returns to the castle")
    player.flick("b2", 180, 0.4)
    assert player.points() == [3 if is_back else 2, 3]
    player.button("Blink: Blink r2 (ends the turn)").click()
    player.set_down(-120, -50)
    player.logged("Blink r2 blinks to another place, happy side up")


def test_a_freeze_stops_a_brick_and_a_mercenary_changes_sides_twice(come: Visits) -> None:
    red = ("K M F", [[1, 0, -190, 0, 1], [2, 170, -12, 0, 5]])  # grey side up
    player = come(kept(red, TWO_GUARDIANS)).at_table("me", "me", start=1).both_stand()
    b3 = player.middle("b3")
    player.button("Set a Freeze (1 left)").click()
    spot = [player.number(f"{axis}, mm") for axis in "xy"]
    for field, at in zip(spot, (-100, 100), strict=True):
        expect(field).to_have_value(str(at))  # on b2, the first brick that can be frozen
    player.page.mouse.click(b3[0] + 5, b3[1] - 5)
    for field, at in zip(spot, (100, 100), strict=True):
        expect(field).to_have_value(str(at))  # on the middle of b3
    b2 = player.middle("b2")
    player.page.mouse.click(b2[0] + 5, b2[1] - 5)
    player.set_down()
    player.logged("Frozen: Guardian b2")
    player.flick("r2", 90, 0.8)
    player.logged("Deserted: Mercenary r2")
    expect(player.happened).to_have_text("Mercenary r2 deserted")
    expect(player.button("King Move")).to_be_visible()
    assert player.offered() == ["b1", "b3", "r2"]
    player.flick("r2", 270, 1)
    player.logged("Back with their own army: Mercenary r2")
    expect(player.number("Direction, °")).to_have_value("90")
    assert player.offered() == ["r1", "r2"]


@pytest.mark.parametrize("screen", [{"viewport": WIDE}, PHONE])
def test_one_key_or_one_tap_ends_a_turn_in_which_a_freeze_is_left(come: Visits, screen: dict[str, Any]) -> None:
    red = ("K 2G F N A", [*TWO_GUARDIANS[1], [4, -60, -60, 0, 1], [5, 60, -60, 0, 1]])
    player = come(kept(red, TWO_GUARDIANS), **screen).at_table("me", "me", start=1).both_stand()
    end = player.button("End the turn")
    expect(end).to_have_count(0)
    player.play_by_socket([(1, "flick r2 dir=90 speed=0.4 height=0 side=0 follow=8")])
    expect(player.status).to_contain_text("Set a Freeze or end the turn.")
    expect(end).to_be_in_viewport(ratio=1)
    box = end.bounding_box()
    assert box
    assert box["height"] >= 44
    if screen == PHONE:
        end.tap()
    else:
        player.board.focus()
        player.page.keyboard.press("Enter")
    expect(player.button("King Move")).to_be_visible()
    assert player.offered() == ["b1", "b2", "b3"]  # blue has no Freeze: its turns end by themselves
    player.play_by_socket([(2, "flick b2 dir=270 speed=0.4 height=0 side=0 follow=8")])
    expect(player.status).to_contain_text("Pull a brick back and let go.")
    expect(end).to_have_count(0)
    expect(player.button("Set a Freeze (1 left)")).to_be_visible()


def test_a_mis_flick_and_a_push_shot(come: Visits) -> None:
    red = ("K 2G", [[1, 0, -190, 0, 1], [2, 100, -12, 0, 1], [3, 113, -34, 0, 1]])
    blue = ("K 2G", [[1, 30, -190, 0, 1], [2, -100, -280, 0, 1], [3, 100, -100, 0, 1]])
    player = come(kept(red, blue)).at_table("me", "me", start=1).both_stand()
    player.flick("r2", 90, 2.5)  # r3 is in the finger's way; it falls, and so does b2
    player.logged("Foul: the finger also touched Guardian r3")
    player.logged("To be restored: Guardian b2")
    fallen = [f"Guardian {name} fell off" for name in ("r3", "b2")]
    expect(player.happened.locator("li")).to_have_text(["Foul: the finger touched another brick", *fallen])
    expect(player.status).to_contain_text("Set down Guardian b2.")
    player.set_down(40, 190)
    player.logged("Guardian b2 is restored to the castle")
    expect(player.page.get_by_text("You have 2 flicks this turn.")).to_be_visible()
    assert player.points() == [2, 3]
    push = "flick b3 dir=0 speed=0.5 height=0 side=0 follow=40"
    player.play_by_socket([(2, push)])  # this page's finger follows through no further than it should
    player.logged(re.compile("foul: the finger pushed instead of flicking; the opponent has one more flick", re.I))
    expect(player.happened).to_have_text("Foul: pushed instead of flicked")
    player.flick("b3", 180, 0.4)
    expect(player.page.get_by_text("You have 2 flicks this turn.")).to_be_visible()
    expect(player.status).to_contain_text("2 flicks.")
    assert player.offered() == ["r1", "r2"]


def test_the_king_move_by_pointing(come: Visits) -> None:
    player = come(viewport=WIDE).at_table("me", "me", start=1).both_set_up()
    x, y = player.middle("r1")
    player.button("King Move").click()
    player.page.mouse.click(x + 30, y)
    expect(player.number("x, mm")).not_to_have_value("0")
    player.button("Back").click()
    expect(player.flick_button).to_be_visible()
    player.button("King Move").click()
    player.number("x, mm").fill("190")
    player.button("Set it down").click()
    expect(player.alert).to_contain_text("King r1")  # not in the castle
    expect(player.number("x, mm")).to_have_value("190")
    player.number("x, mm").fill("45")
    player.button("Set it down").click()
    player.logged("King Move: King r1 returns to the castle")


def test_a_slingshot(come: Visits) -> None:
    player = come(viewport=WIDE).at_table("me", "me", start=1).both_set_up()
    x, y = player.middle("r2")
    mouse = player.page.mouse
    entries = player.entries()
    mouse.move(x, y)
    expect(player.page.locator(".label")).to_have_text("Champion r2, happy")
    mouse.down()
    mouse.move(x, y + 70, steps=5)
    expect(player.page.locator("svg .arrow")).to_have_count(1)
    expect(player.page.locator(".label")).to_have_text(re.compile("Champion r2, (soft|medium|hard)"))
    label, brick = player.page.locator(".label").bounding_box(), player.brick("r2").bounding_box()
    assert label
    assert brick
    assert label["y"] > brick["y"] + brick["height"]  # beside the hand, not on the brick
    mouse.move(x, y, steps=5)  # back: nothing comes of it
    mouse.up()
    mouse.down()
    mouse.move(x, y + 70, steps=5)
    player.board.press("Escape")
    mouse.up()
    assert player.entries() == entries
    mouse.move(x, y)
    mouse.down()
    mouse.move(x, y + 80, steps=5)
    mouse.up()
    player.logged(STRAIGHT_AHEAD)


def test_a_click_aims_and_a_button_lets_go(come: Visits) -> None:
    player = come("localStorage.setItem('ludoteca.kingbrick.flat', 'yes')", viewport=WIDE)
    player.at_table("me", "me", start=1).both_set_up()
    expect(player.flick_button).to_have_count(0)
    player.page.mouse.click(*player.middle("r4"))
    player.page.mouse.click(*player.middle("b1"))
    strength = player.page.get_by_role("slider", name="Strength")
    strength.fill("0.5")
    expect(strength).to_have_attribute("aria-valuetext", "soft")
    strength.fill("2.3")
    expect(strength).to_have_attribute("aria-valuetext", "hard")
    player.flick_button.click()
    player.logged("Champion r4 is flicked, hard")
    expect(player.button("King Move")).to_be_enabled()
    expect(player.flick_button).to_have_count(0)  # the next player has not aimed yet


def test_the_fall_of_a_king_is_seen_before_the_match_is_summed_up(come: Visits) -> None:
    player = come(viewport=WIDE, reduced_motion="no-preference").at_table("me", "me", start=1).both_set_up()
    player.page.evaluate(
        """() => new MutationObserver(() => {
            window.finished ??= document.querySelector(".finish") ? performance.now() : undefined;
            window.summed ??= document.querySelector("[role=dialog], dialog[open]") ? performance.now() : undefined;
        }).observe(document.body, {childList: true, subtree: true, attributes: true})"""
    )
    player.flick("r1", 270, 2.5)
    expect(player.page.locator(".finish")).to_have_text("KingBrick!")
    expect(player.dialog).to_be_visible()
    expect(player.dialog).to_contain_text("Bricks lost")
    expect(player.dialog).to_contain_text("Fouls")
    assert player.page.evaluate("window.summed - window.finished") >= 2500


def test_both_players_read_what_to_do_while_both_set_up(come: Visits) -> None:
    host, guest = come(), come()
    link = host.make_table("kingbrick", options={"start": 1})
    host.page.goto(link)
    guest.page.goto(link)
    guest.sit_down("Bo")
    for player in (host, guest):
        expect(player.status).to_contain_text("Your turn. Choose an army and set it up.")
        expect(player.seats).to_contain_text(["red, setting up", "blue, setting up"])
    guest.set_up()
    expect(guest.seats.nth(1)).to_contain_text("blue, ready")
    expect(host.status).to_contain_text("Your turn. Choose an army and set it up.")


def test_the_aim_of_the_computer_is_shown_before_it_flicks(come: Visits) -> None:
    player = come(viewport=WIDE, reduced_motion="no-preference").at_table("me", "novice", start=2)
    player.page.evaluate(
        """() => new MutationObserver(() => {
            window.aimed ??= document.querySelector("svg .trace.dashed") ? performance.now() : undefined;
            window.moved ??= document.querySelector("[data-moving]") ? performance.now() : undefined;
        }).observe(document.body, {childList: true, subtree: true, attributes: true})"""
    )
    player.set_up()
    while not player.page.evaluate("window.moved"):
        player.page.wait_for_timeout(100)
    assert player.page.evaluate("window.moved - window.aimed") >= 700


def test_in_space(come: Visits) -> None:
    player = come(script="", viewport=WIDE, reduced_motion="no-preference").at_table("me", "me", start=1)
    player.uncover()
    player.page.get_by_role("tab", name="In 3D").click()
    expect(player.page.get_by_role("img", name="Your formation in three dimensions").locator("canvas")).to_be_visible()
    player.set_up()
    player.uncover()
    player.set_up()
    expect(player.button("King Move")).to_be_visible()
    expect(player.page.locator("canvas")).to_be_visible()
    player.page.evaluate(COUNT_PLAYS)
    box = player.board.bounding_box()
    assert box
    mouse, label = player.page.mouse, player.page.locator(".label")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"]

    def finds_king() -> bool:
        return any(
            (mouse.move(x, y - step), label.filter(has_text="King r1").count())[1] for step in range(60, 360, 10)
        )

    while not finds_king():
        player.page.wait_for_timeout(200)  # until the first picture is there
    mouse.down()
    mouse.move(x + 80, y - 60, steps=5)
    mouse.up()
    player.logged("King r1 is flicked")
    await_play(player, 1)
    for count, look in enumerate(("Again", "Slowly", "From the other side"), start=2):
        player.button(look).click()
        await_play(player, count)
    player.button("From above").click()
    player.button("Flat").click()
    expect(player.brick("r1")).to_be_visible()
    player.page.reload()
    expect(player.brick("r1")).to_be_visible()  # it is remembered


def await_play(player: Flicker, count: int) -> None:
    """Until something has moved so many times and lies still again."""
    while player.page.evaluate("window.plays") < count:
        player.page.wait_for_timeout(100)
    expect(player.board).not_to_have_attribute("data-moving", "true")


def test_without_webgl(come: Visits) -> None:
    player = come(script=NO_WEBGL, viewport=WIDE).at_table("me", "me", start=1).both_set_up()
    note = player.page.get_by_text("No 3D in this browser")
    expect(note).to_be_visible()
    words, board = note.bounding_box(), player.board.bounding_box()
    assert words
    assert board
    assert words["y"] >= board["y"] + board["height"]  # below the board, not over it
    expect(player.button("Flat")).to_have_count(0)
    x, y = player.middle("r2")
    player.page.mouse.move(x, y)
    player.page.mouse.down()
    player.page.mouse.move(x, y + 60, steps=4)
    player.page.mouse.up()
    player.logged("Champion r2 is flicked")


def test_keyboard_alone(come: Visits) -> None:
    player = come().at_table("me", "me", start=1)
    keyboard = player.page.keyboard
    for _ in range(2):
        expect(player.cover).to_be_visible()
        tab_to(player, ".ready button")
        keyboard.press("Enter")
        expect(player.ready_button).to_be_enabled()
        tab_to(player, "button:text-is('Ready')")
        keyboard.press("Enter")
    expect(player.flick_button).to_be_visible()
    tab_to(player, "[role=application]")
    brick = player.page.get_by_label("Brick to flick")
    first = brick.input_value()
    keyboard.press("n")
    expect(brick).not_to_have_value(first)
    keyboard.press("p")
    expect(brick).to_have_value(first)
    keyboard.press("ArrowLeft")
    keyboard.press("ArrowUp")
    keyboard.press("h")
    expect(player.number("Direction, °")).to_have_value("95")
    expect(player.number("Speed, m/s")).to_have_value("1.75")
    expect(player.number("Height, mm")).to_have_value("0.5")
    keyboard.press("Enter")
    player.logged("is flicked, hard")
    expect(player.flick_button).to_be_visible()
    tab_to(player, "button:text-is('King Move')")
    keyboard.press("Enter")
    tab_to(player, "[role=application]")
    keyboard.press("ArrowRight")  # to the right as blue sees it
    expect(player.number("x, mm")).to_have_value("-8")
    keyboard.press("Enter")
    player.logged("King Move: King b1 returns to the castle")


def test_against_the_computer(come: Visits) -> None:
    """Some turns along the clearest way to its King; then, if both still stand, one resigns."""
    player = come()
    player.level.select_option("novice")
    player.on_box("Play the computer").click()
    player.set_up("Wall")
    usable = player.page.locator(":enabled")  # while bricks still move, the form is in sight and disabled
    set_down, over, turns = player.button("Set it down").and_(usable), player.dialog, 0
    while True:
        expect(player.flick_button.and_(usable).or_(set_down).or_(over).first).to_be_visible()
        if over.is_visible():
            break
        if set_down.is_visible():
            put_back(player)
        elif turns < 5:
            flick_at_king(player)
            turns += 1
        else:
            player.button("Resign").click()
            over.get_by_role("button", name="Resign").click()
    expect(over.get_by_role("heading", level=2)).to_have_text(re.compile("win|draw", re.I))


def flick_at_king(player: Flicker) -> None:
    """With the brick before which least lies, or the next one if there is no room for a finger behind it."""
    for brick in by_clearest_way(player, "b1"):
        player.page.get_by_label("Brick to flick").select_option(brick)
        player.page.get_by_label("Aim at a brick").select_option("b1")
        player.number("Speed, m/s").fill("2.5")
        if is_taken(player, player.flick_button):
            return
    player.button("King Move").click()
    put_back(player)


def put_back(player: Flicker) -> None:
    """Into the castle, if need be where the page says that it stays."""
    set_down = player.button("Set it down")
    while not is_taken(player, set_down):
        x, y = re.findall(r"[xy]=(-?[\d.]+)", player.alert.inner_text())
        player.number("x, mm").fill(x)
        player.number("y, mm").fill(y)


def is_taken(player: Flicker, button: Locator) -> bool:
    """Whether a move is made; otherwise the page says why not."""
    entries = player.entries()
    button.click()
    refused = player.alert.locator("p")
    moved = player.page.locator(f'.log:not([data-entries="{entries}"])')
    expect(moved.or_(refused).first).to_be_attached()
    return not refused.count()


def by_clearest_way(player: Flicker, target: str) -> list[str]:
    """One's bricks, first the one beside whose way to another the next brick is furthest."""
    lying = "\n".join(player.lying.locator("li").all_text_contents())
    spots = {name: complex(int(x), int(y)) for name, x, y in re.findall(r"([rb]\d+),.* at (-?\d+), (-?\d+)", lying)}

    def room(brick: str) -> float:
        way = spots[target] - spots[brick]
        parts = [(spots[name] - spots[brick]) / way for name in spots.keys() - {brick, target}]
        return min((abs(part.imag) * abs(way) for part in parts if 0 < part.real < 1), default=math.inf)

    return sorted(player.offered(), key=room, reverse=True)


def test_a_narrow_screen(come: Visits) -> None:
    player = come(**PHONE).at_table("me", "me", start=1)
    player.uncover()
    assert_fits(player, player.page.get_by_role("application"), player.ready_button)
    player.button("Line").tap()
    player.ready_button.tap()
    player.uncover()
    player.set_up()
    player.button("In numbers").tap()
    expect(player.flick_button).to_be_in_viewport(ratio=1)
    player.button("Close").tap()
    expect(player.flick_button).to_be_hidden()
    assert_fits(player, player.board, player.button("King Move"))
    x, y = player.middle("r2")
    touch = player.page.context.new_cdp_session(player.page)

    def finger(kind: str, *points: tuple[float, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    finger("touchStart", (x, y))
    for step in range(1, 6):
        finger("touchMove", (x, y + 14 * step))
    finger("touchEnd")
    player.logged(STRAIGHT_AHEAD)


@pytest.mark.parametrize("viewport", [{"width": 844, "height": 390}, {"width": 1366, "height": 640}], ids=str)
@pytest.mark.parametrize("locale", ["en-GB", "it-IT"])
def test_a_low_window_has_room_for_the_numbers(come: Visits, viewport: dict[str, int], locale: str) -> None:
    player = come(viewport=viewport, locale=locale).at_table("me", "me", start=1)
    for _ in range(2):
        player.uncover()
        player.set_up("Linea" if locale == "it-IT" else "Line")
    if viewport["height"] < 520:  # they lie over the page, and do not open by themselves
        expect(player.flick_button).to_be_hidden()
        player.button(re.compile("^In num")).click()
    expect(player.flick_button).to_be_in_viewport(ratio=1)
    sliders = player.page.locator(".numbers input[type=range]").all()
    assert all(slider.bounding_box()["width"] > 100 for slider in sliders), "a slider is too short for a finger"
    names = player.page.locator(".numbers .name").all()
    assert [name.inner_text() for name in names if name.evaluate("name => name.scrollWidth > name.clientWidth")] == []


def test_what_happened_is_not_under_the_buttons(come: Visits) -> None:
    player = come(viewport={"width": 844, "height": 390}).at_table("me", "me", start=1).both_set_up()
    player.button("In numbers").click()
    player.flick("r1", 270, 2.5)
    told = player.page.locator(".happened li").first
    expect(told).to_be_visible()
    buttons = player.page.locator(".tools.views").bounding_box()
    assert told.bounding_box()["y"] >= buttons["y"] + buttons["height"]


def assert_fits(player: Flicker, *parts: Locator) -> None:
    assert player.page.evaluate(
        "[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]"
    ) == [0, 0]
    for part in (*parts, player.status, player.button("Resign")):
        expect(part).to_be_in_viewport(ratio=1)


def test_italian(come: Visits) -> None:
    player = come(locale="it-IT").at_table("me", "me", start=1)
    for _ in range(2):
        player.uncover()
        player.set_up("Linea")
    expect(player.flick_button).to_be_visible()
    player.flick_button.click()
    player.logged("media")
    player.button("Regole").click()
    expect(player.dialog).to_contain_text("Dopo la schicchera")
    assert not re.search(r"\bkingbrick\.[a-z_]+|\brules\.[a-z_]+", player.page.locator("body").inner_text())


@pytest.mark.parametrize(("scheme", "viewport"), [("light", WIDE), ("dark", NARROW)], ids=["light-wide", "dark-narrow"])
def test_axe_finds_nothing(come: Visits, scheme: str, viewport: dict[str, int]) -> None:
    player = come(color_scheme=scheme, viewport=viewport)
    player.on_box("Rules").click()
    expect(player.dialog).to_contain_text("Mis-flick")
    found = {"rules": findings(player)}
    player.page.keyboard.press("Escape")
    player.at_table("me", "me", start=1, extra=True)
    expect(player.cover).to_be_visible()
    found["cover"] = findings(player)
    player.uncover()
    player.brick("r3").click()
    found["formation"] = findings(player)
    player.button("Take it off").click()
    found["tray"] = findings(player)
    player.page.get_by_role("tab", name="Army").click()
    found["army"] = findings(player)
    player.set_up()
    player.uncover()
    player.set_up()
    expect(player.button("King Move")).to_be_visible()
    found["turn"] = findings(player)
    if viewport == NARROW:
        player.button("In numbers").click()
        found["numbers"] = findings(player)
    player.flick("r2", 90, 2)
    expect(player.button("Again")).to_be_visible()
    found["after a flick"] = findings(player)
    player.button("King Move").click()
    found["placing"] = findings(player)
    player.button("Back").click()
    player.button("Flat").click()
    expect(player.page.locator("canvas")).to_be_visible()
    found["in space"] = findings(player)
    assert {place: violations for place, violations in found.items() if violations} == {}
