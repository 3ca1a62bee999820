"""The tree search finds wins, blocks and good chances, and uses only what the seat may know."""

import numpy as np
import pytest
from kernels import connect_four, high_card, tic_tac_toe

from ludoteca.core.binding import bind
from ludoteca.core.kernel import new_record
from ludoteca.core.random import generator
from ludoteca.search import tree

pytestmark = pytest.mark.kernels


def position(rules, *moves):
    state = new_record(rules.State)
    rules.start(state, new_record(rules.Options))
    for move in moves:
        rules.play(state, move)
    return state


def searched(rules, state, simulations, seed="tree", room=200_000):
    bound = bind(tree.FUNCTIONS, rules)
    pool, nodes = np.zeros(1, rules.State).view(np.recarray), tree.new_tree(rules, room)
    used = bound.search(state, pool, nodes, simulations, np.float32(1.0), rules.actor(state), generator(seed))
    return bound.most_visited(nodes), nodes, used


def test_it_takes_a_win_and_blocks_a_loss():
    assert searched(tic_tac_toe, position(tic_tac_toe, 0, 3, 1, 4), 2000)[0] == 2
    assert searched(tic_tac_toe, position(tic_tac_toe, 0, 4, 1), 2000)[0] == 2
    assert searched(connect_four, position(connect_four, 3, 0, 3, 0, 3, 1), 2000)[0] == 3
    assert searched(connect_four, position(connect_four, 3, 0, 3, 1, 3), 2000)[0] == 3


def test_perfect_players_draw_tic_tac_toe():
    state = position(tic_tac_toe)
    while tic_tac_toe.actor(state) >= 0:
        tic_tac_toe.play(state, searched(tic_tac_toe, state, 20_000)[0])
    assert state.winner == -1


def test_the_same_seed_gives_the_same_tree():
    state = position(connect_four, 3, 3)
    once, again = (searched(connect_four, state, 3000) for _ in range(2))
    assert (once[0], once[2]) == (again[0], again[2])
    assert once[1][: once[2]].tobytes() == again[1][: again[2]].tobytes()


def test_visits_add_up():
    _, nodes, used = searched(connect_four, position(connect_four), 500)
    root = nodes[0]
    assert root.visits == 500
    assert nodes[root.first : root.first + root.kids].visits.sum() == 500
    assert used <= 500 * 7 + 1


def test_a_full_tree_is_searched_on():
    move, nodes, used = searched(connect_four, position(connect_four, 3, 0, 3, 0, 3, 1), 2000, room=60)
    assert used <= 60
    assert nodes[0].visits == 2000
    assert move == 3


def test_chance_is_sampled_by_its_weights():
    """The search starts before the deal: the root is a chance node, and every card comes about equally often."""
    bound = bind(tree.FUNCTIONS, _open_high_card())
    rules = _open_high_card()
    pool, nodes = np.zeros(1, rules.State).view(np.recarray), tree.new_tree(rules, 50_000)
    bound.search(position(rules), pool, nodes, 5000, np.float32(1.0), 0, generator("deal"))
    visits = nodes[nodes[0].first : nodes[0].first + nodes[0].kids].visits
    assert len(visits) == 5
    assert visits.min() > 850


class _OpenHighCard:
    """The same game with open cards."""

    __name__ = "open_high_card"

    def __getattr__(self, name):
        return False if name == "HIDDEN" else getattr(high_card, name)


def _open_high_card():
    return _OpenHighCard()


@pytest.mark.parametrize("mine", range(5))
@pytest.mark.parametrize("yours", range(5))
def test_it_plays_by_what_the_seat_can_see(mine, yours):
    """With a high card it says "mine is higher", with a low one "yours is", no matter what the other seat holds."""
    if mine == yours:
        return
    state = position(high_card, high_card.MAX_MOVES + mine, high_card.MAX_MOVES + yours)
    move, nodes, used = searched(high_card, state, 3000)
    if mine != 2:
        assert move == (0 if mine > 2 else 1)
    others = {other for other in range(5) if other != mine}
    for other in others:
        again = position(high_card, high_card.MAX_MOVES + mine, high_card.MAX_MOVES + other)
        same_move, same_nodes, same_used = searched(high_card, again, 3000)
        assert (same_move, same_used) == (move, used)
        assert same_nodes[:used].tobytes() == nodes[:used].tobytes()
