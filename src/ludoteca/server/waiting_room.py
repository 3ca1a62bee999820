"""A table before its match: people and bots take seats, people show their bytes for the seal, and the match begins."""

from collections.abc import Callable

from ludoteca.core.chance import seat_commitment
from ludoteca.server import ledger, sealing, seating
from ludoteca.server.presence import Presence
from ludoteca.server.refusals import NoReveal
from ludoteca.server.rows import SeatRow
from ludoteca.server.services import Services
from ludoteca.server.stored_table import StoredTable
from ludoteca.server.tasks import Alarms


class WaitingRoom:
    def __init__(
        self,
        services: Services,
        stored: StoredTable,
        presence: Presence,
        alarms: Alarms,
        seats_changed: Callable[[], None],
        began: Callable[[], None],
    ) -> None:
        """`seats_changed` publishes the seats, `began` publishes the match and lets it go on."""
        self._services, self._stored, self._presence, self._alarms = services, stored, presence, alarms
        self._seats_changed, self._began = seats_changed, began
        self.is_beginning = False

    async def sit(self, guest: str, seat: int, name: str, given: bytes | None, commit: str | None = None) -> None:
        """Take a seat with a commitment to bytes for the seal, or with the bytes themselves, shown at once."""
        stored, now = self._stored, self._services.time.now()
        seating.check_free(stored.row, seat)
        if given is not None:
            commit = seat_commitment(stored.id, seat, given)
        taken = SeatRow(seat, None, stored.row.seat(seat).reserved, guest, name, given, commit)
        await stored.write(lambda db: ledger.take_seat(db, stored.id, taken, now))
        self._change_seat(taken)

    async def remove(self, guest: str | None, seat: int) -> None:
        """Free a seat. Guests whom the creator removes may not come back. A guest may also leave their own seat."""
        stored, now = self._stored, self._services.time.now()
        removed = seating.removed_guest(stored.row, guest, seat)
        await stored.write(lambda db: ledger.free_seat(db, stored.id, seat, removed, now))
        self._change_seat(SeatRow(seat))

    async def fill(self, guest: str | None, seat: int, level: str) -> None:
        """Put a bot on a free seat."""
        stored, now = self._stored, self._services.time.now()
        filled = seating.filled(stored.row, guest, seat, level)
        await stored.write(lambda db: ledger.seat_bot(db, stored.id, filled, now))
        self._change_seat(filled)

    async def close_to_newcomers(self, guest: str | None, closed: bool) -> None:
        """Let nobody sit down who is not here now, or let anybody again. A guest with a new cookie is a newcomer."""
        stored, now = self._stored, self._services.time.now()
        known = seating.admitted(stored.row, guest, self._presence.guests)
        admitted = known if closed else None
        await stored.write(lambda db: ledger.admit(db, stored.id, admitted, now))
        stored.row.admitted = admitted
        self._publish()

    async def reveal(self, guest: str | None, seat: int, given: bytes) -> None:
        """Show the bytes that a seat committed itself to. When all seats have shown theirs, the match begins."""
        stored, now = self._stored, self._services.time.now()
        sealing.check_reveal(stored.row, guest, seat, given)
        if self.is_beginning:
            raise NoReveal("the match is beginning without these bytes")
        await stored.write(lambda db: ledger.reveal(db, stored.id, seat, given, now))
        if stored.row.began_at is None and not self.is_beginning:
            stored.row.seat(seat).seal_bytes = given
            self._publish()

    def _change_seat(self, seat: SeatRow) -> None:
        self._stored.row.seats[seat.seat - 1] = seat
        self._publish()

    def _publish(self) -> None:
        self._seats_changed()
        self.begin_if_full()

    def begin_if_full(self) -> None:
        """When every seat is taken, people show their bytes. Begin the match when all have, or after a while."""
        if not self._can_begin:
            return
        if sealing.is_waiting_for_bytes(self._stored.row):
            self._alarms.set_once("reveal", sealing.REVEAL_WITHIN, self._begin_now)
        else:
            self._begin_now()

    @property
    def _can_begin(self) -> bool:
        return self._stored.row.is_full and not self._stored.has_begun and not self.is_beginning

    def _begin_now(self) -> None:
        self._alarms.cancel("reveal")
        if self._can_begin:
            self.is_beginning = True
            self._services.tasks.start(self._begin())

    async def _begin(self) -> None:
        try:
            await self._services.thinking.rules_ready(self._stored.row.game)
            has_begun = self._stored.row.is_full and not self._stored.has_begun and await self._stored.begin()
        finally:
            self.is_beginning = False
        if has_begun:
            self._began()
        else:  # somebody got up meanwhile, or showed their bytes, or another node was faster
            self.begin_if_full()
