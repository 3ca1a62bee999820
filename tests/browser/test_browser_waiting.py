"""Before the match: a table that waits for people, and one against several bots."""

from collections.abc import Callable

from players import Player
from playwright.sync_api import expect

Visit = Callable[..., Player]


def test_the_host_cancels_a_waiting_table(house, visit: Visit) -> None:
    host = visit(house.url)
    link = host.make_table()
    host.page.goto(link)
    friend = visit(link)
    expect(friend.button("Cancel this table")).to_have_count(0)
    host.button("Cancel this table").click()
    host.dialog.get_by_role("button", name="Keep it").click()
    expect(host.page.get_by_role("heading", name="One seat is free")).to_be_visible()
    host.button("Cancel this table").click()
    host.dialog.get_by_role("button", name="Cancel this table").click()
    expect(host.page.get_by_role("article").first).to_be_visible()  # back at the games
    expect(friend.page.get_by_text("The host has cancelled this table.")).to_be_visible()
    late = visit(link)
    expect(late.page.get_by_text("This table does not exist.")).to_be_visible()


def test_a_link_for_this_computer_only_says_so(house, visit: Visit) -> None:
    host = visit(house.url)
    host.page.goto(host.make_table())
    warning = host.page.get_by_text("Only this computer can open this link.")
    expect(warning).to_be_visible()
    expect(host.page.get_by_text("ludoteca serve --host 0.0.0.0")).to_be_visible()


def test_more_options_against_the_computer(house, visit: Visit) -> None:
    player = visit(house.url)
    player.on_box("More options…").click()
    dialog = player.dialog
    expect(dialog.get_by_role("heading", level=2)).to_have_text("Pin Point against the computer")
    dialog.get_by_text("4", exact=True).click()
    dialog.get_by_label("Teams").select_option(label="In pairs: 1 and 3 against 2 and 4")
    for seat, level in ((2, "casual"), (3, "novice"), (4, "novice")):
        dialog.get_by_label(f"Who takes seat {seat}?").select_option(level)
    dialog.get_by_label("Who begins?").select_option(index=1)
    dialog.get_by_role("button", name="Start").click()
    player.await_turn()  # seat 1 begins
    expect(player.seats).to_have_count(4)
    for seat, level in ((2, "Casual"), (3, "Novice"), (4, "Novice")):
        expect(player.seats.nth(seat - 1)).to_contain_text(level)
    for seat, team in ((1, 1), (2, 2), (3, 1), (4, 2)):
        expect(player.seats.nth(seat - 1)).to_contain_text(f"Team {team}: 0")
    player.page.goto(house.url)
    expect(player.level).to_have_value("casual")  # kept for the next match of this game
