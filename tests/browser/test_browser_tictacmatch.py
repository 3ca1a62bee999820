"""Tic-Tac Match in the browser: against the computer, hidden hands at two screens and at one, teams, for everyone."""

import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from players import Player
from playwright.sync_api import Locator, WebSocket, expect
from test_browser_everyone import NARROW, PHONE, WIDE, findings, tab_to

from ludoteca.core.match import Match
from ludoteca.core.record import from_json

RAW_KEY = re.compile(r"\b(core|tictacmatch|home|new|wait|seat|say|log|act|end|idle|table|level|ready|rules)\.[a-z_]+")
SYMBOL = re.compile("^(Red|Blue|Yellow|Green) [XO]")
COLOUR_NAMES = {"R": "Red", "B": "Blue", "Y": "Yellow", "G": "Green"}
SPECIAL_NAMES = {"F": "Flip", "W": "Wipe-Out", "D": "Double Play"}
TRIES = 500  # tables that are laid until the cards fall as wanted: one in three to one in ten does


def named(card: str) -> str:
    return SPECIAL_NAMES.get(card) or f"{COLOUR_NAMES[card[1]]} {card[0]}"


class TicTacMatch(Player):
    game = "Tic-Tac Match"

    @property
    def hand(self) -> Locator:
        return self.page.get_by_role("group", name=re.compile("^(Hand|Mano)$")).get_by_role("button")

    @property
    def may_play(self) -> Locator:
        return self.hand.and_(self.page.locator("[aria-pressed]"))

    @property
    def targets(self) -> Locator:
        return self.page.locator(".targets button")

    @property
    def ready(self) -> Locator:
        return self.button(re.compile("^I am .*, ready$"))

    @property
    def outcome(self) -> Locator:
        return self.page.locator("main .outcome").first

    @property
    def seats(self) -> Locator:
        return self.page.get_by_role("list", name="Players").locator(".seat")

    def identities(self) -> list[str]:
        return [re.findall(r"\bis ([XO])\b", text)[0] for text in self.seats.all_inner_texts()]

    def cards(self) -> list[str]:
        return self.hand.evaluate_all("cards => cards.map(card => card.ariaLabel)")

    def card(self, name: str) -> Locator:
        return self.hand.and_(self.page.locator(f'[aria-label^="{name}"]')).first

    def space(self, name: str) -> Locator:
        return self.page.locator(f'[data-space="{name}"]')

    def spaces_that_fit(self) -> list[str]:
        return self.page.locator("[data-space].fits").evaluate_all("cells => cells.map(cell => cell.dataset.space)")

    def await_turn(self) -> None:
        expect(self.may_play.or_(self.targets).first).to_be_visible()

    def await_turn_or_end(self) -> bool:
        """Whether there is something to do here; otherwise the match is over."""
        expect(self.may_play.or_(self.targets).or_(self.ready).or_(self.outcome).first).to_be_visible()
        return self.outcome.count() == 0

    def play(self, card: str, space: str | None = None) -> None:
        """Plays a card, named as its label begins, and waits until it was played."""
        known = self.log.count()
        self.card(card).click()
        if space:
            self.space(space).click()
        else:
            self.button(f"Play {card}").click()
        expect(self.log.nth(known)).to_be_visible()

    def do_anything(self, chance: random.Random) -> None:
        """Anything that is allowed, and waits until it was done."""
        known = self.log.count()
        if self.targets.count():
            chance.choice(self.targets.all()).click()
        else:
            card = chance.choice([card for card in self.cards() if "cannot be played" not in card])
            self.card(card.partition(",")[0]).click()
            if SYMBOL.match(card):
                self.space(chance.choice(self.spaces_that_fit())).click()
            else:
                self.page.locator("button.play").click()
        expect(self.log.nth(known)).to_be_visible()

    def play_turn(self, chance: random.Random) -> None:
        """Until somebody else is on the move, or the match is over."""
        whose = self.status.inner_text().partition("’s turn")[0]
        while self.may_play.or_(self.targets).count() and self.status.inner_text().startswith(whose):
            self.do_anything(chance)
            expect(
                self.may_play.or_(self.targets).or_(self.page.locator("main .dots, .ready, main .outcome")).first
            ).to_be_visible()


@pytest.fixture
def come(house, visit: Callable[..., Player]) -> Callable[..., TicTacMatch]:
    return lambda **settings: TicTacMatch(visit(house.url, **settings).page)


def dealt(player: TicTacMatch, wanted: Callable[[list[str], str], bool]) -> list[str]:
    """A match against the computer that seat 1 begins with such a hand, the centre being this card."""
    expect(player.box).to_be_visible()  # the page has its guest's cookie
    for _ in range(TRIES):
        table, hand, centre = player.page.evaluate(LAY_A_TABLE)
        if wanted(hand, centre):
            player.page.goto(re.sub(r"(//[^/]*).*", r"\1", player.page.url) + f"/t/{table}")
            player.await_turn()
            return hand
    raise AssertionError("the cards never fell so")


LAY_A_TABLE = """async () => {
    const wanted = {game: "tictacmatch", options: {start: 1}, seats: [{for: "me"}, {for: "bot", bot: "novice"}]};
    const post = {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(wanted)};
    const {table} = await fetch("/api/tables", post).then(answer => answer.json());
    const socket = new WebSocket(`ws://${location.host}/api/socket`);
    await new Promise(go => socket.onopen = go);
    const begun = new Promise(go => socket.onmessage = ({data}) => {
        const told = JSON.parse(data);
        if (told.started && told.view) go(told.view);
    });
    socket.send(JSON.stringify({do: "watch", id: 1, table, have: 0}));
    socket.send(JSON.stringify({do: "sit", id: 2, table, seat: 1, bytes: "00".repeat(16)}));
    const {hands, grid} = await begun;
    socket.close();
    return [table, hands[0], grid[4][0]];
}"""


def has(*cards: str) -> Callable[[list[str], str], bool]:
    """A hand with these, and a symbol card that can be played anywhere but on its like."""
    return lambda hand, _: all(card in hand for card in cards) and any(len(card) == 2 for card in hand)


def symbols(hand: list[str]) -> list[str]:
    return [named(card) for card in hand if len(card) == 2]


def test_a_whole_match(come: Callable[..., TicTacMatch]) -> None:
    player, chance = come().play_computer(), random.Random(4)
    assert set(player.identities()) == {"X", "O"}
    while player.await_turn_or_end():
        player.do_anything(chance)
    dialog = player.dialog
    expect(dialog).to_be_visible()
    row = player.page.locator("[data-space].won")
    shown = {label.split(";")[0].split(", ")[1] for label in row.evaluate_all("cells => cells.map(c => c.ariaLabel)")}
    assert row.count() >= 3
    assert len(shown) == 1
    winner = shown.pop()[-1]
    mine = player.identities()[0] == winner
    expect(dialog.get_by_role("heading", level=2)).to_have_text("You win!" if mine else "Novice wins.")
    expect(dialog).to_contain_text(f"whoever is {winner} wins.")
    expect(dialog).to_contain_text("laid the last card")
    expect(dialog.get_by_role("listitem").filter(has_text="wins")).to_have_count(1)
    expect(dialog.get_by_role("img", name=re.compile("^Cards left: "))).to_have_count(2)
    expect(player.log.filter(has_text="Novice is dealt")).not_to_contain_text("4 cards")  # the log is open now
    assert findings(player) == []
    player.button("See the board").click()
    expect(player.outcome).to_contain_text(f"whoever is {winner} wins.")
    assert findings(player) == []
    player.button("Rematch").click()
    player.await_turn()
    expect(player.log.filter(has_text="Novice is dealt 4 cards")).to_have_count(1)


class Traffic:
    """All that a browser was sent, over HTTP and through its sockets."""

    def __init__(self, player: Player) -> None:
        self.frames: list[str] = []
        self.answers: list[Any] = []
        player.page.on("websocket", self._listen)
        player.page.on("response", lambda response: "/api/" in response.url and self.answers.append(response))
        player.page.reload()

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))

    def while_it_ran(self) -> Iterator[dict[str, Any]]:
        """Every message up to the one that told of the result."""
        for frame in self.frames:
            told = json.loads(frame)
            if told.get("result"):
                return
            yield told

    def raw(self) -> str:
        return "\n".join([*map(json.dumps, self.while_it_ran()), *(answer.text() for answer in self.answers)])


def cards_told(messages: Iterator[dict[str, Any]], seat: int) -> set[str]:
    """What was told of a seat's cards while they were hidden: in views, in entries, in the words of the log."""
    told: set[str] = set()
    for message in messages:
        view = message.get("view") or {}
        if view and view["phase"] != "redeal":  # then the hand is laid down
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
    host.page.get_by_label("Who begins").select_option(label="Seat 1")
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
    player.page.get_by_label("Who begins").select_option(label="Seat 1")
    player.button("Start").click()
    names = ("Lark", "Tern")
    for turn in range(6):
        if not player.await_turn_or_end():
            break
        name, seat = names[turn % 2], turn % 2 + 1
        expect(player.ready).to_have_text(f"I am {name}, ready")
        expect(player.hand).to_have_count(0)
        expect(player.page.get_by_role("region", name=f"The device goes to {name}.")).to_be_visible()
        expect(player.page.locator("[aria-live=polite]")).to_have_text(f"The device goes to {name}.")
        expect(player.log.filter(has_text=re.compile("draws (red|blue|yellow|green)"))).to_have_count(0)
        expect(player.button("Hint")).to_have_count(0)
        player.space("a1").click()
        expect(player.page.get_by_role("alert")).to_have_text(f"The device goes to {name}.")
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
        player.page.get_by_label("Who begins").select_option(label="Seat 1")
        player.button("Start").click()
        expect(player.ready).to_have_text("I am Lark, ready")
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
    expect(player.ready).to_have_text("I am Tern, ready")
    expect(player.log.filter(has_text=re.compile("Lark (draws, cards|is dealt 4 cards)")).first).to_be_visible()
    told = re.compile("Lark (draws|is dealt) ([A-Z]|red|blue|yellow|green)")
    expect(player.log.filter(has_text=told)).to_have_count(0)  # it was read with Lark's eyes before
    player.ready.click()
    player.await_turn()
    expect(player.log.filter(has_text=re.compile("Tern is dealt ([A-Z]|red|blue|yellow|green)"))).to_have_count(1)
    player.button("Resign").click()
    player.dialog.get_by_role("button", name="Resign").click()
    expect(player.dialog.get_by_role("heading", level=2)).to_have_text("Novice 2, Novice 4 win.")
    expect(player.dialog).to_contain_text("By resignation.")


def test_four_without_teams_win_together(come: Callable[..., TicTacMatch]) -> None:
    player = come()
    player.new_table("On this device")
    player.dialog.get_by_text("4", exact=True).click()
    for seat in (2, 3, 4):
        player.page.get_by_label(f"Who takes seat {seat}?").select_option("novice")
    player.page.get_by_label("Teams").select_option(label="The dealer against the others")
    player.page.get_by_label("Who begins").select_option(label="Seat 2")
    player.button("Start").click()
    expect(player.seats.nth(0)).to_contain_text("dealer")
    expect(player.seats.nth(3)).to_contain_text("is ")
    mine, *others = player.identities()
    assert len(set(others)) == 1
    assert mine not in others
    expect(player.seats.filter(has_text="Team")).to_have_count(0)


def test_what_fits_lights_up_and_what_does_not_explains_itself(come: Callable[..., TicTacMatch]) -> None:
    player = come(viewport=WIDE)
    same: list[str] = []

    def like_the_centre(hand: list[str], centre: str) -> bool:
        same[:] = [centre]
        return centre in hand

    dealt(player, like_the_centre)
    alert = player.page.get_by_role("alert")
    player.space("a1").click()
    expect(alert).to_have_text("Choose a card of your hand first.")
    card = named(same[0])
    player.card(card).click()
    expect(player.page.get_by_text("Choose one of the lit spaces.")).to_be_visible()
    assert set(player.spaces_that_fit()) == {"a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"}
    expect(player.space("a3")).to_have_attribute("aria-label", f"a3, empty; {card[0].lower()}{card[1:]} fits")
    player.space("b2").click()
    expect(alert).to_contain_text("goes on the same colour or the same symbol, but not on both")
    player.space("a3").hover()
    expect(player.page.locator(".ghost")).to_have_count(1)
    player.card(card).click()  # again: it is let go
    assert player.spaces_that_fit() == []
    player.play(card, "a3")
    expect(player.log.filter(has_text=f"{card} on a3")).to_have_count(1)


def test_what_lies_under_a_card_can_be_seen(come: Callable[..., TicTacMatch]) -> None:
    player = come(viewport=WIDE)
    centres: list[str] = []

    def covers(hand: list[str], centre: str) -> bool:
        centres[:] = [centre]
        return any(len(card) == 2 and (card[0] == centre[0]) != (card[1] == centre[1]) for card in hand)

    hand = dealt(player, covers)
    centre = centres[0]
    card = next(c for c in hand if len(c) == 2 and (c[0] == centre[0]) != (c[1] == centre[1]))
    player.play(named(card), "b2")
    expect(player.space("b2")).to_have_attribute(
        "aria-label", re.compile(f"under it, from the top: .*{named(centre)}", re.IGNORECASE)
    )
    player.page.mouse.move(1, 1)
    spread = player.page.get_by_text(re.compile(r"b2, \d cards, from the top"))
    expect(spread).to_have_count(0)
    player.space("b2").hover()
    expect(spread).to_be_visible()
    player.page.mouse.move(1, 1)
    expect(spread).to_have_count(0)


def test_a_flip_turns_every_identity(come: Callable[..., TicTacMatch]) -> None:
    player = come()
    dealt(player, has("F"))
    before = player.identities()
    player.card("Flip").click()
    expect(player.page.get_by_text("Everybody’s identity changes")).to_be_visible()
    player.space("a1").click()
    expect(player.page.get_by_role("alert")).to_contain_text("Flip is not laid on a space")
    player.button("Play Flip").click()
    other = "XO"["OX".index(before[0])]
    expect(player.log.filter(has_text="Flip: every identity changes").first).to_be_visible()
    if player.log.filter(has_text="Flip:").count() == 1:  # the computer may have flipped as well by now
        expect(player.seats.first).to_contain_text(f"is {other}")
    look = player.page.get_by_role("button", name=re.compile("Look through the discards"))
    look.click()
    expect(player.dialog.get_by_role("listitem").filter(has_text="Flip")).to_have_count(1)
    assert findings(player) == []


def test_a_double_play_is_two_plays(come: Callable[..., TicTacMatch]) -> None:
    player = come()
    hand = dealt(player, lambda hand, _: {"D", "W"} <= set(hand) and len(symbols(hand)) == 2)
    one, other = symbols(hand)
    player.play("Double Play")
    expect(player.status).to_contain_text("Your turn. First of two cards.")
    expect(player.page.get_by_text("Play the first of two cards.")).to_be_visible()
    player.card("Wipe-Out, cannot be played now").click()
    expect(player.page.get_by_text("Wipe-Out is neither")).to_be_visible()
    expect(player.button("Play Wipe-Out")).to_have_count(0)
    player.play(one, "a1")
    expect(player.status).to_contain_text("Your turn. Second of two cards.")
    expect(player.page.get_by_text("Now the second one.")).to_be_visible()
    assert len(player.cards()) == 2
    player.play(other, "c1")
    expect(player.log.filter(has_text=re.compile("draws (.*, ){2}"))).to_have_count(1)  # three cards
    expect(player.hand).to_have_count(4)


def test_a_wipe_out_shows_its_replacement_and_then_asks_for_its_target(come: Callable[..., TicTacMatch]) -> None:
    player = come()
    hand = dealt(player, has("W"))
    player.play("Wipe-Out")
    expect(player.targets).to_have_text(["NNovice"])
    expect(player.status).to_contain_text("Your turn. Name who is wiped out.")
    drawn = player.hand.and_(player.page.locator('[aria-label$="just drawn"]'))
    expect(drawn).to_have_count(1)
    card = str(drawn.get_attribute("aria-label")).partition(",")[0]
    expect(player.page.get_by_text(re.compile(f"You drew {card}", re.IGNORECASE))).to_be_visible()
    expect(player.page.get_by_text("Whose hand is wiped out?")).to_be_visible()
    assert sorted(map(named, hand)) == sorted(
        ["Wipe-Out", *(c.partition(",")[0] for c in player.cards() if c != f"{card}, just drawn")]
    )
    player.space("a1").click()
    expect(player.page.get_by_role("alert")).to_contain_text("name who loses the hand")
    player.targets.first.click()
    expect(player.log.filter(has_text="Novice is wiped out and discards")).to_have_count(1)
    expect(player.log.filter(has_text="Novice draws, cards: 4")).to_have_count(1)


def test_cards_travel_unless_motion_is_reduced(come: Callable[..., TicTacMatch]) -> None:
    for motion in ("no-preference", "reduce"):
        player = come(reduced_motion=motion)
        dealt(player, has("W"))
        player.page.evaluate(
            """() => {
                window.lengths = [];
                const animate = Element.prototype.animate;
                Element.prototype.animate = function (frames, how) {
                    window.lengths.push(how.duration);
                    return animate.call(this, frames, how);
                };
            }"""
        )
        player.play("Wipe-Out")
        player.targets.first.click()
        player.await_turn()
        lengths = player.page.evaluate("window.lengths")
        if motion == "reduce":
            assert lengths == []
        else:
            assert len(lengths) >= 10  # the card and its replacement, a hand that goes and one that comes
            assert all(150 <= length <= 300 for length in lengths)


def test_keyboard_alone(come: Callable[..., TicTacMatch]) -> None:
    player, chance = come(), random.Random(3)
    keyboard = player.page.keyboard
    expect(player.on_box("Play the computer")).to_be_visible()
    tab_to(player, "article:has-text('Tic-Tac Match') select[aria-label='Level of the computer']")
    keyboard.press("Home")  # the weakest
    keyboard.press("Shift+Tab")
    keyboard.press("Enter")
    player.await_turn()
    tab_to(player, "[data-space=b2]")
    keyboard.press("Home")
    keyboard.press("PageDown")
    expect(player.space("a1")).to_be_focused()
    keyboard.press("1")
    expect(player.hand.first).to_have_attribute("aria-pressed", "true")
    keyboard.press("Escape")
    expect(player.hand.first).to_have_attribute("aria-pressed", "false")
    actions = 0
    while player.await_turn_or_end() and actions < 12:
        do_anything_by_keys(player, chance)
        actions += 1
    if player.outcome.count() == 0:
        tab_to(player, "button:has-text('Resign')")
        keyboard.press("Enter")
        tab_to(player, "dialog button.main")
        keyboard.press("Enter")
    expect(player.dialog.get_by_role("heading", level=2)).to_have_text(re.compile("wins?[.!]$"))


def do_anything_by_keys(player: TicTacMatch, chance: random.Random) -> None:
    keyboard, known = player.page.keyboard, player.log.count()
    if player.targets.count():
        tab_to(player, ".targets button")
        keyboard.press("Enter")
    else:
        if not player.page.locator("[data-space]:focus").count():
            tab_to(player, "[data-space]")
        cards = player.cards()
        place = chance.choice([k for k, card in enumerate(cards) if "cannot be played" not in card])
        keyboard.press(str(place + 1))
        expect(player.hand.nth(place)).to_have_attribute("aria-pressed", "true")
        if SYMBOL.match(cards[place]):
            space = chance.choice(player.spaces_that_fit())
            keyboard.press("Home")
            keyboard.press("PageDown")
            for _ in range("abc".index(space[0])):
                keyboard.press("ArrowRight")
            for _ in range(int(space[1]) - 1):
                keyboard.press("ArrowUp")
            expect(player.space(space)).to_be_focused()
        keyboard.press("Enter")
    expect(player.log.nth(known)).to_be_visible()


def assert_all_in_sight(player: TicTacMatch) -> None:
    sizes = player.page.evaluate(
        "[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]"
    )
    assert sizes == [0, 0]
    for part in (player.page.get_by_role("grid"), player.status, player.hand.first, player.hand.last):
        expect(part).to_be_in_viewport(ratio=1)
    expect(player.button("Resign")).to_be_in_viewport(ratio=1)


def test_a_narrow_screen(come: Callable[..., TicTacMatch]) -> None:
    player = come(**PHONE)
    hand = dealt(player, has("W"))
    assert_all_in_sight(player)
    player.card(symbols(hand)[0]).tap()
    assert_all_in_sight(player)
    space = player.spaces_that_fit()[0]
    player.card("Wipe-Out").tap()
    player.button("Play Wipe-Out").tap()
    expect(player.targets).to_have_count(1)
    assert_all_in_sight(player)
    player.targets.first.tap()
    player.await_turn()
    player.card(next(card for card in player.cards() if SYMBOL.match(card)).partition(",")[0]).tap()
    space = player.spaces_that_fit()[0]
    known = player.log.count()
    player.space(space).tap()
    expect(player.log.nth(known)).to_be_visible()


def test_a_wide_screen(come: Callable[..., TicTacMatch]) -> None:
    player = come(viewport=WIDE).play_computer()
    assert_all_in_sight(player)


def test_italian(come: Callable[..., TicTacMatch]) -> None:
    player = come(locale="it-IT")
    player.on_box("Sfida il computer").click()
    player.await_turn()
    expect(player.status).to_contain_text("Tocca a te. Gioca una carta.")
    player.space("a1").click()
    expect(player.page.get_by_role("alert")).to_have_text("Prima scegli una carta della tua mano.")
    player.hand.first.click()
    assert not RAW_KEY.search(player.page.locator("body").inner_text())
    player.button("Regole").click()
    expect(player.dialog).to_contain_text("Tre X rosse in fila")
    assert not RAW_KEY.search(player.page.locator("body").inner_text())


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(come: Callable[..., TicTacMatch], scheme: str, viewport: dict[str, int]) -> None:
    player = come(color_scheme=scheme, viewport=viewport)
    expect(player.on_box("Play the computer")).to_be_visible()
    player.on_box("Rules").click()
    expect(player.dialog).to_contain_text("Three red X in a row")
    found = {"rules": findings(player)}
    player.page.keyboard.press("Escape")
    hand = dealt(player, has("W"))
    found["table"] = findings(player)
    player.card(symbols(hand)[0]).click()
    found["a card is chosen"] = findings(player)
    player.log.last.click()
    expect(player.button("Back to now")).to_be_visible()
    found["looking back"] = findings(player)
    player.button("Back to now").click()
    player.play("Wipe-Out")
    expect(player.targets).to_have_count(1)
    found["a target is asked for"] = findings(player)
    player.button("Resign").click()
    player.dialog.get_by_role("button", name="Resign").click()
    expect(player.dialog.get_by_role("heading", level=2)).to_have_text("Novice wins.")
    found["the end"] = findings(player)
    assert {place: violations for place, violations in found.items() if violations} == {}
