"""What people said at a table."""

import msgspec

from ludoteca.server.database.contract import Database
from ludoteca.server.ledger.touching import lock
from ludoteca.server.rows import SaidRow


def add_said(db: Database, table: str, said: SaidRow) -> SaidRow:
    """Store what somebody said, and return it with its number."""
    lock(db, table)
    number = int(db.execute("select max(number) from talk where table_id = ?", (table,)).fetchone()[0] or 0) + 1
    db.execute(
        "insert into talk (table_id, number, at, seat, name, phrase, text) values (?, ?, ?, ?, ?, ?, ?)",
        (table, number, said.at, said.seat, said.name, said.phrase, said.text),
    )
    return msgspec.structs.replace(said, number=number)


def said_after(db: Database, table: str, number: int) -> list[SaidRow]:
    """Return what was said after a number."""
    rows = db.execute(
        "select at, seat, name, phrase, text, number from talk where table_id = ? and number > ? order by number",
        (table, number),
    )
    return [SaidRow(*values) for values in rows]


def last_said(db: Database, table: str, most: int) -> list[SaidRow]:
    """Return what was said last, the oldest first."""
    rows = db.execute(
        "select at, seat, name, phrase, text, number from talk where table_id = ? order by number desc limit ?",
        (table, most),
    )
    return [SaidRow(*values) for values in rows][::-1]
