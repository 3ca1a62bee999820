"""The two connections between nodes: one listens for notifications, one sends them. Both come back by themselves."""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import psycopg

from ludoteca.server.database.postgres import PostgresDatabase, connected, first_line

CHANNEL = "ludoteca"
LISTENS_FOR = 1.0  # seconds, before it checks whether it should end
FIRST_WAIT, LONGEST_WAIT = 0.1, 2.0  # seconds before a lost connection is opened again
log = logging.getLogger("ludoteca.server.nodes")


class Listener:
    """A thread that hears notifications. LISTEN needs a connection of its own."""

    def __init__(self, address: str, heard: Callable[[str], None], opened: Callable[[], None]) -> None:
        """`heard` and `opened` are called in the event loop; `opened` whenever notifications may have been missed."""
        self._address, self._heard, self._opened = address, heard, opened
        self._loop = asyncio.get_running_loop()
        self._ending = threading.Event()
        self._db: PostgresDatabase | None = None
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._ending.set()
        if (db := self._db) is not None:
            with suppress(psycopg.Error, OSError):
                db.connection.cancel_safe(timeout=1)
        self._thread.join(5)

    def _run(self) -> None:
        wait = FIRST_WAIT
        while not self._ending.is_set():
            try:
                self._db = connected(self._address)
                self._db.execute(f"listen {CHANNEL}")
                self._call(self._opened)
                wait = FIRST_WAIT
                self._listen(self._db)
            except psycopg.Error as error:
                log.warning("the listening connection was lost: %s", first_line(error))
                self._ending.wait(wait)
                wait = min(2 * wait, LONGEST_WAIT)
            finally:
                if self._db is not None:
                    with suppress(psycopg.Error):
                        self._db.close()

    def _listen(self, db: PostgresDatabase) -> None:
        while not self._ending.is_set():
            for notice in db.connection.notifies(timeout=LISTENS_FOR):
                self._call(partial(self._heard, notice.payload))

    def _call(self, what: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(what)


class Sender:
    """Sends notifications after the commits that they tell of: inside a commit they would hold a lock that all need."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._db: PostgresDatabase | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sender")

    async def send(self, texts: Sequence[str]) -> None:
        """Send what can be sent: a notification is a hint, and the others catch up without it."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._send, texts)

    def close(self) -> None:
        self._thread.shutdown()
        if self._db is not None:
            with suppress(psycopg.Error):
                self._db.close()

    def _send(self, texts: Sequence[str]) -> None:
        try:
            if self._db is None or self._db.connection.closed:
                self._db = connected(self._address)
            for text in texts:
                self._db.execute("select pg_notify(?, ?)", (CHANNEL, text))
        except psycopg.Error as error:
            log.debug("a notification was not sent: %s", first_line(error))
            if self._db is not None:
                with suppress(psycopg.Error):
                    self._db.close()
            self._db = None
