"""Golden transcripts: every answer of the interface along one match, readable, one for each game.

A long match is written whole, but past its first hundred entries only some positions are shown.

If a transcript changes, the game says or does something else. `make golden` writes them again; read the difference.
"""

from pathlib import Path

import msgspec
import pytest

from ludoteca.core import registry
from ludoteca.core.chance import Seal
from ludoteca.core.match import Match
from ludoteca.core.words import say
from ludoteca.search import bots

GOLDEN = Path(__file__).parents[1] / "golden"
SHOWN_ALL, SHOWN_EVERY = 100, 25  # entries


def transcript(key):
    game = registry.game(key)
    agreed = game.agree({})
    seats = agreed["players"]
    match = Match(game, agreed, None, Seal.derived("golden", seats, key))
    match.begin()
    yield f"game {game.key}: {game.name}, rules {game.rules_version}"
    for option in game.options:
        yield f"option {option.name}: {option.allowed()}, default {option.default}"
    yield f"bots {', '.join(bots.names(game))}"
    told, position = 0, match.at(0)
    while True:
        for number, entry in enumerate(match.log[told:], start=told + 1):
            yield from entry_lines(game, number, entry, position.state)
            position, _ = match.advanced(position, entry)
        if match.result or len(match.log) <= SHOWN_ALL or len(match.log) // SHOWN_EVERY > told // SHOWN_EVERY:
            yield from position_lines(match)
        told = len(match.log)
        if match.result:
            break
        seat = match.to_move[0]
        match.play(bots.choose(game, "random", match.state, seat, ("golden", told)), seat)
    yield f"result {msgspec.json.encode(match.result).decode()}"


def entry_lines(game, number, entry, state):
    described = game.describe(state, entry)
    yield ""
    yield f"{number}. {msgspec.json.encode(entry).decode()}"
    yield f"   {say(described.message)} {msgspec.json.encode(described.marks).decode()}"
    if (seen := game.seen(entry, None)) != entry:
        yield f"   a stranger reads {msgspec.json.encode(seen).decode()} {say(game.describe(state, seen).message)}"


def position_lines(match):
    game, seats = match.game, range(1, len(match.seats) + 1)
    yield f"   to move {list(match.to_move)}"
    views = {seat: msgspec.json.encode(game.view(match.state, seat)).decode() for seat in (None, *seats)}
    if len(set(views.values())) == 1:
        yield f"   all see {views[None]}"
    else:
        for seat, view in views.items():
            yield f"   {seat or 'a stranger'} sees {view}"
    for seat in match.to_move:
        yield f"   {seat} may {msgspec.json.encode(game.legal(match.state, seat)).decode()}"


@pytest.mark.parametrize("key", registry.game_keys())
def test_the_golden_transcript_still_holds(key, request):
    path = GOLDEN / f"{key}.txt"
    text = "\n".join(transcript(key)) + "\n"
    if request.config.getoption("golden"):
        path.write_text(text, "utf-8")
    assert path.exists(), f"there is no golden transcript of {key}: run make golden"
    assert text == path.read_text("utf-8")
