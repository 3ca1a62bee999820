"""Nothing hidden leaves the server, in any message.

Two tables that differ only in what a seat cannot see send equal bytes to that seat's client, whatever it asks, whatever
others do and however much time passes. Every verb of the protocol has a script in two_worlds.py, every kind of message
that the server sends comes up there, and every route of the HTTP interface is either compared or listed as one that
knows no match: a new one fails these tests until it is covered.
"""

import ast
import asyncio
import json
import secrets
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from test_secrecy import a_match, exchanged
from two_worlds import (
    SCRIPTS,
    World,
    assert_alike,
    assert_equal,
    sent_before_the_match,
    without_commitment,
)

from ludoteca.core import registry
from ludoteca.core.chance import Seal
from ludoteca.core.game import Game
from ludoteca.core.match import Match
from ludoteca.core.record import Entry
from ludoteca.server import app, messages, serialize, thinking
from ludoteca.server.database.sqlite import SqliteStorage

ROUTES_WITHOUT_A_MATCH = {"/api/health", "/api/key", "/api/me", "/api/me/renew", "/api/games", "/api/tables"} | {
    "/api/records",
    "/api/health/alive",
    "/api/lessons/{game}",
    "/api/lessons/{game}/{step}",
    "/api/tables/{table}",  # deletes it, and answers with its id
    "/api/puzzles",
    "/api/puzzles/day",
    "/api/puzzles/next/{game}",
    "/api/puzzles/of/{game}/{puzzle}",  # test_puzzle_routes.py compares what they show of hidden hands
    "/api/puzzles/of/{game}/{puzzle}/reply",
}
ROUTES_AFTER_THE_END = {  # refused while the record has no result
    "/api/tables/{table}/draws",
    "/api/tables/{table}/on",
    "/api/tables/{table}/picture",
    "/api/tables/{table}/review",
    "/api/tables/{table}/review/{entry}",
    "/api/tables/{table}/review/{entry}/try",
    "/api/tables/{table}/review/{entry}/deeper",
    "/api/mistakes",  # of reviewed matches
    "/api/mistakes/{table}/{entry}",
}
ROUTES_COMPARED = {"/api/me/tables", "/api/tables/{table}/record"}


def test_every_verb_has_a_script() -> None:
    assert set(SCRIPTS) == messages.VERBS, "write a script for a new message: it must not tell a secret"


def test_only_one_file_writes_messages() -> None:
    """Its `KINDS` are all kinds of messages: no other file of the server writes a `type` of its own."""
    folder = Path(serialize.__file__).parent
    writers = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Dict)
        if any(isinstance(key, ast.Constant) and key.value == "type" for key in node.keys)
    }
    assert writers == {"serialize.py", "socket.py"}, "socket.py hands messages to the WebSocket"


def test_every_route_is_compared_or_knows_no_match(tmp_path: Path) -> None:
    async def routes() -> set[str]:
        server = app.application(SqliteStorage(tmp_path), workers=1)
        paths = set(server.openapi_schema.paths or {})
        await server.state["tables"].close()
        return paths

    assert asyncio.run(routes()) <= ROUTES_WITHOUT_A_MATCH | ROUTES_AFTER_THE_END | ROUTES_COMPARED


@pytest.fixture(autouse=True)
def always_the_same_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quick bot gives the hints, with the same randomness in both worlds."""
    monkeypatch.setattr(thinking, "hint_level", lambda key: "novice")
    monkeypatch.setattr(secrets, "token_hex", lambda length: "0" * 2 * length)


def some_match(game: Game, options: dict[str, Any], seed: int, length: int) -> list[Entry]:
    """Return a match of random moves, cut off after about `length` entries at a player's turn."""
    agreed = game.agree(options)
    match = Match(game, agreed, None, Seal.derived("some", cast(int, agreed["players"]), seed))
    match.begin(t=0)
    rng = Random(seed)
    while len(match.log) < length:
        seat = match.to_move[0]
        append = match.prepare(game.sample_moves(match.state, seat, rng, 1)[0], seat, t=len(match.log))
        if append.position.result:
            break
        match.commit(append)
    return list(match.log)


@pytest.mark.parametrize("key", registry.game_keys())
@pytest.mark.parametrize("holders", ["people", "bots", "device"])
def test_nothing_tells_what_the_seal_will_draw(tmp_path: Path, key: str, holders: str) -> None:
    """In every game: two servers with different secret seeds send the same, except for the commitment."""
    game = registry.game(key)
    entries = some_match(game, {}, 1, 14)
    one = World(game, {}, entries, holders)
    sent = assert_alike(tmp_path, one, one._replace(seed=b"t" * 32), game.to_move(states(one)[-1])[0])
    assert kinds_of(sent[:-3]) >= {"table", "entries", "said", "lobby", "done", "error"}


def kinds_of(sent: list[bytes]) -> set[str]:
    return {json.loads(message)["type"] for message in sent}


def test_every_kind_of_message_comes_up(tmp_path: Path) -> None:
    """A new kind of message fails this test until a script or a happening of two_worlds.py lets the server send it."""
    game = registry.game("pinpoint")
    world = World(game, {}, some_match(game, {}, 1, 14), "people")
    running = assert_alike(tmp_path, world, world, game.to_move(states(world)[-1])[0])
    waiting = asyncio.run(sent_before_the_match(tmp_path / "waiting", world))
    assert kinds_of([*running[:-3], *waiting]) == serialize.KINDS


@pytest.mark.parametrize("key", registry.game_keys())
def test_nothing_tells_the_seed_before_the_match(tmp_path: Path, key: str) -> None:
    one = World(registry.game(key), {}, (), "people")
    other = one._replace(seed=b"t" * 32)
    sent = [
        without_commitment(asyncio.run(sent_before_the_match(tmp_path / world.seed.decode(), world)), world)
        for world in (one, other)
    ]
    assert_equal(*sent, seat=2)
    assert kinds_of(sent[0]) == serialize.KINDS - {"declined"}


def states(world: World) -> list[Any]:
    match = Match(world.game, world.options, None, None)
    return [made.after.state for made in match.follow(world.entries)]


def cut_after_wipe_out(options: dict[str, Any]) -> tuple[list[Entry], int]:
    """Tic-Tac Match: return a match in which somebody has played a Wipe-Out and must choose its target."""
    game = registry.game("tictacmatch")
    for seed in range(100):
        entries = [entry for append in a_match(options, seed) for entry in append]
        for number, state in enumerate(states(World(game, options, entries, "people")), start=1):
            for seat in game.to_move(state):
                if number > 10 and game.legal(state, seat)["targets"]:
                    return entries[:number], seat
    raise AssertionError("no Wipe-Out was played")


@pytest.mark.rule("TT-21")
@pytest.mark.parametrize("holders", ["people", "bots", "device"])
@pytest.mark.parametrize("options", [{"players": 2}, {"players": 4}], ids=str)
def test_a_hint_for_a_wipe_out_does_not_tell_the_others_hand(
    tmp_path: Path, options: dict[str, Any], holders: str
) -> None:
    game = registry.game("tictacmatch")
    entries, seat = cut_after_wipe_out(options)
    other = exchanged(options, entries, seat)
    assert other is not None
    sent = assert_alike(tmp_path, World(game, options, entries, holders), World(game, options, other, holders), seat)
    hints = [json.loads(message) for message in sent if b'"move":"target' in message and b'"type":"done"' in message]
    assert bool(hints) == (holders != "people" or options["players"] == 2), "two of four have agreed"
    for hint in hints:
        assert hint["message"]["key"] == "tictacmatch.hint.target"


@pytest.mark.rule("TT-21")
@pytest.mark.parametrize("holders", ["people", "bots"])
def test_no_message_tells_a_card_in_another_hand(tmp_path: Path, holders: str) -> None:
    game, options = registry.game("tictacmatch"), {"players": 2}
    compared = 0
    whole = a_match(options, 3)
    for length in (1, 4, 9):
        entries = [entry for append in whole[:length] for entry in append]
        for seat in (None, 1, 2) if holders == "people" else (1, 2):
            other = exchanged(options, entries, seat)
            if other is not None:
                folder = tmp_path / f"{length} {seat}"
                assert_alike(folder, World(game, options, entries, holders), World(game, options, other, holders), seat)
                compared += 1
    assert compared >= 4


@pytest.mark.rule("KB-10")
@pytest.mark.parametrize("holders", ["people", "bots", "device"])
def test_no_message_tells_of_an_army_that_is_set_up_in_secret(tmp_path: Path, holders: str) -> None:
    """KingBrick: seat 2 has set up this army, or another one."""
    game = registry.game("kingbrick")
    worlds = []
    for seed in (1, 2):
        match = Match(game, {}, None, Seal.derived("armies", 2))
        match.begin(t=0)
        match.commit(match.prepare(game.sample_moves(match.state, 2, Random(seed), 1)[0], 2, t=5))
        worlds.append(World(game, {}, list(match.log), holders))
    assert_alike(tmp_path, worlds[0], worlds[1], 1)


def test_games_with_secrets_have_a_test_here() -> None:
    """A new game with secrets needs a test like those above: two logs that differ in what a seat cannot see."""
    secret = set()
    for key in registry.game_keys():
        game = registry.game(key)
        match = Match.new(key)
        if game.has_secrets(match.state):
            secret.add(key)
    assert secret == {"tictacmatch", "kingbrick"}
