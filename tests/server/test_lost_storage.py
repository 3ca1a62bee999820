"""An entry that cannot be stored is not acknowledged: the database file is deleted, or the disk is full."""

import stat
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from guests_at_tables import HANG, Person, Server
from quiet_tables import QuietTables, play, table_for, visit

from ludoteca.server.database.sqlite import FILE
from ludoteca.server.refusals import NotStored


def test_a_deleted_file_ends_all_acknowledging(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], options={"start": 1})
        await play(table)
        before = len(table.match.log)
        (tmp_path / FILE).unlink()
        for _ in range(3):
            with pytest.raises(NotStored, match="deleted or replaced"):
                await play(table)
        assert (len(table.match.log), len(windows["ben"].log)) == (before, before), "nothing happened"
        assert tables.storage.trouble is not None

    visit(tmp_path, what)


def test_a_replaced_file_is_noticed(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, _ = await table_for(tables, ["ada", "ben"], options={"start": 1})
        (tmp_path / FILE).rename(tmp_path / "elsewhere")
        (tmp_path / FILE).write_bytes((tmp_path / "elsewhere").read_bytes())
        with pytest.raises(NotStored):
            await play(table)

    visit(tmp_path, what)


def test_a_full_disk_refuses_until_there_is_room(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, _ = await table_for(tables, ["ada", "ben"], options={"start": 1})

        def pages(most: int) -> None:
            tables.storage._writing.execute(f"pragma max_page_count = {most}")

        pages(1)

        async def talk() -> None:
            for _ in range(500):  # until the last page is full
                await table.say("ada", 1, None, "w" * 200)
                await tables.wait(10_000)

        with pytest.raises(NotStored, match="full"):
            await talk()
        assert tables.storage.trouble is not None
        pages(1_000_000)
        await play(table)
        assert tables.storage.trouble is None

    visit(tmp_path, what)


def test_others_cannot_read_the_files(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        await table_for(tables, ["ada", "ben"], options={"start": 1})
        files = list(tmp_path.glob(FILE + "*"))
        assert len(files) >= 2, "the log that is written ahead too"
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}

    (tmp_path / FILE).touch(mode=0o644)  # as an earlier version created it
    visit(tmp_path, what)


def test_a_server_says_that_it_cannot_store(start: Callable[..., Server]) -> None:
    server = start(game="pinpoint")
    ada = Person(server.address)
    ada.watch(ada.create("me", "me", start=1))
    ada.sit(1, 2)
    ada.begin()
    ada.move()
    assert httpx.get(f"{server.address}/api/health", timeout=HANG).status_code == 200
    n = ada.n
    (server.data / FILE).unlink()
    assert ada.refused("move", seat=ada.said["to_move"][0], move=ada.a_move(), after=n) == "server/storage"
    assert ada.http.post("/api/tables", json={"game": "pinpoint", "seats": [{"for": "me"}] * 2}).status_code == 503
    end = time.monotonic() + HANG
    while (answer := httpx.get(f"{server.address}/api/health", timeout=HANG)).status_code != 503:
        assert time.monotonic() < end
    assert answer.json()["status"] == "storage"
    ada.close()
