"""Chat at the table, and the list of a guest's tables."""

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from guests_at_tables import Person
from quiet_tables import QuietTables, Window, play, table_for, visit
from test_table import two_at_a_table

from ludoteca.server.chat import LONGEST_TEXT, REMEMBERED, clean_text
from ludoteca.server.new_table import SeatWanted, TableWanted
from ludoteca.server.refusals import NoTalk, NotYourSeat, TooMuchTalk
from ludoteca.server.text import clean_line

Comes = Callable[[], Person]


def heard(window: Window) -> list[str]:
    return [told.get("phrase") or told["text"] for told in window.sent if told["type"] == "said"]


def test_everybody_at_the_table_hears_it(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"])
        stranger = Window(None)
        table.join(stranger, 0)
        await table.say("ada", 1, "good_luck", None)
        await table.say("ben", 2, None, "  <b>You</b>\ttoo,\n Ada\u202e!  ")
        for window in (*windows.values(), stranger):
            assert heard(window) == ["good_luck", "<b>You</b> too, Ada!"]
        assert stranger.sent[-1] == {
            "type": "said", "table": table.id, "n": 2, "seat": 2, "name": "Ben", "at": tables.time.now(),
            "text": "<b>You</b> too, Ada!",
        }  # fmt: skip
        again = Window("ada")
        (await tables.fresh(table)).join(again, 0)
        assert [said.get("phrase") or said["text"] for said in again.said["said"]] == heard(stranger)

    visit(tmp_path, what)


def test_only_those_who_sit_may_talk_and_only_so_much(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, _ = await table_for(tables, ["ada", "ben"])
        for guest in ("cleo", None):
            with pytest.raises(NotYourSeat):
                await table.say(guest, 1, "hello", None)
        for phrase, text in ((None, None), ("hello", "hello"), (None, ""), (None, " \n\u200b"), (None, "x" * 201)):
            with pytest.raises(NoTalk):
                await table.say("ada", 1, phrase, text)  # type: ignore[arg-type]
        for _ in range(5):
            await table.say("ada", 1, "oops", None)
            await tables.wait(100)
        with pytest.raises(TooMuchTalk):
            await table.say("ada", 1, "oops", None)
        await table.say("ben", 2, "thanks", None)
        await tables.wait(9500)
        await table.say("ada", 1, "sorry", None)

    visit(tmp_path, what)


def test_where_chat_is_off_there_are_phrases(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], chat=False)
        with pytest.raises(NoTalk):
            await table.say("ada", 1, None, "hello")
        await table.say("ada", 1, "hello", None)
        assert heard(windows["ben"]) == ["hello"]

    visit(tmp_path, what)


def test_strangers_hear_as_late_as_they_see(tmp_path: Path) -> None:
    """Otherwise players could tell spectators what they may not know yet."""

    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], delay=60)
        stranger = Window("cleo")
        table.join(stranger, 0)
        await table.say("ada", 1, None, "I hold a Flip")
        other = Window(None)
        table.join(other, 0)
        assert (heard(windows["ben"]), heard(stranger), other.said["said"]) == (["I hold a Flip"], [], [])
        await tables.wait(59_999)
        assert heard(stranger) == []
        await tables.wait(1)
        assert heard(stranger) == heard(other) == ["I hold a Flip"]

    visit(tmp_path, what)


def test_the_last_hundred_are_remembered(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, _ = await table_for(tables, ["ada", "ben"])
        for _ in range(REMEMBERED + 3):
            await table.say("ada", 1, "hello", None)
            await tables.wait(10_000)
        for known in (table, await tables.fresh(table)):
            window = Window("ada")
            known.join(window, 0)
            assert [said["n"] for said in window.said["said"]] == list(range(4, REMEMBERED + 4))

    visit(tmp_path, what)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ada\u200b\u202e\u2066 \u3164Love\u00adlace\ufe0f", "Ada Lovelace"),
        ("\u3164\u2800\u115f\u034f\u200d\ufe0f", ""),
        ("\u0301\u0302 \u0303", ""),
        ("Z" + "\u0321" * 20 + "algo", "Z" + "\u0321" * 3 + "algo"),
        ("o" + "\u0302" + "\u0301" * 20, "\u1ed1" + "\u0301" * 3),
        ("\u0e17\u0e35\u0e48\u0e19\u0e35\u0e48", "\u0e17\u0e35\u0e48\u0e19\u0e35\u0e48"),
        ("Ngu\u1ec5n Th\u1ecb Zo\u0065\u0308", "Ngu\u1ec5n Th\u1ecb Zo\u00eb"),
    ],
)
def test_what_is_invisible_or_piles_up_is_cleaned(typed: str, shown: str) -> None:
    assert clean_line(typed) == shown


def test_texts() -> None:
    assert clean_text("Cafe\u0301") == "Café"
    assert len(clean_text("é" * LONGEST_TEXT)) == LONGEST_TEXT


def test_talk_over_the_wire(person: Comes) -> None:
    ada, ben = two_at_a_table(person, start=1)
    ada.done("say", seat=1, text="Ciao")
    while (said := ben.receive())["type"] != "said":
        pass
    assert (said["name"], said["text"]) == (ada.name, "Ciao")
    assert ada.refused("say", seat=1) == "talk/refused"
    assert ada.refused("say", seat=2, phrase="hello") == "seat/not-yours"
    assert ada.refused("say", seat=1, phrase="no such phrase") == "message/malformed"
    while True:
        answer = ada.ask("say", seat=1, phrase="hello")
        if answer["type"] == "error":
            break
    assert answer["code"] == "talk/too-many"


# My tables


def test_my_tables_your_turn_first(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        ids = []
        for start in (1, 2, 1):
            table, _ = await table_for(tables, ["ada", "ben"], options={"start": start})
            ids.append(table.id)
            await tables.wait(1000)
        await table.move("ada", 1, "resign", len(table.match.log))
        await tables.wait(1000)
        waiting = await tables.create(TableWanted("pinpoint", [SeatWanted("me"), SeatWanted("anyone")]), "ada")
        await tables.wait(1000)
        found = await tables.tables_of("ada")
        assert [table.id for table in found] == [waiting, ids[2], ids[1], ids[0]]
        assert [(table.begun, table.ended, 1 in table.on_move) for table in found] == [
            (False, False, False), (True, True, False), (True, False, False), (True, False, True),
        ]  # fmt: skip
        assert found[1].result is not None
        assert found[1].result.winners == (2,)
        await play(await tables.table(ids[0]))
        newest = (await tables.tables_of("ben"))[0]
        assert (newest.id, newest.known) == (ids[0], 2)
        assert await tables.tables_of("cleo") == []

    visit(tmp_path, what)


def test_my_tables_over_http(person: Comes) -> None:
    ada, ben = two_at_a_table(person, start=2)
    mine, his = (one.http.get("/api/me/tables").json()["tables"] for one in (ada, ben))
    assert [table["table"] for table in mine] == [table["table"] for table in his] == [ada.table]
    assert (mine[0]["state"], mine[0]["your_turn"], his[0]["your_turn"]) == ("running", False, True)
    assert mine[0]["seats"] == [
        {"seat": 1, "name": ada.name, "bot": None, "mine": True},
        {"seat": 2, "name": ben.name, "bot": None, "mine": False},
    ]
    other = ben.create("me", "anyone")
    ben.watch(ada.table)
    ben.done("move", seat=2, move="resign", after=ben.n)
    states = {
        table["table"]: (table["state"], table["result"]) for table in ben.http.get("/api/me/tables").json()["tables"]
    }
    assert states[other] == ("waiting", None)
    assert states[ada.table] == ("over", {"winners": [1], "scores": [0, 0], "reason": "resigned"})
    answer = httpx.get(f"{ada.address}/api/me/tables")
    assert (answer.json(), answer.headers["cache-control"]) == ({"tables": []}, "no-store")
