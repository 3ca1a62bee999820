"""Lessons and rules at addresses of their own."""

from collections.abc import Callable

from houses import House
from players import Player
from playwright.sync_api import expect


def test_a_lesson_is_taken_from_the_shelf_to_the_first_match(house: House, visit: Callable[..., Player]) -> None:
    player = visit(house.url)
    page = player.page
    player.box.get_by_role("link", name="Learn").click()
    expect(page.get_by_role("heading", name="A turn")).to_be_visible()

    page.get_by_role("button", name="Show me").click()
    player.hole("a1").focus()
    page.keyboard.press("y")
    player.hole("b2").click()
    expect(page.get_by_role("status")).to_have_text("That pin is fine too, but this time take the red one.")
    expect(player.hole("b2")).to_have_attribute("aria-label", "b2, empty")
    page.keyboard.press("r")
    player.hole("b2").click()
    expect(page.get_by_role("status")).to_contain_text("Alone it is worth 1 point.")
    expect(player.hole("b2")).to_have_attribute("aria-label", "b2, red")

    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name="Lines")).to_be_visible()
    page.reload()  # one can stop and come back
    expect(page.get_by_role("heading", name="Lines")).to_be_visible()
    page.get_by_role("button", name="Step 7 of 7: The end").click()
    page.get_by_role("button", name="Play your first match").click()
    player.await_turn()


def test_the_rules_are_searched_and_linked_to(house: House, visit: Callable[..., Player]) -> None:
    page = visit(f"{house.url}/rules/pinpoint").page
    contents = page.get_by_role("navigation", name="Contents")
    expect(contents.get_by_role("link", name="Jokers")).to_have_attribute("href", "#jokers")
    contents.get_by_role("searchbox").fill("black")
    expect(contents.get_by_role("link", name="Jokers")).to_be_visible()
    expect(page.get_by_role("heading", name="Your turn")).to_be_hidden()
    contents.get_by_role("searchbox").fill("chess")
    expect(page.get_by_text("Nothing is said about “chess”.")).to_be_visible()
    page.goto(f"{house.url}/rules/nothing")
    expect(page.get_by_text("There is nothing here.")).to_be_visible()
