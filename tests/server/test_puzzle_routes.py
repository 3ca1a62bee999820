"""Puzzles over HTTP and in both databases: answers, ratings, streaks, and one's own mistakes that come back."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from databases import opened
from guests_at_tables import HANG, Person

from ludoteca.core import puzzles, registry
from ludoteca.core.puzzles import FIRST_RATING, Found
from ludoteca.core.words import message
from ludoteca.search.reviewing import Choice, Decision, Knowledge
from ludoteca.server.database import schema
from ludoteca.server.ledger import puzzles as ledger
from ludoteca.server.ledger.puzzles import NEARLY, RIGHT, WRONG, Answered, Reviewed
from ludoteca.server.ledger.reviews import keep_review
from ludoteca.server.mistakes import REST, WORST, worst
from ludoteca.server.puzzles import longest, puzzle_of_day, standing, streak

Comes = Callable[[], Person]
GAMES = [key for key in registry.game_keys() if puzzles.puzzles_of(key)]
ANSWERS = {"moves", "verdict", "solution", "best", "most", "other", "line", "chance", "second"}


def some_puzzle(game: str) -> Found:
    return next(iter(puzzles.puzzles_of(game).values()))


def goes_on(game: str, found: Found) -> bool:
    """Return whether the match goes on after the second best move."""
    match, _ = puzzles.begun(game, found)
    after = match.game.play(match.state, found.puzzle.seat, found.puzzle.other).state
    return match.game.outcome(after, frozenset()) is None


def tries(person: Person, game: str, id_: str, *moves: str, **more: Any) -> Any:
    answer = person.http.post(f"/api/puzzles/of/{game}/{id_}", json={"moves": moves, **more}, timeout=HANG)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_puzzle_of_the_day_is_the_same_for_everybody_and_makes_a_streak(person: Comes) -> None:
    ada, ben = person(), person()
    for one in (ada, ben):
        one.http.get("/api/me")
    shown, other = (one.http.get("/api/puzzles/day", timeout=HANG).json() for one in (ada, ben))
    assert shown == other
    game, found = shown["game"], puzzles.puzzle_of(shown["game"], shown["id"])
    before = ada.http.get("/api/puzzles").json()
    assert (before["streak"], before["day"]["verdict"]) == (0, None)
    judged = tries(ada, game, found.id, *found.puzzle.moves, day=True)
    assert (judged["verdict"], judged["streak"]) == ("right", 1)
    after = ada.http.get("/api/puzzles").json()
    assert (after["streak"], after["longest"], after["day"]["verdict"]) == (1, 1, "right")
    rated = next(one for one in after["games"] if one["game"] == game)
    assert (rated["tried"], rated["solved"], rated["rating"]) == (1, 1, judged["rating"])
    assert judged["rating"] > FIRST_RATING
    assert ben.http.get("/api/puzzles").json()["streak"] == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_puzzle_is_shown_without_its_answer(person: Comes, game: str) -> None:
    ada = person()
    shown = ada.http.get(f"/api/puzzles/next/{game}", timeout=HANG).json()
    found = puzzles.puzzle_of(game, shown["id"])
    assert not (set(shown) - {"moves"}) & ANSWERS
    assert shown["moves"] == len(found.puzzle.moves)
    match, _ = puzzles.begun(game, found)
    seat = found.puzzle.seat
    wanted = msgspec.to_builtins(match.game.view(match.state, seat))
    assert shown["view"] == msgspec.json.decode(msgspec.json.encode(wanted))
    last = match.log[-len(shown["entries"]) :]
    assert [entry["move"] for entry in shown["entries"]] == [match.game.seen(entry, seat).move for entry in last]


def test_the_first_answer_counts_and_later_ones_change_nothing(person: Comes) -> None:
    ada = person()
    ada.http.get("/api/me")
    game = GAMES[0]
    found = some_puzzle(game)
    judged = tries(ada, game, found.id, found.puzzle.other)
    assert (judged["verdict"], judged["best"], judged["most"]) == ("nearly", found.puzzle.chance, found.puzzle.second)
    assert [told["entry"]["move"] for told in judged["solution"]][: len(found.puzzle.moves)] == [*found.puzzle.moves]
    assert judged["made"][0]["entry"]["move"] == found.puzzle.other
    again = tries(ada, game, found.id, *found.puzzle.moves)
    assert (again["verdict"], again["rating"]) == ("right", judged["rating"])
    told = ada.http.get("/api/puzzles").json()["games"]
    assert [(one["tried"], one["solved"]) for one in told if one["game"] == game] == [(1, 0)]


def test_somebody_without_a_cookie_may_try_and_nothing_is_kept(person: Comes) -> None:
    nobody = person()
    nobody.http.cookies.clear()
    game = GAMES[0]
    judged = tries(nobody, game, some_puzzle(game).id, some_puzzle(game).puzzle.other)
    assert (judged["verdict"], judged["rating"], judged["streak"]) == ("nearly", None, None)


def test_what_is_wrong_with_a_move_is_told_when_somebody_asks(person: Comes) -> None:
    ada = person()
    game = GAMES[0]
    found = next(one for one in puzzles.puzzles_of(game).values() if goes_on(game, one))
    route = f"/api/puzzles/of/{game}/{found.id}/reply"
    reply = ada.http.post(route, json={"moves": [found.puzzle.other]}, timeout=HANG).json()
    assert 0 <= reply["chance"] < found.puzzle.chance
    assert reply["line"][0]["entry"]["move"]
    nothing = ada.http.post(route, json={"moves": list(found.puzzle.moves)}, timeout=HANG)
    assert (nothing.status_code, nothing.json()["code"]) == (404, "puzzle/none")


@pytest.mark.parametrize("game", [key for key in GAMES if registry.game(key).measures])
def test_a_shot_is_judged_by_its_aim(person: Comes, game: str) -> None:
    """The chances are those of a shot to succeed, and the film of the best one is shown after any answer."""
    ada = person()
    ada.http.get("/api/me")
    found = some_puzzle(game)
    puzzle = found.puzzle
    assert ada.http.get(f"/api/puzzles/of/{game}/{found.id}", timeout=HANG).json()["measured"]
    missed = tries(ada, game, found.id, puzzle.other)
    assert missed["verdict"] in ("nearly", "wrong")
    assert (missed["best"], missed["most"]) == (puzzle.chance, puzzle.second)
    assert missed["solution"][0]["entry"]["move"] == puzzle.moves[0]
    assert any(told["entry"]["move"].startswith("rest ") for told in missed["solution"])
    again = [tries(ada, game, found.id, puzzle.other)["verdict"] for _ in range(2)]
    assert again == [missed["verdict"]] * 2
    assert tries(ada, game, found.id, *puzzle.moves)["verdict"] == "right"
    reply = ada.http.post(f"/api/puzzles/of/{game}/{found.id}/reply", json={"moves": [puzzle.other]}, timeout=HANG)
    assert (reply.status_code, reply.json()["code"]) == (404, "puzzle/none")


def test_bad_answers_are_refused_in_words_and_change_nothing(person: Comes) -> None:
    ada = person()
    ada.http.get("/api/me")
    game = GAMES[0]
    found = some_puzzle(game)
    refused = tries(ada, game, found.id, "no move")
    assert (refused["verdict"], refused["made"], refused["solution"]) == (None, [], [])
    assert refused["reason"]["key"].startswith(game)
    route = f"/api/puzzles/of/{game}/{found.id}"
    for body, status, code in (
        ({"moves": []}, 400, "message/malformed"),
        ({"moves": ["x"] * 9}, 400, "message/malformed"),
        ({"moves": [*found.puzzle.moves, "x"]}, 404, "puzzle/unknown"),
        ({"move": "x"}, 400, "message/malformed"),
    ):
        answer = ada.http.post(route, json=body, timeout=HANG)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    for unknown in ("/api/puzzles/of/chess/1-1", f"/api/puzzles/of/{game}/0-0", "/api/puzzles/next/chess"):
        assert ada.http.get(unknown).status_code == 404
    assert ada.http.get("/api/mistakes").json()["code"] == "puzzle/none"
    assert ada.http.post("/api/mistakes/nowhere/1", json={"move": "x"}).json()["code"] == "puzzle/unknown"
    assert all(one["tried"] == 0 for one in ada.http.get("/api/puzzles").json()["games"])


def test_answers_are_kept_in_both_databases(address: str) -> None:
    db = opened(address)
    schema.migrate(db)
    game = "some game"
    first = ledger.keep_answer(db, "ada", f"{game}/1", game, 1, RIGHT, 1000)
    assert first > FIRST_RATING
    assert ledger.keep_answer(db, "ada", f"{game}/1", game, 2, WRONG, 1000) == first  # the first answer counts
    second = ledger.keep_answer(db, "ada", f"{game}/2", game, 3, WRONG, 1000)
    assert second < first
    ledger.keep_day(db, "ada", 7, game, 4, NEARLY)
    ledger.keep_day(db, "ada", 7, game, 5, RIGHT)
    ledger.keep_mistake(db, "ada", "mistake/t/3", game, 6, WRONG, 99)
    ledger.keep_mistake(db, "ada", "mistake/t/3", game, 8, RIGHT, None)
    ledger.keep_answer(db, "ben", f"{game}/1", game, 9, WRONG, 1000)
    assert ledger.answers_of(db, "ada") == [
        Answered(f"{game}/1", game, 1, RIGHT, first, None),
        Answered(f"{game}/2", game, 3, WRONG, second, None),
        Answered("day/7", game, 4, NEARLY, second, None),
        Answered("mistake/t/3", game, 8, RIGHT, second, None),
    ]
    assert ledger.rating_in(db, "ada", game) == second
    assert ledger.rating_in(db, "ada", "another") == FIRST_RATING
    db.close()  # type: ignore[attr-defined]


def test_reviewed_matches_of_a_guest_are_found_in_both_databases(address: str) -> None:
    db = opened(address)
    schema.migrate(db)
    for table, changed, ended in (("old", 10, 1), ("new", 50, 1), ("running", 5, 0)):
        db.execute(
            "insert into tables (id, game, rules, options, seed, created, touched, changed, ended)"
            " values (?, 'a game', 1, '{}', ?, 1, 1, ?, ?)",
            (table, b"seed", changed, ended),
        )
        db.execute("insert into seats (table_id, seat, guest) values (?, 1, 'ada'), (?, 2, 'ben')", (table, table))
        keep_review(db, table, [decision(1, 1, 0.5), decision(2, 2, 0.4)])
    found = ledger.reviewed(db, "ada", before=40)
    assert [(one.table, one.ended, [each.n for each in one.decisions]) for one in found] == [("old", 10, [1])]
    assert [one.table for one in ledger.reviewed(db, "ben", before=60)] == ["old", "new"]
    assert ledger.reviewed(db, "eve", before=60) == []
    db.close()  # type: ignore[attr-defined]


def decision(n: int, seat: int, loss: float) -> Decision:
    best = Choice("best", 0.9, message("core.over"), {})
    return Decision(n, seat, Knowledge((0.9, 0.1), 0.9 - loss, 0.0, "blunder", (best,)))


def test_the_worst_mistakes_come_back_after_some_days_until_they_are_solved() -> None:
    losses = [0.25, 0.05, 0.6, 0.4]
    match = Reviewed("t", "a game", 1000, [decision(n, 1, loss) for n, loss in enumerate(losses, 1)])
    fresh = worst([match], [])
    assert {(one.decision.n, one.due) for one in fresh} == {(3, 1000 + REST), (4, 1000 + REST)}
    assert len(fresh) == WORST
    missed = Answered("mistake/t/3", "a game", 5000, WRONG, 1000, 5000 + REST)
    solved = Answered("mistake/t/4", "a game", 5000, RIGHT, 1000, None)
    assert [(one.decision.n, one.due) for one in worst([match], [missed, solved])] == [(3, 5000 + REST)]


def test_streaks_are_days_in_a_row() -> None:
    assert streak(set(), 10) == 0
    assert streak({8, 9, 10}, 10) == 3
    assert streak({8, 9}, 10) == 2  # today's is still open
    assert streak({7, 8}, 10) == 0
    assert longest({1, 2, 3, 7, 8}) == 3


def test_every_day_has_a_puzzle_and_the_games_take_turns() -> None:
    days = [puzzle_of_day(day) for day in range(20_000, 20_000 + 2 * len(GAMES))]
    assert [day[0] for day in days if day] == GAMES * 2 or {day[0] for day in days if day} == set(GAMES)
    assert len({(day[0], day[1].id) for day in days if day}) == len(days)
    assert standing(GAMES[0], []).puzzles == len(puzzles.puzzles_of(GAMES[0]))
