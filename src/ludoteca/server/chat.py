"""Chat at a table: quick phrases, which arrive in the reader's language, and free text where the table allows it."""

from collections import deque
from collections.abc import Sequence
from typing import Literal

from ludoteca.server.refusals import NoTalk, TooMuchTalk
from ludoteca.server.rows import SaidRow, TableRow
from ludoteca.server.text import clean_line

Phrase = Literal[
    "hello", "good_luck", "have_fun", "nice_move", "well_played", "oops", "thanks", "sorry", "one_moment", "rematch",
    "good_bye",
]  # fmt: skip
LONGEST_TEXT = 200
REMEMBERED = 100  # messages of a table
MOST, SECONDS = 5, 10  # messages of one guest


def clean_text(text: str) -> str:
    """Return one line of visible characters; raise NoTalk if nothing or too much is left."""
    cleaned = clean_line(text)
    if not 1 <= len(cleaned) <= LONGEST_TEXT:
        raise NoTalk(f"a text has 1 to {LONGEST_TEXT} visible characters")
    return cleaned


class Chat:
    def __init__(self, said: Sequence[SaidRow]) -> None:
        self.said: deque[SaidRow] = deque(said, REMEMBERED)
        self._lately: dict[str, deque[int]] = {}  # when each guest spoke

    def check(
        self, row: TableRow, guest: str | None, seat: int, phrase: Phrase | None, text: str | None, now: int
    ) -> SaidRow:
        """Return what is to be stored, or raise NoTalk or TooMuchTalk."""
        row.check_held(guest, seat)
        if (phrase is None) == (text is None):
            raise NoTalk("either a phrase or a text")
        if text is not None and not row.chat:
            raise NoTalk("at this table there are only phrases")
        cleaned = None if text is None else clean_text(text)
        self._count(guest or "", now)
        return SaidRow(now, seat, row.seat(seat).name, phrase, cleaned)

    def hear(self, row: TableRow, said: SaidRow) -> None:
        """Note what somebody said on another node."""
        self.said.append(said)
        if guest := row.seat(said.seat).guest:
            self._lately.setdefault(guest, deque(maxlen=MOST)).append(said.at)

    @property
    def last(self) -> int:
        """The number of what was said last."""
        return self.said[-1].number if self.said else 0

    def _count(self, guest: str, now: int) -> None:
        lately = self._lately.setdefault(guest, deque(maxlen=MOST))
        if len(lately) == MOST and now - lately[0] < SECONDS * 1000:
            raise TooMuchTalk(MOST, SECONDS)
        lately.append(now)
