"""Leaving, being away, bots that stand in, coming back, and spectators."""

from collections.abc import Callable
from pathlib import Path

import pytest
from guests_at_tables import Person
from quiet_tables import QuietTables, Window, play, table_for, visit
from test_table import two_at_a_table

from ludoteca.core.errors import IllegalMove, StaleMatch
from ludoteca.server.clock import DAY, ClockWanted
from ludoteca.server.presence import ABSENCE, GRACE
from ludoteca.server.refusals import NoStandIn, NotYourSeat

Comes = Callable[[], Person]


def test_the_others_see_who_is_away_and_for_how_long(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], options={"start": 1})
        ada, ben = windows.values()
        seat = ben.said["seats"][0]
        assert (seat["here"], seat["away"], seat["gone_ms"], seat["can_stand_in"]) == (True, False, None, False)
        second = Window("ada")
        table.join(second, 0)
        table.leave(ada)
        assert ben.said["seats"][0]["here"], "she has another window"
        table.leave(second)
        seat = ben.said["seats"][0]
        assert (seat["here"], seat["away"], seat["gone_ms"], seat["can_stand_in"]) == (False, True, 0, False)
        await tables.wait(GRACE - 1)
        assert not ben.said["seats"][0]["can_stand_in"]
        await tables.wait(1)
        seat = ben.said["seats"][0]
        assert (seat["gone_ms"], seat["can_stand_in"]) == (GRACE, True)
        table.join(ada, 0)
        seat = ben.said["seats"][0]
        assert (seat["here"], seat["away"], seat["can_stand_in"]) == (True, False, False)

    visit(tmp_path, what)


def test_a_bot_stands_in_until_the_person_is_back(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], options={"start": 1})
        ada, ben = windows.values()
        table.leave(ada)
        await tables.wait(1000)
        with pytest.raises(NoStandIn):
            await table.stand_in("ben", 2, 1)
        await tables.wait(GRACE)
        with pytest.raises(NotYourSeat):
            await table.stand_in("cleo", 2, 1)
        await table.stand_in("ben", 2, 1)
        await tables.settle()
        assert ben.moves[1] == "bot 1"
        assert [entry["by"] for entry in ben.log[2:]] == [1] * 4
        assert ben.said["to_move"] == [2]
        assert ben.said["seats"][0]["standin"]
        assert not ben.said["seats"][0]["can_stand_in"]
        assert not ben.said["claimable"], "a bot that stands in is not a resignation"
        with pytest.raises(NoStandIn):
            await table.stand_in("ben", 2, 1)
        table.join(ada, 0)
        assert await table.come_back("ada") == 1
        assert (ben.moves[-1], ben.said["claimable"], ben.said["seats"][0]["standin"]) == ("back 1", False, False)
        assert await table.come_back("ada") == 0
        for _ in range(4):
            await play(table)
        assert ben.said["to_move"] == [1]
        assert ben.said["thinking"] is None

    visit(tmp_path, what)


@pytest.mark.parametrize("clock", [None, ClockWanted(bank=600), ClockWanted(turn=60), ClockWanted(turn=14 * DAY)])
@pytest.mark.parametrize("start", [1, 2])
def test_nobody_wins_by_a_claim_against_somebody_who_is_merely_away(
    tmp_path: Path, clock: ClockWanted | None, start: int
) -> None:
    """14.1: a claim won after a stand-in of 31 seconds, even at 14 days a turn and in the claimer's own turn."""

    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], clock=clock, options={"start": start})
        ada, ben = windows.values()
        table.leave(ada)
        await tables.wait(31_000)
        if clock is None:
            await table.stand_in("ben", 2, 1)
            await tables.settle()
        else:
            assert not ben.said["seats"][0]["can_stand_in"]
            with pytest.raises(NoStandIn):
                await table.stand_in("ben", 2, 1)
        assert not ben.said["claimable"]
        with pytest.raises(IllegalMove, match="none was away for too long"):
            await play(table, 2, "claim")

    visit(tmp_path, what)


def test_without_a_clock_one_may_be_away_in_ones_own_turn_for_a_time_that_the_table_shows(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], options={"start": 2})
        ada, ben = windows.values()
        table.leave(ada)
        await tables.wait(2 * ABSENCE)
        assert (ben.said["seats"][0]["claim_in_ms"], ben.said["claimable"]) == (None, False), "it is ben's own turn"
        with pytest.raises(IllegalMove):
            await play(table, 2, "claim")
        for _ in range(4):
            await play(table)
        table.join(ben, 0)
        assert ben.said["seats"][0]["claim_in_ms"] == ABSENCE
        await tables.wait(ABSENCE - 1)
        assert not ben.said["claimable"]
        table.join(ada, 0)
        await tables.wait(ABSENCE)
        assert (ben.said["seats"][0]["claim_in_ms"], ben.said["claimable"]) == (None, False), "ada was here in time"
        table.leave(ada)
        await tables.wait(ABSENCE)
        assert (ben.moves[-1], ben.said["claimable"]) == ("gone 1", True)
        table.join(ada, 0)
        await table.come_back("ada")
        assert (ben.moves[-1], ben.said["claimable"]) == ("back 1", False), (
            "who comes back before the claim has lost nothing"
        )
        with pytest.raises(IllegalMove):
            await play(table, 2, "claim")
        table.leave(ada)
        await tables.wait(ABSENCE)
        await play(table, 2, "claim")
        assert ben.said["result"] == {"winners": [2], "scores": [0, 4], "reason": "claimed"}
        assert (ben.log[-1]["message"]["key"], ben.log[-1]["marks"]["late"]) == ("core.said.claim_gone", [])

    visit(tmp_path, what)


def test_whom_a_bot_moved_for_is_gone_no_more(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], options={"start": 1})
        ada, ben = windows.values()
        table.leave(ada)
        await tables.wait(ABSENCE)
        assert ben.said["claimable"]
        await table.stand_in("ben", 2, 1)
        await tables.settle()
        assert ben.said["to_move"] == [2]
        assert (ben.said["claimable"], table.match.position.conduct.gone) == (False, frozenset())

    visit(tmp_path, what)


def test_a_late_person_who_is_here_takes_over_with_a_move(tmp_path: Path) -> None:
    """The move was made for the position that they saw. Their return does not make it stale."""

    async def what(tables: QuietTables) -> None:
        clock = ClockWanted(turn=5)
        table, windows = await table_for(tables, ["ada", "ben", "cleo"], clock=clock, options={"start": 1})
        await tables.wait(5000)
        await table.stand_in("ben", 2, 1)
        match = table.match
        await tables.settle()
        assert match.to_move == (2,)
        for seat in (2, 3):
            for _ in range(4):
                await play(table, seat)
        await tables.settle()
        assert match.to_move == (2,), "the bot has played the turn of seat 1"
        n = len(match.log)
        with pytest.raises(IllegalMove):
            await table.move("ada", 1, "Ra1", n)
        assert (match.log[-1].move, len(match.log)) == ("back 1", n + 1)
        with pytest.raises(StaleMatch):
            await table.move("ada", 1, "resign", n)
        assert windows["ada"].said["seats"][0]["standin"] is False

    visit(tmp_path, what)


def test_nobody_stands_in_for_bots_for_oneself_or_after_the_end(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben", None], options={"start": 1})
        await tables.wait(GRACE)
        for seat in (1, 3):
            with pytest.raises(NoStandIn):
                await table.stand_in("ada", 1, seat)
        table.leave(windows["ben"])
        await tables.wait(GRACE)
        assert windows["ada"].said["seats"][1]["can_stand_in"]
        await play(table, 2, "resign")
        assert not windows["ada"].said["seats"][1]["can_stand_in"], "a bot plays on for whoever resigned"
        with pytest.raises(NoStandIn):
            await table.stand_in("ada", 1, 2)
        back = Window("ben")
        table.join(back, 0)
        assert await table.come_back("ben") == 0, "and they are not back"
        assert [(seat["standin"], seat["out"]) for seat in back.said["seats"]] == [
            (False, False),
            (True, True),
            (False, False),
        ]

    visit(tmp_path, what)


def test_after_a_restart_everybody_is_away_from_then_on(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, _ = await table_for(tables, ["ada", "ben"], options={"start": 1})
        await tables.wait(10 * GRACE)
        again = await tables.fresh(table)
        ben = Window("ben")
        again.join(ben, 0)
        assert (ben.said["seats"][0]["gone_ms"], ben.said["seats"][0]["can_stand_in"]) == (0, False)
        await tables.wait(GRACE)
        assert ben.said["seats"][0]["can_stand_in"]

    visit(tmp_path, what)


def test_those_who_watch_are_counted(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], options={"start": 1})
        await tables.wait(5000)
        assert windows["ada"].said["watching"] == 0
        strangers = [Window(None), Window("cleo"), Window("dan")]
        before = len(windows["ada"].sent)
        for stranger in strangers:
            table.join(stranger, 0)
        await tables.wait(1000)
        assert windows["ada"].said["watching"] == 3
        assert len(windows["ada"].sent) == before + 1, "many come at once, and that is told once"
        assert windows["ada"].sent[-1]["entries"] == []
        table.leave(strangers[0])
        await tables.wait(1000)
        assert windows["ada"].said["watching"] == 2

    visit(tmp_path, what)


def test_away_and_back_over_the_wire(person: Comes) -> None:
    ada, ben = two_at_a_table(person, start=1)
    ada.done("ping")
    ada.done("ping", table=ada.table)
    assert ben.refused("standin", seat=2, **{"for": 1}) == "standin/refused"
    assert ben.refused("standin", seat=1, **{"for": 2}) == "seat/not-yours"
    assert ben.refused("standin", seat=2, **{"for": 9}) == "seat/unknown"
    assert ben.refused("move", seat=2, move="claim", after=ben.n) == "move/illegal"
