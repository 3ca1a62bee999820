"""What the server refuses, each with a code for programs. What the rules refuse is in core/errors.py."""

from typing import ClassVar

from ludoteca.core.errors import LudotecaError
from ludoteca.core.words import Message, say


class Refusal(LudotecaError):
    status: ClassVar[int] = 409  # over HTTP


class UnknownTable(Refusal):
    code = "table/unknown"
    status = 404

    def __init__(self, table: str) -> None:
        super().__init__(f"unknown table {table!r}")


class NoPuzzle(Refusal):
    code = "puzzle/none"
    status = 404


class OtherRules(Refusal):
    code = "table/other-rules"

    def __init__(self, table: str, rules: int, known: int) -> None:
        super().__init__(f"table {table!r} is played by rules {rules}; this server knows {known}")


class UnknownSeat(Refusal):
    code = "seat/unknown"

    def __init__(self, seat: int, last: int) -> None:
        super().__init__(f"unknown seat {seat}; seats are 1 to {last}")


class SeatTaken(Refusal):
    code = "seat/taken"

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} is taken")


class SeatReserved(Refusal):
    code = "seat/reserved"

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} is kept for somebody else")


class NotYourSeat(Refusal):
    code = "seat/not-yours"

    def __init__(self, seat: int | None = None) -> None:
        super().__init__(f"seat {seat} is not held by this guest" if seat else "this guest holds no seat here")


class TableFull(Refusal):
    code = "table/full"

    def __init__(self, table: str) -> None:
        super().__init__(f"every seat at table {table!r} is taken")


class TableClosed(Refusal):
    code = "table/closed"

    def __init__(self, table: str) -> None:
        super().__init__(f"table {table!r} is closed to newcomers")


class NotYourTable(Refusal):
    code = "table/not-yours"

    def __init__(self, table: str) -> None:
        super().__init__(f"table {table!r} was made by somebody else")


class Removed(Refusal):
    code = "seat/removed"

    def __init__(self, table: str) -> None:
        super().__init__(f"this guest was removed from table {table!r}")


class BadSeats(Refusal):
    code = "seats/bad"
    status = 400


class BadClock(Refusal):
    code = "clock/bad"
    status = 400


class NoGuest(Refusal):
    code = "guest/unknown"

    def __init__(self) -> None:
        super().__init__("this connection came without a guest's cookie; GET /api/me gives one")


class BadName(Refusal):
    code = "name/bad"
    status = 400

    def __init__(self, name: str, longest: int) -> None:
        super().__init__(f"bad name {name[: 2 * longest]!r}: 1 to {longest} visible characters")


class NotBegun(Refusal):
    code = "match/not-begun"

    def __init__(self, table: str) -> None:
        super().__init__(f"the match at table {table!r} has not begun")


class AlreadyBegun(Refusal):
    code = "match/begun"

    def __init__(self, table: str) -> None:
        super().__init__(f"the match at table {table!r} has begun")


class StillRunning(Refusal):
    code = "match/running"

    def __init__(self, table: str) -> None:
        super().__init__(f"the match at table {table!r} is not over")


class BadUpload(Refusal):
    """An uploaded record is not accepted. The reason is for people, the text may name more."""

    code = "upload/refused"
    status = 400

    def __init__(self, reason: Message, text: str | None = None) -> None:
        self.reason = reason
        super().__init__(text or say(reason))


class MatchKept(Refusal):
    code = "match/kept"

    def __init__(self, table: str) -> None:
        super().__init__(f"the match at table {table!r} is over: its record is kept")


class OthersPlay(Refusal):
    code = "match/others-play"

    def __init__(self, table: str) -> None:
        super().__init__(f"other people play at table {table!r}: resign instead of deleting it")


class UnknownEntry(Refusal):
    code = "entry/unknown"

    def __init__(self, entry: int, last: int) -> None:
        super().__init__(f"unknown entry {entry}; the log has {last}")


class NoTakeback(Refusal):
    code = "takeback/refused"


class NoReveal(Refusal):
    code = "reveal/refused"


class LogFull(Refusal):
    code = "match/full"

    def __init__(self, most: int) -> None:
        super().__init__(f"the log has {most} entries, and takes no more moves")


class NothingAsked(Refusal):
    code = "answer/none"

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} is asked nothing")


class TooManyRequests(Refusal):
    code = "request/too-many"

    def __init__(self, at_once: int, seconds: int) -> None:
        super().__init__(f"more than {at_once} questions at once, or than one every {seconds} seconds")


class NoStandIn(Refusal):
    code = "standin/refused"


class NoTalk(Refusal):
    code = "talk/refused"


class TooMuchTalk(Refusal):
    code = "talk/too-many"

    def __init__(self, most: int, seconds: int) -> None:
        super().__init__(f"more than {most} in {seconds} seconds")


class LeaseLost(Refusal):
    """Another node minds this table now: what this one wanted to do for a bot or a clock is not done."""

    code = "node/lease-lost"

    def __init__(self, table: str) -> None:
        super().__init__(f"another node minds table {table!r}")


class NoHint(Refusal):
    code = "hint/refused"


class NotStored(Refusal):
    """A change could not be stored. Only what is on the disk is acknowledged."""

    code = "server/storage"
    status = 503

    def __init__(self, reason: str) -> None:
        super().__init__(f"this could not be stored: {reason}")


class Malformed(Refusal):
    code = "message/malformed"
    status = 400


class UnknownMessage(Refusal):
    code = "message/unknown"


class TooLarge(Refusal):
    code = "message/too-large"
    status = 413

    def __init__(self, most: int) -> None:
        super().__init__(f"the message is larger than {most} bytes")


class TooMany(Refusal):
    code = "message/too-many"

    def __init__(self, per_second: int) -> None:
        super().__init__(f"more than {per_second} messages a second; this one was not read")


class TooManyWatched(Refusal):
    code = "watch/too-many"

    def __init__(self, most: int) -> None:
        super().__init__(f"a connection watches at most {most} tables")


class TooManyFromThere(Refusal):
    code = "address/too-many"
    status = 429

    def __init__(self, what: str) -> None:
        super().__init__(f"too many {what} from this address; try again later")


class OtherOrigin(Refusal):
    code = "origin/refused"
    status = 403

    def __init__(self, origin: str) -> None:
        super().__init__(f"a page of {origin[:80]!r} may not ask for this")
