"""Turns the numbered moves of a compiled match into a record of docs/notation.md."""

from collections.abc import Iterator, Sequence

from ludoteca.core.errors import BadRecord
from ludoteca.core.kernel import CHANCE, OVER
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.match import Match
from ludoteca.core.record import Record
from ludoteca.lab.games import game_named
from ludoteca.lab.plan import Plan, seats_of


def record_of(plan: Plan, moves: Sequence[int]) -> Record:
    """Return the record of a match from its moves and outcomes. It has no seal: its draws follow from the seed."""
    game = game_named(plan.game)
    assert isinstance(game, KernelGame)
    match = Match(game, plan.options, seats_of(plan))
    waiting = iter(moves)
    while match.result is None:
        actor = int(game.rules.actor(match.state))
        assert actor != OVER
        if actor == CHANCE:
            outcomes = list(_taken(waiting, game.chance_run(match.state), len(match.log)))
            match.play(game.format_chance(match.state, outcomes), by=0)
        else:
            (move,) = _taken(waiting, 1, len(match.log))
            match.play(game.format(match.state, move), by=actor + 1)
    if next(waiting, None) is not None:
        raise BadRecord(len(match.log), "there are moves after the end")
    return match.record


def _taken(moves: Iterator[int], count: int, entry: int) -> Iterator[int]:
    for _ in range(count):
        move = next(moves, None)
        if move is None:
            raise BadRecord(entry, "the moves stop before the match ends")
        yield move
