"""Learns Tic-Tac Match from nothing, with NumPy alone: python examples/learn_tictacmatch.py

The policy has one weight for each thing that can be said of a move. It chooses among the legal moves by the softmax of
the weighted sums, plays 512 matches at once against random bots, and raises the weights of what was done in won matches
(REINFORCE; Williams 1992). It reads the position from the planes of the observation and knows nothing else.
"""

from typing import Any

import numpy as np

from ludoteca.lab import VectorEnv

MATCHES, STEPS, RATE, FADING = 512, 500, 1.0, 0.02
KINDS, SPACES, MOVES = 8, 9, 79  # kinds of symbol cards: X in four colours, O in four colours
MINE_IS_X, FLIP, WIPE_OUT, DOUBLE = 64, 72, 73, 74  # a plane of the observation; the moves of the special cards
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
SAID = (  # of a move
    "my symbol completes a line",
    "my symbol makes a pair",
    "my symbol, otherwise",
    "the other symbol completes a line",
    "the other symbol makes a pair",
    "the other symbol, otherwise",
    "covers a card of mine",
    "covers a card of mine in a pair",
    "covers a card of the others",
    "covers a card of the others in a pair",
    "flips",
    "flips while I have pairs",
    "flips while the others have pairs",
    "wipes out",
    "wipes out while the others have pairs",
    "plays double",
)


def described(observation: Any) -> Any:
    """Return what can be said of every move: an array of matches x moves x SAID."""
    planes = observation.reshape(len(observation), -1, SPACES)
    top, symbol_x = planes[:, :KINDS], planes[:, MINE_IS_X, 0]
    is_mine = np.where(np.arange(KINDS) < KINDS // 2, symbol_x[:, None], 1 - symbol_x[:, None])[:, :, None]
    fullest, pairs = np.zeros_like(top), np.zeros_like(top)  # cards of the same kind on the other spaces of a line
    for line in LINES:
        there = top[:, :, line].sum(2, keepdims=True) - top[:, :, line]
        fullest[:, :, line] = np.maximum(fullest[:, :, line], there)
        pairs[:, :, line] += there == 1
    said = np.zeros((len(top), MOVES, len(SAID)), np.float32)
    puts = said[:, : KINDS * SPACES].reshape(len(top), KINDS, SPACES, -1)
    paired = top * (fullest > 0)
    for first, side in ((0, is_mine), (3, 1 - is_mine)):
        puts[..., first] = side * (fullest == 2)
        puts[..., first + 1] = side * (fullest == 1) * pairs
        puts[..., first + 2] = side * (fullest == 0)
    for first, side in ((6, is_mine), (8, 1 - is_mine)):
        puts[..., first] = (side * top).sum(1)[:, None]
        puts[..., first + 1] = (side * paired).sum(1)[:, None]
    mine, others = ((side * (fullest == 2)).sum((1, 2)) for side in (is_mine, 1 - is_mine))
    said[:, FLIP, 10] = said[:, WIPE_OUT, 13] = said[:, DOUBLE, 15] = 1
    said[:, FLIP, 11], said[:, FLIP, 12], said[:, WIPE_OUT, 14] = mine, others, others
    return said


def odds(said: Any, mask: Any, weights: Any) -> Any:
    """Return the probability of every move."""
    score = np.where(mask > 0, said @ weights, -np.inf)
    raised = np.exp(score - score.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


def learn(seed: int = 1, steps: int = STEPS) -> Any:
    """Return the learned weights."""
    env, rng = VectorEnv("tictacmatch", MATCHES, bots="random", autoreset_mode="SameStep"), np.random.default_rng(seed)
    seen, _ = env.reset(seed=seed)
    weights, traces, usual = np.zeros(len(SAID)), np.zeros((MATCHES, len(SAID))), 0.0
    for _ in range(steps):
        said = described(seen["observation"])
        chances = odds(said, seen["action_mask"], weights)
        moves = (chances.cumsum(1) < rng.random((MATCHES, 1))).sum(1).clip(max=MOVES - 1)
        traces += said[np.arange(MATCHES), moves] - np.einsum("nm,nmf->nf", chances, said)
        seen, rewards, ended, _, _ = env.step(moves)
        if ended.any():
            weights += RATE * (traces[ended] * (rewards[ended] - usual)[:, None]).sum(0) / MATCHES
            usual += FADING * (rewards[ended].mean() - usual)
            traces[ended] = 0
    return weights


def share_won(weights: Any, matches: int = 1000, seed: int = 7) -> float:
    """Return the share of won matches against random bots, a draw counted as half, with the best move always chosen."""
    env = VectorEnv("tictacmatch", matches, bots="random")
    seen, _ = env.reset(seed=seed)
    result, is_over = np.zeros(matches), np.zeros(matches, bool)
    while not is_over.all():
        moves = odds(described(seen["observation"]), seen["action_mask"], weights).argmax(1)
        seen, rewards, ended, _, _ = env.step(moves)
        result[ended & ~is_over] = rewards[ended & ~is_over]
        is_over |= ended
    return float((result + 1).mean() / 2)


if __name__ == "__main__":
    nothing = np.zeros(len(SAID))
    print(f"before: {share_won(nothing):.1%} of the matches against random bots")
    learned = learn()
    print(f"after: {share_won(learned):.1%}")
    for words, weight in sorted(zip(SAID, learned, strict=True), key=lambda pair: -pair[1]):
        print(f"{weight:+6.2f} {words}")
