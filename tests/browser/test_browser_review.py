"""The review of a match: the curve, the better move, the text of it all, and trying again."""

import random
import re
from collections.abc import Callable

import pytest
from players import Player
from playwright.sync_api import Route, expect
from test_browser_everyone import findings
from tictacmatch_player import TicTacMatch

Visit = Callable[..., Player]
# Seat 1 breaks off where it could make a line of three and more, so there is something to learn.
MOVES = [(1, "Ra1"), (1, "Ya2"), (1, "Ga3"), (1, "Ba4"), (2, "Rj1"), (2, "Yj2"), (2, "Gj3"), (2, "Bj4")]
PINS = 4  # of the first turn


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
    player.dialog.get_by_role("button", name="Review the moves").click()
    expect(player.page).to_have_url(re.compile("/review$"))
    expect(slider(player)).to_have_attribute("aria-valuemax", str(len(MOVES)))
    expect(player.page.get_by_role("progressbar")).to_have_count(0)  # worked out
    expect(player.button("Next move")).to_be_disabled()  # this is the end
    player.button("Move before").click()
    expect(slider(player)).to_have_attribute("aria-valuetext", re.compile(r"^8 of 8\. "))
    player.page.keyboard.press("ArrowLeft")  # the button has the focus
    expect(slider(player)).to_have_attribute("aria-valuenow", "7")
    slider(player).focus()
    player.page.keyboard.press("Home")
    expect(slider(player)).to_have_attribute("aria-valuetext", re.compile(r"^1 of 8\. \w.*\. Turn 1, .*: red in a1"))
    for _ in range(3):
        player.page.keyboard.press("ArrowRight")
    expect(slider(player)).to_have_attribute("aria-valuetext", re.compile(r"^4 of 8\. \w.*\. Turn 1, .*: blue in a4"))
    moment = player.page.url
    assert re.search(r"/review#\d+$", moment)
    numbers = player.page.get_by_role("table")
    expect(numbers).to_contain_text("Accuracy")
    expect(numbers).to_contain_text("Single pins")
    player.page.get_by_label("Only those that lost something").uncheck()
    expect(player.page.get_by_role("button", name=re.compile("Turn [12], "))).to_have_count(len(MOVES))
    assert findings(player) == []

    player.page.reload()  # kept: there at once, and at the same moment
    expect(slider(player)).to_have_attribute("aria-valuenow", "4")
    slider(player).press("ArrowLeft")
    expect(slider(player)).to_have_attribute("aria-valuenow", "3")
    player.page.evaluate("link => { location.href = link }", moment)
    expect(slider(player)).to_have_attribute("aria-valuenow", "4")
    player.page.go_back()
    expect(slider(player)).to_have_attribute("aria-valuenow", "3")
    player.page.go_back()
    expect(player.page).to_have_url(re.compile(r"/t/[\w-]+$"))  # no step through every moment


def blamed(route: Route) -> dict:
    """Return the server's review, as if every move had been a blunder and that were not quite sure."""
    told = route.fetch().json()
    for decision in told["decisions"]:
        decision["known"] |= {"verdict": "blunder", "error": 0.08}
    return told


def all_bad(route: Route) -> None:
    route.fulfill(json=blamed(route))


def bad_with_lines() -> tuple[Callable[[Route], None], Callable[[Route], None]]:
    """Two answers: all_bad, and a position in which the best move always has a line of at least two steps.

    The cards are dealt at random, so the server may find nothing bad, or a best move that wins at once.
    """
    best: dict[int, dict] = {}

    def review(route: Route) -> None:
        told = blamed(route)
        best.update((decision["n"], decision["known"]["best"][0]) for decision in told["decisions"])
        route.fulfill(json=told)

    def moment(route: Route) -> None:
        told = route.fetch().json()
        if len(told["line"]) < 2:
            step = {name: best[told["n"]][name] for name in ("move", "message", "marks")}
            told["line"] = 2 * [step | {"by": told["seat"], "view": told["after"]}]
        route.fulfill(json=told)

    return review, moment


def in_small_steps() -> Callable[[Route], None]:
    """Answers with the server's review, as if only the first turn had lost much, most of it with its third pin."""
    numbers: list[int] = []

    def answer(route: Route) -> None:
        told = route.fetch().json()
        for decision in told["decisions"]:
            decision["known"] |= {"verdict": "fine"}
            numbers.append(decision["n"])
        if len(numbers) >= PINS:
            first, _, third, last = numbers[:PINS]
            told["turns"] = [{"n": third, "seat": 1, "first": first, "last": last, "loss": 0.24, "verdict": "mistake"}]
        route.fulfill(json=told)

    return answer


def test_a_turn_that_lost_much_in_small_steps_is_marked_told_and_tried_again(house, visit: Visit) -> None:
    player = finished(visit(house.url))
    player.page.route("**/review?after=*", in_small_steps())
    player.page.goto(player.page.url.rstrip("/") + "/review")
    player.button("Next mistake").click()
    together = "The moves of this turn lost 24% together, this one the most."
    expect(slider(player)).to_have_attribute("aria-valuetext", re.compile(rf"^3 of 8\. .*{together} Better: "))
    expect(player.page.locator("main .words")).to_contain_text("Mistake in small steps")
    slider(player).press("Home")
    expect(slider(player)).to_have_attribute("aria-valuenow", "1")
    slider(player).press("m")  # the next mistake
    expect(slider(player)).to_have_attribute("aria-valuenow", "3")
    expect(player.page.locator("main svg .turn.mistake")).to_have_count(1)
    expect(player.page.get_by_role("listitem").get_by_role("button", name=together)).to_have_count(1)
    expect(player.page.get_by_role("row", name="Mistakes 1 0")).to_be_visible()
    player.button("Try again (1)").click()
    expect(player.page.get_by_text(together)).to_contain_text("Find a better move")


def test_another_move_can_be_tried(house, visit: Visit) -> None:
    player = finished(visit(house.url))
    player.page.route("**/review?after=*", all_bad)
    player.page.goto(player.page.url.rstrip("/") + "/review")
    expect(slider(player)).to_have_attribute("aria-valuemax", str(len(MOVES)))
    expect(player.page.get_by_role("progressbar")).to_have_count(0)  # worked out
    player.button(re.compile(r"^Try again \(\d\)$")).click()
    wanted = player.page.get_by_text("Find a better move")
    expect(wanted).to_be_visible()
    for hole in player.empty_holes()[-2:]:  # one after the other, whether the first was good or not
        player.hole(hole).click()
        expect(player.page.get_by_text(re.compile(f" in {hole}: .*(keeps|leaves)"))).to_be_visible()
    if player.button("Show the best").is_enabled():
        player.button("Show the best").click()
    expect(player.page.get_by_text("The best move:")).to_be_visible()
    expect(player.page.get_by_text("Try another one")).to_be_hidden()
    player.button("Next").click()
    expect(wanted).to_be_visible()
    player.button("Show the best").click()
    expect(player.page.get_by_text("The best move:")).to_be_visible()
    expect(wanted).to_be_hidden()  # it is there
    player.button("Back to the review").first.click()
    expect(slider(player)).to_be_visible()


@pytest.mark.parametrize("size", [(1280, 800), (1000, 600)], ids=str)
def test_on_a_wide_screen_sentences_are_whole_and_the_board_stays_in_sight(house, visit: Visit, size) -> None:
    player = finished(visit(house.url, viewport=dict(zip(("width", "height"), size, strict=True))))
    player.page.route("**/review?after=*", all_bad)
    player.page.goto(player.page.url.rstrip("/") + "/review")
    player.button("Next mistake").click()
    place = player.button("Next mistake").bounding_box()
    for _ in range(3):
        player.button("Next mistake").click()
        assert player.button("Next mistake").bounding_box() == place  # it stays under the pointer
    words = player.page.locator("main .words")
    expect(words).to_have_text(re.compile(r"Better: .* \(\+\d+%\)\."))
    ghost = player.page.locator("main .board .ghost")
    expect(ghost).to_have_count(1)  # the better move
    note = player.page.get_by_text("You can try other moves on the board.")
    expect(note).to_be_visible()
    player.button("What was played").click()
    expect(note).to_be_hidden()
    player.button("The better move").click()
    player.button("Share").click()
    expect(ghost).to_have_count(0)  # a picture is without it
    player.page.keyboard.press("Escape")
    expect(ghost).to_have_count(1)
    assert words.evaluate("card => card.scrollHeight <= card.clientHeight")
    assert not re.search(r"\.[A-Z]", words.inner_text())  # a space between sentences
    player.page.locator("main .hand").first.evaluate("hand => { hand.style.height = '500px'; }")  # as large as a fan
    player.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert player.page.evaluate("scrollY") > 100
    box = player.page.locator("main .board").bounding_box()
    assert box
    assert box["y"] >= 0


def test_a_hand_is_named_and_trying_again_does_not_give_the_better_card_away(house, visit: Visit) -> None:
    player = TicTacMatch(visit(house.url).page).play_computer()
    player.await_turn()
    player.do_anything(random.Random(1))
    player.await_turn()
    player.button("Resign").click()
    player.dialog.get_by_role("button", name="Resign").click()
    review, moment = bad_with_lines()
    player.page.route("**/review?after=*", review)
    player.page.route(re.compile(r"/review/\d+$"), moment)
    player.page.goto(player.page.url.rstrip("/") + "/review")
    expect(player.page.get_by_role("progressbar")).to_have_count(0)  # worked out
    expect(player.page.get_by_role("list", name="Players")).to_have_text(re.compile("is [XO].*Pip.*is [XO]"))
    player.page.get_by_role("listitem").get_by_role("button", name=re.compile("Turn .*, Pip: ")).first.click()
    expect(player.page.get_by_role("group", name="Pip’s hand")).to_be_visible()
    expect(player.page.get_by_text(re.compile("^Pip is [XO]"))).to_be_visible()
    player.page.get_by_role("listitem").get_by_role("button", name=re.compile("Turn .*you")).first.click()
    chosen = player.hand.and_(player.page.locator("[aria-pressed=true]"))
    expect(chosen).to_have_count(1)
    onward, back = player.button("How it could go on ›"), player.button("Step back")
    onward.click()
    expect(player.page.get_by_text(re.compile(r"^1 of \d+: "))).to_be_visible()
    player.page.keyboard.press("ArrowRight")
    expect(player.page.get_by_text(re.compile(r"^2 of \d+: "))).to_be_visible()
    for _ in range(30):
        player.page.keyboard.press("ArrowRight")
    expect(onward).to_be_disabled()  # the end
    for _ in range(30):
        player.page.keyboard.press("ArrowLeft")
        if back.is_disabled():
            break
    expect(chosen).to_have_count(1)
    player.button(re.compile(r"^Try again \(\d\)$")).click()
    expect(player.page.get_by_text("Find a better move")).to_be_visible()
    expect(player.may_play.first).to_be_visible()
    expect(chosen).to_have_count(0)


def test_a_match_that_is_not_over_is_not_reviewed(house, visit: Visit) -> None:
    player = visit(house.url)
    player.at_table("me", "me", start=1)
    player.await_turn()
    player.page.goto(player.page.url + "/review")
    expect(player.page.get_by_role("heading", name="A match can be reviewed when it is over.")).to_be_visible()
