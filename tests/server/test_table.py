"""A table from the first seat to the rematch, as people see it."""

import json
from collections.abc import Callable
from typing import Any

import httpx
from guests_at_tables import Person

from ludoteca.core.match import Match
from ludoteca.core.record import from_json
from ludoteca.core.signing import signer_of

Comes = Callable[[], Person]


def sat_down(person: Comes, *seats: str, **options: Any) -> Person:
    """Return somebody alone at a table, on all seats that are not a bot's."""
    ada = person()
    ada.watch(ada.create(*seats, **options))
    ada.sit(*(n for n, seat in enumerate(seats, start=1) if seat in ("me", "anyone")))
    ada.begin()
    return ada


def two_at_a_table(person: Comes, **options: Any) -> tuple[Person, Person]:
    ada, ben = person(), person()
    table = ada.create("me", "anyone", **options)
    for one, seat in ((ada, 1), (ben, 2)):
        one.watch(table)
        one.sit(seat)
    for one in (ada, ben):
        one.begin()
    return ada, ben


def test_a_match_begins_when_every_seat_is_taken(person: Comes) -> None:
    ada, ben = person(), person()
    table = ada.create("me", "anyone")
    ada.watch(table)
    assert ada.said["started"] is False
    assert ada.said["view"] is None
    assert [seat["taken"] for seat in ada.said["seats"]] == [False, False]
    ada.sit(1, name="  Ada   L. ")
    assert ada.said["seats"][0]["name"] == "Ada L."
    ben.watch(table)
    assert ben.said["started"] is False
    ben.sit(2)
    ada.begin()
    ben.begin()
    assert [seat["name"] for seat in ada.said["seats"]] == ["Ada L.", ben.name]
    assert [seat["mine"] for seat in ada.said["seats"]] == [True, False]
    assert [seat["mine"] for seat in ben.said["seats"]] == [False, True]
    assert ada.said["options"]["players"] == 2
    assert [entry["by"] for entry in ada.log] == [0, 0]
    assert ada.log == ben.log


def test_legal_moves_go_to_the_one_who_acts(person: Comes) -> None:
    ada, ben = two_at_a_table(person, start=1)
    assert set(ada.said["legal"]) == {"1"}
    assert ben.said["legal"] == {}
    ada.move("Re5")
    ben.wait(lambda me: me.log == ada.log)
    assert ben.log[-1]["move"] == "Re5"
    assert ben.log[-1]["n"] == ben.said["n"] == len(ben.log)
    assert ben.log[-1]["message"]["key"].startswith("pinpoint.said.")
    assert ben.log[-1]["marks"]["put"] == ["e5"]


def test_two_who_move_at_once(person: Comes) -> None:
    """One move wins. The other player is told so, and gets the new state."""
    ada = sat_down(person, "me", "me", start=1)
    window = ada.again()
    window.watch(ada.table)
    n = ada.n
    for one, move in ((ada, "Re5"), (window, "Rf6")):
        one.socket.send(json.dumps({"do": "move", "id": "x", "table": ada.table, "seat": 1, "move": move, "after": n}))
    answers = [ada.answer("x"), window.answer("x")]
    window.wait(lambda me: me.n == n + 1)
    ada.wait(lambda me: me.n == n + 1)
    assert sorted(answer["type"] for answer in answers) == ["done", "error"]
    assert [answer["code"] for answer in answers if answer["type"] == "error"] == ["match/stale"]
    won = "Re5" if answers[0]["type"] == "done" else "Rf6"
    assert ada.log[-1]["move"] == window.log[-1]["move"] == won
    window.close()


def test_a_move_made_after_an_older_entry_is_stale(person: Comes) -> None:
    ada = sat_down(person, "me", "me", start=1)
    n = ada.n
    ada.move("Re5")
    assert ada.refused("move", seat=1, move="Yf6", after=n) == "match/stale"
    assert ada.n == n + 1


def test_a_stranger_watches_and_may_do_nothing(person: Comes) -> None:
    ada, ben = two_at_a_table(person, start=1)
    cleo = person()
    cleo.watch(ada.table)
    assert cleo.said["view"] == ada.said["view"]
    assert cleo.said["legal"] == {}
    assert not any(seat["mine"] for seat in cleo.said["seats"])
    ada.move("Re5")
    cleo.wait(lambda me: me.log[-1]["move"] == "Re5")
    for seat in (1, 2):
        assert cleo.refused("move", seat=seat, move="Yf6", after=cleo.n) == "seat/not-yours"
    assert cleo.refused("takeback") == "takeback/refused"
    assert cleo.refused("rematch") == "seat/not-yours"
    assert ben.refused("move", seat=1, move="Yf6", after=ada.n) == "seat/not-yours"


def test_leave_and_come_back(person: Comes) -> None:
    ada, ben = two_at_a_table(person, start=1)
    assert [seat["here"] for seat in ben.said["seats"]] == [True, True]
    ada.done("leave")
    ben.wait(lambda me: [seat["here"] for seat in me.said["seats"]] == [False, True])
    assert ben.said["seats"][0]["taken"]
    had = ada.n
    back = ada.again()
    back.watch(ada.table, have=had)
    ben.wait(lambda me: [seat["here"] for seat in me.said["seats"]] == [True, True])
    assert back.said["have"] == had
    assert back.said["entries"] == []
    back.move("Re5", seat=1)
    ada.watch(ada.table, have=had)
    assert [entry["move"] for entry in ada.said["entries"]] == ["Re5"]
    back.close()


def test_a_connection_that_is_cut_leaves_the_seat_held(person: Comes) -> None:
    ada, ben = two_at_a_table(person, start=1)
    ada.socket.close()
    ben.wait(lambda me: not me.said["seats"][0]["here"])
    back = ada.again()
    back.watch(ada.table)
    assert back.said["seats"][0]["mine"]
    back.move(seat=1)
    back.close()


def test_seats_are_kept_for_those_they_were_made_for(person: Comes) -> None:
    ada, ben = person(), person()
    table = ada.create("me", "anyone", "casual", players=3)
    for one in (ada, ben):
        one.watch(table)
    assert [seat["reserved"] for seat in ada.said["seats"]] == ["you", None, None]
    assert [seat["reserved"] for seat in ben.said["seats"]] == ["other", None, None]
    taking = {"bytes": "00" * 16}
    assert ben.refused("sit", seat=1, **taking) == "seat/reserved"
    assert ben.refused("sit", seat=3, **taking) == "seat/taken"
    assert ben.refused("sit", seat=4, **taking) == "seat/unknown"
    ben.sit(2)
    assert ada.refused("sit", seat=2, **taking) == "seat/taken"
    assert ben.refused("sit", seat=2, **taking) == "seat/taken"


def test_two_who_sit_down_at_once(person: Comes) -> None:
    ada, ben = person(), person()
    table = ada.create("anyone", "anyone")
    for one in (ada, ben):
        one.watch(table)
    for one in (ada, ben):
        one.socket.send(json.dumps({"do": "sit", "id": "x", "table": table, "seat": 1, "bytes": "ab" * 16}))
    answers = [ada.answer("x"), ben.answer("x")]
    assert sorted(answer["type"] for answer in answers) == ["done", "error"]


def test_a_whole_match_and_its_seal(person: Comes) -> None:
    """The seed is secret while the match runs; then the record proves every draw."""
    ada = sat_down(person, "me", "me", start="lot")
    commitment = ada.said["seal"]["commitment"]
    while not ada.said["result"]:
        assert ada.said["seal"]["seed"] is None
        ada.move()
    assert ada.said["seal"]["commitment"] == commitment
    assert ada.said["seal"]["seed"] is not None
    assert ada.said["to_move"] == []
    assert ada.refused("move", seat=1, move="Re5", after=ada.n) == "move/illegal"
    assert ada.refused("takeback") == "takeback/refused"
    text = ada.http.get(f"/api/tables/{ada.table}/record").text
    match = Match.load(from_json(text))
    assert match.result is not None
    assert signer_of(text) == ada.http.get("/api/key").json()["key"]
    assert list(match.result.scores) == ada.said["result"]["scores"]
    assert match.seal is not None
    assert [entry.move for entry in match.log] == [entry["move"] for entry in ada.log]


def test_what_the_draws_chose_from_is_told_after_the_end_only(person: Comes) -> None:
    ada = sat_down(person, "me", "me", start="lot")
    route = f"/api/tables/{ada.table}/draws"
    early = ada.http.get(route)
    assert (early.status_code, early.json()["code"]) == (409, "match/running")
    ada.done("move", seat=1, move="resign", after=ada.n)
    entries = ada.http.get(route).json()["entries"]
    log = ada.http.get(f"/api/tables/{ada.table}/record").json()["log"]
    assert [(entry["n"], entry["why"]) for entry in entries] == [(1, "chance"), (2, "chance")]
    assert entries[0]["draws"] == [[["start 1", 1], ["start 2", 1]]]
    assert entries[0]["draws"][0][log[0]["picks"][0][0]][0] == log[0]["move"]
    assert [len(choices) for choices in entries[1]["draws"]] == [4, 3, 2, 1]
    assert ada.http.get("/api/tables/nowhere/draws").status_code == 404


def test_the_record_of_a_running_match(person: Comes) -> None:
    ada = sat_down(person, "me", "me", start=1)
    ada.move("Re5")
    stranger = httpx.get(f"{ada.address}/api/tables/{ada.table}/record")
    assert stranger.headers["content-disposition"] == f'attachment; filename="{ada.table}.json"'
    told = stranger.json()
    assert told["format"] == "ludoteca/2"
    assert told["result"] is None
    assert told["seal"]["seed"] is None
    assert told["log"][-1]["move"] == "Re5"
    Match.load(from_json(stranger.text))


def test_there_is_no_record_before_the_match(person: Comes) -> None:
    ada = person()
    table = ada.create("me", "anyone")
    answer = ada.http.get(f"/api/tables/{table}/record")
    assert (answer.status_code, answer.json()["code"]) == (409, "match/not-begun")
    ada.watch(table)
    assert ada.refused("move", seat=1, move="Re5", after=0) == "match/not-begun"
    assert ada.refused("look", entry=0) == "match/not-begun"
    assert ada.refused("takeback") == "match/not-begun"


def test_look_back(person: Comes) -> None:
    ada = sat_down(person, "me", "me", start=1)
    before = ada.said["view"]
    n = ada.n
    ada.move("Re5")
    assert ada.done("look", entry=n)["view"] == before
    assert ada.done("look", entry=n + 1)["view"] == ada.said["view"]
    assert ada.refused("look", entry=n + 2) == "entry/unknown"


def test_resign_and_rematch(person: Comes) -> None:
    """Everybody who asks gets the same new table. Everybody keeps a seat, moved up by one."""
    ada, ben = two_at_a_table(person, start=1)
    assert ada.refused("rematch") == "match/running"
    ben.move("resign", seat=2)
    ada.wait(lambda me: me.said["result"])
    assert ada.said["result"] == {"winners": [1], "scores": [0, 0], "reason": "resigned"}
    again = ada.done("rematch")["table"]
    ben.wait(lambda me: me.said["rematch"] == again)
    assert ben.done("rematch")["table"] == again
    assert again != ada.table
    ada.watch(again)
    ben.watch(again)
    assert [seat["reserved"] for seat in ada.said["seats"]] == ["other", "you"]
    assert ada.said["seal"]["commitment"] is not None
    ben.sit(1)
    ada.sit(2)
    ada.begin()


def test_a_takeback_among_seats_of_one_guest(person: Comes) -> None:
    ada = sat_down(person, "me", "me", start=1, setup="RYGB")
    assert ada.said["takeback"] is None
    n = ada.n
    ada.move("Re5")
    view = ada.said["view"]
    ada.move("Ye6")
    assert ada.said["takeback"] == {"target": n + 1, "free": True}
    ada.done("takeback")
    assert ada.log[-1]["move"] == f"takeback {n + 1}"
    assert ada.log[-1]["message"] == {"key": "core.said.takeback", "params": {"entry": n + 1}}
    assert ada.said["view"] == view
    ada.done("takeback")
    assert ada.said["view"]["hand"] == ["R", "Y", "G", "B"]
    assert ada.said["takeback"] is None
    assert ada.refused("takeback") == "takeback/refused"


def test_a_takeback_for_one_of_several_seats(person: Comes) -> None:
    """It goes back before the last move of that seat, together with what the other seats did since."""
    ada = sat_down(person, "me", "me", start=1)
    for _ in range(5):
        ada.move()
    n = ada.n
    ada.done("takeback", seat=1)
    assert ada.log[-1]["move"] == f"takeback {n - 2}"
    assert ada.said["to_move"] == [1]
    assert ada.refused("takeback", seat=2) == "takeback/refused"


def test_a_takeback_against_people_is_asked_for(person: Comes) -> None:
    ada, ben = two_at_a_table(person, start=1)
    assert ada.refused("takeback", seat=1) == "takeback/refused"
    ada.move("Re5")
    n = ada.n
    assert ada.said["takeback"] == {"target": n - 1, "free": False}
    assert ada.refused("takeback", seat=2) == "seat/not-yours"
    assert ben.refused("answer", seat=2, yes=True) == "answer/none"
    ada.done("takeback", seat=1)
    ben.wait(lambda me: me.said["asked"])
    assert ben.said["asked"] == {"what": "takeback", "seat": 1, "target": n - 1, "yes": []}
    ben.done("answer", seat=2, yes=True)
    ada.wait(lambda me: me.n == n + 1)
    assert ada.log[-1]["move"] == f"takeback {n - 1}"
    assert (ada.said["asked"], ada.said["to_move"]) == (None, [1])


def test_refusals_of_the_rules_carry_their_reason(person: Comes) -> None:
    ada = sat_down(person, "me", "me", start=1, setup="RYGB")
    answer = ada.ask("move", seat=1, move="Rd4", after=ada.n)
    assert answer["code"] == "move/illegal"
    assert answer["reason"] == {"key": "pinpoint.taken", "params": {"hole": "d4"}}
    answer = ada.ask("move", seat=1, move="Zz99", after=ada.n)
    assert answer["code"] == "move/unknown"
    assert answer["reason"]["key"] == "pinpoint.unreadable"
    answer = ada.ask("move", seat=2, move="Re5", after=ada.n)
    assert answer["code"] == "move/illegal"
    assert answer["reason"] == {"key": "core.not_your_turn", "params": {"seat": 1}}


def test_what_only_the_table_may_write(person: Comes) -> None:
    ada = sat_down(person, "me", "me", start=1)
    for move in ("timeout 2", "takeback 0", "bot 2", "back 2", "start 1", "setup Rd4 Yd7 Gg4 Bg7"):
        assert ada.refused("move", seat=1, move=move, after=ada.n).startswith("move/"), move
    assert ada.refused("move", seat=0, move="timeout 2", after=ada.n) == "message/malformed"


def test_among_three_a_bot_stands_in_for_whoever_resigned(person: Comes) -> None:
    ada = sat_down(person, "me", "me", "me", start=1)
    ada.done("move", seat=1, move="resign", after=ada.n)
    ada.wait(lambda me: me.said["to_move"] == [2])
    assert [entry["move"] for entry in ada.log[1:3]] == ["resign", "bot 1"]
    assert [entry["by"] for entry in ada.log[3:7]] == [1] * 4, "its pins are put by the bot"
    assert ada.said["result"] is None
