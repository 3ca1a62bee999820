"""Hints: for one who plays against nobody but bots, else while all people at the table agree to them."""

from collections.abc import Sequence
from typing import Any

from ludoteca.core.conduct import Conduct
from ludoteca.core.match import Match
from ludoteca.server.refusals import NoHint
from ludoteca.server.rows import TableRow
from ludoteca.server.takebacks import other_players


def told(match: Match, row: TableRow, conduct: Conduct, held: Sequence[int]) -> dict[str, Any] | None:
    """Return what the guest who holds these seats is told about hints."""
    if not held:
        return None
    return {
        "free": not other_players(match, row, held),
        "on": are_on(match, row, conduct, held),
        "agreed": sorted(conduct.hints),
    }


def are_on(match: Match, row: TableRow, conduct: Conduct, held: Sequence[int]) -> bool:
    """Return whether the guest who holds these seats may ask for hints. An answer holds for all seats of a guest."""
    others = other_players(match, row, held)
    agreed = {row.seat(seat).guest for seat in conduct.hints}
    return not others or all(row.seat(seat).guest in agreed for seat in (*others, *held))


def check(match: Match, row: TableRow, held: Sequence[int], move: str) -> None:
    """Raise NoHint for an agreement that nobody needs."""
    if move == "hints on" and not other_players(match, row, held):
        raise NoHint("no other person plays here, so hints need no agreement")
