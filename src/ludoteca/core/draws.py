"""The choices of every draw of a match. With them a page that knows no rules checks each outcome against its ticket."""

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from ludoteca.core.chance import Scripted
from ludoteca.core.game import Choice, Game
from ludoteca.core.match import Match
from ludoteca.core.record import Entry


class TableEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entry of the table: whether chance decided it, and what each of its draws chose from, in order."""

    n: int
    why: Literal["chance", "measured", "table", "given"]
    draws: tuple[tuple[Choice, ...], ...] = ()


def table_entries(match: Match) -> Iterator[TableEntry]:
    """Yield every entry of the table in the log of a sealed match, with the choices of its draws."""
    again = Match(match.game, match.agreed, match.seats)  # without the seal, so that it draws nothing itself
    for number, entry in enumerate(match.log, start=1):
        if entry.by == 0:
            given = number <= match.n_given
            yield TableEntry(number, "given") if given else _table_entry(match.game, again.state, number, entry)
        again.follow((entry,))


def _table_entry(game: Game, state: Any, number: int, entry: Entry) -> TableEntry:
    if not entry.picks:
        return TableEntry(number, "measured" if game.is_measured(entry.move) else "table")
    drawn = Scripted([ticket for ticket, _ in entry.picks])
    game.chance(state, drawn)
    return TableEntry(number, "chance", game.choices(state, drawn))
