"""Changes to one table happen one after another: each begins with a change to the table's own row, which locks it."""

from ludoteca.server.database.contract import Database
from ludoteca.server.refusals import AlreadyBegun, UnknownTable


def lock(db: Database, table: str) -> None:
    """Wait for other changes to the table, and note that there is one more; raise UnknownTable if it is gone."""
    if db.execute("update tables set version = version + 1 where id = ?", (table,)).rowcount != 1:
        raise UnknownTable(table)


def touch_waiting(db: Database, table: str, now: int) -> None:
    """Note that something happened at a table whose match has not begun; raise AlreadyBegun if it has."""
    statement = "update tables set touched = ?, changed = ?, version = version + 1 where id = ? and begun is null"
    if db.execute(statement, (now, now, table)).rowcount != 1:
        raise AlreadyBegun(table) if exists(db, table) else UnknownTable(table)


def exists(db: Database, table: str) -> bool:
    return db.execute("select 1 from tables where id = ?", (table,)).fetchone() is not None
