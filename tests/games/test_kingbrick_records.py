"""A record of KingBrick is checked for what is arithmetic: what cannot have happened is refused without an engine."""

import json

import msgspec
import pytest
from kingbrick_board import begun, flick, position
from kingbrick_board import rest as rest_of

from ludoteca.cli import main
from ludoteca.core.errors import BadRecord, IllegalMove
from ludoteca.core.match import Match
from ludoteca.core.record import to_json
from ludoteca.games.kingbrick.checking import can_be_full
from ludoteca.games.kingbrick.game import GAME
from ludoteca.games.kingbrick.geometry import standing

rule = pytest.mark.rule


def finished():
    """A match with one King Move and one flick, that somebody resigned."""
    match = begun("K 3G", "K 3G", seed="records")
    match.play("place r1 x=20 y=-190 yaw=0 up=1", 1)
    match.play(flick("b2", 270, 1), 2)
    match.play("resign", 1)
    return match.record


def altered(record, verb, change):
    """The record with the last entry that begins so changed: a text by a function, a measurement as JSON."""
    log = list(record.log)
    place = max(n for n, entry in enumerate(log) if entry.move.startswith(verb))
    move = log[place].move
    if verb == "rest":
        told = json.loads(move.removeprefix("rest "))
        change(told)
        move = f"rest {json.dumps(told)}"
    else:
        move = change(move)
    log[place] = msgspec.structs.replace(log[place], move=move)
    return msgspec.structs.replace(record, log=tuple(log))


def moved(name, *at):
    return lambda told: told["poses"][name].__setitem__(slice(0, len(at)), at)


FORGERIES = [
    ("place", lambda move: move.replace("x=20", "x=100"), "King r1 must be in its castle"),
    ("place", lambda move: move.replace("y=-190", "y=190"), "King r1 must be in its castle"),
    ("rest", moved("b3", 9999.0), "b3 cannot lie there"),
    ("rest", moved("b3", 0.0, -9999.0), "b3 cannot lie there"),
    ("rest", moved("b3", 20.0, 20.0, -3.0), "b3 cannot lie there"),
    ("rest", moved("b3", 20.0, 20.0, 5.0), "b3 cannot lie there"),
    ("rest", moved("b3", 20.0, 20.0, 8.0, 3.0, 0.0, 0.0, 1.0), "b3 cannot lie there"),
    ("rest", moved("b1", 20.0, -190.0, 8.0), "two bricks cannot be in one place: b1, r1"),
    ("rest", moved("b1", 34.0, -190.0, 8.0), "two bricks cannot be in one place: r1, b1"),
    ("rest", lambda told: told.update(push=30.0), "follows through for 8 mm cannot have pushed for 30 mm"),
    ("rest", lambda told: told.update(push=-1.0), "cannot have pushed for -1 mm"),
    ("rest", lambda told: told.update(touched=[]), "cannot have pushed"),
    ("rest", lambda told: told.update(touched=["b2", "b2"]), "wrong are b2"),
]


@rule("KB-16", "KB-22", "KB-24", "KB-30")
@pytest.mark.parametrize(("verb", "change", "words"), FORGERIES)
def test_what_cannot_have_happened_is_refused(verb, change, words):
    record = finished()
    assert Match.load(record).result == record.result
    with pytest.raises(BadRecord, match=words):
        Match.load(altered(record, verb, change))


def test_verify_refuses_it_too(tmp_path, capsys):
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_bytes(to_json(finished()) + b"\n")
    bad.write_bytes(to_json(altered(finished(), "rest", moved("b3", 9999.0))) + b"\n")
    assert main(["verify", str(good)]) == 0
    assert main(["verify", str(bad)]) != 0
    assert "b3 cannot lie there" in "".join(capsys.readouterr())


@rule("KB-24")
def test_only_a_flick_has_a_finger():
    state = GAME.play(position(), 1, "place r1 x=0 y=-190 yaw=0 up=1").state
    with pytest.raises(IllegalMove, match="a finger has touched nothing"):
        GAME.play(state, 0, rest_of(state, touched="b1"))


@rule("KB-16")
def test_a_brick_that_overhangs_may_lie_lower():
    state = GAME.play(position("r2 G 0 -100"), 1, flick("r2")).state
    assert GAME.play(state, 0, rest_of(state, r2="203 -100 z=6")).state.poses["r2"].z == 6
    with pytest.raises(IllegalMove, match="r2 cannot lie there"):
        GAME.play(state, 0, rest_of(state, r2="203 -100 z=-0.1"))


@rule("KB-22")
def test_a_castle_with_few_bricks_is_never_full():
    spots = [(-50 + 17 * column, -240 + 17 * row) for row in range(7) for column in range(7)]
    poses = {f"r{n}": standing(x, y, 0, 1) for n, (x, y) in enumerate(spots, start=1)}
    assert can_be_full(poses, 1)
    assert not can_be_full(poses, 2)
    assert not can_be_full(dict(list(poses.items())[:6]), 1)
