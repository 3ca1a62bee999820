"""Whatever a client sends, it gets an error with a code; the connection and the table go on."""

import json
import os
import re
from collections.abc import Callable
from typing import Any

import pytest
from guests_at_tables import HANG, Person
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from ludoteca.server.messages import VERBS

Comes = Callable[[], Person]
WELL_FORMED = {"do": "move", "id": 1, "table": "aaaaaaaa", "seat": 1, "move": "Re5", "after": 0}


def sent(who: Person, message: str | bytes) -> dict[str, Any]:
    who.socket.send(message)
    while True:
        answer = who.receive()
        if answer["type"] in ("done", "error"):
            return answer


def playing(person: Comes) -> Person:
    ada = person()
    ada.watch(ada.create("me", "me", start=1))
    ada.sit(1, 2)
    ada.begin()
    return ada


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "nonsense",
        "null",
        "[]",
        "17",
        '"watch"',
        "{}",
        '{"do": null, "id": 1}',
        '{"do": 3, "id": 1}',
        '{"do": "watch"}',
        '{"do": "watch", "id": 1}',
        '{"do": "watch", "id": 1, "table": 7}',
        '{"do": "watch", "id": {}, "table": "aaaaaaaa"}',
        '{"do": "watch", "id": 1, "table": "aaaaaaaa", "have": -1}',
        '{"do": "watch", "id": 1, "table": "aaaaaaaa", "have": 1e999}',
        '{"do": "watch", "id": 1, "table": "\\ud800", "have": 0}',
        "[" * 20_000,
        '{"do":' * 5_000,
        *(json.dumps({**WELL_FORMED, field: None}) for field in ("table", "seat", "move", "after")),
        *(json.dumps({**WELL_FORMED, field: [1]}) for field in WELL_FORMED),
        json.dumps({**WELL_FORMED, "seat": 10**30}),
        json.dumps({**WELL_FORMED, "seat": 1.5}),
        json.dumps({**WELL_FORMED, "move": ""}),
        json.dumps({**WELL_FORMED, "do": "sit", "bytes": "xyz"}),
        json.dumps({**WELL_FORMED, "do": "sit", "bytes": "00" * 15}),
        json.dumps({**WELL_FORMED, "do": "sit", "bytes": "00" * 16 + "\n"}),
    ],
)
def test_malformed(person: Comes, text: str) -> None:
    ada = playing(person)
    answer = sent(ada, text)
    assert answer["code"] == "message/malformed"
    assert not re.search(r"Traceback|\.py|ludoteca\.", answer["text"])
    ada.move()


def test_unknown(person: Comes) -> None:
    ada = playing(person)
    answer = sent(ada, '{"do": "dance", "id": "a", "table": "aaaaaaaa"}')
    assert (answer["code"], answer["id"]) == ("message/unknown", "a")
    ada.move()


def test_binary(person: Comes) -> None:
    ada = playing(person)
    assert sent(ada, b"\x00\xff\x01")["code"] == "message/malformed"
    assert sent(ada, json.dumps(WELL_FORMED).encode())["code"] == "message/malformed"
    ada.move()


@pytest.mark.parametrize("size", [70_000, 120_000])
def test_too_large(person: Comes, size: int) -> None:
    ada = playing(person)
    assert sent(ada, json.dumps({**WELL_FORMED, "move": "x" * size}))["code"] == "message/too-large"
    assert sent(ada, b"x" * size)["code"] == "message/malformed"
    ada.move()


def test_the_id_comes_back_when_it_can_be_read(person: Comes) -> None:
    ada = playing(person)
    assert sent(ada, '{"do": "watch", "id": 77}')["id"] == 77
    assert sent(ada, '{"do": "watch", "id": "seventy"}')["id"] == "seventy"
    assert sent(ada, '{"do": "watch", "id": true}')["id"] is None


def test_a_table_that_is_not_there(person: Comes) -> None:
    ada = playing(person)
    here = ada.table
    for table in ("", "aaaaaaaa", "../../etc", "' or 1=1 --"):
        ada.table = table
        for do, more in (
            ("watch", {}),
            ("leave", {}),
            ("look", {"entry": 0}),
            ("rematch", {}),
            ("takeback", {}),
            ("sit", {"seat": 1, "bytes": "00" * 16}),
            ("move", {"seat": 1, "move": "Re5", "after": 0}),
        ):
            assert ada.refused(do, **more) == "table/unknown"
    assert ada.http.get("/api/tables/aaaaaaaa/record").json()["code"] == "table/unknown"
    ada.table = here
    ada.move()


def test_seats_and_moves_that_are_not_there(person: Comes) -> None:
    ada = playing(person)
    assert ada.refused("move", seat=3, move="Re5", after=ada.n) == "seat/unknown"
    assert ada.refused("move", seat=1, move="Re5", after=ada.n + 1) == "match/stale"
    assert ada.refused("sit", seat=1, bytes="00" * 16, name=" \n ") == "name/bad"
    assert ada.refused("sit", seat=1, bytes="00" * 16, name="x" * 25) == "name/bad"
    ada.move()


def test_a_flood(person: Comes) -> None:
    """Each request over the limit is refused, even if nobody reads the answers for a while."""
    ada = playing(person)
    many = 3000
    for number in range(many):
        ada.socket.send(json.dumps({"do": "look", "id": f"flood {number}", "table": ada.table, "entry": 1}))
    answers = [ada.answer(f"flood {number}") for number in range(many)]
    refused = [answer for answer in answers if answer["type"] == "error"]
    assert {answer["code"] for answer in refused} <= {"message/too-many"}
    assert len(refused) < many
    other = ada.again()
    other.watch(ada.table)
    other.move(seat=1)
    other.close()


@given(st.binary(max_size=300) | st.text(max_size=300))
@settings(max_examples=150, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_noise(noisy: Person, noise: str | bytes) -> None:
    answer = sent(noisy, noise)
    assert answer["type"] == "error"
    assert answer["code"] in ("message/malformed", "message/unknown", "message/too-many")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(sorted(VERBS)), st.data())
@settings(max_examples=150, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_fields_of_any_kind(noisy: Person, do: str, data: st.DataObject) -> None:
    fields = ("id", "table", "seat", "move", "after", "entry", "have", "name", "bytes", "for", "yes", "text", "game")
    message = {field: data.draw(JSON) for field in fields}
    if data.draw(st.booleans()):
        message |= {"id": 1, "table": noisy.table}
    answer = sent(noisy, json.dumps({"do": do, **message}))
    assert answer["type"] == "done" or answer["code"] != "server/error"


@pytest.fixture(scope="module")
def noisy(shared_server: Any) -> Any:
    ada = Person(shared_server.address)
    ada.watch(ada.create("me", "anyone"))
    yield ada
    ada.close()


def test_who_never_reads_does_not_hold_up_the_others(person: Comes) -> None:
    """The table goes on; the slow client is cut off in the end."""
    ada = playing(person)
    url = ada.address.replace("http", "ws") + "/api/socket"
    with connect(url, compression=None, max_queue=1, open_timeout=HANG, close_timeout=0.1) as deaf:
        deaf.send(json.dumps({"do": "watch", "id": 1, "table": ada.table}))
        for _ in range(20):
            ada.move()
            ada.done("takeback")


def test_a_page_of_another_site_gets_no_socket(person: Comes) -> None:
    ada = person()
    url = ada.address.replace("http", "ws") + "/api/socket"
    for origin in ("https://elsewhere.example", "null", "http://127.0.0.1:1"):
        with pytest.raises(InvalidStatus) as refused, connect(url, origin=Origin(origin), open_timeout=HANG):
            pass
        assert refused.value.response.status_code == 403
    with connect(url, origin=Origin(ada.address), open_timeout=HANG):
        pass


def test_a_socket_without_a_cookie_may_only_watch(person: Comes) -> None:
    ada = playing(person)
    table = ada.create("anyone", "anyone")
    with connect(ada.address.replace("http", "ws") + "/api/socket", open_timeout=HANG) as socket:
        for cookie_less in ({"do": "watch"}, {"do": "sit", "seat": 1, "bytes": os.urandom(16).hex()}):
            socket.send(json.dumps({"id": 1, "table": table, **cookie_less}))
        said = [json.loads(socket.recv(timeout=HANG)) for _ in range(3)]
    assert [message["type"] for message in said] == ["table", "done", "error"]
    assert said[2]["code"] == "guest/unknown"
