"""Endings: proofs against brute force, how far before the end they reach, and what a bot gains by proving.

The positions come from random matches and from matches between the bots `casual`. A position is compared if brute force
and the solver both come to an end within their limits.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import numpy as np
from brute_force import faults, random_match

from ludoteca.core import registry
from ludoteca.core.game import OptionValue
from ludoteca.core.kernel import CHANCE, OVER, copied, new_record
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.levels import Lookahead
from ludoteca.core.random import generator, key_of
from ludoteca.search import bots
from ludoteca.search.proving import Prover
from ludoteca.search.workbench import Workbench

LIMIT = 100_000  # positions of a proof
BRUTE = 4_000  # positions of brute force
BACK = 12  # decisions before the end that are looked at
BEGUN_BY, ENDED_BY = "club", "expert"


class Case(NamedTuple):
    key: str
    options: Mapping[str, OptionValue]
    compared: int  # positions to compare with brute force

    def __str__(self) -> str:
        teams = " in teams" if self.options.get("teams") else ""
        return f"{registry.game(self.key).name}, {self.options['players']} players{teams}"


CASES = (
    Case("pinpoint", {"players": 2}, 200),
    Case("pinpoint", {"players": 3}, 75),
    Case("pinpoint", {"players": 4}, 50),
    Case("pinpoint", {"players": 4, "teams": True}, 75),
    Case("matchnlock", {"players": 1}, 75),
    Case("matchnlock", {"players": 2}, 150),
    Case("matchnlock", {"players": 3}, 50),
    Case("aftaebr", {"players": 2}, 200),
    Case("aftaebr", {"players": 3}, 75),
    Case("aftaebr", {"players": 4}, 50),
)
REACHED = tuple(case for case in CASES if case.options == {"players": 2})
REACH_MATCHES, GAIN_MATCHES = 50, 150


def game_of(case: Case) -> KernelGame:
    game = registry.game(case.key)
    assert isinstance(game, KernelGame)
    return game


def bot_matches(case: Case, level: str, matches: int, seed: str) -> Iterator[list[Any]]:
    """Yield, for each match between these bots, the positions in which a seat acts, the last one first."""
    game = game_of(case)
    agreed = game.agree(dict(case.options))
    names = [level] * int(agreed["players"] or 0)
    book = Workbench(game, agreed, names).play(key_of(seed), np.arange(1, matches + 1))
    begin = 0
    for end in book.ends.tolist():
        state, found = new_record(game.rules.State), []
        game.rules.start(state, game.options_record(agreed))
        for move in book.moves[begin:end].tolist():
            if game.rules.actor(state) >= 0:
                found.append(copied(state))
            game.rules.play(state, move)
        begin = end
        yield found[::-1]


def sampled(case: Case) -> Iterator[Any]:
    """Yield positions near the ends of matches, half of them random ones."""
    game, number = game_of(case), 0
    while True:
        number += 1
        matches = [random_match(game, game.agree(dict(case.options)), f"sampled {number}")]
        matches += bot_matches(case, "casual", 1, f"sampled {number}")
        for match in matches:
            yield from match[:BACK]


def compare(case: Case) -> tuple[int, int, int]:
    """Return how many positions were compared, how many of them were right, and how many were passed over."""
    game = game_of(case)
    prover = Prover(game.rules, bots.guide(case.key))
    compared, right, passed = 0, 0, 0
    for state in sampled(case):
        found = faults(game.rules, prover, state, LIMIT, BRUTE)
        if found is None:
            passed += 1
            continue
        wrong = list(found)
        print(*(f"{case}: {one}" for one in wrong), sep="\n", end="\n" if wrong else "")
        compared, right = compared + 1, right + (not wrong)
        if compared == case.compared:
            break
    return compared, right, passed


def reach(case: Case) -> Iterator[str]:
    """Yield how many of the positions so many decisions before the end are solved, and the pace of the solver."""
    game = game_of(case)
    prover = Prover(game.rules, bots.guide(case.key))
    solved: Counter[int] = Counter()
    asked: Counter[int] = Counter()
    looked, spent = 0, 0.0
    for match in bot_matches(case, BEGUN_BY, REACH_MATCHES, "reach"):
        prover.prove(match[0], int(game.rules.actor(match[0])), 1)  # compiles
        for back, state in enumerate(match[:BACK], 1):
            began = time.process_time()
            proof = prover.prove(state, int(game.rules.actor(state)), LIMIT)
            spent += time.process_time() - began
            looked += int(prover.desk.looked[0])
            asked[back] += 1
            solved[back] += proof is not None
    shares = ", ".join(f"{solved[back] / asked[back]:.0%}" for back in sorted(asked))
    yield f"{case}: {looked / spent:,.0f} positions/s; solved 1, 2, ... {max(asked)} decisions before the end: {shares}"


def gain(case: Case) -> str:
    """Let experts end matches that another level began; one of them proves. Return its share and the price."""
    game, advice = game_of(case), bots.guide(case.key)
    level = advice.LEVELS[ENDED_BY]
    assert isinstance(level, Lookahead)
    plain = bots.LookaheadBot(game.rules, advice, level)
    prover = Prover(game.rules, advice)
    proving = bots.ProvingBot(plain, prover, LIMIT)
    points, matches, spent = 0.0, 0, [0.0, 0.0]
    for match in bot_matches(case, BEGUN_BY, GAIN_MATCHES, "gain"):
        endings = list(islice((state for state in reversed(match) if prover.is_ending(state)), 1))
        for state in endings:
            proving.warm(state, generator("warm"))
            for proves in range(2):
                points += _ended(game, copied(state), plain, proving, proves, spent)
                matches += 1
    share, error = points / matches, (0.25 / matches) ** 0.5
    return (
        f"{case}: an {ENDED_BY} that proves scores {share:.1%} (+-{1.96 * error:.1%}) in {matches} endings of matches "
        f"that {BEGUN_BY} began, with {spent[1] / spent[0]:.2f} of the time of the other one"
    )


def _ended(game: KernelGame, state: Any, plain: Any, proving: Any, proves: int, spent: list[float]) -> float:
    """Play on to the end. Return the points of the seat that proves: 1, 1/2 or 0."""
    rules, rng, draws = game.rules, generator("gain", state.tobytes()), Random(state.tobytes())
    while (who := int(rules.actor(state))) != OVER:
        if who == CHANCE:
            weights = [int(rules.weight_at(state, k)) for k in range(int(rules.count(state)))]
            rules.play(state, int(rules.move_at(state, draws.choices(range(len(weights)), weights)[0])))
            continue
        began = time.process_time()
        move = (proving if who == proves else plain).choose(state, rng)
        spent[who == proves] += time.process_time() - began
        rules.play(state, move)
    out = np.zeros(rules.SEATS, np.float32)
    rules.payoff(state, out)
    return (float(out[proves]) + 1) / 2


def measure() -> Iterator[str]:
    total, right, passed = (sum(part) for part in zip(*map(compare, CASES), strict=True))
    yield f"endings: {right:,} of {total:,} proofs agree with brute force ({passed:,} positions were too large)"
    for case in REACHED:
        yield from reach(case)
    for case in REACHED:
        yield gain(case)


if __name__ == "__main__":
    for line in measure():
        print(line, flush=True)
