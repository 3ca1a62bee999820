"""The shapes of the server's answers."""

from typing import Annotated, Any, Literal

import msgspec

from ludoteca.core.draws import TableEntry
from ludoteca.core.game import Option
from ludoteca.core.record import Result
from ludoteca.server.rows import TableOfGuest


class Health(msgspec.Struct):
    status: str
    version: str
    warm: list[str]  # the games that are compiled, rules and bots
    alive: bool
    ready: bool  # whether everything that happens can be stored


class Me(msgspec.Struct):
    name: Annotated[str, msgspec.Meta(max_length=256)]


class Deleted(msgspec.Struct):
    deleted: str  # the table


class Left(msgspec.Struct):
    left: bool  # whether there was a guest to leave


class GameListed(msgspec.Struct):
    key: str
    name: str
    options: tuple[Option, ...]
    bots: tuple[str, ...]
    usual_bot: str | None
    lessons: bool


class TableMade(msgspec.Struct):
    table: str
    link: str


class SeatOfMine(msgspec.Struct):
    seat: int
    name: str | None
    bot: str | None
    mine: bool


class TableOfMine(msgspec.Struct):
    table: str
    game: str
    options: dict[str, Any]
    seats: list[SeatOfMine]
    state: Literal["waiting", "running", "over"]
    your_turn: bool
    n: int
    result: Result | None
    changed: int  # milliseconds since 1970
    open: bool  # listed in the lobby while somebody waits there
    creator: bool  # this guest made it


class TablesOfMine(msgspec.Struct):
    tables: list[TableOfMine]


class PublicKey(msgspec.Struct):
    kind: str
    key: str  # in hex


class DrawsOfMatch(msgspec.Struct):
    entries: list[TableEntry]


def table_of_mine(table: TableOfGuest, guest: str) -> TableOfMine:
    """Return a line of the list of a guest's tables."""
    seats = [SeatOfMine(seat.seat, seat.name or None, seat.bot, seat.guest == guest) for seat in table.seats]
    your_turn = any(seat.mine and seat.seat in table.on_move for seat in seats)
    state: Literal["waiting", "running", "over"]
    state = "over" if table.ended else "running" if table.begun else "waiting"
    return TableOfMine(
        table.id, table.game, table.options, seats, state, your_turn, table.known, table.result, table.changed,
        table.open, table.creator,
    )  # fmt: skip
