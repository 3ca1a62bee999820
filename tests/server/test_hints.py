"""A hint: the move of the strongest bot, for players whose opponents lose nothing by it."""

import json
from collections.abc import Callable

from guests_at_tables import Person
from test_table import sat_down, two_at_a_table

Comes = Callable[[], Person]


def test_a_hint_is_a_legal_move_in_words(person: Comes) -> None:
    ada = sat_down(person, "me", "novice", start=1)
    before = ada.n
    hint = ada.done("hint", seat=1)
    assert ada.n == before == hint["after"]
    assert hint["message"]["key"].startswith("pinpoint.")
    assert hint["marks"]["put"] == [hint["move"].rpartition("=")[2][1:]]
    ada.move(hint["move"])
    assert ada.log[-1]["move"] == hint["move"]
    assert ada.log[-1]["message"] == hint["message"]


def test_a_hint_for_one_who_plays_alone(person: Comes) -> None:
    ada = sat_down(person, "me", game="matchnlock")
    assert ada.done("hint", seat=1)["move"] == "draw"
    ada.move("draw")
    ada.wait(lambda me: me.said["view"]["in_hand"])
    assert ada.done("hint", seat=1)["move"] in ada.said["legal"]["1"]["place"]


def test_a_client_is_heard_while_a_bot_thinks_for_it(person: Comes) -> None:
    ada = sat_down(person, "me", "me", start=1)
    for number in ("first", "second"):
        ada.socket.send(json.dumps({"do": "hint", "id": number, "table": ada.table, "seat": 1}))
    second = ada.answer("second")  # the second hint does not wait for the first
    assert (second["type"], second["code"]) == ("error", "hint/refused")
    ada.socket.send(json.dumps({"do": "move", "id": 0, "table": ada.table, "seat": 1, "move": "Re5", "after": ada.n}))
    answers = {}
    while len(answers) < 2:
        if (said := ada.receive())["type"] in ("done", "error"):
            answers[said["id"]] = said
    assert answers["first"]["type"] == answers[0]["type"] == "done"
    assert answers["first"]["after"] == ada.n - 1  # it was computed for an older position


def test_no_hint_where_others_play_or_for_others(person: Comes) -> None:
    ada, ben = two_at_a_table(person, start=1)
    assert ada.refused("hint", seat=1) == "hint/refused"
    assert ada.refused("hint", seat=2) == "seat/not-yours"
    assert ben.refused("hint", seat=3) == "seat/unknown"
    cleo = sat_down(person, "me", "me", start=1)
    assert cleo.refused("hint", seat=2) == "hint/refused"  # seat 2 is not to move
    dora = person()
    dora.watch(dora.create("me", "anyone"))
    dora.sit(1)
    assert dora.refused("hint", seat=1) == "match/not-begun"
