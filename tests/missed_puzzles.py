"""A match in which somebody misses what a puzzle asks for, and the usual work of a review sees it."""

from functools import cache

from ludoteca.core import puzzles
from ludoteca.core.puzzles import Found
from ludoteca.search.reviewing import Decision, judge_decision
from ludoteca.server.mistakes import COST


@cache
def shortest_missed(game: str) -> Found:
    """Return the puzzle of the shortest such match: the move that misses it is the worst one of the match."""
    for found in sorted(puzzles.puzzles_of(game).values(), key=lambda found: (found.puzzle.at, found.id)):
        if _is_worst(game, found):
            return found
    raise AssertionError("the usual work of a review sees none of the puzzles")


def _is_worst(game: str, found: Found) -> bool:
    match, _ = puzzles.begun(game, found)
    match.play(found.puzzle.other, by=found.puzzle.seat)
    last = found.puzzle.at + 1

    def judged(n: int) -> Decision:
        entry = match.log[n - 1]
        return judge_decision(game, match.at(n - 1).state, n, entry.by, entry.move)

    loss = judged(last).known.loss
    return loss >= COST and all(judged(n).known.loss < loss for n in range(1, last) if match.log[n - 1].by)
