"""What guests answered to puzzles. Ratings and streaks follow from it."""

from typing import NamedTuple

import msgspec

from ludoteca.core.puzzles import FIRST_RATING, rated
from ludoteca.search.reviewing import VERSION, Decision
from ludoteca.server.database.contract import Database

WRONG, NEARLY, RIGHT = 0, 1, 2
DAY_PREFIX = "day/"
MATCHES = 20  # the latest reviewed matches of a guest, in which mistakes are looked for
_decisions = msgspec.json.Decoder(list[Decision])


class Answered(NamedTuple):
    puzzle: str
    game: str
    at: int
    result: int
    rating: int
    due: int | None


class Reviewed(NamedTuple):
    """A finished match of a guest, and what a review says to the guest's own decisions."""

    table: str
    game: str
    ended: int
    decisions: list[Decision]


def answers_of(db: Database, guest: str) -> list[Answered]:
    """Return what a guest answered, the oldest first."""
    rows = db.execute(
        "select puzzle, game, at, result, rating, due from puzzles where guest = ? order by at, puzzle", (guest,)
    )
    return [Answered(*row) for row in rows]


def rating_in(db: Database, guest: str, game: str) -> int:
    row = db.execute(
        "select rating from puzzles where guest = ? and game = ? order by at desc, puzzle desc limit 1", (guest, game)
    ).fetchone()
    return int(row[0]) if row else FIRST_RATING


def keep_answer(db: Database, guest: str, puzzle: str, game: str, at: int, result: int, of: int) -> int:
    """Keep the first answer to a puzzle of this rating, and return the guest's rating after it."""
    before = rating_in(db, guest, game)
    tried = db.execute("select count(*) from puzzles where guest = ? and game = ?", (guest, game)).fetchone()[0]
    after = rated(before, of, result / RIGHT, int(tried))
    added = db.execute(
        "insert into puzzles (guest, puzzle, game, at, result, rating) values (?, ?, ?, ?, ?, ?)"
        " on conflict (guest, puzzle) do nothing",
        (guest, puzzle, game, at, result, after),
    )
    return after if added.rowcount else before


def keep_day(db: Database, guest: str, day: int, game: str, at: int, result: int) -> None:
    """Keep the first answer to the puzzle of a day. It does not count for the rating a second time."""
    db.execute(
        "insert into puzzles (guest, puzzle, game, at, result, rating) values (?, ?, ?, ?, ?, ?)"
        " on conflict (guest, puzzle) do nothing",
        (guest, f"{DAY_PREFIX}{day}", game, at, result, rating_in(db, guest, game)),
    )


def keep_mistake(db: Database, guest: str, puzzle: str, game: str, at: int, result: int, due: int | None) -> None:
    """Keep how a guest did this time with a mistake of their own, and when it comes back."""
    db.execute(
        "insert into puzzles (guest, puzzle, game, at, result, rating, due) values (?, ?, ?, ?, ?, ?, ?)"
        " on conflict (guest, puzzle) do update set at = excluded.at, result = excluded.result,"
        " rating = excluded.rating, due = excluded.due",
        (guest, puzzle, game, at, result, rating_in(db, guest, game), due),
    )


def reviewed(db: Database, guest: str, before: int) -> list[Reviewed]:
    """Return a guest's latest reviewed matches that ended before a moment, the oldest first."""
    rows = db.execute(
        "select t.id, t.game, t.changed, r.decisions from tables t join reviews r on r.table_id = t.id"
        " where t.ended = 1 and t.changed < ? and r.version = ?"
        " and t.id in (select table_id from seats where guest = ?) order by t.changed desc limit ?",
        (before, VERSION, guest, MATCHES),
    ).fetchall()
    return [Reviewed(table, game, ended, _own(db, guest, table, text)) for table, game, ended, text in reversed(rows)]


def _own(db: Database, guest: str, table: str, decisions: str) -> list[Decision]:
    seats = db.execute("select seat from seats where table_id = ? and guest = ?", (table, guest)).fetchall()
    mine = {seat for (seat,) in seats}
    return [decision for decision in _decisions.decode(decisions) if decision.seat in mine]
