"""Sends messages to the clients at a table: to each one what it may see and does not have yet."""

from collections.abc import Collection, Iterable, Sequence

from ludoteca.core.match import Match
from ludoteca.server import serialize
from ludoteca.server.presence import Watcher
from ludoteca.server.rows import SaidRow, TableRow
from ludoteca.server.serialize import Snapshot
from ludoteca.server.visibility import Sight


class Broadcaster:
    """Knows how many entries each client has, and which player sits before a shared device."""

    def __init__(self) -> None:
        self._ready: dict[Watcher, int] = {}  # for each shared device: the seat that said `ready` last
        self._sent: dict[Watcher, int] = {}  # how many entries each has
        self._seats_sent: dict[Watcher, object] = {}  # what each was last sent of the seats, see `_seats_seen`

    def eye(self, match: Match | None, row: TableRow, watcher: Watcher) -> int | None:
        if match is None:
            return None
        return eye(match, row.held_by(watcher.guest_id), self._ready.get(watcher))

    def sight(self, shot: Snapshot, watcher: Watcher) -> Sight:
        """Return what a client may see now."""
        held = tuple(shot.row.held_by(watcher.guest_id))
        if shot.visibility is None:
            return Sight(held, None, None, 0)
        seen_by = None if shot.match is None else eye(shot.match, held, self._ready.get(watcher))
        return shot.visibility.sight(held, seen_by, shot.t)

    def set_ready(self, watcher: Watcher, seat: int) -> None:
        """The seat's player sits before the device now, and is shown what that seat may see."""
        self._ready[watcher] = seat

    def pass_devices_on(self, match: Match, row: TableRow) -> None:
        """On every shared device where another seat is on the move now, forget who said `ready`."""
        for watcher in list(self._ready):
            if self.eye(match, row, watcher) is None:
                del self._ready[watcher]

    def forget(self, watcher: Watcher) -> None:
        self._ready.pop(watcher, None)
        self._sent.pop(watcher, None)
        self._seats_sent.pop(watcher, None)

    def send_table(self, shot: Snapshot, watchers: Collection[Watcher], have: int | None = None) -> None:
        """Send the table, and of the log what comes after `have`: by default, what each client lacks."""
        for watcher in list(watchers):
            sight = self.sight(shot, watcher)
            start = min(self._sent.get(watcher, 0) if have is None else have, sight.n)
            watcher.send(serialize.table(shot, sight, watcher.guest_id, watcher.link(shot.row.id), start))
            self._sent[watcher] = sight.n
            self._seats_sent[watcher] = _seats_seen(shot, sight)

    def send_table_if_changed(self, shot: Snapshot, watchers: Collection[Watcher]) -> None:
        """Send the table to the clients for which a seat is out, late or away now, or a rematch was agreed."""
        changed = [
            watcher
            for watcher in watchers
            if _seats_seen(shot, self.sight(shot, watcher)) != self._seats_sent.get(watcher)
        ]
        self.send_table(shot, changed)

    def send_position(self, shot: Snapshot, watchers: Collection[Watcher]) -> None:
        """Send the position now, and the entries that each client lacks."""
        self._send(shot, [(watcher, self.sight(shot, watcher)) for watcher in watchers])

    def send_entries(self, shot: Snapshot, watchers: Collection[Watcher], acted: Collection[int]) -> None:
        """Send entries to those who may know of them, and to the seats that acted.

        Others are not told that anything happened.
        """
        concerned = []
        for watcher in watchers:
            sight = self.sight(shot, watcher)
            if sight.n > self._sent.get(watcher, 0) or any(seat in acted for seat in sight.held):
                concerned.append((watcher, sight))
        self._send(shot, concerned)

    def _send(self, shot: Snapshot, sights: Iterable[tuple[Watcher, Sight]]) -> None:
        written: dict[object, bytes] = {}  # clients that hold the same seats and see the same get the same bytes
        for watcher, sight in sights:
            after = min(self._sent.get(watcher, 0), sight.n)
            alike = (sight.held, sight.eye, sight.n, after)
            if alike not in written:
                written[alike] = serialize.entries(shot, sight, after)
            watcher.send(written[alike])
            self._sent[watcher] = sight.n


def _seats_seen(shot: Snapshot, sight: Sight) -> object:
    """Return what a client may see of the seats and of the rematch, which only a `table` message says."""
    if sight.moment is None:
        return None
    conduct = sight.moment.position.conduct
    rematch = shot.row.rematch if sight.held or sight.is_over else None
    return conduct.late, conduct.gone, conduct.away, conduct.out, rematch


def send_cancelled(table: str, watchers: Collection[Watcher]) -> None:
    cancelled = serialize.cancelled(table)
    for watcher in watchers:
        watcher.send(cancelled)


def send_said(watchers: Iterable[Watcher], row: TableRow, one: SaidRow, spectators: bool) -> None:
    """Send what somebody said, either to the clients that hold a seat or to the spectators."""
    message = serialize.said(row.id, one)
    for watcher in watchers:
        if bool(row.held_by(watcher.guest_id)) is not spectators:
            watcher.send(message)


def eye(match: Match, held: Sequence[int], ready: int | None) -> int | None:
    """Return the seat whose eyes a client sees with: of the seats that it holds the one on the move, else the first.

    A client that holds several seats of a game with secrets is a shared device, with one player after another before
    it. It sees as a stranger (None) until the player of the seat on the move has said `ready`. While no seat of the
    device is on the move, it goes on seeing as the seat that said `ready` last.
    """
    on_move = next((seat for seat in match.to_move if seat in held), None)
    is_shared_device = len(held) > 1 and match.game.has_secrets(match.state) and not match.result
    if is_shared_device:
        return ready if on_move is None or on_move == ready else None
    return on_move or (held[0] if held else None)
