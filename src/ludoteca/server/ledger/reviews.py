"""Reviews in the database: derived from the record, so they may be thrown away and made again."""

import msgspec

from ludoteca.search.reviewing import VERSION, Decision
from ludoteca.server.database.contract import Database

_decisions = msgspec.json.Decoder(list[Decision])


def keep_review(db: Database, table: str, decisions: list[Decision]) -> None:
    db.execute(
        "insert into reviews (table_id, version, decisions) values (?, ?, ?) on conflict (table_id) do update"
        " set version = excluded.version, decisions = excluded.decisions",
        (table, VERSION, msgspec.json.encode(decisions).decode()),
    )


def find_review(db: Database, table: str) -> list[Decision] | None:
    """Return the review of a match, unless there is none or it was made by another version of the judge."""
    row = db.execute("select decisions from reviews where table_id = ? and version = ?", (table, VERSION)).fetchone()
    return _decisions.decode(row[0]) if row else None
