"""The review of a match: the curve, the better move, the text of it all, and trying again."""

import re
from collections.abc import Callable

from players import Player
from playwright.sync_api import expect
from test_browser_everyone import findings

Visit = Callable[..., Player]
# Seat 1 breaks off where it could make a line of three and more, so there is something to learn.
MOVES = [(1, "Ra1"), (1, "Ya2"), (1, "Ga3"), (1, "Ba4"), (2, "Rj1"), (2, "Yj2"), (2, "Gj3"), (2, "Bj4")]


def finished(player: Player) -> Player:
    """A short match of one guest against themselves, over."""
    player.at_table("me", "me", start=1)
    player.await_turn()
    player.skip_ahead(MOVES)
    player.button("Resign").click()
    player.dialog.get_by_role("button", name="Resign").click()
    return player


def slider(player: Player):
    return player.page.get_by_role("slider", name="The winning chances over the match")


def test_one_click_from_the_end_and_everything_by_keyboard(house, visit: Visit) -> None:
    player = finished(visit(house.url))
    player.dialog.get_by_role("button", name="Review").click()
    expect(player.page).to_have_url(re.compile("/review$"))
    expect(slider(player)).to_have_attribute("aria-valuemax", str(len(MOVES)))
    expect(player.page.get_by_role("progressbar")).to_have_count(0)  # worked out
    slider(player).focus()
    player.page.keyboard.press("Home")
    expect(slider(player)).to_have_attribute("aria-valuetext", re.compile(r"^1 of 8\. Turn 1, .*: red in a1"))
    for _ in range(3):
        player.page.keyboard.press("ArrowRight")
    expect(slider(player)).to_have_attribute("aria-valuetext", re.compile(r"^4 of 8\. Turn 1, .*: blue in a4"))
    numbers = player.page.get_by_role("table")
    expect(numbers).to_contain_text("Accuracy")
    expect(numbers).to_contain_text("Single pins")
    player.page.get_by_label("Only those that lost something").uncheck()
    expect(player.page.get_by_role("button", name=re.compile("Turn [12], "))).to_have_count(len(MOVES))
    assert findings(player) == []

    player.page.reload()  # kept: there at once
    expect(slider(player)).to_have_attribute("aria-valuemax", str(len(MOVES)))


def test_another_move_can_be_tried(house, visit: Visit) -> None:
    player = finished(visit(house.url))
    player.page.goto(player.page.url.rstrip("/") + "/review")
    expect(slider(player)).to_have_attribute("aria-valuemax", str(len(MOVES)))
    expect(player.page.get_by_role("progressbar")).to_have_count(0)  # worked out
    worst = player.button(re.compile(r"^Try again \(\d\)$"))
    if worst.count():  # what was lost is the judge's to say; that it can be asked for again is the page's
        worst.click()
        expect(player.page.get_by_text("Find a better move")).to_be_visible()
        player.hole(player.empty_holes()[-1]).click()
        expect(player.page.get_by_text(re.compile("^Yes!|Try another one"))).to_be_visible()
        if player.button("Show the best").is_visible():
            player.button("Show the best").click()
        expect(player.page.get_by_text("The best move:")).to_be_visible()
        player.button("Back to the review").first.click()
    expect(slider(player)).to_be_visible()


def test_a_match_that_is_not_over_is_not_reviewed(house, visit: Visit) -> None:
    player = visit(house.url)
    player.at_table("me", "me", start=1)
    player.await_turn()
    player.page.goto(player.page.url + "/review")
    expect(player.page.get_by_role("heading", name="A match can be reviewed when it is over.")).to_be_visible()
