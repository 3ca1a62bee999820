"""A table: its seats, its match, its watchers. Whatever happens is stored first, then applied, then published once."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import msgspec

from ludoteca.core.chance import seat_commitment
from ludoteca.core.errors import IllegalMove, StaleMatch
from ludoteca.core.events import ConductEvent, Event, Takeback, TimeOver
from ludoteca.core.game import WHOLE_MATCH
from ludoteca.core.match import Append, Match, Position, Transition
from ludoteca.core.random import generator
from ludoteca.core.record import Entry, Record
from ludoteca.server import broadcast, ledger, lobby, presence, sealing, seating, serialize, takebacks, thinking
from ludoteca.server.broadcast import Broadcaster
from ludoteca.server.chat import Chat, Phrase
from ludoteca.server.database.contract import Change
from ludoteca.server.fair_queue import Asker
from ludoteca.server.presence import Presence, Watcher
from ludoteca.server.refusals import LeaseLost, NoHint, NoReveal, NotBegun, NotStored
from ludoteca.server.requests import Requests
from ludoteca.server.rows import Asked, Question, SaidRow, SeatRow, Standing, TableRow
from ludoteca.server.running import Running, new_match
from ludoteca.server.serialize import Snapshot
from ludoteca.server.services import Services
from ludoteca.server.tasks import Alarms
from ludoteca.server.thinker import Thinker, Thought
from ludoteca.server.timekeeper import Timekeeper

T = TypeVar("T")
BOT_TRIES_AGAIN = 5000  # milliseconds after it could not move
COUNTED_EVERY = 1000  # milliseconds: spectators come and go
log = logging.getLogger("ludoteca.server.table")


class Table:
    """Its workers take values and return what changed; the table stores that, applies it and publishes it."""

    def __init__(
        self, services: Services, row: TableRow, entries: Sequence[Entry], said: Sequence[SaidRow] = ()
    ) -> None:
        """May take milliseconds: the log is replayed."""
        self._services, self.row = services, row
        self.presence, self._chat = Presence(services.time.now()), Chat(said)
        self._thinker, self._broadcaster, self._alarms = Thinker(), Broadcaster(), Alarms(services.time)
        self._asked = row.question.open if row.question else None
        self._requests = Requests()
        self._refreshing = self._refresh_again = False
        self._unsure = False  # whether what is in memory may differ from the database
        self._running: Running | None = None
        self._hurried: tuple[int, str] | None = None  # the seat of a bot that thinks at a weaker level, and that level
        self._advising = self._beginning = False
        self.gone = False  # there is no such table in the database any more
        self.touched = services.time.now()
        if row.began_at is not None:
            self._start(row.began_at, entries)

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def has_begun(self) -> bool:
        return self._running is not None

    @property
    def running(self) -> Running:
        """The running match and what follows it; NotBegun is raised if there is none yet."""
        if self._running is None:
            raise NotBegun(self.id)
        return self._running

    @property
    def match(self) -> Match:
        """The match; NotBegun is raised if there is none yet."""
        return self.running.match

    @property
    def at_rest(self) -> bool:
        """Nobody watches, thinks, is timed or waits for others: it may be put away and fetched again."""
        timed = self.minds and self._running is not None and self._running.timekeeper.is_running
        busy = self._thinker.is_thinking or timed or self._beginning
        return not busy and not self.presence.watchers and self._listing() is None

    def elapsed(self) -> int:
        """Return the milliseconds since the match began."""
        log = self._running.match.log if self._running else []
        return max(self._services.time.now() - (self.row.began_at or 0), (log[-1].t if log else None) or 0)

    @property
    def minds(self) -> bool:
        """Whether this node thinks for the bots here and minds the clock."""
        return self._services.nodes.minds(self.row)

    async def write(self, change: Change[T]) -> T:
        """Make a change to this table, and tell other nodes of it."""
        storage, nodes = self._services.storage, self._services.nodes
        if nodes.me is None:
            return await storage.write(change, self.id)
        made, version = await storage.write(lambda db: (change(db), ledger.version(db, self.id)), self.id)
        if version == self.row.version + 1:
            self.row.version = version
        else:  # another node made a change before
            self._unsure = True
            self.refresh_soon()
        nodes.changed(self.id)
        return made

    def close(self) -> None:
        self._alarms.cancel_all()

    # Before the match

    async def sit(self, guest: str, seat: int, name: str, given: bytes | None, commit: str | None = None) -> None:
        """Take a seat with a commitment to bytes for the seal, or with the bytes themselves, shown at once."""
        seating.check_free(self.row, seat)
        if given is not None:
            commit = seat_commitment(self.id, seat, given)
        taken = SeatRow(seat, None, self.row.seat(seat).reserved, guest, name, given, commit)
        now = self._services.time.now()
        await self.write(lambda db: ledger.take_seat(db, self.id, taken, now))
        self.row.seats[seat - 1] = taken
        self._seats_changed()

    async def reveal(self, guest: str | None, seat: int, given: bytes) -> None:
        """Show the bytes that a seat committed itself to; when all have shown them, the match begins."""
        sealing.check_reveal(self.row, guest, seat, given)
        if self._beginning:
            raise NoReveal("the match is beginning without these bytes")
        now = self._services.time.now()
        await self.write(lambda db: ledger.reveal(db, self.id, seat, given, now))
        if self.row.began_at is None and not self._beginning:
            self.row.seat(seat).seal_bytes = given
            self._seats_changed()

    async def remove(self, guest: str | None, seat: int) -> None:
        """Free a seat. Guests who are removed by the creator may not come back; one may also get up oneself."""
        removed, now = seating.removed_guest(self.row, guest, seat), self._services.time.now()
        await self.write(lambda db: ledger.free_seat(db, self.id, seat, removed, now))
        self.row.seats[seat - 1] = SeatRow(seat)
        self._seats_changed()

    async def fill(self, guest: str | None, seat: int, level: str) -> None:
        """Put a bot on a free seat."""
        filled, now = seating.filled(self.row, guest, seat, level), self._services.time.now()
        await self.write(lambda db: ledger.seat_bot(db, self.id, filled, now))
        self.row.seats[seat - 1] = filled
        self._seats_changed()

    async def close_to_newcomers(self, guest: str | None, closed: bool) -> None:
        """Let nobody sit down who is not here now, or let anybody again. Who comes with a new cookie is a newcomer."""
        found = seating.admitted(self.row, guest, self.presence.guests)
        admitted, now = found if closed else None, self._services.time.now()
        await self.write(lambda db: ledger.admit(db, self.id, admitted, now))
        self.row.admitted = admitted
        self._seats_changed()

    def cancel(self) -> None:
        """There is no such table any more: tell everybody here, and list it no longer."""
        self.row.open = False
        self.update_lobby()
        broadcast.send_cancelled(self.id, self.presence.watchers)
        self.close()

    def _seats_changed(self) -> None:
        self._publish_table()
        self.begin_if_full()
        self.update_lobby()

    def _listing(self) -> lobby.Listing | None:
        return lobby.listing(self.row, any(self.presence.is_here(seat.guest) for seat in self.row.seats))

    def update_lobby(self) -> None:
        self._services.lobby.update(self.id, self._listing())

    # The match begins

    def begin_if_full(self) -> None:
        """When every seat is taken people show their bytes; the match begins when all have, or after a while."""
        if self._running is not None or not self.row.is_full or self._beginning:
            return
        if sealing.is_waiting_for_bytes(self.row):
            self._alarms.set_once("reveal", sealing.REVEAL_WITHIN, self._begin_now)
        else:
            self._begin_now()

    def _begin_now(self) -> None:
        self._alarms.cancel("reveal")
        if self._running is None and self.row.is_full and not self._beginning:
            self._beginning = True
            self._services.tasks.start(self._begin())

    async def _begin(self) -> None:
        try:
            await self._services.thinking.rules_ready(self.row.game)
            found = await self._store_beginning() if self.row.is_full else None
        finally:
            self._beginning = False
        if found is None:  # somebody got up meanwhile, or showed their bytes
            self.begin_if_full()
            return
        if self._running is not None:
            return  # it was read from the database while we waited
        self.row.began_at, entries = found
        self._start(self.row.began_at, entries)
        self.go_on()
        self._publish_table(have=0)
        self.update_lobby()

    async def _store_beginning(self) -> tuple[int, Sequence[Entry]] | None:
        begun, match = self._services.time.now(), new_match(self.row)
        people = [msgspec.structs.replace(seat) for seat in self.row.seats if seat.bot is None]
        entries = match.begin(t=0)
        standing, node = Standing(match.to_move, len(entries), match.result), self._services.nodes.me
        try:
            await self.write(lambda db: ledger.begin(db, self.id, entries, standing, begun, people, node))
        except StaleMatch:  # another server on the same data was faster, or the seats have changed
            found = await self._services.storage.read(lambda db: ledger.find_table(db, self.id))
            if found is None:
                return None
            self.row = found[0]
            return None if self.row.began_at is None else (self.row.began_at, found[1])
        self.row.node = node
        return begun, entries

    def _start(self, begun: int, entries: Sequence[Entry]) -> None:
        running = self._running = Running.new(self.row, begun, self._services.uptime)
        running.follow(running.match.follow(entries))

    # The match goes on

    async def move(self, guest: str | None, seat: int, move: str, after: int, lag: int = 0) -> None:
        running = self.running
        match = running.match
        self.row.check_held(guest, seat)
        known = running.known_to(self.row.held_by(guest), self.elapsed())
        if after > known:
            raise StaleMatch(after, known)
        takebacks.check_room(match, move)
        was_last = after == len(match.log)
        if await self.come_back(guest) and was_last:
            after = len(match.log)
        if move == "offer draw":
            match.prepare(move, seat, after)  # an offer that is refused anyway does not count
            self._requests.count(guest, self._services.time.now())
        await self._append(lambda t: match.prepare(move, seat, after, t), after, lag)
        if move == "resign" and match.result is None and seat not in match.position.conduct.away:
            with suppress(StaleMatch):  # the others play on
                await self._append_event(ConductEvent("bot", seat))

    async def _append_event(self, event: Event, as_minder: bool = False) -> None:
        match, after = self.match, len(self.match.log)
        await self._append(lambda t: match.prepare_event(event, after, t), after, as_minder=as_minder)

    async def _append(
        self, prepare: Callable[[int], Append], after: int, lag: int = 0, as_minder: bool = False
    ) -> None:
        """Prepare a move or an event with all that follows from it, store it, commit it, publish it.

        What is done for a bot or a clock is stored only if this node still minds the table (`as_minder`).
        """
        running = self.running
        match = running.match
        elapsed, seen = self.elapsed(), len(match.log)
        prepared = await asyncio.to_thread(prepare, elapsed) if match.game.measures else prepare(elapsed)
        append = running.timekeeper.stamped(match, prepared, elapsed, lag)
        standing, now = running.standing(append), self._services.time.now()
        fence = self._services.nodes.me if as_minder else None
        try:
            if append.log_length != seen:
                raise StaleMatch(seen, append.log_length)  # others moved while this was measured
            with self._services.metrics.timed("ludoteca_append_seconds"):
                await self.write(
                    lambda db: ledger.append(db, self.id, append.log_length, append.entries, standing, now, fence)
                )
        except StaleMatch as stale:
            await self._catch_up(match)
            if not match.game.is_simultaneous(match.state):
                raise StaleMatch(after, len(match.log)) from stale
            await self._append(prepare, after, lag, as_minder)
            return
        if len(match.log) == append.log_length:  # else somebody read it from the database while we waited for the disk
            before = match.position
            match.commit(append)
            self._happened(append.transitions, before)

    # What other nodes did

    def refresh_soon(self) -> None:
        """Read what other nodes have stored; once more if something changes meanwhile."""
        if self._refreshing:
            self._refresh_again = True
        else:
            self._refreshing = True
            self._services.tasks.start(self._refresh())

    async def _refresh(self) -> None:
        try:
            again = True
            while again:
                self._refresh_again = False
                await self.refresh()
                again = self._refresh_again
        except NotStored:
            pass  # catching up tries again
        finally:
            self._refreshing = False

    async def refresh(self) -> None:
        """Take over what other nodes have stored."""
        after, said = len(self.match.log) if self.has_begun else 0, self._chat.last
        found = await self._services.storage.read(lambda db: ledger.find_changes(db, self.id, after, said))
        if found is None:
            self.gone = True
            self.cancel()
            return
        row, entries, talk = found
        if row.version < self.row.version or (row.version == self.row.version and not self._unsure):
            return  # this node has written something later, or nothing has changed
        self._unsure = False
        before, self.row = self.row, row
        self._adopt_log(after, entries)
        self._adopt_talk(talk)
        self._adopt_row(before)
        if not row.ended and self._services.nodes.is_dead(row.node):
            self._services.tasks.start(self._claim())

    def _adopt_log(self, after: int, entries: Sequence[Entry]) -> None:
        if self._running is not None:
            now = self._services.time.now()
            for entry in entries[len(self._running.match.log) - after :]:
                if entry.move == "offer draw" and entry.by:
                    self._requests.note(self.row.seat(entry.by).guest, now)
            self.apply(entries[len(self._running.match.log) - after :])
        elif self.row.began_at is not None:
            self._start(self.row.began_at, entries)
            self._publish_table(have=0)

    def _adopt_talk(self, talk: Sequence[SaidRow]) -> None:
        for said in talk:
            if said.number > self._chat.last:
                self._chat.hear(self.row, said)
                self._publish_said(said)

    def _adopt_row(self, before: TableRow) -> None:
        """Publish what is different from the row as it was, apart from the log."""
        row, asked = self.row, self._asked
        if (row.seats, row.admitted, row.began_at) != (before.seats, before.admitted, before.began_at):
            self._publish_table()
            self.begin_if_full()
        self.update_lobby()
        self._asked = row.question.open if row.question else None
        if self._asked != asked:
            if self._asked is not None and asked is None:
                self._requests.note(row.seat(self._asked.seat).guest, self._services.time.now())
            self._publish_position(self._in_time())
            if asked is not None and row.question is not None and row.question.declined_by:
                self._publish_declined(asked, row.question.declined_by)
        if row.rematch != before.rematch:
            self.agree_rematch(row.rematch)
        if row.node != before.node:
            self.go_on()

    async def _claim(self) -> None:
        """Mind this table, which nobody does."""
        with suppress(NotStored):
            await self._services.nodes.claim(self.id)
            self.refresh_soon()

    def forget_lease(self) -> None:
        """The others took this node for dead: they mind this table now."""
        self.go_on()
        self._unsure = True
        self.refresh_soon()

    def charge_nobody(self) -> None:
        """An outage became known: the clock shows more time."""
        if self._running is not None and self._running.timekeeper.is_running:
            self.go_on()
            self._publish_position()

    async def _catch_up(self, match: Match) -> None:
        """Take over what another server on the same data has written."""
        after = len(match.log)
        entries = await self._services.storage.read(lambda db: ledger.entries_after(db, self.id, after))
        self.apply(entries[len(match.log) - after :])

    def apply(self, stored: Sequence[Entry]) -> None:
        """Commit entries that were stored, and publish them."""
        match = self.match
        before = match.position
        if stored:
            self._happened(match.follow(stored), before)

    def _happened(self, made: Sequence[Transition], before: Position) -> None:
        """Let everything follow what was committed, and publish it."""
        running = self.running
        match = running.match
        running.follow(made)
        asked, self._asked = self._asked, takebacks.still_asked(self._asked, made, match.result is not None)
        self._broadcaster.pass_devices_on(match, self.row)
        self.go_on()
        was, now = before.conduct, match.position.conduct
        seats_changed = (was.late, was.gone, was.away, was.out) != (now.late, now.gone, now.away, now.out)
        self._publish_entries({one.entry.by for one in made})
        if asked is not None and self._asked is None and match.result is None:
            self._publish_declined(asked, made[0].entry.by)  # a move is an answer too
        if seats_changed:
            self._publish_table(watchers=self._in_time())

    def go_on(self) -> None:
        """Call the bot that is to move, and set the alarm of the clock."""
        if self._running is None:
            return
        self.touched = self._services.time.now()
        if not self.minds:
            self._alarms.cancel("clock")
            self._alarms.cancel("absence")
            return
        if (thought := self._thinker.next(self._running.match)) is not None:
            level = self._services.thinking.level_now(self.row.game, thought.name)
            self._hurried = None if level == thought.name else (thought.seat, level)
            self._services.tasks.start(self._think(self._running.match, thought, level))
        self._set_clock_alarm(self._running.timekeeper)
        self._set_absence_alarm()

    def _set_clock_alarm(self, timekeeper: Timekeeper) -> None:
        deadline = timekeeper.deadline(self.elapsed(), lambda seat: self.presence.lag(self.row.seat(seat).guest))
        if deadline is None:
            self._alarms.cancel("clock")
            return

        def ring() -> None:
            seat = timekeeper.overdue(self.elapsed() - deadline.lag)
            if seat is None:
                self._set_clock_alarm(timekeeper)
            else:
                self._services.tasks.start(self._time_out(seat))

        self._alarms.set("clock", deadline.wait, ring)

    async def _time_out(self, seat: int) -> None:
        try:
            await self._services.nodes.confirm()
            if not self.minds or self.running.timekeeper.overdue(self.elapsed()) != seat:
                self.go_on()  # another node minds the clock, or an outage became known that nobody is charged for
                return
            await self._append_event(TimeOver() if seat == WHOLE_MATCH else ConductEvent("timeout", seat), True)
        except (StaleMatch, IllegalMove, LeaseLost):
            pass  # a move came in time, or another node minds the clock
        except NotStored:
            self._alarms.set("clock", BOT_TRIES_AGAIN, self.go_on)

    def _absences(self) -> dict[int, int]:
        """Return, for each person whose being away counts, how long until they are gone."""
        running = self._running
        if running is None or running.is_timed or running.match.result:
            return {}
        gone = self.presence.gone(self.row, self._services.time.now())
        return presence.absences(self.row, running.match, gone, self.elapsed() - running.turn_began())

    def _set_absence_alarm(self) -> None:
        """Where no clock runs, somebody may be away for so long in their own turn, and no longer."""
        waits = self._absences() if self.minds else {}
        if not waits:
            self._alarms.cancel("absence")
            return
        seat = min(waits, key=waits.__getitem__)
        self._alarms.set("absence", max(0, waits[seat]), lambda: self._services.tasks.start(self._mark_gone(seat)))

    async def _mark_gone(self, seat: int) -> None:
        if self.minds and self._absences().get(seat, 1) <= 0:
            with suppress(StaleMatch, IllegalMove, LeaseLost):  # they came back, or moved
                await self._append_event(ConductEvent("gone", seat), as_minder=True)
        self._set_absence_alarm()

    # Bots

    async def _think(self, match: Match, thought: Thought, level: str) -> None:
        seat, name, after = thought
        if level != name:
            self._services.metrics.count("ludoteca_bots_shortened_total")
        seed = (secrets.token_hex(16),)  # never the seed of the seal
        try:
            move = await self._services.thinking.think(self.row.game, level, match.state, seat, seed, self._asker())
            if self._thinker.is_wanted(thought):
                await self._append(lambda t: match.prepare(move, seat, after, t), after, as_minder=True)
        except StaleMatch:
            pass
        except LeaseLost:
            self._alarms.set("bot", BOT_TRIES_AGAIN, self.go_on)
            self.refresh_soon()
        except Exception:
            log.exception("table %s: the bot %s made no move", self.id, name)
            self._alarms.set("bot", BOT_TRIES_AGAIN, self.go_on)
        finally:
            self._thinker.finish(thought)

    def _asker(self) -> Asker:
        """Return who wants a bot to think: tables where people are come first."""
        return Asker(self.row.creator, any(self.presence.is_here(seat.guest) for seat in self.row.seats))

    async def hint(self, watcher: Watcher, seat: int) -> dict[str, Any]:
        """Return what the strongest bot would do; it thinks about one position of a table at a time."""
        match = self.match
        self.row.check_held(watcher.guest_id, seat)
        if not self.row.is_private(self.row.held_by(watcher.guest_id)):
            raise NoHint("a hint is for those who play against nobody but bots")
        if seat not in match.to_move:
            raise NoHint(f"seat {seat} is not on the move")
        if self._broadcaster.eye(match, self.row, watcher) != seat:
            raise NoHint(f"seat {seat} has not said that it is ready")
        if self._advising:
            raise NoHint("one is being thought of")
        name, seed = thinking.adviser(self.row.game), (secrets.token_hex(16),)
        after = self.running.known_to([seat], self.elapsed())
        known = match.game.concealed(match.state, seat, generator(*seed, "hint"))
        self._advising = True
        try:
            move = await self._services.thinking.think(self.row.game, name, known, seat, seed, self._asker())
        finally:
            self._advising = False
        return serialize.hint(match.game, known, seat, move, after)

    # People come and go

    def join(self, watcher: Watcher, have: int) -> None:
        """Somebody watches: send them the table, and tell the others that they are here."""
        came = self.presence.join(watcher)
        self._publish_table(have, [watcher])
        if came:
            self._publish_presence(watcher)

    def leave(self, watcher: Watcher) -> None:
        self._broadcaster.forget(watcher)
        if self.presence.leave(watcher, self.row, self._services.time.now()):
            asked = self._asked
            if asked is not None and self.row.seat(asked.seat).guest == watcher.guest_id:
                self._asked = None
                self._publish_position(self._in_time())
                self._services.tasks.start(self._store_no_question())
        self._publish_presence(watcher)

    async def _store_no_question(self) -> None:
        with suppress(NotStored):
            await self.write(lambda db: ledger.set_question(db, self.id, None))

    def set_elsewhere(self, elsewhere: dict[str, int]) -> None:
        """Follow who is at this table on other nodes."""
        if self.presence.set_elsewhere(elsewhere, self._services.time.now()):
            self._set_absence_alarm()
            self._publish_table()
            self.update_lobby()

    def _publish_presence(self, watcher: Watcher) -> None:
        """Publish at once when a seated guest comes or goes (first and last window only). Batch the spectators."""
        self._services.nodes.presence_changed(self.id)
        self._set_absence_alarm()
        others = self.presence.watchers - {watcher}
        if not self.row.held_by(watcher.guest_id):
            self._alarms.set_once("count", COUNTED_EVERY, self._publish_position)
        elif all(other.guest_id != watcher.guest_id for other in others):
            self._publish_table(watchers=others)
            self.update_lobby()

    async def stand_in(self, guest: str | None, mine: int, seat: int) -> None:
        """An opponent or partner lets a bot move for a seat."""
        match = self.match
        self.row.check_held(guest, mine)
        gone = self.presence.gone(self.row, self._services.time.now())
        presence.check_stand_in(self.row, match, guest, seat, gone, self.running.is_timed)
        await self._append_event(ConductEvent("bot", seat))

    async def come_back(self, guest: str | None) -> int:
        """A guest who is at the table again plays for themselves. Return how many entries that made."""
        made = 0
        for seat in self.row.held_by(guest) if self._running is not None else ():
            match = self.match
            conduct = match.position.conduct
            if match.result or seat not in (conduct.away | conduct.gone) - conduct.out:
                continue
            with suppress(StaleMatch, IllegalMove):  # they came through two doors at once
                await self._append_event(ConductEvent("back", seat))
                made += 1
        return made

    def be_ready(self, watcher: Watcher, seat: int) -> None:
        """The seat's player sits before a shared device now, and is shown what that seat may see."""
        self.row.check_held(watcher.guest_id, seat)
        if watcher in self.presence.watchers:
            self._broadcaster.set_ready(watcher, seat)
            self._publish_position([watcher])

    # What people agree on, and say

    async def take_back(self, guest: str | None, seat: int | None) -> None:
        match, held = self.match, self.row.held_by(guest)
        if seat is not None:
            self.row.check_held(guest, seat)
        settled = takebacks.ask(match, self.row, self._asked, held, seat)
        if isinstance(settled, Asked):
            self._requests.count(guest, self._services.time.now())
        await self._settle_takeback(settled)

    async def answer(self, guest: str | None, seat: int, yes: bool) -> None:
        match = self.match
        self.row.check_held(guest, seat)
        held = self.row.held_by(guest)
        asked, settled = self._asked, takebacks.answer(match, self.row, self._asked, held, seat, yes)
        await self._settle_takeback(settled, declined_by=seat)
        if asked is not None and settled is None:
            self._publish_declined(asked, seat)

    async def _settle_takeback(self, settled: Takeback | Asked | None, declined_by: int | None = None) -> None:
        """Take back what all agreed on, or store the question that is left."""
        if isinstance(settled, Takeback):
            self._asked = None
            await self._append_event(settled)
            return
        asked = settled or self._asked
        question = None if asked is None else Question(asked, None if settled else declined_by or asked.seat)
        await self.write(lambda db: ledger.set_question(db, self.id, question))
        self._asked = settled
        self._publish_position(self._in_time())

    async def say(self, guest: str | None, seat: int, phrase: Phrase | None, text: str | None) -> None:
        row = self._chat.check(self.row, guest, seat, phrase, text, self._services.time.now())
        said = await self.write(lambda db: ledger.add_said(db, self.id, row))
        if said.number > self._chat.last:  # else it was read from the database while we waited
            self._chat.said.append(said)
            self._publish_said(said)

    def _publish_said(self, said: SaidRow) -> None:
        """Send what was said at once to those who sit here, and to spectators as late as the moves."""
        broadcast.send_said(self.presence.watchers, self.row, said, spectators=False)
        send_late = partial(broadcast.send_said, self.presence.watchers, self.row, said, spectators=True)
        if self.row.delay:
            self._services.time.later(self.row.delay * 1000, send_late)
        else:
            send_late()

    def agree_rematch(self, table: str | None) -> None:
        """The next match of the same people is at this table; with None, the one agreed on was cancelled."""
        self.row.rematch = table
        self._publish_table(watchers=self._in_time())
        self._publish_changed_seats()

    # What one may read

    def look(self, watcher: Watcher, entry: int) -> dict[str, Any]:
        """Return the position after an entry, as this client may see it."""
        return self.running.look(self._broadcaster.sight(self._snapshot(), watcher), entry)

    def record(self, guest: str | None) -> Record:
        """Return the record as this guest may read it."""
        return self.running.record(not self.row.held_by(guest), self.elapsed())

    # Publishing

    def _snapshot(self) -> Snapshot:
        now, running = self._services.time.now(), self._running
        return Snapshot(
            self.row,
            running.match if running else None,
            running.journal if running else None,
            running.visibility if running else None,
            self.presence.gone(self.row, now),
            self.presence.spectators(self.row),
            self._absences(),
            running is not None and running.is_timed,
            self._asked,
            self._chat.said,
            self._hurried,
            now,
            self.elapsed(),
        )

    def _publish_table(self, have: int | None = None, watchers: Collection[Watcher] | None = None) -> None:
        """Send the table to these watchers, or to all, and of the log what comes after `have` or what they lack."""
        shot = self._snapshot()
        self._broadcaster.send_table(shot, self.presence.watchers if watchers is None else watchers, have)
        grace = None if shot.timed else presence.grace_left(shot.gone)
        if grace is not None and self.has_begun and self.match.result is None:
            self._alarms.set_once("grace", grace, lambda: self._publish_table(watchers=self._in_time()))
        self._expect_delayed()

    def _publish_position(self, watchers: Collection[Watcher] | None = None) -> None:
        """Send the position now to these watchers, or to all."""
        self._broadcaster.send_position(self._snapshot(), self.presence.watchers if watchers is None else watchers)

    def _publish_entries(self, acted: Collection[int] = ()) -> None:
        """Send what happened, by which seats, to those who may know of it."""
        self._broadcaster.send_entries(self._snapshot(), self.presence.watchers, acted)
        self._expect_delayed()

    def _publish_declined(self, asked: Asked, by: int) -> None:
        """Tell the guest who asked that another seat did not agree."""
        asker = self.row.seat(asked.seat).guest
        if by and self.row.seat(by).guest != asker:
            message = serialize.declined(self.id, asked, by)
            for watcher in [watcher for watcher in self.presence.watchers if watcher.guest_id == asker]:
                watcher.send(message)

    def _in_time(self) -> Collection[Watcher]:
        """Return those who may know at once that something happened: not the spectators of a table with a delay."""
        watchers = self.presence.watchers
        return {one for one in watchers if self.row.held_by(one.guest_id)} if self.row.delay else watchers

    def _publish_changed_seats(self) -> None:
        """Send the table to spectators who see late, if seats stand differently from what they were sent."""
        late = self.presence.watchers - set(self._in_time())
        self._broadcaster.send_table_if_changed(self._snapshot(), late)

    def _publish_delayed(self) -> None:
        self._publish_entries()
        self._publish_changed_seats()

    def _expect_delayed(self) -> None:
        """Send spectators who see late the rest when its time has come."""
        if not self.row.delay or self._running is None:
            return
        now, visibility = self.elapsed(), self._running.visibility
        visibility.forget(now)
        if (due := visibility.next_change(now)) is not None:
            self._alarms.set_once("delayed", due - now, self._publish_delayed)
