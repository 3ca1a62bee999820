"""A film that plays costs nobody's time: the server knows how long a board acts an entry out."""

import re
from pathlib import Path

import pytest
from kingbrick_board import formation, position

from ludoteca.core import registry
from ludoteca.core.chance import Seal
from ludoteca.core.match import Match
from ludoteca.core.record import Entry, Seat
from ludoteca.games.kingbrick import motion, physics, showing
from ludoteca.games.kingbrick.game import GAME
from ludoteca.games.kingbrick.notation import read, written
from ludoteca.games.kingbrick.physics import Flick, Rest
from ludoteca.server import clock
from ludoteca.server.clock import ClockWanted
from ludoteca.server.uptime import Uptime

WEB = Path(__file__).parents[2] / "web" / "src" / "games" / "kingbrick"


def constants(name: str) -> dict[str, float]:
    """The numbers that a file of the board names."""
    text = (WEB / name).read_text()
    single = re.findall(r"const (\w+) = ([\d.]+);", text)
    pairs = re.findall(r"const \[(\w+), (\w+)\] = \[([\d.]+), ([\d.]+)\];", text)
    return {
        key: float(value) for key, value in [*single, *((p[0], p[2]) for p in pairs), *((p[1], p[3]) for p in pairs)]
    }


def test_the_board_keeps_to_the_times_that_the_server_reckons_with():
    play, playback = constants("Play.svelte"), constants("playback.svelte.ts")
    assert (play["LINGERS"], play["SHOWN"]) == (showing.LINGERS, showing.SHOWN)
    assert (1000 * playback["TUMBLE"], 1000 * playback["SHOWN"]) == (showing.TUMBLE, showing.FACE)
    assert 1000 * playback["AFTERMATH"] == showing.AFTERMATH
    drama = constants("drama.ts")
    assert 1000 * (drama["BEFORE"] + drama["AFTER"]) == showing.HIT_KING
    assert drama["DRAMA"] == showing.SLOWER


def test_the_clock_of_the_next_player_starts_when_the_film_is_over():
    seats = [Seat("Ada"), Seat("Bo")]
    match = Match(GAME, GAME.agree({"start": 1}), seats, Seal.derived("film", 2, ""))
    match.begin(t=0)
    shown = clock.first(ClockWanted(turn=30), match, Uptime([], 0).downtime)
    moves = [(formation(1), 1), (formation(2), 2), ("flick r2 dir=90 speed=2 height=0 side=0 follow=8", 1)]
    for move, seat in moves:
        append = match.prepare(move, seat, t=60_000)
        match.commit(append)
        for made in append.transitions:
            shown = clock.follow(shown, match, made)
    rest = read(match.log[-1].move)
    assert isinstance(rest, Rest)
    frames, tracks = motion.decode(rest.motion)
    assert motion.cast(rest.motion) == (frames, [name for name in tracks if name != motion.FINGER])
    film = 1000 * frames / motion.FRAMES_A_SECOND
    assert shown.running == [2]
    assert shown.starts_in(60_000) >= film + showing.SHOWN, "Bo sees the aim, and then the film"
    assert shown.left_at(2, 60_000 + int(film)) == 30_000


def test_what_is_not_acted_out_takes_no_time():
    state = position()
    assert GAME.acts_out(state, Entry(1, "end")) == 0
    assert GAME.acts_out(state, Entry(0, 'rest {"poses":{}}')) == 0
    assert GAME.acts_out(state, Entry(0, "roll r2 3")) == showing.TUMBLE + showing.FACE
    pinpoint = registry.game("pinpoint")
    assert pinpoint.acts_out(pinpoint.start(pinpoint.agree({})), Entry(1, "Ra1")) == 0


@pytest.mark.rule("KB-6")
def test_a_hit_king_is_shown_slowly_wherever_it_stands_in_its_army():
    lines = ("r1 {} 60 -150", "r2 {} 0 -150", "b2 G 0 -100")
    first, second = (
        position(*(line.format(kind) for line, kind in zip(lines, kinds, strict=True))) for kinds in ("KGG", "GKG")
    )
    hit = physics.flicked(first.poses, Flick("b2", 270.0, 1.0, 0.0, 0.0, 8.0))
    film = Entry(0, written(hit))
    slowed = (showing.SLOWER - 1) * showing.HIT_KING
    assert GAME.acts_out(second, film) == GAME.acts_out(first, film) + slowed
    assert GAME.acts_out(position(), film) == GAME.acts_out(first, film), "a film of bricks that are not there"
