"""What a client may send on the socket: docs/protocol.md."""

from typing import Annotated, get_args

import msgspec
from msgspec import Meta

from ludoteca.server.chat import Phrase
from ludoteca.server.refusals import Malformed, TooLarge, UnknownMessage

LARGEST = 64 * 1024  # bytes
Id = int | str | None
TableId = Annotated[str, Meta(max_length=32)]
SeatNumber = Annotated[int, Meta(ge=1, le=64)]
SeatBytes = Annotated[str, Meta(pattern="^[0-9a-fA-F]*$", min_length=32, max_length=32)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]


class ClientMessage(msgspec.Struct, tag_field="do", tag=str.lower):
    id: Annotated[int, Meta(ge=-(2**53), le=2**53)] | Annotated[str, Meta(max_length=64)]


class Follow(ClientMessage, tag="lobby"):
    on: bool = True


class Ping(ClientMessage):
    table: TableId | None = None


class TableMessage(ClientMessage):
    """At a table."""

    table: TableId


class Watch(TableMessage):
    have: Count = 0


class Leave(TableMessage):
    pass


class Sit(TableMessage):
    seat: SeatNumber
    commit: Annotated[str, Meta(pattern="^[0-9a-f]*$", min_length=64, max_length=64)] | None = None
    bytes: SeatBytes | None = None
    name: Annotated[str, Meta(max_length=256)] | None = None

    def __post_init__(self) -> None:
        if (self.commit is None) == (self.bytes is None):
            raise ValueError("either `commit` or `bytes` is expected")


class Reveal(TableMessage):
    seat: SeatNumber
    bytes: SeatBytes


class Remove(TableMessage):
    seat: SeatNumber


class Close(TableMessage):
    on: bool = True


class Cancel(TableMessage):
    pass


class Fill(TableMessage):
    seat: SeatNumber
    bot: Annotated[str, Meta(max_length=32)]


class Move(TableMessage):
    seat: SeatNumber
    move: Annotated[str, Meta(min_length=1, max_length=4096)]
    after: Count


class Ready(TableMessage):
    seat: SeatNumber


class Takeback(TableMessage):
    seat: SeatNumber | None = None


class Answer(TableMessage):
    seat: SeatNumber
    yes: bool


class StandIn(TableMessage, tag="standin", rename={"whom": "for"}):
    seat: SeatNumber
    whom: SeatNumber


class Say(TableMessage):
    seat: SeatNumber
    phrase: Phrase | None = None
    text: Annotated[str, Meta(max_length=2000)] | None = None


class Hint(TableMessage):
    seat: SeatNumber


class Look(TableMessage):
    entry: Count


class Rematch(TableMessage):
    game: Annotated[str, Meta(max_length=32)] | None = None


class _Labelled(msgspec.Struct):
    do: object = None
    id: object = None


AtTable = (
    Watch
    | Leave
    | Sit
    | Reveal
    | Remove
    | Close
    | Cancel
    | Fill
    | Move
    | Ready
    | Takeback
    | Answer
    | StandIn
    | Say
    | Hint
    | Look
    | Rematch
)
Message = Follow | Ping | AtTable
_message: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
_labelled = msgspec.json.Decoder(_Labelled)
VERBS = frozenset(str(kind.__struct_config__.tag) for kind in get_args(Message))


def parse(text: str) -> Message:
    """Return the message; raise a Refusal that says what is wrong with it."""
    if len(text) > LARGEST or len(text.encode()) > LARGEST:
        raise TooLarge(LARGEST)
    try:
        return _message.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        do = _label(text).do
        if isinstance(do, str) and do not in VERBS:
            raise UnknownMessage(f"unknown message {do[:40]!r}; there are {', '.join(sorted(VERBS))}") from None
        raise Malformed(f"malformed message: {error}") from None


def id_of(text: str) -> Id:
    """Return the id of a message that could not be read, so that its sender knows which one it was."""
    found = _label(text).id if len(text) <= LARGEST else None
    if isinstance(found, int) and not isinstance(found, bool) and abs(found) <= 2**53:
        return found
    return found if isinstance(found, str) and len(found) <= 64 else None


def _label(text: str) -> _Labelled:
    try:
        return _labelled.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return _Labelled()
