"""Before the match: people sit down, the one who made the table removes somebody or gives a seat to a bot."""

import secrets
from typing import TYPE_CHECKING

from ludoteca.core.chance import SEAT_BYTES
from ludoteca.core.errors import UnknownBot
from ludoteca.server import bots, ledger
from ludoteca.server.ledger import SeatRow
from ludoteca.server.refusals import Begun, NotYourTable, SeatReserved, SeatTaken, TableFull

if TYPE_CHECKING:
    from ludoteca.server.tables import Table


class Seating:
    def __init__(self, table: "Table") -> None:
        self._table = table

    async def sit(self, guest: str, seat: int, name: str, given: bytes) -> None:
        table, row = self._table, self._table.seat(seat)
        if row.taken:
            raise TableFull(table.id) if table.full else SeatTaken(seat)
        now = table.house.time.now()
        await table.house.storage.write(lambda db: ledger.take_seat(db, table.id, seat, guest, name, given, now))
        row.guest, row.name, row.seal_bytes = guest, name, given
        self._changed()

    async def remove(self, guest: str | None, seat: int) -> None:
        """Frees a seat. Whoever is removed by another may not come back; one may also get up oneself."""
        table, row = self._table, self._table.seat(seat)
        by_creator = self._is_creator(guest)
        if not by_creator and (guest is None or row.guest != guest):
            raise NotYourTable(table.id)
        self._check_waiting()
        removed = row.guest if row.guest != guest else None
        now = table.house.time.now()
        await table.house.storage.write(lambda db: ledger.free_seat(db, table.id, seat, removed, now))
        table.row.seats[seat - 1] = SeatRow(seat)
        self._changed()

    async def fill(self, guest: str | None, seat: int, level: str) -> None:
        """A bot sits down on a free seat."""
        table, row = self._table, self._table.seat(seat)
        if not self._is_creator(guest):
            raise NotYourTable(table.id)
        self._check_waiting()
        if row.taken:
            raise SeatTaken(seat)
        if row.reserved not in (None, guest):
            raise SeatReserved(seat)
        filled, now = bot_seat(table.row.game, seat, level), table.house.time.now()
        await table.house.storage.write(lambda db: ledger.seat_bot(db, table.id, filled, now))
        table.row.seats[seat - 1] = filled
        self._changed()

    def _is_creator(self, guest: str | None) -> bool:
        return guest is not None and self._table.row.creator == guest

    def _check_waiting(self) -> None:
        if self._table.match is not None:
            raise Begun(self._table.id)

    def _changed(self) -> None:
        self._table.teller.tell_table()
        self._table.begin_if_full()
        self._table.house.lobby.update(self._table)


def bot_seat(key: str, number: int, level: str | None) -> SeatRow:
    if level is None or level not in bots.levels(key):
        raise UnknownBot(str(level), list(bots.levels(key)))
    return SeatRow(number, bot=level, name=level.capitalize(), seal_bytes=secrets.token_bytes(SEAT_BYTES))
