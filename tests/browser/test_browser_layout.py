"""The table fits the window: board, hand and buttons are visible and do not overlap, in every game, on every screen."""

import re
from collections.abc import Callable, Iterator

import pytest
from players import Player
from playwright.sync_api import expect

from ludoteca.core import registry

WIDE = [(1280, 800), (1366, 640), (1024, 600)]
PHONES = [(390, 844), (360, 740), (844, 390), (667, 375)]
TABLETS = [(820, 1180), (768, 1024)]
SIZES = WIDE + PHONES + TABLETS


def cases() -> Iterator[tuple[str, int, dict]]:
    """Yield every game with the fewest players beside one, and with the most, who are teams where there are teams."""
    for key in registry.game_keys():
        options = {option.name: option for option in registry.game(key).options}
        numbers = sorted(n for n in registry.game(key).players if n > 1)
        for players in sorted({numbers[0], numbers[-1], *MORE.get(key, ())}):
            wanted = {"start": 1, "teams": True} if players == 4 else {"start": 1}
            yield key, players, {name: value for name, value in wanted.items() if name in options}


MORE = {"aftaebr": (3,)}  # numbers of players with a layout of their own

MEASURE = """() => {
    const table = document.querySelector("main.table");
    const box = element => {
        const {left, top, right, bottom} = element.getBoundingClientRect();
        return {left, top, right, bottom};
    };
    const seen = element => element.checkVisibility({visibilityProperty: true}) && !element.closest(".hidden");
    const drawn = name => [...table.children].flatMap(child =>
        getComputedStyle(child).display === "contents" ? [...child.children] : [child]
    ).filter(child => getComputedStyle(child).gridRowStart === name);
    const area = name => drawn(name).filter(child => child.getBoundingClientRect().height > 0);
    const parts = {};
    for (const name of ["seats", "say", "board", "hand", "acts"])
        for (const element of area(name)) parts[name] = box(element);
    const controls = ["say", "hand", "acts"].flatMap(name => area(name).flatMap(element =>
        [...element.querySelectorAll("button, select, input:not(.hidden)")].filter(seen).map(control => ({
            where: name, name: control.ariaLabel || control.textContent.trim(), ...box(control)
        }))
    ));
    const page = document.documentElement;
    return {
        parts, controls, has_hand: drawn("hand").length > 0, window: [innerWidth, innerHeight],
        beyond: [page.scrollWidth - innerWidth, page.scrollHeight - innerHeight],
    };
}"""

SLACK = 1  # pixels: sizes are fractions


def overlaps(one: dict, other: dict) -> bool:
    return (
        one["left"] < other["right"] - SLACK
        and other["left"] < one["right"] - SLACK
        and one["top"] < other["bottom"] - SLACK
        and other["top"] < one["bottom"] - SLACK
    )


def faults(player: Player) -> Iterator[str]:
    """Return what is wrong with the table at the current size."""
    found = player.page.evaluate(MEASURE)
    width, height = found["window"]
    if max(found["beyond"]) > 0:
        yield f"the page can be scrolled by {found['beyond']}"
    parts = found["parts"]
    if missing := {"seats", "say", "board", "acts", *(["hand"] if found["has_hand"] else [])} - parts.keys():
        yield f"no {', '.join(sorted(missing))}"
    inside = list(parts.items()) + [
        (f"{control['where']}: {control['name']}", control) for control in found["controls"]
    ]
    for name, box in inside:
        if (
            box["left"] < -SLACK
            or box["top"] < -SLACK
            or box["right"] > width + SLACK
            or box["bottom"] > height + SLACK
        ):
            yield f"{name} is not inside the window: {box}"
    names = sorted(parts)
    for k, one in enumerate(names):
        for other in names[k + 1 :]:
            if overlaps(parts[one], parts[other]):
                yield f"{one} and {other} overlap: {parts[one]} {parts[other]}"
    for control in found["controls"]:
        home = parts[control["where"]]
        if (
            control["right"] > home["right"] + SLACK
            or control["top"] < home["top"] - SLACK
            or control["bottom"] > home["bottom"] + SLACK
        ):
            yield f"{control['where']}: {control['name']} leaves its card: {control} {home}"


def come_to_turns(player: Player) -> list[str]:
    """Make the choices before the first turn, where a game has some. Return what was wrong with the table there."""
    ready = player.button("Ready")
    colour = player.page.locator("section.colours button")
    turn = player.status.get_by_text(re.compile("^Your turn"))
    expect(turn).to_be_visible()
    found = []
    if ready.count() or colour.count():
        # A hand may be missing there, and rows of choices may be scrolled sideways.
        found = [
            f"before the first turn, {fault}" for fault in all_faults(player) if "scrolled" in fault or " acts" in fault
        ]
    if ready.count():
        ready.click()
        expect(ready).to_be_hidden()
        expect(turn).to_be_visible()
    elif colour.count():
        colour.and_(player.page.locator(":enabled")).first.click()
        expect(colour.first).to_be_hidden()
        expect(turn).to_be_visible()
    return found


def all_faults(player: Player) -> list[str]:
    found = []
    for width, height in SIZES:
        player.page.set_viewport_size({"width": width, "height": height})
        player.page.evaluate("() => new Promise(go => requestAnimationFrame(() => requestAnimationFrame(go)))")
        found += [f"{width}x{height}: {fault}" for fault in faults(player)]
    return found


CUT_NAMES = """() => [...document.querySelectorAll(".seats b > span, .seats .what > :not(.hidden)")].filter(part => {
    const card = part.closest("b, .what").getBoundingClientRect();
    const {top, width} = part.getBoundingClientRect();
    return width > 2 && top < card.bottom - 2 && part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0;
}).map(part => part.textContent)"""


@pytest.mark.parametrize(("game", "players"), [("pinpoint", 4), ("aftaebr", 3), ("tictacmatch", 2)])
@pytest.mark.parametrize("locale", ["en-GB", "it-IT"])
def test_no_name_is_cut(house, visit: Callable[..., Player], game: str, players: int, locale: str) -> None:
    """Where there is no room for "(you)" it is left out as a whole."""
    player = visit(house.url, locale=locale)
    player.rename("Swallow")
    player.key = game
    player.at_table("me", *["novice"] * (players - 1), start=1)
    expect(player.status.get_by_text(re.compile("^(Your turn|Tocca a te)"))).to_be_visible()
    found = {}
    for width, height in [(1280, 800), (1366, 640), (390, 844), (844, 390), (820, 1180)]:  # smaller ones may cut names
        player.page.set_viewport_size({"width": width, "height": height})
        player.page.evaluate("() => new Promise(go => requestAnimationFrame(() => requestAnimationFrame(go)))")
        player.page.evaluate("document.querySelectorAll('.seats .points').forEach(one => one.textContent = '188')")
        found[width, height] = player.page.evaluate(CUT_NAMES)
    assert not any(found.values()), found


def test_the_actions_among_people_fit_in_italian(house, visit: Callable[..., Player]) -> None:
    """Italian has the longest words on the buttons, and people have the most buttons."""
    host = visit(house.url, locale="it-IT")
    link = host.make_table()
    host.page.goto(link)
    visit(link, locale="it-IT").sit_down("Wren")
    host.await_turn()
    found = [fault for fault in all_faults(host) if " acts: " in fault]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("game", "players", "options"), list(cases()), ids=lambda value: str(value))
def test_the_table_fits(house, visit: Callable[..., Player], game: str, players: int, options: dict) -> None:
    player = visit(house.url)
    player.key = game
    player.at_table("me", *["novice"] * (players - 1), **options)
    found = come_to_turns(player) + all_faults(player)
    if player.log.count():  # in some games nothing is drawn before the first turn
        player.log.last.click()  # the replay's controls take the place of the status
        expect(player.page.get_by_role("slider")).to_be_visible()
        found += [f"in the replay, {fault}" for fault in all_faults(player) if " say: " in fault]
    assert not found, "\n".join(found)
