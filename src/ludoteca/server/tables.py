"""A table: its seats, its match, those who watch. Whatever happens is stored first, then done, then told."""

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any, Protocol

import msgspec

from ludoteca.core import registry
from ludoteca.core.chance import Seal
from ludoteca.core.errors import StaleMatch
from ludoteca.core.match import Append, Match, Position
from ludoteca.core.record import Entry, Record, Seat
from ludoteca.server import ledger, telling
from ludoteca.server.horizon import Horizon
from ludoteca.server.ledger import SaidRow, SeatRow, Standing, TableRow
from ludoteca.server.lobby import Lobby
from ludoteca.server.presence import Presence
from ludoteca.server.refusals import NotBegun, NotYourSeat, UnknownEntry, UnknownSeat
from ludoteca.server.seating import Seating
from ludoteca.server.service import Service
from ludoteca.server.storage import Storage
from ludoteca.server.takebacker import Takebacker
from ludoteca.server.talk import Talk
from ludoteca.server.teller import Sight, Teller
from ludoteca.server.thinker import Thinker
from ludoteca.server.timekeeper import Timekeeper
from ludoteca.server.timing import Time


class Watcher(Protocol):
    """A client's connection, as its tables know it."""

    guest_id: str | None

    @property
    def lag(self) -> int:
        """How long the network takes to the client and back, in milliseconds."""

    def link(self, table: str) -> str: ...

    def send(self, told: bytes) -> None: ...


class House(Protocol):
    """What a table needs of the house it stands in."""

    storage: Storage
    time: Time
    service: Service
    lobby: Lobby

    async def warm(self, key: str) -> None:
        """Returns when the game's rules are compiled."""

    def has_bots(self, key: str) -> bool: ...

    async def think(self, key: str, name: str, state: Any, seat: int, seed: tuple[object, ...]) -> str:
        """The move of a bot."""

    async def advise(self, key: str, state: Any, seat: int, seed: tuple[object, ...]) -> str:
        """The move of the strongest bot there is; NoHint where there is none."""

    def go_on(self, work: Coroutine[Any, Any, None]) -> None:
        """Sees to work that nobody waits for."""


class Table:
    """Its workers each see to one thing; here is what they have in common: the seats, the match and its log."""

    def __init__(self, house: House, row: TableRow, entries: Sequence[Entry], said: Sequence[SaidRow] = ()) -> None:
        """May take milliseconds: the log is replayed."""
        self.house, self.row = house, row
        self.seating, self.presence, self.talk = Seating(self), Presence(self), Talk(self, said)
        self.timekeeper, self.thinker, self.takebacker = Timekeeper(self), Thinker(self), Takebacker(self)
        self.teller = Teller(self)
        self.match: Match | None = None
        self.horizon: Horizon | None = None
        self.told: list[telling.Told] = []
        self._opened: dict[int, msgspec.Raw] = {}  # what was hidden from somebody, as it is told after the end
        self.touched = house.time.now()
        self._beginning = False
        if row.begun is not None:
            self._start(row.begun, entries)

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def full(self) -> bool:
        return all(seat.taken for seat in self.row.seats)

    @property
    def at_rest(self) -> bool:
        """Nobody watches, thinks, is timed or waits for others: it may be put away and fetched again."""
        busy = self.thinker.is_thinking or self.timekeeper.is_running or self._beginning
        return not busy and not self.presence.watchers and not self.house.lobby.lists(self)

    def seat(self, seat: int) -> SeatRow:
        if not 1 <= seat <= len(self.row.seats):
            raise UnknownSeat(seat, len(self.row.seats))
        return self.row.seats[seat - 1]

    def held_by(self, guest: str | None) -> list[int]:
        return [seat.seat for seat in self.row.seats if guest is not None and seat.guest == guest]

    def check_held(self, guest: str | None, seat: int) -> None:
        if guest is None or self.seat(seat).guest != guest:
            raise NotYourSeat(seat)

    def is_private(self, held: Sequence[int]) -> bool:
        """Whether nobody but the holder of these seats is concerned: all others are bots."""
        return bool(held) and all(seat.bot is not None or seat.seat in held for seat in self.row.seats)

    def playing(self) -> Match:
        if self.match is None:
            raise NotBegun(self.id)
        return self.match

    def elapsed(self) -> int:
        """Milliseconds since the match began."""
        last = self.match.log[-1].t if self.match is not None and self.match.log else None
        return max(self.house.time.now() - (self.row.begun or 0), last or 0)

    def close(self) -> None:
        for worker in (self.timekeeper, self.presence, self.teller):
            worker.stop()

    # The match begins

    def begin_if_full(self) -> None:
        if self.match is None and self.full and not self._beginning:
            self._beginning = True
            self.house.go_on(self._begin())

    async def _begin(self) -> None:
        try:
            await self.house.warm(self.row.game)
            if not self.full or (found := await self._begun()) is None:
                return  # somebody got up meanwhile
        finally:
            self._beginning = False
        self.row.begun, entries = found
        self._start(self.row.begun, entries)
        self.go_on()
        self.teller.tell_table(have=0)
        self.house.lobby.update(self)

    async def _begun(self) -> tuple[int, Sequence[Entry]] | None:
        begun, match = self.house.time.now(), self._new_match()
        entries = match.begin(t=0)
        standing = Standing(match.to_move, len(entries), match.result)
        try:
            await self.house.storage.write(lambda db: ledger.begin(db, self.id, entries, standing, begun))
        except StaleMatch:  # another server on the same data was faster
            found = await self.house.storage.read(lambda db: ledger.find_table(db, self.id))
            if found is None or found[0].begun is None:
                return None
            return found[0].begun, found[1]
        return begun, entries

    def _new_match(self) -> Match:
        row = self.row
        seats = [Seat(seat.name, seat.bot) for seat in row.seats]
        parts = tuple(seat.seal_bytes or b"" for seat in row.seats)
        return Match(registry.game(row.game), row.options, seats, Seal(row.id, row.seed, parts))

    def _start(self, begun: int, entries: Sequence[Entry]) -> None:
        match = self.match = self._new_match()
        self.timekeeper.begin(match, begun)
        self.horizon = Horizon(match, self.row.delay * 1000, self.timekeeper.clock)
        self._replay(match, entries)

    def _replay(self, match: Match, entries: Sequence[Entry], positions: Sequence[Position] = ()) -> None:
        assert self.horizon is not None
        for place, entry in enumerate(entries):
            position = positions[place] if positions else match.advanced(match.position, entry)[0]
            self.told.append(telling.told(match, match.position, entry, len(match.log) + 1))
            clock = self.timekeeper.follow(match, entry, position)
            match.commit(Append(len(match.log), (entry,), position))
            self.horizon.reach(entry, position, clock)
        if match.result:
            self._open(match)

    def _open(self, match: Match) -> None:
        """What was hidden from somebody is told once the match is over."""
        eyes = (None, *range(1, len(match.seats) + 1))
        for number, entry in enumerate(match.log, start=1):
            if any(match.game.seen(entry, eye) != entry for eye in eyes):
                self._opened[number] = telling.told_openly(match, match.at(number - 1), entry, number)

    # The match goes on

    async def move(self, guest: str | None, seat: int, move: str, after: int, lag: int = 0) -> None:
        match = self.playing()
        self.check_held(guest, seat)
        known = self._known_to(guest)
        if after > known:
            raise StaleMatch(after, known)
        was_last = after == len(match.log)
        if await self.presence.come_back(guest) and was_last:
            after = len(match.log)
        await self.append(match, move, seat, after, lag)
        if move == "resign" and match.result is None and seat not in match.position.conduct.away:
            with suppress(StaleMatch):  # the others play on
                await self.append(match, f"bot {seat}", 0, len(match.log))

    def _known_to(self, guest: str | None) -> int:
        """How many entries one of this guest's seats may know of."""
        assert self.horizon is not None
        return max(self.horizon.seen(seat, False, self.elapsed()).n for seat in self.held_by(guest))

    async def append(self, match: Match, move: str, by: int, after: int, lag: int = 0) -> None:
        """A move, or what the table does, and all that follows from it: stored, done, told."""
        elapsed, seen = self.elapsed(), len(match.log)
        if match.game.measures:
            append = await asyncio.to_thread(match.prepare, move, by, after, elapsed)
        else:
            append = match.prepare(move, by, after, elapsed)
        append = self.timekeeper.stamped(match, append, elapsed, lag)
        assert self.horizon is not None
        position = append.position
        standing = Standing(position.to_move, self.horizon.known_after(append), position.result)
        now = self.house.time.now()
        try:
            if append.after != seen:
                raise StaleMatch(seen, append.after)  # others moved while this was measured
            await self.house.storage.write(
                lambda db: ledger.append(db, self.id, append.after, append.entries, standing, now)
            )
        except StaleMatch as stale:
            await self._catch_up(match)
            if not match.game.is_simultaneous(match.state):
                raise StaleMatch(after, len(match.log)) from stale
            await self.append(match, move, by, after, lag)
            return
        self.happened(match, append.after, append.entries, append.between)

    async def _catch_up(self, match: Match) -> None:
        """Takes over what another server on the same data has written."""
        after = len(match.log)
        entries = await self.house.storage.read(lambda db: ledger.entries_after(db, self.id, after))
        self.happened(match, after, entries)

    def happened(self, match: Match, after: int, entries: Sequence[Entry], positions: Sequence[Position] = ()) -> None:
        """Stored entries take effect and are told. The positions that they lead to are worked out, unless given."""
        known = len(match.log) - after  # some may have come in while we waited for the disk
        fresh = entries[known:]
        if not fresh:
            return
        before = match.position.conduct
        self._replay(match, fresh, positions[known:])
        self.takebacker.happened(fresh, match.result is not None)
        self.teller.pass_devices_on()
        self.go_on()
        self.teller.tell_happened({entry.by for entry in fresh})
        conduct = match.position.conduct
        if (before.late, before.away, before.out) != (conduct.late, conduct.away, conduct.out):
            self.teller.tell_table()

    def go_on(self) -> None:
        """Calls the bot that is to move, and sets the clock."""
        if self.match is not None:
            self.touched = self.house.time.now()
            self.thinker.go_on(self.match)
            self.timekeeper.set_alarm()

    # What one may read

    def entries_told(self, sight: Sight, after: int) -> list[msgspec.Raw]:
        """The log after an entry, as far as one sees; nothing is hidden after the end."""
        told = enumerate(self.told[after : sight.n], start=after + 1)
        opened = self._opened if sight.moment and sight.moment.position.result else {}
        return [opened.get(number) or entry[sight.eye or 0] for number, entry in told]

    def look(self, watcher: Watcher, entry: int) -> dict[str, Any]:
        """The position after an entry, as this client may see it."""
        match, sight = self.playing(), self.teller.sight(watcher)
        if entry > sight.n:
            raise UnknownEntry(entry, sight.n)
        return match.game.view(match.at(entry).state, sight.eye)

    def record(self, guest: str | None) -> Record:
        """The record as a stranger may read it while the match runs, and all of it afterwards."""
        match = self.playing()
        assert self.horizon is not None
        moment = self.horizon.seen(None, not self.held_by(guest), self.elapsed())
        if moment.position.result:
            return match.record
        seen = tuple(match.game.seen(entry, None) for entry in match.log[: moment.n])
        assert match.seal is not None
        return msgspec.structs.replace(match.record, log=seen, result=None, seal=match.seal.published(reveal=False))
