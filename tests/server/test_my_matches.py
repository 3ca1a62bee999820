"""My matches over HTTP: the picture of a finished match, and deleting what is not finished."""

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from guests_at_tables import Person
from quiet_tables import QuietTables, table_for, visit

from ludoteca.core import registry
from ludoteca.core.drawing import drawing, svg
from ludoteca.core.match import Match
from ludoteca.server import ledger
from ludoteca.server.refusals import UnknownTable

Comes = Callable[[], Person]


def refusal(person: Person, table: str) -> tuple[int, str]:
    answer = person.http.delete(f"/api/tables/{table}")
    return answer.status_code, answer.json()["code"]


def test_a_match_against_bots_is_deleted_by_its_only_person(person: Comes) -> None:
    ada, ben = person(), person()
    ada.watch(ada.create("me", "novice", start=1))
    ada.sit(1)
    ada.begin()
    assert refusal(ben, ada.table) == (409, "table/not-yours")
    ada.move()
    assert ada.http.delete(f"/api/tables/{ada.table}").json() == {"deleted": ada.table}
    while ada.receive()["type"] != "cancelled":  # whoever watches is told
        pass
    assert ada.http.get("/api/me/tables").json() == {"tables": []}
    assert refusal(ada, ada.table) == (404, "table/unknown")


def test_a_waiting_table_is_deleted_by_its_creator(person: Comes) -> None:
    ada, ben = person(), person()
    table = ada.create("me", "anyone")
    assert refusal(ben, table) == (409, "table/not-yours")
    assert ada.http.delete(f"/api/tables/{table}").is_success
    assert ada.http.get("/api/me/tables").json() == {"tables": []}


def test_a_match_with_other_people_and_a_finished_one_are_kept(person: Comes) -> None:
    ada, ben = person(), person()
    ada.watch(ada.create("me", "anyone", start=1))
    ada.sit(1)
    ben.watch(ada.table)
    ben.sit(2)
    ada.begin()
    assert refusal(ada, ada.table) == refusal(ben, ada.table) == (409, "match/others-play")
    assert ada.http.get(f"/api/tables/{ada.table}/picture").json()["code"] == "match/running"
    ada.done("move", seat=1, move="resign", after=ada.n)
    assert refusal(ada, ada.table) == (409, "match/kept")
    answer = ada.http.get(f"/api/tables/{ada.table}/picture")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert ElementTree.fromstring(answer.text).tag == "{http://www.w3.org/2000/svg}svg"


def test_a_move_on_its_way_leaves_nothing_of_a_deleted_table(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, _ = await table_for(tables, ["ada", "ada"])
        await tables.delete(table, "ada")
        with pytest.raises(UnknownTable):
            await table.move("ada", table.match.to_move[0], "resign", len(table.match.log))
        assert await tables.storage.read(lambda db: ledger.entries_after(db, table.id, 0)) == []

    visit(tmp_path, what)


@pytest.mark.parametrize("key", registry.game_keys())
def test_every_game_has_a_picture_without_secrets(key: str) -> None:
    match = Match.new(key)
    picture = drawing(key).picture(match.game.view(match.state, None))
    drawn = ElementTree.fromstring(svg(picture))
    assert len(drawn) == len(picture.shapes) + 1
    assert drawn.attrib["viewBox"] == f"0 0 {picture.width:g} {picture.height:g}"
