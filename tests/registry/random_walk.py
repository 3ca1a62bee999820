"""Random play through a kernel, for the tests. As a program it prints a digest of the walk, compiled or not."""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

from ludoteca.core import registry, tensors
from ludoteca.core.binding import bind
from ludoteca.core.kernel import CHANCE, OVER
from ludoteca.core.random import generator
from ludoteca.search import playouts

ENCODED_EVERY = 40  # states: an encoding that is not compiled takes its time


def walk(game, given, seed, most=None):
    """Yield the states of a random match, from the first to the last: always the same object, moved on."""
    rules = game.rules
    bound = bind(playouts.FUNCTIONS, rules)
    rng, state, made = generator(seed), game.start(game.agree(given)), 0
    yield state
    while rules.actor(state) != OVER and made != most:
        drawn = rules.actor(state) == CHANCE
        move = bound.random_outcome(state, rng) if drawn else bound.random_move(state, rng)
        rules.play(state, move)
        made += 1
        yield state


def drawn_state(data, game, given, longest, seeds):
    """Return a position of a random match. Hypothesis draws how many entries lead to it, and the seed."""
    from hypothesis import strategies as st  # this file also runs as a program, which needs no Hypothesis

    length, seed = data.draw(st.integers(0, longest)), data.draw(st.integers(0, seeds))
    return list(walk(game, given, seed, most=length))[-1]


def moves_of(rules, state):
    out = np.zeros(rules.MAX_COUNT, np.int32)
    return out[: rules.moves(state, out)].tolist()


def digest(key, given, seed):
    """Return a digest of everything that a kernel returns along one match."""
    game = registry.game(key)
    rules, seen = game.rules, hashlib.sha256()
    code = tensors.encoding(key)
    look, state = np.zeros(code.SHAPE, np.float32), None
    for n, state in enumerate(walk(game, given, seed)):
        seen.update(state.tobytes())
        if rules.actor(state) != OVER:
            seen.update(repr(moves_of(rules, state)).encode())
        if n % ENCODED_EVERY == 0:
            for seat in range(given["players"]):
                code.encode(state, seat, look)
                seen.update(look.tobytes())
    payoffs = np.zeros(rules.SEATS, np.float32)
    rules.payoff(state, payoffs)
    seen.update(repr(payoffs.tolist()).encode())
    for seat in range(len(payoffs)):
        rules.conceal(state, seat, generator(seed))
        seen.update(state.tobytes())
    return seen.hexdigest()


if __name__ == "__main__":
    sys.path.append(str(Path(__file__).parents[1]))
    import example_games  # noqa: F401

    for case in json.load(sys.stdin):
        print(digest(*case))
