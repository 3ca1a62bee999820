"""The lookahead agrees with plain minimax, looks at whole turns, averages over chance, and takes sides."""

import numpy as np
import pytest
from kernels import connect_four, die, tic_tac_toe
from pinpoint_board import pins, position, score

from ludoteca.core.binding import bind
from ludoteca.core.compiler import compiled
from ludoteca.core.kernel import OVER, copied, new_record
from ludoteca.core.random import generator
from ludoteca.games.pinpoint import guide, rules
from ludoteca.games.pinpoint.game import GAME
from ludoteca.search import lookahead

pytestmark = pytest.mark.kernels


@compiled
def value(state, seat):
    if state.winner < 0:
        return 0.0
    return (100.0 - state.turn) * (1.0 if state.winner == seat else -1.0)


@compiled
def rank_tic_tac_toe(state, moves, ranks):
    n = tic_tac_toe.moves(state, moves)
    for k in range(n):
        ranks[k] = moves[k] % 3
    return n


@compiled
def rank_connect_four(state, moves, ranks):
    n = connect_four.moves(state, moves)
    for k in range(n):
        ranks[k] = -abs(moves[k] - 3)
    return n


@compiled
def key_tic_tac_toe(state):
    return np.uint64(state.stones[0] * 512 + state.stones[1])


@compiled
def key_connect_four(state):
    return state.stones[0] * np.uint64(0x9E3779B97F4A7C15) ^ state.stones[1]


def bound_to(game, rank, key):
    return bind(lookahead.FUNCTIONS, game, {"value": value, "rank": rank, "key": key})


def minimax(game, state, me, depth, known=None):
    """Return the value of a position, by plain recursion that works out no position twice."""
    known = {} if known is None else known
    mark = depth, state.tobytes()
    if mark not in known:
        known[mark] = worked_out(game, state, me, depth, known)
    return known[mark]


def worked_out(game, state, me, depth, known):
    who = game.actor(state)
    if who == OVER or depth == 0:
        return value(state, me)
    values = []
    for k in range(game.count(state)):
        after = copied(state)
        game.play(after, game.move_at(state, k))
        values.append(minimax(game, after, me, depth - 1, known))
    return max(values) if who == me else min(values)


@pytest.mark.parametrize("opening", [(), (4,), (0, 4), (0, 8, 4), (2, 4, 6), (1, 4, 3, 5)])
def test_it_equals_minimax_at_tic_tac_toe(opening):
    state = new_record(tic_tac_toe.State)
    tic_tac_toe.start(state, new_record(tic_tac_toe.Options))
    for move in opening:
        tic_tac_toe.play(state, move)
    desk = lookahead.new_desk(tic_tac_toe, (9,) * 9)
    search = bound_to(tic_tac_toe, rank_tic_tac_toe, key_tic_tac_toe)
    move = search.best_move(desk, state, 9, 0.0, generator("minimax"))
    after, me = copied(state), tic_tac_toe.actor(state)
    tic_tac_toe.play(after, move)
    assert minimax(tic_tac_toe, after, me, 9) == minimax(tic_tac_toe, state, me, 9)


@pytest.mark.parametrize("seed", range(12))
def test_it_equals_minimax_at_connect_four(seed):
    state, rng = new_record(connect_four.State), np.random.default_rng(seed)
    connect_four.start(state, new_record(connect_four.Options))
    for _ in range(10):
        if connect_four.actor(state) >= 0:
            connect_four.play(state, connect_four.move_at(state, rng.integers(connect_four.count(state))))
    if connect_four.actor(state) == OVER:
        return
    desk = lookahead.new_desk(connect_four, (7,) * 4)
    search = bound_to(connect_four, rank_connect_four, key_connect_four)
    move = search.best_move(desk, state, 4, 0.0, generator("minimax"))
    after, me = copied(state), connect_four.actor(state)
    connect_four.play(after, move)
    assert minimax(connect_four, after, me, 3) == minimax(connect_four, state, me, 4)


@compiled
def die_value(state, seat):
    return float(state.points)


@compiled
def die_rank(state, moves_out, ranks):
    n = die.moves(state, moves_out)
    ranks[:n] = 0.0
    return n


@compiled
def die_key(state):
    return np.uint64(state.stage * 16 + state.points)


def test_it_averages_over_chance():
    """The die is worth (0 + 1 + 2 + 5 * 3) / 8 = 2.25, the sure points 2."""
    search = bind(lookahead.FUNCTIONS, die, {"value": die_value, "rank": die_rank, "key": die_key})
    state = new_record(die.State)
    die.start(state, new_record(die.Options))
    desk = lookahead.new_desk(die, (2, 4))
    assert search.best_move(desk, state, 1, 0.0, generator("die")) == 1
    assert search.looked_at(desk, 1, 0, -np.inf, 0, generator("die")) == pytest.approx(2.25)


def test_a_sample_of_chance_is_spread_over_its_odds():
    """Two of the die's eight tickets, four apart: one of 0 1 2 3, and the heavy 3. The average is 2.25."""
    search = bind(lookahead.FUNCTIONS, die, {"value": die_value, "rank": die_rank, "key": die_key})
    state, rng = new_record(die.State), generator("samples")
    die.start(state, new_record(die.Options))
    desk = lookahead.new_desk(die, (2, 4), samples=2)
    seen = []
    for _ in range(400):
        search.best_move(desk, state, 1, 0.0, rng)
        desk.search[0] += 1  # forget what the search has seen
        desk.pool[1].stage, desk.pool[1].points = 1, 0
        seen.append(float(search.looked_at(desk, 1, 0, -np.inf, 0, rng)))
    assert set(seen) == {1.5, 2.0, 2.5, 3.0}
    assert np.mean(seen) == pytest.approx(2.25, abs=0.1)


# Pin Point: the whole turn, jokers included, and the reply

PIN_POINT = bind(lookahead.FUNCTIONS, rules, {name: getattr(guide, name) for name in ("value", "rank", "key", "side")})


def best_turn(state, level):
    """Return the moves of one whole turn and their scores."""
    desk = lookahead.new_desk(rules, level.widths)
    seat, made, points = int(state.actor), [], 0
    while state.actor == seat and state.turn == 0:
        move = int(PIN_POINT.best_move(desk, state, level.turns, level.noise, generator("turn", len(made))))
        made.append(GAME.format(state, move))
        before = int(state.score[seat])
        rules.play(state, move)
        points += int(state.score[seat]) - before
    return made, points


LAST_TURNS = pins(dict.fromkeys(range(2, 11), "K" * 10) | {1: "K.K.K.K.K.", 5: "KRRR...KKK"})


@pytest.mark.parametrize("name", ["club", "expert"])
def test_a_turn_is_seen_whole_jokers_included(name):
    """Three reds are in a row. With two jokers as fourth and fifth, the sixth scores: 4 + 5 + 10 points."""
    made, points = best_turn(position(LAST_TURNS), guide.LEVELS[name])
    assert sum(move.startswith("R") or "=R" in move for move in made) == 3
    assert points == 4 + 5 + 10 + 1


def test_expert_does_not_hand_over_a_line_of_six():
    """A red pin at f5 scores 5, but leaves 10 to the opponent unless the line is stopped too."""
    state = position(pins({5: "KRRRR.....", 8: "..Y.....G."}), jokers=[0, 0, 0, 0])
    _, points = best_turn(state, guide.LEVELS["expert"])
    assert points >= 5 + 3
    assert max(score(state, move) for move in GAME.moves(state)) < 10


def test_partners_share_what_a_turn_is_worth():
    state = position(pins({5: "RR........"}), players=4, teams=True)
    values = [float(guide.value(state, seat)) for seat in range(4)]
    assert values[0] == values[2]
    assert values[1] == values[3]
    assert values[0] > values[1]
