"""What tables need of the other nodes. A server on SQLite is alone: it minds every table, and tells nobody."""

from typing import Protocol

from ludoteca.server.rows import TableRow


class Nodes(Protocol):
    @property
    def me(self) -> str | None:
        """The name of this node; None when it is alone."""

    def minds(self, row: TableRow) -> bool:
        """Return whether this node thinks for the table's bots and minds its clock."""

    def changed(self, table: str) -> None:
        """Tell the other nodes that a table has changed in the database."""

    def presence_changed(self, table: str) -> None:
        """Tell the other nodes soon who is at a table here."""

    def lobby_changed(self) -> None:
        """Tell the other nodes that their list of open tables may be old."""

    def ask_lobby(self) -> None:
        """Somebody here wants to see the open tables of all nodes."""

    def revoked(self, guest: str, before: int) -> None:
        """Tell the other nodes that cookies of a guest are worth nothing any more."""

    async def confirm(self) -> None:
        """Before somebody's time is declared to be over: learn of outages that nobody is charged for.

        Raise NotStored if the database is not there.
        """

    async def claim(self, table: str) -> None:
        """Mind a table, unless another node does."""

    async def release(self, table: str, version: int) -> None:
        """Let go of a table where nothing is to be done, unless something has happened there meanwhile."""

    def is_dead(self, node: str | None) -> bool:
        """Return whether nobody minds a table of this node."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...


class Alone:
    me = None

    def minds(self, row: TableRow) -> bool:
        return True

    def changed(self, table: str) -> None: ...

    def presence_changed(self, table: str) -> None: ...

    def lobby_changed(self) -> None: ...

    def ask_lobby(self) -> None: ...

    def revoked(self, guest: str, before: int) -> None: ...

    async def confirm(self) -> None: ...

    async def claim(self, table: str) -> None: ...

    async def release(self, table: str, version: int) -> None: ...

    def is_dead(self, node: str | None) -> bool:
        return False

    async def open(self) -> None: ...

    async def close(self) -> None: ...
