"""My matches: the running and the finished ones, replays, records, and the check of chance."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from players import Player
from playwright.sync_api import Page, expect
from test_browser_everyone import NARROW, WIDE, findings
from test_browser_together import two_at_a_table

Visit = Callable[..., Player]


def lose(player: Player) -> None:
    player.button("Resign").click()
    player.dialog.get_by_role("button", name="Resign").click()
    expect(player.dialog.get_by_role("heading", level=2)).to_have_text("Pip wins.")


def entry_shown(player: Player, n: int, last: int) -> None:
    slider = player.page.get_by_role("slider", name="Position in the match")
    expect(slider).to_have_value(str(n))
    expect(slider).to_have_attribute("max", str(last))
    expect(player.status).to_contain_text(re.compile(r"Turn \d of \d" if n > 2 else "The beginning"))


def test_my_matches(house, visit: Visit) -> None:
    player = visit(house.url)
    player.page.goto(house.url + "/matches")
    expect(player.page.get_by_role("heading", name="You have not played here yet.")).to_be_visible()
    player.page.goto(house.url)
    player.play_computer()
    player.put_somewhere()
    lose(player)
    player.dialog.get_by_role("link", name="My matches").click()
    over = player.page.get_by_role("listitem").filter(has_text="Lost")
    expect(over).to_contain_text("With Pip (Novice)")
    expect(over.get_by_role("link", name="Review: Pin Point, With Pip (Novice), ")).to_have_text("Review")

    player.page.goto(house.url)
    player.play_computer()
    player.page.goto(house.url)
    player.page.get_by_role("link", name="All my matches").click()
    on = player.page.get_by_role("listitem").filter(has_text="Your turn")
    expect(on.get_by_role("link", name="Go to the table")).to_be_visible()
    assert player.page.get_by_role("listitem").first.inner_text() == on.inner_text()  # my turn comes first

    over.get_by_text("Were the draws fair?").click()
    expect(over).to_contain_text(re.compile(r"Yes: .* before the match, all \d+ draws"))
    with player.page.expect_download() as downloading:
        over.get_by_role("link", name="Download").click()
    record = json.loads(Path(downloading.value.path()).read_text())
    assert record["game"] == "pinpoint"
    assert record["log"][-1] == record["log"][-1] | {"by": 1, "move": "resign"}
    assert record["seal"]["seed"]


def other_ticket(record: dict) -> None:
    pick = record["log"][0]["picks"][0]
    pick[0] = (pick[0] + 1) % pick[1]


def other_move(record: dict) -> None:
    put = next(entry for entry in record["log"] if entry["by"] == 1)
    put["move"] = "Ra1" if put["move"] != "Ra1" else "Ra2"


def other_outcome(record: dict) -> None:
    record["log"][0]["move"] = {"start 1": "start 2", "start 2": "start 1"}[record["log"][0]["move"]]


def without_picks(record: dict) -> None:
    for entry in record["log"]:
        entry.pop("picks", None)


def without_log(record: dict) -> None:
    record["log"] = []


CHANGES = [
    (other_ticket, "the draw in move 1 does not follow from the number"),
    (other_move, "is not the one that the server sent during the match"),
    (other_outcome, "move 1 is not the one that the server sent during the match"),
    (without_picks, "move 1 does not have the draws that it must have"),
    (without_log, "the record has no moves"),
]


def test_a_changed_record_is_found_out(house, visit: Visit) -> None:
    player = visit(house.url).play_computer()
    player.put_somewhere()
    lose(player)

    def change(route) -> None:
        record = route.fetch().json()
        made[0](record)
        route.fulfill(json=record)

    player.page.route("**/record", change)
    for made in CHANGES:
        player.dialog.get_by_text("Were the draws fair?").click()
        expect(player.dialog).to_contain_text(made[1])
        expect(player.dialog).not_to_contain_text("It was")
        player.dialog.get_by_text("Were the draws fair?").click()
    player.page.unroute("**/record")
    player.dialog.get_by_text("Were the draws fair?").click()
    expect(player.dialog).to_contain_text("Yes: ")


def test_a_seal_that_is_not_the_one_shown_is_found_out(house, visit: Visit) -> None:
    player = visit(house.url).play_computer()
    lose(player)
    other = visit(house.url).play_computer()
    lose(other)
    records = [
        page.evaluate("id => fetch(`/api/tables/${id}/record`).then(answer => answer.json())", table_of(page))
        for page in (player.page, other.page)
    ]
    assert records[0]["seal"] != records[1]["seal"]
    player.page.route("**/record", lambda route: route.fulfill(json=records[1]))  # valid, but of another match
    player.dialog.get_by_text("Were the draws fair?").click()
    expect(player.dialog).to_contain_text("the seal is not the one that this page saw before the match")


def table_of(page: Page) -> str:
    return page.url.rsplit("/", 1)[1]


def test_a_replay_by_slider_buttons_and_keys(house, visit: Visit) -> None:
    player = visit(house.url).play_computer()
    holes = [player.put_somewhere() for _ in range(2)]
    lose(player)
    link = player.page.url + "/replay"
    last = player.entries()

    stranger = visit(link)
    entry_shown(stranger, 0, last)
    expect(stranger.dialog).to_have_count(0)
    assert len(stranger.empty_holes()) == 100
    for n in range(1, last):
        stranger.page.keyboard.press("ArrowRight")
        entry_shown(stranger, n, last)
    for hole in holes:
        expect(stranger.hole(hole)).not_to_have_attribute("aria-label", f"{hole}, empty")
    stranger.button("One move back").click()
    entry_shown(stranger, last - 2, last)
    expect(stranger.hole(holes[1])).to_have_attribute("aria-label", f"{holes[1]}, empty")
    stranger.page.keyboard.press("ArrowLeft")  # the button has the focus
    entry_shown(stranger, last - 3, last)
    stranger.page.keyboard.press("Home")
    entry_shown(stranger, 0, last)
    stranger.page.evaluate("location.hash = '#3'")
    entry_shown(stranger, 3, last)
    stranger.page.keyboard.press("ArrowLeft")
    entry_shown(stranger, 2, last)
    expect(stranger.page).to_have_url(link + "#2")
    stranger.page.reload()  # the address names what is shown
    entry_shown(stranger, 2, last)
    stranger.page.keyboard.press("End")
    expect(stranger.status).to_contain_text("Pip wins.")
    expect(stranger.page).to_have_url(f"{link}#{last}")
    slider = stranger.page.get_by_role("slider", name="Position in the match")
    slider.focus()
    stranger.page.keyboard.press("Home")
    entry_shown(stranger, 0, last)
    slider.fill("2")
    entry_shown(stranger, 2, last)
    stranger.page.keyboard.press("Space")  # the slider has the focus
    stranger.button("Pause").click()
    stranger.button("Play").click()
    expect(stranger.status).to_contain_text("Pip wins.")  # the replay has reached the end
    expect(stranger.button("Play")).to_be_visible()
    assert stranger.board() == player.board()
    stranger.log.last.click()
    stranger.button("To the end").click()
    expect(stranger.status).to_contain_text("Pip wins.")


def test_a_replay_shows_the_clocks(house, visit: Visit) -> None:
    host, friend = two_at_a_table(house, visit, clock={"bank": 600, "increment": 0})
    host.put("a1")
    friend.button("Resign").click()
    friend.dialog.get_by_role("button", name="Resign").click()
    expect(host.dialog).to_be_visible()
    stranger = visit(host.page.url + "/replay")
    expect(stranger.seats.first).to_contain_text("Heron")
    expect(stranger.page.get_by_role("timer")).to_have_count(0)
    stranger.page.get_by_role("slider").fill("2")
    expect(stranger.seats.first.get_by_role("timer")).to_have_text(re.compile(r"(9|10):\d\d"))


def test_sharing_a_replay(house, visit: Visit) -> None:
    player = visit(house.url, permissions=["clipboard-read", "clipboard-write"]).play_computer()
    lose(player)
    player.page.evaluate("delete Navigator.prototype.share")
    player.dialog.get_by_role("button", name="Share the replay").click()
    expect(player.dialog.get_by_role("button", name="Copied")).to_be_visible()
    assert player.page.evaluate("navigator.clipboard.readText()") == player.page.url + "/replay"


@pytest.mark.parametrize(("scheme", "viewport"), [("light", WIDE), ("dark", NARROW)], ids=["light-wide", "dark-narrow"])
def test_axe_finds_nothing_among_people(house, visit: Visit, scheme: str, viewport: dict[str, int]) -> None:
    look = {"color_scheme": scheme, "viewport": viewport}
    host = visit(house.url, **look)
    link = host.make_table(open=True, clock={"turn": 5})
    shelf = visit(house.url, **look)
    host.page.goto(link)
    expect(host.page.get_by_role("img", name="QR code of the link")).to_be_visible()
    expect(host.button("Let the computer take seat 2")).to_be_visible()
    found = {"waiting": findings(host)}
    expect(shelf.page.get_by_role("region", name="Open tables").get_by_role("link").first).to_be_visible()
    found["lobby"] = findings(shelf)
    shelf.new_table("Open to all")
    shelf.dialog.get_by_text("More options", exact=True).click()
    found["new table"] = findings(shelf)
    friend = visit(link, **look)
    friend.sit_down("Wren")
    expect(friend.button("Let the computer move")).to_be_visible()
    found["late"] = findings(host)
    found["a question"] = findings(friend)
    friend.button(re.compile("^Chat")).or_(friend.page.get_by_role("tab", name="Chat")).click()
    friend.button("Hello!").click()
    expect(friend.page.get_by_role("log")).to_contain_text("Hello!")
    found["talk"] = findings(friend)
    friend.page.keyboard.press("Escape")
    host.page.goto(house.url)
    host.page.get_by_role("link", name="All my matches").click()
    expect(host.page.get_by_role("heading", name="Still playing")).to_be_visible()
    found["my matches"] = findings(host)
    friend.button("Claim the win").click()
    found["claiming"] = findings(friend)
    friend.dialog.get_by_role("button", name="Claim the win").click()
    expect(friend.dialog.get_by_label("Another game with the same people")).to_be_visible()
    found["the end"] = findings(friend)
    friend.page.keyboard.press("Escape")
    friend.button("One move back").click()
    found["replay"] = findings(friend)
    assert {place: violations for place, violations in found.items() if violations} == {}
