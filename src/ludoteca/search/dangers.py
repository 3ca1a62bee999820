"""What is wrong with a move where hands are hidden: the answer that wins at once in many of the possible hands.

What the next player really holds often has no such answer, so the match itself does not show it.
"""

from collections import Counter
from random import Random
from typing import Any

import msgspec
import numpy as np

from ludoteca.core.chance import chosen
from ludoteca.core.kernel import CHANCE, copied
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.random import generator
from ludoteca.core.words import Message

HANDS = 100  # that are dealt anew
LEAST = 0.1  # of them, in which an answer must win to be told


class Danger(msgspec.Struct, frozen=True):
    """An answer that wins the match, and in which share of the possible hands somebody has it."""

    seat: int
    message: Message
    share: float


def danger_after(game: KernelGame, state: Any, seat: int, move: str) -> Danger | None:
    """Return the answer of the next player to a move that wins most often, if it wins often enough."""
    rng, draws = generator("danger"), Random("danger")
    found, told = Counter[tuple[int, str]](), dict[tuple[int, str], Message]()
    for _ in range(HANDS):
        after = game.play(game.concealed(state, seat, rng), seat, move).state
        while game.actor(after) == CHANCE:
            drawn = game.chance(after, lambda weights: chosen(weights, draws.randrange(sum(weights))))
            assert drawn is not None
            after = game.play(after, 0, drawn).state
        for by in game.to_move(after):
            if game.side(after, by) != game.side(after, seat):
                for answer in _winning(game, after, by):
                    found[by, answer] += 1
                    if (by, answer) not in told:
                        told[by, answer] = game.describe_hint(after, by, answer).message
    if not found:
        return None
    (by, answer), count = found.most_common(1)[0]
    return Danger(by, told[by, answer], count / HANDS) if count >= LEAST * HANDS else None


def _winning(game: KernelGame, state: Any, seat: int) -> list[str]:
    """Return the moves of a seat that end the match and win it."""
    rules, room = game.rules, np.empty(game.rules.MAX_COUNT, np.int32)
    found = []
    for move in room[: rules.moves(state, room)].tolist():
        after = copied(state)
        rules.play(after, move)
        ended = game.outcome(after, frozenset())
        if ended is not None and seat in ended.winners:
            found.append(game.format(state, move))
    return found
