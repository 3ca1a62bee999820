"""Cookies of guests that are worth nothing any more."""

from ludoteca.server.database.contract import Database


def revoke(db: Database, guest: str, before: int) -> None:
    """Make the cookies of a guest that were signed before a moment worthless."""
    db.execute(
        "insert into revoked (guest, before) values (?, ?) on conflict (guest) do update set before = excluded.before",
        (guest, before),
    )


def revoked(db: Database) -> dict[str, int]:
    """Return for each guest the moment before which cookies are worthless."""
    return {guest: int(before) for guest, before in db.execute("select guest, before from revoked")}
