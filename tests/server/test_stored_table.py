"""A stored table alone: two of them on the same database, as two servers have them. It publishes nothing."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from quiet_tables import QuietTables, table_for, visit

from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.match import Append, Match
from ludoteca.server import ledger
from ludoteca.server.database.contract import Change
from ludoteca.server.stored_table import StoredTable
from ludoteca.server.tasks import OneAtATime, Tasks


async def stored_twice(tables: QuietTables) -> tuple[StoredTable, StoredTable]:
    table, _ = await table_for(tables, ["ada", "ben"], options={"start": 1})
    found = []
    for _ in range(2):
        read = await tables.storage.read(partial(ledger.find_table, table=table.id))
        assert read is not None
        found.append(StoredTable(tables._services, *read, missed_change=lambda: None))
    return found[0], found[1]


def prepare_first(match: Match, t: int) -> Append:
    assert isinstance(match.game, KernelGame)
    return match.prepare(match.game.moves(match.state)[0], t=t)


def prepare_last(match: Match, t: int) -> Append:
    assert isinstance(match.game, KernelGame)
    return match.prepare(match.game.moves(match.state)[-1], t=t)


def test_the_second_to_write_gets_nothing_and_catches_up(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        one, other = await stored_twice(tables)
        before = other.match.position
        committed = await one.append(partial(prepare_first, one.match), 0, False)
        assert committed is not None
        assert [transition.entry for transition in committed.transitions] == one.match.log[len(other.match.log) :]
        assert committed.before.to_move == before.to_move
        assert await other.append(partial(prepare_last, other.match), 0, False) is None
        assert other.match.position is before, "nothing has changed"
        caught_up = await other.catch_up()
        assert [entry for entry, *_ in caught_up.transitions] == [entry for entry, *_ in committed.transitions]
        assert (await other.catch_up()).transitions == []
        assert other.match.log == one.match.log
        sight = one.running.visibility.sight((1,), 1, one.elapsed())
        assert other.running.journal.entries(sight, 0) == one.running.journal.entries(sight, 0)

    visit(tmp_path, what)


def test_what_was_read_while_the_disk_was_busy_is_committed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def what(tables: QuietTables) -> None:
        one, _ = await stored_twice(tables)
        length, write = len(one.match.log), tables.storage.write

        async def write_and_read(change: Change[Any], about: str = "") -> Any:
            answer = await write(change, about)
            assert (await one.catch_up()).transitions, "somebody reads what was stored a moment ago"
            return answer

        monkeypatch.setattr(tables.storage, "write", write_and_read)
        prepared = prepare_first(one.match, one.elapsed())
        committed = await one.append(lambda t: prepared, 0, False)
        assert committed is not None
        assert committed.transitions == (), "it was published by those who read it"
        assert len(one.match.log) == length + len(prepared.entries)

    visit(tmp_path, what)


def test_work_that_is_asked_for_meanwhile_is_done_once_more() -> None:
    async def what() -> None:
        tasks, may_end, runs = Tasks(), asyncio.Event(), []

        async def work() -> None:
            runs.append(len(runs))
            await may_end.wait()

        refreshing = OneAtATime(tasks, work)
        for _ in range(3):
            refreshing.start()
            await asyncio.sleep(0)
        assert runs == [0]
        may_end.set()
        await tasks.finish()
        assert runs == [0, 1]
        refreshing.start()
        await tasks.finish()
        assert runs == [0, 1, 2]

    asyncio.run(what())
