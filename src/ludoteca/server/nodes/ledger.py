"""What nodes store in PostgreSQL about themselves: that they are alive, which tables they mind, who is there.

Times are those of the database, in milliseconds since 1970: the clocks of nodes need not agree about a lease.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ludoteca.server.database.contract import Database

LEASE = 3000  # milliseconds that a node lives without a sign of life
MOST_AT_ONCE = 100  # tables that a node takes over in one transaction, so that the others get their share
NOW = "(extract(epoch from clock_timestamp()) * 1000)::bigint"


class Beat(NamedTuple):
    """What a node learns when it gives a sign of life."""

    alive: bool  # False: the others took this node for dead
    lapsed: bool  # its lease had run out, and nobody had noticed
    nodes: frozenset[str]
    outages: tuple[tuple[int, int], ...]  # times that nobody is charged for
    revoked: tuple[tuple[str, int], ...]


def arrive(db: Database, node: str) -> None:
    db.execute(f"insert into nodes (id, since, until) values (?, {NOW}, {NOW} + {LEASE})", (node,))


def leave(db: Database, node: str) -> None:
    """A node ends. Its tables are free from now on."""
    db.execute("delete from nodes where id = ?", (node,))
    db.execute("delete from here where node = ?", (node,))


def beat(db: Database, node: str, outages_after: int, revoked_after: int, reaps: bool) -> Beat:
    """Give a sign of life. `reaps` declares dead the nodes that gave none."""
    before = db.execute(f"select until, {NOW} from nodes where id = ? for update", (node,)).fetchone()
    lapsed = before is not None and before[0] < before[1]
    if before is not None:
        db.execute(f"update nodes set until = {NOW} + {LEASE} where id = ?", (node,))
        if lapsed:
            _note_outage(db, before[0] - LEASE, before[1])
    if reaps and not lapsed:
        _reap(db)
    outages = db.execute("select since, until from outages where until > ?", (outages_after,)).fetchall()
    revoked = db.execute("select guest, before from revoked where before > ?", (revoked_after,)).fetchall()
    nodes = frozenset(id_ for (id_,) in db.execute("select id from nodes").fetchall())
    return Beat(before is not None, lapsed, nodes, tuple(map(tuple, outages)), tuple(map(tuple, revoked)))


def _reap(db: Database) -> None:
    """Declare dead the nodes whose lease has run out. The time that their guests lost is charged to nobody.

    A node that was frozen while it gave a sign of life has locked its row. Nobody waits for that: the next beat tries
    again, and the database soon ends such a transaction.
    """
    dead = db.execute(
        f"delete from nodes where id in (select id from nodes where until < {NOW} for update skip locked)"
        " returning id, until"
    ).fetchall()
    for id_, until in dead:
        (now,) = db.execute(f"select {NOW}").fetchone()
        _note_outage(db, until - LEASE, now)
        db.execute("delete from here where node = ?", (id_,))


def _note_outage(db: Database, since: int, until: int) -> None:
    db.execute("insert into outages (since, until) values (?, ?) on conflict do nothing", (since, until))


def take_over(db: Database, node: str) -> list[str]:
    """Take tables whose node is dead. Return them; when there are MOST_AT_ONCE, there may be more."""
    taken = db.execute(
        "update tables set node = ?, version = version + 1 where id in ("
        " select id from tables where ended = 0 and node is not null and not exists"
        " (select 1 from nodes where nodes.id = tables.node)"
        f" order by touched desc limit {MOST_AT_ONCE} for update skip locked) returning id",
        (node,),
    )
    return [id_ for (id_,) in taken.fetchall()]


def claim(db: Database, node: str, table: str) -> None:
    """Take a table that nobody minds."""
    db.execute(
        "update tables set node = ?, version = version + 1 where id = ? and ended = 0 and (node is null or not exists"
        " (select 1 from nodes where nodes.id = tables.node))",
        (node, table),
    )


def release(db: Database, node: str, table: str, version: int) -> None:
    """Let go of a table where nothing is to be done, unless something has happened there meanwhile."""
    db.execute(
        "update tables set node = null, version = version + 1 where id = ? and node = ? and version = ?",
        (table, node, version),
    )


def write_presence(db: Database, node: str, here: dict[str, dict[str, int]]) -> None:
    """Store who is at these tables here: the windows of each guest, and of spectators under ""."""
    for table, guests in here.items():
        db.execute("delete from here where table_id = ? and node = ?", (table, node))
        for guest, windows in guests.items():
            db.execute(
                "insert into here (table_id, node, guest, windows) values (?, ?, ?, ?)", (table, node, guest, windows)
            )


def presence_elsewhere(db: Database, node: str, tables: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return who is at these tables on the other nodes that live."""
    found: dict[str, dict[str, int]] = {table: {} for table in tables}
    rows = db.execute(
        "select table_id, guest, sum(windows)::bigint from here where node <> ? and node in (select id from nodes)"
        " and table_id = any(?) group by table_id, guest",
        (node, list(tables)),
    )
    for table, guest, windows in rows:
        found[table][guest] = windows
    return found


def versions(db: Database, tables: Sequence[str]) -> dict[str, int]:
    """Return the version of each of these tables that is still there."""
    return dict(db.execute("select id, version from tables where id = any(?)", (list(tables),)).fetchall())


def waiting_tables(db: Database) -> dict[str, bool]:
    """Return the open tables that wait for somebody, and whether one of those who sit there is there."""
    rows = db.execute(
        "select id, exists (select 1 from seats join here on here.table_id = seats.table_id"
        " and here.guest = seats.guest where seats.table_id = tables.id and here.node in (select id from nodes))"
        " from tables where open = 1 and begun is null and ended = 0 and admitted is null"
    )
    return {id_: bool(waits) for id_, waits in rows}
