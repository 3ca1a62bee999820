"""The log and the position as JSON, written once for all clients that may read the same."""

from typing import Any

import msgspec

from ludoteca.core.events import ConductEvent, Takeback, TimeOver
from ludoteca.core.game import Described
from ludoteca.core.match import Match, Position, Transition
from ludoteca.core.record import Entry
from ludoteca.core.words import Message, message
from ludoteca.server.visibility import Sight


class EntryMessage(msgspec.Struct, omit_defaults=True):
    n: int
    by: int
    move: str
    message: Message
    t: int | None = None
    left: int | None = None
    score: int | None = None
    marks: dict[str, Any] = {}


class WithSecret(msgspec.Struct, frozen=True):
    """An entry as JSON, if something in it is hidden from somebody."""

    readers: tuple[msgspec.Raw, ...]  # while the match runs: as a stranger reads it (place 0), and as each seat does
    opened: msgspec.Raw  # after the end


class Journal:
    def __init__(self, match: Match) -> None:
        self._match = match
        self._entries: list[msgspec.Raw | WithSecret] = []
        self._last_view: tuple[Any, int | None, msgspec.Raw] | None = None  # of a state, for an eye

    def add(self, transition: Transition) -> None:
        self._entries.append(written(self._match, transition, len(self._entries) + 1))

    def entries(self, sight: Sight, after: int) -> list[msgspec.Raw]:
        """Return the log after an entry, as far as a client may see it. After the end nothing is hidden."""
        found = self._entries[after : sight.n]
        return [entry if isinstance(entry, msgspec.Raw) else _as_read(entry, sight) for entry in found]

    def view(self, state: Any, eye: int | None) -> msgspec.Raw:
        """Return the game's view of a state. A view that is the same for everybody is written once."""
        game = self._match.game
        whose = None if game.is_seen_alike(state) else eye
        last = self._last_view
        if last is None or last[0] is not state or last[1] != whose:
            last = self._last_view = (state, whose, msgspec.Raw(msgspec.json.encode(game.view(state, whose))))
        return last[2]


def written(match: Match, transition: Transition, number: int) -> msgspec.Raw | WithSecret:
    """Return an entry as each reader may read it."""
    entry = transition.entry
    opened = _entry(match, transition, entry, number)
    seen = [match.game.seen(entry, seat) for seat in (None, *range(1, len(match.seats) + 1))]
    if all(one is entry or one == entry for one in seen):
        return opened
    written_as = {entry: opened}
    for one in seen:
        if one not in written_as:
            written_as[one] = _entry(match, transition, one, number)
    return WithSecret(tuple(written_as[one] for one in seen), opened)


def written_for(seat: int, match: Match, transition: Transition, number: int) -> msgspec.Raw:
    """Return an entry as a seat may read it."""
    return _entry(match, transition, match.game.seen(transition.entry, seat), number)


def _as_read(entry: WithSecret, sight: Sight) -> msgspec.Raw:
    return entry.opened if sight.is_over else entry.readers[sight.eye or 0]


def _entry(match: Match, transition: Transition, entry: Entry, number: int) -> msgspec.Raw:
    if transition.event is None or isinstance(transition.event, TimeOver):
        described = match.game.describe(transition.before.state, entry)
    else:
        described = _described_event(match, transition.event, transition.before)
    said, marks = described.message, described.marks
    return msgspec.Raw(
        msgspec.json.encode(EntryMessage(number, entry.by, entry.move, said, entry.t, entry.left, entry.score, marks))
    )


def _described_event(match: Match, event: ConductEvent | Takeback, before: Position) -> Described:
    if isinstance(event, Takeback):
        return Described(message("core.said.takeback", entry=event.target))
    if event.verb == "claim":
        return _described_claim(match, event.seat, before)
    marks = {"late": [event.seat]} if event.verb == "timeout" else {}
    return Described(message(f"core.said.{event.verb}", seat=event.seat), marks)


def _described_claim(match: Match, seat: int, before: Position) -> Described:
    """Return the message of a claim, which says from whom and why."""
    overdue = sorted(match.sides(before).overdue(before.conduct, seat))
    late = [other for other in overdue if other in before.conduct.late]
    losers = [message("core.seat", seat=other) for other in late or overdue]
    said = message("core.said.claim_late" if late else "core.said.claim_gone", seat=seat, losers=losers)
    return Described(said, {"claimed_from": overdue, "late": late})
