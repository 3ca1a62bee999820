"""My mistakes, the whole way: a match, its review, some days, the worst moment as a puzzle, a miss, the solution."""

from pathlib import Path

import pytest
from missed_puzzles import shortest_missed
from quiet_tables import QuietTables, play, table_for, visit
from test_reviews import reviews_of

from ludoteca.core.errors import IllegalMove, UnknownMove, UnknownPuzzle
from ludoteca.core.puzzles import Found
from ludoteca.server.mistakes import REST, Mistakes
from ludoteca.server.puzzles import DAY
from ludoteca.server.table import Table

GAME = "aftaebr"


async def blundered(tables: QuietTables, found: Found) -> Table:
    """Return a finished match in which Ada missed what a puzzle asks for; Ben had the other seat."""
    puzzle = found.puzzle
    log = [(by, move) for by, move in found.mined.log[: puzzle.at] if by]  # the table's draw says only who begins
    guests = ["ada" if seat == puzzle.seat else "ben" for seat in (1, 2)]
    table, _ = await table_for(tables, guests, GAME, options={"start": log[0][0]})
    for by, move in (*log, (puzzle.seat, puzzle.other)):
        await play(table, by, move)
    await table.move("ada", puzzle.seat, "resign", len(table.match.log))
    assert table.match.result is not None
    return table


def test_the_worst_moment_of_a_reviewed_match_comes_back_until_it_is_solved(tmp_path: Path) -> None:
    short = shortest_missed(GAME)

    async def what(tables: QuietTables) -> None:
        table = await blundered(tables, short)
        reviews, _ = reviews_of(tables)
        mistakes = Mistakes(tables.storage, tables, reviews, tables.stepped)
        await tables.wait(REST + DAY)
        assert await mistakes.due("ada") == []  # nobody has reviewed the match

        await reviews.of(table.id, table.match, "ada")
        await tables.settle()
        n = len(table.match.log) - 1  # before she resigned
        due = {one.decision.n: one for one in await mistakes.due("ada")}
        assert n in due
        assert n not in {one.decision.n for one in await mistakes.due("ben")}
        assert await mistakes.due(None) == []

        shown = await mistakes.shown(due[n])
        before = table.match.at(n - 1).state
        assert (shown.game, shown.id, shown.seat, shown.moves) == (GAME, f"{table.id}/{n}", short.puzzle.seat, 1)
        assert shown.view == table.match.game.view(before, shown.seat)
        assert shown.legal == table.match.game.legal(before, shown.seat)
        assert shown.played is not None

        colour, square = short.puzzle.moves[0][0], short.puzzle.moves[0][2:]
        numbers = [f"{colour}{number}{square}" for number in range(1, 5)]
        misfit = next(move for move in numbers if move not in table.match.game.moves(before))
        for refused, why in ((misfit, IllegalMove), ("nonsense", UnknownMove)):
            with pytest.raises(why) as rules:
                table.match.game.play(before, shown.seat, refused)
            judged = await mistakes.judged(table.id, n, refused, "ada")
            assert (judged.verdict, judged.reason, judged.made) == (None, rules.value.reason, [])
            assert n in {one.decision.n for one in await mistakes.due("ada")}  # it was no answer

        missed = await mistakes.judged(table.id, n, short.puzzle.other, "ada")
        assert missed.verdict == "wrong"
        assert missed.best is not None
        assert missed.most is not None
        assert missed.best - missed.most > 0.2
        assert missed.solution
        assert n not in {one.decision.n for one in await mistakes.due("ada")}
        with pytest.raises(UnknownPuzzle):  # it is not due
            await mistakes.judged(table.id, n, short.puzzle.moves[0], "ada")
        await tables.wait(REST - 1)
        assert n not in {one.decision.n for one in await mistakes.due("ada")}
        await tables.wait(1)
        assert n in {one.decision.n for one in await mistakes.due("ada")}

        solved = await mistakes.judged(table.id, n, short.puzzle.moves[0], "ada")
        assert solved.verdict == "right"
        await tables.wait(100 * DAY)
        assert n not in {one.decision.n for one in await mistakes.due("ada")}

    visit(tmp_path, what)


def test_a_mistake_rests_for_some_days_after_the_match(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table = await blundered(tables, shortest_missed(GAME))
        reviews, _ = reviews_of(tables)
        mistakes = Mistakes(tables.storage, tables, reviews, tables.stepped)
        await reviews.of(table.id, table.match, "ada")
        await tables.settle()
        assert await mistakes.due("ada") == []
        await tables.wait(REST - DAY)
        assert await mistakes.due("ada") == []
        await tables.wait(DAY + 1)
        assert len(table.match.log) - 1 in {one.decision.n for one in await mistakes.due("ada")}

    visit(tmp_path, what)
