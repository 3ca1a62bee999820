"""Tells everybody at a table what they may know, each as far as their horizon reaches."""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ludoteca.core.match import Match
from ludoteca.server import telling
from ludoteca.server.horizon import Moment
from ludoteca.server.timing import Alarm

if TYPE_CHECKING:
    from ludoteca.server.tables import Table, Watcher


class Sight(NamedTuple):
    """With whose eyes a client sees, and how far."""

    held: tuple[int, ...]
    eye: int | None
    moment: Moment | None  # None before the match
    t: int  # the time that their clocks show

    @property
    def n(self) -> int:
        return self.moment.n if self.moment else 0


class Teller:
    def __init__(self, table: "Table") -> None:
        self._table = table
        self._ready: dict[Watcher, int] = {}  # of those who share a device: the seat that said so last
        self._known: dict[Watcher, int] = {}  # how many entries each was told
        self._alarm: Alarm | None = None
        self._last_view: tuple[Any, int | None, msgspec.Raw] | None = None  # of a state, for an eye

    def eye(self, watcher: "Watcher") -> int | None:
        match = self._table.match
        if match is None:
            return None
        return telling.eye(match, self._table.held_by(watcher.guest_id), self._ready.get(watcher))

    def sight(self, watcher: "Watcher") -> Sight:
        held, eye = tuple(self._table.held_by(watcher.guest_id)), self.eye(watcher)
        if self._table.horizon is None:
            return Sight(held, eye, None, 0)
        t = self._table.elapsed()
        moment = self._table.horizon.seen(eye, not held, t)
        return Sight(held, eye, moment, self._table.horizon.shown_time(not held, t))

    def view(self, match: Match, state: Any, eye: int | None) -> msgspec.Raw:
        """As it is told: what all see alike is written once for all."""
        whose = None if match.game.is_seen_alike(state) else eye
        last = self._last_view
        if last is None or last[0] is not state or last[1] != whose:
            last = self._last_view = (state, whose, msgspec.Raw(msgspec.json.encode(match.game.view(state, whose))))
        return last[2]

    def be_ready(self, watcher: "Watcher", seat: int) -> None:
        """The seat's player sits before the device now, and is shown what that seat may see."""
        self._table.check_held(watcher.guest_id, seat)
        if watcher in self._table.presence.watchers:
            self._ready[watcher] = seat
            self.tell_position([watcher])

    def pass_devices_on(self) -> None:
        """Where another seat of the same device is on the move, whoever sat before it has to say so anew."""
        for watcher in list(self._ready):
            if self.eye(watcher) is None:
                del self._ready[watcher]

    def forget(self, watcher: "Watcher") -> None:
        self._ready.pop(watcher, None)
        self._known.pop(watcher, None)

    def tell_table(self, have: int | None = None, watchers: Iterable["Watcher"] | None = None) -> None:
        """They, or all, are told the table, and of the log what comes after `have`: by default, what they lack."""
        for watcher in list(self._table.presence.watchers if watchers is None else watchers):
            sight = self.sight(watcher)
            start = min(self._known.get(watcher, 0) if have is None else have, sight.n)
            watcher.send(telling.table_told(self._table, watcher, sight, start))
            self._known[watcher] = sight.n
        self._table.presence.expect_grace()
        self._expect_late()

    def tell_position(self, watchers: Iterable["Watcher"] | None = None) -> None:
        """They, or all, are told how things stand."""
        everybody = self._table.presence.watchers if watchers is None else watchers
        self._tell_entries([(watcher, self.sight(watcher)) for watcher in everybody])

    def tell_happened(self, acted: Collection[int] = ()) -> None:
        """Those who may know of it, and those who did it, are told; the others do not even learn that something was."""
        seen = [(watcher, self.sight(watcher)) for watcher in self._table.presence.watchers]
        self._tell_entries(
            (watcher, sight)
            for watcher, sight in seen
            if sight.n > self._known.get(watcher, 0) or any(seat in acted for seat in sight.held)
        )
        self._expect_late()

    def _tell_entries(self, seen: Iterable[tuple["Watcher", Sight]]) -> None:
        written: dict[object, bytes] = {}  # those who hold the same seats and see the same are told the same
        for watcher, sight in seen:
            after = min(self._known.get(watcher, 0), sight.n)
            alike = (sight.held, sight.eye, sight.n, after)
            if alike not in written:
                written[alike] = telling.entries_told(self._table, sight, after)
            watcher.send(written[alike])
            self._known[watcher] = sight.n

    def _expect_late(self) -> None:
        """Whoever sees late is told the rest when its time has come."""
        table = self._table
        if not table.row.delay or table.horizon is None or self._alarm is not None:
            return
        now = table.elapsed()
        table.horizon.forget(now)
        due = table.horizon.next_change(now)
        if due is not None:
            self._alarm = table.house.time.later(due - now, self._tell_late)

    def _tell_late(self) -> None:
        self._alarm = None
        self.tell_happened()

    def stop(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
