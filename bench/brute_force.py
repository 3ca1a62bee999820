"""Exact results of positions by plain recursion over the rules: it shares nothing with the solver that it checks."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import numpy as np

from ludoteca.core.game import OptionValue
from ludoteca.core.kernel import CHANCE, OVER, Rules, copied, new_record
from ludoteca.core.kernel_game import KernelGame

Payoffs = tuple[float, ...]
DIGITS = 9  # payoffs that differ by less are equal


class TooLarge(Exception):
    """The recursion met more positions than it may."""


class BruteForce:
    """Works out the payoffs of all seats if everybody plays for their own payoff.

    Of moves that are equally good for a seat it takes the one that is worst for the seat that asks, then for seat 0,
    seat 1 and so on. Between two sides that changes nothing.
    """

    def __init__(self, rules: Rules, asks: int, most: int) -> None:
        self._rules, self._asks, self._most = rules, asks, most
        self._known: dict[bytes, Payoffs] = {}
        self.positions = 0

    def payoffs(self, state: Any) -> Payoffs:
        mark = state.tobytes()
        if mark not in self._known:
            self._known[mark] = self._worked_out(state)
        return self._known[mark]

    def after(self, state: Any, move: int) -> Payoffs:
        self.positions += 1
        if self.positions > self._most:
            raise TooLarge
        then = copied(state)
        self._rules.play(then, move)
        return self.payoffs(then)

    def _worked_out(self, state: Any) -> Payoffs:
        rules = self._rules
        who = int(rules.actor(state))
        if who == OVER:
            out = np.zeros(rules.SEATS, np.float32)
            rules.payoff(state, out)
            return tuple(out[: int(state["players"])].tolist())
        numbers = range(int(rules.count(state)))
        results = [self.after(state, int(rules.move_at(state, k))) for k in numbers]
        if who == CHANCE:
            weights = [int(rules.weight_at(state, k)) for k in numbers]
            return tuple(np.average(np.array(results), axis=0, weights=weights).tolist())

        def preference(result: Payoffs) -> tuple[float, ...]:
            equal = [round(worth, DIGITS) for worth in result]
            return (equal[who], -equal[self._asks], *(-worth for worth in equal))

        return max(results, key=preference)


def random_match(game: KernelGame, agreed: Mapping[str, OptionValue], seed: str) -> list[Any]:
    """Return the positions of a random match in which a seat acts, the last one first."""
    rules, rng, found = game.rules, Random(seed), []
    state = new_record(rules.State)
    rules.start(state, game.options_record(agreed))
    while (who := int(rules.actor(state))) != OVER:
        if who != CHANCE:
            found.append(copied(state))
        weights = [int(rules.weight_at(state, k)) for k in range(int(rules.count(state)))] if who == CHANCE else None
        chosen = rng.choices(range(len(weights)), weights)[0] if weights else rng.randrange(int(rules.count(state)))
        rules.play(state, int(rules.move_at(state, chosen)))
    return found[::-1]


def faults(rules: Rules, prover: Any, state: Any, limit: int, most: int) -> Iterator[str] | None:
    """Compare a proof with brute force. Return what differs; None if one of the two is beyond its limit."""
    seat = int(rules.actor(state))
    brute = BruteForce(rules, seat, most)
    try:
        expected = brute.payoffs(state)
        results = {move: brute.after(state, move)[seat] for move in map(int, legal(rules, state))}
    except (TooLarge, RecursionError):  # the second one: a line is longer than the stack
        return None
    proof = prover.prove(state, seat, limit)
    return None if proof is None else _faults(seat, expected, results, proof)


def legal(rules: Rules, state: Any) -> list[int]:
    return [int(rules.move_at(state, k)) for k in range(int(rules.count(state)))]


def _faults(seat: int, expected: Payoffs, results: Mapping[int, float], proof: Any) -> Iterator[str]:
    near = 10.0**-6
    if any(abs(found - right) > near for found, right in zip(proof.values, expected, strict=True)):
        yield f"payoffs {proof.values}, not {expected}"
    if proof.move is not None and abs(results[proof.move] - expected[seat]) > near:
        yield f"move {proof.move} is worth {results[proof.move]}, not {expected[seat]}"
    if proof.move is None and any(abs(result - expected[seat]) > near for result in results.values()):
        yield f"no best move, but they differ: {results}"
