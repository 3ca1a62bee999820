# mypy: ignore-errors
"""What a board shows before a move: the circles that each move would close, found by playing the moves."""

from ludoteca.core.compiler import compiled
from ludoteca.games.matchnlock.circles import CELL, CIRCLES_ROUND, HOLES, circle_points
from ludoteca.games.matchnlock.rules import DECLARES, count, move_at, play


@compiled
def closings(state, pool, out):
    """Write (move, circle, colour, points) for every circle that a placement or a rotation would close.

    Return the number of rows.
    """
    n = 0
    if state.actor < 0:
        return n
    for k in range(count(state)):
        move = move_at(state, k)
        if move < DECLARES:
            pool[0] = state
            play(pool[0], move)
            n = newly_closed(state, pool[0], move, out, n)
    return n


@compiled
def newly_closed(before, after, move, out, n):
    """Write, from row n, the circles round the move's hole that this move closes. Return the number of rows."""
    for offset in CIRCLES_ROUND:
        circle = int(CELL[move & HOLES - 1]) + offset
        if after.lock[circle] != before.lock[circle]:
            out[n, 0] = move
            out[n, 1] = circle
            out[n, 2] = int(after.lock[circle]) - 1
            out[n, 3] = circle_points(after, circle)
            n += 1
    return n
