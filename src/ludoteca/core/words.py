"""Messages: a key with parameters. Only the message files turn them into words."""

import json
from functools import cache
from importlib import resources
from typing import Union

import msgspec

Value = Union[str, int, "Message", list["Message"]]


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something to say. The first part of the key, before the dot, names the folder of the words."""

    key: str
    params: dict[str, Value] = {}


def message(key: str, **params: Value) -> Message:
    return Message(key, params)


@cache
def _file(room: str, language: str) -> dict[str, str]:
    package = "ludoteca.core" if room == "core" else f"ludoteca.games.{room}"
    file = resources.files(package).joinpath("words", f"{language}.json")
    if not file.is_file():
        raise LookupError(f"{room} has no words in {language!r}: write words/{language}.json in its folder")
    words: dict[str, str] = json.loads(file.read_text("utf-8"))
    return words


def say(spoken: Message, language: str = "en") -> str:
    """Return the message in words."""
    room, _, name = spoken.key.partition(".")
    words = _file(room, language).get(name)
    if words is None:
        raise LookupError(f"no words for {spoken.key!r}: write {name!r} in words/{language}.json of {room}")
    return words.format(**{param: _say_value(value, language) for param, value in spoken.params.items()})


def _say_value(value: Value, language: str) -> str:
    if isinstance(value, list):
        return ", ".join(say(part, language) for part in value)
    return say(value, language) if isinstance(value, Message) else str(value)
