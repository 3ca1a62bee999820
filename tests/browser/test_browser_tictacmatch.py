"""Tic-Tac Match in the browser: against the computer, its special cards, and for everyone."""

import random
import re
from collections.abc import Callable

import pytest
from players import Player
from playwright.sync_api import expect
from test_browser_everyone import NARROW, PHONE, WIDE, findings, go_by_keys, play_computer_by_keys, tab_to
from tictacmatch_player import SYMBOL, TRIES, TicTacMatch, dealt, has, named, symbols

RAW_KEY = re.compile(r"\b(core|tictacmatch|home|new|wait|seat|say|log|act|end|idle|table|level|ready|rules)\.[a-z_]+")


@pytest.fixture
def come(house, visit: Callable[..., Player]) -> Callable[..., TicTacMatch]:
    return lambda **settings: TicTacMatch(visit(house.url, **settings).page)


def test_a_whole_match(come: Callable[..., TicTacMatch]) -> None:
    player, chance = come().play_computer(), random.Random(4)
    assert set(player.identities()) == {"X", "O"}
    while player.await_turn_or_end():
        player.do_anything(chance)
    dialog = player.dialog
    expect(dialog).to_be_visible()
    assert player.overlaps() == []
    row = player.page.locator("[data-space].won")
    shown = {label.split(";")[0].split(", ")[1] for label in row.evaluate_all("cells => cells.map(c => c.ariaLabel)")}
    assert row.count() >= 3
    assert len(shown) == 1
    winner = shown.pop()[-1]
    mine = player.identities()[0] == winner
    expect(dialog.get_by_role("heading", level=2)).to_have_text("You win!" if mine else "Pip wins.")
    expect(dialog).to_contain_text(f": {winner} wins.")
    expect(dialog).to_contain_text("laid the last card")
    expect(dialog.get_by_role("listitem").filter(has_text="wins")).to_have_count(1)
    expect(dialog.get_by_role("img", name=re.compile("^Cards left: "))).to_have_count(2)
    expect(player.log.filter(has_text="Pip is dealt")).not_to_contain_text("4 cards")  # the log shows open cards now
    assert findings(player) == []
    player.button("See the board").click()
    expect(player.outcome).to_contain_text(f": {winner} wins.")
    assert findings(player) == []
    player.button("Rematch").click()
    player.await_turn()
    expect(player.log.filter(has_text="Pip is dealt 4 cards")).to_have_count(1)


def test_four_without_teams_win_together(come: Callable[..., TicTacMatch]) -> None:
    player = come()
    player.new_table("On this device")
    player.dialog.get_by_text("4", exact=True).click()
    for seat in (2, 3, 4):
        player.page.get_by_label(f"Who takes seat {seat}?").select_option("novice")
    player.page.get_by_label("Teams").select_option(label="The dealer against the others")
    player.page.get_by_label("Who begins").select_option(index=2)
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
    expect(alert).to_contain_text("First choose a card from your hand.")
    card = named(same[0])
    player.card(card).click()
    expect(player.page.get_by_text("Choose one of the spaces that light up.")).to_be_visible()
    assert set(player.spaces_that_fit()) == {"a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"}
    expect(player.space("a3")).to_have_attribute("aria-label", f"a3, empty; {card[0].lower()}{card[1:]} fits")
    player.space("b2").click()
    expect(alert).to_contain_text("goes on the same colour or the same symbol, but not on both")
    player.space("a3").hover()
    expect(player.page.locator(".ghost")).to_have_count(1)
    player.card(card).click()  # a second click puts it back
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


def test_at_one_device_a_flip_does_not_say_you(come: Callable[..., TicTacMatch]) -> None:
    """The device is just being passed on: nobody would know who "you" is."""
    player = come()
    home = player.page.url
    for _ in range(TRIES):
        player.page.goto(home)
        player.at_table("me", "me", players=2, start=1)
        player.ready.click()
        player.await_turn()
        if "Flip" in player.cards():
            break
    player.card("Flip").click()
    player.button("Play Flip").click()
    expect(player.page.locator(".banner")).to_have_text("Flip! X becomes O, and O becomes X.")


def test_a_flip_turns_every_identity(come: Callable[..., TicTacMatch]) -> None:
    player = come()
    dealt(player, has("F"))
    before = player.identities()
    player.card("Flip").click()
    expect(player.page.get_by_text("Everybody changes sides: X becomes O")).to_be_visible()
    player.space("a1").click()
    expect(player.page.get_by_role("alert")).to_contain_text("Flip does not go on the grid")
    player.button("Play Flip").click()
    other = "XO"["OX".index(before[0])]
    expect(player.log.filter(has_text="Flip: everybody changes sides").first).to_be_visible()
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
    expect(player.targets).to_have_text(["PPip"])
    expect(player.status).to_contain_text("Your turn. Choose whose hand is wiped out.")
    drawn = player.hand.and_(player.page.locator('[aria-label$="just drawn"]'))
    expect(drawn).to_have_count(1)
    card = str(drawn.get_attribute("aria-label")).partition(",")[0]
    expect(player.page.get_by_text(re.compile(f"You drew {card}", re.IGNORECASE))).to_be_visible()
    expect(player.page.get_by_text("Whose hand is wiped out?")).to_be_visible()
    assert sorted(map(named, hand)) == sorted(
        ["Wipe-Out", *(c.partition(",")[0] for c in player.cards() if c != f"{card}, just drawn")]
    )
    player.space("a1").click()
    expect(player.page.get_by_role("alert")).to_contain_text("First choose whose hand is wiped out.")
    player.targets.first.click()
    expect(player.log.filter(has_text="Pip is wiped out and discards")).to_have_count(1)
    expect(player.log.filter(has_text="Pip draws 4 from the pile")).to_have_count(1)


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
            assert len(lengths) >= 10  # the card, its replacement, the discarded hand and the new one
            assert all(150 <= length <= 300 for length in lengths)


def test_keyboard_alone(come: Callable[..., TicTacMatch]) -> None:
    player, chance = come(), random.Random(3)
    keyboard = player.page.keyboard
    play_computer_by_keys(player)
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
    while player.await_turn_or_end() and actions < 6:
        do_anything_by_keys(player, chance)
        actions += 1
    if player.outcome.count() == 0:
        tab_to(player, "button:has-text('Resign')")
        keyboard.press("Enter")
        tab_to(player, "dialog button.main")
        keyboard.press("Enter")
    expect(player.dialog.get_by_role("heading", level=2)).to_have_text(re.compile("wins?[.!]$"))


def do_anything_by_keys(player: TicTacMatch, chance: random.Random) -> None:
    keyboard, known = player.page.keyboard, player.entries()
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
            go_by_keys(player, space)
            expect(player.space(space)).to_be_focused()
        keyboard.press("Enter")
    player.await_more_than(known)


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
    known = player.entries()
    player.space(space).tap()
    player.await_more_than(known)


def test_a_wide_screen(come: Callable[..., TicTacMatch]) -> None:
    player = come(viewport=WIDE).play_computer()
    assert_all_in_sight(player)


def test_italian(come: Callable[..., TicTacMatch]) -> None:
    player = come(locale="it-IT")
    player.on_box("Sfida il computer").click()
    player.await_turn()
    expect(player.status).to_contain_text("Tocca a te. Gioca una carta.")
    player.space("a1").click()
    expect(player.page.get_by_role("alert")).to_contain_text("Prima scegli una carta della tua mano.")
    player.hand.first.click()
    assert not RAW_KEY.search(player.page.locator("body").inner_text())
    player.button("Regole").click()
    expect(player.dialog).to_contain_text("Tre X rosse in fila")
    assert not RAW_KEY.search(player.page.locator("body").inner_text())


@pytest.mark.parametrize(("scheme", "viewport"), [("light", WIDE), ("dark", NARROW)], ids=["light-wide", "dark-narrow"])
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
    expect(player.button("Back to the match")).to_be_visible()
    found["looking back"] = findings(player)
    player.button("Back to the match").click()
    player.play("Wipe-Out")
    expect(player.targets).to_have_count(1)
    found["a target is asked for"] = findings(player)
    player.button("Resign").click()
    player.dialog.get_by_role("button", name="Resign").click()
    expect(player.dialog.get_by_role("heading", level=2)).to_have_text("Pip wins.")
    found["the end"] = findings(player)
    assert {place: violations for place, violations in found.items() if violations} == {}
