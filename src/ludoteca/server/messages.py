"""What a client may say on the socket, docs/protocol.md."""

from typing import Annotated

import msgspec
from msgspec import Meta

from ludoteca.server.refusals import Malformed, TooLarge, UnknownMessage

LARGEST = 64 * 1024  # bytes
Id = int | str | None
TableId = Annotated[str, Meta(max_length=32)]
SeatNumber = Annotated[int, Meta(ge=1, le=64)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]


class Said(msgspec.Struct, tag_field="do", tag=str.lower):
    id: Annotated[int, Meta(ge=-(2**53), le=2**53)] | Annotated[str, Meta(max_length=64)]
    table: TableId


class Watch(Said):
    have: Count = 0


class Leave(Said):
    pass


class Sit(Said):
    seat: SeatNumber
    bytes: Annotated[str, Meta(pattern="^[0-9a-fA-F]*$", min_length=32, max_length=32)]
    name: Annotated[str, Meta(max_length=256)] | None = None


class Move(Said):
    seat: SeatNumber
    move: Annotated[str, Meta(min_length=1, max_length=4096)]
    after: Count


class Ready(Said):
    seat: SeatNumber


class Takeback(Said):
    seat: SeatNumber | None = None


class Hint(Said):
    seat: SeatNumber


class Look(Said):
    entry: Count


class Rematch(Said):
    pass


class _Labelled(msgspec.Struct):
    do: object = None
    id: object = None


Message = Watch | Leave | Sit | Move | Ready | Takeback | Hint | Look | Rematch
_message: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
_labelled = msgspec.json.Decoder(_Labelled)
VERBS = frozenset(kind.__name__.lower() for kind in (Watch, Leave, Sit, Move, Ready, Takeback, Hint, Look, Rematch))


def read(text: str) -> Message:
    """The message, or a Refusal that says what is wrong with it."""
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
    """The id of a message that could not be read, so that its sender knows which one it was."""
    found = _label(text).id if len(text) <= LARGEST else None
    if isinstance(found, int) and not isinstance(found, bool) and abs(found) <= 2**53:
        return found
    return found if isinstance(found, str) and len(found) <= 64 else None


def _label(text: str) -> _Labelled:
    try:
        return _labelled.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return _Labelled()
