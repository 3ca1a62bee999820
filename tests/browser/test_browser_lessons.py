"""Lessons and rules at addresses of their own."""

import re
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
    expect(page.get_by_role("status")).to_contain_text("It scores 1 point alone")
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
    page.get_by_label("Language").select_option("it")  # an address of a section is the same in every language
    expect(page.get_by_role("link", name="I jolly")).to_have_attribute("href", "#jokers")
    page.get_by_label("Lingua").select_option("en")
    contents.get_by_role("searchbox").fill("black")
    expect(contents.get_by_role("link", name="Jokers")).to_be_visible()
    expect(page.get_by_role("heading", name="Your turn")).to_be_hidden()
    contents.get_by_role("searchbox").fill("chess")
    expect(page.get_by_text("Nothing is said about “chess”.")).to_be_visible()
    page.goto(f"{house.url}/rules/nothing")
    expect(page.get_by_text("There is nothing here.")).to_be_visible()


def test_kingbrick_is_learnt_by_flicking(house: House, visit: Callable[..., Player]) -> None:
    """A flick that misses is seen and taken back; one that hits is right, however it was made."""
    page = visit(f"{house.url}/learn/kingbrick").page
    expect(page.get_by_role("heading", name="The goal")).to_be_visible()
    page.get_by_role("button", name="In numbers").click()
    page.get_by_label("Brick to flick").select_option("r2")

    def flick(direction: int) -> None:
        page.get_by_role("spinbutton", name="Direction").fill(str(direction))
        page.get_by_role("button", name="Flick", exact=True).click()

    flick(90)
    expect(page.get_by_role("status")).to_contain_text("The King is still on the board.")
    expect(page.get_by_role("button", name="Flick", exact=True)).to_be_enabled()
    flick(0)
    expect(page.get_by_role("status")).to_contain_text("The King fell off")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name="Happy faces")).to_be_visible()


def test_an_assassin_strikes_the_brick_that_the_page_shows(house: House, visit: Callable[..., Player]) -> None:
    page = visit(f"{house.url}/learn/kingbrick").page
    page.get_by_role("button", name="Assassin").click()
    victim = page.get_by_label("Whom does Assassin r3 strike?")
    expect(victim).to_have_value(re.compile("^b[2-9]$"))  # one is chosen at once, and its name is seen
    first = victim.input_value()
    names = victim.locator("option").evaluate_all("options => options.map((one) => one.value)")
    # A click on a brick of the flat board chooses that one.
    page.get_by_role("button", name="Flat").click()
    board = page.locator(".board").bounding_box()
    assert board
    chosen = {first}
    for across in range(20, 80, 4):
        for down in range(12, 46, 4):
            page.mouse.click(board["x"] + board["width"] * across / 100, board["y"] + board["height"] * down / 100)
            chosen.add(victim.input_value())
    assert chosen == set(names)
    victim.select_option(names[-1])
    page.get_by_role("button", name="Strike with Assassin r3").click()
    expect(page.get_by_text("That brick is out")).to_be_visible()


def test_a_refusal_is_one_sentence(house: House, visit: Callable[..., Player]) -> None:
    page = visit(f"{house.url}/learn/tictacmatch").page
    page.get_by_role("gridcell").first.click()
    expect(page.get_by_role("status")).to_have_text("First choose a card from your hand.")


def test_a_refusal_links_to_its_rule(house: House, visit: Callable[..., Player]) -> None:
    """At the table, and in a lesson."""
    player = visit(house.url)
    player.at_table("me", "me", start=1, setup="RYGB")
    player.await_turn()
    player.put("a1")
    player.hole("a1").click()
    cited = player.page.get_by_role("alert").get_by_role("link", name="See the rule")
    expect(cited).to_have_attribute("href", "/rules/pinpoint#turn")
    with player.page.context.expect_page() as opened:
        cited.click()
    expect(opened.value.get_by_role("heading", name="Your turn")).to_be_in_viewport()

    player.page.goto(f"{house.url}/learn/pinpoint")
    player.page.get_by_role("button", name="Step 2 of 7: Lines").click()
    player.hole("e7").click()
    said = player.page.get_by_role("status")
    expect(said.get_by_role("link", name="See the rule")).to_have_attribute("href", "/rules/pinpoint#turn")


def test_lessons_are_offered_to_a_newcomer_once(house: House, visit: Callable[..., Player]) -> None:
    player = visit(house.url)
    page = player.page
    offer = page.get_by_role("complementary", name="New here?")
    expect(offer).to_be_visible()
    expect(player.box.get_by_role("link", name="Learn it in two minutes")).to_be_visible()
    offer.get_by_role("button", name="Not now").click()
    expect(offer).to_be_hidden()
    page.reload()
    expect(player.box.get_by_role("link", name="Learn", exact=True)).to_be_visible()
    expect(offer).to_be_hidden()


def test_the_first_turn_of_the_first_match_is_explained(house: House, visit: Callable[..., Player]) -> None:
    player = visit(house.url, newcomer=True)
    bubble = player.page.get_by_role("complementary", name="Your first turn")
    player.play_computer()
    expect(bubble).to_contain_text("Choose one of your four pins")
    expect(bubble.get_by_role("link", name="Learn it in two minutes")).to_be_visible()
    player.put_somewhere()
    expect(bubble).to_be_visible()  # the turn has three pins more
    for _ in range(3):
        player.put_somewhere()
    expect(bubble).to_be_hidden()
    player.page.goto(house.url)
    player.play_computer()
    expect(bubble).to_be_hidden()


FEWEST_PINS = """box => {
    const art = box.querySelector(".art");
    const count = () => art.querySelectorAll(".place").length;
    window.fewest = count();
    const look = () => (window.fewest = Math.min(window.fewest, count()));
    new MutationObserver(look).observe(art, {childList: true, subtree: true});
}"""


def test_the_picture_on_a_box_moves_and_comes_to_rest(house: House, visit: Callable[..., Player]) -> None:
    moving = visit(house.url, reduced_motion="no-preference")
    pins = moving.box.locator(".art .place")
    expect(pins).to_have_count(23)
    moving.box.evaluate(FEWEST_PINS)
    moving.box.locator(".art").hover()
    moving.page.wait_for_function("window.fewest === 18")  # the pins of the cross come one after another
    expect(pins).to_have_count(23)


def test_the_picture_on_a_box_stands_still_for_who_asks_for_less_motion(
    house: House, visit: Callable[..., Player]
) -> None:
    still = visit(house.url)
    expect(still.box.locator(".art .place")).to_have_count(23)
    still.box.evaluate(FEWEST_PINS)
    still.box.locator(".art").hover()
    still.page.wait_for_timeout(1500)  # longer than two beats
    assert still.page.evaluate("window.fewest") == 23


def test_unfinished_matches_are_deleted_and_finished_ones_filtered(house: House, visit: Callable[..., Player]) -> None:
    player = visit(house.url).play_computer()
    player.button("Resign").click()
    player.dialog.get_by_role("button", name="Resign").click()
    expect(player.dialog.get_by_role("heading", level=2)).to_have_text("Pip wins.")
    page = player.page
    page.goto(house.url)
    player.play_computer()
    page.goto(f"{house.url}/matches")
    lost = page.get_by_role("listitem").filter(has_text="Lost")
    picture = lost.get_by_role("img", name="The last position")
    expect(picture).to_be_visible()
    page.wait_for_function("picture => picture.naturalWidth > 0", arg=picture.element_handle())
    expect(page.get_by_role("table", name="Matches won").get_by_role("row").last).to_contain_text("0 of 1")
    page.get_by_label("Result").select_option("won")
    expect(page.get_by_text("No match is like that.")).to_be_visible()
    page.get_by_label("Result").select_option("")

    on = page.get_by_role("listitem").filter(has_text="Your turn")
    on.get_by_role("button", name="Delete").click()
    player.dialog.get_by_role("button", name="Delete").click()
    expect(on).to_have_count(0)
    expect(lost).to_be_visible()
    expect(lost.get_by_role("button", name="Delete")).to_have_count(0)
