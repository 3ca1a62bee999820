"""The example game in the browser, at a server that has it: by mouse, by keys, and against the computer."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from example_games import EXAMPLES
from houses import House
from players import Player
from playwright.sync_api import Locator, expect
from test_browser_everyone import findings

Visit = Callable[..., Player]


class FourPlayer(Player):
    """A player of Connect Four."""

    game, key = "Connect Four", "connectfour"

    def cell(self, name: str) -> Locator:
        return self.page.locator(f'[data-cell="{name}"]')

    def drop(self, cell: str, colour: str) -> None:
        """Click the column of a cell and wait until a disc of this colour lies in the cell."""
        self.cell(cell[0] + "6").click()
        expect(self.cell(cell)).to_have_attribute("aria-label", f"{cell}, {colour} disc")


@pytest.fixture
def house_with_examples(built: None, tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    house.environment["LUDOTECA_GAMES"] = str(EXAMPLES)
    house.open()
    yield house
    house.close()


def test_the_example_game(house_with_examples: House, visit: Visit) -> None:
    player = FourPlayer(visit(house_with_examples.url).page)
    player.at_table("me", "me", players=2)
    expect(player.status).to_contain_text("Choose a column.")
    for cell, colour in (("a1", "yellow"), ("b1", "red"), ("a2", "yellow"), ("b2", "red"), ("a3", "yellow")):
        player.drop(cell, colour)
    player.cell("d1").focus()
    for key in ("End", "PageUp", "ArrowLeft", "Home", "ArrowRight"):
        player.page.keyboard.press(key)
    expect(player.cell("b6")).to_be_focused()
    player.page.keyboard.press("Enter")
    expect(player.cell("b3")).to_have_attribute("aria-label", "b3, red disc")
    player.drop("a4", "yellow")
    expect(player.dialog).to_contain_text("wins")
    player.button("See the board").click()
    expect(player.page.get_by_role("grid").locator(".won")).to_have_count(4)
    expect(player.log.first).to_contain_text("four in a row")
    assert findings(player) == []

    player.page.goto(house_with_examples.url)
    player.level.select_option("novice")
    player.on_box("Play the computer").click()
    expect(player.status).to_contain_text("Your turn.")
    discs = player.page.get_by_role("gridcell", name="disc")
    before = discs.count()
    player.cell("d1").click()
    expect(discs).to_have_count(before + 2)
