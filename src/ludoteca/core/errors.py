"""The errors. Each error has a code for programs, and its text names what was wrong."""

from typing import Any

from ludoteca.core.words import Message, say


class LudotecaError(Exception):
    code = "error"

    def __reduce__(self) -> tuple[Any, ...]:
        """Let an error travel between processes, also one whose arguments are not its text."""
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
    """A game lacks something that it must have. The text says what to write, and where."""

    code = "game/unfinished"


class UnknownLesson(LudotecaError):
    code = "lesson/unknown"

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no lesson {name}")


class UnknownPuzzle(LudotecaError):
    code = "puzzle/unknown"

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no puzzle {name}")


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
    """The text is not a move in the notation of this game."""

    code = "move/unknown"

    def __init__(self, move: str, reason: Message) -> None:
        self.move, self.reason = move, reason
        super().__init__(f"unknown move {move!r}: {say(reason)}")


class IllegalMove(LudotecaError):
    """The text is a move, but the rules do not allow it here."""

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
    """A record contradicts itself or the rules. `entry` counts from 1; 0 means the record as a whole."""

    code = "record/bad"

    def __init__(self, entry: int, reason: str) -> None:
        self.entry, self.reason = entry, reason
        super().__init__(f"entry {entry}: {reason}" if entry else reason)


class BadSeal(BadRecord):
    """The chance of a record does not follow from its seal."""
