"""Logs: one line for each event, as text or as JSON, without names, chat or secrets of players.

The text of an error may quote a move, a name or a hidden card. So the log has the kind of an error and the place in the
program, and the text only if the error comes from the system.
"""

import logging
import sqlite3
import time
import traceback
from pathlib import Path

import msgspec

LEVELS = ("debug", "info", "warning", "error")
KINDS = ("text", "json")
MOST_FRAMES = 12
# The texts of these errors are about files, sockets and databases.
OF_THE_SYSTEM: tuple[type[BaseException], ...] = (OSError, sqlite3.Error)


class OneLine(logging.Formatter):
    def __init__(self, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z"
        event = " ".join(record.getMessage().split())
        error = described(record.exc_info[1]) if record.exc_info and record.exc_info[1] else None
        if not self._as_json:
            return f"{at} {record.levelname} {record.name}: {event}" + (f" ({error})" if error else "")
        fields = {"at": at, "level": record.levelname.lower(), "logger": record.name, "event": event}
        return msgspec.json.encode(fields | ({"error": error} if error else {})).decode()


def described(error: BaseException) -> str:
    """Return the kind of an error and where it was raised, innermost first."""
    frames = traceback.extract_tb(error.__traceback__)[-MOST_FRAMES:]
    where = " < ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in reversed(frames))
    text = f": {' '.join(str(error).split())}" if isinstance(error, OF_THE_SYSTEM) else ""
    return f"{type(error).__name__}{text} at {where}" if where else f"{type(error).__name__}{text}"


def set_up(kind: str, level: str) -> None:
    """Write what this program and its libraries log to the error stream."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine(kind == "json"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("ludoteca").setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = name != "uvicorn.access"
