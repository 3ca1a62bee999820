"""What a review tells of a decision: the whole better turn, the move that scores now, and no draw as an answer."""

from random import Random
from types import SimpleNamespace

import pytest
from kingbrick_board import flick, position

from ludoteca.core.match import Match
from ludoteca.core.record import Entry, Result
from ludoteca.core.words import message
from ludoteca.games.kingbrick.game import GAME
from ludoteca.games.kingbrick.hand import NATURAL
from ludoteca.search import reviewing
from ludoteca.search.judge import Judgement, Valued
from ludoteca.search.reviewing import (
    EVEN,
    NEARLY,
    Decision,
    as_it_ended,
    judge_decision,
    judge_move,
    turn_losses,
    with_open_cards,
)

LATE = 60  # entries of Pin Point after which one pin decides more than in the first turns


@pytest.fixture(scope="module")
def pins():
    match = Match.new("pinpoint", {"start": 1})
    match.play(match.game.moves(match.state)[0])
    while match.to_move != (2,):
        match.play(match.game.moves(match.state)[0])
    return match


def weighed(match, **chances):
    """A judgement of the position with these chances of moves."""
    moves = tuple(Valued(move, chance, 0.0) for move, chance in chances.items())
    best = moves[0].chance
    return Judgement(match.to_move[0], (1 - best, best), moves, 0.0, 0.0)


def judged_as(monkeypatch, match, move, **chances):
    monkeypatch.setattr(reviewing, "judge_further", lambda *_: weighed(match, **chances))
    return judge_move(match.game.key, match.state, match.to_move[0], move)


def by_score(match):
    """The moves of a position, those that score most first."""
    game, state, seat = match.game, match.state, match.to_move[0]
    return sorted(game.moves(state), key=lambda move: -game.play(state, seat, move).score)


def test_of_moves_that_are_as_good_as_each_other_the_one_that_scores_now_is_told(pins, monkeypatch):
    most, *_, less, least = by_score(pins)
    known = judged_as(monkeypatch, pins, least, **{less: 0.7, least: 0.7 - EVEN / 2, most: 0.7 - EVEN / 2})
    assert known.best[0].move == most
    known = judged_as(monkeypatch, pins, least, **{less: 0.7, least: 0.7, most: 0.7 - 2 * EVEN})
    assert known.best[0].move == least  # which was made; the other one is not as good


def test_a_move_that_is_as_good_as_the_best_is_one_of_the_best(pins, monkeypatch):
    *others, played = by_score(pins)[:6]
    known = judged_as(monkeypatch, pins, played, **dict.fromkeys([*others, played], 0.5))
    assert played in [choice.move for choice in known.best]
    assert len(known.best) == reviewing.BEST
    known = judged_as(monkeypatch, pins, played, **dict.fromkeys(others, 0.5), **{played: 0.4})
    assert played not in [choice.move for choice in known.best]


def test_the_better_move_is_told_with_the_rest_of_its_turn():
    match = Match.new("pinpoint", {"start": 1})
    while match.to_move != (2,) or len(match.log) < LATE:
        match.play(match.game.moves(match.state)[0])
    game, state = match.game, match.state
    worst = next(move for move in reversed(game.moves(state)) if "=" in move)  # a joker for nothing
    decision = judge_decision("pinpoint", state, 9, 2, worst)
    assert decision.known.loss > NEARLY
    best = decision.known.best[0]
    assert len(best.rest) == 3  # of the four pins of a turn
    for entry in (best, *best.rest):
        state = game.play(state, 2, entry.move).state
    assert game.to_move(state) == (1,)
    assert [entry.move for entry in decision.line[:4]] == [best.move, *(entry.move for entry in best.rest)]
    assert all(entry.message.key.startswith("pinpoint.said.") for entry in best.rest)


def test_a_move_that_lost_nothing_needs_no_more_words(pins):
    best = judge_move("pinpoint", pins.state, 2, pins.game.moves(pins.state)[0]).best[0].move
    decision = judge_decision("pinpoint", pins.state, 9, 2, best)
    assert decision.known.best[0].rest == ()


def test_a_turn_of_hidden_cards_goes_on_with_the_own_hand():
    """A Double Play says nothing without the two cards."""
    game = Match.new("tictacmatch").game
    for seed in range(60):
        match, rng = Match.new("tictacmatch"), Random(seed)
        while match.result is None and "D" not in match.game.moves(match.state):
            match.play(rng.choice(match.game.moves(match.state)))
        if match.result is None:
            break
    seat, judge = match.to_move[0], reviewing.judge_on
    rest = [entry.move for entry in reviewing.rest_of_turn(game, match.state, seat, "D", judge)]
    state = game.play(match.state, seat, "D").state
    for move in rest:
        assert move in game.moves(state)
        state = game.play(state, seat, move).state
    assert rest
    assert game.to_move(state) != (seat,)


def test_a_draw_is_marked_as_one_and_what_follows_a_move_by_itself_is_not():
    match = Match.new("matchnlock")
    seat = match.to_move[0]
    match.play("draw", seat)
    match.play(match.game.moves(match.state)[0], seat)
    known = judge_move("matchnlock", match.state, match.to_move[0], "draw")
    assert {choice.move: choice.draws for choice in known.best}["draw"]
    assert not any(choice.draws for choice in known.best if choice.move != "draw")
    cards = Match.new("tictacmatch")
    told = judge_move("tictacmatch", cards.state, cards.to_move[0], cards.game.moves(cards.state)[0])
    assert not any(choice.draws for choice in told.best)  # a card is drawn, and the other one plays


def test_with_open_cards_the_same_numbers_are_made_of_the_other_judgement():
    known = reviewing.Knowledge((0.5, 0.5), 0.5, 0.0, "fine", ())
    shown = reviewing.Knowledge((0.9, 0.1), 0.4, 0.0, "blunder", ())
    decision = Decision(1, 1, known, shown)
    assert with_open_cards(decision).known == shown
    assert with_open_cards(Decision(1, 1, known)) == Decision(1, 1, known)
    assert list(turn_losses([with_open_cards(decision)])) == []


def test_a_turn_goes_on_past_what_is_measured_but_not_past_a_hand_that_trembles():
    state = position("r2 F hand", "r3 C 0 -50", "b2 C 100 0", hand=NATURAL)
    following = Judgement(1, (0.6, 0.4), (Valued(flick("r3"), 0.6, 0.0),), 0.0, 0.0)
    rest = reviewing.rest_of_turn(GAME, state, 1, "freeze r2 x=100 y=0 yaw=0", lambda *_: following)
    assert [entry.move for entry in rest] == [flick("r3")]


@pytest.mark.parametrize(
    ("winner", "after", "verdict"),
    [(1, [Entry(0, "rest")], "fine"), (2, [Entry(0, "rest")], "mistake"), (1, [Entry(2, "resign")], "mistake")],
)
def test_a_flick_that_wins_the_match_is_not_blamed(winner, after, verdict):
    """Seat 2 wins by seat 1's own foul, or resigns although the flick decided nothing: then the verdict stays."""
    best = reviewing.Choice(flick("r3"), 0.9, message("kingbrick.said.flick"), {})
    blamed = Decision(1, 1, reviewing.Knowledge((0.9, 0.1), 0.65, 0.0, "mistake", (best,)))
    result = Result((winner,), (), "complete")
    match = SimpleNamespace(game=GAME, log=[Entry(1, flick("r2")), *after], result=result)
    judged = as_it_ended(match, blamed)
    assert judged.known.verdict == verdict
    assert judged.known.loss == (0.0 if verdict == "fine" else 0.25)
