"""At the table together: the lobby, chairs, clocks, leaving and coming back, takebacks, draws, the next match."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from players import HANG_GUARD, Player
from playwright.sync_api import Locator, WebSocketRoute, expect

Visit = Callable[..., Player]
ITALIAN = json.loads((Path(__file__).parents[2] / "web" / "src" / "words" / "it.json").read_text())


def two_at_a_table(house, visit: Visit, **wanted) -> tuple[Player, Player]:
    """Return Heron on the first seat, to move, and Wren on the second."""
    host = visit(house.url)
    host.rename("Heron")
    link = host.make_table(**wanted)
    host.page.goto(link)
    friend = visit(link)
    friend.sit_down("Wren")
    host.await_turn()
    expect(friend.status).to_contain_text("Heron’s turn.")
    return host, friend


def lobby(player: Player) -> Locator:
    return player.page.get_by_role("region", name="Open tables")


# Before the match


def test_a_stranger_joins_from_the_lobby(house, visit: Visit) -> None:
    private, host, stranger = visit(house.url), visit(house.url), visit(house.url)
    private.rename("Nightjar")
    private.page.goto(private.make_table())
    host.new_table("Open to all")
    host.page.get_by_label("Name, seat 1").fill("Oystercatcher")
    host.page.get_by_label("Who begins").select_option(index=1)
    host.page.get_by_label("Clock").select_option(label="5 min each, plus 5 s a turn")
    host.button("Open the table").click()
    expect(host.page.get_by_text("5 min each, plus 5 s a turn")).to_be_visible()
    row = lobby(stranger).get_by_role("listitem").filter(has_text="Oystercatcher")
    expect(row).to_contain_text("Pin Point")
    expect(row).to_contain_text("one seat free · 5 min each, plus 5 s a turn")
    expect(lobby(stranger)).not_to_contain_text("Nightjar")  # a private table is not listed

    onlooker = visit(house.url)
    theirs = lobby(onlooker).get_by_role("listitem").filter(has_text="Oystercatcher")
    expect(theirs).to_be_visible()
    row.get_by_role("link", name="Join").click()
    stranger.sit_down("Dunlin")
    host.await_turn()
    expect(stranger.status).to_contain_text("Oystercatcher’s turn.")
    expect(theirs).to_have_count(0)  # the table is full
    expect(host.seats.first.get_by_role("timer")).to_have_text(re.compile(r"[45]:\d\d"))


def test_the_creator_sends_somebody_away_and_seats_bots(house, visit: Visit) -> None:
    host = visit(house.url)
    link = host.make_table(
        options={"players": 3, "start": 1}, seats=[{"for": "me"}, {"for": "anyone"}, {"for": "anyone"}]
    )
    host.page.goto(link)
    guest = visit(link)
    guest.page.get_by_label("Your name").fill("Cuckoo")
    guest.button("Take seat 3").click()
    expect(host.seats.nth(2)).to_contain_text("Cuckoo")
    expect(guest.button(re.compile("Remove"))).to_have_count(0)
    guest.button("Stand up").click()
    expect(host.seats.nth(2)).to_contain_text("Free seat")
    guest.button("Take seat 3").click()
    expect(host.seats.nth(2)).to_contain_text("Cuckoo")
    host.button("Remove Cuckoo from the table").click()
    expect(host.seats.nth(2)).to_contain_text("Free seat")
    expect(guest.page.get_by_role("heading", name="There is a seat for you")).to_be_visible()
    guest.button("Sit down").click()
    expect(guest.page.get_by_role("alert")).to_contain_text("The host has removed you from this table.")
    for seat in (2, 3):
        host.seats.nth(seat - 1).get_by_label("Level of the computer").select_option("novice")
        host.button(f"Let the computer take seat {seat}").click()
    host.await_turn()
    expect(host.seats.nth(1)).to_contain_text("Novice")


def test_an_invitation_by_link_and_by_code(house, visit: Visit) -> None:
    host = visit(house.url)
    host.page.goto(host.make_table(clock={"turn": 3 * 86400}, delay=300, chat=False))
    code = host.page.get_by_role("img", name="QR code of the link")
    expect(code.locator("path")).to_have_attribute("d", re.compile(r"^M4 4h7v1h-7z"))  # the first corner of every code
    expect(
        host.page.get_by_text("3 days for each turn · Spectators see the moves 5 min later · Ready-made phrases only")
    ).to_be_visible()


def test_an_offered_name_is_in_the_readers_language(house, visit: Visit) -> None:
    host = visit(house.url)
    friend = visit(host.make_table(), locale="it-IT")
    field = friend.page.get_by_label("Il tuo nome")
    expect(field).not_to_be_empty()
    assert field.input_value() in ITALIAN["name.offered"].split(", ")


# Clocks and absent players


def test_a_clock_of_ones_own(house, visit: Visit) -> None:
    host = visit(house.url)
    host.new_table("By a link")
    host.page.get_by_label("Clock").select_option("bank")
    host.page.get_by_label("Extra seconds every turn").fill("3")
    minutes = host.page.get_by_label("Minutes for each player")
    minutes.fill("")
    host.button("Get the link").click()
    expect(minutes).to_be_focused()  # the field that is missing
    minutes.fill("12")
    host.button("Get the link").click()
    expect(host.page.get_by_text("12 min each, plus 3 s a turn")).to_be_visible()


def test_time_that_ran_out_is_claimed(house, visit: Visit) -> None:
    host, friend = two_at_a_table(house, visit, clock={"turn": 5})
    expect(host.seats.first.get_by_role("timer")).to_have_text(re.compile(r"0:0\d!"))  # little time: a sign says it too
    expect(friend.page.get_by_text("Heron has run out of time.")).to_be_visible()
    expect(host.page.get_by_text("Your time is up.")).to_be_visible()
    friend.button("Claim the win").click()
    friend.dialog.get_by_role("button", name="Claim the win").click()
    expect(friend.dialog.get_by_role("heading", level=2)).to_have_text("You win!")
    expect(friend.dialog).to_contain_text("Heron ran out of time, and you claimed the win.")
    expect(host.dialog.get_by_role("heading", level=2)).to_have_text("Wren wins.")
    expect(host.dialog).to_contain_text("Your time ran out; Wren claimed the win.")
    expect(host.seats.first.locator(".clock")).to_have_text("0:00")  # the clock does not jump back
    expect(host.log.first).to_contain_text("Wren claims the match: Heron ran out of time")


def test_a_bot_stands_in_until_the_person_is_back(house, visit: Visit) -> None:
    host, friend = two_at_a_table(house, visit, clock={"turn": 5})
    friend.button("Let the computer move").click()
    expect(friend.seats.first).to_contain_text("the computer plays")
    expect(host.page.get_by_text("The computer is playing for you.")).to_be_visible()
    friend.await_turn()  # the bot has put Heron's four pins
    host.button("I’m back").click()
    expect(friend.seats.first).not_to_contain_text("the computer plays")
    expect(host.page.get_by_text("The computer is playing for you.")).to_be_hidden()


def test_who_leaves_is_away_and_keeps_the_seat(house, visit: Visit) -> None:
    host, friend = two_at_a_table(house, visit)
    link = host.page.url
    host.put("a1")
    host.page.goto(house.url)
    expect(friend.seats.first).to_contain_text("away")
    row = host.page.get_by_role("region", name="My matches")
    expect(row).to_contain_text("Your turn")
    host.page.goto(link)
    expect(friend.seats.first).not_to_contain_text("away")
    host.await_turn()
    expect(host.hole("a1")).to_have_attribute("aria-label", "a1, red")


class Wire:
    """A player's connection, which a test can cut, freeze and restore."""

    def __init__(self, player: Player) -> None:
        self.cut = False
        self.open: list[WebSocketRoute] = []
        self.asleep: list[WebSocketRoute] = []
        self.said: list[dict] = []
        self.told: list[dict] = []
        player.page.route_web_socket("**/api/socket", self.connect)

    def connect(self, page: WebSocketRoute) -> None:
        if self.cut:
            page.close()
            return
        server = page.connect_to_server()
        self.open.append(page)

        def up(message: str | bytes) -> None:
            self.said.append(json.loads(message))
            if page not in self.asleep:
                server.send(message)

        def down(message: str | bytes) -> None:
            self.told.append(json.loads(message))
            page.send(message)

        page.on_message(up)
        server.on_message(down)

    def break_off(self) -> None:
        self.cut = True
        for page in self.open:
            page.close()

    def sleep(self) -> None:
        """Freeze the connection: nothing arrives, and no error is reported."""
        self.asleep = list(self.open)


def test_what_was_missed_is_sent_and_nothing_else(house, visit: Visit) -> None:
    host, friend = two_at_a_table(house, visit)
    wire = Wire(friend)
    friend.page.reload()
    expect(friend.status).to_contain_text("Heron’s turn.")
    host.put("a1")
    expect(friend.hole("a1")).to_have_attribute("aria-label", "a1, red")
    known = friend.entries()
    wire.break_off()
    expect(friend.page.get_by_text("Connection lost.")).to_be_visible()
    host.put("b1")
    host.put("c1")
    wire.said.clear()
    wire.told.clear()
    wire.cut = False
    for hole in ("b1", "c1"):
        expect(friend.hole(hole)).not_to_have_attribute("aria-label", f"{hole}, empty")
    expect(friend.page.get_by_text("Connection lost.")).to_be_hidden()
    assert [said["have"] for said in wire.said if said["do"] == "watch"] == [known]
    table = next(told for told in wire.told if told["type"] == "table")
    assert [entry["n"] for entry in table["entries"]] == [known + 1, known + 2]
    assert friend.board() == host.board()


def test_a_connection_that_slept_is_given_up(house, visit: Visit) -> None:
    player = visit(house.url).play_computer()
    wire = Wire(player)
    player.page.reload()
    player.await_turn()
    wire.sleep()
    player.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # the phone wakes up
    for _ in range(HANG_GUARD // 100):
        if len(wire.open) == 2:
            break
        player.page.wait_for_timeout(100)
    assert len(wire.open) == 2
    player.put_somewhere()


def test_the_turn_is_in_the_title(house, visit: Visit) -> None:
    host, friend = two_at_a_table(house, visit)
    icon = 'link[rel="icon"]'
    expect(host.page).to_have_title("Your turn – Pin Point")
    expect(host.page.locator(icon)).to_have_attribute("href", "/favicon-turn.svg")
    expect(friend.page).to_have_title("Pin Point · Ludoteca")
    for hole in ("a1", "b1", "c1", "d1"):
        host.put(hole)
    expect(friend.page).to_have_title("Your turn – Pin Point")
    expect(host.page).to_have_title("Pin Point · Ludoteca")
    expect(host.page.locator(icon)).to_have_attribute("href", "/favicon.svg")


# By agreement


def test_a_takeback_is_asked_for(house, visit: Visit) -> None:
    host, friend = two_at_a_table(house, visit)
    host.put("a1")
    host.button("Ask to take back").click()
    expect(host.page.get_by_text("You have asked to take back. Waiting for an answer.")).to_be_visible()
    expect(friend.page.get_by_text("Heron would like to take back the last move.")).to_be_visible()
    friend.button("No").click()
    expect(host.page.get_by_text("You have asked to take back. Waiting for an answer.")).to_be_hidden()
    expect(host.hole("a1")).to_have_attribute("aria-label", "a1, red")
    host.button("Ask to take back").click()
    friend.button("Agree").click()
    for player in (host, friend):
        expect(player.hole("a1")).to_have_attribute("aria-label", "a1, empty")
        expect(player.log.first).to_contain_text("Moves taken back")


def test_the_asker_reads_that_a_takeback_was_refused(house, visit: Visit) -> None:
    host, friend = two_at_a_table(house, visit)
    host.put("a1")
    host.button("Ask to take back").click()
    friend.button("No").click()
    expect(host.page.get_by_text("Wren does not agree to the takeback.")).to_be_visible()


def test_who_resigned_among_three_is_not_asked_to_come_back(house, visit: Visit) -> None:
    host = visit(house.url)
    seats = [{"for": "me"}, {"for": "bot", "bot": "novice"}, {"for": "bot", "bot": "novice"}]
    host.page.goto(host.make_table(options={"players": 3, "start": 1}, seats=seats))
    host.await_turn()
    host.button("Resign").click()
    host.dialog.get_by_role("button", name="Resign").click()
    expect(host.seats.first).to_contain_text("the computer plays")
    expect(host.log.filter(has_text="The computer plays for").first).to_be_visible()
    expect(host.button("I’m back")).to_have_count(0)


def test_time_does_not_run_while_the_page_shows_what_bots_did(house, visit: Visit) -> None:
    """12 A3: twelve pins of three bots took half of the 15 seconds of a turn."""
    host = visit(house.url)
    seats = [{"for": "bot", "bot": "novice"}] * 3 + [{"for": "me"}]
    host.page.goto(host.make_table(options={"players": 4, "start": 1, "turn_seconds": 15}, seats=seats))
    host.await_turn()
    for _ in range(4):
        host.put_somewhere()
    expect(host.pins.and_(host.page.locator("[aria-pressed=true]"))).to_have_count(0)
    host.page.evaluate("""() => {
        const turn = () => document.querySelector('.say .now')?.textContent.includes('Your turn');
        const left = () => document.querySelector('[data-seat="4"] .clock')?.textContent.trim();
        const watch = new MutationObserver(() => { if (turn()) { window.began = left(); watch.disconnect(); } });
        watch.observe(document.body, {subtree: true, childList: true, characterData: true});
    }""")
    host.await_turn()
    began = host.page.evaluate("window.began")
    assert began in ("0:15", "0:15!", "0:14", "0:14!"), began


def offer_draw(player: Player) -> None:
    player.button("Offer a draw").click()
    player.dialog.get_by_role("button", name="Offer a draw").click()


def test_a_draw_is_offered(house, visit: Visit) -> None:
    host, friend = two_at_a_table(house, visit)
    host.button("Offer a draw").click()
    host.dialog.get_by_role("button", name="Play on").click()
    expect(host.log.filter(has_text="draw")).to_have_count(0)  # one tap by mistake offers nothing
    offer_draw(host)
    expect(host.page.get_by_text("You offer a draw.")).to_be_visible()
    expect(friend.button("Accept")).to_be_visible()
    expect(host.button("Offer a draw")).to_be_disabled()
    host.button("Withdraw").click()
    expect(friend.button("Accept")).to_be_hidden()
    expect(friend.log.first).to_contain_text("Heron withdraws the offer of a draw")
    offer_draw(host)
    friend.button("No").click()
    expect(host.log.first).to_contain_text("Wren declines the draw")
    offer_draw(friend)
    expect(host.page.get_by_text("Wren offers a draw.")).to_be_visible()
    host.button("Accept").click()
    for player in (host, friend):
        expect(player.dialog.get_by_role("heading", level=2)).to_have_text("It’s a draw.")
        expect(player.dialog).to_contain_text("The players agreed to a draw.")


def ask_for_hints(player: Player) -> None:
    player.button("Hints…").click()
    player.dialog.get_by_role("button", name="Ask the others").click()


def test_hints_are_on_once_both_have_agreed(house, visit: Visit) -> None:
    host, friend = two_at_a_table(house, visit)
    on = re.compile("Hints are on: everybody agreed")
    expect(host.button("Hint")).to_have_count(0)
    ask_for_hints(host)
    expect(host.page.get_by_text("You have agreed to hints for everybody.")).to_be_visible()
    expect(friend.page.get_by_text("Heron would like hints for everybody.")).to_be_visible()
    friend.button("No").click()
    expect(host.log.first).to_contain_text("Wren wants no hints")
    expect(host.button("Hint")).to_have_count(0)
    ask_for_hints(friend)
    host.button("Agree").click()
    for player in (host, friend):
        expect(player.button(on)).to_be_visible()
    host.hear_whole_hint()
    expect(host.status).to_contain_text("Hint: ")
    expect(friend.button("Hint")).to_be_disabled()  # it is not their turn
    expect(friend.status).not_to_contain_text("Hint: ")
    host.put_somewhere()
    for player in (host, friend):
        player.page.reload()
        expect(player.button(on)).to_be_visible()
    friend.button(on).click()
    friend.dialog.get_by_role("button", name="Turn them off").click()
    for player in (host, friend):
        expect(player.button(on)).to_be_hidden()
        expect(player.button("Hints…")).to_be_enabled()


def test_another_game_with_the_same_people(house, visit: Visit) -> None:
    host, friend = two_at_a_table(house, visit)
    elsewhere = two_at_a_table(house, visit)[0].page.url  # a table of other players
    host.button("Resign").click()
    host.dialog.get_by_role("button", name="Resign").click()
    next_game = host.dialog.get_by_label("Another game with the same people")
    next_game.select_option(label="AFTAEBR")
    expect(host.dialog.get_by_text("It is your turn")).to_have_count(0)
    host.dialog.get_by_role("button", name="Play this next").click()
    expect(friend.dialog.get_by_role("button", name="Go to the rematch")).to_be_visible()
    friend.dialog.get_by_role("button", name="Go to the rematch").click()
    for player in (host, friend):
        expect(player.page.get_by_role("heading", name="AFTAEBR")).to_be_attached()
        expect(player.seats.first).to_contain_text("Wren")  # everybody has moved up one seat
        expect(player.seats.nth(1)).to_contain_text("Heron")
    assert host.page.url == friend.page.url != elsewhere


def test_my_turn_elsewhere(house, visit: Visit) -> None:
    host, friend = two_at_a_table(house, visit)
    waiting = host.page.url
    host.page.goto(house.url)
    host.play_computer()
    host.button("Resign").click()
    host.dialog.get_by_role("button", name="Resign").click()
    expect(host.dialog.get_by_text("It is your turn in a match of Pin Point.")).to_be_visible()
    host.dialog.get_by_role("link", name="Go there").click()
    host.await_turn()
    assert host.page.url == waiting
    expect(friend.seats.first).not_to_contain_text("away")
