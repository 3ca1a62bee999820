"""Records that somebody uploads: checked like any other input, then shown like a match that was played here."""

from collections.abc import Sequence

import msgspec

from ludoteca.core import registry
from ludoteca.core.errors import BadRecord, BadSeal
from ludoteca.core.match import Match
from ludoteca.core.record import Entry, Record, from_json, to_json
from ludoteca.core.signing import BadSignature, signer_of
from ludoteca.core.words import Message, message
from ludoteca.search import bots
from ludoteca.server import guests, new_table
from ludoteca.server.refusals import BadUpload
from ludoteca.server.rows import NOBODY, SeatRow, Standing, TableRow
from ludoteca.server.takebacks import MOST_ENTRIES, MOST_TAKEBACKS

LARGEST = 2 * 1024 * 1024  # bytes: several times the longest match of KingBrick


def read(text: bytes) -> Record:
    """Return the record in an uploaded file. BadUpload says what is wrong, before anything is replayed."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise BadUpload(message("core.upload.empty"))
    try:
        record = from_json(text)
    except BadRecord as error:
        if len(lines) > 1 and _is_record(lines[0]):
            raise BadUpload(message("core.upload.several", n=len(lines))) from None
        raise BadUpload(message("core.upload.no_record"), str(error)) from None
    if record.result is None:
        raise BadUpload(message("core.upload.not_over"))
    if len(record.log) > MOST_ENTRIES:
        raise BadUpload(message("core.upload.long", n=len(record.log), most=MOST_ENTRIES))
    if sum(entry.by == 0 and entry.move.startswith("takeback ") for entry in record.log) > MOST_TAKEBACKS:
        raise BadUpload(message("core.upload.takebacks", most=MOST_TAKEBACKS))
    known = registry.game(record.game).rules_version  # raises UnknownGame
    if record.rules != known:
        raise BadUpload(message("core.upload.rules", rules=record.rules, known=known))
    return record


def _is_record(line: bytes) -> bool:
    try:
        from_json(line)
    except BadRecord:
        return False
    return True


def uploaded_table(text: bytes, record: Record, guest: str, now: int) -> tuple[TableRow, Sequence[Entry], Standing]:
    """Replay a record and check its signature; return the table that shows it. May take a second."""
    try:
        signer_of(text)
        match = Match.load(record)
    except BadRecord as error:
        raise BadUpload(_why(error), str(error)) from None
    for number, seat in enumerate(record.seats, start=1):
        if guests.clean_name(seat.name) != seat.name:
            raise BadUpload(
                message("core.upload.name", seat=number), f"{seat.name[:40]!r} is no name that can be shown"
            )
        if seat.bot is not None:
            bots.check_name(match.game, seat.bot)
    row = new_table.empty_row(record.game, match.agreed, guest, now)
    row.seats = [SeatRow(n, seat.bot, name=seat.name, guest=None if seat.bot else NOBODY)
                 for n, seat in enumerate(record.seats, start=1)]  # fmt: skip
    row.given, row.chat = match.given, False
    row.uploaded = msgspec.structs.replace(_as_written_here(match, record), log=())
    return row, record.log, Standing(match.to_move, len(match.log), match.result)


def _why(error: BadRecord) -> Message:
    """Return what is wrong with a record that can be read, in words for people. The error itself says more."""
    if isinstance(error, BadSignature):
        return message("core.upload.signed")
    if isinstance(error, BadSeal):
        return message("core.upload.seal")
    return message("core.upload.entry", entry=error.entry) if error.entry else message("core.upload.whole")


def _as_written_here(match: Match, record: Record) -> Record:
    """Return the record as it is given out again, without a signature that would not fit any more."""
    written = msgspec.structs.replace(match.record, signature=record.signature)
    try:
        signer_of(to_json(written))
    except BadRecord:
        return match.record
    return written
