"""Takebacks: at once where nobody else plays, else when all the others agree."""

from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from ludoteca.core.events import ConductEvent, Takeback
from ludoteca.core.match import Match, Transition
from ludoteca.server.refusals import LogFull, NoTakeback, NothingAsked
from ludoteca.server.rows import Asked, TableRow

MOST_ENTRIES = 10_000  # of a log: several times as long as the longest match by the rules
MOST_TAKEBACKS = 200  # of a match; there are none in the second half of a full log, which is kept for moves


def offered(match: Match, held: Sequence[int], others: Collection[int]) -> dict[str, Any] | None:
    """Return what a takeback would do for the guest who holds these seats. The others must agree to it."""
    takeback = possible(match, held) if held else None
    return None if takeback is None else {"target": takeback.target, "free": not others}


def ask(match: Match, row: TableRow, asked: Asked | None, held: Sequence[int], seat: int | None) -> Takeback | Asked:
    """Return the takeback that the holder of these seats gets at once, or the question that the others get."""
    takeback = possible(match, held if seat is None else [seat])
    if takeback is None:
        raise NoTakeback("there is no move that could be taken back")
    if not other_players(match, row, held):
        return takeback
    if asked is not None:
        raise NoTakeback(f"seat {asked.seat} asks for one already")
    return Asked("takeback", held[0] if seat is None else seat, takeback.target)


def answer(
    match: Match, row: TableRow, asked: Asked | None, held: Sequence[int], seat: int, yes: bool
) -> Takeback | Asked | None:
    """Return what follows from an answer, which holds for all seats of the guest: the takeback when all have agreed,
    the question with one more who has, or None when it is refused."""
    others = other_players(match, row, row.held_by(row.seat(asked.seat).guest)) if asked else set()
    if asked is None or seat not in others:
        raise NothingAsked(seat)
    if not yes:
        return None
    agreed = {*asked.yes, *held} & others
    if agreed == others:
        return Takeback(asked.target)
    return msgspec.structs.replace(asked, yes=tuple(sorted(agreed)))


def still_asked(asked: Asked | None, transitions: Collection[Transition], over: bool) -> Asked | None:
    """Return the question that is left after something happened: a move is an answer too."""
    if over or any(not isinstance(one.event, ConductEvent) for one in transitions):
        return None
    return asked


def possible(match: Match, seats: Sequence[int]) -> Takeback | None:
    """Return the takeback of the last move of these seats that still stands, if the match allows it.

    One who is out by resigning or by a claim stays out after a takeback, so there is none.
    """
    seats = [seat for seat in seats if seat not in match.position.conduct.out]
    if match.result or match.game.is_simultaneous(match.state):
        return None
    if match.takebacks >= MOST_TAKEBACKS or len(match.log) >= MOST_ENTRIES // 2:
        return None
    line = match.line(len(match.log))
    for number in line:
        if match.takeback_bar(number) is not None:
            return None
        if match.log[number - 1].by in seats and match.events[number - 1] is None:
            target = next(line, 0)
            return Takeback(target) if target >= match.n_given else None
    return None


def check_room(match: Match, move: str) -> None:
    """Raise LogFull where the log is as long as it may be. Such a match can still be ended."""
    if len(match.log) >= MOST_ENTRIES and move not in ("resign", "claim", "accept"):
        raise LogFull(MOST_ENTRIES)


def other_players(match: Match, row: TableRow, held: Sequence[int]) -> set[int]:
    """Return the seats of other people who must agree: not of those who are out."""
    out = match.position.conduct.out | match.game.eliminated(match.state)
    return {seat.seat for seat in row.seats if seat.bot is None} - set(held) - out
