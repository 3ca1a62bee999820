# mypy: ignore-errors
# ruff: noqa: F821
"""Whole matches between bots in compiled code: without a Python object or a text for each move.

Everything random in a match follows from its key, which names the seed and the number of the match. Draw n of the table
is word n of the key's sequence, and every seat's bot has its own generator, seeded from the key too. So any match can
be played again alone, and its result does not depend on the matches beside it.
"""

from typing import Any, NamedTuple

import numpy as np

from ludoteca.core.kernel import CHANCE, OVER
from ludoteca.core.random import below, mixed, ticket_at, word_at
from ludoteca.search.everyone import NO_MOVE

RANDOM_BOT, LOOKAHEAD_BOT, TREE_BOT, INFORMED_BOT = range(4)
STATES = 5  # room for states that a table needs; room for the deals of an informed bot follows
U = np.uint64
BOTS_KEY = U(0x5851F42D4C957F2D)  # makes the bots' sequences differ from the table's


class Players(NamedTuple):
    """The bots at the table, by seat: their kind, and how much work they do."""

    seats: int
    kind: np.ndarray
    turns: np.ndarray  # depth of a lookahead
    noise: np.ndarray
    simulations: np.ndarray  # work of a tree search
    exploration: np.ndarray
    proves: np.ndarray  # positions to look at, at most, to prove an ending
    proof: Any  # the solver's desk, or None if nobody proves
    deals: np.ndarray  # that an informed search weighs
    weights: tuple[np.ndarray, ...]  # by which it values positions; empty: by playouts


class Book(NamedTuple):
    """The results of several matches, one row each."""

    winners: np.ndarray  # bits by seat
    reasons: np.ndarray  # indices in the game's REASONS
    starters: np.ndarray  # the seats that began
    scores: np.ndarray  # by seat
    entries: np.ndarray  # number of entries in the record
    decisions: np.ndarray  # number of moves by players
    ends: np.ndarray  # where the match's moves end in `moves`
    moves: np.ndarray  # the moves of all matches, one match after another


class Notes(NamedTuple):
    """What a study records besides, one row for each match."""

    rows: np.ndarray  # what the game's `observe` counts
    turns: np.ndarray  # number of turns: runs of moves by the same seat
    choices: np.ndarray  # number of legal moves, summed over all decisions
    drama: np.ndarray  # lead changes, drama and decisiveness, as `judge` defines them
    playouts: int  # to value a position; 0: leave out `drama`
    worth: np.ndarray  # by turn and seat: the value at the beginning of the turn


def match_key(base, number):
    """Return the key of the match with this number, from 1."""
    return word_at(base, number)


def start_bots(rngs, key):
    for seat in range(len(rngs)):
        rngs[seat, 0] = word_at(mixed(key ^ BOTS_KEY), seat + 1) | U(1)


def bot_move(state, who, players, desks, tree, pool, rng):
    """Return the move of a bot that searches. As in bots.py, it is given a concealed state."""
    if HIDDEN:
        pool[1] = state
        state = pool[1]
        conceal(state, who, rng)
    if HAS_PROOFS:  # noqa: SIM102 - the compiler drops a branch only if a constant alone decides it
        if players.proves[who] > 0:
            move = proved_move(players.proof, state, players.proves[who])
            if move != NO_MOVE:
                return move
    if HAS_LOOKAHEAD:  # noqa: SIM102
        if players.kind[who] == LOOKAHEAD_BOT:
            return best_move(desks[who], state, players.turns[who], players.noise[who], rng)
    if HAS_TREE:  # noqa: SIM102
        if players.kind[who] == TREE_BOT:
            search(state, pool[2:3], tree, players.simulations[who], players.exploration[who], who, rng)
            return most_visited(tree)
    if HAS_INFORMED:  # noqa: SIM102
        if players.kind[who] == INFORMED_BOT:
            deals = pool[STATES : STATES + players.deals[who]]
            work, exploration = players.simulations[who], players.exploration[who]
            search_informed(state, pool[2:3], deals, tree, work, exploration, players.weights[who], who, rng)
            return most_visited(tree)
    return -1


def evaluate(state, pool, playouts, rng, worth):
    """Write the value of a position for every seat: its mean payoff, -1 to 1, in random playouts."""
    payoffs = np.zeros(SEATS, np.float32)
    worth[:] = 0.0
    for _ in range(playouts):
        pool[0] = state
        playout(pool[0], rng)
        payoff(pool[0], payoffs)
        for seat in range(SEATS):
            worth[seat] += payoffs[seat] / playouts


def judge(worth, turns, seats, winners, out):
    """Write lead changes, drama and decisiveness, from the values of all turns.

    Ludii (github.com/Ludeme/Ludii, Evaluation/src/metrics) defines them. LeadChange: how often the set of seats
    with the highest value changes, counting the first set, divided by the number of turns. Drama (average): how far
    the winner's value is below the highest, averaged over all turns. DecisivenessThreshold: the highest value that
    a seat reaches which does not win. DecisivenessMoves: the part of the match before a winner's value first
    exceeds that threshold. Ludii takes values from a tree search at every move; here a value is the mean of
    playouts at the beginning of every turn. A draw has a lead, but neither drama nor decisiveness.
    """
    changes, lead, behind, threshold = 0, 0, 0.0, np.float64(-1.0)
    n_winners = 0
    for seat in range(seats):
        n_winners += winners >> seat & 1
    for turn in range(turns):
        highest = worth[turn, 0]
        for seat in range(1, seats):
            highest = max(highest, worth[turn, seat])
        leaders = 0
        for seat in range(seats):
            if worth[turn, seat] == highest:
                leaders |= 1 << seat
            if winners >> seat & 1:
                behind += (highest - worth[turn, seat]) / n_winners
            else:
                threshold = max(threshold, np.float64(worth[turn, seat]))
        changes += leaders != lead
        lead = leaders
    settled = turns
    for turn in range(turns - 1, -1, -1):
        for seat in range(seats):
            if winners >> seat & 1 and worth[turn, seat] > threshold:
                settled = turn
    out[0] = changes / turns
    if 0 < n_winners < seats:
        out[1] = behind / turns
        out[2] = settled / turns


def play_matches(options, base, numbers, players, desks, tree, pool, rngs, book, keep, done, notes):
    """Play the matches with these numbers and write them in the book. Return how many were played.

    `done` of them are in the book already: when a book's room for moves is full, the caller passes it again with
    more room.
    """
    state = pool[0]
    used = book.ends[done - 1] if done > 0 else 0
    room = len(book.moves)
    for i in range(done, len(numbers)):
        key = match_key(base, numbers[i])
        start_bots(rngs, key)
        start(state, options)
        entries, decisions, draws, run, starter = 0, 0, 0, 0, -1
        turns, choices, last = 0, 0, -1
        who = actor(state)
        while who != OVER:
            if who == CHANCE:
                if run == 0:
                    run = chance_run(state)
                    entries += 1
                run -= 1
                draws += 1
                move = outcome_on(state, ticket_at(key, draws, total_weight(state)))
            else:
                entries += 1
                decisions += 1
                if decisions == 1:
                    starter = who
                if players.kind[who] == RANDOM_BOT:  # inline: a call of bot_move would cost a fifth of the speed
                    move = move_at(state, below(rngs[who], count(state)))
                else:
                    move = bot_move(state, who, players, desks, tree, pool, rngs[who])
            if keep:
                if used == room:
                    return i
                book.moves[used] = move
                used += 1
            if OBSERVES:
                pool[3] = state
                if who >= 0:
                    choices += count(state)
                    if who != last:
                        if notes.playouts > 0 and turns < len(notes.worth):
                            evaluate(state, pool[4:5], notes.playouts, rngs[SEATS], notes.worth[turns])
                        turns += 1
                        last = who
            play(state, move)
            if OBSERVES:
                observe(pool[3], move, state, who, notes.rows[i])
            who = actor(state)
        book.winners[i], book.reasons[i] = result(state, book.scores[i])
        book.starters[i] = starter
        book.entries[i] = entries
        book.decisions[i] = decisions
        book.ends[i] = used
        if OBSERVES:
            notes.turns[i] = turns
            notes.choices[i] = choices
            if notes.playouts > 0 and players.seats > 1:
                judge(notes.worth, min(turns, len(notes.worth)), players.seats, book.winners[i], notes.drama[i])
    return len(numbers)


GOOD, NOT_LEGAL, NOT_DRAWN, TOO_SHORT, TOO_LONG = range(5)  # kinds of faults


def check_matches(options, base, numbers, moves, ends, pool, book, faults):
    """Replay matches from their moves into a new book. Check every move by the rules and every draw by the key.

    A fault is written as its kind and the number of the move, from 1.
    """
    state = pool[0]
    place = 0
    for i in range(len(numbers)):
        key = match_key(base, numbers[i])
        begin, end = place, ends[i]
        start(state, options)
        entries, decisions, draws, run, starter, fault = 0, 0, 0, 0, -1, GOOD
        who = actor(state)
        while who != OVER and fault == GOOD:
            if place == end:
                fault = TOO_SHORT
                break
            move = int(moves[place])
            place += 1
            if who == CHANCE:
                if run == 0:
                    run = chance_run(state)
                    entries += 1
                run -= 1
                draws += 1
                if move != outcome_on(state, ticket_at(key, draws, total_weight(state))):
                    fault = NOT_DRAWN
                    break
            else:
                entries += 1
                decisions += 1
                if decisions == 1:
                    starter = who
                if not is_legal(state, move):
                    fault = NOT_LEGAL
                    break
            play(state, move)
            who = actor(state)
        if fault == GOOD and place < end:
            fault = TOO_LONG
        faults[i, 0] = fault
        faults[i, 1] = place - begin
        place = end
        if fault == GOOD:
            book.winners[i], book.reasons[i] = result(state, book.scores[i])
            book.starters[i] = starter
            book.entries[i] = entries
            book.decisions[i] = decisions


FUNCTIONS = (match_key, start_bots, bot_move, evaluate, judge, play_matches)
CHECKING = (match_key, check_matches)
