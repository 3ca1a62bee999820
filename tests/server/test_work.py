"""No request is expensive, however long the log is.

The tests count the entries that the server replays, which is the same number on every machine.
"""

from pathlib import Path
from typing import Any

import pytest
from quiet_tables import QuietTables, play, table_for, visit
from two_worlds import ORDER, SCRIPTS, Asked, Collecting

from ludoteca.core.match import KEPT_EVERY, Match
from ludoteca.server import takebacks
from ludoteca.server.refusals import LogFull, NoTakeback
from ludoteca.server.table import Table


class Replays:
    """Counts the entries that matches replay."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        replay = Match._transition

        def counted(*given: Any) -> Any:
            self.count += 1
            return replay(*given)

        monkeypatch.setattr(Match, "_transition", counted)

    def taken(self) -> int:
        count, self.count = self.count, 0
        return count


async def long_log(table: Table, guest: str, rounds: int) -> None:
    """An attacker moves and takes back as often as the table allows."""
    for _ in range(rounds):
        for _ in range(3):
            await play(table)
        for _ in range(3):
            await table.take_back(guest, None)


def test_no_message_replays_more_than_a_few_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def what(tables: QuietTables) -> None:
        table, _ = await table_for(tables, ["ada", "ada"], options={"start": 1})
        await long_log(table, "ada", 60)
        match = table.match
        assert len(match.log) > 300
        client, replays = Collecting(tables, "ada"), Replays(monkeypatch)
        worst: dict[str, int] = {}
        for verb in ORDER:
            bodies = SCRIPTS[verb](Asked(match.to_move[0], 2, len(match.log), ("Ra1", "Rh8")))
            if verb == "look":
                bodies = [{"entry": entry} for entry in range(0, len(match.log), 5)]
            for body in bodies:
                replays.taken()
                await client.ask(**{"do": verb, "id": verb, "table": table.id, **body})
                worst[verb] = max(worst.get(verb, 0), replays.taken())
        assert set(worst) == set(SCRIPTS)
        assert max(worst.values()) <= KEPT_EVERY + 1, worst
        assert worst["look"] > 0, "something was counted"
        replays.taken()
        table.record("ada")
        table.record(None)
        assert replays.taken() == 0

    visit(tmp_path, what)


def test_every_position_of_a_long_log_is_what_a_replay_finds(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, _ = await table_for(tables, ["ada", "ada"], options={"start": 1})
        await long_log(table, "ada", 12)
        match = table.match
        again = Match(match.game, match.agreed, match.seats, match.seal)
        for number, made in enumerate(again.follow(match.log), start=1):
            found = match.at(number)
            assert found.state.tobytes() == made.after.state.tobytes()
            assert found.conduct == made.after.conduct
        assert len(match._kept) < len(match.log), "not every position is kept"

    visit(tmp_path, what)


def test_takebacks_are_limited(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ada"], options={"start": 1})
        for _ in range(takebacks.MOST_TAKEBACKS):
            await play(table)
            await table.take_back("ada", None)
        await play(table)
        assert windows["ada"].said["takeback"] is None
        with pytest.raises(NoTakeback):
            await table.take_back("ada", None)
        again = await tables.fresh(table)
        with pytest.raises(NoTakeback):
            await again.take_back("ada", None)
        await play(again)

    visit(tmp_path, what)


def test_a_log_has_a_limit_and_the_match_can_still_be_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], options={"start": 1})
        for _ in range(8):
            await play(table)
        monkeypatch.setattr(takebacks, "MOST_ENTRIES", len(table.match.log))
        with pytest.raises(LogFull):
            await play(table)
        with pytest.raises(NoTakeback):
            await table.take_back("ada", 1)
        await play(table, 1, "resign")
        assert windows["ben"].said["result"]["winners"] == [2]

    visit(tmp_path, what)
