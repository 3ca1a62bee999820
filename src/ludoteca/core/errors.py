"""Everything that can be refused. Each error has a code for programs and says what was wrong with what."""

from typing import Any

from ludoteca.core.words import Message, say


class LudotecaError(Exception):
    code = "error"

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors travel between processes; a subclass may be made of other things than its text."""
        return _revived, (type(self), str(self), self.__dict__)


def _revived(kind: type[LudotecaError], text: str, fields: dict[str, Any]) -> LudotecaError:
    error = kind.__new__(kind)
    Exception.__init__(error, text)
    error.__dict__.update(fields)
    return error


class UnknownGame(LudotecaError):
    code = "game/unknown"

    def __init__(self, key: str, known: list[str]) -> None:
        super().__init__(f"unknown game {key!r}; there are {', '.join(known)}")


class UnfinishedGame(LudotecaError):
    """Something that a game must have is missing. The text says what to write, and where."""

    code = "game/unfinished"


class UnknownLesson(LudotecaError):
    code = "lesson/unknown"

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no lesson {name}")


class BadLesson(LudotecaError):
    """A game's lessons cannot be read. The text says what to mend, and where."""

    code = "lesson/bad"


class BadOption(LudotecaError):
    code = "option/bad"

    def __init__(self, name: str, value: object, allowed: str) -> None:
        super().__init__(f"bad option {name}={value!r}: {allowed}")


class UnknownBot(LudotecaError):
    code = "bot/unknown"

    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(f"unknown bot {name!r}; there are {', '.join(known)}")


class UnknownMove(LudotecaError):
    """The text is not a move in this game's notation."""

    code = "move/unknown"

    def __init__(self, move: str, reason: Message) -> None:
        self.move, self.reason = move, reason
        super().__init__(f"unknown move {move!r}: {say(reason)}")


class IllegalMove(LudotecaError):
    """The text is a move, but not one that may be made here."""

    code = "move/illegal"

    def __init__(self, move: str, reason: Message) -> None:
        self.move, self.reason = move, reason
        super().__init__(f"illegal move {move!r}: {say(reason)}")


class StaleMatch(LudotecaError):
    """Somebody else wrote the entry first."""

    code = "match/stale"

    def __init__(self, after: int, length: int) -> None:
        super().__init__(f"stale match: the move was made after entry {after}, the log has {length}")


class BadRecord(LudotecaError):
    """A record that is not what it says. `entry` counts from 1; 0 is the record itself."""

    code = "record/bad"

    def __init__(self, entry: int, reason: str) -> None:
        self.entry, self.reason = entry, reason
        super().__init__(f"entry {entry}: {reason}" if entry else reason)


class BadSeal(BadRecord):
    """A record whose chance does not follow from its seal."""
