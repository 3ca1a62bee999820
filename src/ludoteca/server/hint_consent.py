"""Hints: for one who plays against nobody but bots, else while all people at the table agree to them."""

from collections.abc import Collection, Sequence
from typing import Any

from ludoteca.core.conduct import Conduct
from ludoteca.core.match import Match
from ludoteca.server.refusals import NoHint
from ludoteca.server.rows import TableRow
from ludoteca.server.takebacks import other_players


def told(row: TableRow, conduct: Conduct, held: Sequence[int], others: Collection[int]) -> dict[str, Any] | None:
    """Return what the guest who holds these seats is told about hints, which the others must agree to."""
    if not held:
        return None
    return {"free": not others, "on": are_on(row, conduct, held, others), "agreed": sorted(conduct.hints)}


def are_on(row: TableRow, conduct: Conduct, held: Sequence[int], others: Collection[int]) -> bool:
    """Return whether the guest who holds these seats may ask for hints. An answer holds for all seats of a guest."""
    if not others or not conduct.hints:
        return not others
    agreed = {row.seat(seat).guest for seat in conduct.hints}
    return all(row.seat(seat).guest in agreed for seat in (*others, *held))


def check(match: Match, row: TableRow, held: Sequence[int], move: str) -> None:
    """Raise NoHint for an agreement that nobody needs."""
    if move == "hints on" and not other_players(match, row, held):
        raise NoHint("no other person plays here, so hints need no agreement")
