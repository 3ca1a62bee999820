"""One client's connection. It handles the messages of the client one after another; what is sent waits in a queue."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

from litestar import WebSocket

from ludoteca.core.errors import LudotecaError
from ludoteca.server import messages, serialize
from ludoteca.server.guests import Guest, clean_name
from ludoteca.server.limits import Allowance, TokenBucket
from ludoteca.server.messages import (
    Answer,
    AtTable,
    Cancel,
    Close,
    Fill,
    Follow,
    Hint,
    Leave,
    Look,
    Message,
    Move,
    Ping,
    Ready,
    Rematch,
    Remove,
    Reveal,
    Say,
    Sit,
    StandIn,
    Takeback,
    Watch,
)
from ludoteca.server.refusals import Malformed, NoGuest, TooMany, TooManyWatched
from ludoteca.server.table import Table
from ludoteca.server.tables import Tables

MOST_WAITING = 1024  # messages for a client that does not read them, before it is cut off ...
MOST_BYTES_WAITING = 8 * 1024 * 1024  # ... and their bytes; a single message may have more
MOST_BYTES_AT_ONCE = 64 * 1024  # messages that are sent together; a single message may have more
MOST_WATCHED = 64
MESSAGES = Allowance("messages", 50, 200)  # of one client
ROUND_TRIP = "ludoteca.round_trip"  # in the state of a connection: what measures it, in seconds
SEND_TEXTS = "ludoteca.send_texts"  # in the state of a connection: what sends several messages at once
TRY_AGAIN_LATER = 1013  # a close code of the WebSocket protocol
SendTexts = Callable[[Sequence[bytes]], Awaitable[None]]
log = logging.getLogger("ludoteca.server.socket")


class Client:
    """A `Watcher` to the tables that the client watches, and a `Follower` to the lobby."""

    def __init__(
        self,
        socket: WebSocket[Any, Any, Any],
        tables: Tables,
        guest: Guest | None,
        address: str,
        count_table: Callable[[], None] = lambda: None,
    ) -> None:
        """`count_table` raises a refusal if too many tables were made from the address of this client."""
        self._socket, self._tables, self._guest, self._address = socket, tables, guest, address
        self._count_table = count_table
        self._round_trip: Callable[[], float] | None = socket.scope["state"].get(ROUND_TRIP)
        self._send_texts: SendTexts = socket.scope["state"].get(SEND_TEXTS, self._send_one_by_one)
        self.guest_id = guest.id if guest else None
        self._waiting: list[bytes] = []  # messages for the client
        self._bytes_waiting = 0
        # A future takes little memory, and there is a client for every window that is open anywhere.
        self._is_something_waiting: asyncio.Future[None] | None = None  # while `_send_all` waits for a message
        self._is_room: asyncio.Future[None] | None = None  # while `_read_all` waits until answers have room
        self._cut_off = asyncio.get_running_loop().create_future()  # done when the connection has to end
        self._watched: dict[str, Table] = {}
        self._allowance = TokenBucket(MESSAGES, _milliseconds())
        tables.clients.add(self)

    @property
    def lag(self) -> int:
        return round(self._round_trip() * 1000) if self._round_trip else 0

    def link(self, table: str) -> str:
        return f"{self._address}/t/{table}"

    @property
    def is_cut_off(self) -> bool:
        """Whether the connection has to end: the client must connect again and ask again."""
        return self._cut_off.done()

    def end(self) -> None:
        """End the connection, because the client does not read or the cookie of its guest was revoked."""
        _wake(self._cut_off)

    def send(self, message: bytes) -> None:
        """Put a message in the queue. A client that lets its queue fill up is cut off."""
        if self._cut_off.done():
            return
        size = len(message)
        if len(self._waiting) >= MOST_WAITING or (
            self._bytes_waiting and self._bytes_waiting + size > MOST_BYTES_WAITING
        ):
            self.end()
            return
        self._waiting.append(message)
        self._bytes_waiting += size
        _wake(self._is_something_waiting)

    @property
    def has_room(self) -> bool:
        """Whether there is room for the answers to more messages of the client."""
        return len(self._waiting) <= MOST_WAITING // 2 and self._bytes_waiting <= MOST_BYTES_WAITING // 2

    async def serve(self) -> None:
        await self._socket.accept()
        ends = [asyncio.create_task(work) for work in (self._send_all(), self._read_all())]
        try:
            await asyncio.wait([*ends, self._cut_off], return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._tables.lobby.leave(self)
            for table in list(self._watched.values()):
                self._stop_watching(table)
            for end in ends:
                end.cancel()
            await asyncio.gather(*ends, return_exceptions=True)
        if self.is_cut_off:
            with suppress(Exception):  # the client may be too slow even for that
                await asyncio.wait_for(self._socket.close(TRY_AGAIN_LATER), timeout=1)

    async def _send_all(self) -> None:
        while True:
            while not self._waiting:
                self._is_something_waiting = asyncio.get_running_loop().create_future()
                await self._is_something_waiting
            messages = self._next_messages()
            if self.has_room:
                _wake(self._is_room)
            await self._send_texts(messages)

    def _next_messages(self) -> list[bytes]:
        """Take the messages that are sent together out of the queue: all that wait, unless they have many bytes."""
        number = size = 0
        for message in self._waiting:
            if number and size + len(message) > MOST_BYTES_AT_ONCE:
                break
            number, size = number + 1, size + len(message)
        messages = self._waiting[:number]
        del self._waiting[:number]
        self._bytes_waiting -= size
        return messages

    async def _send_one_by_one(self, messages: Sequence[bytes]) -> None:
        """Send messages where the server below cannot send several at once, as in some tests."""
        for message in messages:
            await self._socket.send({"type": "websocket.send", "bytes": None, "text": message.decode()})

    async def _read_all(self) -> None:
        while True:
            while not self.has_room:  # a client that does not read its answers may not ask more
                self._is_room = asyncio.get_running_loop().create_future()
                await self._is_room
            event = await self._socket.receive()
            if event["type"] != "websocket.receive":
                return
            await self._receive(event.get("text"))

    async def _receive(self, text: str | None) -> None:
        """Parse one message and handle it, or refuse it. Nothing that a client sends ends the connection."""
        try:
            self._count()
            if text is None:
                raise Malformed("malformed message: text is expected, not binary")
            message = messages.parse(text)
        except LudotecaError as error:
            self._refuse(messages.id_of(text) if text is not None else None, error)
        except Exception:
            self._fail(None, "a message could not be read")
        else:
            if isinstance(message, Hint):
                self._tables.tasks.start(self._handle(message))  # a bot thinks: handle other messages meanwhile
            else:
                await self._handle(message)

    async def _handle(self, message: Message) -> None:
        """Do what a message asks for, and answer it, with an error if that is refused or fails."""
        try:
            await self._act(message)
        except LudotecaError as error:
            self._refuse(message.id, error)
        except Exception:
            self._fail(message.id, f"a message could not be carried out: {type(message).__name__}")

    def _refuse(self, id_: messages.Id, error: LudotecaError) -> None:
        self._tables.metrics.count("ludoteca_refusals_total", error.code)
        self.send(serialize.refusal(id_, error))

    def _fail(self, id_: messages.Id, what: str) -> None:
        """Log the error that is being handled, and tell the client that something failed."""
        self._tables.metrics.count("ludoteca_errors_total")
        log.exception(what)
        self.send(serialize.failure(id_))

    def _count(self) -> None:
        if not self._allowance.take(_milliseconds()):
            raise TooMany(round(MESSAGES.a_second))

    async def _act(self, message: Message) -> None:
        """Do what a message asks for, and answer `done`."""
        more: dict[str, Any] = {}
        match message:
            case Follow():
                if message.on:
                    self._tables.follow_lobby(self)
                else:
                    self._tables.lobby.leave(self)
            case Ping():
                if message.table is not None:
                    await (await self._tables.table(message.table)).come_back(self.guest_id)
            case _:
                more = await self._act_at_table(await self._tables.table(message.table), message)
        self.send(serialize.answer("done", message.id, **more))

    async def _act_at_table(self, table: Table, message: AtTable) -> dict[str, Any]:
        """Do what a message asks for at a table, and return what the answer says beside `done`.

        A guest who sends a message to a table has come back to it.
        """
        if not isinstance(message, Leave | Move | Watch):
            await table.come_back(self.guest_id)
        match message:
            case Watch():
                self._watch(table, message.have)
                await table.come_back(self.guest_id)
            case Leave():
                self._stop_watching(table)
            case Sit():
                await self._sit(table, message)
            case Reveal():
                await table.waiting_room.reveal(self.guest_id, message.seat, bytes.fromhex(message.bytes))
            case Remove():
                await table.waiting_room.remove(self.guest_id, message.seat)
            case Close():
                await table.waiting_room.close_to_newcomers(self.guest_id, message.on)
            case Cancel():
                await self._tables.cancel(table, self.guest_id)
            case Fill():
                await table.waiting_room.fill(self.guest_id, message.seat, message.bot)
            case Move():
                await table.move(self.guest_id, message.seat, message.move, message.after, self.lag)
            case Ready():
                table.be_ready(self, message.seat)
            case Takeback():
                await table.take_back(self.guest_id, message.seat)
            case Answer():
                await table.answer(self.guest_id, message.seat, message.yes)
            case StandIn():
                await table.stand_in(self.guest_id, message.seat, message.whom)
            case Say():
                await table.say(self.guest_id, message.seat, message.phrase, message.text)
            case Hint():
                return await table.hint(self, message.seat)
            case Look():
                return {"entry": message.entry, "view": table.look(self, message.entry)}
            case Rematch():
                next_ = await self._tables.rematch(table, self.guest_id, message.game, self._count_table)
                return {"table": next_}
        return {}

    def _watch(self, table: Table, have: int) -> None:
        if table.id not in self._watched and len(self._watched) >= MOST_WATCHED:
            raise TooManyWatched(MOST_WATCHED)
        self._watched[table.id] = table
        table.join(self, have)

    def _stop_watching(self, table: Table) -> None:
        if self._watched.pop(table.id, None) is not None:
            table.leave(self)

    async def _sit(self, table: Table, message: Sit) -> None:
        if self._guest is None:
            raise NoGuest
        name = self._guest.name if message.name is None else clean_name(message.name)
        given = None if message.bytes is None else bytes.fromhex(message.bytes)
        await table.waiting_room.sit(self._guest.id, message.seat, name, given, message.commit)


def _wake(waiting: asyncio.Future[None] | None) -> None:
    """Let the task go on that waits for this future."""
    if waiting is not None and not waiting.done():
        waiting.set_result(None)


def _milliseconds() -> int:
    return time.monotonic_ns() // 1_000_000
