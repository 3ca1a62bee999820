"""Chat, spectators, and sound."""

import re
from collections.abc import Callable

from players import Player
from playwright.sync_api import Locator, expect
from test_browser_everyone import PHONE, assert_all_in_sight
from test_browser_together import two_at_a_table

Visit = Callable[..., Player]
EVIL = "<img src=x onerror=\"document.title='caught'\"> & </p>"


def said(player: Player) -> Locator:
    return player.page.get_by_role("log", name=re.compile("What was said|Messaggi"))


def test_phrases_arrive_in_the_readers_language_and_text_as_text(house, visit: Visit) -> None:
    host = visit(house.url)
    host.rename("Heron")
    link = host.make_table()
    host.page.goto(link)
    friend = visit(link, locale="it-IT")
    friend.sit_down("Scricciolo")
    host.await_turn()
    host.page.get_by_role("tab", name="Chat").click()
    host.button("Good luck!").click()
    tab = friend.page.get_by_role("tab", name="Chat")
    expect(tab).to_contain_text("1")  # not read yet
    tab.click()
    expect(said(friend)).to_contain_text("Heron Buona fortuna!")
    expect(tab).not_to_contain_text("1")
    friend.page.get_by_label("Scrivi qualcosa").fill(EVIL)
    friend.page.keyboard.press("Enter")
    for player in (host, friend):
        expect(said(player).locator("p").last).to_have_text(f"Scricciolo {EVIL}")
        expect(said(player).locator("img")).to_have_count(0)
    expect(host.page).to_have_title("Your turn – Pin Point")
    host.page.reload()  # the messages are still there
    host.page.get_by_role("tab", name="Chat").click()
    expect(said(host).locator("p")).to_have_count(2)


def test_somebody_is_muted_on_this_device(house, visit: Visit) -> None:
    host, friend = two_at_a_table(house, visit)
    for player in (host, friend):
        player.page.get_by_role("tab", name="Chat").click()
    friend.button("Oops!").click()
    expect(said(host)).to_contain_text("Wren Oops!")
    host.button("Mute Wren").click()
    expect(said(host)).not_to_contain_text("Oops!")
    friend.button("Sorry!").click()
    expect(said(friend)).to_contain_text("Wren Sorry!")
    host.button("Hello!").click()  # later than what Wren said
    expect(said(host)).to_contain_text("Heron Hello!")
    expect(said(host)).not_to_contain_text("Sorry!")
    host.page.reload()
    host.page.get_by_role("tab", name="Chat").click()
    expect(said(host)).to_contain_text("Heron Hello!")
    expect(said(host)).not_to_contain_text("Sorry!")
    host.button("Unmute Wren").click()
    expect(said(host)).to_contain_text("Wren Sorry!")


def test_talk_on_a_narrow_screen_where_only_phrases_are_spoken(house, visit: Visit) -> None:
    host = visit(house.url)
    link = host.make_table(chat=False, clock={"bank": 600, "increment": 5})
    host.page.goto(link)
    friend = visit(link, **PHONE)
    friend.sit_down("Wren")
    host.await_turn()
    host.page.get_by_role("tab", name="Chat").click()
    host.button("Have fun!").click()
    expect(friend.seats.first).to_contain_text("Have fun!")  # beside the speaker, for a while
    expect(friend.page.get_by_role("tab")).to_have_count(0)
    friend.button(re.compile("Chat.*1")).tap()
    expect(said(friend)).to_contain_text("Have fun!")
    expect(friend.dialog.get_by_text("At this table you can only use the ready-made phrases.")).to_be_visible()
    expect(friend.dialog.get_by_role("textbox")).to_have_count(0)
    friend.button("Thank you!").tap()
    expect(said(host)).to_contain_text("Wren Thank you!")
    friend.page.keyboard.press("Escape")
    expect(friend.button("Chat")).to_be_visible()  # no message is unread
    host.button("Offer a draw").click()
    host.dialog.get_by_role("button", name="Offer a draw").click()
    expect(friend.button("Accept")).to_be_in_viewport(ratio=1)
    assert_all_in_sight(friend)


def test_those_who_watch_are_counted_and_see_late(house, visit: Visit) -> None:
    host, friend = two_at_a_table(house, visit, delay=3600)
    watcher = visit(host.page.url)
    expect(watcher.page.get_by_text("You are watching with a delay of 1 h.")).to_be_visible()
    expect(host.page.get_by_role("img", name="One person watches")).to_be_visible()
    host.put("a1")
    expect(friend.hole("a1")).to_have_attribute("aria-label", "a1, red")
    expect(watcher.hole("a1")).to_have_attribute("aria-label", "a1, empty")
    second = visit(host.page.url)
    expect(friend.page.get_by_role("img", name="2 people watch")).to_be_visible()
    expect(second.hole("a1")).to_have_attribute("aria-label", "a1, empty")
    second.page.close()
    expect(friend.page.get_by_role("img", name="One person watches")).to_be_visible()


def test_sound_goes_off_by_one_click_and_stays_off(house, visit: Visit) -> None:
    player = visit(house.url)
    player.page.add_init_script(
        """const Room = AudioContext; window.rooms = 0;
        window.AudioContext = class extends Room { constructor() { super(); window.rooms += 1; } };"""
    )
    player.page.reload()
    player.play_computer()
    player.page.reload()
    player.await_turn()
    assert player.page.evaluate("window.rooms") == 0  # no sound before a gesture
    player.put_somewhere()
    assert player.page.evaluate("window.rooms") == 1
    player.button("Switch sound off").click()
    player.page.reload()
    expect(player.button("Switch sound on")).to_be_visible()
