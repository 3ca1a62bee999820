"""Accessibility: keyboard alone, a narrow screen, Italian, and axe-core, which finds nothing."""

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from players import Player
from playwright.sync_api import expect

WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
PHONE = {"viewport": NARROW, "has_touch": True, "is_mobile": True}
RAW_KEY = re.compile(r"\b(core|pinpoint|home|new|wait|seat|say|log|act|end|idle|table|level)\.[a-z_]+")


def tab_to(player: Player, selector: str) -> None:
    focused = player.page.locator(f"{selector}:focus")
    for _ in range(60):
        if focused.count():
            return
        player.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {selector}")


def play_computer_by_keys(player: Player) -> None:
    """Start a match against the weakest level with the keyboard alone."""
    expect(player.on_box("Play the computer")).to_be_visible()
    tab_to(player, f"article:has-text('{player.game}') select[aria-label='Level of the computer']")
    for key in ("Home", "Shift+Tab", "Enter"):
        player.page.keyboard.press(key)


def go_by_keys(player: Player, cell: str) -> None:
    """Move the focus from any cell of a grid to this one, through the lower left corner."""
    for key in ("Home", "PageDown", *["ArrowRight"] * (ord(cell[0]) - ord("a")), *["ArrowUp"] * (int(cell[1:]) - 1)):
        player.page.keyboard.press(key)


def test_keyboard_alone(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url)
    keyboard = player.page.keyboard
    play_computer_by_keys(player)
    player.await_turn()
    tab_to(player, "[role=gridcell]")
    tab_to(player, "[data-hole=e5]")
    keyboard.press("Home")
    keyboard.press("PageDown")
    expect(player.hole("a1")).to_be_focused()
    keyboard.press("ArrowRight")
    keyboard.press("ArrowUp")
    expect(player.hole("b2")).to_be_focused()
    free = player.empty_holes()
    column = next(column for column in "bcdefghij" if f"{column}2" in free)
    for _ in range("bcdefghij".index(column)):
        keyboard.press("ArrowRight")
    keyboard.press("b")
    expect(player.pins.nth(3)).to_have_attribute("aria-pressed", "true")
    keyboard.press("Enter")
    expect(player.hole(f"{column}2")).to_have_attribute("aria-label", f"{column}2, blue")
    keyboard.press("2")
    keyboard.press("j")
    keyboard.press("Shift+G")
    row = next(row for row in range(3, 11) if f"{column}{row}" in free)
    for _ in range(row - 2):
        keyboard.press("ArrowUp")
    keyboard.press("Space")
    expect(player.log.first).to_contain_text(f"yellow as a green joker in {column}{row}")
    tab_to(player, ".log button")
    expect(player.log.first).to_be_focused()
    keyboard.press("ArrowDown")
    expect(player.log.nth(1)).to_be_focused()
    keyboard.press("End")
    expect(player.log.last).to_be_focused()
    keyboard.press("Tab")  # one Tab leaves the whole grid
    expect(player.page.locator(".log button:focus")).to_have_count(0)
    tab_to(player, "button:has-text('Resign')")
    keyboard.press("Enter")
    expect(player.dialog).to_be_visible()
    keyboard.press("Escape")
    expect(player.dialog).to_be_hidden()


def test_a_narrow_screen(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url, **PHONE)
    player.play_computer()
    assert_all_in_sight(player)
    first, second = player.empty_holes()[:2]
    player.hole(first).tap()
    preview = player.page.get_by_role("region", name="The hole you tapped, magnified")
    expect(preview).to_contain_text(f"Red in {first}?")
    expect(player.hole(first)).to_have_attribute("aria-label", f"{first}, empty")
    player.button("Not here").tap()
    expect(preview).to_be_hidden()
    player.hole(first).tap()
    player.button("Put it here").tap()
    expect(player.hole(first)).to_have_attribute("aria-label", f"{first}, red")
    player.hole(second).tap()
    expect(preview).to_contain_text(f"Yellow in {second}?")
    player.hole(second).tap()  # a second tap confirms too
    expect(player.hole(second)).to_have_attribute("aria-label", f"{second}, yellow")


def test_a_wide_screen(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url, viewport=WIDE).play_computer()
    assert_all_in_sight(player)
    hole = player.empty_holes()[0]
    player.hole(hole).hover()
    expect(player.page.locator("svg .ghost")).to_have_count(1)


def assert_all_in_sight(player: Player) -> None:
    sizes = player.page.evaluate(
        "[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]"
    )
    assert sizes == [0, 0]
    for part in (
        player.page.get_by_role("grid"),
        player.status,
        player.pins.first,
        player.pins.last,
        player.button("Resign"),
    ):
        expect(part).to_be_in_viewport(ratio=1)


def test_italian(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url, locale="it-IT")
    expect(player.page.get_by_role("heading", name="Prendi una sedia.")).to_be_visible()
    expect(player.page.locator("html")).to_have_attribute("lang", "it")
    player.on_box("Sfida il computer").click()
    player.await_turn()
    hole = player.put_somewhere()
    expect(player.log.first).to_contain_text(f"Rosso in {hole}:")
    expect(player.status).to_contain_text("Tocca a te. Restano tre chiodini.")
    player.hole("d4").click()
    expect(player.page.get_by_role("alert")).to_contain_text("In d4 c’è già un chiodino; scegli un foro vuoto")
    player.button("Regole").click()
    expect(player.dialog).to_contain_text("Sei in fila")
    assert not RAW_KEY.search(player.page.locator("body").inner_text())
    player.page.keyboard.press("Escape")
    player.page.get_by_label("Lingua").select_option("en")
    expect(player.status).to_contain_text("Your turn. Three pins left.")
    player.page.reload()
    expect(player.status).to_contain_text("Your turn.")  # it is remembered
    assert not RAW_KEY.search(player.page.locator("body").inner_text())


def test_the_theme_is_remembered(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url, color_scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = player.page.evaluate(paper)
    player.button("Dark theme").click()
    dark = player.page.evaluate(paper)
    assert dark != light
    player.page.reload()
    expect(player.button("Light theme")).to_be_visible()
    assert player.page.evaluate(paper) == dark


@pytest.mark.parametrize(("scheme", "viewport"), [("light", WIDE), ("dark", NARROW)], ids=["light-wide", "dark-narrow"])
def test_axe_finds_nothing(house, visit: Callable[..., Player], scheme: str, viewport: dict[str, int]) -> None:
    player = visit(house.url, color_scheme=scheme, viewport=viewport)
    expect(player.on_box("Play the computer")).to_be_visible()
    found = {"home": findings(player)}
    player.button(re.compile("Change your name")).click()
    found["name"] = findings(player)
    player.page.keyboard.press("Escape")
    player.on_box("Rules").click()
    expect(player.dialog).to_contain_text("Six in a line")
    found["rules"] = findings(player)
    player.page.keyboard.press("Escape")
    player.new_table("By a link")
    player.dialog.get_by_text("4", exact=True).click()
    player.page.get_by_label("Teams").select_option(index=1)
    found["new table"] = findings(player)
    player.button("Get the link").click()
    expect(player.button("Copy the link")).to_be_visible()
    found["waiting"] = findings(player)
    player.page.goto(house.url + "/t/nowhere2")
    expect(player.page.get_by_role("heading", name="This table does not exist.")).to_be_visible()
    found["unknown table"] = findings(player)
    player.page.goto(house.url)
    player.play_computer()
    player.page.get_by_role("switch").click()
    found["table"] = findings(player)
    hole = player.empty_holes()[0]
    player.hole(hole).click()
    if viewport == NARROW:
        expect(player.button("Put it here")).to_be_visible()
        found["preview"] = findings(player)
        player.button("Put it here").click()
    expect(player.hole(hole)).not_to_have_attribute("aria-label", f"{hole}, empty")
    player.hole("d4").click()
    expect(player.page.get_by_role("alert")).not_to_be_empty()
    found["a wrong click"] = findings(player)
    player.log.last.click()
    expect(player.button("Back to the match")).to_be_visible()
    found["looking back"] = findings(player)
    player.button("Back to the match").click()
    player.button("Resign").click()
    found["resigning"] = findings(player)
    player.dialog.get_by_role("button", name="Resign").click()
    expect(player.dialog.get_by_role("heading", level=2)).to_have_text("Pip wins.")
    player.dialog.get_by_text("Were the draws fair?").click()
    found["the end"] = findings(player)
    assert {place: violations for place, violations in found.items() if violations} == {}


def findings(player: Player) -> list[str]:
    """Return what axe-core objects to, once nothing moves."""
    player.page.evaluate(
        """() => Promise.allSettled(document.getAnimations()
            .filter(animation => animation.effect.getTiming().iterations === 1)
            .map(animation => animation.finished))"""
    )
    violations = Axe().run(player.page).response["violations"]
    return [
        f"{found['id']}: {node['html'][:200]} {node['failureSummary']}"
        for found in violations
        for node in found["nodes"]
    ]
