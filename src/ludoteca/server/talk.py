"""Talk at a table: quick phrases, which arrive in the reader's language, and free text where the table allows it."""

import unicodedata
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from ludoteca.server import ledger
from ludoteca.server.ledger import SaidRow
from ludoteca.server.refusals import NoTalk, TooMuchTalk

if TYPE_CHECKING:
    from ludoteca.server.tables import Table

Phrase = Literal[
    "hello", "good_luck", "have_fun", "nice_move", "well_played", "oops", "thanks", "sorry", "one_moment", "rematch",
    "good_bye",
]  # fmt: skip
LONGEST_TEXT = 200
REMEMBERED = 100
MOST, SECONDS = 5, 10  # so many in so many seconds


def clean_text(text: str) -> str:
    """One line of visible characters: nothing that could turn or hide what stands beside it."""
    visible = "".join(char for char in unicodedata.normalize("NFC", text) if char.isprintable() or char.isspace())
    cleaned = " ".join(visible.split())
    if not 1 <= len(cleaned) <= LONGEST_TEXT:
        raise NoTalk(f"a text has 1 to {LONGEST_TEXT} visible characters")
    return cleaned


class Talk:
    def __init__(self, table: "Table", said: Sequence[SaidRow]) -> None:
        self._table = table
        self._said: deque[SaidRow] = deque(said, REMEMBERED)
        self._lately: dict[str, deque[int]] = {}  # when each guest spoke

    async def say(self, guest: str | None, seat: int, phrase: Phrase | None, text: str | None) -> None:
        table = self._table
        table.check_held(guest, seat)
        if (phrase is None) == (text is None):
            raise NoTalk("either a phrase or a text")
        if text is not None and not table.row.chat:
            raise NoTalk("at this table there are only phrases")
        cleaned, now = None if text is None else clean_text(text), table.house.time.now()
        self._count(guest or "", now)
        name = table.seat(seat).name
        said = await table.house.storage.write(
            lambda db: ledger.add_said(db, table.id, SaidRow(now, seat, name, phrase, cleaned))
        )
        self._said.append(said)
        self._tell(said)

    def _count(self, guest: str, now: int) -> None:
        lately = self._lately.setdefault(guest, deque(maxlen=MOST))
        if len(lately) == MOST and now - lately[0] < SECONDS * 1000:
            raise TooMuchTalk(MOST, SECONDS)
        lately.append(now)

    def _tell(self, said: SaidRow) -> None:
        told = msgspec.json.encode({"type": "said", "table": self._table.id, **_told(said)})

        def tell(strangers: bool) -> None:
            for watcher in self._table.presence.watchers:
                if bool(self._table.held_by(watcher.guest_id)) is not strangers:
                    watcher.send(told)

        tell(strangers=False)
        if self._table.row.delay:
            self._table.house.time.later(self._table.row.delay * 1000, lambda: tell(strangers=True))
        else:
            tell(strangers=True)

    def told(self, stranger: bool) -> list[dict[str, int | str]]:
        """What was said so far; strangers hear as late as they see."""
        heard = self._table.house.time.now() - (self._table.row.delay * 1000 if stranger else 0)
        return [_told(said) for said in self._said if said.at <= heard]


def _told(said: SaidRow) -> dict[str, int | str]:
    what = {"phrase": said.phrase} if said.phrase is not None else {"text": said.text or ""}
    return {"n": said.number, "seat": said.seat, "name": said.name, "at": said.at, **what}
