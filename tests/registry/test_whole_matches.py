"""The compiled loop plays, move by move, the same match as `Match` and `bots` with the same draws."""

from itertools import pairwise

import msgspec
import numpy as np
import pytest

from ludoteca.core import registry
from ludoteca.core.match import Match
from ludoteca.core.random import key_of, ticket_at
from ludoteca.lab.batch import play_batch
from ludoteca.lab.plan import planned
from ludoteca.lab.replay import record_of
from ludoteca.search import bots
from ludoteca.search.workbench import bound_loop

SEED = "whole"
LEVELS = ("novice", "casual", "club", "expert")


class Draws:
    """Replaces a seal: draw n of the table is word n of the match's key."""

    def __init__(self, key, players):
        self.key, self.seat_bytes = key, (b"",) * players

    def ticket(self, draw, total):
        return int(ticket_at(self.key, draw, total))


def slow_match(plan, number):
    """Return the match with this number, played through `Match` and `bots`."""
    game, players = registry.game(plan.game), len(plan.bots)
    loop = bound_loop(game)
    key = np.uint64(loop.match_key(key_of(plan.seed), number))
    rngs = np.zeros((players, 1), np.uint64)
    loop.start_bots(rngs, key)
    match = Match(game, plan.options, None, Draws(key, players))
    match.begin()
    while match.result is None:
        seat = match.to_move[0]
        match.play(bots.choose_with(game, plan.bots[seat - 1], match.state, seat, rngs[seat - 1]), seat)
    return match


def seatings(players):
    """Return seatings in which every level sits beside another one, and one in which all seats play at random."""
    around = [*LEVELS, *LEVELS]
    yield ["random"] * players
    for first in range(0, len(LEVELS), min(players, 2)):
        yield around[first : first + players]


def varied(game, given):
    """Return the same agreement, and, where a lot says who begins, also one in which the last seat begins."""
    yield given
    if any(option.name == "start" for option in game.options):
        yield {**given, "start": given["players"]}


@pytest.mark.kernels
def test_a_compiled_match_is_the_match_of_the_record(kernel_case):
    key, given = kernel_case
    game = registry.game(key)
    for number, names in enumerate(seatings(given["players"]), start=1):
        for options in varied(game, given) if "expert" not in names else [given]:
            plan = planned(key, options, names, number, SEED)
            batch = play_batch(plan, True, range(number, number + 1))
            fast, match = record_of(plan, batch.moves.tolist()), slow_match(plan, number)
            assert fast.log == tuple(msgspec.structs.replace(entry, picks=None) for entry in match.log)
            assert fast.result == match.result
            assert batch.winners[0] == sum(1 << seat - 1 for seat in match.result.winners)
            assert tuple(batch.scores[0].tolist()) == match.result.scores
            assert batch.reasons == [match.result.reason]
            assert batch.starters[0] == game.starter(plan.options, match.log)
            assert batch.entries[0] == len(match.log)
            assert batch.decisions[0] == sum(entry.by > 0 for entry in match.log)


@pytest.mark.kernels
def test_a_match_depends_on_the_seed_and_its_number_alone(kernel_cases):
    """Played alone, in another order, or beside others: the moves are the same."""
    key = kernel_cases[0][0]
    plan = planned(key, {"players": 2}, ["random", "novice"], 40, SEED)
    all_of_them = play_batch(plan, True, range(1, 41))
    alone = play_batch(plan, True, range(17, 18))
    first, last = all_of_them.ends[15:17].tolist()
    assert all_of_them.moves[first:last].tolist() == alone.moves.tolist()
    assert all_of_them.entries[16] == alone.entries[0]
    without = play_batch(plan, False, range(1, 41))
    assert without.moves is None
    assert without.winners.tolist() == all_of_them.winners.tolist()
    different = {all_of_them.moves[a:b].tobytes() for a, b in pairwise(all_of_them.ends)}
    assert len(different) > 30  # in a small game two of the 39 may be equal by chance
    other = play_batch(planned(key, {"players": 2}, ["random", "novice"], 40, "another seed"), True, range(17, 18))
    assert other.moves.tolist() != alone.moves.tolist()


@pytest.mark.kernels
def test_the_room_for_moves_grows(monkeypatch):
    plan = planned("pinpoint", {}, ["random"], 30, SEED)
    wanted = play_batch(plan, True, range(1, 31))
    monkeypatch.setattr("ludoteca.search.workbench.MOVES_A_MATCH", 1)
    again = play_batch(plan, True, range(1, 31))
    assert again.moves.tolist() == wanted.moves.tolist()
    assert again.ends.tolist() == wanted.ends.tolist()
    assert again.scores.tolist() == wanted.scores.tolist()


def test_the_table_and_every_seat_have_sequences_of_their_own():
    loop = bound_loop(registry.game("pinpoint"))
    key = np.uint64(loop.match_key(key_of("s"), 1))
    rngs = np.zeros((4, 1), np.uint64)
    loop.start_bots(rngs, key)
    assert len({*rngs[:, 0].tolist(), *(ticket_at(key, n, 1 << 30) for n in range(1, 9))}) == 12
