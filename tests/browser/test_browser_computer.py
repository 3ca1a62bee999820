"""Against the computer: from the shelf to the last pin, and what can happen during a turn."""

import json
import re
from collections.abc import Callable

from players import HANG_GUARD, Player
from playwright.sync_api import expect

KEEP_WHAT_IS_SENT = """() => {
    const { send } = WebSocket.prototype;
    window.sent = [];
    WebSocket.prototype.send = function (text) { window.sent.push(text); return send.call(this, text); };
}"""


def test_a_whole_match(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url)
    player.level.select_option("novice")
    player.on_box("Play the computer").click()  # the first click; the second one is a move
    while player.await_turn_or_end():
        player.put_somewhere()
    dialog = player.dialog
    expect(dialog).to_be_visible()
    assert player.empty_holes() == []
    mine, other = player.points()
    title = "You win!" if mine > other else "Pip wins." if mine < other else "It’s a draw."
    expect(dialog.get_by_role("heading", level=2)).to_have_text(title)
    assert sorted(map(int, dialog.locator(".scores b").all_inner_texts())) == sorted((mine, other))
    expect(dialog.get_by_role("heading", name="The best moves")).to_be_visible()
    expect(dialog.get_by_role("img", name="Each player’s points from the first move to the last.")).to_be_visible()
    player.page.set_viewport_size({"width": 390, "height": 600})  # more to show than the dialog has room for
    assert player.overlaps() == []
    dialog.get_by_text("Were the draws fair?").click()
    expect(dialog.get_by_text("the number is the one sealed before the match, all")).to_be_visible()
    dialog.get_by_role("button", name="Rematch").click()
    expect(dialog).to_be_hidden()
    player.await_turn()
    assert len(player.empty_holes()) in (96, 92)  # the computer may have begun


def test_a_move_shows_its_points_and_its_figure(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url).play_computer()
    before, logged = player.points(), player.entries()
    hole = player.put_somewhere()
    expect(player.log.first).to_contain_text(re.compile(rf"Red in {hole}: .*\+\d+"))
    scored = int(re.search(r"\+(\d+)", player.log.first.inner_text())[1])
    expect(player.page.locator("svg .score")).to_have_text(f"+{scored}")
    expect(player.page.locator("svg .halo")).to_have_count(1)
    assert player.points()[0] == before[0] + scored
    assert player.entries() == logged + 1
    expect(player.status).to_contain_text("Your turn. Three pins left.")
    expect(player.page.locator("[aria-live=polite]")).to_contain_text(f"red in {hole}")


def test_wrong_clicks_explain_themselves(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url).play_computer()
    player.page.evaluate(KEEP_WHAT_IS_SENT)
    player.hole("d4").click()
    expect(player.page.get_by_role("alert")).to_contain_text("There is already a pin in d4; choose an empty hole")
    sent = [json.loads(text) for text in player.page.evaluate("window.sent")]
    assert "Rd4" in [message.get("move") for message in sent]  # the server said it: the page knows no rules
    player.log.last.click()
    player.hole(player.empty_holes()[0]).click()
    expect(player.page.get_by_role("alert")).to_contain_text("You are looking at an earlier position.")


def test_a_joker_counts_as_the_colour_announced(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url).play_computer()
    player.page.get_by_role("switch", name="Play as a joker").click()
    player.page.get_by_role("group", name="It counts as").get_by_role("button", name="Green").click()
    hole = player.put_somewhere()
    expect(player.log.first).to_contain_text(f"Red as a green joker in {hole}")
    expect(player.page.get_by_role("list", name="Players")).to_contain_text("Jokers: 3")


def test_taking_back_and_looking_back(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url).play_computer()
    before = player.board()
    hole = player.put_somewhere()
    after = player.board()
    player.log.nth(1).click(position={"x": 8, "y": 8})  # on a picture of several it would look at that entry
    expect(player.button("Back to the match")).to_be_visible()
    expect(player.hole(hole)).to_have_attribute("aria-label", f"{hole}, empty")
    assert player.board() == before
    player.button("Back to the match").click()
    expect(player.hole(hole)).not_to_have_attribute("aria-label", f"{hole}, empty")
    assert player.board() == after
    player.button("Take back").click()
    expect(player.hole(hole)).to_have_attribute("aria-label", f"{hole}, empty")
    player.await_turn()
    assert player.board() == before
    expect(player.log.first).to_contain_text("Moves taken back")


def test_a_reload_in_mid_turn_changes_nothing(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url).play_computer()
    player.put_somewhere()
    player.put_somewhere()
    expect(player.status).to_contain_text("Two pins left.")
    before, points = player.board(), player.points()
    player.page.reload()
    player.await_turn()
    expect(player.status).to_contain_text("Your turn. Two pins left.")
    assert (player.board(), player.points()) == (before, points)
    player.put_somewhere()
    player.page.goto(house.url)  # the shelf links back to the table
    player.page.get_by_role("link", name="Go to the table").click()
    expect(player.status).to_contain_text("Your turn. One pin left.")


def test_a_server_that_is_killed_in_mid_turn_is_found_again(frail_house, visit: Callable[..., Player]) -> None:
    player = visit(frail_house.url).play_computer()
    player.put_somewhere()
    board, entries = player.board(), player.entries()
    frail_house.kill()
    expect(player.page.get_by_text("Connection lost.")).to_be_visible()
    player.hole(player.empty_holes()[0]).click()
    expect(player.page.get_by_role("alert")).to_contain_text("That was not sent.")
    assert player.board() == board
    frail_house.open()
    expect(player.page.get_by_text("Connection lost.")).to_be_hidden(timeout=HANG_GUARD)
    player.await_turn()
    assert player.board() == board
    player.put_somewhere()
    assert player.entries() == entries + 1


def test_the_level_of_the_next_match(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url).play_computer()
    player.page.get_by_label("Level of the next match").select_option("casual")
    player.button("Resign").click()
    player.dialog.get_by_role("button", name="Resign").click()
    expect(player.dialog.get_by_role("heading", level=2)).to_have_text("Pip wins.")
    player.dialog.get_by_role("button", name="Play at level Casual").click()
    player.await_turn()
    expect(player.page.get_by_role("list", name="Players")).to_contain_text("Casual")


def test_an_unknown_table(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url + "/t/nowhere2")
    expect(player.page.get_by_role("heading", name="This table does not exist.")).to_be_visible()
    player.page.get_by_role("link", name="Back to the games").click()
    expect(player.on_box("Play the computer")).to_be_visible()


def test_a_guest_chooses_a_name(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url)
    player.button(re.compile("Change your name")).click()
    player.page.get_by_role("textbox", name="Your name").fill("Kingfisher")
    player.page.keyboard.press("Enter")
    expect(player.button("You are Kingfisher. Change your name")).to_be_visible()
    player.play_computer()
    expect(player.page.get_by_role("list", name="Players")).to_contain_text("Kingfisher (you)")


def test_a_server_that_does_not_answer(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url)
    player.page.route("**/api/**", lambda route: route.abort())
    player.page.reload()
    expect(player.page.get_by_role("heading", name="The server is not answering.")).to_be_visible()
    player.page.unroute("**/api/**")
    player.button("Try again").click()
    expect(player.on_box("Play the computer")).to_be_visible()
