"""Clocks, as arithmetic on a record. Whatever they show follows from it, so they show the same after a restart."""

from typing import Any

import pytest

from ludoteca.core import registry
from ludoteca.core.chance import Seal
from ludoteca.core.match import Append, Match
from ludoteca.core.record import Seat
from ludoteca.server import clock
from ludoteca.server.clock import DAY, TABLE, Clock, ClockWanted
from ludoteca.server.refusals import BadClock
from ludoteca.server.service import Service

TURN, BANK = ClockWanted(turn=30), ClockWanted(bank=60, increment=5)


class Timed:
    """A match with its clock; tests say when something happens, in milliseconds since its beginning."""

    def __init__(self, wanted: ClockWanted | None, *bots: str | None, game: str = "pinpoint", **options: Any) -> None:
        seats = [Seat(f"Seat {n}", bot) for n, bot in enumerate(bots or (None, None), start=1)]
        agreed = registry.game(game).agree({"start": 1, "players": len(seats), **options})
        self.wanted = wanted
        self.match = Match(registry.game(game), agreed, seats, Seal.derived("timed", len(seats)))
        self.match.begin(t=0)
        self.service = Service([], 0)
        self.clock = self.after_a_restart()

    def down(self, since: int, until: int) -> int:
        return self.service.missed(since, until)

    def after_a_restart(self) -> Clock | None:
        again = Match(self.match.game, self.match.agreed, self.match.seats, self.match.seal)
        found = clock.first(self.wanted, again, self.down)
        for entry in self.match.log:
            position, _ = again.advanced(again.position, entry)
            found = clock.follow(found, again, entry, position) if found else None
            again.commit(Append(len(again.log), (entry,), position))
        return found

    def play(self, t: int, move: str | None = None, by: int | None = None, lag: int = 0) -> None:
        """The first legal move, unless one is named."""
        append = self.match.prepare(move or self.match.game.moves(self.match.state)[0], by, t=t)  # type: ignore[attr-defined]
        append = clock.stamped(self.clock, self.match, append, t, lag)
        for entry in append.entries:
            position, _ = self.match.advanced(self.match.position, entry)
            self.clock = clock.follow(self.clock, self.match, entry, position) if self.clock else None
            self.match.commit(Append(len(self.match.log), (entry,), position))
        assert self.clock == self.after_a_restart()

    @property
    def shown(self) -> tuple[list[int], list[int | None]]:
        """Whose time runs, and what was left to each when that was last written down."""
        assert self.clock is not None
        return self.clock.running, list(self.clock.left)

    def left(self, seat: int, t: int) -> int | None:
        assert self.clock is not None
        return self.clock.left_at(seat, t)


def test_without_a_clock_there_is_none() -> None:
    assert Timed(None).clock is None


@pytest.mark.parametrize(
    ("wanted", "options"),
    [
        (ClockWanted(), {}),
        (ClockWanted(turn=4), {}),
        (ClockWanted(turn=14 * DAY + 1), {}),
        (ClockWanted(bank=9), {}),
        (ClockWanted(bank=DAY + 1), {}),
        (ClockWanted(bank=60, increment=3601), {}),
        (ClockWanted(turn=30, bank=60), {}),
        (ClockWanted(turn=30, increment=1), {}),
        (ClockWanted(increment=1), {}),
        (TURN, {"turn_seconds": 30}),
        (BANK, {"minutes": 10}),
    ],
)
def test_clocks_that_cannot_be(wanted: ClockWanted, options: dict[str, Any]) -> None:
    with pytest.raises(BadClock):
        clock.check(wanted, options)


def test_clocks_that_can_be() -> None:
    for wanted in (None, TURN, BANK, ClockWanted(bank=10), ClockWanted(turn=14 * DAY)):
        clock.check(wanted, {"turn_seconds": None})
    clock.check(None, {"turn_seconds": 30})
    assert [ClockWanted(turn=seconds).is_slow for seconds in (30, DAY, 3 * DAY)] == [False, True, True]


@pytest.mark.parametrize(("wanted", "options"), [(TURN, {}), (None, {"turn_seconds": 30})])
def test_a_turn_lasts_as_long_as_the_same_seat_is_on_the_move(wanted: ClockWanted, options: dict[str, Any]) -> None:
    timed = Timed(wanted, **options)
    assert timed.shown == ([1], [30_000, None])
    for pin in (1, 2, 3):
        timed.play(pin * 5000)
        assert timed.shown == ([1], [30_000 - pin * 5000, None])
    timed.play(18_000)
    assert timed.shown == ([2], [None, 30_000])
    assert timed.match.log[-1].left == 12_000
    assert timed.left(2, 20_000) == 28_000
    assert timed.left(2, 90_000) == 0


def test_a_bank_is_used_in_ones_own_turns_and_grows_at_their_end() -> None:
    timed = Timed(BANK)
    assert timed.shown == ([1], [60_000, 60_000])
    for t in (1000, 2000, 3000):
        timed.play(t)
    assert timed.shown == ([1], [57_000, 60_000])
    timed.play(10_000)
    assert timed.shown == ([2], [55_000, 60_000])
    assert timed.match.log[-1].left == 55_000
    for t in (10_500, 11_000, 11_500, 30_000):
        timed.play(t)
    assert timed.shown == ([1], [55_000, 45_000])


def test_the_network_is_given_back_within_a_fair_allowance() -> None:
    for lag, left in ((0, 58_000), (120, 58_120), (300, 58_300), (5000, 58_300)):
        timed = Timed(BANK)
        timed.play(2000, lag=lag)
        assert timed.match.log[-1].left == left
    timed = Timed(BANK)
    timed.play(50, lag=200)
    assert timed.match.log[-1].left == 60_000, "and never more than was used"


def test_chance_in_between_ends_no_turn() -> None:
    """Match'n Lock!: a player draws, the table turns up a token, the same player places it."""
    timed = Timed(BANK, game="matchnlock")
    timed.play(1000, "draw")
    assert [entry.by for entry in timed.match.log[-2:]] == [1, 0]
    assert timed.shown == ([1], [59_000, 60_000])
    timed.play(3000)
    assert timed.shown == ([2], [62_000, 60_000])


def test_bots_have_no_clock() -> None:
    timed = Timed(BANK, "club", None)
    assert timed.shown == ([], [None, 60_000])
    for _ in range(4):
        timed.play(20_000)
    assert timed.match.log[-1].left is None
    assert timed.shown == ([2], [None, 60_000])
    assert timed.left(2, 21_000) == 59_000
    assert Timed(TURN, "club", None).shown == ([], [None, None])


def test_a_seat_that_a_bot_plays_for_has_no_clock_until_its_person_is_back() -> None:
    timed = Timed(BANK)
    timed.play(10_000, "bot 1", 0)
    assert timed.shown == ([], [50_000, 60_000])
    timed.play(20_000)
    assert timed.match.log[-1].left is None
    timed.play(25_000, "back 1", 0)
    assert timed.shown == ([1], [50_000, 60_000])
    assert timed.left(1, 26_000) == 49_000


def test_a_takeback_leaves_the_clocks_as_they_are() -> None:
    timed = Timed(BANK)
    for t in (1000, 2000, 3000, 10_000):
        timed.play(t)
    fourth = len(timed.match.log)
    timed.play(14_000, f"takeback {fourth - 1}", 0)
    assert timed.shown == ([1], [55_000, 56_000])
    assert timed.left(1, 15_000) == 54_000
    turned = Timed(TURN)
    for t in (1000, 2000, 3000, 10_000):
        turned.play(t)
    turned.play(14_000, f"takeback {fourth - 1}", 0)
    assert turned.shown == ([1], [30_000, None])


def test_conduct_takes_time_but_ends_no_turn() -> None:
    timed = Timed(BANK)
    timed.play(4000, "offer draw", 1)
    assert (timed.match.log[-1].left, timed.shown) == (56_000, ([1], [56_000, 60_000]))
    timed.play(5000, "decline", 2)
    assert timed.match.log[-1].left is None
    assert timed.left(1, 6000) == 54_000


def test_a_late_seat_may_still_move() -> None:
    timed = Timed(BANK)
    assert timed.clock is not None
    assert timed.clock.runs_out(1000) == (59_000, 1)
    timed.play(60_000, "timeout 1", 0)
    assert timed.shown == ([], [0, 60_000])
    assert timed.clock.runs_out(61_000) is None
    for t in (61_000, 62_000, 63_000):
        timed.play(t)
        assert timed.match.position.conduct.late == {1}
    timed.play(64_000)
    assert timed.match.position.conduct.late == frozenset(), "its turn is over"
    assert timed.shown == ([2], [5000, 60_000]), "with the increment of its turn"
    turned = Timed(TURN)
    turned.play(30_000, "timeout 1", 0)
    for _ in range(4):
        turned.play(31_000)
    assert turned.shown == ([2], [None, 30_000])


def test_a_turn_in_which_somebody_was_late_is_taken_back() -> None:
    timed = Timed(TURN)
    for t in (1000, 2000, 3000, 4000):
        timed.play(t)
    timed.play(34_000, "timeout 2", 0)
    assert timed.shown == ([], [None, 0])
    timed.play(35_000, f"takeback {len(timed.match.log) - 2}", 0)
    assert timed.shown == ([1], [30_000, None])
    timed.play(36_000, "offer draw", 2)
    assert (timed.match.log[-1].left, timed.shown) == (None, ([1], [30_000, None]))


def test_after_the_end_nothing_runs() -> None:
    for wanted in (TURN, BANK):
        timed = Timed(wanted)
        timed.play(7000, "resign", 2)
        assert timed.clock is not None
        assert timed.clock.running == []
        assert timed.clock.runs_out(8000) is None


def test_downtime_is_charged_to_nobody() -> None:
    timed = Timed(BANK)
    timed.play(10_000)
    timed.service = Service([(0, 12_000), (40_000, 41_000)], 100_000)
    assert timed.left(1, 12_000) == 48_000
    assert timed.left(1, 40_000) == 48_000
    assert timed.left(1, 101_000) == 46_000
    timed.play(102_000)
    assert timed.match.log[-1].left == 45_000


def test_the_clock_of_a_whole_match_runs_from_the_first_turn_for_everybody() -> None:
    timed = Timed(None, "club", None, game="aftaebr", minutes=2)
    assert timed.shown == ([], [None])
    timed.play(1000)
    timed.play(2000)
    assert timed.shown == ([TABLE], [120_000])
    timed.play(12_000)
    assert timed.match.log[-1].left == 110_000
    assert timed.left(TABLE, 22_000) == 100_000
    timed.play(122_000, "time", 0)
    assert timed.match.result is not None
    assert timed.match.result.reason == "time"
    assert timed.shown[0] == []


def test_what_was_missed() -> None:
    service = Service([(0, 100), (50, 120), (200, 300)], 400)
    assert service.missed(0, 1000) == 80 + 100
    assert service.missed(130, 210) == 70
    assert service.missed(210, 290) == 0
    assert service.missed(390, 500) == 10
    assert service.missed(500, 600) == 0
    assert Service([], 400).missed(0, 500) == 0
