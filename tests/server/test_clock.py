"""Clocks as arithmetic on a record. They follow from the record alone, so a restart does not change them."""

import re
from pathlib import Path
from typing import Any

import pytest

from ludoteca.core import registry
from ludoteca.core.chance import Seal
from ludoteca.core.game import WHOLE_MATCH, TimeLimits
from ludoteca.core.match import Match, Transition
from ludoteca.core.record import Entry, Seat
from ludoteca.server import clock
from ludoteca.server.clock import DAY, LONGEST_SHOW, SHOW_CHANCE, SHOW_MOVE, Clock, ClockWanted
from ludoteca.server.refusals import BadClock
from ludoteca.server.uptime import Uptime

TURN, BANK = ClockWanted(turn=30), ClockWanted(bank=60, increment=5)


class Timed:
    """A match with its clock. Tests say when something happens, in milliseconds since the beginning."""

    def __init__(
        self, wanted: ClockWanted | None, *bots: str | None, game: str = "pinpoint", seed: str = "", **options: Any
    ) -> None:
        seats = [Seat(f"Seat {n}", bot) for n, bot in enumerate(bots or (None, None), start=1)]
        agreed = registry.game(game).agree({"start": 1, "players": len(seats), **options})
        self.wanted = wanted
        self.match = Match(registry.game(game), agreed, seats, Seal.derived("timed", len(seats), seed))
        self.match.begin(t=0)
        self.uptime = Uptime([], 0)
        self.clock = self.after_a_restart()

    def down(self, since: int, until: int) -> int:
        return self.uptime.downtime(since, until)

    def after_a_restart(self) -> Clock | None:
        again = Match(self.match.game, self.match.agreed, self.match.seats, self.match.seal)
        found = clock.first(self.wanted, again, self.down)
        for made in again.follow(self.match.log):
            found = clock.follow(found, again, made) if found else None
        return found

    def play(self, t: int, move: str | None = None, by: int | None = None, lag: int = 0) -> None:
        """Play the first legal move, unless one is named."""
        append = self.match.prepare(move or self.match.game.moves(self.match.state)[0], by, t=t)  # type: ignore[attr-defined]
        append = clock.stamped(self.clock, self.match, append, t, lag)
        self.match.commit(append)
        for made in append.transitions:
            self.clock = clock.follow(self.clock, self.match, made) if self.clock else None
        assert self.clock == self.after_a_restart()

    @property
    def shown(self) -> tuple[list[int], list[int | None]]:
        """Return whose time runs, and the time of each seat when it was last recorded."""
        assert self.clock is not None
        return self.clock.running, list(self.clock.left[1:])

    def left(self, seat: int, t: int) -> int | None:
        assert self.clock is not None
        return self.clock.left_at(seat, t)


def test_without_a_clock_there_is_none() -> None:
    assert Timed(None).clock is None


@pytest.mark.parametrize(
    ("wanted", "limits"),
    [
        (ClockWanted(), None),
        (ClockWanted(turn=4), None),
        (ClockWanted(turn=14 * DAY + 1), None),
        (ClockWanted(bank=9), None),
        (ClockWanted(bank=DAY + 1), None),
        (ClockWanted(bank=60, increment=3601), None),
        (ClockWanted(turn=30, bank=60), None),
        (ClockWanted(turn=30, increment=1), None),
        (ClockWanted(increment=1), None),
        (TURN, TimeLimits(turn=30)),
        (BANK, TimeLimits(match=600)),
    ],
)
def test_clocks_that_cannot_be(wanted: ClockWanted, limits: TimeLimits | None) -> None:
    with pytest.raises(BadClock):
        clock.check(wanted, limits)


def test_clocks_that_can_be() -> None:
    for wanted in (None, TURN, BANK, ClockWanted(bank=10), ClockWanted(turn=14 * DAY)):
        clock.check(wanted, None)
    clock.check(None, TimeLimits(turn=30))
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


def test_late_pongs_buy_little_time() -> None:
    """14.8: the network's delay is given back, up to an allowance that depends on the time control."""
    for wanted, pins, most in ((ClockWanted(bank=60), 12, 300 + 2 * 30), (ClockWanted(bank=3600), 12, 1500 + 2 * 500)):
        timed, taken, given = Timed(wanted), 0, 0
        for _ in range(pins):
            began = timed.match.log[-1].t or 0
            before = timed.left(1, began)
            timed.play(began + 280, lag=5000)
            taken, given = taken + 280, given + 280 - ((before or 0) - (timed.match.log[-1].left or 0))
            while timed.match.to_move == (2,):
                timed.play((timed.match.log[-1].t or 0) + 1000)
        assert taken == 12 * 280
        assert given <= most


def test_time_in_which_a_page_shows_what_others_did_is_nobodys() -> None:
    """12 A3: three bots put twelve pins at once, and a page needs 0.65 s to show each of them."""
    timed = Timed(None, "club", "club", "club", None, turn_seconds=15)
    for _ in range(12):
        timed.play(5000)
    assert timed.clock is not None
    shown_at = 5000 + 11 * SHOW_MOVE  # the first pin is shown at once
    assert (timed.clock.running, timed.clock.starts_in(5000)) == ([4], 11 * SHOW_MOVE)
    assert timed.clock.starts_in(7000) == shown_at - 7000
    assert timed.left(4, shown_at) == 15_000
    assert timed.left(4, shown_at + 3000) == 12_000
    assert timed.clock.runs_out(5000) == (11 * SHOW_MOVE + 15_000, 4)


def test_a_page_shows_entries_at_the_pace_that_the_server_reckons_with() -> None:
    queue = (Path(__file__).parents[2] / "web" / "src" / "lib" / "entry-queue.svelte.ts").read_text()
    paces = dict(re.findall(r"const (\w*PACE) = (\d+);", queue))
    assert (int(paces["PACE"]), int(paces["CHANCE_PACE"])) == (SHOW_MOVE, SHOW_CHANCE)


def test_opponents_who_take_their_time_give_none_away() -> None:
    """A page with nothing else to show puts an entry on the board at once. Conduct gives no time."""
    timed = Timed(TURN)
    for t in (1000, 2000, 3000, 4000):
        timed.play(t)
    assert (timed.clock and timed.clock.starts_in(4000), timed.left(2, 5000)) == (0, 29_000)
    for _ in range(5):
        timed.play(5000, "offer draw", 1)
        timed.play(5000, "withdraw", 1)
    assert timed.left(2, 6000) == 28_000


def test_a_page_is_given_so_much_time_to_show_and_no_more() -> None:
    timed = Timed(TURN)
    assert timed.clock is not None
    made = Transition(Entry(1, "Ra1", 1000), None, timed.match.position, timed.match.position)
    for _ in range(100):
        timed.clock = timed.clock._replace(shown=clock._shown(timed.clock, made))
    assert timed.clock.shown[1:] == (1000, 1000 + LONGEST_SHOW)


def test_chance_in_between_ends_no_turn() -> None:
    """Match'n Lock!: a player draws, the table reveals a token, the same player places it."""
    timed = Timed(BANK, game="matchnlock")
    timed.play(1000, "draw")
    assert [entry.by for entry in timed.match.log[-2:]] == [1, 0]
    assert timed.shown == ([1], [59_000, 60_000])
    assert timed.left(1, 1000 + SHOW_CHANCE) == 59_000, "while the page turns the token up, no time is lost"
    timed.play(3000)
    assert timed.shown == ([2], [62_000 + SHOW_CHANCE, 60_000])


def test_bots_have_no_clock() -> None:
    timed = Timed(BANK, "club", None)
    assert timed.shown == ([], [None, 60_000])
    for _ in range(4):
        timed.play(20_000)
    assert timed.match.log[-1].left is None
    assert timed.shown == ([2], [None, 60_000])
    assert timed.left(2, 20_000 + 3 * SHOW_MOVE + 1000) == 59_000
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
    timed.uptime = Uptime([(0, 12_000), (40_000, 41_000)], 100_000)
    assert timed.left(1, 12_000) == 48_000
    assert timed.left(1, 40_000) == 48_000
    assert timed.left(1, 101_000) == 46_000
    timed.play(102_000)
    assert timed.match.log[-1].left == 45_000


def test_the_time_of_the_match_runs_from_the_first_turn_for_everybody() -> None:
    timed = Timed(None, "club", None, game="aftaebr", minutes=2)
    assert (timed.clock and timed.clock.running, timed.left(WHOLE_MATCH, 500)) == ([], 120_000)
    timed.play(1000)
    assert timed.shown == ([2], [None, 30_000])
    timed.play(2000)
    assert timed.shown == ([WHOLE_MATCH], [None, None])
    timed.play(12_000)
    assert timed.shown == ([WHOLE_MATCH, 2], [None, 30_000])
    assert timed.left(WHOLE_MATCH, 22_000) == 100_000
    timed.play(122_000, "time", 0)
    assert timed.shown == ([2], [None, 30_000]), "the round is finished, turn by turn"
    assert timed.left(2, 123_000) == 0
    timed.play(123_000, "timeout 2", 0)
    assert timed.match.result is not None
    assert timed.match.result.reason == "time"
    assert timed.shown[0] == []


def test_an_extra_turn_has_a_time_of_its_own() -> None:
    for wanted, options, left in (
        (None, {"minutes": 9}, 30_000),
        (TURN, {}, 30_000),
        (BANK, {}, 60_000 + 3 * (5000 - 1000)),
    ):
        timed = Timed(wanted, game="aftaebr", **options)
        for n, move in enumerate(("colour G", "colour B", "G1a1", "B2a2", "G3a3", "B4a4"), start=1):
            timed.play(1000 * n, move)
        assert timed.match.to_move == (2,)
        assert (timed.clock and timed.clock.running[-1], timed.left(2, 6000)) == (2, left)


def test_a_turn_that_chance_finished_may_be_followed_by_an_extra_one() -> None:
    for seed in range(200):
        timed = Timed(None, game="aftaebr", minutes=9, seed=f"{seed}")
        for move in ("colour G", "colour B", "G1a1", "B2a2", "G3a3", "B2f6", "G3f5"):
            timed.play(1000, move)
        timed.play(31_000, "timeout 2", 0)
        if timed.match.to_move == (2,):
            break
    assert timed.match.to_move == (2,), "chance completed a sequence"
    assert timed.left(2, 31_000) == 30_000


def test_what_was_missed() -> None:
    uptime = Uptime([(0, 100), (50, 120), (200, 300)], 400)
    assert uptime.downtime(0, 1000) == 80 + 100
    assert uptime.downtime(130, 210) == 70
    assert uptime.downtime(210, 290) == 0
    assert uptime.downtime(390, 500) == 10
    assert uptime.downtime(500, 600) == 0
    assert Uptime([], 400).downtime(0, 500) == 0
