"""Hidden hands in the browser: each player is sent only their own; a shared device is covered when it is passed on."""

import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from players import Player
from playwright.sync_api import Route, WebSocket, expect
from test_browser_everyone import WIDE, findings
from tictacmatch_player import TicTacMatch

from ludoteca.core.match import Match
from ludoteca.core.record import from_json


@pytest.fixture
def come(house, visit: Callable[..., Player]) -> Callable[..., TicTacMatch]:
    return lambda **settings: TicTacMatch(visit(house.url, **settings).page)


class Traffic:
    """Everything that a browser was sent, over HTTP and through its sockets."""

    def __init__(self, player: Player) -> None:
        self.frames: list[str] = []
        self.answers: list[str] = []
        player.page.on("websocket", self._listen)
        player.page.route(re.compile("/api/"), self._hand_on)
        player.page.reload()

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))

    def _hand_on(self, route: Route) -> None:
        answer = route.fetch()
        self.answers.append(answer.text())
        route.fulfill(response=answer)

    def while_it_ran(self) -> Iterator[dict[str, Any]]:
        """Return every message before the one with the result."""
        for frame in self.frames:
            told = json.loads(frame)
            if told.get("result"):
                return
            yield told

    def raw(self) -> str:
        return "\n".join([*map(json.dumps, self.while_it_ran()), *self.answers])


def cards_told(messages: Iterator[dict[str, Any]], seat: int) -> set[str]:
    """Return what was sent about a seat's cards while they were hidden: in views, in entries, in the log's words."""
    told: set[str] = set()
    for message in messages:
        view = message.get("view") or {}
        if view and view["phase"] != "redeal":  # in a redeal the hand is laid down
            told.update(view["hands"][seat - 1] or ["?"])
        for entry in message.get("entries", ()):
            if re.match(f"(deal|draw) {seat} ", entry["move"]):
                told.update(entry["move"].split()[2:])
                told.update(entry["marks"]["drawn"]["cards"] or ["?"])
                told.update(card["key"] for card in entry["message"]["params"].get("cards", ()))
    return told


@pytest.mark.rule("TT-21")
def test_two_browsers_never_receive_each_others_hands(
    house, come: Callable[..., TicTacMatch], visit: Callable[..., Player]
) -> None:
    host = come()
    host.new_table("By a link")
    host.page.get_by_label("Name, seat 1").fill("Heron")
    host.page.get_by_label("Who begins").select_option(index=1)
    host.button("Get the link").click()
    link = host.page.get_by_label("Link to this table").input_value()
    friend, watcher = TicTacMatch(visit(link).page), TicTacMatch(visit(link).page)
    traffic = {player: Traffic(player) for player in (host, friend, watcher)}
    friend.page.get_by_label("Your name").fill("Wren")
    friend.button("Sit down").click()
    players, chance = {"Heron": host, "Wren": friend}, random.Random(8)
    for turn in range(10):
        name, player = list(players.items())[turn % 2]
        if not player.await_turn_or_end():
            break
        expect(watcher.status).to_contain_text(f"{name}’s turn.")
        while player.may_play.or_(player.targets).count():
            player.do_anything(chance)
            told = re.compile("turn" if player.outcome.count() == 0 else "wins?")
            expect(player.status).to_contain_text(told)
            if player.outcome.count():
                break
            mine = player.may_play.or_(player.targets)
            theirs = player.status.filter(has_text=f"{'Wren' if name == 'Heron' else 'Heron'}’s turn.")
            expect(mine.or_(theirs).or_(player.outcome).first).to_be_visible()
        expect(watcher.hand).to_have_count(0)
    running = httpx.get(f"{house.url}/api/tables/{link.rsplit('/', 1)[1]}/record").text
    if host.outcome.count() == 0:
        host.button("Resign").click()
        host.dialog.get_by_role("button", name="Resign").click()
        assert not re.search(r"(deal|draw) \d [XOFWD]", running)
    for player in traffic:
        expect(player.outcome).to_be_visible()
    record = from_json(httpx.get(f"{house.url}/api/tables/{link.rsplit('/', 1)[1]}/record").content)
    assert Match.load(record).result == record.result
    hidden = [entry.move for entry in record.log if re.match("(deal|draw) ", entry.move)]
    assert len(hidden) > 4
    for player, seat, other in ((host, 1, 2), (friend, 2, 1)):
        own = cards_told(traffic[player].while_it_ran(), seat)
        assert {card for move in hidden if move.split()[1] == str(seat) for card in move.split()[2:]} <= own
        assert cards_told(traffic[player].while_it_ran(), other) == {"?"}
        raw = traffic[player].raw()
        assert [move for move in hidden if move in raw] == [move for move in hidden if move.split()[1] == str(seat)]
    raw = traffic[watcher].raw()
    assert [move for move in hidden if move in raw] == []
    assert cards_told(traffic[watcher].while_it_ran(), 1) == cards_told(traffic[watcher].while_it_ran(), 2) == {"?"}


def test_on_one_device_a_hand_is_covered_until_its_player_is_ready(come: Callable[..., TicTacMatch]) -> None:
    player, chance = come(), random.Random(5)
    traffic = Traffic(player)
    player.new_table("On this device")
    for seat, name in enumerate(("Lark", "Tern"), start=1):
        player.page.get_by_label(f"Name, seat {seat}").fill(name)
    player.page.get_by_label("Who begins").select_option(index=1)
    player.button("Start").click()
    names = ("Lark", "Tern")
    for turn in range(6):
        if not player.await_turn_or_end():
            break
        name, seat = names[turn % 2], turn % 2 + 1
        expect(player.ready).to_have_text(f"I’m {name}, ready")
        expect(player.hand).to_have_count(0)
        expect(player.page.get_by_role("region", name=f"Pass the device to {name}.")).to_be_visible()
        expect(player.page.locator("[aria-live=polite]")).to_have_text(f"Pass the device to {name}.")
        expect(player.log.filter(has_text=re.compile("draws (red|blue|yellow|green)"))).to_have_count(0)
        expect(player.button("Hint")).to_be_disabled()
        player.space("a1").click()
        expect(player.page.get_by_role("alert")).to_have_text(f"Pass the device to {name}.")
        covered = json.loads([frame for frame in traffic.frames if '"eye"' in frame][-1])
        assert (covered["eye"], covered["view"]["hands"], covered["legal"]) == (None, [None, None], {})
        if turn == 1:
            assert findings(player) == []
        player.ready.click()
        player.await_turn()
        expect(player.hand).to_have_count(4)
        shown = json.loads([frame for frame in traffic.frames if '"eye"' in frame][-1])
        assert (shown["eye"], shown["view"]["hands"][2 - seat]) == (seat, None)
        player.play_turn(chance)
    assert any(told.get("eye") for told in traffic.while_it_ran())


def test_four_seats_in_teams(come: Callable[..., TicTacMatch]) -> None:
    player, chance = come(viewport=WIDE), random.Random(7)
    for _ in range(5):  # the match may be over before the device is passed on
        player.page.goto(re.sub(r"(//[^/]*).*", r"\1", player.page.url))
        player.new_table("On this device")
        player.dialog.get_by_text("4", exact=True).click()
        for seat, name in ((1, "Lark"), (3, "Tern")):
            player.page.get_by_label(f"Name, seat {seat}").fill(name)
        for seat in (2, 4):
            player.page.get_by_label(f"Who takes seat {seat}?").select_option("novice")
        expect(player.page.get_by_label("Teams")).to_have_value("0")
        player.page.get_by_label("Who begins").select_option(index=1)
        player.button("Start").click()
        expect(player.ready).to_have_text("I’m Lark, ready")
        identities = player.identities()
        assert identities[:2] == identities[2:]
        assert set(identities) == {"X", "O"}
        expect(player.seats.nth(0)).to_contain_text("Team 1")
        expect(player.seats.nth(2)).to_contain_text("Team 1")
        expect(player.seats.nth(3)).to_contain_text("Team 2")
        expect(player.seats.nth(3)).to_contain_text("dealer")
        player.ready.click()
        player.await_turn()
        while player.await_turn_or_end() and player.ready.count() == 0:
            player.play_turn(chance)
        if player.ready.count():
            break
    expect(player.ready).to_have_text("I’m Tern, ready")
    expect(
        player.log.filter(has_text=re.compile("Lark (draws [0-9]+ from the pile|is dealt 4 cards)")).first
    ).to_be_visible()
    told = re.compile("Lark (draws|is dealt) ([A-Z]|red|blue|yellow|green)")
    expect(player.log.filter(has_text=told)).to_have_count(0)  # the log was Lark's before
    player.ready.click()
    player.await_turn()
    expect(player.log.filter(has_text=re.compile("Tern is dealt ([A-Z]|red|blue|yellow|green)"))).to_have_count(1)
    player.button("Resign").click()
    player.dialog.get_by_role("button", name="Resign").click()
    expect(player.dialog.get_by_role("heading", level=2)).to_have_text("Team 2 wins: Pip, Dot.")
    expect(player.dialog).to_contain_text("By resignation.")
