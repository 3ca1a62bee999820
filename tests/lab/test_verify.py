"""What `verify` proves: the rules hold, chance follows the seal, and who signed. It notices every single change."""

import copy
import json
import sys

import msgspec
import pytest
from kingbrick_board import begun as kingbrick_begun

from ludoteca.cli import main
from ludoteca.core.chance import Seal, bytes_of_seed, seat_commitment
from ludoteca.core.match import Match
from ludoteca.core.record import Seat, to_json
from ludoteca.core.registry import game
from ludoteca.core.signing import Signer
from ludoteca.lab.plan import planned, play_one
from ludoteca.lab.verify import verdict

SIGNER = Signer(bytes(range(32)))


def short_match(key="pinpoint", **options):
    """Return a short match with times and a resignation: people and a bot. One person never showed their bytes."""
    seed, id_ = b"s" * 32, "m4tch"
    commits = (seat_commitment(id_, 1, b"a" * 16), seat_commitment(id_, 2, b"b" * 16), None)
    seal = Seal(id_, seed, (b"a" * 16, b"", bytes_of_seed(seed, id_, 3)), commits)
    match = Match(game(key), {"players": 3, **options}, [Seat("Ada"), Seat("Ben"), Seat("Club", "club")], seal)
    match.begin(t=0)
    for t, move in enumerate(("Ra1", "Ya2", "Ga3"), start=1):
        match.commit(match.prepare(move, t=1000 * t, left=60_000 - t))
    for seat in (1, 2):
        match.commit(match.prepare("resign", seat, t=5000))
    assert match.result is not None
    return match


def signed(match):
    return json.loads(to_json(SIGNER.signed(match.record)))


def line_of(record):
    return json.dumps(record).encode()


def leaves(value, path=()):
    """Yield every value in a record, with its path."""
    if isinstance(value, dict | list):
        yield path, value
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))
    else:
        yield path, value


def other(value):
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return value[:-1] + ("0" if value[-1:] != "0" else "1")
        case None:
            return 0
        case dict():
            return value | {"more": 1}
        case _:
            return [*value, *(value[-1:] or [1])]


def changed(record, path, change):
    """Return the record with one value changed or removed."""
    if not path:
        return change(record)
    record = copy.deepcopy(record)
    holder = record
    for key in path[:-1]:
        holder = holder[key]
    if change is None:
        del holder[path[-1]]
    else:
        holder[path[-1]] = change(holder[path[-1]])
    return record


def test_every_single_change_to_a_signed_record_is_noticed_and_named():
    record = signed(short_match())
    good = verdict(1, line_of(record))
    assert (good.rules.state, good.chance.state, good.signature.state) == ("holds", "holds", "holds")
    assert (good.signer, good.complaints) == (SIGNER.public, [])
    noticed = {"rules": 0, "chance": 0, "signature": 0, "not signed": 0}
    tried = 0
    for path, _ in leaves(record):
        for change in (other, None):
            if change is None and not path:
                continue
            found = verdict(1, line_of(changed(record, path, change)))
            named = [complaint.split(":")[0] for complaint in found.complaints] or ["not signed"] * (not found.signer)
            assert named, f"{path} {change} was not noticed"
            tried += 1
            for name in named:
                noticed[name] += 1
    assert tried > 150
    assert noticed["not signed"] == 1, "only where the whole signature is gone"
    assert min(noticed["rules"], noticed["chance"]) > 20
    assert noticed["signature"] > noticed["rules"] > 0


def test_a_key_that_is_asked_for_must_have_signed(tmp_path, capsys):
    path, match = tmp_path / "a.jsonl", short_match()
    path.write_bytes(to_json(SIGNER.signed(match.record)) + b"\n")
    assert main(["verify", str(path), "--key", SIGNER.public]) == 0
    assert f"signed by {SIGNER.public}: 1" in capsys.readouterr().out
    stranger = Signer(bytes(32))
    path.write_bytes(to_json(stranger.signed(match.record)) + b"\n" + to_json(match.record) + b"\n")
    assert main(["verify", str(path)]) == 0, "without a key it only says who signed"
    capsys.readouterr()
    assert main(["verify", str(path), "--key", SIGNER.public]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == f"{path}:1: signature: it is signed by {stranger.public}"
    assert shown[1] == f"{path}:2: signature: it is not signed"


def test_bytes_that_were_not_committed_are_found_out():
    record = short_match().record
    seal = record.seal
    for bytes_, why in (
        (("c" * 32, *seal.bytes[1:]), "seat 1 are not those that it committed itself to"),
        ((*seal.bytes[:2], "c" * 32), "seat 3, which has no say, do not follow from the seed"),
    ):
        line = to_json(msgspec.structs.replace(record, seal=msgspec.structs.replace(seal, bytes=bytes_)))
        found = verdict(1, line)
        assert (found.rules.state, found.chance.state) == ("holds", "broken")
        assert why in found.chance.why


def test_a_person_must_have_had_a_say():
    record = json.loads(to_json(short_match().record))
    del record["seats"][2]["bot"]
    assert "seat 3 is a person's and had no say" in verdict(1, line_of(record)).chance.why


def test_a_record_of_the_first_format_still_verifies():
    record = play_one(planned("pinpoint", {}, ["random"], 1, "old"), 0)
    old = json.loads(to_json(record))
    old["format"] = "ludoteca/1"
    del old["seal"]["commits"]
    found = verdict(1, line_of(old))
    assert (found.rules.state, found.chance.state) == ("holds", "holds")
    old["format"] = "ludoteca/2"
    assert "not of format" in verdict(1, line_of(old)).rules.why


def test_what_a_flick_led_to_is_measured_again_on_request():
    match = kingbrick_begun()
    match.play("flick r1 dir=90 speed=2 height=0 side=0 follow=8", 1)
    match.play("resign", match.to_move[0])
    record = json.loads(to_json(match.record))
    assert verdict(1, line_of(record), measure=True).complaints == []
    n = max(k for k, entry in enumerate(record["log"]) if entry["move"].startswith("rest "))
    rest = json.loads(record["log"][n]["move"].removeprefix("rest "))
    name = next(iter(rest["poses"]))
    rest["poses"][name][0] += 1
    record["log"][n]["move"] = "rest " + json.dumps(rest, separators=(",", ":"))
    assert verdict(1, line_of(record)).rules.state == "holds", "without measuring, the record's word is taken"
    assert f"entry {n + 1}: " in verdict(1, line_of(record), measure=True).rules.why


@pytest.mark.parametrize(
    "spoil",
    [
        lambda record: b'{"format":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        lambda record: line_of(record).replace(b'"t": 1000', b'"t": 1' + b"0" * 5000),
        lambda record: line_of(record | {"options": {"players": 3, "start": "x"}}).replace(b'"x"', b"9" * 5000),
        lambda record: line_of(record | {"more": "x"}).replace(b'"x"', b"[" * 100_000 + b"]" * 100_000),
        lambda record: line_of(record | {"log": [*record["log"][:3], {"by": 0, "move": "takeback " + "9" * 5000}]}),
        lambda record: line_of(record | {"log": [*record["log"][:3], {"by": 0, "move": "bot " + "9" * 5000}]}),
        lambda record: line_of(record | {"log": [{"by": 0, "move": "start ٣"}]}),
        lambda record: b"\xff\xfe",
        lambda record: b"[]",
        lambda record: b'{"signature": {"key": 1}}',
    ],
)
def test_later_lines_are_checked_whatever_stands_before(tmp_path, capsys, spoil):
    record = signed(short_match())
    spoilt = spoil(record)
    assert spoilt != line_of(record)
    path = tmp_path / "a.jsonl"
    path.write_bytes(spoilt + b"\n" + line_of(record) + b"\n")
    assert main(["verify", str(path)]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith(f"{path}:1: ")
    assert "2 records: 1 good, 1 bad" in shown
    assert sys.getrecursionlimit() > 100
    assert max(map(len, shown.splitlines())) < 12_000
