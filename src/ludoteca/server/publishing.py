"""Publishes a table to its watchers: at once, or as late as the table shows everything to spectators."""

from collections.abc import Callable, Collection
from functools import partial

from ludoteca.server import broadcast, presence, serialize
from ludoteca.server.broadcast import Broadcaster
from ludoteca.server.presence import Presence, Watcher
from ludoteca.server.rows import Asked, SaidRow, TableRow
from ludoteca.server.serialize import Snapshot
from ludoteca.server.tasks import Alarms
from ludoteca.server.timing import Time

COUNTED_EVERY = 1000  # milliseconds: spectators come and go


class Publisher:
    """Knows when to send and to whom; the broadcaster knows what each client may see and lacks."""

    def __init__(
        self, presence: Presence, broadcaster: Broadcaster, time: Time, alarms: Alarms, snapshot: Callable[[], Snapshot]
    ) -> None:
        """`snapshot` returns the table as it is now."""
        self._presence, self._broadcaster, self._time, self._alarms = presence, broadcaster, time, alarms
        self._snapshot = snapshot

    def send_table(self, have: int | None = None, watchers: Collection[Watcher] | None = None) -> None:
        """Send the table to these watchers, or to all, and of the log what comes after `have` or what they lack."""
        self._send_table(self._snapshot(), self._presence.watchers if watchers is None else watchers, have)

    def send_table_in_time(self) -> None:
        """Send the table to those who may know at once that something happened."""
        shot = self._snapshot()
        self._send_table(shot, self._in_time(shot.row))

    def _send_table(self, shot: Snapshot, watchers: Collection[Watcher], have: int | None = None) -> None:
        self._broadcaster.send_table(shot, watchers, have)
        grace = None if shot.timed else presence.grace_left(shot.away_times)
        if grace is not None and shot.match is not None and shot.match.result is None:
            self._alarms.set_once("grace", grace, self.send_table_in_time)
        self._expect_delayed(shot)

    def send_position(self, watchers: Collection[Watcher] | None = None) -> None:
        """Send the position now to these watchers, or to all."""
        self._broadcaster.send_position(self._snapshot(), self._presence.watchers if watchers is None else watchers)

    def send_position_in_time(self) -> None:
        """Send the position to those who may know at once that something happened."""
        shot = self._snapshot()
        self._broadcaster.send_position(shot, self._in_time(shot.row))

    def send_position_soon(self) -> None:
        """Send the position to all, once for everything that happens until then: spectators come and go."""
        self._alarms.set_once("count", COUNTED_EVERY, self.send_position)

    def send_entries(self, acted: Collection[int] = ()) -> None:
        """Send what happened, by which seats, to those who may know of it."""
        shot = self._snapshot()
        self._broadcaster.send_entries(shot, self._presence.watchers, acted)
        self._expect_delayed(shot)

    def send_declined(self, row: TableRow, asked: Asked, by: int) -> None:
        """Tell the guest who asked that another seat did not agree."""
        asker = row.seat(asked.seat).guest
        if by and row.seat(by).guest != asker:
            message = serialize.declined(row.id, asked, by)
            for watcher in [watcher for watcher in self._presence.watchers if watcher.guest_id == asker]:
                watcher.send(message)

    def send_said(self, row: TableRow, said: SaidRow) -> None:
        """Send what was said at once to those who sit here, and to spectators as late as the moves."""
        broadcast.send_said(self._presence.watchers, row, said, spectators=False)
        send_late = partial(broadcast.send_said, self._presence.watchers, row, said, spectators=True)
        if row.delay:
            self._time.later(row.delay * 1000, send_late)
        else:
            send_late()

    def send_changed_seats(self) -> None:
        """Send the table to spectators who see late, if seats stand differently from what they were sent."""
        shot = self._snapshot()
        late = self._presence.watchers - set(self._in_time(shot.row))
        self._broadcaster.send_table_if_changed(shot, late)

    def _in_time(self, row: TableRow) -> Collection[Watcher]:
        """Return those who may know at once that something happened: not the spectators of a table with a delay."""
        watchers = self._presence.watchers
        return {one for one in watchers if row.held_by(one.guest_id)} if row.delay else watchers

    def _expect_delayed(self, shot: Snapshot) -> None:
        """Send spectators who see late the rest when its time has come."""
        if not shot.row.delay or shot.visibility is None:
            return
        shot.visibility.forget(shot.t)
        if (due := shot.visibility.next_change(shot.t)) is not None:
            self._alarms.set_once("delayed", due - shot.t, self._send_delayed)

    def _send_delayed(self) -> None:
        self.send_entries()
        self.send_changed_seats()
