# mypy: ignore-errors
# ruff: noqa: F821
"""Many matches side by side, each moved on by one decision a call, in compiled code.

As in whole.py, everything random in a match follows from its key: draw n of the table is word n of the key's sequence,
and the bots have generators of their own. The key follows from the seed of the row and the number of the match in it.
"""

from typing import NamedTuple

import numpy as np

from ludoteca.core.kernel import CHANCE, OVER
from ludoteca.core.random import below, ticket_at
from ludoteca.search.whole import RANDOM_BOT

GOES_ON, ENDED = range(2)  # what becomes of a match whose player makes an illegal move: another one is made, or it ends


class Rows(NamedTuple):
    """The matches, one a row."""

    states: np.ndarray
    seeds: np.ndarray  # the key of the row's seed
    keys: np.ndarray  # of the running match
    numbers: np.ndarray  # of the running match in its row, from 1
    draws: np.ndarray  # of the table, so far
    decisions: np.ndarray  # of the learners, so far
    rngs: np.ndarray  # of the bots, by seat; the last one replaces illegal moves
    learners: np.ndarray  # bits: the seats whose moves come from outside
    seats: np.ndarray  # the learner who acts, or who acted last
    waits: np.ndarray  # whether the match is over, and the next step begins another


class Answers(NamedTuple):
    """What a step tells of every row."""

    observations: np.ndarray
    masks: np.ndarray
    rewards: np.ndarray  # by seat
    terminated: np.ndarray
    truncated: np.ndarray
    illegal: np.ndarray  # whether the move was not legal
    final: np.ndarray  # the last observation of a match that ended in this step, if another one has begun already


def mask(state, out):
    """Write 1 for every legal move of the seat that acts. A game's encode.py may have a faster one."""
    listed = np.empty(MAX_COUNT, np.int32)
    out[:] = 0
    for k in range(moves(state, listed)):
        out[listed[k]] = 1


def go_on(rows, i, players, desks, tree, pool):
    """Let the table and the bots act until a learner is to move or the match is over."""
    state = rows.states[i]
    who = actor(state)
    while who != OVER:
        if who == CHANCE:
            rows.draws[i] += 1
            play(state, outcome_on(state, ticket_at(rows.keys[i], rows.draws[i], total_weight(state))))
        else:
            if rows.learners[i] >> who & 1:
                return who
            if BOTS:  # noqa: SIM102 - the compiler drops a branch only if a constant alone decides it
                if players.kind[who] != RANDOM_BOT:
                    play(state, bot_move(state, who, players, desks, tree, pool, rows.rngs[i, who]))
                    who = actor(state)
                    continue
            play(state, move_at(state, below(rows.rngs[i, who], count(state))))
        who = actor(state)
    return who


def begin_match(rows, i, options, players, desks, tree, pool):
    """Begin the next match of a row. Return the learner who moves first; a match without any is passed over."""
    who = OVER
    while who == OVER:
        rows.numbers[i] += 1
        rows.keys[i] = match_key(rows.seeds[i], rows.numbers[i])
        rows.draws[i] = 0
        rows.decisions[i] = 0
        rows.waits[i] = False
        start_bots(rows.rngs[i], rows.keys[i])
        start(rows.states[i], options)
        who = go_on(rows, i, players, desks, tree, pool)
    return who


def tell(rows, i, who, answers):
    """Write what the seat that acts observes; after the end the one that acted last, and every move is as good."""
    if who >= 0:
        rows.seats[i] = who
        mask(rows.states[i], answers.masks[i])
    else:
        answers.masks[i, :] = 1
    encode(rows.states[i], rows.seats[i], answers.observations[i])


def reset_rows(rows, chosen, options, answers, players, desks, tree, pool):
    """Begin a match in the chosen rows."""
    for i in range(len(rows.keys)):
        if chosen[i]:
            who = begin_match(rows, i, options, players, desks, tree, pool)
            answers.rewards[i, :] = 0.0
            answers.terminated[i] = False
            answers.truncated[i] = False
            answers.illegal[i] = False
            tell(rows, i, who, answers)


def step_rows(rows, actions, options, answers, is_same_step, on_illegal, penalty, most, players, desks, tree, pool):
    """Make a decision in every row. A row whose match is over begins the next one instead."""
    for i in range(len(rows.keys)):
        answers.rewards[i, :] = 0.0
        answers.terminated[i] = False
        answers.truncated[i] = False
        answers.illegal[i] = False
        if rows.waits[i]:
            tell(rows, i, begin_match(rows, i, options, players, desks, tree, pool), answers)
            continue
        state = rows.states[i]
        seat, move = rows.seats[i], actions[i]
        if not is_legal(state, move):
            answers.illegal[i] = True
            move = move_at(state, below(rows.rngs[i, SEATS], count(state)))
        rows.decisions[i] += 1
        if answers.illegal[i] and on_illegal == ENDED:
            who = OVER
            answers.rewards[i, seat] = penalty
        else:
            play(state, move)
            who = go_on(rows, i, players, desks, tree, pool)
            if who == OVER:
                payoff(state, answers.rewards[i])
        if who == OVER:
            answers.terminated[i] = True
        elif most > 0 and rows.decisions[i] >= most:
            answers.truncated[i] = True
        if answers.terminated[i] or answers.truncated[i]:
            if is_same_step:
                encode(state, seat, answers.final[i])
                who = begin_match(rows, i, options, players, desks, tree, pool)
            else:
                rows.waits[i] = True
        tell(rows, i, who, answers)


def sample_rows(masks, rng, out):
    """Write a random legal move of every row."""
    for i in range(len(masks)):
        n = 0
        for move in range(masks.shape[1]):
            n += int(masks[i, move])
        k = below(rng, n)
        move = 0
        while k > 0 or masks[i, move] == 0:
            k -= int(masks[i, move])
            move += 1
        out[i] = move


FUNCTIONS = (mask, go_on, begin_match, tell, reset_rows, step_rows, sample_rows)
