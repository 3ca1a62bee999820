"""A match that begins from a position of another one is a match like any other: `verify` accepts its record."""

import json
from random import Random

import msgspec
import pytest
from stranger import strange_draws
from test_draws import finished

from ludoteca.core import registry
from ludoteca.core.chance import Seal
from ludoteca.core.draws import table_entries
from ludoteca.core.errors import BadRecord, IllegalMove
from ludoteca.core.match import Match
from ludoteca.core.positions import NoPosition, entries_to
from ludoteca.core.record import Given, from_json, to_json
from ludoteca.lab.verify import verdict
from ludoteca.search import bots
from ludoteca.search.reviewing import decisions

SHORT = {"kingbrick": 40}


def played_on(match: Match, number: int, seed: str = "on", most: int = 12) -> Match:
    """Return a match from the position after an entry, played on for a while and then given up."""
    entries = entries_to(match, number)
    seal = Seal.derived(f"{seed}-{number}", len(match.seats), seed)
    on = Match(match.game, match.agreed, match.seats, seal, Given(len(entries), "0riginal", number))
    on.follow(entries)
    on.begin(t=0)
    for n in range(most):
        if on.result is None:
            on.play(bots.choose(on.game, "random", on.state, on.to_move[0], (seed, n)), on.to_move[0])
    while on.result is None:
        on.play("resign", next(n for n in range(1, len(on.seats) + 1) if n not in on.position.conduct.out))
    return on


def places(match: Match) -> list[int]:
    """Return some entries from whose position a match can go on."""
    found = []
    for number in range(1, len(match.log) + 1, max(1, len(match.log) // 12)):
        try:
            entries_to(match, number)
        except NoPosition:
            continue
        found.append(number)
    return found[:: max(1, len(found) // 4)]


@pytest.mark.parametrize("key", registry.game_keys())
def test_a_match_goes_on_from_a_position_of_another(key: str) -> None:
    options = {"turn_seconds": 60} if key == "pinpoint" else {}
    match = finished(key, 1, most=SHORT.get(key, 400), **options)
    for number in places(match):
        on = played_on(match, number)
        line = to_json(on.record)
        found = verdict(1, line)
        assert (found.rules.state, found.chance.state, found.given) == ("holds", "holds", on.n_given), found.complaints
        picks = sum(len(entry.picks or ()) for entry in on.log)
        assert strange_draws(json.loads(line)) == picks, "a stranger counts the draws of this match alone"
        again = Match.load(from_json(line))
        assert again.record == on.record
        original, copied = match.at(number).state, on.at(on.n_given).state
        seats = [None, *range(1, len(match.seats) + 1)]
        assert [match.game.view(original, seat) for seat in seats] == [match.game.view(copied, seat) for seat in seats]
        assert all(n > on.n_given for n in decisions(on))
        assert {entry.why for entry in table_entries(on) if entry.n <= on.n_given} <= {"given"}


def test_chance_after_the_position_is_drawn_by_the_new_seal() -> None:
    match = finished("matchnlock", 0)
    number = next(n for n, entry in enumerate(match.log, start=1) if entry.move == "draw" and n > 10)
    n_given = len(entries_to(match, number))
    drawn = {played_on(match, number, seed, 0).log[n_given].move for seed in "abcdefgh"}
    assert len(drawn) > 1  # the token that the player drew is not the one of the first match


def test_what_was_taken_back_and_conduct_are_left_out() -> None:
    match = Match.new("aftaebr", {"players": 3})
    while len(match.log) < 8:
        match.play(match.game.sample_moves(match.state, match.to_move[0], Random(5), 1)[0])
    match.play("takeback 7", 0)
    match.play("resign", next(seat for seat in (1, 2, 3) if seat not in match.to_move))
    match.play(match.game.sample_moves(match.state, match.to_move[0], Random(5), 1)[0])
    moves = [entry.move for entry in entries_to(match, len(match.log))]
    assert moves == [entry.move for entry in (*match.log[:7], match.log[-1])]
    on = played_on(match, len(match.log), most=1)
    assert not on.at(on.n_given).conduct.out


def test_nothing_of_the_position_can_be_taken_back() -> None:
    match = Match.new("aftaebr", {"players": 2})
    while len(match.log) < 9:
        match.play(match.game.sample_moves(match.state, match.to_move[0], Random(5), 1)[0])
    entries = entries_to(match, 9)
    on = Match(match.game, match.agreed, match.seats, Seal.fresh(2), Given(len(entries)))
    on.follow(entries)
    on.begin()
    with pytest.raises(IllegalMove, match="began from the position after move 9"):
        on.play("takeback 8", 0)
    on.play(on.game.sample_moves(on.state, on.to_move[0], Random(5), 1)[0])
    on.play("takeback 9", 0)
    assert (len(on.log), len(list(on.line(len(on.log))))) == (11, 9)


def test_there_is_no_position_before_the_start_in_secret_or_after_the_end() -> None:
    match = finished("pinpoint", 0)
    with pytest.raises(NoPosition, match="nothing has happened"):
        entries_to(match, 0)
    with pytest.raises(NoPosition, match="the match is over"):
        entries_to(match, len(match.log))
    setup = Match.new("kingbrick")
    with pytest.raises(NoPosition, match="in secret"):
        entries_to(setup, 1)


def test_verify_notices_a_wrong_position() -> None:
    match = finished("pinpoint", 0)
    number = next(n for n, entry in enumerate(match.log, start=1) if entry.by and n > 6)
    record = json.loads(to_json(played_on(match, number).record))
    good = record["given"]["entries"]

    def complaint(**changed: object) -> str:
        text = json.dumps({**record, **changed})
        with pytest.raises(BadRecord) as caught:
            Match.load(from_json(text))
        return str(caught.value)

    assert "given entries" in complaint(given={"entries": len(record["log"]) + 1})
    assert "given entries" in complaint(given={"entries": 0})
    assert "the seal draws" in complaint(given={"entries": 1})
    timed = [{**entry, "t": 5} if n == 0 else entry for n, entry in enumerate(record["log"])]
    assert "time or picks" in complaint(log=timed)
    resigned = [{"by": 1, "move": "resign"}, *record["log"]]
    assert "no part of a position" in complaint(log=resigned, given={"entries": good + 1})
    other = [{**entry, "move": "Ra1"} if n == 3 else entry for n, entry in enumerate(record["log"])]
    assert complaint(log=other)


def test_the_first_match_is_named_when_the_second_is_over() -> None:
    match = finished("tictacmatch", 0)
    number = places(match)[1]
    entries = entries_to(match, number)
    on = Match(
        match.game, match.agreed, match.seats, Seal.fresh(len(match.seats)), Given(len(entries), "first", number)
    )
    on.follow(entries)
    on.begin()
    assert on.record.given == Given(len(entries))
    assert msgspec.json.decode(to_json(on.record))["given"]["match"] is None
    over = played_on(match, number)
    assert over.record.given == Given(len(entries), "0riginal", number)
