"""What a client is told: entries in the log's words, and the position as the seats it holds may see it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from ludoteca.core.chance import commitment
from ludoteca.core.conduct import is_conduct
from ludoteca.core.game import WHOLE_MATCH, Described
from ludoteca.core.match import Match, Position, is_takeback
from ludoteca.core.record import Entry
from ludoteca.core.words import Message, message
from ludoteca.server.horizon import Moment
from ludoteca.server.presence import bot_of

if TYPE_CHECKING:
    from ludoteca.server.tables import Table, Watcher
    from ludoteca.server.teller import Sight

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
    """An entry that was made from this position, told to everybody while the match runs."""
    written: dict[Entry, msgspec.Raw] = {}
    everybody = []
    for seat in (None, *range(1, len(match.seats) + 1)):
        seen = match.game.seen(entry, seat)
        if seen not in written:
            written[seen] = told_openly(match, before, seen, number)
        everybody.append(written[seen])
    return tuple(everybody)


def told_openly(match: Match, before: Position, entry: Entry, number: int) -> msgspec.Raw:
    described = _conduct_described(entry) or match.game.describe(before.state, entry)
    said, marks = described.message, described.marks
    return msgspec.Raw(
        msgspec.json.encode(EntryTold(number, entry.by, entry.move, said, entry.t, entry.left, entry.score, marks))
    )


def _conduct_described(entry: Entry) -> Described | None:
    verb, _, number = entry.move.partition(" ")
    if is_takeback(entry):
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


def table_told(table: "Table", watcher: "Watcher", sight: "Sight", have: int) -> bytes:
    row = table.row
    return msgspec.json.encode(
        {
            "type": "table",
            "table": row.id,
            "game": row.game,
            "options": row.options,
            "link": watcher.link(row.id),
            "creator": row.creator is not None and row.creator == watcher.guest_id,
            "open": row.open,
            "chat": row.chat,
            "delay": row.delay,
            "agreed_clock": row.clock,
            "rematch": row.rematch if sight.held or sight.moment is None or sight.moment.position.result else None,
            "seats": seats_told(table, watcher.guest_id, sight),
            "said": table.talk.told(not sight.held),
            "started": table.match is not None,
            "have": have,
            "entries": table.entries_told(sight, have),
            **position_told(table, sight),
        }
    )


def entries_told(table: "Table", sight: "Sight", after: int) -> bytes:
    return msgspec.json.encode(
        {
            "type": "entries",
            "table": table.id,
            "after": after,
            "entries": table.entries_told(sight, after),
            **position_told(table, sight),
        }
    )


def position_told(table: "Table", sight: "Sight") -> dict[str, Any]:
    """The position for a client that holds some seats, sees with the eyes of one of them, and so far."""
    match, (held, eye, moment, t) = table.match, sight
    if match is None or moment is None:
        return {
            "n": 0,
            "view": None,
            "eye": None,
            "to_move": [],
            "legal": {},
            "thinking": None,
            "result": None,
            "watching": table.presence.watching,
            "takeback": None,
            "asked": None,
            "offer": None,
            "accepted": [],
            "can_draw": False,
            "claimable": False,
            "clock": None,
            "seal": seal_told(table, None),
        }
    state, conduct, result, _ = moment.position
    game, to_move = match.game, on_move(match, moment, held)
    return {
        "n": moment.n,
        "view": table.teller.view(match, state, eye),
        "eye": eye,
        "to_move": to_move,
        "legal": {
            str(seat): game.legal(state, seat)
            for seat in to_move
            if seat in held and (seat == eye or not game.has_secrets(state))
        },
        "thinking": next((seat for seat in to_move if bot_of(match, moment.position, seat)), None),
        "result": result,
        "watching": table.presence.watching,
        "takeback": table.takebacker.offered(held),
        "asked": table.takebacker.asked if held else None,
        "offer": conduct.offer or None,
        "accepted": sorted(conduct.accepted),
        "can_draw": match.can_draw,
        "claimable": result is None and can_claim(match, moment.position, held),
        "clock": clock_told(moment, t),
        "seal": seal_told(table, moment),
    }


def on_move(match: Match, moment: Moment, held: Sequence[int]) -> list[int]:
    """Who is on the move as far as one sees; of one's own seats one knows it."""
    return [seat for seat in moment.position.to_move if seat not in held or seat in match.to_move]


def can_claim(match: Match, position: Position, held: Sequence[int]) -> bool:
    conduct = position.conduct
    if not conduct.late and not conduct.away:
        return False
    table = match.table(position)
    return any(seat not in conduct.out | table.eliminated and table.gone(conduct, seat) for seat in held)


def seal_told(table: "Table", moment: Moment | None) -> dict[str, Any]:
    """The seed is shown when there is a result, and never before."""
    row = table.row
    over = moment is not None and moment.position.result is not None
    return {
        "match": row.id,
        "commitment": commitment(row.seed),
        "bytes": [seat.seal_bytes.hex() if seat.seal_bytes else None for seat in row.seats],
        "seed": row.seed.hex() if over else None,
    }


def clock_told(moment: Moment, t: int) -> dict[str, Any] | None:
    clock = moment.clock
    if clock is None:
        return None
    late = sorted(moment.position.conduct.late)
    return {
        "kind": clock.kind,
        "running": clock.running,
        "starts_in": clock.starts_in(t),
        "left": clock.all_left(t),
        "match": clock.left_at(WHOLE_MATCH, t),
        "late": late,
    }


def seats_told(table: "Table", guest: str | None, sight: "Sight") -> list[dict[str, Any]]:
    conduct = sight.moment.position.conduct if sight.moment else None
    told = []
    for seat in table.row.seats:
        gone = table.presence.gone_for(seat.seat)
        kept = None if seat.taken or seat.reserved is None else "you" if seat.reserved == guest else "other"
        told.append(
            {
                "seat": seat.seat,
                "name": seat.name or None,
                "bot": seat.bot,
                "taken": seat.taken,
                "here": seat.taken and gone is None,
                "mine": seat.guest is not None and seat.guest == guest,
                "reserved": kept,
                "away": gone is not None,
                "gone_ms": gone,
                "standin": conduct is not None and seat.seat in conduct.away,
                "can_stand_in": bool(sight.held) and table.presence.can_stand_in(seat.seat),
            }
        )
    return told
