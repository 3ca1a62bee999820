"""Resigning, agreed draws, claims, and seats that bots play for: the same in every game."""

import pytest

from ludoteca.core.errors import IllegalMove, UnknownMove
from ludoteca.core.match import Match


def begun(**options):
    return Match.new("pinpoint", {"start": 1, **options})


def test_resigning_ends_a_match_of_two_sides():
    match = begun()
    match.play("resign", by=2)
    assert match.result.winners == (1,)
    assert match.result.reason == "resigned"
    assert match.result.scores == (0, 0)


def test_a_partner_resigns_for_the_team():
    match = begun(players=4, teams=True)
    match.play("resign", by=3)
    assert (match.result.winners, match.result.reason) == ((2, 4), "resigned")


def test_among_three_a_seat_that_resigned_can_no_longer_win():
    match = begun(players=3)
    match.play("resign", by=1)
    assert match.result is None
    with pytest.raises(IllegalMove, match="this seat has resigned"):
        match.play("resign", by=1)
    while match.result is None:
        best = match.to_move[0] == 1  # a bot plays for the seat that resigned, and it gets the most points
        moves = match.game.moves(match.state)
        match.play(max(moves[:80], key=lambda move: match.prepare(move).entries[0].score) if best else moves[-1])
    assert 1 not in match.result.winners
    assert match.result.scores[0] == max(match.result.scores)
    match = begun(players=3)
    match.play("resign", by=1)
    match.play("resign", by=3)
    assert match.result.winners == (2,)


def test_a_draw_is_agreed_by_all():
    match = begun(players=3)
    for move in ("accept", "decline"):
        with pytest.raises(IllegalMove, match="no offer of a draw"):
            match.play(move, by=1)
    match.play("offer draw", by=2)
    with pytest.raises(IllegalMove, match="no offer of a draw to answer"):
        match.play("accept", by=2)
    with pytest.raises(IllegalMove, match="seat 2's offer"):
        match.play("offer draw", by=1)
    match.play("accept", by=1)
    assert match.result is None
    match.play("accept", by=3)
    assert (match.result.winners, match.result.reason) == ((), "agreed")


def test_an_offer_stands_until_it_is_declined_or_somebody_moves():
    match = begun()
    match.play("offer draw", by=2)
    match.play("decline", by=1)
    with pytest.raises(IllegalMove):
        match.play("accept", by=1)
    match.play("offer draw", by=2)
    match.play("Ra1")
    with pytest.raises(IllegalMove):
        match.play("accept", by=1)


def test_an_offer_is_withdrawn_by_the_seat_that_made_it():
    match = begun(players=3)
    with pytest.raises(IllegalMove, match="no offer of your own"):
        match.play("withdraw", by=2)
    match.play("offer draw", by=2)
    match.play("accept", by=3)
    with pytest.raises(IllegalMove, match="no offer of your own"):
        match.play("withdraw", by=3)
    match.play("withdraw", by=2)
    assert (match.position.conduct.offer, match.position.conduct.accepted) == (0, frozenset())
    with pytest.raises(IllegalMove, match="no offer of a draw to answer"):
        match.play("accept", by=1)
    match.play("offer draw", by=1)
    assert Match.load(match.record, match.seal).position.conduct.offer == 1


def test_hints_are_agreed_on_seat_by_seat_and_one_seat_ends_that():
    match = begun(players=3)
    with pytest.raises(IllegalMove, match="nobody has asked for hints"):
        match.play("hints off", by=2)
    match.play("hints on", by=2)
    with pytest.raises(IllegalMove, match="you have agreed to hints already"):
        match.play("hints on", by=2)
    match.play("Ra1")
    match.play("hints on", by=3)
    match.play(f"takeback {len(match.log) - 2}", by=0)
    assert match.position.conduct.hints == {2, 3}, "neither a move nor a takeback changes what was agreed"
    assert Match.load(match.record, match.seal).position.conduct.hints == {2, 3}
    match.play("hints off", by=1)
    assert match.position.conduct.hints == frozenset()
    match.play("resign", by=1)
    with pytest.raises(IllegalMove, match="this seat has resigned"):
        match.play("hints on", by=1)


def test_a_match_is_claimed_from_whoever_ran_out_of_time_or_is_gone():
    match = begun()
    with pytest.raises(IllegalMove, match="no opponent's time ran out, and none was away for too long"):
        match.play("claim", by=2)
    match.play("timeout 1", by=0)
    with pytest.raises(IllegalMove, match="no opponent"):
        match.play("claim", by=1)
    match.play("claim", by=2)
    assert (match.result.winners, match.result.reason) == ((2,), "claimed")
    match = begun(players=4, teams=True)
    with pytest.raises(IllegalMove, match="seat 3 is not on the move"):
        match.play("gone 3", by=0)
    match.play("gone 1", by=0)
    with pytest.raises(IllegalMove, match="no opponent"):
        match.play("claim", by=3)
    match.play("claim", by=2)
    assert match.result.winners == (2, 4)
    assert Match.load(match.record).record == match.record


def test_a_bot_that_stands_in_is_not_a_resignation():
    match = begun()
    match.play("bot 1", by=0)
    with pytest.raises(IllegalMove, match="no opponent"):
        match.play("claim", by=2)
    match.play("back 1", by=0)
    match.play("timeout 1", by=0)
    match.play("bot 1", by=0)
    with pytest.raises(IllegalMove, match="no opponent"):
        match.play("claim", by=2)


def test_who_is_back_or_has_moved_is_gone_no_more():
    match = begun()
    match.play("gone 1", by=0)
    match.play("back 1", by=0)
    with pytest.raises(IllegalMove, match="no opponent"):
        match.play("claim", by=2)
    match.play("gone 1", by=0)
    for _ in range(4):
        match.play(match.game.moves(match.state)[0], by=1)
    assert match.position.conduct.gone == frozenset()


def test_a_bot_keeps_a_seat_until_its_person_is_back():
    match = begun()
    match.play("bot 2", by=0)
    with pytest.raises(IllegalMove, match="the computer plays for seat 2 already"):
        match.play("bot 2", by=0)
    match.play("back 2", by=0)
    with pytest.raises(IllegalMove, match="the computer does not play for seat 2"):
        match.play("back 2", by=0)
    with pytest.raises(UnknownMove, match="must name a seat from 1 to 2"):
        match.play("bot 3", by=0)
    with pytest.raises(UnknownMove):
        match.play("bot 1", by=1)


def test_whose_turn_is_over_is_late_no_more():
    match = begun()
    match.play("timeout 1", by=0)
    for _ in range(3):
        match.play(match.game.moves(match.state)[0])
        assert match.position.conduct.late == {1}
    match.play(match.game.moves(match.state)[0])
    assert match.position.conduct.late == frozenset()
    with pytest.raises(IllegalMove, match="no opponent's time ran out"):
        match.play("claim", by=2)


def test_a_takeback_takes_back_moves_and_no_conduct():
    """A seat that is out, late or away stays so. An offer of a draw lapses, as with any move."""
    match = begun(players=4)
    start = len(match.log)
    match.play("Ra1")
    state = match.state.copy()
    match.play("Yb1")
    for move, by in (("resign", 2), ("bot 3", 0), ("timeout 1", 0), ("offer draw", 4), (f"takeback {start + 1}", 0)):
        match.play(move, by=by)
    conduct = match.position.conduct
    assert match.state == state
    assert (conduct.out, conduct.away, conduct.late, conduct.offer) == ({2}, {3}, {1}, 0)
    assert match.at(len(match.log)) == match.position
    match.play("back 3", by=0)
    match.play(f"takeback {start}", by=0)
    assert match.position.conduct.away == frozenset()
    assert Match.load(match.record, match.seal).position.conduct == match.position.conduct
