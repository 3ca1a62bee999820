"""What a person does at a table of Tic-Tac Match in a browser."""

import random
import re
from collections.abc import Callable

from players import Player
from playwright.sync_api import Locator, expect

SYMBOL = re.compile("^(Red|Blue|Yellow|Green) [XO]")
COLOUR_NAMES = {"R": "Red", "B": "Blue", "Y": "Yellow", "G": "Green"}
SPECIAL_NAMES = {"F": "Flip", "W": "Wipe-Out", "D": "Double Play"}
TRIES = 500  # tables to try until the cards are as wanted: one in three to one in ten is


def named(card: str) -> str:
    return SPECIAL_NAMES.get(card) or f"{COLOUR_NAMES[card[1]]} {card[0]}"


class TicTacMatch(Player):
    game, key = "Tic-Tac Match", "tictacmatch"

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
        return self.button(re.compile("^I’m .*, ready$"))

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
        """Wait until there is something to do or the match is over. Return whether there is something to do."""
        expect(self.may_play.or_(self.targets).or_(self.ready).or_(self.outcome).first).to_be_visible()
        return self.outcome.count() == 0

    def play(self, card: str, space: str | None = None) -> None:
        """Play a card, named by the beginning of its label, and wait until it is played."""
        known = self.entries()
        self.card(card).click()
        if space:
            self.space(space).click()
        else:
            self.button(f"Play {card}").click()
        self.await_more_than(known)

    def do_anything(self, chance: random.Random) -> None:
        """Make any legal move and wait until it is made."""
        known = self.entries()
        if self.targets.count():
            chance.choice(self.targets.all()).click()
        else:
            card = chance.choice([card for card in self.cards() if "cannot be played" not in card])
            self.card(card.partition(",")[0]).click()
            if SYMBOL.match(card):
                self.space(chance.choice(self.spaces_that_fit())).click()
            else:
                self.page.locator("button.play").click()
        self.await_more_than(known)

    def play_turn(self, chance: random.Random) -> None:
        """Play until another seat is to move, or the match is over."""
        whose = self.status.inner_text().partition("’s turn")[0]
        while self.may_play.or_(self.targets).count() and self.status.inner_text().startswith(whose):
            self.do_anything(chance)
            expect(
                self.may_play.or_(self.targets).or_(self.page.locator("main .dots, .ready, main .outcome")).first
            ).to_be_visible()


def dealt(player: TicTacMatch, wanted: Callable[[list[str], str], bool]) -> list[str]:
    """Return a match against the computer in which seat 1 begins with a wanted hand and centre."""
    expect(player.box).to_be_visible()  # now the page has the cookie of its guest
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
    """Return a test for a hand with these cards and at least one symbol card."""
    return lambda hand, _: all(card in hand for card in cards) and any(len(card) == 2 for card in hand)


def symbols(hand: list[str]) -> list[str]:
    return [named(card) for card in hand if len(card) == 2]
