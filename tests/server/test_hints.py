"""A hint: the move of the strongest bot, for players against bots, or where all people have agreed to hints."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from guests_at_tables import Person
from quiet_tables import QuietTables, Window, play, table_for, visit
from test_table import sat_down, two_at_a_table

from ludoteca.core.errors import IllegalMove
from ludoteca.server.refusals import NoHint, TooManyRequests
from ludoteca.server.table import Table

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


async def is_given(table: Table, window: Window, seat: int) -> bool:
    """Return whether a guest gets a hint for a seat that is on the move."""
    try:
        hint = await table.hint(window, seat)
    except NoHint:
        return False
    table.match.prepare(hint["move"], seat)
    return True


def test_hints_are_on_when_all_people_have_agreed(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben", "cleo", None], options={"start": 1})
        stranger = Window("dan")
        table.join(stranger, 0)
        ada, _, cleo = windows.values()
        assert ada.said["hints"] == {"free": False, "on": False, "agreed": []}
        await play(table, 1, "hints on")
        await play(table, 3, "hints on")
        assert cleo.said["hints"] == {"free": False, "on": False, "agreed": [1, 3]}
        assert not await is_given(table, ada, 1), "one has not agreed"
        await play(table, 2, "hints on")
        assert (cleo.said["hints"]["on"], stranger.said["hints"]) == (True, None)
        assert await is_given(table, ada, 1)
        await play(table)
        await table.take_back("ada", 1)
        for guest, seat in (("ben", 2), ("cleo", 3)):
            await table.answer(guest, seat, True)
        assert await is_given(table, ada, 1), "neither a move nor a takeback ends it"
        await play(table, 3, "hints off")
        assert ada.said["hints"] == {"free": False, "on": False, "agreed": []}
        assert not await is_given(table, ada, 1), "one who changes their mind is enough"
        assert ada.moves[-1] == "hints off"

    visit(tmp_path, what)


def test_an_agreement_on_hints_outlives_the_server(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, _ = await table_for(tables, ["ada", "ben"], options={"start": 1})
        await play(table, 2, "hints on")
        table = await tables.fresh(table)
        await play(table, 1, "hints on")
        table = await tables.fresh(table)
        ada = Window("ada")
        table.join(ada, 0)
        assert ada.said["hints"] == {"free": False, "on": True, "agreed": [1, 2]}
        assert await is_given(table, ada, 1)
        await play(table, 1, "resign")
        again = await tables.table(await tables.rematch(table, "ada", None))
        for guest, seat in (("ben", 1), ("ada", 2)):
            await again.waiting_room.sit(guest, seat, guest, b"%016d" % seat)
        await tables.settle()
        assert not again.match.position.conduct.hints, "the next match has an agreement of its own"

    visit(tmp_path, what)


def test_only_people_who_play_have_a_say_about_hints(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben", "ada"], options={"start": 1})
        await play(table, 3, "hints on")
        await play(table, 2, "hints on")
        assert await is_given(table, windows["ada"], 1), "one answer holds for all seats of a guest"
        await play(table, 2, "hints off")
        await play(table, 2, "resign")
        assert windows["ada"].said["hints"]["free"]
        assert await is_given(table, windows["ada"], 1), "whoever is out has no say"
        with pytest.raises(NoHint):
            await play(table, 1, "hints on")

    visit(tmp_path, what)


def test_nobody_is_asked_for_hints_again_and_again(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, _ = await table_for(tables, ["ada", "ben"], options={"start": 1})
        for _ in range(3):
            await play(table, 1, "hints on")
            with pytest.raises(IllegalMove):
                await play(table, 1, "hints on")  # the rules refuse it, so it does not count
            await play(table, 2, "hints off")
        with pytest.raises(TooManyRequests):
            await play(table, 1, "hints on")
        for _ in range(4):
            await play(table, 2, "hints on")
            await play(table, 1, "hints on")  # an answer is not a question
            await play(table, 1, "hints off")
            await tables.wait(30_000)

    visit(tmp_path, what)
