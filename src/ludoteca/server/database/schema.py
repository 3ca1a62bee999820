"""The shape of the database, as the steps that led to it. A step that was released is never changed.

Both databases take the same steps. A step only adds: servers of the version before go on running beside it.
"""

import sqlite3
from collections.abc import Callable, Sequence

from ludoteca.server.database import migrations
from ludoteca.server.database.contract import Database, DatabaseTrouble

Step = str | Callable[[Database], None]

# Step n brings a database of version n-1 to version n.
STEPS: tuple[Step, ...] = (
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
    """
    alter table tables add column creator text;                     -- the guest who made it
    alter table tables add column open integer not null default 0;  -- listed in the lobby
    alter table tables add column clock text;                       -- JSON; null: none, or the game's own
    alter table tables add column delay integer not null default 0; -- seconds that strangers see late
    alter table tables add column chat integer not null default 1;  -- whether people may write freely
    alter table tables add column on_move text not null default '[]';  -- JSON: the seats that may act
    alter table tables add column known integer not null default 0; -- how many entries everybody may know of
    alter table tables add column changed integer not null default 0;  -- when that last rose
    alter table tables add column result text;                      -- JSON, as docs/notation.md has it
    update tables set changed = touched,
        known = (select count(*) from entries where table_id = tables.id);
    create index held on seats (guest) where guest is not null;
    create index kept on seats (reserved) where reserved is not null;
    create table removed (
        table_id text not null,
        guest text not null,        -- cannot take a seat there again
        primary key (table_id, guest)
    ) without rowid;
    create table talk (
        table_id text not null,
        number integer not null,
        at integer not null,
        seat integer not null,
        name text not null,
        phrase text,                -- its key, or else
        text text,
        primary key (table_id, number)
    ) without rowid;
    create table service (          -- when a server was there; in between no clock ran
        since integer primary key,
        until integer not null
    ) without rowid;
    insert into service (since, until) select 0, touched from tables order by touched desc limit 1;
    """,
    migrations.commit_first,
    migrations.write_standings,
    """
    create table revoked (
        guest text primary key,
        before integer not null     -- cookies that were signed earlier are worth nothing
    ) without rowid;
    """,
    """
    alter table tables add column admitted text;  -- JSON: the guests who may sit down; null: anybody
    """,
    """
    create table keys (             -- the secret keys of a server that has no data folder, and of a backup
        name text primary key,
        key blob not null
    ) without rowid;
    """,
    """
    create table reviews (
        table_id text primary key,
        version integer not null,   -- of the judge; a review by another one is made again
        decisions text not null     -- JSON, derived from the record: may be thrown away
    ) without rowid;
    """,
    """
    alter table tables add column version integer not null default 0;  -- rises with every change
    alter table tables add column node text;        -- the node that minds its bots and its clock
    alter table tables add column asked text;       -- JSON: the takeback that somebody asks for
    alter table tables add column network text;     -- a digest of where an open table was made from, while it waits
    create index minded on tables (node) where ended = 0;
    create table nodes (            -- servers that share this database
        id text primary key,
        since integer not null,
        until integer not null      -- when it is dead, unless it gives another sign of life
    ) without rowid;
    create table outages (          -- in these times a node was dead or the database away: no clock ran
        since integer not null,
        until integer not null,
        primary key (since, until)
    ) without rowid;
    create table here (             -- who is at a table, on each node
        table_id text not null,
        node text not null,
        guest text not null,        -- "" for spectators
        windows integer not null,
        primary key (table_id, node, guest)
    ) without rowid;
    """,
    """
    alter table tables add column given text;       -- JSON: how many entries come from another match, and which one
    alter table tables add column uploaded text;    -- JSON: a record without its log, of a match played elsewhere
    """,
    """
    create table puzzles (          -- what guests answered
        guest text not null,
        puzzle text not null,       -- game/id, day/number, or mistake/table/entry
        game text not null,
        at integer not null,
        result integer not null,    -- 2 right, 1 nearly, 0 wrong
        rating integer not null,    -- the guest's in this game, afterwards
        due integer,                -- when a mistake of one's own comes back
        primary key (guest, puzzle)
    ) without rowid;
    """,
)
# What is carried from one database to another, in this order.
TABLES = ("tables", "seats", "entries", "removed", "talk", "service", "revoked", "outages", "puzzles")


class NewerSchema(DatabaseTrouble):
    """The database was written by a later version of the program."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(
            f"it was written by a newer Ludoteca (its schema is {found}, this one knows {known}); "
            "upgrade Ludoteca or choose another database"
        )


def migrate(db: Database, steps: Sequence[Step] = STEPS) -> None:
    """Bring the database up to date, each step whole or not at all."""
    while (version := db.schema_version()) < len(steps):
        with db.transaction():
            db.lock_schema()
            if db.schema_version() == version:  # another process may have taken this step while we waited
                _take(db, steps[version])
                db.set_schema_version(version + 1)
    if version > len(steps):
        raise NewerSchema(version, len(steps))


def _take(db: Database, step: Step) -> None:
    if not isinstance(step, str):
        step(db)
        return
    for statement in _statements(step):
        db.execute(db.translated(statement))


def _statements(script: str) -> list[str]:
    """Return the statements one by one: running a whole script would commit what is open."""
    statements, begun = [], ""
    for line in script.splitlines():
        begun += line + "\n"
        if sqlite3.complete_statement(begun):
            statements.append(begun)
            begun = ""
    return statements
