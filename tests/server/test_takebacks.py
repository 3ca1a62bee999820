"""Takebacks by agreement, offers of a draw, and the next match."""

from pathlib import Path

import pytest
from quiet_tables import QuietTables, Window, clock_shown, play, table_for, visit

from ludoteca.core.errors import BadOption, IllegalMove, UnknownGame
from ludoteca.server.clock import ClockWanted
from ludoteca.server.refusals import NoTakeback, NothingAsked, NotYourSeat, StillRunning, TooManyRequests

THREE = ["ada", "ben", "cleo"]


def test_all_the_others_must_agree(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, THREE, options={"start": 1})
        stranger = Window("dan")
        table.join(stranger, 0)
        ada, ben, cleo = windows.values()
        await play(table)
        n = ada.said["n"]
        await table.take_back("ada", None)
        assert cleo.said["asked"] == {"what": "takeback", "seat": 1, "target": n - 1, "yes": []}
        await tables.wait(2000)
        assert stranger.said["asked"] is None
        with pytest.raises(NoTakeback):
            await table.take_back("ada", 1)
        for guest, seat in (("ada", 1), ("dan", 1)):
            with pytest.raises((NothingAsked, NotYourSeat)):
                await table.answer(guest, seat, True)
        await table.answer("ben", 2, True)
        assert (ada.said["asked"]["yes"], ada.said["n"]) == ([2], n)
        await table.answer("cleo", 3, True)
        assert (ada.moves[-1], ben.said["asked"], ben.said["to_move"]) == (f"takeback {n - 1}", None, [1])
        with pytest.raises(NothingAsked):
            await table.answer("ben", 2, True)

    visit(tmp_path, what)


def test_one_who_resigned_takes_nothing_back(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, THREE, options={"start": 1})
        await play(table)
        await play(table, 1, "resign")
        assert table.match.result is None
        assert windows["ada"].said["takeback"] is None
        with pytest.raises(NoTakeback):
            await table.take_back("ada", 1)

    visit(tmp_path, what)


@pytest.mark.parametrize("drops", ["no", "a move", "leaving", "resigning"])
def test_what_is_asked_is_dropped(tmp_path: Path, drops: str) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], options={"start": 1})
        await play(table)
        await table.take_back("ada", 1)
        assert windows["ben"].said["asked"]
        if drops == "no":
            await table.answer("ben", 2, False)
        elif drops == "a move":
            await play(table)
        elif drops == "leaving":
            table.leave(windows["ada"])
        else:
            await play(table, 1, "resign")
        assert windows["ben"].said["asked"] is None
        with pytest.raises(NothingAsked):
            await table.answer("ben", 2, True)
        assert not any("takeback" in move for move in windows["ben"].moves)

    visit(tmp_path, what)


def test_only_people_who_play_are_asked(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben", None, "ada"], options={"start": 1})
        await play(table)
        assert windows["ada"].said["takeback"] == {"target": 1, "free": False}
        await play(table, 2, "resign")
        assert windows["ada"].said["takeback"] == {"target": 1, "free": True}, "whoever is out has no say"
        await table.take_back("ada", 1)
        assert table.match.log[-1].move == "takeback 1"
        assert table.match.position.conduct.out == {2}, "and stays out"
        assert table.match.position.conduct.away == {2}

    visit(tmp_path, what)


def test_one_answer_holds_for_all_seats_of_a_guest(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben", "ben"], options={"start": 1})
        await play(table)
        await table.take_back("ada", 1)
        await table.answer("ben", 3, True)
        assert windows["ada"].moves[-1] == "takeback 1"

    visit(tmp_path, what)


def declined(window: Window) -> list[tuple[int, int]]:
    return [(message["seat"], message["by"]) for message in window.sent if message["type"] == "declined"]


def test_the_asker_is_told_that_a_takeback_was_refused(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, THREE, options={"start": 1})
        ada, ben, cleo = windows.values()
        await play(table)
        await table.take_back("ada", 1)
        await table.answer("cleo", 3, True)
        assert declined(ada) == []
        await table.answer("ben", 2, False)
        assert (declined(ada), declined(ben), declined(cleo)) == ([(1, 2)], [], [])
        assert ada.said["asked"] is None
        for _ in range(3):
            await play(table)
        await table.take_back("ada", 1)
        await play(table)
        assert declined(ada) == [(1, 2), (1, 2)], "ben moved on: that is an answer too"
        await table.take_back("ben", 2)
        await play(table)
        assert declined(ben) == [], "who moves on asks no more"

    visit(tmp_path, what)


def test_nobody_is_asked_again_and_again(tmp_path: Path) -> None:
    """14: three questions at once, then one every 30 seconds; draws and takebacks count together."""

    async def what(tables: QuietTables) -> None:
        table, _ = await table_for(tables, ["ada", "ben"], options={"start": 1})
        await play(table)
        for _ in range(2):
            await play(table, 1, "offer draw")
            with pytest.raises(IllegalMove):
                await play(table, 1, "offer draw")  # the rules refuse it, so it does not count
            await play(table, 2, "decline")
        await table.take_back("ada", 1)
        await table.answer("ben", 2, False)
        for _ in range(2):
            with pytest.raises(TooManyRequests):
                await play(table, 1, "offer draw")
            with pytest.raises(TooManyRequests):
                await table.take_back("ada", 1)
        await play(table, 2, "offer draw")
        await play(table, 2, "withdraw")
        await tables.wait(30_000)
        await table.take_back("ada", 1)
        await table.answer("ben", 2, False)
        with pytest.raises(TooManyRequests):
            await play(table, 1, "offer draw")

    visit(tmp_path, what)


def test_a_takeback_never_goes_past_chance(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, ["ada", "ben"], "matchnlock", options={"start": 1})
        await play(table, move="draw")
        assert windows["ada"].said["takeback"] is None
        with pytest.raises(NoTakeback):
            await table.take_back("ada", 1)

    visit(tmp_path, what)


def test_a_takeback_leaves_the_banks_alone(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        clock = ClockWanted(bank=60, increment=5)
        table, windows = await table_for(tables, ["ada", "ben"], clock=clock, options={"start": 1})
        for _ in range(4):
            await tables.wait(1000)
            await play(table)
        await tables.wait(1000)
        await table.take_back("ada", 1)
        await tables.wait(1000)
        await table.answer("ben", 2, True)
        assert windows["ada"].said["clock"] == clock_shown("bank", [1], [61_000, 58_000])

    visit(tmp_path, what)


def test_an_offer_of_a_draw_is_told(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, windows = await table_for(tables, THREE, options={"start": 1})
        ada, ben, _ = windows.values()
        assert (ada.said["offer"], ada.said["accepted"], ada.said["can_draw"]) == (None, [], True)
        await play(table, 2, "offer draw")
        assert (ada.said["offer"], ada.said["accepted"]) == (2, [])
        await play(table, 1, "accept")
        assert (ben.said["offer"], ben.said["accepted"]) == (2, [1])
        await play(table, 3, "decline")
        assert (ben.said["offer"], ben.said["accepted"]) == (None, [])
        await play(table, 2, "offer draw")
        for seat in (1, 3):
            await play(table, seat, "accept")
        assert ben.said["result"]["reason"] == "agreed"

    visit(tmp_path, what)


# The next match


def test_the_same_people_at_another_game(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        clock = ClockWanted(turn=60)
        table, windows = await table_for(tables, ["ada", "ben", None], clock=clock, delay=5, chat=False, open=True)
        with pytest.raises(StillRunning):
            await tables.rematch(table, "ada", "aftaebr")
        for seat in (1, 2):
            await table.move(table.row.seat(seat).guest, seat, "resign", len(table.match.log))
        with pytest.raises(NotYourSeat):
            await tables.rematch(table, "cleo", None)
        with pytest.raises(UnknownGame):
            await tables.rematch(table, "ada", "chess")
        with pytest.raises(BadOption):
            await tables.rematch(table, "ada", "tictacmatch")
        again = await tables.table(await tables.rematch(table, "ben", "aftaebr"))
        assert await tables.rematch(table, "ada", "pinpoint") == again.id, "the first who asked has chosen"
        assert windows["ada"].said["rematch"] == again.id
        row = again.row
        assert (row.game, row.options["players"], row.clock, row.delay, row.chat, row.open, row.creator) == (
            "aftaebr", 3, clock, 5, False, False, "ben",
        )  # fmt: skip
        assert [seat.bot or seat.reserved for seat in row.seats] == ["novice", "ada", "ben"]

    visit(tmp_path, what)


def test_the_same_game_keeps_its_options(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        table, _ = await table_for(tables, ["ada", "ben"], options={"start": 1, "turn_seconds": 30})
        await play(table, 1, "resign")
        again = await tables.table(await tables.rematch(table, "ada", "pinpoint"))
        assert again.row.options["turn_seconds"] == 30
        assert again.row.clock is None

    visit(tmp_path, what)
