"""What a client is told: entries in the log's words, and the position as the seats it holds may see it."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from ludoteca.core.chance import commitment
from ludoteca.core.conduct import is_conduct
from ludoteca.core.errors import IllegalMove
from ludoteca.core.game import Described
from ludoteca.core.match import Match, Position
from ludoteca.core.record import Entry
from ludoteca.core.words import Message, message

if TYPE_CHECKING:
    from ludoteca.server.tables import Table

Told = tuple[msgspec.Raw, ...]  # an entry as a stranger reads it (place 0) and as each seat does


class EntryTold(msgspec.Struct, omit_defaults=True):
    n: int
    by: int
    move: str
    message: Message
    t: int | None = None
    left: int | None = None
    score: int | None = None
    marks: dict[str, Any] = {}


def told(match: Match, before: Position, entry: Entry, number: int) -> Told:
    """An entry that was made from this position, told to everybody."""
    written: dict[Entry, msgspec.Raw] = {}
    everybody = []
    for seat in (None, *range(1, len(match.seats) + 1)):
        seen = entry if match.result else match.game.seen(entry, seat)  # nothing is hidden after the end
        if seen not in written:
            written[seen] = msgspec.Raw(msgspec.json.encode(_entry_told(match, before, seen, number)))
        everybody.append(written[seen])
    return tuple(everybody)


def _entry_told(match: Match, before: Position, entry: Entry, number: int) -> EntryTold:
    described = _conduct_described(entry) or match.game.describe(before.state, entry)
    return EntryTold(number, entry.by, entry.move, described.message, entry.t, entry.left, entry.score, described.marks)


def _conduct_described(entry: Entry) -> Described | None:
    verb, _, number = entry.move.partition(" ")
    if entry.by == 0 and verb == "takeback":
        return Described(message("core.said.takeback", entry=int(number)))
    if not is_conduct(entry.by, entry.move):
        return None
    if entry.by == 0:
        return Described(message(f"core.said.{verb}", seat=int(number)))
    return Described(message(f"core.said.{entry.move}", seat=entry.by))


def hint_told(match: Match, position: Position, seat: int, move: str, after: int) -> dict[str, Any]:
    """A move that nobody has made, in the log's words."""
    described = match.game.describe(position.state, Entry(by=seat, move=move))
    return {"move": move, "after": after, "message": described.message, "marks": described.marks}


def eye(match: Match, held: Sequence[int], ready: int | None) -> int | None:
    """The seat whose eyes a client sees with: of those it holds the one on the move, else the first.

    Who holds several seats of a game with secrets shares a device with others: they see as strangers do until the
    seat on the move has said that it is ready.
    """
    on_move = next((seat for seat in match.to_move if seat in held), None)
    if match.game.has_secrets(match.state) and len(held) > 1 and not match.result:
        return ready if on_move in (ready, None) else None
    return on_move or (held[0] if held else None)


def position_told(table: "Table", held: Sequence[int], eye: int | None) -> dict[str, Any]:
    """The position now, for a client that holds these seats and sees with the eyes of one of them."""
    match = table.match
    if match is None:
        return {
            "n": 0,
            "view": None,
            "eye": None,
            "to_move": [],
            "legal": {},
            "thinking": None,
            "result": None,
            "takeback": None,
            "clock": None,
            "seal": seal_told(table),
        }
    return {
        "n": len(match.log),
        "view": match.game.view(match.state, eye),
        "eye": eye,
        "to_move": match.to_move,
        "legal": {
            str(seat): match.game.legal(match.state, seat)
            for seat in match.to_move
            if seat in held and (seat == eye or not match.game.has_secrets(match.state))
        },
        "thinking": table.thinking,
        "result": match.result,
        "takeback": takeback_target(match, held) if table.is_private(held) else None,
        "clock": clock_told(table),
        "seal": seal_told(table),
    }


def seal_told(table: "Table") -> dict[str, Any]:
    """The seed is shown when there is a result, and never before."""
    row = table.row
    over = table.match is not None and table.match.result is not None
    return {
        "match": row.id,
        "commitment": commitment(row.seed),
        "bytes": [seat.seal_bytes.hex() if seat.seal_bytes else None for seat in row.seats],
        "seed": row.seed.hex() if over else None,
    }


def clock_told(table: "Table") -> dict[str, int] | None:
    clock = table.clock
    return None if clock is None else {"seat": clock.seat, "left_ms": clock.left_ms(time.monotonic())}


def seats_told(table: "Table", guest: str | None) -> list[dict[str, Any]]:
    here = {watcher.guest_id for watcher in table.watchers}
    return [
        {
            "seat": seat.seat,
            "name": seat.name or None,
            "bot": seat.bot,
            "taken": seat.taken,
            "here": seat.bot is not None or (seat.guest is not None and seat.guest in here),
            "mine": seat.guest is not None and seat.guest == guest,
            "reserved": None if seat.taken or seat.reserved is None else "you" if seat.reserved == guest else "other",
        }
        for seat in table.row.seats
    ]


def takeback_target(match: Match, seats: Sequence[int]) -> int | None:
    """The entry that a takeback would go back to: before the last move, of these seats, that still stands."""
    if match.result:
        return None
    line = match.line(len(match.log))
    for place in range(len(line) - 1, -1, -1):
        entry = match.log[line[place] - 1]
        if entry.by in seats and not is_conduct(entry.by, entry.move):
            target = line[place - 1] if place else 0
            try:
                return match.takeback_target(f"takeback {target}")
            except IllegalMove:
                return None
    return None
