"""When servers were running."""

from ludoteca.server.database.contract import Database


def note_uptime(db: Database, since: int, until: int) -> None:
    """Note that the server that started then is still running."""
    db.execute(
        "insert into service (since, until) values (?, ?) on conflict (since) do update"
        " set until = case when excluded.until > service.until then excluded.until else service.until end",
        (since, until),
    )


def uptime(db: Database) -> list[tuple[int, int]]:
    """Return when servers were running. Forget what is older than any running match."""
    db.execute(
        "delete from service where until < (select coalesce(min(begun), 9e18) from tables where ended = 0)"
        " and since < (select max(since) from service)"
    )
    return [(since, until) for since, until in db.execute("select since, until from service order by since")]
