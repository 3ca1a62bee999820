"""New tables: what somebody asked for, or the next match of the same people."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec

from ludoteca.core import registry
from ludoteca.core.chance import SEED_BYTES
from ludoteca.core.match import Match
from ludoteca.core.positions import entries_to
from ludoteca.core.record import Entry, Given
from ludoteca.server import bots, clock
from ludoteca.server.clock import ClockWanted
from ludoteca.server.refusals import BadSeats, UnknownEntry
from ludoteca.server.rows import SeatRow, TableRow
from ludoteca.server.seating import bot_seat

ID_LETTERS, ID_LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 8  # no two letters that look alike
LONGEST_DELAY = 3600  # seconds


class SeatWanted(msgspec.Struct, rename={"whom": "for"}):
    whom: Literal["me", "anyone", "bot"]
    bot: Annotated[str, msgspec.Meta(max_length=32)] | None = None


class TableWanted(msgspec.Struct):
    game: Annotated[str, msgspec.Meta(max_length=32)]
    seats: Annotated[list[SeatWanted], msgspec.Meta(min_length=1, max_length=64)]
    options: dict[str, int | str | bool | None] = {}
    open: bool = False
    clock: ClockWanted | None = None
    delay: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_DELAY)] = 0
    chat: bool = True


def wanted_table(wanted: TableWanted, guest: str, now: int) -> TableRow:
    """Return the table that a guest asked for. Seats for "me" are reserved for that guest."""
    game = registry.game(wanted.game)
    agreed = game.agree({"players": len(wanted.seats), **wanted.options})
    if len(wanted.seats) != agreed["players"]:
        raise BadSeats(f"{len(wanted.seats)} seats for {agreed['players']} players")
    clock.check(wanted.clock, game.time_limits(agreed))
    seats = [_seat(wanted.game, n, seat, guest) for n, seat in enumerate(wanted.seats, start=1)]
    row = _row(wanted.game, agreed, seats, guest, now)
    row.open, row.clock, row.delay, row.chat = wanted.open, wanted.clock, wanted.delay, wanted.chat
    return row


class PlayOn(msgspec.Struct, forbid_unknown_fields=True):
    """A match that goes on from the position after an entry of a finished one."""

    entry: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    seats: Annotated[list[SeatWanted], msgspec.Meta(min_length=1, max_length=64)]
    clock: ClockWanted | None = None
    chat: bool = True


def table_from(match: Match, table: str, wanted: PlayOn, guest: str, now: int) -> tuple[TableRow, list[Entry]]:
    """Return a table for a match that begins from a position of another one, and the entries that lead there."""
    if wanted.entry > len(match.log):
        raise UnknownEntry(wanted.entry, len(match.log))
    entries = entries_to(match, wanted.entry)
    asked = TableWanted(match.game.key, wanted.seats, dict(match.agreed), False, wanted.clock, 0, wanted.chat)
    row = wanted_table(asked, guest, now)
    row.given = Given(len(entries), table, wanted.entry)
    return row, entries


def next_table(before: TableRow, match: Match, key: str | None, guest: str, now: int) -> TableRow:
    """Return a table for the same people, with the seats turned by one; at another game if one is named."""
    turned = before.seats[-1:] + before.seats[:-1]
    if key is None or key == before.game:
        assert match.result is not None
        key, agreed = before.game, match.game.agreed_again(match.agreed, match.state, match.result)
    else:
        agreed = registry.game(key).agree({"players": len(turned)})
    seats = [_seat_again(key, n, seat) for n, seat in enumerate(turned, start=1)]
    row = _row(key, agreed, seats, guest, now)
    row.clock, row.delay, row.chat = before.clock, before.delay, before.chat
    return row


def empty_row(key: str, agreed: Mapping[str, Any], guest: str, now: int) -> TableRow:
    """Return a table without seats."""
    return _row(key, agreed, [], guest, now)


def _row(key: str, agreed: Mapping[str, Any], seats: list[SeatRow], guest: str, now: int) -> TableRow:
    id_ = "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
    rules, seed = registry.game(key).rules_version, secrets.token_bytes(SEED_BYTES)
    return TableRow(id_, key, rules, dict(agreed), seed, now, seats, creator=guest)


def _seat(key: str, number: int, wanted: SeatWanted, guest: str) -> SeatRow:
    if wanted.whom == "bot":
        return bot_seat(key, number, wanted.bot)
    return SeatRow(number, reserved=guest if wanted.whom == "me" else None)


def _seat_again(key: str, number: int, before: SeatRow) -> SeatRow:
    if before.bot is None:
        return SeatRow(number, reserved=before.guest)
    return bot_seat(key, number, _level(before.bot, bots.levels(key)))


def _level(before: str, levels: Sequence[str]) -> str:
    """Return the same level if the game has it, else its strongest one."""
    if not levels:
        raise BadSeats("no bot plays this game")
    return before if before in levels else levels[-1]
