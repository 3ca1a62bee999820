"""The changes and questions that the server has for the database, each a function of it."""

from ludoteca.server.ledger.guests import revoke, revoked
from ludoteca.server.ledger.log import append, begin, entries_after, last_number
from ludoteca.server.ledger.seats import admit, free_seat, reveal, seat_bot, take_seat
from ludoteca.server.ledger.service import note_uptime, uptime
from ludoteca.server.ledger.tables import (
    DAY,
    add_table,
    add_uploaded,
    agree_rematch,
    cancel,
    delete,
    expire,
    find_changes,
    find_row,
    find_table,
    set_question,
    tables_of,
    unfinished,
    version,
)
from ludoteca.server.ledger.talk import add_said, last_said, said_after

__all__ = [
    "DAY",
    "add_said",
    "add_table",
    "add_uploaded",
    "admit",
    "agree_rematch",
    "append",
    "begin",
    "cancel",
    "delete",
    "entries_after",
    "expire",
    "find_changes",
    "find_row",
    "find_table",
    "free_seat",
    "last_number",
    "last_said",
    "note_uptime",
    "reveal",
    "revoke",
    "revoked",
    "said_after",
    "seat_bot",
    "set_question",
    "tables_of",
    "take_seat",
    "unfinished",
    "uptime",
    "version",
]
