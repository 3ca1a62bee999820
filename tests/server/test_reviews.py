"""Reviews: worked out once, kept, only of finished matches, and bad questions change nothing."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import httpx
import pytest
from guests_at_tables import HANG, Person
from kingbrick_board import formation
from quiet_tables import QuietTables, play, table_for, visit
from test_table import sat_down

from ludoteca.core.errors import IllegalMove, UnknownMove
from ludoteca.core.match import Match
from ludoteca.search.reviewing import Decision, turn_losses
from ludoteca.server.fair_queue import Asker
from ludoteca.server.ledger.reviews import find_review
from ludoteca.server.refusals import UnknownEntry
from ludoteca.server.reviews import ATTEMPTS, MOST_OF_ONE, REST, NotDecided, Reviews, TooManyReviews, _moment
from ludoteca.server.table import Table

Comes = Callable[[], Person]
T = TypeVar("T")


class HereAndNow:
    """Thinks in the test's own process, and counts how often. The first `busy` times it is not done in time."""

    def __init__(self) -> None:
        self.thoughts: list[Asker] = []
        self.busy = 0

    async def think(self, asker: Asker, task: Callable[..., T], *given: Any) -> T:
        self.thoughts.append(asker)
        if len(self.thoughts) <= self.busy:
            raise TimeoutError
        return task(*given)

    async def bots_ready(self, key: str) -> None:
        pass


def reviews_of(tables: QuietTables) -> tuple[Reviews, HereAndNow]:
    here: Any = HereAndNow()
    return Reviews(tables.storage, here, here, tables.tasks), here


async def finished(tables: QuietTables, moves: int = 5) -> Table:
    table, _ = await table_for(tables, ["ada", "ada"], options={"start": 1})
    for _ in range(moves):
        await play(table)
    await table.move("ada", 1, "resign", len(table.match.log))
    return table


def test_a_review_is_worked_out_once_and_kept(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table = await finished(tables)
        reviews, here = reviews_of(tables)
        first = await reviews.of(table.id, table.match, "ada")
        assert (first.state, first.of) == ("working", 5)
        await tables.settle()
        done = await reviews.of(table.id, table.match, "ben")
        assert (done.state, done.done, len(here.thoughts)) == ("done", 5, 5)
        assert not any(asker.people for asker in here.thoughts)  # bots at tables where people wait come first
        assert [decision.seat for decision in done.decisions] == [1, 1, 1, 1, 2]
        assert all(sum(decision.known.chances) == pytest.approx(1, abs=0.002) for decision in done.decisions)
        assert done.decisions[0].known.best[0].message.key.startswith("pinpoint.said.")
        assert done.turns == list(turn_losses(done.decisions))
        assert done.accuracy[0] is not None
        assert sum(map(sum, done.statistics.values())) == 5
        later = await reviews.of(table.id, table.match, "ben", after=3)
        assert later.decisions == done.decisions[3:]
        anew, unasked = reviews_of(tables)
        assert (await anew.of(table.id, table.match, None)).decisions == done.decisions
        assert not unasked.thoughts

    visit(tmp_path, what)


def test_two_windows_at_once_and_a_third_at_the_end_begin_one_review(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table = await finished(tables, 2)
        reviews, here = reviews_of(tables)
        asked = [reviews.of(table.id, table.match, guest) for guest in ("ada", "ben", None)]
        assert {told.of for told in await asyncio.gather(*asked)} == {2}
        await tables.settle()
        assert len(here.thoughts) == 2

        reading = tables.storage.read

        async def slowly(*question: Any) -> Any:
            """Answer when the other window's review has been worked out."""
            found = await reading(*question)
            await tables.settle()
            return found

        other = await finished(tables, 2)
        late = asyncio.create_task(reviews.of(other.id, other.match, "ben"))
        tables.storage.read = slowly  # type: ignore[method-assign]
        await reviews.of(other.id, other.match, "ada")
        await late
        await tables.settle()
        assert len(here.thoughts) == 4

    visit(tmp_path, what)


def test_a_decision_that_was_not_judged_in_time_is_judged_again(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table = await finished(tables, 3)
        reviews, here = reviews_of(tables)
        here.busy = 1
        await reviews.of(table.id, table.match, "ada")
        await tables.settle()
        done = await reviews.of(table.id, table.match, "ada")
        assert (done.state, done.of, len(here.thoughts)) == ("done", 3, 4)
        assert sorted(one.n for one in done.decisions) == [one.n for one in done.decisions[2:] + done.decisions[:2]]
        assert done.turns == list(turn_losses(sorted(done.decisions, key=lambda one: one.n)))

    visit(tmp_path, what)


def test_a_decision_that_could_not_be_judged_is_tried_again_later_but_not_at_once(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, clock = await finished(tables, 2), [0.0]
        here: Any = HereAndNow()
        reviews = Reviews(tables.storage, here, here, tables.tasks, lambda: clock[0])
        here.busy = ATTEMPTS + 2  # times: both decisions, and then again
        for at, thoughts, judged in ((0.0, 4, 0), (1.0, 4, 0), (REST, 6, 2), (REST, 6, 2)):
            clock[0] = at
            await reviews.of(table.id, table.match, "ada")
            await tables.settle()
            told = await reviews.of(table.id, table.match, "ada")
            assert (told.state, len(here.thoughts), told.done) == ("done", thoughts, judged), at

    visit(tmp_path, what)


def test_a_review_of_another_judge_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def what(tables: QuietTables) -> None:
        table = await finished(tables, 1)
        reviews, here = reviews_of(tables)
        for version in (1, 1, 2):
            monkeypatch.setattr("ludoteca.server.ledger.reviews.VERSION", version)
            await reviews.of(table.id, table.match, "ada")
            await tables.settle()
        assert len(here.thoughts) == 2
        kept: list[Decision] | None = await tables.storage.read(lambda db: find_review(db, table.id))
        assert kept is not None

    visit(tmp_path, what)


def test_what_one_move_is_worth_instead_of_another(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table = await finished(tables, 2)
        match, (reviews, _) = table.match, reviews_of(tables)
        await reviews.of(table.id, match, "ada")
        await tables.settle()
        decision = (await reviews.of(table.id, match, "ada")).decisions[0]
        n, best = decision.n, decision.known.best[0]
        moment = await reviews.moment(table.id, match, n)
        assert moment.view == match.game.view(match.at(n - 1).state, 1)
        assert moment.legal == match.game.legal(match.at(n - 1).state, 1)
        assert moment.after == match.game.view(match.at(n).state, 1)
        assert [step.move for step in moment.line] == [entry.move for entry in decision.line]
        tried = await reviews.tried(table.id, match, n, best.move, "ada")
        assert (tried.is_nearly_best, tried.chance) == (True, best.chance)
        for move in match.game.moves(match.at(n - 1).state)[::9]:  # one number for one thing
            other = await reviews.tried(table.id, match, n, move, "ada")
            assert other.chance <= other.best == best.chance
        assert (await reviews.deeper(match, n, 2, "ada")).n == n
        with pytest.raises(UnknownMove):
            await reviews.tried(table.id, match, n, "Re99", "ada")
        with pytest.raises(IllegalMove):
            await reviews.tried(table.id, match, n + 1, match.log[n - 1].move, "ada")
        with pytest.raises(NotDecided):
            await reviews.tried(table.id, match, 1, "Ra1", "ada")
        with pytest.raises(NotDecided):
            await reviews.moment(table.id, match, len(match.log))
        with pytest.raises(UnknownEntry):
            await reviews.deeper(match, len(match.log) + 1, 1, "ada")

    visit(tmp_path, what)


def test_one_guest_does_not_fill_the_queue(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        matches = [await finished(tables, 1) for _ in range(MOST_OF_ONE + 1)]
        reviews, _ = reviews_of(tables)
        for table in matches[:-1]:
            await reviews.of(table.id, table.match, "ada")
        if len(reviews._working) == MOST_OF_ONE:
            with pytest.raises(TooManyReviews):
                await reviews.of(matches[-1].id, matches[-1].match, "ada")

    visit(tmp_path, what)


def test_a_flick_is_shown_where_it_came_to_rest() -> None:
    match, rng = Match.new("kingbrick"), Random("rest")
    while match.game.is_simultaneous(match.state):
        match.play(formation(match.to_move[0]), match.to_move[0])
    seat = match.to_move[0]
    match.play(match.game.sample_moves(match.state, seat, rng, 1)[0], seat)
    flicked = next(n for n, entry in enumerate(match.log, start=1) if entry.move.startswith("flick "))
    rest = next(n for n in range(flicked, len(match.log) + 1) if match.log[n - 1].move.startswith("rest "))
    shown = _moment(match, flicked, None)
    assert shown.after == match.game.view(match.at(rest).state, seat)
    assert shown.after["bricks"] != shown.view["bricks"]


# Over HTTP


def asked(ada: Person, path: str = "", **query: int) -> httpx.Response:
    return ada.http.get(f"/api/tables/{ada.table}/review{path}", params=query, timeout=HANG)


def test_over_http_a_finished_match_and_no_other(person: Comes) -> None:
    ada = sat_down(person, "me", "me", start=1)
    ada.move()
    n = ada.n
    for path in ("", f"/{n}"):
        refused = asked(ada, path)
        assert (refused.status_code, refused.json()["code"]) == (409, "match/running")
    ada.done("move", seat=1, move="resign", after=ada.n)
    end, told = time.monotonic() + HANG, asked(ada).json()
    while told["state"] == "working" and time.monotonic() < end:
        time.sleep(0.1)
        told = asked(ada).json()
    assert (told["state"], told["of"], len(told["decisions"])) == ("done", 1, 1)
    assert asked(ada, "/1").json()["code"] == "review/no-decision"
    assert asked(ada, f"/{n}").json()["seat"] == 1
    for wanted in ({"move": "Re99"}, {"move": "x" * 5000}, {"move": 3}, {}, {"effort": 99}):
        route = "deeper" if "effort" in wanted else "try"
        refused = ada.http.post(f"/api/tables/{ada.table}/review/{n}/{route}", json=wanted, timeout=HANG)
        assert refused.status_code == 400, wanted
        assert refused.json()["code"]
    refused = ada.http.post(f"/api/tables/{ada.table}/review/{n}/try", json={"move": "Re99"}, timeout=HANG)
    assert refused.json()["reason"]["key"] == "pinpoint.unreadable"
