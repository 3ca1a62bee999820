"""A table: its seats, its match, its watchers. Whatever happens is stored first, then applied, then published once."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from ludoteca.core.errors import IllegalMove, StaleMatch
from ludoteca.core.events import ConductEvent, Event, Takeback
from ludoteca.core.match import Append, Match
from ludoteca.core.record import Entry, Record
from ludoteca.server import broadcast, hint_consent, ledger, lobby, presence, takebacks
from ludoteca.server.advice import Adviser
from ludoteca.server.bot_player import BotPlayer
from ludoteca.server.broadcast import Broadcaster
from ludoteca.server.chat import Chat, Phrase
from ludoteca.server.database.contract import Change
from ludoteca.server.presence import Presence, Watcher
from ludoteca.server.publishing import Publisher
from ludoteca.server.refusals import LeaseLost, NotStored
from ludoteca.server.requests import QUESTIONS, Requests, asks
from ludoteca.server.rows import Asked, Question, SaidRow, TableRow
from ludoteca.server.running_match import RunningMatch
from ludoteca.server.serialize import Snapshot
from ludoteca.server.services import Services
from ludoteca.server.stored_table import Committed, StoredTable
from ludoteca.server.tasks import Alarms, OneAtATime
from ludoteca.server.turn_alarms import TurnAlarms
from ludoteca.server.waiting_room import WaitingRoom

T = TypeVar("T")


class Table:
    """Connects the rooms of a table (docs/design.md): what one of them changes, the table publishes and passes on."""

    def __init__(
        self, services: Services, row: TableRow, entries: Sequence[Entry], said: Sequence[SaidRow] = ()
    ) -> None:
        """May take milliseconds: the log is replayed."""
        alarms = self._alarms = Alarms(services.time)
        stored = self._stored = StoredTable(services, row, entries, self.refresh_soon)
        here = self.presence = Presence(services.time.now())
        self._services, self._broadcaster = services, Broadcaster()
        self._publisher = Publisher(here, self._broadcaster, services.time, alarms, self._snapshot)
        self.waiting_room = WaitingRoom(services, stored, here, alarms, self._seats_changed, self._began)
        self._bot_player = BotPlayer(services, stored, here, alarms, self._append_for_bot)
        self._turn_alarms = TurnAlarms(services, stored, here, alarms, self._append_for_clock)
        self._adviser, self._refreshing = Adviser(services.thinking), OneAtATime(services.tasks, self._refresh)
        self._chat, self._requests = Chat(said), Requests()
        self._asked = row.question.open if row.question else None
        self.touched = services.time.now()

    @property
    def id(self) -> str:
        return self._stored.id

    @property
    def row(self) -> TableRow:
        return self._stored.row

    @property
    def has_begun(self) -> bool:
        return self._stored.has_begun

    @property
    def running(self) -> RunningMatch:
        """The running match and what follows it; NotBegun is raised if there is none yet."""
        return self._stored.running

    @property
    def match(self) -> Match:
        """The match; NotBegun is raised if there is none yet."""
        return self._stored.match

    @property
    def is_minded_here(self) -> bool:
        """Whether this node thinks for the bots at the table and minds its clock."""
        return self._stored.is_minded_here

    @property
    def is_deleted(self) -> bool:
        """Whether there is no such table in the database any more."""
        return self._stored.is_deleted

    @property
    def at_rest(self) -> bool:
        """Nobody watches, thinks, is timed or waits for others: it may be put away and fetched again."""
        timed = self.is_minded_here and self.has_begun and self.running.timekeeper.is_running
        busy = self._bot_player.is_thinking or timed or self.waiting_room.is_beginning
        return not busy and not self.presence.watchers and self._listing() is None

    async def write(self, change: Change[T]) -> T:
        """Make a change to this table in the database, and notify other nodes of it."""
        return await self._stored.write(change)

    def close(self) -> None:
        self._alarms.cancel_all()

    # Before the match

    def _seats_changed(self) -> None:
        self._publisher.send_table()
        self.update_lobby()

    def _began(self) -> None:
        self.schedule_next()
        self._publisher.send_table(have=0)
        self.update_lobby()

    def update_lobby(self) -> None:
        self._services.lobby.update(self.id, self._listing())

    def _listing(self) -> lobby.Listing | None:
        return lobby.listing(self.row, self.presence.is_a_player_here(self.row))

    def cancel(self) -> None:
        """There is no such table any more: tell everybody here, and list it no longer."""
        self.row.open = False
        self.update_lobby()
        broadcast.send_cancelled(self.id, self.presence.watchers)
        self.close()

    # The match goes on

    async def move(self, guest: str | None, seat: int, move: str, after: int, lag: int = 0) -> None:
        """Make a move, or say something about the match like `resign`, that was chosen after the entry `after`."""
        match = self.match
        self.row.check_held(guest, seat)
        known = self.running.known_to(self.row.held_by(guest), self._stored.elapsed())
        if after > known:
            raise StaleMatch(after, known)
        takebacks.check_room(match, move)
        hint_consent.check(match, self.row, self.row.held_by(guest), move)
        was_last = after == len(match.log)
        if await self.come_back(guest) and was_last:
            after = len(match.log)
        if move in QUESTIONS and asks(match.prepare(move, seat, after).transitions[0]):  # a refused one does not count
            self._requests.count(guest, self._services.time.now())
        await self._append(lambda t: match.prepare(move, seat, after, t), after, lag)
        if move == "resign" and match.result is None and seat not in match.position.conduct.away:
            with suppress(StaleMatch):  # the others play on
                await self._append_event(ConductEvent("bot", seat))

    async def _append_event(self, event: Event, as_minder: bool = False) -> None:
        match, after = self.match, len(self.match.log)
        await self._append(lambda t: match.prepare_event(event, after, t), after, as_minder=as_minder)

    async def _append_for_clock(self, event: Event) -> None:
        await self._append_event(event, as_minder=True)

    async def _append_for_bot(self, prepare: Callable[[int], Append], after: int) -> None:
        try:
            await self._append(prepare, after, as_minder=True)
        except LeaseLost:
            self.refresh_soon()
            raise

    async def _append(
        self, prepare: Callable[[int], Append], after: int, lag: int = 0, as_minder: bool = False
    ) -> None:
        """Append what `prepare` returns, and publish it. Raise StaleMatch if somebody else wrote to the log first.

        In simultaneous play no move is stale: it is prepared again, after what the others did.
        """
        while (committed := await self._stored.append(prepare, lag, as_minder)) is None:
            self._publish_committed(await self._stored.catch_up())
            if not self.match.game.is_simultaneous(self.match.state):
                raise StaleMatch(after, len(self.match.log))
        self._publish_committed(committed)

    def apply(self, entries: Sequence[Entry]) -> None:
        """Commit entries that were stored after the last one here, and publish them."""
        self._publish_committed(self._stored.commit_stored(entries, len(self.match.log)))

    def _publish_committed(self, committed: Committed) -> None:
        """Publish entries, and what follows from them: a question is settled, a bot is to move, alarms are set."""
        transitions, before = committed
        if not transitions:
            return
        match = self.match
        asked, self._asked = self._asked, takebacks.still_asked(self._asked, transitions, match.result is not None)
        self._broadcaster.pass_devices_on(match, self.row)
        self.schedule_next()
        self._publisher.send_entries({transition.entry.by for transition in transitions})
        if before.to_move != match.to_move and match.game.is_simultaneous(match.state):
            self._publisher.send_position_in_time()  # what a seat did is secret; that it is ready is not
        if asked is not None and self._asked is None and match.result is None:
            self._publisher.send_declined(self.row, asked, transitions[0].entry.by)  # a move is an answer too
        was, now = before.conduct, match.position.conduct
        if (was.late, was.gone, was.away, was.out) != (now.late, now.gone, now.away, now.out):
            self._publisher.send_table_in_time()

    def schedule_next(self) -> None:
        """Call the bot that is to move, and set the alarms of the clock and for absent players.

        If another node minds the table, call no bot and cancel the alarms.
        """
        if not self.has_begun:
            return
        self.touched = self._services.time.now()
        self._bot_player.call()
        self._turn_alarms.set()

    async def hint(self, watcher: Watcher, seat: int) -> dict[str, Any]:
        """Return what the strongest bot would do; raise NoHint if this client may not ask for that now."""
        eye = self._broadcaster.eye(self.match, self.row, watcher)
        return await self._adviser.hint(self._stored, watcher.guest_id, seat, eye, self._bot_player.asker)

    # What other nodes did

    def refresh_soon(self) -> None:
        """Read what other nodes have stored; once more if something changes meanwhile."""
        self._refreshing.start()

    async def _refresh(self) -> None:
        with suppress(NotStored):  # catching up tries again
            await self.refresh()

    async def refresh(self) -> None:
        """Apply and publish what other nodes have stored."""
        found = await self._stored.refresh(self._chat.last)
        if self.is_deleted:
            self.cancel()
        if found is None:
            return
        if found.committed is not None:
            self._note_questions(found.committed)
            self._publish_committed(found.committed)
        elif self.has_begun:
            self._publisher.send_table(have=0)
        for said in found.talk:
            if said.number > self._chat.last:
                self._chat.hear(self.row, said)
                self._publisher.send_said(self.row, said)
        self._publish_row(found.before)
        if not self.row.ended and self._services.nodes.is_dead(self.row.node):
            self._services.tasks.start(self._claim())

    def _note_questions(self, committed: Committed) -> None:
        """Count what was asked on other nodes."""
        for transition in filter(asks, committed.transitions):
            self._requests.note(self.row.seat(transition.entry.by).guest, self._services.time.now())

    def _publish_row(self, before: TableRow) -> None:
        """Publish what is different from the row as it was, apart from the log."""
        row, asked = self.row, self._asked
        if (row.seats, row.admitted, row.began_at) != (before.seats, before.admitted, before.began_at):
            self._publisher.send_table()
            self.waiting_room.begin_if_full()
        self.update_lobby()
        self._asked = row.question.open if row.question else None
        if self._asked != asked:
            if self._asked is not None and asked is None:
                self._requests.note(row.seat(self._asked.seat).guest, self._services.time.now())
            self._publisher.send_position_in_time()
            if asked is not None and row.question is not None and row.question.declined_by:
                self._publisher.send_declined(row, asked, row.question.declined_by)
        if row.rematch != before.rematch:
            self.agree_rematch(row.rematch)
        if row.node != before.node:
            self.schedule_next()

    async def _claim(self) -> None:
        """Mind this table, which nobody does."""
        with suppress(NotStored):
            await self._services.nodes.claim(self.id)
            self.refresh_soon()

    def forget_lease(self) -> None:
        """The others took this node for dead: they mind this table now."""
        self.schedule_next()
        self._stored.is_unsure = True
        self.refresh_soon()

    def charge_nobody(self) -> None:
        """An outage became known: the clock shows more time."""
        if self.has_begun and self.running.timekeeper.is_running:
            self.schedule_next()
            self._publisher.send_position()

    # People come and go

    def join(self, watcher: Watcher, have: int) -> None:
        """Somebody watches: send them the table, and tell the others that they are here."""
        came = self.presence.join(watcher)
        self._publisher.send_table(have, [watcher])
        if came:
            self._publish_presence(watcher)

    def leave(self, watcher: Watcher) -> None:
        self._broadcaster.forget(watcher)
        if self.presence.leave(watcher, self.row, self._services.time.now()):
            asked = self._asked
            if asked is not None and self.row.seat(asked.seat).guest == watcher.guest_id:
                self._asked = None
                self._publisher.send_position_in_time()
                self._services.tasks.start(self._store_no_question())
        self._publish_presence(watcher)

    async def _store_no_question(self) -> None:
        with suppress(NotStored):
            await self.write(lambda db: ledger.set_question(db, self.id, None))

    def set_elsewhere(self, elsewhere: dict[str, int]) -> None:
        """Note who is at this table on other nodes."""
        if self.presence.set_elsewhere(elsewhere, self._services.time.now()):
            self._turn_alarms.set_absence_alarm()
            self._publisher.send_table()
            self.update_lobby()

    def _publish_presence(self, watcher: Watcher) -> None:
        """Publish at once when a seated guest comes or goes (first and last window only). Batch the spectators."""
        self._services.nodes.presence_changed(self.id)
        self._turn_alarms.set_absence_alarm()
        others = self.presence.watchers - {watcher}
        if not self.row.held_by(watcher.guest_id):
            self._publisher.send_position_soon()
        elif all(other.guest_id != watcher.guest_id for other in others):
            self._publisher.send_table(watchers=others)
            self.update_lobby()

    async def stand_in(self, guest: str | None, mine: int, seat: int) -> None:
        """An opponent or partner lets a bot move for a seat."""
        match = self.match
        self.row.check_held(guest, mine)
        away_times = self.presence.away_times(self.row, self._services.time.now())
        presence.check_stand_in(self.row, match, guest, seat, away_times, self.running.is_timed)
        await self._append_event(ConductEvent("bot", seat))

    async def come_back(self, guest: str | None) -> bool:
        """A guest who is at the table again plays for themselves. Return whether that appended an entry."""
        came_back = False
        for seat in self.row.held_by(guest) if self.has_begun else ():
            conduct = self.match.position.conduct
            if self.match.result or seat not in (conduct.away | conduct.gone) - conduct.out:
                continue
            with suppress(StaleMatch, IllegalMove):  # they came through two doors at once
                await self._append_event(ConductEvent("back", seat))
                came_back = True
        return came_back

    def be_ready(self, watcher: Watcher, seat: int) -> None:
        """The seat's player sits before a shared device now, and is shown what that seat may see."""
        self.row.check_held(watcher.guest_id, seat)
        if watcher in self.presence.watchers:
            self._broadcaster.set_ready(watcher, seat)
            self._publisher.send_position([watcher])

    # What people agree on, and say

    async def take_back(self, guest: str | None, seat: int | None) -> None:
        """Take back a move at once, or ask the others to agree."""
        match, held = self.match, self.row.held_by(guest)
        if seat is not None:
            self.row.check_held(guest, seat)
        settled = takebacks.ask(match, self.row, self._asked, held, seat)
        if isinstance(settled, Asked):
            self._requests.count(guest, self._services.time.now())
        await self._settle_takeback(settled)

    async def answer(self, guest: str | None, seat: int, yes: bool) -> None:
        """Agree to the takeback that somebody asks for, or decline it."""
        match = self.match
        self.row.check_held(guest, seat)
        held = self.row.held_by(guest)
        asked, settled = self._asked, takebacks.answer(match, self.row, self._asked, held, seat, yes)
        await self._settle_takeback(settled, declined_by=seat)
        if asked is not None and settled is None:
            self._publisher.send_declined(self.row, asked, seat)

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
        self._publisher.send_position_in_time()

    async def say(self, guest: str | None, seat: int, phrase: Phrase | None, text: str | None) -> None:
        row = self._chat.check(self.row, guest, seat, phrase, text, self._services.time.now())
        said = await self.write(lambda db: ledger.add_said(db, self.id, row))
        if said.number > self._chat.last:  # else it was read from the database while we waited
            self._chat.said.append(said)
            self._publisher.send_said(self.row, said)

    def agree_rematch(self, table: str | None) -> None:
        """The next match of the same people is at this table; with None, the one agreed on was cancelled."""
        self.row.rematch = table
        self._publisher.send_table_in_time()
        self._publisher.send_changed_seats()

    # What one may read

    def look(self, watcher: Watcher, entry: int) -> dict[str, Any]:
        """Return the position after an entry, as this client may see it."""
        return self.running.look(self._broadcaster.sight(self._snapshot(), watcher), entry)

    def record(self, guest: str | None) -> Record:
        """Return the record as this guest may read it."""
        return self.running.record(not self.row.held_by(guest), self._stored.elapsed())

    def _snapshot(self) -> Snapshot:
        """Return the table as it is now, for messages about it."""
        now, running = self._services.time.now(), self.running if self.has_begun else None
        away_times = self.presence.away_times(self.row, now)
        return Snapshot(
            self.row,
            running.match if running else None,
            running.journal if running else None,
            running.visibility if running else None,
            away_times,
            self.presence.spectators(self.row),
            self._turn_alarms.absences(away_times),
            running is not None and running.is_timed,
            self._asked,
            self._chat.said,
            self._bot_player.hurried,
            now,
            self._stored.elapsed(),
        )
