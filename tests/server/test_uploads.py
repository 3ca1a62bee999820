"""Uploaded records: checked like any bad input, shown like a match that was played here, never signed here."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from guests_at_tables import HANG, Person, Server
from quiet_tables import QuietTables, Window, visit
from test_reviews import reviews_of

from ludoteca.core.match import Match
from ludoteca.core.record import Seat, to_json
from ludoteca.core.signing import Signer
from ludoteca.core.words import say
from ludoteca.lab.plan import planned, play_one
from ludoteca.server import ledger
from ludoteca.server.database.checking import check_records
from ludoteca.server.new_table import PlayOn, SeatWanted
from ludoteca.server.refusals import BadUpload
from ludoteca.server.uploads import LARGEST

SIGNER = Signer(bytes(range(32)))
DAY = ledger.DAY


def record(**changed: Any) -> dict[str, Any]:
    """Return a finished record of another server, as JSON, with changes and without a signature."""
    return {**json.loads(to_json(play_one(planned("pinpoint", {"players": 2}, ["novice"], 1, "up"), 1))), **changed}


def signed(match: Match) -> bytes:
    return to_json(SIGNER.signed(match.record))


def short_match() -> Match:
    match = Match.new("tictacmatch", {"players": 2}, [Seat("Ada"), Seat("Ben")])
    match.play(match.game.moves(match.state)[0])
    match.play("resign", 1)
    return match


def test_an_uploaded_match_is_shown_reviewed_and_played_on(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        match = short_match()
        table = await tables.table(await tables.upload(signed(match), "ada"))
        window = Window("ada")
        table.join(window, 0)
        assert [seat["name"] for seat in window.said["seats"]] == ["Ada", "Ben"]
        assert not any(seat["mine"] for seat in window.said["seats"])
        assert window.said["uploaded"]
        assert window.said["result"]["reason"] == "resigned"
        assert window.said["seal"]["seed"] == match.record.seal.seed  # type: ignore[union-attr]
        assert window.moves == [entry.move for entry in match.log]
        assert table.record(None) == match.record
        reviews, _ = reviews_of(tables)
        await reviews.of(table.id, table.match, "ada")
        await tables.settle()
        assert (await reviews.of(table.id, table.match, "ada")).state == "done"
        seats = [SeatWanted("me"), SeatWanted("me")]
        assert await tables.play_on(table.id, table.match, PlayOn(len(match.log) - 1, seats), "ada")
        assert not (await tables.storage.read(check_records)).wrong

    visit(tmp_path, what)


def test_uploads_are_kept_for_thirty_days(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        id_ = await tables.upload(signed(short_match()), "ada")
        for day, found in ((29, True), (31, False)):
            assert await tables.storage.write(lambda db, day=day: ledger.expire(db, tables.time.now() + day * DAY)) == (
                [] if found else [id_]
            )

    visit(tmp_path, what)


def other_entry(found: dict[str, Any], move: str) -> dict[str, Any]:
    log = found["log"]
    place = next(n for n, entry in enumerate(log) if entry["by"])
    return {**found, "log": [*log[:place], {**log[place], "move": move}, *log[place + 1 :]]}


BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: b"  \n", "the file is empty"),
    "no JSON": (lambda: b"hello", "not a record"),
    "not UTF-8": (lambda: b"\xff\xfe{}", "not a record"),
    "nested": (lambda: b"[" * 100_000, "not a record"),
    "another object": (lambda: b'{"a": 1}', "not a record"),
    "several": (lambda: (json.dumps(record()) + "\n").encode() * 3, "the file has 3 records; upload one"),
    "another format": (lambda: json.dumps(record(format="pgn")).encode(), "unknown format 'pgn'"),
    "other rules": (lambda: json.dumps(record(rules=99)).encode(), "rules 99"),
    "not over": (lambda: json.dumps(record(result=None)).encode(), "is not over"),
    "an illegal move": (lambda: json.dumps(other_entry(record(), "Rz99")).encode(), "Rz99"),
    "another draw": (lambda: json.dumps(record(log=[{"by": 0, "move": "start 1"}])).encode(), "entry 1"),
    "another result": (
        lambda: json.dumps(record(result={"winners": [], "scores": [0, 0], "reason": "complete"})).encode(),
        "the result is",
    ),
    "too many entries": (
        lambda: json.dumps(record(log=[{"by": 1, "move": "resign"}] * 10_001)).encode(),
        "10001 entries",
    ),
    "too many takebacks": (
        lambda: json.dumps(record(log=[{"by": 0, "move": "takeback 1"}] * 201)).encode(),
        "200 takebacks",
    ),
    "a signature that does not fit": (
        lambda: signed(short_match()).replace(b'"Ada"', b'"Eve"'),
        "the record is not as it was signed",
    ),
    "a name that hides others": (
        lambda: json.dumps(record(seats=[{"name": "a\u202eb"}, {"name": "Ben"}], seal=None)).encode(),
        "",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_refused_in_one_sentence_and_nothing_is_stored(tmp_path: Path, case: str) -> None:
    async def what(tables: QuietTables) -> None:
        make, said = BAD[case]
        with pytest.raises(BadUpload) as caught:
            await tables.upload(make(), "ada")
        assert said in str(caught.value)
        in_words = {say(caught.value.reason, language) for language in ("en", "it")}
        assert len(in_words) == 2, "the page says it in its own language"
        assert len(str(caught.value)) < 600
        assert "\n" not in str(caught.value)
        assert await tables.storage.read(lambda db: db.execute("select count(*) from tables").fetchone()[0]) == 0

    visit(tmp_path, what)


def test_upload_over_http(server: Server) -> None:
    def sent(content: bytes) -> httpx.Response:
        return httpx.post(f"{server.address}/api/records", content=content, timeout=HANG)

    assert sent(b"hello").json()["code"] == "upload/refused"
    assert sent(b"hello").json()["reason"] == {"key": "core.upload.no_record"}
    assert sent(json.dumps(record(game="chess")).encode()).json()["code"] == "game/unknown"
    large = sent(b" " * (LARGEST + 1))
    assert (large.status_code, large.json()["code"]) == (413, "message/too-large")
    line = signed(short_match())
    made = sent(line)
    assert made.status_code == 201, made.text
    ada = Person(server.address)
    ada.watch(made.json()["table"])
    assert ada.said["result"]["reason"] == "resigned"
    assert ada.refused("move", seat=1, move="resign", after=ada.n) == "seat/not-yours"
    assert ada.refused("sit", seat=1, bytes="00" * 16) == "table/full"
    again = httpx.get(f"{server.address}/api/tables/{ada.table}/record", timeout=HANG)
    assert json.loads(again.content) == json.loads(line)  # with the signature of the other server
    own = sent(json.dumps(record()).encode()).json()["table"]
    assert "signature" not in httpx.get(f"{server.address}/api/tables/{own}/record", timeout=HANG).json()
    ada.close()
