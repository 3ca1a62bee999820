"""Takes moves back: at once where nobody else plays, else when all the others agree."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from ludoteca.core.conduct import is_conduct
from ludoteca.core.errors import IllegalMove
from ludoteca.core.match import Match
from ludoteca.core.record import Entry
from ludoteca.server.refusals import NoTakeback, NothingAsked

if TYPE_CHECKING:
    from ludoteca.server.tables import Table


class Asked(msgspec.Struct, frozen=True):
    what: str
    seat: int  # that asks
    target: int
    yes: tuple[int, ...] = ()


class Takebacker:
    def __init__(self, table: "Table") -> None:
        self._table = table
        self.asked: Asked | None = None

    def others(self, held: Sequence[int]) -> set[int]:
        """The seats of other people who must agree: not of those who are out."""
        match = self._table.playing()
        out = match.position.conduct.out | match.game.eliminated(match.state)
        return {seat.seat for seat in self._table.row.seats if seat.bot is None} - set(held) - out

    def offered(self, held: Sequence[int]) -> dict[str, Any] | None:
        """What a takeback would do for those who hold these seats."""
        match = self._table.playing()
        target = takeback_target(match, held) if held else None
        return None if target is None else {"target": target, "free": not self.others(held)}

    async def take_back(self, guest: str | None, seat: int | None) -> None:
        table, match = self._table, self._table.playing()
        held = table.held_by(guest)
        if seat is not None:
            table.check_held(guest, seat)
        target = takeback_target(match, held if seat is None else [seat])
        if target is None:
            raise NoTakeback("there is no move that could be taken back")
        if not self.others(held):
            await table.append(match, f"takeback {target}", 0, len(match.log))
            return
        if self.asked is not None:
            raise NoTakeback(f"seat {self.asked.seat} asks for one already")
        self.asked = Asked("takeback", held[0] if seat is None else seat, target)
        table.teller.tell_position()

    async def answer(self, guest: str | None, seat: int, yes: bool) -> None:
        """For all the seats that the guest holds."""
        table, match, asked = self._table, self._table.playing(), self.asked
        table.check_held(guest, seat)
        asker = table.held_by(table.seat(asked.seat).guest) if asked else []
        if asked is None or seat not in self.others(asker):
            raise NothingAsked(seat)
        if not yes:
            self._drop()
            return
        agreed = {*asked.yes, *table.held_by(guest)} & self.others(asker)
        if agreed == self.others(asker):
            self.asked = None
            await table.append(match, f"takeback {asked.target}", 0, len(match.log))
            return
        self.asked = msgspec.structs.replace(asked, yes=tuple(sorted(agreed)))
        table.teller.tell_position()

    def happened(self, entries: Sequence[Entry], over: bool) -> None:
        """A move is an answer too."""
        if over or any(not is_conduct(entry.by, entry.move) for entry in entries):
            self.asked = None

    def asker_left(self, guest: str) -> None:
        if self.asked is not None and self._table.seat(self.asked.seat).guest == guest:
            self._drop()

    def _drop(self) -> None:
        self.asked = None
        self._table.teller.tell_position()


def takeback_target(match: Match, seats: Sequence[int]) -> int | None:
    """The entry that a takeback would go back to: before the last move, of these seats, that still stands."""
    if match.result or match.game.is_simultaneous(match.state):
        return None
    line = match.line(len(match.log))
    for number in line:
        entry = match.log[number - 1]
        if entry.by in seats and not is_conduct(entry.by, entry.move):
            try:
                return match.takeback_target(f"takeback {next(line, 0)}")
            except IllegalMove:
                return None
    return None
