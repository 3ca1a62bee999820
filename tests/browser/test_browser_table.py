"""What the table says and does in any game: the status, the log, the actions, the end."""

import random
import re
from collections.abc import Callable

import pytest
from houses import House
from players import Player
from playwright.sync_api import expect
from tictacmatch_player import TicTacMatch

OBSERVE = """() => {
    window.headlines = [];
    const read = () => window.headlines.push(document.querySelector("section.say .now").textContent.trim());
    const what = {subtree: true, childList: true, characterData: true};
    new MutationObserver(read).observe(document.querySelector("section.say"), what);
}"""


def test_the_match_begins_once(house: House, visit: Callable[..., Player]) -> None:
    player = TicTacMatch(visit(house.url).page).at_table("me", "random", players=2, start=1)
    player.await_turn()
    player.page.evaluate(OBSERVE)
    played, chance = player.entries(), random.Random(1)
    while player.entries() < played + 8 and player.await_turn_or_end():
        player.do_anything(chance)
    headlines = player.page.evaluate("window.headlines")
    assert headlines
    assert not [text for text in headlines if "begins" in text]


def test_the_status_tells_the_opponents_action_and_not_the_draw(house: House, visit: Callable[..., Player]) -> None:
    player = TicTacMatch(visit(house.url).page).at_table("me", "random", players=2, start=2)
    player.await_turn()
    card = re.compile(r"(red|yellow|green|blue) [XO] on [abc][123]|Flip|Wipe-Out|Double Play", re.IGNORECASE)
    expect(player.status.locator(".just .chips")).to_have_text(card)
    expect(player.status.locator(".just .chips")).not_to_contain_text("draws")
    expect(player.log.first).to_have_text(card)


def test_a_turn_is_one_line_and_all_its_pins_are_marked(house: House, visit: Callable[..., Player]) -> None:
    player = visit(house.url).at_table("me", "me", players=2, start=1)
    player.await_turn()
    for hole in ("a1", "b1", "c1", "d1"):
        player.put(hole)
    expect(player.status).to_contain_text("Four pins to place.")
    expect(player.page.locator(".recent[data-seat='1']")).to_have_count(4)
    expect(player.log.first.locator(".picture")).to_have_count(4)
    player.put("a10")
    expect(player.page.locator(".recent[data-seat='1']")).to_have_count(4)
    expect(player.page.locator(".recent[data-seat='2']")).to_have_count(1)
    # A click on the second picture of a turn looks at the board after the second pin.
    before = player.log.nth(1).bounding_box()
    player.log.nth(1).locator(".chip").nth(1).click()
    expect(player.hole("b1")).not_to_have_attribute("aria-label", "b1, empty")
    expect(player.hole("c1")).to_have_attribute("aria-label", "c1, empty")
    assert player.log.nth(1).bounding_box() == before


def test_the_log_follows_the_board(house: House, visit: Callable[..., Player]) -> None:
    player = visit(house.url).at_table("me", "me", players=2, start=1)
    player.await_turn()
    holes = [f"{column}{row}" for row in (1, 2, 3, 5, 6, 8, 9, 10) for column in "abcdefghij"]
    player.skip_ahead([(1 + k // 4 % 2, "RYGB"[k % 4] + hole) for k, hole in enumerate(holes)])
    line = player.log.filter(has_text=re.compile("in a1:"))
    expect(line).not_to_be_in_viewport()
    player.log.first.click()
    slider = player.page.get_by_role("slider", name="Position in the match")
    slider.fill("3")
    expect(line).to_have_attribute("aria-current", "step")
    expect(line).to_be_in_viewport()


def test_the_actions_stand_still(house: House, visit: Callable[..., Player]) -> None:
    player = visit(house.url).at_table("me", "novice", players=2, start=1)
    player.await_turn()
    actions = player.page.locator(".acts .button")
    places = [button.bounding_box() for button in actions.all()]
    expect(player.button("Take back")).to_be_disabled()
    player.put("a1")
    expect(player.button("Take back")).to_be_enabled()
    assert [button.bounding_box() for button in actions.all()] == places
    for hole in ("b1", "c1", "d1"):
        player.put(hole)
        assert [button.bounding_box() for button in actions.all()] == places
    player.await_turn()
    assert [button.bounding_box() for button in actions.all()] == places
    player.button("Hint").click()
    expect(player.button("Say more")).to_be_visible()
    assert [button.bounding_box() for button in actions.all()] == places


@pytest.mark.parametrize("locale", ["en-GB", "it-IT"])
def test_the_level_of_the_next_match_is_not_cut(house: House, visit: Callable[..., Player], locale: str) -> None:
    player = visit(house.url, locale=locale).at_table("me", "novice", players=2, start=1)
    level = player.page.locator(".acts select")
    expect(level).to_be_visible()
    cut = {}
    for width, height in [(1280, 800), (1366, 640), (390, 844), (844, 390), (820, 1180)]:
        player.page.set_viewport_size({"width": width, "height": height})
        cut[width, height] = level.evaluate(TOO_NARROW)
    assert not any(cut.values()), cut


# A select does not tell that its text is cut: compare it with a copy that is as wide as its longest text.
TOO_NARROW = """select => {
    const copy = select.cloneNode(true);
    Object.assign(copy.style, {position: "absolute", width: "max-content"});
    select.after(copy);
    const missing = copy.offsetWidth - select.offsetWidth;
    copy.remove();
    return Math.max(0, missing);
}"""


def test_the_cards_of_four_players_keep_their_height(house: House, visit: Callable[..., Player]) -> None:
    """Also when a clock gets its mark, and when points and totals get more digits."""
    player = visit(house.url).at_table(
        "me", "novice", "novice", "novice", players=4, start=1, teams=True, turn_seconds=15
    )
    player.await_turn()
    heights = [card.bounding_box()["height"] for card in player.seats.all()]
    expect(player.seats.first.get_by_role("timer")).to_contain_text("!")
    player.page.evaluate("document.querySelectorAll('.seats .points').forEach(one => one.textContent = '188')")
    assert [card.bounding_box()["height"] for card in player.seats.all()] == heights


EDGES = """async seat => {  // of the note and of the points, at one moment: the bots play on, and the card changes
    const box = part => seat.querySelector(part)?.getBoundingClientRect();
    while (!box(".absent .short")?.width) await new Promise(requestAnimationFrame);
    return [box(".absent .short").right, box(".points").left];
}"""


def test_nobody_resigns_twice(house: House, visit: Callable[..., Player]) -> None:
    """Among several the match goes on, and a bot plays: its card says so, beside the points."""
    player = visit(house.url, locale="it-IT").at_table("me", "novice", "novice", "novice", players=4, start=1)
    player.await_turn()
    resign = player.button("Abbandona")
    resign.click()
    player.dialog.get_by_role("button", name="Abbandona").click()
    expect(resign).to_be_disabled()
    ends, points = player.seats.first.evaluate(EDGES)
    assert ends <= points


def test_a_hint_is_played_by_a_click_where_it_points(house: House, visit: Callable[..., Player]) -> None:
    player = visit(house.url).at_table("me", "novice", players=2, start=1)
    player.await_turn()
    player.pins.nth(0).click()
    player.hear_whole_hint()
    hinted = re.compile(r"Hint: (\w+) in ([a-j]\d+)")
    expect(player.status).to_contain_text(hinted)
    colour, hole = hinted.search(player.status.inner_text()).groups()
    expect(player.pins.and_(player.page.locator("[aria-pressed=true]"))).to_have_attribute(
        "aria-label", colour.capitalize()
    )
    player.put(hole)
    expect(player.log.first).to_contain_text(f"{colour.capitalize()} in {hole}")


def test_a_hint_chooses_its_card(house: House, visit: Callable[..., Player]) -> None:
    player = TicTacMatch(visit(house.url).page).at_table("me", "novice", players=2, start=1)
    player.await_turn()
    player.hear_whole_hint()
    expect(player.page.locator(".held.hinted")).to_have_attribute("aria-pressed", "true")


def test_a_pin_shows_what_it_would_score(house: House, visit: Callable[..., Player]) -> None:
    player = visit(house.url).at_table("me", "me", players=2, start=1, setup="RYGB")
    player.await_turn()
    worth = player.page.locator(".worth")
    player.hole("d5").hover()
    expect(worth).to_have_text("+2, a line of 2")
    player.hole("a10").hover()
    expect(worth).to_have_text("+1, a single pin")
    player.hole("e5").focus()
    player.page.keyboard.press("ArrowLeft")
    expect(player.hole("d5")).to_have_accessible_description("+2, a line of 2")
