"""Puzzles in the browser: a wrong answer and why, the right answer, streak and rating; by keyboard and on a phone."""

import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from houses import House
from missed_puzzles import shortest_missed
from players import Player
from playwright.sync_api import Locator, expect
from test_browser_aftaebr import COLOUR_NAMES, Aftaebr
from test_browser_everyone import PHONE, WIDE, findings, go_by_keys, tab_to

from ludoteca.core import puzzles
from ludoteca.core.puzzles import FIRST_RATING, Found
from ludoteca.search import puzzling
from ludoteca.server.puzzles import puzzle_of_day

Visit = Callable[..., Player]
SOME_DAY = 21_000
SQUARES = [column + row for row in "123456" for column in "abcdef"]


def days(game: str) -> Iterator[tuple[int, Found]]:
    """Yield the days on which the puzzle of the day is of a game and asks for one move."""
    for day in count(SOME_DAY):
        key, found = puzzle_of_day(day) or ("", None)
        if key == game and found and len(found.puzzle.moves) == 1:
            yield day, found


def percent(chance: float) -> int:
    """Return what the page shows."""
    return int(100 * chance + 0.5)


def wrong_move(game: str, found: Found) -> str:
    """Return a legal move that is neither the best nor the second best one."""
    match, _ = puzzles.begun(game, found)
    puzzle, state = found.puzzle, match.state
    for move in match.game.moves(state):
        if not any(
            puzzling.is_same(match.game, state, puzzle.seat, one, move) for one in (*puzzle.moves, puzzle.other)
        ):
            return str(move)
    raise AssertionError("every move is good")


class Solver(Aftaebr):
    """Somebody who solves puzzles of AFTAEBR."""

    @property
    def said(self) -> Locator:
        return self.page.get_by_role("status")

    def open_daily(self, house: House) -> None:
        self.page.goto(f"{house.url}/puzzles")
        self.page.get_by_role("link", name="Solve it").click()
        expect(self.page.get_by_text("Puzzle of the day")).to_be_visible()
        expect(self.chosen).to_be_visible()

    def answer(self, move: str, touch: bool = False) -> None:
        """Put the piece that a move in notation names."""
        act = Locator.tap if touch else Locator.click
        tray = self.trays.nth(int(move[1]) - 1)
        if tray.get_attribute("aria-pressed") != "true":
            act(tray)
        colours = self.page.get_by_role("group", name="In which colour?")
        if colours.count():
            act(colours.get_by_role("button", name=f"{COLOUR_NAMES[move[0]]} {move[1]}"))
        act(self.square(move[2:]))

    def answer_by_keys(self, move: str) -> None:
        tab_to(self, "[role=gridcell]")
        go_by_keys(self, move[2:])
        self.page.keyboard.press(move[1])
        self.page.keyboard.press("Enter")

    def rating(self) -> int:
        told = re.search(r"Your rating: (\d+)", self.said.inner_text())
        assert told
        return int(told[1])


@pytest.fixture
def dated_house(built: None, tmp_path: Path) -> Iterator[House]:
    """Return a house of the test's own, which the test opens on a day that it chooses."""
    house = House(tmp_path)
    yield house
    house.close()


def come(house: House, visit: Visit, **settings: object) -> Solver:
    return Solver(visit(house.url, **settings).page)


def test_a_wrong_answer_its_reason_and_the_solution(dated_house: House, visit: Visit) -> None:
    (day, first), (later, second) = (one for one, _ in zip(days("aftaebr"), range(2), strict=False))
    dated_house.open_on(day)
    player = come(dated_house, visit, viewport=WIDE)
    player.open_daily(dated_house)
    player.answer(wrong_move("aftaebr", first))
    best, most = percent(first.puzzle.chance), percent(first.puzzle.second)
    expect(player.said).to_contain_text(f"Not this one. It leaves you at most {most}%, the best move {best}%.")
    expect(player.said).to_contain_text("The best move:")
    expect(player.said).to_contain_text("Days in a row: 0")
    rating = player.rating()
    assert rating < FIRST_RATING
    player.button("What is wrong with it?").click()
    expect(player.page.locator("ol.line li").nth(1)).to_be_visible()  # the answer to the move that was tried
    assert findings(player) == []

    player.button("Try again").click()
    player.answer(first.puzzle.moves[0])
    expect(player.said).to_contain_text("Right!")
    expect(player.said).to_contain_text("Days in a row: 0")  # the first answer counts
    assert player.rating() == rating
    player.button("Show the line").click()
    expect(player.page.locator("ol.line li").first).to_be_visible()

    dated_house.open_on(later)  # the same guest on another day
    player.open_daily(dated_house)
    player.answer(second.puzzle.moves[0])
    expect(player.said).to_contain_text(f"Right! It leaves you a winning chance of {percent(second.puzzle.chance)}%.")
    expect(player.said).to_contain_text("Days in a row: 1")
    assert player.rating() > rating
    rating = player.rating()
    player.page.get_by_role("link", name="Puzzles", exact=True).first.click()
    expect(player.page.get_by_text("Solved today.")).to_be_visible()
    expect(player.page.get_by_text("Days in a row: 1")).to_be_visible()
    expect(player.page.get_by_role("listitem").filter(has_text="AFTAEBR")).to_contain_text(
        f"Rating {rating} · 1 of 2 solved"
    )


def test_a_puzzle_is_solved_by_keyboard_alone(dated_house: House, visit: Visit) -> None:
    day, found = next((day, found) for day, found in days("aftaebr") if not asks_for_a_colour(found))
    dated_house.open_on(day)
    player = come(dated_house, visit)
    player.page.goto(f"{dated_house.url}/puzzles")
    expect(player.page.get_by_role("link", name="Solve it")).to_be_visible()
    tab_to(player, "a:has-text('Solve it')")
    player.page.keyboard.press("Enter")
    expect(player.chosen).to_be_visible()
    player.answer_by_keys(wrong_move("aftaebr", found))
    expect(player.said).to_contain_text("Not this one.")
    expect(player.button("Next puzzle")).to_be_focused()
    tab_to(player, "button:has-text('Try again')")
    player.page.keyboard.press("Enter")
    expect(player.page.locator("[role=gridcell]:focus")).to_have_count(1)
    player.answer_by_keys(found.puzzle.moves[0])
    expect(player.said).to_contain_text("Right!")
    expect(player.said).to_contain_text(re.compile(r"Your rating: \d+"))
    player.page.keyboard.press("Enter")  # the next puzzle has the focus
    expect(player.said).not_to_contain_text("Right!")
    expect(player.page).to_have_url(re.compile("/puzzles/aftaebr$"))


def asks_for_a_colour(found: Found) -> bool:
    """Return whether the seat has pieces of more than one colour: then a number alone does not name a piece."""
    match, _ = puzzles.begun("aftaebr", found)
    return len({move[0] for move in match.game.moves(match.state)}) > 1


def test_a_puzzle_is_solved_on_a_phone(dated_house: House, visit: Visit) -> None:
    day, found = next(days("aftaebr"))
    dated_house.open_on(day)
    player = come(dated_house, visit, **PHONE)
    player.open_daily(dated_house)
    wide = player.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide == 0
    expect(player.page.get_by_role("grid")).to_be_in_viewport(ratio=1)
    expect(player.trays.last).to_be_in_viewport(ratio=1)
    player.answer(found.puzzle.moves[0], touch=True)
    expect(player.said).to_contain_text("Right!")
    expect(player.said).to_contain_text("Days in a row: 1")
    for name in ("Next puzzle", "Show the line"):
        expect(player.button(name)).to_be_in_viewport(ratio=1)
    assert player.page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0


def test_a_mistake_of_ones_own_comes_back_as_a_puzzle(dated_house: House, visit: Visit) -> None:
    found = shortest_missed("aftaebr")
    puzzle = found.puzzle
    moves = [(by, move) for by, move in found.mined.log[: puzzle.at] if by]
    dated_house.open_on(SOME_DAY)
    player = come(dated_house, visit, viewport=WIDE)
    player.at_table("me", "me", start=moves[0][0])
    expect(player.page.locator(".colours button:enabled").first).to_be_visible()
    player.play_by_socket([*moves, (puzzle.seat, puzzle.other), (puzzle.seat, "resign")])
    table = player.page.url.rsplit("/", 1)[1]
    player.page.goto(f"{dated_house.url}/t/{table}/review")
    expect(player.page.get_by_role("slider")).to_have_attribute("aria-valuemax", str(len(moves) + 1))
    expect(player.page.get_by_role("progressbar")).to_have_count(0)  # worked out
    player.page.goto(f"{dated_house.url}/puzzles")
    expect(player.page.get_by_text("No mistake of yours is due today")).to_be_visible()

    dated_house.open_on(SOME_DAY + 4)
    player.page.goto(f"{dated_house.url}/puzzles")
    link = player.page.get_by_role("link", name=re.compile(r"Try again \(\d\)"))
    expect(link).to_be_visible()
    due = int(link.inner_text()[-2])
    link.click()
    number, square = puzzle.other[1], puzzle.other[2:]
    missed = player.page.get_by_text(re.compile(f"In the match: .* {number} in {square}"))
    while True:
        expect(player.page.get_by_text("In the match:")).to_be_visible()
        expect(player.page.get_by_role("heading", name="Do better this time")).to_be_visible()
        expect(player.chosen).to_be_visible()
        due -= 1
        if missed.is_visible():
            break
        player.take(player.trays.and_(player.page.locator(":enabled")).first)  # another mistake, which comes first
        player.square(player.squares_that_fit()[0]).click()
        player.button("Next puzzle").click()
        expect(player.button("Next puzzle")).to_have_count(0)
    player.take(player.trays.and_(player.page.locator(":enabled")).first)
    fits = set(player.squares_that_fit())
    player.square(next(square for square in SQUARES if square not in fits)).click()
    expect(player.said).to_contain_text("neighbour")  # the rules' own words, whichever rule it is
    player.answer(puzzle.moves[0])
    expect(player.said).to_contain_text("Right!")
    assert findings(player) == []
    player.page.get_by_role("link", name="Puzzles", exact=True).first.click()
    left = f"Try again ({due})" if due else "No mistake of yours is due today"
    expect(player.page.get_by_text(left)).to_be_visible()


@pytest.mark.parametrize("size", [(390, 844), (360, 740), (1280, 800)], ids=str)
def test_a_shot_of_kingbrick_is_pulled_without_scrolling(size: tuple[int, int], house: House, visit: Visit) -> None:
    found = next(iter(puzzles.puzzles_of("kingbrick").values()))
    viewport = {"width": size[0], "height": size[1]}
    player = visit(f"{house.url}/puzzles/kingbrick/{found.id}", viewport=viewport)
    expect(player.page.locator(".board.elastic")).to_be_in_viewport(ratio=1)
    expect(player.page.get_by_role("region", name="What you can do")).to_be_in_viewport(ratio=1)
    assert player.page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0


def test_a_shot_of_kingbrick_is_right_by_its_aim(house: House, visit: Visit) -> None:
    found = next(iter(puzzles.puzzles_of("kingbrick").values()))
    _, brick, *how = found.puzzle.moves[0].split()
    aim = dict(part.split("=") for part in how)
    player = visit(f"{house.url}/puzzles/kingbrick/{found.id}")
    page, said = player.page, player.page.get_by_role("status")

    def flick(direction: float) -> None:
        page.get_by_label("Brick to flick").select_option(brick)
        numbers = {"Direction": direction, "Speed": aim["speed"], "Height": aim["height"], "Side": aim["side"]}
        for name, number in numbers.items():
            page.get_by_role("spinbutton", name=name).fill(str(number))
        player.button("Flick").click()

    player.button("In numbers").click()
    flick((float(aim["dir"]) + 90) % 360)
    expect(said).to_contain_text("Nearly.")  # the right brick
    expect(said).to_contain_text(f"the best shot succeeds {percent(found.puzzle.chance)}% of the time")
    expect(player.button("What is wrong with it?")).to_have_count(0)
    player.button("Try again").click()
    flick(float(aim["dir"]))
    expect(said).to_contain_text("Right!")
    expect(said).to_contain_text(f"succeeds with it {percent(found.puzzle.chance)}% of the time")
