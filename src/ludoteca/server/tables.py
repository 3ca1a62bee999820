"""A table: its seats, its match, those who watch. Whatever happens is stored first, then done, then told."""

import asyncio
import logging
import secrets
import time
from collections.abc import Coroutine, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

import msgspec

from ludoteca.core import registry
from ludoteca.core.chance import Seal
from ludoteca.core.errors import StaleMatch
from ludoteca.core.match import Append, Match
from ludoteca.core.record import Entry, Record, Seat
from ludoteca.server import clock, ledger, telling
from ludoteca.server.ledger import SeatRow, TableRow
from ludoteca.server.refusals import NoHint, NoTakeback, NotBegun, NotYourSeat, SeatTaken, UnknownEntry, UnknownSeat
from ludoteca.server.storage import Storage

STAND_IN = "casual"
BOT_TRIES_AGAIN = 5.0  # seconds after it could not move
log = logging.getLogger("ludoteca.server.tables")


class Watcher(Protocol):
    """A client's connection, as its tables know it."""

    guest_id: str | None

    def link(self, table: str) -> str: ...

    def send(self, told: bytes) -> None: ...


class House(Protocol):
    """What a table needs of the house it stands in."""

    storage: Storage

    async def warm(self, key: str) -> None:
        """Returns when the game's rules are compiled."""

    async def think(self, key: str, name: str, state: Any, seat: int, seed: tuple[object, ...]) -> str:
        """The move of a bot."""

    async def advise(self, key: str, state: Any, seat: int, seed: tuple[object, ...]) -> str:
        """The move of the strongest bot there is; NoHint where there is none."""

    def go_on(self, work: Coroutine[Any, Any, None]) -> None:
        """Sees to work that nobody waits for."""


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class Table:
    def __init__(self, house: House, row: TableRow, entries: Sequence[Entry]) -> None:
        """May take milliseconds: the log is replayed."""
        self.house, self.row = house, row
        self.watchers: set[Watcher] = set()
        self._ready: dict[Watcher, int] = {}  # of those who share a device: the seat that said so last
        self.match: Match | None = None
        self.told: list[telling.Told] = []
        self.clock: clock.Clock | None = None
        self.thinking: int | None = None
        self.touched = time.monotonic()
        self._thought: tuple[int, int] | None = None  # the seat and the length of the log that a bot thinks about
        self._alarm: asyncio.TimerHandle | None = None
        self._beginning = self._advising = False
        if row.begun is not None:
            self.match = self._new_match()
            self._replay(self.match, entries)

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def full(self) -> bool:
        return all(seat.taken for seat in self.row.seats)

    @property
    def at_rest(self) -> bool:
        """Nobody watches, thinks or is timed: it may be put away and fetched again."""
        return not self.watchers and self._thought is None and self.clock is None and not self._beginning

    def held_by(self, guest: str | None) -> list[int]:
        return [seat.seat for seat in self.row.seats if guest is not None and seat.guest == guest]

    def is_private(self, held: Sequence[int]) -> bool:
        """Whether nobody but the holder of these seats is concerned: all others are bots."""
        return bool(held) and all(seat.bot is not None or seat.seat in held for seat in self.row.seats)

    def playing(self) -> Match:
        if self.match is None:
            raise NotBegun(self.id)
        return self.match

    def _new_match(self) -> Match:
        row = self.row
        seats = [Seat(seat.name, seat.bot) for seat in row.seats]
        parts = tuple(seat.seal_bytes or b"" for seat in row.seats)
        return Match(registry.game(row.game), row.options, seats, Seal(row.id, row.seed, parts))

    def _replay(self, match: Match, entries: Sequence[Entry]) -> None:
        for entry in entries:
            position, _ = match.advanced(match.position, entry)
            self.told.append(telling.told(match, match.position, entry, len(match.log) + 1))
            match.commit(Append(len(match.log), (entry,), position))
        if match.result:
            self._open(match)

    def _open(self, match: Match) -> None:
        """What was hidden from somebody is told once the match is over."""
        for number, told in enumerate(self.told, start=1):
            if any(as_read is not told[0] for as_read in told):
                entry = match.log[number - 1]
                self.told[number - 1] = telling.told(match, match.at(number - 1), entry, number)

    def close(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()

    # What people do

    def join(self, watcher: Watcher, have: int) -> None:
        """Somebody watches: the table is told to them, and that they are here to the others."""
        self.watchers.add(watcher)
        watcher.send(self.table_told(watcher, have))
        self._tell_presence(watcher)

    def leave(self, watcher: Watcher) -> None:
        self.watchers.discard(watcher)
        self._ready.pop(watcher, None)
        self._tell_presence(watcher)

    def _tell_presence(self, watcher: Watcher) -> None:
        """Only of those who hold a seat, and not of their second window."""
        others = self.watchers - {watcher}
        if self.held_by(watcher.guest_id) and all(other.guest_id != watcher.guest_id for other in others):
            self.tell_table(watchers=others)

    async def sit(self, guest: str, seat: int, name: str, given: bytes) -> None:
        row = self.seat(seat)
        if row.taken:
            raise SeatTaken(seat)
        await self.house.storage.write(lambda db: ledger.take_seat(db, self.id, seat, guest, name, given, now_ms()))
        row.guest, row.name, row.seal_bytes = guest, name, given
        self.tell_table()
        self.begin_if_full()

    async def move(self, guest: str | None, seat: int, move: str, after: int) -> None:
        match = self.playing()
        self._check_held(guest, seat)
        await self._append(match, move, seat, after)
        if move == "resign" and match.result is None:  # the others play on
            with suppress(StaleMatch):
                await self._append(match, f"bot {seat}", 0, len(match.log))

    def be_ready(self, watcher: Watcher, seat: int) -> None:
        """The seat's player sits before the device now, and is shown what that seat may see."""
        self._check_held(watcher.guest_id, seat)
        if watcher in self.watchers:
            self._ready[watcher] = seat
            watcher.send(self._happened_told(watcher, len(self.told)))

    async def take_back(self, guest: str | None, seat: int | None) -> None:
        match = self.playing()
        if seat is not None:
            self._check_held(guest, seat)
        held = self.held_by(guest)
        if not self.is_private(held):
            raise NoTakeback("a takeback is for those who play against nobody but bots")
        target = telling.takeback_target(match, held if seat is None else [seat])
        if target is None:
            raise NoTakeback("there is no move that could be taken back")
        await self._append(match, f"takeback {target}", 0, len(match.log))

    async def hint(self, watcher: Watcher, seat: int) -> dict[str, Any]:
        """What the strongest bot would do; it thinks about one position of a table at a time."""
        match = self.playing()
        self._check_held(watcher.guest_id, seat)
        if not self.is_private(self.held_by(watcher.guest_id)):
            raise NoHint("a hint is for those who play against nobody but bots")
        if seat not in match.to_move:
            raise NoHint(f"seat {seat} is not on the move")
        if self._eye(watcher) != seat:
            raise NoHint(f"seat {seat} has not said that it is ready")
        if self._advising:
            raise NoHint("one is being thought of")
        position, after = match.position, len(match.log)
        self._advising = True
        try:
            move = await self.house.advise(self.row.game, position.state, seat, (secrets.token_hex(16),))
        finally:
            self._advising = False
        return telling.hint_told(match, position, seat, move, after)

    def look(self, watcher: Watcher, entry: int) -> dict[str, Any]:
        """The position after an entry, as this client may see it."""
        match = self.playing()
        if entry > len(match.log):
            raise UnknownEntry(entry, len(match.log))
        return match.game.view(match.at(entry).state, self._eye(watcher))

    def record(self) -> Record:
        """The record as a stranger may read it while the match runs, and all of it afterwards."""
        match = self.playing()
        if match.result:
            return match.record
        seen = tuple(match.game.seen(entry, None) for entry in match.log)
        return msgspec.structs.replace(match.record, log=seen)

    def seat(self, seat: int) -> SeatRow:
        if not 1 <= seat <= len(self.row.seats):
            raise UnknownSeat(seat, len(self.row.seats))
        return self.row.seats[seat - 1]

    def _check_held(self, guest: str | None, seat: int) -> None:
        if guest is None or self.seat(seat).guest != guest:
            raise NotYourSeat(seat)

    # What happens

    def begin_if_full(self) -> None:
        if self.match is None and self.full and not self._beginning:
            self._beginning = True
            self.house.go_on(self._begin())

    async def _begin(self) -> None:
        try:
            await self.house.warm(self.row.game)
            begun, entries = await self._begun()
        finally:
            self._beginning = False
        self.row.begun, self.match = begun, self._new_match()
        self._replay(self.match, entries)
        self.go_on()
        self.tell_table(have=0)

    async def _begun(self) -> tuple[int, Sequence[Entry]]:
        begun, entries = now_ms(), self._new_match().begin(t=0)
        try:
            await self.house.storage.write(lambda db: ledger.begin(db, self.id, entries, begun))
        except StaleMatch:  # another server on the same data was faster
            found = await self.house.storage.read(lambda db: ledger.find_table(db, self.id))
            assert found is not None
            return found[0].begun or begun, found[1]
        return begun, entries

    async def _append(self, match: Match, move: str, by: int, after: int) -> None:
        assert self.row.begun is not None
        elapsed = max(now_ms() - self.row.begun, match.log[-1].t or 0 if match.log else 0)
        timed = self.clock if self.clock is not None and self.clock.times(by) else None
        left = timed.left_ms(time.monotonic()) if timed else None
        if match.game.measures:
            append = await asyncio.to_thread(match.prepare, move, by, after, elapsed, left)
        else:
            append = match.prepare(move, by, after, elapsed, left)
        ended = append.position.result is not None
        try:
            await self.house.storage.write(
                lambda db: ledger.append(db, self.id, append.after, append.entries, ended, now_ms())
            )
        except StaleMatch as stale:
            await self._catch_up(match)
            if not match.game.is_simultaneous(match.state):
                raise StaleMatch(after, len(match.log)) from stale
            await self._append(match, move, by, after)
            return
        self._happened(match, append.after, append.entries)

    async def _catch_up(self, match: Match) -> None:
        """Takes over what another server on the same data has written."""
        after = len(match.log)
        entries = await self.house.storage.read(lambda db: ledger.entries_after(db, self.id, after))
        self._happened(match, after, entries)

    def _happened(self, match: Match, after: int, entries: Sequence[Entry]) -> None:
        """Stored entries take effect and are told."""
        known = len(match.log)
        fresh = entries[known - after :]  # some may have come in while we waited for the disk
        if not fresh:
            return
        self._replay(match, fresh)
        self._pass_devices_on()
        self.go_on()
        self.tell_entries(known)

    def _pass_devices_on(self) -> None:
        """Where another seat of the same device is on the move, whoever sat before it has to say so anew."""
        for watcher in list(self._ready):
            if self._eye(watcher) is None:
                del self._ready[watcher]

    # Bots and the clock

    def go_on(self, resuming: bool = False) -> None:
        """Calls the bot that is to move, and sets the clock."""
        match = self.match
        if match is None:
            return
        self.touched = now = time.monotonic()
        self.thinking = next((seat for seat in match.to_move if self._bot_of(match, seat)), None)
        if self.thinking is not None and self._thought != (self.thinking, len(match.log)):
            self._thought = (self.thinking, len(match.log))
            self.house.go_on(self._think(match, self.thinking, len(match.log)))
        self.clock = clock.resumed(match, now) if resuming else clock.follow(self.clock, match, now)
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = None
        if self.clock is not None:
            ring = partial(self._ring, match, self.clock.move, len(match.log))
            self._alarm = asyncio.get_running_loop().call_later(max(0.0, self.clock.deadline - now), ring)

    def _bot_of(self, match: Match, seat: int) -> str | None:
        """The bot that plays a seat: its own, or one that stands in for a person who resigned or is away."""
        conduct = match.position.conduct
        return match.seats[seat - 1].bot or (STAND_IN if seat in conduct.out | conduct.away else None)

    def _ring(self, match: Match, move: str, after: int) -> None:
        self.house.go_on(self._time_out(match, move, after))

    async def _time_out(self, match: Match, move: str, after: int) -> None:
        with suppress(StaleMatch):  # a move came in time
            await self._append(match, move, 0, after)

    async def _think(self, match: Match, seat: int, after: int) -> None:
        """A bot's move. It was thought out for one position, and if that is gone it is dropped."""
        name = self._bot_of(match, seat)
        assert name is not None
        key, seed = self.row.game, (secrets.token_hex(16),)  # never the seed of the seal
        try:
            move = await self.house.think(key, name, match.state, seat, seed)
            await self._append(match, move, seat, after)
        except StaleMatch:
            pass
        except Exception:
            log.exception("table %s: the bot %s made no move", self.id, name)
            asyncio.get_running_loop().call_later(BOT_TRIES_AGAIN, self.go_on)
        finally:
            if self._thought == (seat, after):
                self._thought = None

    # What is told

    def tell_table(self, have: int | None = None, watchers: Iterable[Watcher] | None = None) -> None:
        """Everybody here is told the table, and of the log what comes after `have`: by default, nothing."""
        for watcher in self.watchers if watchers is None else watchers:
            watcher.send(self.table_told(watcher, len(self.told) if have is None else have))

    def table_told(self, watcher: Watcher, have: int) -> bytes:
        row, held, eye = self.row, self.held_by(watcher.guest_id), self._eye(watcher)
        have = min(have, len(self.told))
        return msgspec.json.encode(
            {
                "type": "table",
                "table": row.id,
                "game": row.game,
                "options": row.options,
                "link": watcher.link(row.id),
                "rematch": row.rematch,
                "seats": telling.seats_told(self, watcher.guest_id),
                "started": self.match is not None,
                "have": have,
                "entries": self._entries_told(eye, have),
                **telling.position_told(self, held, eye),
            }
        )

    def tell_entries(self, after: int) -> None:
        written: dict[object, bytes] = {}  # those who hold the same seats and see with the same eyes are told the same
        for watcher in self.watchers:
            alike = (*self.held_by(watcher.guest_id), None, self._eye(watcher))
            if alike not in written:
                written[alike] = self._happened_told(watcher, after)
            watcher.send(written[alike])

    def _happened_told(self, watcher: Watcher, after: int) -> bytes:
        held, eye = self.held_by(watcher.guest_id), self._eye(watcher)
        return msgspec.json.encode(
            {
                "type": "entries",
                "table": self.id,
                "after": after,
                "entries": self._entries_told(eye, after),
                **telling.position_told(self, held, eye),
            }
        )

    def _eye(self, watcher: Watcher) -> int | None:
        if self.match is None:
            return None
        return telling.eye(self.match, self.held_by(watcher.guest_id), self._ready.get(watcher))

    def _entries_told(self, eye: int | None, after: int) -> list[msgspec.Raw]:
        return [told[eye or 0] for told in self.told[after:]]
