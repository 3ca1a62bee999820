"""The shape of the database, as the steps that led to it. A step that was released is never changed."""

import sqlite3
from collections.abc import Sequence

# Step n brings a database of version n-1 to version n.
STEPS: tuple[str, ...] = (
    """
    create table tables (
        id text primary key,
        game text not null,
        rules integer not null,
        options text not null,      -- JSON
        seed blob not null,         -- of the fairness seal: secret until there is a result
        created integer not null,   -- milliseconds since 1970, as all times here
        touched integer not null,   -- when something last happened
        begun integer,
        ended integer not null default 0,
        rematch text                -- the table of the rematch
    ) without rowid;
    create table seats (
        table_id text not null,
        seat integer not null,
        bot text,                   -- its level, where a bot sits
        reserved text,              -- the guest that it is kept for
        guest text,                 -- the guest who holds it
        name text not null default '',
        bytes blob,                 -- for the fairness seal; there once the seat is taken
        primary key (table_id, seat)
    ) without rowid;
    create table entries (
        table_id text not null,
        number integer not null,
        entry text not null,        -- JSON, as docs/notation.md has it
        primary key (table_id, number)  -- the only lock: whoever writes number n first has moved
    ) without rowid;
    create index running on tables (touched) where ended = 0;
    """,
)


class NewerSchema(Exception):
    """The database was written by a later version of the program."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(
            f"the data folder was written by a newer Ludoteca (its schema is {found}, this one knows {known}); "
            "upgrade Ludoteca or choose another folder"
        )


def migrate(db: sqlite3.Connection, steps: Sequence[str] = STEPS) -> None:
    """Brings the database up to date, each step whole or not at all."""
    while (version := _version(db)) < len(steps):
        db.execute("begin immediate")
        try:
            if _version(db) == version:  # another process may have taken this step while we waited
                for statement in _statements(steps[version]):
                    db.execute(statement)
                db.execute(f"pragma user_version = {version + 1}")
            db.execute("commit")
        except BaseException:
            db.execute("rollback")
            raise
    if version > len(steps):
        raise NewerSchema(version, len(steps))


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("pragma user_version").fetchone()[0])


def _statements(script: str) -> list[str]:
    """`executescript` would commit what is open; so the statements go one by one."""
    statements, begun = [], ""
    for line in script.splitlines():
        begun += line + "\n"
        if sqlite3.complete_statement(begun):
            statements.append(begun)
            begun = ""
    return statements
