"""Steps of the schema that need more than SQL."""

import logging

import msgspec

from ludoteca.core import registry
from ludoteca.core.chance import seat_commitment
from ludoteca.core.errors import LudotecaError
from ludoteca.core.events import ConductEvent
from ludoteca.core.match import Match
from ludoteca.core.record import Entry, Seat
from ludoteca.server.database.contract import Database
from ludoteca.server.visibility import held_back

log = logging.getLogger("ludoteca.server.migrations")
_entries = msgspec.json.Decoder(Entry)


def commit_first(db: Database) -> None:
    """Seats commit themselves before they show bytes. Matches that have begun stay as they are; at waiting tables the
    bytes that people gave already count as shown, and those of bots follow from the seed."""
    db.execute(db.translated("alter table tables add column commits_first integer not null default 0"))
    db.execute("alter table seats add column committed text")
    db.execute("update tables set commits_first = 1 where begun is null")
    waiting = "select id from tables where begun is null"
    db.execute(f"update seats set bytes = null where bot is not null and table_id in ({waiting})")
    given = db.execute(f"select table_id, seat, bytes from seats where bytes is not null and table_id in ({waiting})")
    commits = [(seat_commitment(table, seat, bytes_), table, seat) for table, seat, bytes_ in given.fetchall()]
    db.executemany("update seats set committed = ? where table_id = ? and seat = ?", commits)


def write_standings(db: Database) -> None:
    """Lists read how a match stands from its row. Rows of the first schema did not have it: replay those matches."""
    unknown = db.execute(
        "select id, game, rules, options from tables where begun is not null"
        " and ((ended = 1 and result is null) or (ended = 0 and on_move = '[]'))"
    ).fetchall()
    for table, key, rules, options in unknown:
        try:
            match = _replayed(db, table, key, rules, msgspec.json.decode(options))
        except LudotecaError as error:
            log.warning("how table %s stands is not known: %s", table, error)
            continue
        on_move = msgspec.json.encode(match.to_move).decode()
        result = msgspec.json.encode(match.result).decode() if match.result else None
        db.execute(
            "update tables set on_move = ?, result = ?, known = ? where id = ?",
            (on_move, result, len(match.log) - _held_back(match), table),
        )


def _replayed(db: Database, table: str, key: str, rules: int, options: dict[str, object]) -> Match:
    game = registry.game(key)
    if game.rules_version != rules:
        raise LudotecaError(f"it is played by rules {rules}, this knows {game.rules_version}")
    seats = db.execute("select name, bot from seats where table_id = ? order by seat", (table,))
    match = Match(game, options, [Seat(name, bot) for name, bot in seats])
    rows = db.execute("select entry from entries where table_id = ? order by number", (table,))
    match.follow(_entries.decode(text) for (text,) in rows)
    return match


def _held_back(match: Match) -> int:
    """Return how many of the last entries not everybody may know of."""
    eyes = (None, *range(1, len(match.seats) + 1))
    untold = 0 if match.result else max(match.game.untold(match.state, eye) for eye in eyes)
    return held_back((isinstance(event, ConductEvent) for event in reversed(match.events)), untold)
