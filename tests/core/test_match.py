"""The match: append-only, takebacks as entries, stale moves refused, false records refused."""

import msgspec
import pytest

from ludoteca.core.chance import Seal
from ludoteca.core.errors import BadOption, BadRecord, IllegalMove, StaleMatch, UnknownGame, UnknownMove
from ludoteca.core.match import Match
from ludoteca.core.record import Entry, Seat, from_json, to_json
from ludoteca.games.pinpoint.game import GAME
from ludoteca.lab.plan import planned, play_one


def begun(players=2, **options):
    match = Match(GAME, {"players": players, "start": 1, **options}, None, Seal.derived("m", players, "seed"))
    match.begin()
    return match


def test_a_new_match_is_ready_to_play():
    match = Match.new("pinpoint", {"players": 3}, [Seat("A"), Seat("B"), Seat("C", "club")])
    assert len(match.to_move) == 1
    assert match.record.options == {"players": 3}
    with pytest.raises(UnknownGame, match="unknown game 'chess'; there are"):
        Match.new("chess")
    with pytest.raises(BadOption, match="players=9"):
        Match.new("pinpoint", {"players": 9})
    with pytest.raises(BadRecord, match="1 seats for 2 players"):
        Match.new("pinpoint", {}, [Seat("alone")])


def test_a_move_after_another_one_is_stale():
    match = begun()
    seen = len(match.log)
    match.play("Ra1", after=seen)
    with pytest.raises(StaleMatch, match=f"after entry {seen}, the log has {seen + 1}"):
        match.play("Ya2", after=seen)
    first, second = match.prepare("Ya2"), match.prepare("Yb2")
    match.commit(first)
    with pytest.raises(StaleMatch):
        match.commit(second)
    assert match.log[-1].move == "Ya2"


def test_preparing_changes_nothing():
    match = begun()
    log, state = list(match.log), match.state.tobytes()
    append = match.prepare("Ra1", t=1500, left=60_000)
    assert append.entries == (Entry(1, "Ra1", 1500, 60_000, 1),)
    assert (match.log, match.state.tobytes()) == (log, state)


def test_a_takeback_is_an_entry_and_numbers_only_rise():
    match = begun()
    start = len(match.log)
    for move in ("Ra1", "Ya2", "Ga3"):
        match.play(move)
    after_first = match.at(start + 1).state.tobytes()
    match.play(f"takeback {start + 1}", by=0)
    assert len(match.log) == start + 4
    assert match.state.tobytes() == after_first
    match.play("Ba4")
    assert [*match.line(len(match.log))] == [start + 5, *range(start + 1, 0, -1)]
    with pytest.raises(IllegalMove, match=f"move {start + 2} is not an earlier one that still stands"):
        match.play(f"takeback {start + 2}", by=0)
    match.play(f"takeback {start + 1}", by=0)
    assert match.state.tobytes() == after_first
    again = Match.load(match.record, match.seal)
    assert again.state.tobytes() == after_first


def test_nothing_is_taken_back_past_chance():
    match = begun(turn_seconds=30)
    start = len(match.log)
    match.play("Ra1")
    match.play("timeout 1", by=0)
    with pytest.raises(IllegalMove, match="was decided by chance"):
        match.play(f"takeback {start}", by=0)
    for bad in ("takeback", "takeback x", "takeback -1"):
        with pytest.raises(UnknownMove, match="must name the number of a move"):
            match.play(bad, by=0)
    with pytest.raises(IllegalMove):
        match.play("takeback 99", by=0)


def test_chance_cannot_be_played_by_hand_in_a_sealed_match():
    match = begun()
    with pytest.raises((IllegalMove, UnknownMove)):
        match.play("start 2", by=0)


def test_a_match_on_a_real_table_has_its_chance_written_down():
    match = Match(GAME, {})
    assert match.begin() == ()
    match.play("start 2", by=0)
    match.play("setup Gd4 Bd7 Rg4 Yg7", by=0)
    assert match.to_move == (2,)
    assert match.record.seal is None
    assert Match.load(from_json(to_json(match.record))).state.tobytes() == match.state.tobytes()


@pytest.fixture(scope="module")
def finished():
    return play_one(planned("pinpoint", {"players": 3}, ["random"], 1, "x"), 1)


def with_entry(record, number, **changes):
    log = list(record.log)
    log[number - 1] = msgspec.structs.replace(log[number - 1], **changes)
    return msgspec.structs.replace(record, log=tuple(log))


def test_a_finished_record_is_good(finished):
    assert Match.load(finished).record == finished


@pytest.mark.parametrize(
    ("spoil", "entry", "words"),
    [
        (lambda r: with_entry(r, 9, score=7), 9, "the record has 7"),
        (lambda r: with_entry(r, 9, move=r.log[7].move), 9, "illegal move"),
        (lambda r: with_entry(r, 9, move="nonsense"), 9, "unknown move 'nonsense'"),
        (lambda r: with_entry(r, 9, by=9), 9, "there is no seat 9"),
        (lambda r: with_entry(r, 9, by=r.log[8].by % 3 + 1), 9, "turn"),
        (lambda r: with_entry(r, 1, move="start 3" if r.log[0].move != "start 3" else "start 1"), 1, "the seal draws"),
        (lambda r: with_entry(r, 1, picks=((0, 3), (0, 1))), 1, "the seal draws"),
        (lambda r: with_entry(r, 2, picks=None), 2, "the seal draws"),
        (lambda r: with_entry(r, 9, picks=((0, 1),)), 9, "the seal draws"),
        (lambda r: msgspec.structs.replace(r, log=r.log[:-1]), 97, "the result is None"),
        (lambda r: msgspec.structs.replace(r, log=(*r.log, r.log[-1])), 99, "comes after the end"),
        (lambda r: msgspec.structs.replace(r, result=None), 98, "the record has None"),
        (lambda r: msgspec.structs.replace(r, rules=2), 0, "rules 2 of Pin Point"),
        (lambda r: msgspec.structs.replace(r, game="chess"), 0, "unknown game 'chess'"),
        (lambda r: msgspec.structs.replace(r, options={"players": 2}), 0, "3 seats for 2 players"),
        (lambda r: msgspec.structs.replace(r, options={"players": 3, "x": 1}), 0, "bad option x"),
        (lambda r: with_seal(r, seed="00" * 32), 0, "not the one that was sealed"),
        (lambda r: with_seal(r, seed="nothex"), 0, "bad seal: non-hexadecimal"),
        (lambda r: with_seal(r, match="another"), 0, "seat 1 are not those that it committed"),
        (lambda r: with_seal(r, bytes=r.seal.bytes[::-1]), 0, "seat 1 are not those that it committed"),
        (lambda r: with_seal(r, bytes=r.seal.bytes[:2]), 0, "3 commitments for the bytes of 2 seats"),
    ],
)
def test_a_false_record_is_told_where_it_is_false(finished, spoil, entry, words):
    with pytest.raises(BadRecord, match=words) as caught:
        Match.load(spoil(finished))
    assert caught.value.entry == entry


def with_seal(record, **changes):
    return msgspec.structs.replace(record, seal=msgspec.structs.replace(record.seal, **changes))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"", "not a record"),
        (b"{}", "missing required field `format`"),
        (b'{"format": 1}', "Expected `str`"),
        (b"\xff", "not a record"),
        (b"[1, 2", "not a record"),
    ],
)
def test_what_is_no_record_is_refused(line, words):
    with pytest.raises(BadRecord, match=words):
        from_json(line)


def test_unknown_keys_are_skipped(finished):
    line = to_json(finished).replace(b'"format"', b'"colour": "red", "format"', 1)
    assert from_json(line) == finished
    with pytest.raises(BadRecord, match="unknown format 'ludoteca/9'"):
        from_json(to_json(msgspec.structs.replace(finished, format="ludoteca/9")))


def test_the_seed_is_in_the_record_only_at_the_end():
    match = begun()
    assert match.record.seal.seed is None
    assert match.seal.seed.hex().encode() not in to_json(match.record)
    match.play("resign", by=1)
    assert match.record.seal.seed == match.seal.seed.hex()
    assert Match.load(match.record).record == match.record
