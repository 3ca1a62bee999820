"""The clock of a turn."""

import time
from collections.abc import Callable

from guests_at_tables import Person, Server
from test_table import sat_down

from ludoteca.core.match import Match
from ludoteca.core.record import Seat
from ludoteca.server import clock
from ludoteca.server.clock import Clock

Comes = Callable[[], Person]


def match(*bots: str | None, **options: object) -> Match:
    seats = [Seat(f"Seat {n}", bot) for n, bot in enumerate(bots or (None, None), start=1)]
    return Match.new("pinpoint", {"start": 1, "players": len(seats), **options}, seats)


def play(played: Match, turns: int, left: int | None = None) -> None:
    for _ in range(turns):
        move = played.game.moves(played.state)[0]  # type: ignore[attr-defined]
        played.commit(played.prepare(move, left=left))


def test_without_a_limit_there_is_none() -> None:
    assert clock.follow(None, match(), 100.0) is None


def test_a_turn_lasts_as_long_as_the_same_seat_is_on_the_move() -> None:
    played = match(turn_seconds=30)
    first = clock.follow(None, played, 100.0)
    assert first == Clock(1, 130.0)
    play(played, 3)
    assert clock.follow(first, played, 120.0) == first
    play(played, 1)
    assert clock.follow(first, played, 125.0) == Clock(2, 155.0)


def test_bots_have_none() -> None:
    assert clock.follow(None, match("club", None, turn_seconds=30), 100.0) is None


def test_after_the_end_there_is_none() -> None:
    played = match(turn_seconds=30)
    played.play("resign", by=2)
    assert clock.follow(Clock(1, 130.0), played, 101.0) is None


def test_downtime_is_charged_to_nobody() -> None:
    """What was left after the last pin of the turn is left when the server is back, however late."""
    played = match(turn_seconds=30)
    assert clock.resumed(played, 1000.0) == Clock(1, 1030.0)
    play(played, 2, left=12_500)
    assert clock.resumed(played, 1000.0) == Clock(1, 1012.5)
    played.play("offer draw", by=2)
    assert clock.resumed(played, 1000.0) == Clock(1, 1012.5)
    play(played, 2, left=1_000)
    assert clock.resumed(played, 1000.0) == Clock(2, 1030.0)


def test_what_is_left_is_told_in_whole_milliseconds() -> None:
    assert Clock(1, 130.0).left_ms(100.0) == 30_000
    assert Clock(1, 130.0).left_ms(129.9995) == 1
    assert Clock(1, 130.0).left_ms(140.0) == 0


def timed_aftaebr(*bots: str | None) -> Match:
    seats = [Seat(f"Seat {n}", bot) for n, bot in enumerate(bots or (None, None), start=1)]
    return Match.new("aftaebr", {"start": 1, "players": len(seats), "minutes": 2}, seats)


def test_the_clock_of_a_whole_match_runs_from_the_first_turn_for_everybody() -> None:
    played = timed_aftaebr("club", None)
    assert clock.follow(None, played, 100.0) is None
    play(played, 2)
    whole = clock.follow(None, played, 100.0)
    assert whole == Clock(clock.TABLE, 220.0)
    assert whole.move == "time"
    play(played, 5)
    assert clock.follow(whole, played, 150.0) == whole
    played.play(whole.move, by=0)
    assert played.result is not None
    assert played.result.reason == "time"
    assert clock.follow(whole, played, 220.0) is None


def test_what_was_left_of_a_whole_match_is_left_when_the_server_is_back() -> None:
    played = timed_aftaebr()
    play(played, 2)
    assert clock.resumed(played, 1000.0) == Clock(clock.TABLE, 1120.0)
    play(played, 1, left=90_000)
    assert clock.resumed(played, 1000.0) == Clock(clock.TABLE, 1090.0)
    play(played, 1)  # an entry that another server wrote without a clock changes nothing
    assert clock.resumed(played, 1000.0) == Clock(clock.TABLE, 1090.0)


def test_a_turn_that_takes_too_long(person: Comes) -> None:
    """The clock moves, the pins left are put at random for nothing, and the next seat's time begins."""
    ada = sat_down(person, "me", "me", start=1, turn_seconds=5)
    assert ada.said["clock"]["seat"] == 1
    assert 0 < ada.said["clock"]["left_ms"] <= 5000
    ada.move("Re5")
    assert 0 < ada.said["clock"]["left_ms"] <= 5000
    assert 0 < ada.log[-1]["left"] <= 5000
    n, began = ada.n, time.monotonic()
    ada.wait(lambda me: me.n > n)
    assert time.monotonic() - began < 5.5 + 60  # it came by itself
    assert [entry["move"] for entry in ada.log[n : n + 1]] == ["timeout 1"]
    assert ada.log[n]["message"] == {"key": "core.said.timeout", "params": {"seat": 1}}
    assert [(entry["by"], entry["score"]) for entry in ada.log[n + 1 : n + 4]] == [(0, 0)] * 3
    assert ada.log[n]["t"] >= 4500
    assert ada.said["to_move"] == [2]
    assert ada.said["clock"]["seat"] == 2
    assert ada.said["takeback"] is None  # chance lies between


def test_the_clock_runs_on_after_a_restart(start: Callable[..., Server]) -> None:
    server = start()
    ada = Person(server.address)
    ada.watch(ada.create("me", "me", start=1, turn_seconds=5))
    ada.sit(1, 2)
    ada.begin()
    ada.move("Re5")
    left = ada.log[-1]["left"]
    server.kill()
    again = start()
    back = ada.again(again.address)
    back.watch(ada.table)
    assert back.said["to_move"] in ([1], [2])
    if back.n == ada.n:
        assert back.said["clock"]["seat"] == 1
        assert back.said["clock"]["left_ms"] <= left
    back.wait(lambda me: any(entry["move"] == "timeout 1" for entry in me.log))
    back.close()
