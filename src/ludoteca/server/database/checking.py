"""Checks every record in a database: no number is missing, moves, draws and the stored result hold."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from ludoteca.core import registry
from ludoteca.core.errors import BadRecord, LudotecaError
from ludoteca.core.match import Match
from ludoteca.core.record import Result
from ludoteca.server import ledger
from ludoteca.server.database.contract import Database
from ludoteca.server.ledger.log import last_number
from ludoteca.server.rows import TableRow
from ludoteca.server.running_match import new_match


class Checked(NamedTuple):
    tables: int
    matches: int  # that were replayed
    entries: int
    other_rules: int  # matches by rules that this version does not know, which cannot be replayed
    wrong: tuple[str, ...]  # a sentence for each table with something wrong

    def sentence(self) -> str:
        """Return what was found, for people."""
        skipped = f", {self.other_rules} played by other rules and not replayed" if self.other_rules else ""
        outcome = f"{len(self.wrong)} WRONG" if self.wrong else "every record holds"
        return f"{self.tables} tables, {self.matches} matches, {self.entries} entries{skipped}: {outcome}"


def check_records(db: Database) -> Checked:
    """Replay every match in the database."""
    tables = matches = entries = other_rules = 0
    wrong = []
    for id_ in _ids(db):
        tables += 1
        found = ledger.find_table(db, id_)
        if found is None:
            continue
        row, log = found
        entries += len(log)
        try:
            if last_number(db, id_) != len(log):
                raise BadRecord(len(log), "a number is missing")
            if row.began_at is None:
                continue
            if registry.game(row.game).rules_version != row.rules:
                other_rules += 1
                continue
            _check_match(row, tuple(log), _stored_result(db, id_))
            matches += 1
        except LudotecaError as error:
            wrong.append(f"table {id_}: {error}")
    return Checked(tables, matches, entries, other_rules, tuple(wrong))


def _check_match(row: TableRow, log: tuple[object, ...], result: Result | None) -> None:
    match = new_match(row)
    Match.load(msgspec.structs.replace(match.record, log=log, result=result), match.seal)


def _stored_result(db: Database, table: str) -> Result | None:
    (found,) = db.execute("select result from tables where id = ?", (table,)).fetchone()
    return msgspec.json.decode(found, type=Result) if found else None


def _ids(db: Database) -> Iterator[str]:
    for (id_,) in db.execute("select id from tables order by id").fetchall():
        yield id_
