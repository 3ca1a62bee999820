"""Every message that the server sends on a socket, as JSON: docs/protocol.md.

Nothing here changes anything. A message is written from a `Snapshot` of the table and the `Sight` of one client. The
sight has the moment that this client may see. The match in the snapshot may be further on, where a table shows moves
late or a seat chooses in secret: only clients that hold a seat are sent anything that depends on it.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from ludoteca.core.chance import commitment
from ludoteca.core.errors import IllegalMove, LudotecaError, UnknownMove
from ludoteca.core.game import WHOLE_MATCH, Game
from ludoteca.core.match import Match
from ludoteca.core.record import Given
from ludoteca.server import hint_consent, takebacks
from ludoteca.server.clock import Clock
from ludoteca.server.journal import Journal
from ludoteca.server.messages import Id
from ludoteca.server.presence import AwayTimes, bot_of, can_stand_in
from ludoteca.server.rows import Asked, SaidRow, TableRow
from ludoteca.server.sealing import shown
from ludoteca.server.visibility import Moment, Sight, Visibility

Kind = Literal["table", "entries", "said", "cancelled", "declined", "lobby", "done", "error"]
KINDS: frozenset[str] = frozenset(get_args(Kind))


class Snapshot(NamedTuple):
    """A table at one moment: everything that messages about it are written from."""

    row: TableRow
    match: Match | None
    journal: Journal | None
    visibility: Visibility | None
    away_times: AwayTimes
    spectators: int
    absences: Mapping[int, int]  # for people who are away in their own turn: how long until they are gone
    timed: bool  # whether a clock was agreed
    asked: Asked | None
    said: Collection[SaidRow]
    hurried: tuple[int, str] | None  # the seat of a bot that thinks at a weaker level because many wait, and that level
    now: int  # milliseconds since 1970
    t: int  # milliseconds since the match began


def table(shot: Snapshot, sight: Sight, guest: str | None, link: str, have: int) -> bytes:
    """Return the whole table, and of the log what comes after `have`."""
    row = shot.row
    heard = shot.now - (0 if sight.held else row.delay * 1000)  # spectators read the chat as late as the moves
    return _message(
        "table",
        {
            "table": row.id,
            "game": row.game,
            "options": row.options,
            "link": link,
            "creator": row.creator is not None and row.creator == guest,
            "open": row.open,
            "closed": row.admitted is not None,
            "newcomer": row.is_newcomer(guest),
            "chat": row.chat,
            "delay": row.delay,
            "agreed_clock": row.clock,
            "given": _given(row, sight.is_over),
            "uploaded": row.uploaded is not None,
            "rematch": row.rematch if sight.held or sight.moment is None or sight.is_over else None,
            "seats": _seats(shot, guest, sight),
            "said": [_said(one) for one in shot.said if one.at <= heard],
            "started": shot.match is not None,
            "have": have,
            "entries": shot.journal.entries(sight, have) if shot.journal else [],
            **_position(shot, sight),
            "seal": _seal(row, sight.is_over),
        },
    )


def entries(shot: Snapshot, sight: Sight, after: int) -> bytes:
    """Return the entries after one entry, and the position now. While a match runs its seal stays as it is."""
    fields = {
        "table": shot.row.id,
        "after": after,
        "entries": shot.journal.entries(sight, after) if shot.journal else [],
        **_position(shot, sight),
    }
    if sight.moment is None or sight.is_over:
        fields["seal"] = _seal(shot.row, sight.is_over)
    return _message("entries", fields)


def said(table: str, one: SaidRow) -> bytes:
    return _message("said", {"table": table, **_said(one)})


def cancelled(table: str) -> bytes:
    return _message("cancelled", {"table": table})


def declined(table: str, asked: Asked, by: int) -> bytes:
    """Return the message for the guest who asked, that the seat `by` said no or moved on."""
    return _message("declined", {"table": table, "what": asked.what, "seat": asked.seat, "by": by})


def lobby(tables: Sequence[Mapping[str, Any]]) -> bytes:
    return _message("lobby", {"tables": tables})


def answer(kind: Literal["done", "error"], id_: Id, **more: Any) -> bytes:
    return _message(kind, {"id": id_, **more})


def refusal(id_: Id, error: LudotecaError) -> bytes:
    reason = error.reason if isinstance(error, IllegalMove | UnknownMove) else None
    return answer("error", id_, code=error.code, text=str(error), reason=reason)


def failure(id_: Id) -> bytes:
    """Return the answer to a message that failed by our own fault."""
    return answer("error", id_, code="server/error", text="", reason=None)


def hint(game: Game, known: Any, seat: int, move: str, after: int) -> dict[str, Any]:
    """Return a suggested move, described from a concealed state: it cannot contain what the seat may not see."""
    described = game.describe_hint(known, seat, move)
    steps = game.hint_steps(described, move)
    return {"move": move, "after": after, "message": described.message, "marks": described.marks, "steps": steps}


def _message(kind: Kind, fields: Mapping[str, Any]) -> bytes:
    """Return a message. A test compares every kind in two worlds that differ only in what a client may not know."""
    return msgspec.json.encode({"type": kind, **fields})


def _position(shot: Snapshot, sight: Sight) -> dict[str, Any]:
    """Return the position as one client may see it."""
    match, (held, eye, moment, t) = shot.match, sight
    if match is None or moment is None or shot.journal is None or shot.visibility is None:
        return {
            "n": 0,
            "view": None,
            "eye": None,
            "to_move": [],
            "legal": {},
            "thinking": None,
            "hurried": None,
            "result": None,
            "watching": shot.spectators,
            "takeback": None,
            "asked": None,
            "offer": None,
            "accepted": [],
            "hints": None,
            "can_draw": False,
            "claimable": False,
            "clock": None,
        }
    state, conduct, result, _ = moment.position
    game, to_move = match.game, _to_move(shot, match, moment, held)
    thinking = next((seat for seat in to_move if bot_of(match, moment.position, seat)), None)
    is_somebody_ready = not set(moment.position.to_move) <= {*to_move, *held}
    others = takebacks.other_players(match, shot.row, held)
    return {
        "n": moment.n,
        "view": shot.journal.view(state, eye),
        "eye": eye,
        "to_move": to_move,
        "legal": {
            str(seat): game.legal(state, seat)
            for seat in to_move
            if seat in held and (seat == eye or not game.has_secrets(state))
        },
        "thinking": thinking,
        "hurried": shot.hurried[1] if shot.hurried and shot.hurried[0] == thinking else None,
        "result": result,
        "watching": shot.spectators,
        "takeback": takebacks.offered(match, held, others),
        "asked": shot.asked if held else None,
        "offer": conduct.offer or None,
        "accepted": sorted(conduct.accepted),
        "hints": hint_consent.told(shot.row, conduct, held, others),
        "can_draw": match.can_draw and not game.is_simultaneous(state),
        "claimable": result is None and _can_claim(match, held),
        "clock": _clock(moment, shot.visibility.now.clock if is_somebody_ready else moment.clock, t),
    }


def _to_move(shot: Snapshot, match: Match, moment: Moment, held: Sequence[int]) -> list[int]:
    """Return the seats on the move. In simultaneous play it is no secret who has moved, only what they did."""
    on_move = moment.position.to_move
    sees_late = shot.row.delay and not held
    return list(on_move) if sees_late else [seat for seat in on_move if seat in match.to_move]


def _can_claim(match: Match, held: Sequence[int]) -> bool:
    """Return whether one of these seats may `claim`: by the rule and the position that the claim is judged by."""
    conduct = match.position.conduct
    if match.result or not (conduct.late or conduct.gone):
        return False
    sides = match.sides(match.position)
    return any(sides.overdue(conduct, seat) for seat in held)


def _given(row: TableRow, over: bool) -> Given | None:
    """Return the position that the match begins from. Which match it is from would tell hidden cards while it runs."""
    return row.given if row.given is None or over else Given(row.given.entries)


def _seal(row: TableRow, over: bool) -> dict[str, Any] | None:
    """Return the seal. The seed is shown when there is a result, and never before."""
    if row.uploaded is not None:
        shown_there = msgspec.to_builtins(row.uploaded.seal)
        return None if shown_there is None else {"commits": None, **shown_there}
    return {
        "match": row.id,
        "commitment": commitment(row.seed),
        "commits": [None if seat.bot else seat.commit for seat in row.seats] if row.commits_first else None,
        "bytes": shown(row, over),
        "seed": row.seed.hex() if over else None,
    }


def _clock(moment: Moment, clock: Clock | None, t: int) -> dict[str, Any] | None:
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


def _seats(shot: Snapshot, guest: str | None, sight: Sight) -> list[dict[str, Any]]:
    row, conduct = shot.row, sight.moment.position.conduct if sight.moment else None
    seats = []
    for seat, away_for in zip(row.seats, shot.away_times, strict=True):
        kept = None if seat.taken or seat.reserved is None else "you" if seat.reserved == guest else "other"
        seats.append(
            {
                "seat": seat.seat,
                "name": seat.name or None,
                "bot": seat.bot,
                "taken": seat.taken,
                "here": seat.taken and away_for is None,
                "mine": seat.guest is not None and seat.guest == guest,
                "reserved": kept,
                "away": away_for is not None,
                "gone_ms": away_for,
                "standin": conduct is not None and seat.seat in conduct.away,
                "can_stand_in": bool(sight.held) and can_stand_in(row, shot.match, away_for, seat.seat, shot.timed),
                "claim_in_ms": _claim_in(shot, sight, seat.seat),
                "out": conduct is not None and seat.seat in conduct.out,
            }
        )
    return seats


def _claim_in(shot: Snapshot, sight: Sight, seat: int) -> int | None:
    """Return how long until the absence of a seat's person counts, for those who play against them."""
    if not sight.held:
        return None
    wait = shot.absences.get(seat)
    return None if wait is None else max(0, wait)


def _said(one: SaidRow) -> dict[str, int | str]:
    what = {"phrase": one.phrase} if one.phrase is not None else {"text": one.text or ""}
    return {"n": one.number, "seat": one.seat, "name": one.name, "at": one.at, **what}
