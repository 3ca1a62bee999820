"""Dialogs: where the focus goes, and what the browser's Back does."""

import re
from collections.abc import Callable

from players import Player
from playwright.sync_api import expect


def test_the_focus_comes_back_to_what_opened_a_dialog(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url)
    rules = player.on_box("Rules")
    for close in (
        lambda: player.page.keyboard.press("Escape"),
        lambda: player.button("Close").click(),
        lambda: player.page.go_back(),
    ):
        rules.focus()
        player.page.keyboard.press("Enter")
        expect(player.dialog).to_be_visible()
        close()
        expect(player.dialog).to_be_hidden()
        expect(rules).to_be_focused()


def test_the_name_dialog_begins_at_the_name(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url)
    button = player.button(re.compile("Change your name"))
    button.click()
    expect(player.page.get_by_role("textbox", name="Your name")).to_be_focused()
    player.page.keyboard.type("Ada")  # replaces the old name
    player.page.keyboard.press("Enter")
    expect(button).to_have_text("Ada")
    expect(button).to_be_focused()


def test_back_closes_a_dialog_and_then_leaves_the_table(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url).play_computer()
    table = player.page.url
    for _ in range(2):
        player.button("Resign").click()
        expect(player.dialog).to_be_visible()
        player.page.go_back()
        expect(player.dialog).to_be_hidden()
        assert player.page.url == table
    player.button("Rules").click()
    player.button("Close").click()
    expect(player.dialog).to_be_hidden()
    player.page.go_back()
    expect(player.on_box("Play the computer")).to_be_visible()


def test_a_table_that_a_dialog_made_leads_back_to_the_shelf(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url)
    player.new_table("On this device")
    player.button("Start").click()
    player.await_turn()
    expect(player.dialog).to_be_hidden()
    table = player.page.url
    player.page.reload()
    player.await_turn()
    assert player.page.url == table
    player.page.go_back()
    expect(player.on_box("Play the computer")).to_be_visible()
